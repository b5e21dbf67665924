// A hundred values, each handed from one block to the next with a separate flag.
#include <cuda/atomic>
#define COUNT 100
__device__ int value[COUNT + 1];
__device__ int flag[COUNT + 1];
__global__ void hand(int *out) {
    for (int i = 0; i < COUNT; i++) {
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            value[i] = i * i;
            __threadfence();
            atomicExch(&flag[i], 1);
        }
        if (blockIdx.x == 1 && threadIdx.x == 0 && atomicAdd(&flag[i], 0) == 1) {
            __threadfence();
            out[i] = value[i];
        }
    }
}
__global__ void narrow(unsigned short *halves, unsigned long long *wide, int *plain) {
    atomicCAS(&halves[0], (unsigned short)threadIdx.x, (unsigned short)(threadIdx.x + 1));
    atomicAdd(&wide[threadIdx.x % 3], 1ull);
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(*plain);
    sum.fetch_add(2, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel);
}

int main() {
    int *out, *plain;
    unsigned short *halves;
    unsigned long long *wide;
    cudaMalloc(&out, COUNT * sizeof(int));
    cudaMalloc(&halves, 8);
    cudaMalloc(&wide, 24);
    cudaMalloc(&plain, 4);
    cudaMemset(halves, 0, 8);
    cudaMemset(wide, 0, 24);
    cudaMemset(plain, 0, 4);
    hand<<<2, 32>>>(out);
    narrow<<<1, 32>>>(halves, wide, plain);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
