// The other warp may not have written yet.
__global__ void reverse(const int *data, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = data[t];
    out[t] = s[t ^ 32]; // finds shared_race uninitialized_read
    // says instead: put __syncthreads() between the two accesses
    // says reads s[32], which lane 0 of warp 1 in block (0,0,0) writes at no_barrier.cu:5
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    reverse<<<1, 64>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
