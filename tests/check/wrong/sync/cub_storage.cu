/* The storage of one sum is used for the next sum without a barrier in between. */
#include <cstdio>
#include <cub/cub.cuh>

typedef cub::BlockReduce<int, 64> Reduce;

__global__ void two_sums(const int *in, int *out) {
    __shared__ typename Reduce::TempStorage storage;
    const int first = Reduce(storage).Sum(in[threadIdx.x]);
    const int second = Reduce(storage).Sum(2 * in[threadIdx.x]); // finds shared_race
    if (threadIdx.x == 0) {
        out[0] = first;
        out[1] = second;
    }
    // says at cub_storage.cu:9
}

int main() {
    int *in, *out, sums[2];
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, sizeof sums);
    cudaMemset(in, 0, 64 * sizeof *in);
    two_sums<<<1, 64>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%d %d\n", sums[0], sums[1]);
}
