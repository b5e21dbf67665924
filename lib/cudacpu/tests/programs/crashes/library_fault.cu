// A C library function reads device memory, like the program's own line in device_pointer.cu.
// status 4
#include <cstdio>
#include <cstring>
__global__ void k(char *text) {
    text[threadIdx.x] = threadIdx.x < 5 ? 'a' : 0;
}
int main() {
    char *text, copy[8];
    cudaMalloc(&text, 8);
    k<<<1, 8>>>(text);
    cudaMemcpy(copy, text, 8, cudaMemcpyDeviceToHost);
    printf("%zu\n", strlen(copy));
    printf("%zu\n", strlen(text));
}
