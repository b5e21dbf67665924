/*
 * segment_mask.cu - a mask for each half of the warp does not make the halves warps of their own.
 *
 *     lane                            0 1 ... 15 | 16 17 ... 31
 *     mask                            0x0000ffff | 0xffff0000        each names its own half
 *
 *     srcLane 0, width 32    reads    0 0 ...  0 |  0  0 ...  0      lane 0 is not in that mask
 *     srcLane 0, width 16    reads    0 0 ...  0 | 16 16 ... 16
 *
 * The hope is that the mask names lanes 16-31, so lane 0 means the first of them. But lanes are
 * counted in the whole warp, or in groups of `width` lanes where a width is given; the mask plays
 * no part in that. Lanes 16-31 ask for lane 0, which their mask does not name: undefined. And down
 * by 4 crosses the border in the same way, from lanes 12-15.
 *
 * Both masks are legal: each caller is in its own, and all lanes named make the call.
 *
 * Result: with the width each lane holds the first value of its half, and the one 4 lanes on (its
 * own, where the half ends before that). Without it there is no result where the border is crossed.
 */
#include "shflviz/program.h"

static __global__ void segment_mask(const int *in, int *out) {
    unsigned lane = threadIdx.x;
    unsigned members = lane < 16 ? 0x0000ffff : 0xffff0000;
    int value = in[lane];

    /* lanes 16-31 read lane 0 */
    __shfl_sync(members, value, 0);
    int first = __shfl_sync(members, value, 0, 16);

    /* lanes 12-15 read 16-19 */
    __shfl_down_sync(members, value, 4);
    int later = __shfl_down_sync(members, value, 4, 16);

    out[lane] = first + later;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(segment_mask, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(segment_mask)
const shflviz_program SHFLVIZ_PROGRAM(segment_mask) = {
    {"segment-mask",
     "a mask for each half, without the width and with it",
     __FILE__,
     SHFLVIZ_SOURCE(segment_mask),
     PROGRAM_TAKES_INPUT | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
