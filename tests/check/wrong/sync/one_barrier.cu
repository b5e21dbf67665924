// One barrier in a loop: a thread may write for the next iteration while others read for this one.
__global__ void rounds(const int *in, int *out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        s[t] = in[t] + i;
        __syncthreads();
        sum += s[63 - t]; // finds shared_race
        // says instead: the barrier between the two lines orders only the accesses of one loop
    }
    out[t] = sum;
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 1, 64 * sizeof(int));
    rounds<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
}
