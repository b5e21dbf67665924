/*
 * block_reduce.cu - the sum of a block of any size: warps first, then the warps' sums.
 *
 *     35 threads:   warp 0, 32 lanes            warp 1, 3 lanes
 *                   tree: 16 8 4 2 1            tree: lanes 0-2 only
 *                      |                           |
 *     shared        partial[0]                  partial[1]          __syncthreads()
 *                      \______________   __________/
 *                                     \ /
 *     warp 0, lanes 0-1                tree
 *
 * Why it is not just reduce_down_sum.cu twice: the last warp may be partial. Its missing lanes are
 * not zero: they do not exist, and what a shuffle reads from them is undefined. So the lanes that
 * are there are counted, the member mask names just those, and a lane with nobody to read names
 * itself and adds nothing. The number of lanes need not be a power of two: in a round with delta,
 * lane i takes what lane i + delta holds if there is such a lane.
 *
 *     3 lanes:   lane     0     1     2
 *     delta 2             0+2   1     2
 *     delta 1             0-2   .     .
 *
 * The same function adds the warps' sums, in as many lanes of the first warp as there are warps.
 *
 * Result: thread 0 holds the sum of its block and writes it to out[block].
 */
#include "shflviz/program.h"

/* The sum over the first `lanes` lanes (1 to 32), in lane 0. Only those lanes call. */
template <class T> __device__ T reduce_lanes(T sum, unsigned lane, unsigned lanes) {
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;

    for (unsigned delta = 16; delta > 0; delta /= 2) {
        unsigned srcLane = lane + delta < lanes ? lane + delta : lane;
        T other = __shfl_sync(members, sum, srcLane);
        if (srcLane != lane)
            sum += other;
    }
    return sum;
}

template <class T> static __global__ void block_reduce(const T *in, T *out) {
    __shared__ T partial[32]; /* one for each warp: a block has at most 32 */
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    unsigned warps = (blockDim.x + 31) / 32;
    unsigned lanes = min(32u, blockDim.x - 32 * warp); /* of this warp */

    T sum = reduce_lanes(in[blockIdx.x * blockDim.x + threadIdx.x], lane, lanes);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();

    if (threadIdx.x < warps) {
        sum = reduce_lanes(partial[lane], lane, warps);
        shflviz_watch(sum);
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<T>(run, run->parameters->blocks, [&](const T *in, T *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(block_reduce<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(block_reduce)
const shflviz_program SHFLVIZ_PROGRAM(block_reduce) = {
    {"block-reduce",
     "the sum of a block of any size, through shared memory",
     __FILE__,
     SHFLVIZ_SOURCE(block_reduce),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 35, 1, nullptr, 0},
     "lane"},
    run};
