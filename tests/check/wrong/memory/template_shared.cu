// A template's shared memory, half of which is never written.
template <class T> __global__ void reverse(T *data) {
    __shared__ T tile[64];
    if (threadIdx.x < 32)
        tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[63 - threadIdx.x]; // finds uninitialized_read
}

int main() {
    int *data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    reverse<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
