// A whole member function that __CUDA_ARCH__ selects, as in CUTLASS and Eigen.
#include <cstdio>
struct V {
    float x;
#if defined(__CUDA_ARCH__)
    __host__ __device__ int where() const {
        return 1;
    }
#else
    __host__ __device__ int where() const {
        return 0;
    }
#endif
};
__global__ void k(int *o, V v) {
    *o = v.where();
}
int main() {
    int *d, h;
    cudaMalloc(&d, 4);
    V v{1};
    k<<<1, 1>>>(d, v);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h, v.where());
}
