/*
 * match_any.cu - lanes with equal values find each other, and one of them counts for all.
 *
 *     lane          0   1   2   3   4   5   6   7
 *     value         0   0   0   1   1   1   2   2
 *     same          0-2 0-2 0-2 3-5 3-5 3-5 6,7 6,7      __match_any_sync: who has my value?
 *     leader        0   0   0   3   3   3   6   6        the lowest of them
 *     count         3   .   .   3   .   .   2   .        said once, by the leader
 *
 * Why: a histogram adds 1 to a bin for every value. 32 lanes with one value would be 32 atomic
 * additions to one address, one after the other. Here the lanes of a value count themselves, and
 * their leader adds the number: one atomic for each value that occurs in the warp.
 *
 * Needs compute capability 7.0. Bits are compared: as floats, 0.0 and -0.0 would not match.
 *
 * Result: the leader of each value holds how many lanes of its warp have that value, the others 0.
 */
#include "shflviz/program.h"

static __global__ void match_any(const int *in, int *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int value = in[thread];

    unsigned same = __match_any_sync(0xffffffff, value);
    unsigned leader = __ffs(same) - 1; /* the lowest bit that is set */
    shflviz_watch(leader);

    int count = lane == leader ? __popc(same) : 0;
    shflviz_watch(count);

    out[thread] = count; /* a histogram: if (count) atomicAdd(&bin[value], count) */
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(match_any, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(match_any)
const shflviz_program SHFLVIZ_PROGRAM(match_any) = {
    {"match-any",
     "lanes with equal values find each other and elect one to count",
     __FILE__,
     SHFLVIZ_SOURCE(match_any),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane % 8 / 3"},
    run};
