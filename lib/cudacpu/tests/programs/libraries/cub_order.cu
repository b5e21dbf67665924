// CUB's collectives that compare neighbours and sort; results worked out by hand.
#include <cstdio>
#include <cub/cub.cuh>

struct minus {
    __device__ int operator()(int a, int b) const { return a - b; }
};

struct unequal {
    __device__ bool operator()(int a, int b) const { return a != b; }
};

__global__ void neighbours(int *out) {
    typedef cub::BlockAdjacentDifference<int, 64> Difference;
    typedef cub::BlockDiscontinuity<int, 64> Discontinuity;
    __shared__ typename Difference::TempStorage difference;
    __shared__ typename Discontinuity::TempStorage discontinuity;
    const int me = threadIdx.x;
    int items[2] = {(2 * me) * (2 * me), (2 * me + 1) * (2 * me + 1)}, left[2], right[2], heads[2];
    Difference(difference).SubtractLeft(items, left, minus());
    __syncthreads();
    Difference(difference).SubtractRight(items, right, minus(), 16384);
    int tens[2] = {2 * me / 10, (2 * me + 1) / 10};
    Discontinuity(discontinuity).FlagHeads(heads, tens, unequal());
    if (me == 0)
        out[0] = left[0], out[1] = left[1]; // 0, 1 - 0
    if (me == 63)
        out[2] = left[1], out[3] = right[1]; // 127^2 - 126^2, 127^2 - 128^2
    if (me == 5)
        out[4] = heads[0], out[5] = heads[1], out[6] = right[1]; // 10, 11; 121 - 144
}

__global__ void sorts(float *keys, int *values, int *low) {
    typedef cub::BlockRadixSort<float, 32, 3, int> Sort;
    typedef cub::BlockRadixSort<int, 32, 3> Low;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Low::TempStorage low;
    } temp;
    const int me = threadIdx.x;
    float key[3];
    int value[3], number[3];
    for (int i = 0; i < 3; i++) {
        value[i] = 3 * me + i;
        key[i] = (value[i] * 37 % 96 - 48) * 0.5f; // each value from -24 to 23.5 once
        number[i] = 95 - value[i];
    }
    Sort(temp.sort).SortDescending(key, value);
    __syncthreads();
    Low(temp.low).SortBlockedToStriped(number, 0, 2); // stable, by the two lowest bits alone
    for (int i = 0; i < 3; i++) {
        keys[3 * me + i] = key[i];
        values[3 * me + i] = value[i];
        low[i * 32 + me] = number[i];
    }
}

int main() {
    int *out, host[7], *values, order[96], *low, lowest[96];
    float *keys, sorted[96];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&keys, sizeof sorted);
    cudaMalloc(&values, sizeof order);
    cudaMalloc(&low, sizeof lowest);
    neighbours<<<1, 64>>>(out);
    sorts<<<1, 32>>>(keys, values, low);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(sorted, keys, sizeof sorted, cudaMemcpyDeviceToHost);
    cudaMemcpy(order, values, sizeof order, cudaMemcpyDeviceToHost);
    cudaMemcpy(lowest, low, sizeof lowest, cudaMemcpyDeviceToHost);
    for (int value : host)
        printf("%d ", value);
    printf("\n");
    int right = 0;
    for (int i = 0; i < 96; i++)
        right += sorted[i] == 23.5f - 0.5f * i && order[i] * 37 % 96 == 95 - i;
    printf("%d: %d %d %d, %d %d\n", right, lowest[0], lowest[1], lowest[23], lowest[24],
           lowest[95]);
}
