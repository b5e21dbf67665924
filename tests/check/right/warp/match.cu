// __match_any_sync().
__global__ void groups(const int *data, int *out) {
    int key = (data[threadIdx.x] + threadIdx.x) % 5;
    unsigned peers = __match_any_sync(0xffffffff, key);
    int leader = __ffs(peers) - 1;
    int base = 0;
    if ((int)threadIdx.x == leader)
        base = atomicAdd(&out[key], __popc(peers));
    out[8 + threadIdx.x] = __shfl_sync(peers, base, leader);
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    groups<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
