// A kernel gets a pointer from malloc().
#include <cstdlib>

__global__ void set(int *p) {
    *p = 1; // finds wrong_memory_space crashed
}

int main() {
    int *p = (int *)malloc(sizeof(int));
    set<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    free(p);
}
