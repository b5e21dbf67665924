// Two extern shared arrays in one declaration (both name the same memory).
#include <cstdio>
__global__ void k(int *o) {
    extern __shared__ int a[], b[];
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        *o = b[5];
}
int main() {
    int *d, h;
    cudaMalloc(&d, 4);
    k<<<1, 32, 128>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
}
