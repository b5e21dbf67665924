// Late blocks, while others run concurrently, rely on lanes in step, exchange small values and fail
// just as if the blocks ran one after another.

// run: --jobs 4
// status 4
#include <cassert>
#include <cstdio>

__device__ unsigned short places[32];
__device__ double sink;

__device__ void work() {
    double x = threadIdx.x + 1;
    for (int i = 0; i < 500; i++)
        x = x * 1.0000001 + 1e-9;
    if (x < 0)
        sink = x;
}

// Each thread of a block counts once, by a 16-bit compare-and-exchange.
__global__ void small() {
    work();
    unsigned short *place = &places[threadIdx.x], old = *place, seen;
    while ((seen = atomicCAS(place, old, (unsigned short)(old + 1))) != old)
        old = seen;
}
// Late blocks read what neighbouring lanes have written, without a __syncwarp() in between.
__global__ void leaning(int *out) {
    __shared__ int value[32];
    work();
    const int lane = threadIdx.x, from = blockIdx.x < 600 ? lane : lane ^ 1;
    value[lane] = lane + 1;
    out[blockIdx.x * 32 + lane] = value[from];
}
// Block 650 is the first that fails, although a later block may fail sooner.
__global__ void failing() {
    work();
    assert(blockIdx.x < 650);
}

int main() {
    int *out;
    unsigned short counts[32];
    small<<<1000, 32>>>();
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(counts, places, sizeof counts);
    printf("%d %d\n", counts[0], counts[31]); // 1000 1000
    cudaMallocManaged(&out, 1000 * 32 * sizeof *out);
    leaning<<<1000, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[100 * 32 + 5]); // 6
    failing<<<1000, 32>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); // cudaErrorAssert
    return 4;
}
