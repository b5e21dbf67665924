/*
 * match_all.cu - do all lanes hold the same value?
 *
 *     lane        0 ... 15   16 ... 31
 *     value       4 ...  4    7 ...  7
 *
 *     all 32      0 ...............  0     they do not agree: no lane is named, agreed is 0
 *     halves      0-15       16-31         each half does: its mask, agreed is 1
 *
 * Why: __all_sync asks whether a condition holds in every lane; it needs a value to compare with.
 * Here the lanes compare with each other. If they agree, the common case of data that is the same
 * in the whole warp, one lane can do what 32 would have done 32 times.
 *
 * The second call is one line for two groups: each half passes the mask of its own lanes, and the
 * two have nothing to do with each other. A mask names the lanes that are asked; it
 * does not choose an answer. Needs compute capability 7.0.
 *
 * Result: the mask of the lane's half if its lanes agree, else 0.
 */
#include "shflviz/program.h"

static __global__ void match_all(const int *in, int *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int value = in[thread];
    int agreed, halfAgreed;

    unsigned all32 = __match_all_sync(0xffffffff, value, &agreed);

    unsigned own = lane < 16 ? 0x0000ffff : 0xffff0000;
    unsigned half16 = __match_all_sync(own, value, &halfAgreed);
    shflviz_watch(agreed);
    shflviz_watch(halfAgreed);

    out[thread] = all32 | half16; /* if all 32 agree, so do the halves: all32 names them all */
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(match_all, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(match_all)
const shflviz_program SHFLVIZ_PROGRAM(match_all) = {
    {"match-all",
     "do all lanes hold the same value? asked of a warp and of its halves",
     __FILE__,
     SHFLVIZ_SOURCE(match_all),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane / 16 * 3 + 4"},
    run};
