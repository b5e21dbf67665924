/*
 * both_branches.cu - the same shuffle in both branches of an if: one exchange from two places.
 *
 *     even lanes                                odd lanes
 *
 *     value + __shfl_xor_sync(0xffffffff,       value - __shfl_xor_sync(0xffffffff,
 *                             value, 1)                                 value, 1)
 *                      \________________ meet ________________/
 *
 * No lane takes both branches, and the mask is full in each. The texts differ on whether the two
 * may meet. The CUDA C++ Programming Guide 11.6 (2022), "Independent Thread Scheduling": valid from
 * compute capability 7.0 on. The PTX ISA, "shfl.sync": the same instruction and mask, from sm_70
 * on. The CUDA Programming Guide 13.3 (May 2026), 5.4.6.6: undefined, as the lanes of a mask must
 * call at the same program point. An H200 exchanged the values. On GPUs before 7.0 it was undefined
 * according to every text.
 *
 * With another mask in one branch, or down in place of xor, every text leaves the result undefined,
 * and the lanes may wait forever; where one branch has a loop, a lane meets whichever call the
 * others make next. Portable code makes the call once, before the branch: it is the same exchange.
 *
 * Result: even lanes hold their value plus their neighbour's, odd lanes minus it; the same again
 * with the call before the branch.
 */
#include "shflviz/program.h"

static __global__ void both_branches(const int *in, int *out) {
    unsigned lane = threadIdx.x;
    int value = in[lane];
    int result, again;

    if (lane % 2 == 0)
        result = value + __shfl_xor_sync(0xffffffff, value, 1);
    else
        result = value - __shfl_xor_sync(0xffffffff, value, 1);

    /* the same, called once */
    int other = __shfl_xor_sync(0xffffffff, value, 1);
    if (lane % 2 == 0)
        again = value + other;
    else
        again = value - other;
    shflviz_watch(result);
    shflviz_watch(again);

    out[lane] = result == again ? result : 0;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(both_branches, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(both_branches)
const shflviz_program SHFLVIZ_PROGRAM(both_branches) = {
    {"both-branches",
     "the same shuffle in both branches of an if",
     __FILE__,
     SHFLVIZ_SOURCE(both_branches),
     PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
