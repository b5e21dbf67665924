/* A counter for each block, updated by atomics of block scope, and a counter for all blocks,
 * updated by atomics of device scope. */
#include <cstdio>
#include <cuda/atomic>

__global__ void count(int *of_block, int *total) {
    __shared__ int here;
    if (threadIdx.x == 0)
        here = 0;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block> shared(here), mine(of_block[blockIdx.x]);
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*total);
    shared.fetch_add(1, cuda::memory_order_relaxed);
    mine.fetch_add(1, cuda::memory_order_relaxed);
    all.fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(total, here);
}

/* In the next kernel other blocks use the same counters. */
__global__ void again(int *of_block) {
    cuda::atomic_ref<int, cuda::thread_scope_block> other(of_block[3 - blockIdx.x]);
    other.fetch_add(1, cuda::memory_order_relaxed);
}

int main() {
    int *of_block, *total, host;
    cudaMalloc(&of_block, 4 * sizeof *of_block);
    cudaMalloc(&total, sizeof *total);
    cudaMemset(of_block, 0, 4 * sizeof *of_block);
    cudaMemset(total, 0, sizeof *total);
    count<<<4, 64>>>(of_block, total);
    again<<<4, 64>>>(of_block);
    cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
}
