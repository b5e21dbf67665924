/* Kernels wait for all copies by cooperative groups, by cuda::barrier and by pipelines, and refill
 * the buffers. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void by_group(const int *in, int *out) {
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    int sum = 0;
    cg::memcpy_async(block, s[0], in, sizeof s[0]);
    for (int i = 0; i < 4; i++) {
        if (i < 3) {
            cg::memcpy_async(block, s[(i + 1) % 2], in, sizeof s[0]);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        sum += s[i % 2][63 - threadIdx.x];
        block.sync();
    }
    out[64 * blockIdx.x + threadIdx.x] = sum;
}

__global__ void by_tile(const int *in, int *out) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int *part = s + 16 * tile.meta_group_rank();
    cg::memcpy_async(tile, part, in, 16 * sizeof(int));
    cg::wait(tile);
    out[64 * blockIdx.x + threadIdx.x] = part[15 - tile.thread_rank()];
}

__global__ void by_barrier(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    int sum = 0;
    if (threadIdx.x == 0)
        init(&bar, 64);
    block.sync();
    for (int i = 0; i < 4; i++) {
        cuda::memcpy_async(block, s[i % 2], in, cuda::aligned_size_t<16>(sizeof s[0]), bar);
        auto token = bar.arrive();
        bar.wait(std::move(token));
        sum += s[i % 2][63 - threadIdx.x];
    }
    out[64 * blockIdx.x + threadIdx.x] = sum;
}

/* One thread copies for all; the others arrive at the barrier, too. */
__global__ void by_one(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[64];
    if (threadIdx.x == 0)
        init(&bar, 64);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(s, in, sizeof s, bar);
    bar.arrive_and_wait();
    out[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void by_pipeline(const int *in, int *out) {
    __shared__ int s[2][64];
    const int t = (int)threadIdx.x;
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int i = 0, ahead = 0; i < 4; i++) {
        for (; ahead < 4 && ahead < i + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[ahead % 2][t], &in[t], sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        sum += s[i % 2][63 - t];
        __syncthreads();
        pipe.consumer_release();
    }
    out[64 * blockIdx.x + t] = sum;
}

__global__ void by_prior(const int *in, int *out) {
    __shared__ int s[2][64];
    const int t = (int)threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i][t], &in[t], sizeof(int), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    int sum = s[0][t];
    pipe.consumer_release();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    sum += s[1][t];
    pipe.consumer_release();
    out[64 * blockIdx.x + t] = sum;
}

__global__ void by_stages(const int *in, int *out) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][32];
    auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    const int lane = (int)threadIdx.x % 32;
    auto pipe = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int i = 0; i < 5; i++)
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[i % 2][lane], &in[lane], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += s[i % 2][31 - lane];
            pipe.consumer_release();
        }
    out[64 * blockIdx.x + threadIdx.x] = sum;
}

int main() {
    int *in, *out, host[128];
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, sizeof host);
    cudaMemset(in, 1, 64 * sizeof *in);
    by_group<<<2, 64>>>(in, out);
    by_tile<<<2, 64>>>(in, out);
    by_barrier<<<2, 64>>>(in, out);
    by_one<<<2, 64>>>(in, out);
    by_pipeline<<<2, 64>>>(in, out);
    by_prior<<<2, 64>>>(in, out);
    by_stages<<<1, 64>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
}
