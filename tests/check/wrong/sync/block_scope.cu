/* Blocks count in one variable, with operations that are atomic only within a block. */
#include <cstdio>
#include <cuda/atomic>

__global__ void count(int *total) {
    cuda::atomic_ref<int, cuda::thread_scope_block> counter(*total);
    counter.fetch_add(1, cuda::memory_order_relaxed); // finds global_race
    // says is atomic only within its block
    // says instead: give both operations device scope: cuda::thread_scope_device
}

int main() {
    int *total, host;
    cudaMalloc(&total, sizeof *total);
    cudaMemset(total, 0, sizeof *total);
    count<<<4, 64>>>(total);
    cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
}
