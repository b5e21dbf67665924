// The last block, found by a counter and a fence.
__device__ unsigned finished;
__global__ void sum(const int *data, int *out) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        out[1 + blockIdx.x] = data[blockIdx.x];
        __threadfence();
        last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        __threadfence();
        for (unsigned i = 0; i < gridDim.x; i++)
            out[0] += out[1 + i];
        finished = 0; // for the next launch; every block has incremented it by now
    }
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    sum<<<8, 32>>>(data, out);
    sum<<<8, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
