// A vector that is a member of a misaligned object: error 716, and the program continues.
#include <cstdio>
struct P {
    int of;
    float4 v;
};
__global__ void k(float4 *to, const char *from) {
    const P *p = (const P *)(from + 4);
    to[threadIdx.x] = p->v;
}
int main() {
    char *bytes;
    float4 *to;
    cudaMalloc(&bytes, 64);
    cudaMalloc(&to, 64);
    cudaMemset(bytes, 0, 64);
    k<<<1, 1>>>(to, bytes);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMalloc(&bytes, 64);
    cudaMalloc(&to, 64);
    k<<<1, 1>>>(to, bytes + 12);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
