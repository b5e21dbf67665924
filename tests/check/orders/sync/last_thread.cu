/* Keeps the number of whichever thread writes last. */
#include <cstdio>

__global__ void keep(int *out) { // notes results_differ
                                 // says the program prints
    atomicExch(out, (int)threadIdx.x);
}

int main() {
    int *out, host;
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    keep<<<1, 64>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("thread %d\n", host);
}
