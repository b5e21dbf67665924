/*
 * groups.cu - every member of tiles and coalesced groups, for test_groups.c.
 */
#include "device_groups.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

struct triple { /* not a type that a shuffle supports */
    int a;
    short b;
    double c;
};

template <unsigned Size>
__global__ void tile_members(const int *in, const int *argument, struct tile_results *out) {
    cg::thread_block block = cg::this_thread_block();
    auto typed = cg::tiled_partition<Size>(block);
    cg::thread_block_tile<Size> tile = typed;
    unsigned thread = block.thread_rank();
    struct tile_results *mine = out + thread;
    int value = in[thread], arg = argument[thread], equal = 7;

    mine->rank = tile.thread_rank();
    mine->size = cg::group_size(tile);
    mine->meta_rank = tile.meta_group_rank();
    mine->meta_size = tile.meta_group_size();
    mine->shfl = tile.shfl(value, arg);
    mine->up = tile.shfl_up(value, (unsigned)arg);
    mine->down = tile.shfl_down(value, (unsigned)arg);
    mine->exchanged = tile.shfl_xor(value, (unsigned)arg);
    mine->any = tile.any(value > 2);
    mine->all = tile.all(value > 2);
    mine->ballot = tile.ballot(value > 2);
    mine->match_any = tile.match_any(value);
    mine->match_all = tile.match_all(value, equal);
    mine->equal = equal;
    cg::sync(tile);
    mine->sum = cg::reduce(tile, value, cg::plus<int>());
    mine->least = cg::reduce(tile, value, cg::less<int>());
    mine->most = cg::reduce(tile, (float)value, cg::greater<float>());
    triple all = {value, (short)-value, value * 0.5};
    all = tile.shfl(all, arg);
    mine->whole = all.a == mine->shfl && all.b == (short)-all.a && all.c == all.a * 0.5;
    mine->small = tile.shfl((short)(value - 100), arg);
    auto inner = cg::tiled_partition<(Size > 1 ? Size / 2 : 1)>(tile);
    mine->half_rank = inner.thread_rank();
    mine->half_meta_rank = inner.meta_group_rank();
    mine->half_meta_size = inner.meta_group_size();
    block.sync();
}

__global__ void coalesced_members(const int *in, unsigned lanes, struct group_results *out) {
    unsigned thread = threadIdx.x;
    struct group_results *mine = out + thread;
    int value = in[thread], equal;
    if (lanes >> thread % 32 & 1) {
        cg::coalesced_group group = cg::coalesced_threads();
        unsigned here = 0xffffffff >> (32 - group.size());
        mine->rank = group.thread_rank();
        mine->size = group.size();
        mine->lead = group.shfl(value, 0);
        mine->up = group.shfl_up(value, 1);
        mine->down = group.shfl_down(value, 2);
        mine->ballot = group.ballot(value > 2);
        mine->match_any = group.match_any(value);
        mine->match_all = group.match_all(value / 100, equal) == here && equal;
        mine->votes = group.any(mine->rank == 0) && group.all(1) && group.ballot(1) == here &&
                      (group.size() == 1 || !group.all(mine->rank));
        group.sync();
        mine->sum = cg::reduce(group, value, cg::plus<int>());
        mine->real_sum = (int)cg::reduce(group, (double)value, cg::plus<double>());
    }
}

template <unsigned Size>
static int launch(unsigned threads, const int *in, const int *argument, tile_results *out) {
    void *arguments[] = {&in, &argument, &out};
    return cudaLaunchKernel(tile_members<Size>, 1, threads, arguments, 0, 0);
}

int test_tile_members(unsigned size, unsigned threads, const int *in, const int *argument,
                      struct tile_results *out) {
    switch (size) {
    case 1:
        return launch<1>(threads, in, argument, out);
    case 2:
        return launch<2>(threads, in, argument, out);
    case 4:
        return launch<4>(threads, in, argument, out);
    case 8:
        return launch<8>(threads, in, argument, out);
    case 16:
        return launch<16>(threads, in, argument, out);
    default:
        return launch<32>(threads, in, argument, out);
    }
}

int test_coalesced_members(unsigned threads, const int *in, unsigned lanes,
                           struct group_results *out) {
    void *arguments[] = {&in, &lanes, &out};
    return cudaLaunchKernel(coalesced_members, 1, threads, arguments, 0, 0);
}
