/* One atomic for the lanes that are present: right for any set of lanes. */
#include <cooperative_groups.h>
#include <cstdio>

__global__ void count(const int *in, int *out) {
    if (in[threadIdx.x] % 3 == 0)
        return;
    const auto group = cooperative_groups::coalesced_threads();
    if (group.thread_rank() == 0)
        atomicAdd(out, (int)group.size());
}

int main() {
    int *in, *out, host[64];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof *out);
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof *out);
    count<<<1, 64>>>(in, out);
    cudaMemcpy(host, out, sizeof *out, cudaMemcpyDeviceToHost);
    printf("%d of 64\n", host[0]);
}
