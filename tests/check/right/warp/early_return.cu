// Lanes that returned before a call may be in its mask. In the next iteration of the loop, the
// remaining lanes repeat the read that the returned lanes made last.
__global__ void rounds(const int *data, int *out, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < 3 * 32; i += 32) {
        const int value = data[i];
        if (i % 32 >= n)
            return;
        sum += __shfl_xor_sync(0xffffffff, value, 1);
        out[i] = sum;
    }
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 96 * sizeof(int));
    cudaMalloc(&out, 96 * sizeof(int));
    cudaMemset(data, 1, 96 * sizeof(int));
    rounds<<<1, 32>>>(data, out, 16);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
