// Whole functions for host and device: the device's is everybody's, and it is said.
#include <cstdio>
#ifdef __CUDA_ARCH__
__host__ __device__ int side() {
    return 1;
}
#else
__host__ __device__ int side() {
    return 2;
}
#endif
int main() {
    printf("%d\n", side());
}
