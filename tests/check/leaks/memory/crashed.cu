// Nothing can be freed after the crash, so memory that the program tries to free is not a leak.
__global__ void store(int *to) {
    *to = 1; // finds wrong_memory_space crashed
}

int main() {
    int *out, host;
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    store<<<1, 1>>>((int *)malloc(4));
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
}
