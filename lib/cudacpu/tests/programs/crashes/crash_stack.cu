// status 4
// Recursion that overflows a thread's stack.
__device__ int deep(int n) {
    volatile char room[256];
    room[n % 256] = 1;
    return n == 0 ? 0 : deep(n - 1) + room[n % 256];
}
__global__ void k(int *v) {
    *v = deep(100000);
}
int main() {
    int *v;
    cudaMalloc(&v, 4);
    k<<<1, 1>>>(v);
    cudaDeviceSynchronize();
}
