// A pipeline of three stages that one warp fills and three warps empty, and one that all threads
// both fill and empty.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void roles(int *out, int rounds) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    __shared__ int buffer[3][32];
    auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int round = 0; round < rounds; round++)
        if (produces) {
            pipe.producer_acquire();
            buffer[round % 3][threadIdx.x] = 100 * round + threadIdx.x;
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            atomicAdd(&out[round], buffer[round % 3][31 - threadIdx.x % 32]);
            pipe.consumer_release();
        }
}

__global__ void both(const int *in, int *out) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int buffer[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int at = threadIdx.x;
    for (int part = 0, ahead = 0; part < 4; part++) {
        for (; ahead < 4 && ahead < part + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[ahead % 2][at], &in[64 * ahead + at], sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[64 * part + at] = buffer[part % 2][63 - at];
        pipe.consumer_release();
    }
}

int main() {
    int *in, *out, *sums, wrong = 0;
    cudaMallocManaged(&in, 256 * sizeof *in);
    cudaMallocManaged(&out, 256 * sizeof *out);
    cudaMallocManaged(&sums, 8 * sizeof *sums);
    for (int i = 0; i < 256; i++)
        in[i] = i * i;
    for (int i = 0; i < 8; i++)
        sums[i] = 0;
    roles<<<dim3(1, 1, 1), dim3(128)>>>(sums, 8);
    both<<<1, 64>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        wrong += sums[i] != 3 * (32 * 100 * i + 496);
    for (int i = 0; i < 256; i++)
        wrong += out[i] != in[i / 64 * 64 + 63 - i % 64];
    printf("%d wrong, error %d\n", wrong, error);
}
