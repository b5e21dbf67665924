/* The storage of one sum is used for the next sum after a barrier. */
#include <cstdio>
#include <cub/cub.cuh>

typedef cub::BlockReduce<int, 64> Reduce;
typedef cub::BlockScan<int, 64> Scan;

__global__ void two_sums(const int *in, int *out) {
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } storage;
    int before;
    const int first = Reduce(storage.reduce).Sum(in[threadIdx.x]);
    __syncthreads();
    const int second = Reduce(storage.reduce).Sum(2 * in[threadIdx.x]);
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(in[threadIdx.x], before);
    if (threadIdx.x == 0)
        out[64] = first + second;
    out[threadIdx.x] = before;
}

int main() {
    int *in, *out, sums[65];
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, sizeof sums);
    cudaMemset(in, 1, 64 * sizeof *in);
    two_sums<<<1, 64>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%d %d\n", sums[63], sums[64]);
}
