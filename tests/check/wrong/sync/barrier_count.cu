// A named barrier for a warp and a half; only these 48 threads arrive.
__global__ void part(const int *in, int *out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    if (t < 48) {
        s[t] = in[t];
        asm volatile("bar.sync 1, 48;" ::: "memory"); // finds barrier_count
        // says reaches a barrier for 48 threads, a number that is not a multiple of 32
        out[t] = s[47 - t];
    }
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 48 * sizeof(int));
    cudaMalloc(&out, 48 * sizeof(int));
    cudaMemset(in, 1, 48 * sizeof(int));
    part<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
}
