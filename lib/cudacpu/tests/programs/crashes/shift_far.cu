// The amount of a shift is told as the program's type has it: this one is no negative number.
#include <cstdio>

__global__ void far(unsigned *out, unsigned amount) {
    out[threadIdx.x] = 1u << (amount + threadIdx.x);
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, sizeof *out);
    far<<<1, 1>>>(out, 4000000000u);
    printf("%d\n", cudaDeviceSynchronize());
    return 0;
}
