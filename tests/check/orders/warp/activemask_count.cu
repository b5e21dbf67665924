/* Counts the lanes that __activemask() names: all of them at once, or one group at a time. */
#include <cstdio>

__global__ void count(const int *in, int *most) {
    const unsigned here = __activemask(); // notes activemask_split
    // says although no branch separates the lanes
    const bool is_set = in[threadIdx.x] > 0;
    if (is_set && (threadIdx.x & 31) == __ffs(here) - 1)
        atomicMax(most, __popc(here));
    if ((threadIdx.x & 31) == __ffs(here) - 1)
        atomicAdd(most + 1, 1);
}

int main() {
    int *in, *most, host[2];
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&most, sizeof host);
    cudaMemset(in, 1, 32 * sizeof *in);
    cudaMemset(most, 0, sizeof host);
    count<<<1, 32>>>(in, most);
    cudaMemcpy(host, most, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d lanes in %d groups\n", host[0], host[1]);
}
