// A PTX barrier that waits for 128 threads, of which only 64 arrive.
__global__ void reverse(int *out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    if (t < 64) {
        s[t] = t;
        asm volatile("bar.sync 1, 128;" ::: "memory"); // finds deadlock
        out[t] = s[63 - t];
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    reverse<<<1, 128>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
