/*
 * allreduce.cu - the sum of a whole block, in every lane of every warp.
 *
 *     4 warps:   warp 0      warp 1      warp 2      warp 3
 *                butterfly   butterfly   butterfly   butterfly     each warp its own sum
 *                    \           |           |           /
 *     shared      [ sum 0   |  sum 1   |  sum 2   |  sum 3 ]       one lane of each writes
 *                    /           |           |           \         __syncthreads()
 *                butterfly   butterfly   butterfly   butterfly     every warp, the same four sums
 *
 * Why: a shuffle cannot leave its warp, so what crosses warps goes through shared memory, one value
 * per warp. Then every warp adds up those values for itself. That repeats work, but nothing has to
 * be handed out afterwards: a first warp that does it alone (block_reduce.cu) would have to write
 * its result to shared memory, and the others could read it only after a second __syncthreads().
 *
 * Result: every lane of every warp holds the sum of its block. (Of the block, not of the grid:
 * blocks have neither shared memory nor a barrier in common.) The block's size must be a multiple
 * of 32.
 */
#include "shflviz/program.h"

/* Every lane of the warp gets the warp's sum. */
template <class T> __device__ T warp_allreduce(T sum) {
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, laneMask);
    return sum;
}

template <class T> static __global__ void allreduce(const T *in, T *out) {
    __shared__ T partial[32]; /* one for each warp: a block has at most 32 */
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    unsigned warps = blockDim.x / 32;

    T sum = warp_allreduce(in[thread]);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();

    /* Lanes beyond the number of warps add nothing to the sum, but they take part. */
    sum = warp_allreduce(lane < warps ? partial[lane] : T(0));
    shflviz_watch(sum);

    out[thread] = sum;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(allreduce<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(allreduce)
const shflviz_program SHFLVIZ_PROGRAM(allreduce) = {
    {"allreduce",
     "the sum of a block in every lane of every warp",
     __FILE__,
     SHFLVIZ_SOURCE(allreduce),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 128, 1, nullptr, 0},
     "lane"},
    run};
