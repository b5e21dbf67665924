// A delta of 32 acts like a delta of 0: the first round doubles every lane's value.
__global__ void sum(int *out) {
    int v = threadIdx.x;
    for (int d = 32; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d); // finds argument_cut
    if (threadIdx.x == 0)
        *out = v;
}

int main() {
    int *out;
    cudaMalloc(&out, sizeof(int));
    sum<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
