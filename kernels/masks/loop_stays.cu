/*
 * loop_stays.cu - a warp counts n values, and all its lanes go round until the last value.
 *
 *     n = 63        round 1        round 2
 *
 *     lanes 0-30    i = 0..30      i = 32..62
 *     lane 31       i = 31         i = 63: no value, its vote is 0
 *
 * The loop's condition depends on the round, not on the lane: `first` is the same in all lanes, so
 * they enter and leave together, and the full mask is right in each round. A lane that has no value
 * still makes the call, with a vote of 0. A grid-stride loop with warp operations in it
 * looks the same.
 *
 * Result: how many values are above zero, in every lane.
 */
#include "shflviz/program.h"

static __global__ void loop_stays(const int *in, int *out, unsigned n) {
    unsigned lane = threadIdx.x;
    int count = 0;

    for (unsigned first = 0; first < n; first += 32) {
        unsigned i = first + lane;
        int vote = i < n && in[i] > 0;
        count += __popc(__ballot_sync(0xffffffff, vote));
    }
    shflviz_watch(count);
    out[lane] = count;
}

/* ---- the host's part ---- */

/* Any number n of values, for one warp. */
static int run(const shflviz_run *run) {
    unsigned n = unsigned(program_input_count(run->parameters));
    return shflviz_run_in_out<int>(run, 32, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out, &n};
        cudaLaunchKernel(loop_stays, 1, 32, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(loop_stays)
const shflviz_program SHFLVIZ_PROGRAM(loop_stays) = {
    {"loop-stays",
     "a count by ballots, with all lanes in every round",
     __FILE__,
     SHFLVIZ_SOURCE(loop_stays),
     PROGRAM_TAKES_COUNT | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 63},
     "lane % 2"},
    run};
