/*
 * partial_sum.cu - a block that is not a whole number of warps, summed as if it were.
 *
 *     180 threads:   warps 0-4, 32 lanes each        warp 5, 20 lanes
 *
 *     laneMask 16    lane  0  1  2  3  4 ... 15 16 17 18 19 | 20 ... 31
 *                    reads 16 17 18 19 20    31 0  1  2  3  |  there are none
 *
 * The full mask names 32 lanes; the last warp has 20. Lanes 4-15 read lanes that do not exist, and
 * what they get is undefined: not 0, not their own value. Each round passes it on, and after the
 * last one no lane of that warp holds anything meaningful.
 *
 * What it looks like: 180 ones have been seen to add up to 192, which is six full warps. That is
 * what comes out where a lane happens to get its own value back and counts it twice. Another GPU
 * may give 0 instead, which no sum notices and every product, minimum and maximum does.
 *
 * Result: the sums of whole warps are right. That of the last warp is undefined, and with it the
 * total. partial_sum_padded.cu gets it right; so does block_reduce.cu, in another way.
 */
#include "shflviz/program.h"

static __global__ void partial_sum(const int *in, int *out) {
    __shared__ int partial[32];
    unsigned warps = (blockDim.x + 31) / 32;
    int sum = in[threadIdx.x];

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

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, 1, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(partial_sum, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(partial_sum)
const shflviz_program SHFLVIZ_PROGRAM(partial_sum) = {
    {"partial-sum",
     "a full mask in a block that ends in a partial warp",
     __FILE__,
     SHFLVIZ_SOURCE(partial_sum),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_INPUT | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 180, 1, nullptr, 0},
     "1"},
    run};
