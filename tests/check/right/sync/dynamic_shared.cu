// Dynamic shared memory.
__global__ void reverse(const int *data, int *out) {
    extern __shared__ int s[];
    s[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    reverse<<<1, 64, 64 * sizeof(int)>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
