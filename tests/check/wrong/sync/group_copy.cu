/* Copies by groups, by cuda::barrier and by pipelines, whose results are read before the wait. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void by_group(const int *in, int *out) {
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof s);
    block.sync();
    out[threadIdx.x] = s[63 - threadIdx.x]; // finds copy_not_waited
}

/* Without a barrier, some elements are copied by threads that have not reached the copy yet. */
__global__ void at_once(const int *in, int *out) {
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof s);
    out[threadIdx.x] = s[63 - threadIdx.x]; // finds copy_not_waited shared_race uninitialized_read
    cg::wait(block);
}

__global__ void one_left(const int *in, int *out) {
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s[0], in, sizeof s[0]);
    cg::memcpy_async(block, s[1], in, sizeof s[1]);
    cg::wait_prior<1>(block);
    out[threadIdx.x] = s[0][63 - threadIdx.x];
    out[threadIdx.x] += s[1][63 - threadIdx.x]; // finds copy_not_waited
}

/* The block waits at its own barrier, not at the copy's. */
__global__ void by_barrier(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&bar, 64);
    block.sync();
    cuda::memcpy_async(block, s, in, sizeof s, bar);
    block.sync();
    out[threadIdx.x] = s[63 - threadIdx.x]; // finds copy_not_waited
    bar.arrive_and_wait();
}

__global__ void by_pipeline(const int *in, int *out) {
    __shared__ int s[2][64];
    const int t = (int)threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i][t], &in[t], sizeof(int), pipe);
        pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    out[t] = s[0][63 - t];
    out[t] += s[1][63 - t]; // finds copy_not_waited
}

__global__ void by_stages(const int *in, int *out) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[64];
    const int t = (int)threadIdx.x;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
    pipe.producer_acquire();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    out[t] = s[t]; // finds copy_not_waited
    pipe.consumer_wait();
    pipe.consumer_release();
}

int main() {
    int *in, *out, host[64];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(in, 1, sizeof host);
    by_group<<<1, 64>>>(in, out);
    at_once<<<1, 64>>>(in, out);
    one_left<<<1, 64>>>(in, out);
    by_barrier<<<1, 64>>>(in, out);
    by_pipeline<<<1, 64>>>(in, out);
    by_stages<<<1, 64>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
}
