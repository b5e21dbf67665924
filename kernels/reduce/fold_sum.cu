/*
 * fold_sum.cu - the sum of n lanes where n is not a power of two: fold first, then the tree.
 *
 *     24 lanes:    lane     0    1  ...  7    8 ... 15 | 16 17 ... 23
 *
 *     fold         lane     0    1  ...  7    8 ... 15   <- 16-23 are added to 0-7
 *                         +16  +17     +23
 *     delta 8               0    1  ...  7   <- 8-15
 *     delta 4, 2, 1         0
 *
 * A tree that halves wants 16, 8, 4, 2, 1 lanes. With 24 the halves are 12, 6, 3, 1: one lane of 3
 * is lost on the way; and 16 as a first step reads lanes 24-31, which are not there to be read. So
 * the lanes beyond the largest power of two that fits are first added to the lowest ones. From then
 * on there are 16, and they halve evenly.
 *
 * Each step's mask names just the lanes that take it. Where a value that changes nothing is at hand
 * (0 for a sum), filling the warp with it is simpler: see partial_sum_padded.cu.
 *
 * Result: lane 0 holds the sum of the first n lanes and writes it.
 */
#include "shflviz/program.h"

static __device__ unsigned first_lanes(unsigned lanes) {
    return lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
}

static __global__ void fold_sum(const int *in, int *out, unsigned n) {
    unsigned lane = threadIdx.x;
    unsigned power = 1u << (31 - __clz(int(n))); /* the largest power of two up to n */
    int sum = lane < n ? in[lane] : 0;

    if (lane < n) {
        unsigned srcLane = lane + power < n ? lane + power : lane;
        int other = __shfl_sync(first_lanes(n), sum, srcLane);
        if (srcLane != lane)
            sum += other;
    }
    if (lane < power)
        for (unsigned delta = power / 2; delta > 0; delta /= 2)
            sum += __shfl_down_sync(first_lanes(power), sum, delta, power);
    if (lane == 0) {
        shflviz_watch(sum);
        *out = sum;
    }
}

/* ---- the host's part ---- */

/* n values in the first n of 32 lanes. */
static int run(const shflviz_run *run) {
    unsigned n = unsigned(program_input_count(run->parameters));
    if (n > 32)
        return cudaErrorInvalidValue;
    return shflviz_run_in_out<int>(run, 1, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out, &n};
        cudaLaunchKernel(fold_sum, 1, 32, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(fold_sum)
const shflviz_program SHFLVIZ_PROGRAM(fold_sum) = {
    {"fold-sum",
     "the sum of n lanes, n not a power of two",
     __FILE__,
     SHFLVIZ_SOURCE(fold_sum),
     PROGRAM_TAKES_COUNT | PROGRAM_TAKES_INPUT | PROGRAM_ONE_WARP,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 24},
     "lane"},
    run};
