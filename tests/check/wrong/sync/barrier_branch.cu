// The upper half of the block has exited by the time the lower half waits at the barrier.
__global__ void upper(const int *data, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = data[t];
    if (t >= 32)
        return;
    __syncthreads(); // finds barrier_divergence
    out[t] = s[t + 32];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    upper<<<1, 64>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
