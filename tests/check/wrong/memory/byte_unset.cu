// The last byte of the last int is never set: cudaMemset() gets a size that is one byte too small.
__global__ void sum(const int *data, int *out) {
    atomicAdd(out, data[threadIdx.x]); // finds uninitialized_read
    // says reads data[31]: 1 of its 4 bytes were never written
}

// Three bytes of a word of shared memory are written, and four are read.
__global__ void pack(const unsigned char *data, unsigned *out) {
    __shared__ __align__(4) unsigned char tile[32][4];
    for (int i = 0; i < 3; i++)
        tile[threadIdx.x][i] = data[i];
    __syncthreads();
    out[threadIdx.x] = *(const unsigned *)tile[threadIdx.x]; // finds uninitialized_read
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int) - 1);
    cudaMemset(out, 0, 32 * sizeof(int));
    sum<<<1, 32>>>(data, out);
    pack<<<1, 32>>>((const unsigned char *)data, (unsigned *)out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
