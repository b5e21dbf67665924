/*
 * divergent_full_mask.cu - a full mask where only half the lanes call: they wait forever.
 *
 *     lanes 0-15                            lanes 16-31
 *
 *     __shfl_down_sync(0xffffffff, ...)     __syncthreads()
 *       waits for lanes 16-31                 waits for lanes 0-15
 *
 * The mask is a promise: these lanes will make this call. Lanes 16-31 have taken the other branch
 * of the if and never make it. No lane even reads them, since the width is 16; they are waited
 * for all the same, because the mask names them.
 *
 * What hides it: GPUs before compute capability 7.0 ran the lanes of a branch together, and got
 * through. And without the barrier after the branch, lanes 16-31 leave the kernel, and nobody waits
 * for lanes that have left ("non-exited threads", PTX ISA, "shfl.sync"). So such code passes its
 * tests until it moves to a newer GPU or is called from a larger kernel.
 *
 * Result: none. The run ends and says where the lanes wait, and for which others. What happened
 * before is in the recording. divergent_own_mask.cu is the same done right.
 */
#include "shflviz/program.h"

static __global__ void divergent_full_mask(const int *in, int *out) {
    unsigned lane = threadIdx.x;
    int sum = in[lane];
    shflviz_watch(sum);

    if (lane < 16)
        for (int delta = 8; delta > 0; delta /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, delta, 16);
    __syncthreads();

    out[lane] = sum;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(divergent_full_mask, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(divergent_full_mask)
const shflviz_program SHFLVIZ_PROGRAM(divergent_full_mask) = {
    {"divergent-full-mask",
     "a full mask in a branch that half the lanes take: a deadlock",
     __FILE__,
     SHFLVIZ_SOURCE(divergent_full_mask),
     PROGRAM_TAKES_INPUT | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
