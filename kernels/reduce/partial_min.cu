/*
 * partial_min.cu - the values that may replace lanes that do not exist.
 *
 *     5 threads:    lane    0   1   2   3   4  (5)
 *                   value   7   3   9   4   5   ?
 *
 *     sum      + 0          28      0 changes no sum
 *     product  * 0           0      3780 is right: 1 changes no product
 *     minimum  0             0      3 is right: the largest number there is changes no minimum
 *
 * Why: a reduction in rounds pairs lanes, and in a partial warp some have no partner. Padding with
 * 0 is right for a sum and nothing else: each operation has a neutral element of its own, and a
 * missing lane must count as that value. (It is also 0 for | and ^, all bits set for &, and the
 * lowest number there is for the maximum.)
 *
 * 0 gets there in three ways: `i < n ? in[i] : 0`, memory that was cleared, and a shuffle from a
 * lane that does not exist. The last is undefined; devices have been seen to return 0.
 *
 * Result: lane 0 of each warp holds the minimum and the product, each wrong (padded with 0) and
 * right. The right minimum is written. A whole warp has nothing to pad, and all four are right.
 */
#include "shflviz/program.h"

/* The first `lanes` lanes combined, in lane 0; `missing` replaces a lane that is not there. */
template <class T, class Operation>
static __device__ T reduce_lanes(T value, T missing, unsigned lane, unsigned lanes,
                                 Operation combine) {
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;

    for (unsigned delta = 16; delta > 0; delta /= 2) {
        unsigned srcLane = lane + delta < lanes ? lane + delta : lane;
        T other = __shfl_sync(members, value, srcLane);
        value = combine(value, srcLane == lane ? missing : other);
    }
    return value;
}

static __global__ void partial_min(const int *in, int *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned lanes = min(32u, blockDim.x - (threadIdx.x - lane)); /* of this warp */
    int value = in[thread], largest = 0x7fffffff;

    auto smaller = [](int a, int b) { return a < b ? a : b; };
    int minimumPadded0 = reduce_lanes(value, 0, lane, lanes, smaller);
    int minimum = reduce_lanes(value, largest, lane, lanes, smaller);

    auto times = [](int a, int b) { return a * b; };
    int productPadded0 = reduce_lanes(value, 0, lane, lanes, times);
    int product = reduce_lanes(value, 1, lane, lanes, times);

    shflviz_watch(minimumPadded0);
    shflviz_watch(minimum);
    shflviz_watch(productPadded0);
    shflviz_watch(product);
    out[thread] = minimum;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(partial_min, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(partial_min)
const shflviz_program SHFLVIZ_PROGRAM(partial_min) = {
    {"partial-min",
     "a partial warp padded with 0 breaks minimum and product",
     __FILE__,
     SHFLVIZ_SOURCE(partial_min),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 20, 1, nullptr, 0},
     "lane % 3 + 1"},
    run};
