// A tree whose last rounds use __syncwarp().
__global__ void sum(const int *data, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t] + s[t + 32];
        for (int d = 16; d > 0; d /= 2) {
            s[t] = v;
            __syncwarp();
            v += s[(t + d) % 64];
            __syncwarp();
        }
        if (t == 0)
            *out = v;
    }
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
