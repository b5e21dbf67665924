// The size of a group within __activemask() is stored as the whole count, which is right only if
// no lane arrives alone.
#include <cstdio>

__global__ void histogram(const int *bin, int *count) {
    // notes activemask_split
    const unsigned peers = __match_any_sync(__activemask(), bin[threadIdx.x]);
    if (threadIdx.x == __ffs(peers) - 1)
        atomicExch(&count[bin[threadIdx.x]], __popc(peers));
}

int main() {
    int host[32], counts[4] = {}, *bin, *count;
    for (int i = 0; i < 32; i++)
        host[i] = i % 4;
    cudaMalloc(&bin, sizeof host);
    cudaMalloc(&count, sizeof counts);
    cudaMemcpy(bin, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof counts);
    histogram<<<1, 32>>>(bin, count);
    cudaMemcpy(counts, count, sizeof counts, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++)
        printf("%d\n", counts[i]);
}
