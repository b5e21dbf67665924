// Managed variables: from the declaration on, the host and the device see each other's writes.
#include <cstdio>

__managed__ int count = 3;
__device__ __managed__ int squares[4];
static __managed__ double scale = 0.5;

__global__ void work() {
    count++;
    squares[threadIdx.x] += threadIdx.x * threadIdx.x;
    if (threadIdx.x == 0)
        scale *= 4;
}

int main() {
    printf("%d %g\n", count, scale); // 3 0.5
    work<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d %g\n", count, scale); // 4 2
    count = 10;
    squares[3] = 100;
    work<<<1, 4>>>();
    cudaDeviceSynchronize();
    printf("%d %d %d %d %g\n", count > 10, squares[1], squares[2], squares[3],
           scale); // 1 1 4 109 8
}
