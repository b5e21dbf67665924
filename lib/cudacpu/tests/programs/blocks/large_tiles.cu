// Tiles of several warps: their sums, scans and shuffles, worked out by hand.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void tiles(int *out) {
    __shared__ cg::block_tile_memory<256> scratch;
    cg::thread_block block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<64>(block);
    auto half = cg::tiled_partition<128>(block);
    auto small = cg::tiled_partition<16>(tile);
    const int me = block.thread_rank();
    const int sum = cg::reduce(tile, me, cg::plus<int>());
    const int most = cg::reduce(half, (long long)me, cg::greater<long long>());
    const int scan = cg::inclusive_scan(tile, 1);
    const int from = tile.shfl(me, 5);
    const int all = tile.all(me < 128), any = tile.any(me == 130);
    if (tile.thread_rank() == 63)
        printf("tile %d of %d: %d, %d, %d, %d, %d, %d; %d of %d\n", tile.meta_group_rank(),
               tile.meta_group_size(), sum, most, scan, from, all, any, small.meta_group_rank(),
               small.meta_group_size());
    // One tile waits more often than the others.
    __shared__ int steps[4];
    if (tile.thread_rank() == 0)
        steps[tile.meta_group_rank()] = 0;
    tile.sync();
    for (unsigned i = 0; i <= tile.meta_group_rank(); i++) {
        if (tile.thread_rank() == i)
            steps[tile.meta_group_rank()]++;
        tile.sync();
    }
    block.sync();
    if (me < 4)
        out[me] = steps[me];
}

int main() {
    int *out, host[4];
    cudaMalloc(&out, sizeof host);
    tiles<<<1, 256>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
}
