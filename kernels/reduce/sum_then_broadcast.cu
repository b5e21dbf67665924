/*
 * sum_then_broadcast.cu - when a sum still needs a broadcast after it, and when it does not.
 *
 *     butterfly    xor  16 8 4 2 1     every lane has the sum      + broadcast: changes nothing
 *     tree         down 16 8 4 2 1     lane 0 has the sum          + broadcast: now all have it
 *
 *     lane             0    1    2   ...  31
 *     after the tree   sum  ?    ?   ...  ?        ?: a number, but not the sum
 *     broadcast        sum  sum  sum ...  sum
 *
 * Why: both take 5 shuffles. In the butterfly every lane adds something it needs, so no lane is
 * without the sum. In the tree the lanes of the upper half go on adding values that nobody will
 * read. If all lanes need the sum, the butterfly is done after 5, the tree after 6. If only one
 * does, both cost the same. Much code broadcasts after a butterfly: that is harmless, but wastes a
 * sixth of the shuffles.
 *
 * Result: every lane holds the sum of its warp, twice: the kernel returns the tree's.
 */
#include "shflviz/program.h"

template <class T> static __global__ void sum_then_broadcast(const T *in, T *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;

    T butterfly = in[thread];
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        butterfly += __shfl_xor_sync(0xffffffff, butterfly, laneMask);
    butterfly = __shfl_sync(0xffffffff, butterfly, 0); /* not needed */
    shflviz_watch(butterfly);

    T tree = in[thread];
    for (int delta = 16; delta > 0; delta /= 2)
        tree += __shfl_down_sync(0xffffffff, tree, delta);
    tree = __shfl_sync(0xffffffff, tree, 0); /* needed */
    shflviz_watch(tree);

    out[thread] = tree;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(sum_then_broadcast<T>, parameters->blocks, parameters->threads, arguments,
                         0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(sum_then_broadcast)
const shflviz_program SHFLVIZ_PROGRAM(sum_then_broadcast) = {
    {"sum-then-broadcast",
     "a broadcast is needed after a tree, not after a butterfly",
     __FILE__,
     SHFLVIZ_SOURCE(sum_then_broadcast),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
