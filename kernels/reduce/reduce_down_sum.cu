/*
 * reduce_down_sum.cu - the sum of all lanes of a group, in its first lane: a tree.
 *
 *     width 8:   lane    0     1     2     3     4     5     6     7
 *
 *     delta 4            0+4   1+5   2+6   3+7   .     .     .     .
 *     delta 2            0246  1357  .     .     .     .     .     .
 *     delta 1            0..7  .     .     .     .     .     .     .
 *
 * Each round halves the number of lanes that still matter. The dots are lanes that go on adding:
 * they add values of lanes that no longer matter, or, where lane + delta leaves the group,
 * their own value once more. What they hold is defined, and it is not the sum.
 *
 * Result: the first lane of each group of `width` lanes holds the sum; every other lane holds
 * something else. If every lane needs it, use the butterfly (reduce_xor_sum.cu), which costs as
 * much, or a broadcast (broadcast.cu) after this. The lanes of a warp must all be there; for blocks
 * of any size see block_reduce.cu.
 */
#include "shflviz/program.h"

template <class T> static __global__ void reduce_down_sum(const T *in, T *out, int width) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = in[thread];

    for (int delta = width / 2; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta, width);
    shflviz_watch(sum);

    out[thread] = sum;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    int width = parameters->width;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out, &width};
        cudaLaunchKernel(reduce_down_sum<T>, parameters->blocks, parameters->threads, arguments, 0,
                         0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(reduce_down_sum)
const shflviz_program SHFLVIZ_PROGRAM(reduce_down_sum) = {
    {"reduce-down-sum",
     "the sum of a warp in its first lane: a tree with down",
     __FILE__,
     SHFLVIZ_SOURCE(reduce_down_sum),
     PROGRAM_TAKES_WIDTH | PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE |
         PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
