// Each block has its own copy of a template's shared memory.
template <class T, int N> __device__ T block_sum(T value) {
    __shared__ T parts[N];
    parts[threadIdx.x] = value;
    for (int d = N / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            parts[threadIdx.x] += parts[threadIdx.x + d];
    }
    __syncthreads();
    return parts[0];
}

template <class T> __global__ void sums(const T *data, T *out) {
    T sum = block_sum<T, 128>(data[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

int main() {
    float *data, *out;
    cudaMalloc(&data, 512 * sizeof(float));
    cudaMalloc(&out, 4 * sizeof(float));
    cudaMemset(data, 0, 512 * sizeof(float));
    sums<<<4, 128>>>(data, out);
    return cudaDeviceSynchronize();
}
