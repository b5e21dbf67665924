// Tiles of cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void sum(const int *data, int *out) {
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int t = threadIdx.x, v = data[t];
    for (int d = tile.size() / 2; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    s[t] = v;
    tile.sync();
    out[t] = s[t / 16 * 16];
    block.sync();
    s[t] = 0;
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    sum<<<1, 64>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
