// A transposition in shared memory.
__global__ void transpose(const int *data, int *out) {
    __shared__ int tile[8][9];
    tile[threadIdx.y][threadIdx.x] = data[threadIdx.y * 8 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    transpose<<<1, dim3(8, 8)>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
