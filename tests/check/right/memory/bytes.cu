// Neighbours write neighbouring bytes.
__global__ void bytes(const int *data, int *out) {
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = (unsigned char)data[t];
    __syncthreads();
    ((unsigned char *)out)[t] = s[63 - t];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    bytes<<<1, 64>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
