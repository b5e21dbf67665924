// A warp's output comes out statement by statement, in lane order.
#include <cstdio>
__global__ void hello() {
    printf("a%d ", threadIdx.x);
    if (threadIdx.x % 2)
        printf("odd%d ", threadIdx.x);
    printf("b%d ", threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        printf("\n");
}
// The same condition twice: lanes meet in between.
__global__ void title() {
    if (threadIdx.x == 0)
        printf("lanes: ");
    printf("%2d ", threadIdx.x);
    if (threadIdx.x == 0)
        printf("\n");
    if (threadIdx.x == 0)
        printf("again: ");
    printf("%2d ", threadIdx.x);
    if (threadIdx.x == 0)
        printf("\n");
}
int main() {
    hello<<<2, 4>>>();
    cudaDeviceSynchronize();
    title<<<1, 4>>>();
    cudaDeviceSynchronize();
}
