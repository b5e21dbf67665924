/*
 * shuffle_xor.cu - one __shfl_xor_sync: lanes trade values in pairs.
 *
 * Each lane names its partner by flipping the bits of its own number that are set in laneMask:
 *
 *     laneMask 1:  0<->1  2<->3  4<->5  6<->7 ...        neighbours
 *     laneMask 3:  0<->3  1<->2  4<->7  5<->6 ...        groups of four, reversed
 *     laneMask 16: 0<->16 1<->17 2<->18 ...              the two halves of the warp
 *
 * The partner's partner is the lane itself, so both lanes of a pair trade their values.
 * A width below 32 cuts the warp into groups. A lane may then still read from an earlier group; one
 * that names a lane of a later group gets its own value. So laneMask 3 has the same effect at
 * widths 16 and 32, but laneMask 16 does not.
 *
 * Result: every calling lane holds its partner's value, or its own. Lanes outside `members` make no
 * call; a lane that reads one of them gets an undefined value.
 */
#include "shflviz/program.h"

template <class T>
static __global__ void shuffle_xor(const T *in, T *out, const int *laneMasks, unsigned members,
                                   int width) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int laneMask = laneMasks[lane];
    T value = in[thread];

    if (members >> lane & 1)
        value = __shfl_xor_sync(members, value, laneMask, width);

    out[thread] = value;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    unsigned members = parameters->members;
    int width = parameters->width;
    return shflviz_run_shuffle<T>(run, [&](const T *in, T *out, const int *laneMasks) {
        void *arguments[] = {&in, &out, &laneMasks, &members, &width};
        cudaLaunchKernel(shuffle_xor<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_type(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(shuffle_xor)
const shflviz_program SHFLVIZ_PROGRAM(shuffle_xor) = {
    {"xor",
     "one __shfl_xor_sync: lanes trade values in pairs",
     __FILE__,
     SHFLVIZ_SOURCE(shuffle_xor),
     PROGRAM_TAKES_WIDTH | PROGRAM_TAKES_MEMBERS | PROGRAM_TAKES_ARGUMENT | PROGRAM_TAKES_THREADS |
         PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_ALL,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
