// Lanes of a warp hand values to each other through global memory with several names, without a
// barrier, as on a GPU whose lanes run in step.
#include <cstdio>

// Called with the same array twice: each value moves to the next element.
__global__ void move(const int *from, int *to, int n) {
    const int lane = threadIdx.x;
    to[(lane + 1) % n] = from[lane];
}
// The second pointer points into the array of the first.
__global__ void add_next(int *to, const int *next) {
    to[threadIdx.x] += next[threadIdx.x];
}

// A pointer that is a member.
struct view {
    int *at;
    int count;
};
__global__ void sum(view v) {
    const int lane = threadIdx.x;
    for (int half = v.count / 2; half > 0; half /= 2)
        if (lane < half)
            v.at[lane] += v.at[lane + half];
}
struct table {
    int *value;
    __device__ int get(int i) const { return value[i]; }
    __device__ void set(int i, int to) { value[i] = to; }
};
__global__ void turn(table t) {
    const int lane = threadIdx.x;
    t.set(31 - lane, t.get(lane));
}

// Both are the same pointer, but only at run time.
__global__ void copy_back(const int *from, int *to) {
    to[31 - threadIdx.x] = from[threadIdx.x];
}
static void launch(const int *from, int *to) {
    copy_back<<<1, 32>>>(from, to);
}

int main() {
    int *data;
    cudaMallocManaged(&data, 64 * sizeof *data);
    for (int i = 0; i < 64; i++)
        data[i] = i;
    move<<<1, 32>>>(data, data, 32);
    cudaDeviceSynchronize();
    printf("move %d %d %d\n", data[0], data[1], data[31]); // 31 0 30

    for (int i = 0; i < 64; i++)
        data[i] = i;
    int *next = data + 1;
    add_next<<<1, 32>>>(data, next);
    cudaDeviceSynchronize();
    printf("add_next %d %d\n", data[0], data[31]); // 0 + 1, 31 + 32

    for (int i = 0; i < 64; i++)
        data[i] = i;
    sum<<<1, 32>>>(view{data, 64});
    cudaDeviceSynchronize();
    printf("sum %d\n", data[0]); // 63 * 32

    for (int i = 0; i < 64; i++)
        data[i] = i;
    turn<<<1, 32>>>(table{data});
    cudaDeviceSynchronize();
    printf("turn %d %d\n", data[0], data[31]); // 31 0

    for (int i = 0; i < 64; i++)
        data[i] = i < 16 ? i : 100;
    launch(data, data);
    cudaDeviceSynchronize();
    printf("copy_back %d %d %d\n", data[0], data[16], data[31]); // 100 15 0
    launch(data, data + 32);
    cudaDeviceSynchronize();
    printf("copy_back %d %d\n", data[32], data[63]); // 0 100
}
