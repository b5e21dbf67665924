// __CUDA_ARCH__ chooses a type alias used by both sides.
#include <cstdio>
#ifdef __CUDA_ARCH__
__device__ inline const char *side() {
    return "device";
}
#define SIDE 1
#else
inline const char *side() {
    return "host";
}
#define SIDE 0
#endif
__global__ void k(int *o) {
    if (threadIdx.x == 0)
        *o = SIDE;
}
int main() {
    int *d, h;
    cudaMalloc(&d, 4);
    k<<<1, 32>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", h, SIDE, side());
}
