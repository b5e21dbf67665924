// One atomic for the lanes that are present.
#include <cuda_runtime.h>
__device__ int count;
__device__ int claim() {
    unsigned here = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(here) - 1, base = 0;
    if (lane == leader)
        base = atomicAdd(&count, __popc(here));
    base = __shfl_sync(here, base, leader);
    return base + __popc(here & ((1u << lane) - 1));
}
__global__ void keep(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0)
        out[claim()] = in[i];
}
int main() {
    int *in, *out;
    cudaMalloc(&in, 4000);
    cudaMalloc(&out, 4000);
    cudaMemset(in, 0, 4000);
    keep<<<8, 128>>>(in, out, 1000);
    return cudaDeviceSynchronize();
}
