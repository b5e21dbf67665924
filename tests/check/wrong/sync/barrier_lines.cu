// Two warps wait at barriers on different lines, but all threads must reach the same barrier.
__global__ void parted(int *out) {
    int t = threadIdx.x;
    if (t < 32) {
        out[t] = 1;
        __syncthreads(); // finds barrier_divergence
    } else {
        out[t] = 2;
        __syncthreads();
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    parted<<<1, 64>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
