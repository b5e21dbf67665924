// A shift by as many bits as the value has is no GPU's on this machine, which is said once.
#include <cstdio>

__global__ void below(unsigned *out) {
    out[threadIdx.x] = (1u << (threadIdx.x % 32)) - 1;
    const unsigned far = 1u << threadIdx.x;
    if (threadIdx.x < 32)
        out[threadIdx.x] += far;
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    below<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%u %u %u\n", out[0], out[31], out[63]);
    return 0;
}
