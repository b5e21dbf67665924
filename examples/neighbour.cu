// neighbour [THREADS] - each lane reads lane + 16; with 35 threads the last warp has three
// lanes, and what they read is undefined: `shflviz check examples/neighbour.cu -- 35` reports it.
#include <cstdio>
#include <cstdlib>

__global__ void neighbour() {
    float mine = threadIdx.x + 1;
    float above = __shfl_down_sync(0xffffffff, mine, 16);
    printf("thread %d has %g and read %g\n", threadIdx.x, mine, above);
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 32;
    neighbour<<<1, threads>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
