// __match_any_sync(__activemask(), ...): all lanes of a mask pass it to the same call, so the
// call is defined however they are grouped. The counts are added, so they are right for any
// grouping.
#include <cstdio>

__global__ void histogram(const int *bin, int *count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned peers = __match_any_sync(__activemask(), bin[i]);
    const int leader = __ffs(peers) - 1;
    if (threadIdx.x % 32 == leader)
        atomicAdd(&count[bin[i]], __popc(peers));
}

int main() {
    int host[200], counts[8] = {}, *bin, *count;
    for (int i = 0; i < 200; i++)
        host[i] = i * i % 8;
    cudaMalloc(&bin, sizeof host);
    cudaMalloc(&count, sizeof counts);
    cudaMemcpy(bin, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof counts);
    histogram<<<2, 128>>>(bin, count, 200);
    cudaMemcpy(counts, count, sizeof counts, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%d\n", counts[i]);
}
