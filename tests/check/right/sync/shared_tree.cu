// A tree in shared memory.
__global__ void sum(const int *data, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        *out = s[0];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    sum<<<1, 64>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
