/*
 * shuffle_idx.cu - one __shfl_sync: each lane reads the lane that it names.
 *
 *     srcLane 5 in every lane, width 16:
 *
 *       lane   0  1  2 ... 15 | 16 17 18 ... 31
 *       reads  5  5  5 ...  5 | 21 21 21 ... 21        lane 5 of its own group
 *
 * srcLane counts inside the lane's group of `width` lanes and wraps: 20 at width 16 is 4, and -1 is
 * the group's last lane. So every lane always reads a lane, always in its own group. Lanes may
 * name different lanes: with the same value everywhere it is a broadcast, else any permutation.
 *
 * Result: every calling lane holds the value of the lane it named. Lanes outside `members` make no
 * call; a lane that reads one of them gets an undefined value.
 */
#include "shflviz/program.h"

template <class T>
static __global__ void shuffle_idx(const T *in, T *out, const int *srcLanes, unsigned members,
                                   int width) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int srcLane = srcLanes[lane];
    T value = in[thread];

    if (members >> lane & 1)
        value = __shfl_sync(members, value, srcLane, width);

    out[thread] = value;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    unsigned members = parameters->members;
    int width = parameters->width;
    return shflviz_run_shuffle<T>(run, [&](const T *in, T *out, const int *srcLanes) {
        void *arguments[] = {&in, &out, &srcLanes, &members, &width};
        cudaLaunchKernel(shuffle_idx<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_type(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(shuffle_idx)
const shflviz_program SHFLVIZ_PROGRAM(shuffle_idx) = {
    {"idx",
     "one __shfl_sync: each lane reads the lane it names",
     __FILE__,
     SHFLVIZ_SOURCE(shuffle_idx),
     PROGRAM_TAKES_WIDTH | PROGRAM_TAKES_MEMBERS | PROGRAM_TAKES_ARGUMENT | PROGRAM_TAKES_THREADS |
         PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_ALL,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
