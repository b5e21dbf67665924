/*
 * shuffle_down.cu - one __shfl_down_sync: each lane reads a lane further up, so values move down.
 *
 *     delta 3, width 16:
 *
 *       lane   0  1  2 ... 12 13 14 15 | 16 17 ... 28 29 30 31
 *       reads  3  4  5 ... 15  .  .  . | 19 20 ... 31  .  .  .        . its own value
 *
 * The last delta lanes of every group have nobody to read and get their own value; nothing wraps.
 * Halving delta, 16 8 4 2 1, makes it the step of a reduction into lane 0 (reduce_down_sum.cu),
 * where those lanes add their own value, too: at the end only lane 0 is right.
 *
 * Result: every calling lane holds the value of lane + delta, or its own. Lanes outside
 * `members` make no call; a lane that reads one of them gets an undefined value.
 */
#include "shflviz/program.h"

template <class T>
static __global__ void shuffle_down(const T *in, T *out, const int *deltas, unsigned members,
                                    int width) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned delta = deltas[lane];
    T value = in[thread];

    if (members >> lane & 1)
        value = __shfl_down_sync(members, value, delta, width);

    out[thread] = value;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    unsigned members = parameters->members;
    int width = parameters->width;
    return shflviz_run_shuffle<T>(run, [&](const T *in, T *out, const int *deltas) {
        void *arguments[] = {&in, &out, &deltas, &members, &width};
        cudaLaunchKernel(shuffle_down<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_type(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(shuffle_down)
const shflviz_program SHFLVIZ_PROGRAM(shuffle_down) = {
    {"down",
     "one __shfl_down_sync: values move to lower lanes",
     __FILE__,
     SHFLVIZ_SOURCE(shuffle_down),
     PROGRAM_TAKES_WIDTH | PROGRAM_TAKES_MEMBERS | PROGRAM_TAKES_ARGUMENT | PROGRAM_TAKES_THREADS |
         PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_ALL,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
