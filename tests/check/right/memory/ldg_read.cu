/* Kernels that use the read-only cache for data that only earlier kernels have written. */
#include <cstdio>

__global__ void scale(const float *x, float *y, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = 2 * __ldg(&x[i]);
}

/* Neighbours in one array: halves that are read, and halves that are written. */
__global__ void halves(short *x) {
    x[2 * threadIdx.x + 1] = __ldg(&x[2 * threadIdx.x]);
}

__global__ void by_ptx(const int *x, int *y) {
    int value;
    asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(value) : "l"(x + threadIdx.x));
    y[threadIdx.x] = value + 1;
}

int main() {
    float *x, *y;
    cudaMalloc(&x, 128 * sizeof *x);
    cudaMalloc(&y, 128 * sizeof *y);
    cudaMemset(x, 0, 128 * sizeof *x);
    scale<<<2, 64>>>(x, y, 128);
    scale<<<2, 64>>>(y, x, 128);
    halves<<<1, 64>>>((short *)x);
    by_ptx<<<1, 64>>>((int *)x, (int *)y);
    by_ptx<<<1, 64>>>((int *)y, (int *)x);
    return cudaDeviceSynchronize();
}
