// A shift by the width of the value or more loses all bits, as on a GPU; one shift is reported.
#include <cstdio>

__global__ void below(unsigned *out) {
    out[threadIdx.x] = (1u << (threadIdx.x % 32)) - 1;
    const unsigned far = 1u << threadIdx.x;
    if (threadIdx.x < 32)
        out[threadIdx.x] += far;
}

// The lanes before this one. For a GPU's shifts by more than the width see PTX ISA, shl and shr.
__global__ void more(long long *out, int lane, int negative, unsigned far) {
    out[0] = 0xffffffffu >> (32 - lane);
    out[1] = negative >> (32 + lane);
    out[2] = (long long)negative >> far;
    out[3] = 1ull << far;
    out[4] = 1 << -lane - 1;
    out[5] = 0xffffffffu >> (31 - lane);
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    below<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%u %u %u\n", out[0], out[31], out[63]);
    long long *wide;
    cudaMallocManaged(&wide, 6 * sizeof *wide);
    more<<<1, 1>>>(wide, 0, -8, 64);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++)
        printf("%lld ", wide[i]);
    printf("\n");
    return 0;
}
