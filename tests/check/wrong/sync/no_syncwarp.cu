// A shuffle does not order memory accesses, and lanes do not run in step.
__global__ void exchange(const int *data, int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = data[t];
    int v = __shfl_xor_sync(0xffffffff, data[t], 1);
    out[t] = s[t ^ 1] - v; // finds shared_race
    // says instead: put __syncwarp() between the two accesses: both lanes are in one warp
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    exchange<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
