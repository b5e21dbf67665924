/*
 * shuffle_up.cu - one __shfl_up_sync: each lane reads a lane further down, so values move up.
 *
 *     delta 3, width 16:
 *
 *       lane   0  1  2  3  4  5 ... 15 | 16 17 18 19 ... 31
 *       reads  .  .  .  0  1  2 ... 12 |  .  .  . 16 ... 28        . its own value
 *
 * The name says which way the values go, not where a lane looks: lane 5 reads lane 2. Before the
 * first lane of a group there is nothing, so the first delta lanes of every group get their own
 * value; nothing wraps. It is the step of an inclusive scan (scan_8.cu).
 *
 * Result: every calling lane holds the value of lane - delta, or its own. Lanes outside
 * `members` make no call; a lane that reads one of them gets an undefined value.
 */
#include "shflviz/program.h"

template <class T>
static __global__ void shuffle_up(const T *in, T *out, const int *deltas, unsigned members,
                                  int width) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned delta = deltas[lane];
    T value = in[thread];

    if (members >> lane & 1)
        value = __shfl_up_sync(members, value, delta, width);

    out[thread] = value;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    unsigned members = parameters->members;
    int width = parameters->width;
    return shflviz_run_shuffle<T>(run, [&](const T *in, T *out, const int *deltas) {
        void *arguments[] = {&in, &out, &deltas, &members, &width};
        cudaLaunchKernel(shuffle_up<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_type(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(shuffle_up)
const shflviz_program SHFLVIZ_PROGRAM(shuffle_up) = {
    {"up",
     "one __shfl_up_sync: values move to higher lanes",
     __FILE__,
     SHFLVIZ_SOURCE(shuffle_up),
     PROGRAM_TAKES_WIDTH | PROGRAM_TAKES_MEMBERS | PROGRAM_TAKES_ARGUMENT | PROGRAM_TAKES_THREADS |
         PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_ALL,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
