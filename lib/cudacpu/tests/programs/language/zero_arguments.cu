// A literal 0 or NULL for a parameter that is a pointer or a number, also in a template.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void pointers(const float *first, int *second, long number, float *third) {
    printf("%d %d %ld %d\n", first == nullptr, second == nullptr, number, third == nullptr);
}

template <class T> __global__ void generic(T *to, T value, const T *from) {
    *to = from ? *from : value + 5;
}

template <int n> __global__ void numbers(int a, double b, unsigned c) {
    printf("%d %g %u %d\n", a, b, c, n);
}

int main() {
    int *d, h = 0;
    cudaMalloc(&d, sizeof(int));
    pointers<<<1, 1>>>(0, NULL, 0, nullptr);
    cudaDeviceSynchronize();
    generic<<<1, 1>>>(d, 0, (const int *)0);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    generic<int><<<1, 1>>>(d, 0, NULL);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    numbers<3><<<1, 1>>>(0, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(d);
}
