// user_threads.cu - the cost of a thread, and of each operation at which it waits, for
// bench/user_program: nanoseconds, less the cost of threads that only begin and end.
#include <chrono>
#include <cstdio>

const int blocks = 2048, threads = 256, rounds = 32;

__global__ void passing(int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
__global__ void barriers(int *out) {
    for (int i = 0; i < rounds; i++)
        __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
__global__ void syncwarps(int *out) {
    for (int i = 0; i < rounds; i++)
        __syncwarp();
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
__global__ void shuffles(int *out) {
    int value = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        value += __shfl_xor_sync(0xffffffff, value, 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void ballots(int *out) {
    unsigned value = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        value += __ballot_sync(0xffffffff, value & 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static double seconds(void (*kernel)(int *), int *out) {
    double least = 1e9;
    for (int i = 0; i < 5; i++) {
        const auto begin = std::chrono::steady_clock::now();
        kernel<<<blocks, threads>>>(out);
        cudaDeviceSynchronize();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        least = took.count() < least ? took.count() : least;
    }
    return least;
}

int main() {
    int *out;
    cudaMalloc(&out, sizeof(int) * blocks * threads);
    const double all = double(blocks) * threads, pass = seconds(passing, out);
    printf("a thread that never waits     %6.1f ns\n", pass / all * 1e9);
    struct {
        const char *name;
        void (*kernel)(int *);
    } const kinds[] = {{"__syncthreads, a thread", barriers},
                       {"__syncwarp, a thread", syncwarps},
                       {"__shfl_xor_sync, a thread", shuffles},
                       {"__ballot_sync, a thread", ballots}};
    for (const auto &kind : kinds)
        printf("%-28s  %6.1f ns\n", kind.name,
               (seconds(kind.kernel, out) - pass) / all / rounds * 1e9);
    return 0;
}
