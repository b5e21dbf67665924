// run: --time 2
// status 4
// A kernel that does not end within --time.
__global__ void k(int *v) {
    int x = 1;
    // clang-format off
    for (;;) asm volatile("" : "+r"(x));
    // clang-format on
}
int main() {
    int *v;
    cudaMalloc(&v, 4);
    k<<<1, 1>>>(v);
    cudaDeviceSynchronize();
}
