// Counters are cleared by a plain store and incremented by atomics. Between the two is a barrier, a
// fence with a flag, or the end of a kernel.
__global__ void count(const int *data, int *out) {
    __shared__ int n;
    if (threadIdx.x == 0)
        n = 0;
    __syncthreads();
    if (data[threadIdx.x] > 0)
        atomicAdd(&n, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        *out = n;
        n = 0;
    }
    __syncthreads();
    atomicAdd(&n, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[1] = n;
}

__global__ void clear(int *out) {
    *out = 0;
    atomicAdd(out, 0);
}

__global__ void count_all(const int *data, int *out) {
    if (data[threadIdx.x] > 0)
        atomicAdd(out, 1);
}

__global__ void count_behind_flag(int *out, int *flag) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *out = 0;
        atomicAdd(out, 1);
        __threadfence();
        atomicExch(flag, 1);
    } else if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence();
        atomicAdd(out, 1);
    }
}

int main() {
    int *data, *out, *flag, n[2];
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(data, 1, 128 * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    count<<<1, 128>>>(data, out);
    cudaMemcpy(n, out, sizeof n, cudaMemcpyDeviceToHost);
    if (n[0] != 128 || n[1] != 128)
        return 1;
    clear<<<1, 1>>>(out);
    count_all<<<4, 128>>>(data, out);
    cudaMemcpy(n, out, sizeof n, cudaMemcpyDeviceToHost);
    if (n[0] != 512)
        return 1;
    count_behind_flag<<<4, 32>>>(out, flag);
    cudaMemcpy(n, out, sizeof n, cudaMemcpyDeviceToHost);
    return n[0] == 4 ? 0 : 1;
}
