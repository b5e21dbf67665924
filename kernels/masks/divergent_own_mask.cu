/*
 * divergent_own_mask.cu - shuffles in a branch, each with the mask of the lanes that get there.
 *
 *                lanes 0-15                      lanes 16-31
 *
 *     before     low = __ballot_sync(0xffffffff, lane < 16) = 0x0000ffff, in all lanes
 *
 *     branch     sum, mask low                   largest, mask ~low
 *                0x0000ffff                      0xffff0000
 *
 * Before the branch all lanes are asked whether they will take it: a ballot with its condition. The
 * answer is the mask inside the branch, and its complement is the mask on the other side.
 * The two sides then do not wait for each other, and may do different things, in any order. With a
 * width of 16 no lane reads beyond its side.
 *
 * If both sides do the same, it is better still to do it once, before or after the branch.
 *
 * Result: lane 0 holds the sum of lanes 0-15, lane 16 the largest value of lanes 16-31.
 */
#include "shflviz/program.h"

static __global__ void divergent_own_mask(const int *in, int *out) {
    unsigned lane = threadIdx.x;
    int value = in[lane];
    unsigned low = __ballot_sync(0xffffffff, lane < 16);

    if (lane < 16) {
        for (int delta = 8; delta > 0; delta /= 2)
            value += __shfl_down_sync(low, value, delta, 16);
    } else {
        for (int delta = 8; delta > 0; delta /= 2)
            value = max(value, __shfl_down_sync(~low, value, delta, 16));
    }
    __syncthreads();
    shflviz_watch(value);

    out[lane] = value;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(divergent_own_mask, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(divergent_own_mask)
const shflviz_program SHFLVIZ_PROGRAM(divergent_own_mask) = {
    {"divergent-own-mask",
     "shuffles in a branch, with the mask of the lanes that get there",
     __FILE__,
     SHFLVIZ_SOURCE(divergent_own_mask),
     PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
