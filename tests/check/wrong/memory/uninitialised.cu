// The sum was never set to zero.
__global__ void sum(const int *data, int *out) {
    __shared__ int total;
    atomicAdd(&total, data[threadIdx.x]); // finds uninitialized_read
    // says reads total, which was never written
    __syncthreads();
    if (threadIdx.x == 0)
        *out = total;
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
