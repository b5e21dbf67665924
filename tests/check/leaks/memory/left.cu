// Memory that is never freed, and memory that nothing uses.
__global__ void fill(int *out) {
    out[threadIdx.x] = 1;
}

struct Buffer {
    int *data;
    Buffer(size_t bytes) { cudaMalloc(&data, bytes); } // notes memory_unused memory_not_freed
    ~Buffer() { cudaFree(data); }
};
static Buffer for_all(64); // freeing it fails after cudaDeviceReset()
static Buffer none(0);

int main() {
    int *out, *copied, *cleared, *pinned;
    for (int step = 0; step < 3; step++) {
        cudaMalloc(&out, 128); // notes memory_not_freed
        // says cudaMalloc() allocates memory that is never freed (bytes: 128)
        fill<<<1, 32>>>(out);
    }
    cudaMallocHost(&pinned, 128);
    cudaMalloc(&copied, 128);
    cudaMemcpy(copied, pinned, 128, cudaMemcpyHostToDevice);
    cudaMalloc(&cleared, 128);
    cudaMemset(cleared, 0, 128);
    cudaFree(copied);
    cudaFree(cleared);
    cudaMalloc(&cleared, 200); // notes memory_unused memory_not_freed
    // says cudaMalloc() allocates memory that nothing ever writes or reads (bytes: 200)
    cudaDeviceReset();
}
