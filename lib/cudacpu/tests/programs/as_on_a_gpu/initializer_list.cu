// A braced vector as an argument, and a template kernel that is never launched.
#include <cstdio>
__global__ void k(int3 v, int *o) {
    if (threadIdx.x == 0)
        *o = v.x + v.y + v.z;
}
template <class T> __global__ void f(T *o, const T (&)[1], T x) {}
int main() {
    int *d, h;
    cudaMalloc(&d, 4);
    k<<<1, 32>>>(int3{1, 2, 3}, d);
    k<<<1, 32>>>({1, 2, 3}, d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
}
