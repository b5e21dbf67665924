/*
 * reduce_xor_max.cu - the maximum of all lanes of a group, in every lane: the xor butterfly.
 *
 *     width 8:    lane      0   1   2   3   4   5   6   7
 *                            \ \ \ \ / / / /      laneMask 4: 0<->4 1<->5 2<->6 3<->7
 *     laneMask 4           04  15  26  37  04  15  26  37
 *     laneMask 2           0246 1357 ...             0<->2 1<->3 4<->6 5<->7
 *     laneMask 1           01234567 in every lane    0<->1 2<->3 4<->5 6<->7
 *
 * Why: in every round both partners keep the larger value, so after log2(width) rounds (5 for a
 * warp) every lane has the result and no broadcast is needed. A tree with __shfl_down_sync
 * (reduce_down_sum.cu) takes as many rounds and leaves the result in lane 0 alone.
 *
 * Result: every lane holds the maximum of its group of `width` lanes. The lanes of a warp must all
 * be there: in a block whose size is not a multiple of 32 the last warp's lanes read lanes that do
 * not exist, and what they get is undefined. block_reduce.cu shows what to do then.
 *
 * Unlike a sum, a maximum does not change if a value is counted twice, and needs no rounding, so
 * the rounds may be in any order.
 */
#include "shflviz/program.h"

template <class T> static __global__ void reduce_xor_max(const T *in, T *out, int width) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    T largest = in[thread];

    for (int laneMask = width / 2; laneMask > 0; laneMask /= 2) {
        T other = __shfl_xor_sync(0xffffffff, largest, laneMask, width);
        largest = other > largest ? other : largest;
    }
    shflviz_watch(largest);

    out[thread] = largest;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    int width = parameters->width;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out, &width};
        cudaLaunchKernel(reduce_xor_max<T>, parameters->blocks, parameters->threads, arguments, 0,
                         0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(reduce_xor_max)
const shflviz_program SHFLVIZ_PROGRAM(reduce_xor_max) = {
    {"reduce-xor-max",
     "the largest value of a warp in every lane: xor butterfly",
     __FILE__,
     SHFLVIZ_SOURCE(reduce_xor_max),
     PROGRAM_TAKES_WIDTH | PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE |
         PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane * 7 % 32"},
    run};
