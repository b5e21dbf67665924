// A shift amount is reported as a value of the program's type: this one is not negative.
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
