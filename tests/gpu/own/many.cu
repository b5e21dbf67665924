/* More records than the ring holds, so that the host has to take them while the kernel runs. */
static __global__ void turn(int *out, int rounds) {
    int value = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        value = __shfl_sync(0xffffffff, value + 1, (threadIdx.x + 1) % 32);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main() {
    int *out;
    if (cudaMalloc(&out, 64 * 64 * sizeof(int)) != cudaSuccess)
        return 1;
    turn<<<64, 64>>>(out, 3000);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
}
