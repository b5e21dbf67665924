/*
 * tile_groups.cu - tiles within tiles, and their answers: 16 lanes, and 4 of those.
 *
 *     lane       0 ...................... 15 | 16 ..................... 31
 *     sixteen               0                |             1               meta_group_rank()
 *     four        0  |   1  |   2  |   3     |   0  |   1  |   2  |   3    of its sixteen
 *     rank       0-3 |  0-3 |  0-3 |  0-3    |  0-3 |  0-3 |  0-3 |  0-3   in its four
 *
 *     value > 20 in lanes 17-19, 24, 25, 30 and 31:
 *     sixteen.ballot(...)     1100 0011 0000 1110     bit 0 is lane 16, not lane 0
 *     four.ballot(...)        lanes 24-27: 0011       bit 0 is lane 24
 *
 * Why: in a tile everything is relative to the tile: ranks, the bits of a ballot, the rank that a
 * shuffle names. __ballot_sync answers with lanes of the warp; the tile shifts that answer down to
 * its own first lane. So code for a tile need not know where in the warp it is.
 *
 * A vote asks only the lanes of its tile: eight tiles of four, eight operations.
 *
 * Result: each lane holds the value of rank 0 of its four if any value in the four is above 20,
 * else -1.
 */
#include "shflviz/program.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void tile_groups(const int *in, int *out) {
    cg::thread_block block = cg::this_thread_block();
    auto sixteen = cg::tiled_partition<16>(block);
    auto four = cg::tiled_partition<4>(sixteen);
    unsigned thread = blockIdx.x * blockDim.x + block.thread_rank();
    int value = in[thread];

    unsigned of16 = sixteen.ballot(value > 20);
    unsigned of4 = four.ballot(value > 20);
    int anyone = four.any(value > 20);
    int first = four.shfl(value, 0);

    unsigned quarter = four.meta_group_rank();
    shflviz_watch(of16);
    shflviz_watch(of4);
    shflviz_watch(quarter);
    out[thread] = anyone ? first : -1;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(tile_groups, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(tile_groups)
const shflviz_program SHFLVIZ_PROGRAM(tile_groups) = {
    {"tile-groups",
     "tiles of 16 and 4: ranks and ballots are relative to the tile",
     __FILE__,
     SHFLVIZ_SOURCE(tile_groups),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane * 5 % 32"},
    run};
