// Cooperative groups: members of every kind of group, counted by hand.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

// As in textbooks: a sum over any group, and memory for its parts.
__device__ int sum_of(cg::thread_group g, int *room, int value) {
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        room[rank] = value;
        g.sync();
        if (rank < i)
            value += room[rank + i];
        g.sync();
    }
    return value;
}
__global__ void sums(int *out) {
    __shared__ int room[128];
    cg::thread_block block = cg::this_thread_block();
    int all = sum_of(block, room, block.thread_rank());
    cg::thread_group tile = cg::tiled_partition(block, 8);
    int part = sum_of(tile, &room[block.thread_rank() / 8 * 8], threadIdx.x);
    if (threadIdx.x == 0)
        out[0] = all; // 0 + .. + 127
    if (threadIdx.x == 40)
        out[1] = part; // 40 + .. + 47
    if (threadIdx.x == 77)
        out[2] = tile.size() * 100 + tile.thread_rank() * 10 +
                 cg::tiled_partition(tile, 4).thread_rank();
}
__global__ void parts(int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto odd = cg::binary_partition(warp, threadIdx.x % 2 == 1);
    int sum = cg::reduce(odd, (int)threadIdx.x, cg::plus<int>());
    auto same = cg::labeled_partition(warp, threadIdx.x / 10);
    int most = cg::reduce(same, (int)threadIdx.x, cg::greater<int>());
    int before = cg::exclusive_scan(warp, 2), with = cg::inclusive_scan(odd, 1);
    double product = cg::inclusive_scan(same, 2.0, [](double a, double b) { return a * b; });
    if (threadIdx.x == 5)
        printf("%d %d %d %d %d %d %g\n", sum, odd.num_threads(), odd.meta_group_rank(), most,
               before, with, product);
    if (threadIdx.x % 4 == 1) {
        auto here = cg::coalesced_threads();
        auto two = cg::tiled_partition(here, 2);
        int one = cg::invoke_one_broadcast(here, [] { return (int)threadIdx.x; });
        if (threadIdx.x == 13)
            printf("%d %d %d %d %d\n", here.size(), here.thread_rank(), two.thread_rank(),
                   two.meta_group_rank(), one);
    }
    __shared__ int copy[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, copy, out + 8, sizeof copy);
    cg::wait(block);
    if (threadIdx.x == 0)
        out[3] = copy[63];
}
// Every block adds to what all blocks wrote before the grid met.
__global__ void rounds(int *a, int *b) {
    __shared__ int mine;
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), n = (int)grid.size();
    if (threadIdx.x == 0)
        mine = blockIdx.x;
    a[i] = i;
    grid.sync();
    for (int round = 0; round < 3; round++) {
        b[i] = a[(i + 64) % n];
        grid.sync();
        a[i] = b[(i + 64) % n] + mine - (int)blockIdx.x;
        grid.sync();
    }
}
int main() {
    int *out, *a, *b, sum = 0;
    cudaMallocManaged(&out, 1024);
    cudaMallocManaged(&a, 8192);
    cudaMallocManaged(&b, 8192);
    out[71] = 99;
    sums<<<1, 128>>>(out);
    parts<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    void *arguments[] = {&a, &b};
    cudaLaunchCooperativeKernel((void *)rounds, 16, 64, arguments, 0, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1024; i++)
        sum += a[i] != (i + 384) % 1024;
    printf("%d wrong\n", sum);
}
