// A kernel gets the address of a host variable.
#include <cstdio>

static int count;
__managed__ int seen[4];
__device__ int total;

__global__ void add(int *p) {
    atomicAdd(p, 1); // finds wrong_memory_space
}

__global__ void add_right(int *p) {
    atomicAdd(p, 1);
}

int main() {
    void *address;
    add<<<1, 32>>>(&count);
    cudaGetSymbolAddress(&address, total);
    add_right<<<1, 32>>>((int *)address);
    add_right<<<1, 32>>>(&seen[1]);
    cudaDeviceSynchronize();
    printf("%d %d\n", count, seen[1]);
}
