/*
 * loop_leaves.cu - a warp counts n values, and its last lane leaves the loop before the others.
 *
 *     n = 63        round 1        round 2         after the loop
 *
 *     lanes 0-30    i = 0..30      i = 32..62
 *     lane 31       i = 31         i = 63: out     __shfl_sync(0xffffffff, ...)
 *
 *     in round 2 lanes 0-30 wait at the ballot for lane 31, which waits after the loop for them
 *
 * The condition i < n is not the same for all lanes, so the loop is a branch, and the full mask in
 * it names a lane that has left. With n a multiple of 32 all lanes leave together, as they should:
 * a test with 64 or 1024 values finds nothing. If the call after the loop were a ballot with the
 * same mask, lane 31 would meet the others in it, and the count would be wrong without a hang.
 *
 * Result: how many values are above zero, if n is a multiple of 32; else none: the run ends and
 * says where the lanes wait. loop_stays.cu is the same done right.
 */
#include "shflviz/program.h"

static __global__ void loop_leaves(const int *in, int *out, unsigned n) {
    unsigned lane = threadIdx.x;
    int count = 0;

    for (unsigned i = lane; i < n; i += 32)
        count += __popc(__ballot_sync(0xffffffff, in[i] > 0));

    /* lane 0 has been in every round */
    count = __shfl_sync(0xffffffff, count, 0);
    shflviz_watch(count);
    out[lane] = count;
}

/* ---- the host's part ---- */

/* Any number n of values, for one warp. */
static int run(const shflviz_run *run) {
    unsigned n = unsigned(program_input_count(run->parameters));
    return shflviz_run_in_out<int>(run, 32, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out, &n};
        cudaLaunchKernel(loop_leaves, 1, 32, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(loop_leaves)
const shflviz_program SHFLVIZ_PROGRAM(loop_leaves) = {
    {"loop-leaves",
     "the last lane leaves a loop of ballots before the others: a deadlock",
     __FILE__,
     SHFLVIZ_SOURCE(loop_leaves),
     PROGRAM_TAKES_COUNT | PROGRAM_TAKES_INPUT | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 63},
     "lane % 2"},
    run};
