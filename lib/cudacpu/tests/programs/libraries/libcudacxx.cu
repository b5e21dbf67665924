// cuda::atomic, cuda::barrier, cuda::pipeline and names of cuda::std.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/type_traits>

__device__ cuda::atomic<int, cuda::thread_scope_device> total;

__global__ void adds(int *v) {
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(v[0]);
    sum.fetch_add((int)threadIdx.x, cuda::memory_order_relaxed);
    total++;
    int seen = v[1];
    cuda::atomic_ref<int> least(v[1]);
    while (!least.compare_exchange_weak(seen, seen < (int)threadIdx.x ? seen : (int)threadIdx.x))
        ;
    static_assert(cuda::std::is_same<decltype(seen), int>::value, "an int");
}
__global__ void rounds(int *v) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[64];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = v[threadIdx.x] + i;
        auto token = bar.arrive();
        bar.wait(std::move(token));
        v[threadIdx.x] = s[(threadIdx.x + 1) % 64];
        bar.arrive_and_wait();
    }
    cuda::memcpy_async(block, s, v, sizeof s, bar);
    bar.arrive_and_wait();
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&v[64 + threadIdx.x], &s[63 - threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_release();
}
int main() {
    int *v;
    cudaMallocManaged(&v, 512);
    v[1] = 1000;
    adds<<<4, 64>>>(v);
    cudaDeviceSynchronize();
    int sum;
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    printf("%d %d %d\n", v[0], v[1], sum);
    for (int i = 0; i < 64; i++)
        v[i] = i;
    rounds<<<1, 64>>>(v);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", v[0], v[63], v[64]);
}
