/*
 * partial_sum_padded.cu - a sum of any number of values by whole warps: the rest are zeros.
 *
 *     180 values, 192 threads:   warps 0-4               warp 5
 *
 *     lane                       0 ... 31                0 ... 19 | 20 ... 31
 *     value                      in    in                in    in |  0      0
 *
 * The block is launched with whole warps, however many values there are. A thread beyond the last
 * value makes every call like the others, and passes what changes nothing: 0 for a sum, 1 for a
 * product, the largest value for a minimum. So no lane is missing, the full mask is right, and
 * every round is as simple as in a full block. The cost is lanes that add zeros.
 *
 * It is partial_sum.cu except for the launch and the line that reads.
 *
 * Result: every lane holds the sum of its warp; *out is the sum of all values.
 */
#include "shflviz/program.h"

static __global__ void partial_sum_padded(const int *in, int *out, unsigned n) {
    __shared__ int partial[32];
    unsigned warps = blockDim.x / 32;
    int sum = threadIdx.x < n ? in[threadIdx.x] : 0;

    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, laneMask);
    shflviz_watch(sum);

    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (unsigned warp = 0; warp < warps; warp++)
            total += partial[warp];
        shflviz_watch(total);
        *out = total;
    }
}

/* ---- the host's part ---- */

/* As many threads as requested have a value; those that fill the last warp have none. */
static int run(const shflviz_run *run) {
    unsigned n = run->parameters->threads;
    unsigned threads = (n + 31) / 32 * 32;
    return shflviz_run_in_out<int>(run, 1, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out, &n};
        cudaLaunchKernel(partial_sum_padded, 1, threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(partial_sum_padded)
const shflviz_program SHFLVIZ_PROGRAM(partial_sum_padded) = {
    {"partial-sum-padded",
     "the sum of a block by whole warps, the last padded with zeros",
     __FILE__,
     SHFLVIZ_SOURCE(partial_sum_padded),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 180, 1, nullptr, 0},
     "1"},
    run};
