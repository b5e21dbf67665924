// Each half of a block uses its own PTX barrier in a loop; then both halves share a barrier, at
// which threads that only arrive do not wait.
__global__ void reverse(int *out) {
    __shared__ int s[128];
    const int t = threadIdx.x, half = t / 64, first = half * 64;
    int v = t;
    for (int round = 0; round < 4; round++) {
        s[t] = v;
        asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
        v = s[first + 63 - t % 64] + 1;
        asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
    }
    if (half) {
        s[t] = v;
        asm volatile("bar.arrive 3, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 128;" ::: "memory");
        out[t] = s[64 + t];
    }
}

int main() {
    int *out, got[64];
    cudaMalloc(&out, sizeof got);
    reverse<<<2, 128>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; t++)
        if (got[t] != 64 + t + 4)
            return 1;
    return 0;
}
