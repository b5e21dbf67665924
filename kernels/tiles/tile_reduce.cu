/*
 * tile_reduce.cu - sums of 8 lanes, with a tile of cooperative groups.
 *
 *     lane      0 ....... 7 | 8 ....... 15 | 16 ...... 23 | 24 ...... 31
 *     tile           0      |       1      |       2      |       3        meta_group_rank()
 *     rank      0 ....... 7 | 0 ........ 7 |  0 ....... 7 |  0 ....... 7   thread_rank()
 *
 *     tile.shfl_down(sum, 4)
 *         in lanes 0-7      __shfl_down_sync(0x000000ff, sum, 4, 8)
 *         in lanes 8-15     __shfl_down_sync(0x0000ff00, sum, 4, 8)   and so on
 *
 * Why: mask and width are written once, in the type of the tile, and cannot fall out of step. A
 * function that takes a tile works for every size, and its loop is unrolled since the size is known
 * when it is compiled. Nothing else is new: the lanes of a tile pass the mask of their own lanes,
 * and their count as the width. So each tile makes operations of its own, and tiles do not wait
 * for each other: 4 tiles and 3 rounds are 12 operations in a warp.
 *
 * Result: rank 0 of each tile holds the tile's sum; the others hold something else, as after every
 * tree. The threads of the block must fill its tiles.
 */
#include "shflviz/program.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* The sum over a tile of any size, in its rank 0. */
template <unsigned Size> static __device__ int sum_of(cg::thread_block_tile<Size> tile, int sum) {
    for (unsigned delta = tile.size() / 2; delta > 0; delta /= 2)
        sum += tile.shfl_down(sum, delta);
    return sum;
}

static __global__ void tile_reduce(const int *in, int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    unsigned thread = blockIdx.x * blockDim.x + block.thread_rank();

    int sum = sum_of(tile, in[thread]);
    shflviz_watch(sum);

    out[thread] = tile.thread_rank() == 0 ? sum : 0;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(tile_reduce, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(tile_reduce)
const shflviz_program SHFLVIZ_PROGRAM(tile_reduce) = {
    {"tile-reduce",
     "sums of 8 lanes in cooperative group tiles: mask and width from one type",
     __FILE__,
     SHFLVIZ_SOURCE(tile_reduce),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
