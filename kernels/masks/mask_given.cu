/*
 * mask_given.cu - all lanes call, with a member mask that may leave some of them out.
 *
 *     members 0x000000ff: lanes 0-7 are named, and all 32 call
 *
 *       lane      0  1  2  3  4  5  6  7 | 8  9 ... 31
 *       reads     1  0  3  2  5  4  7  6 | 9  8 ... 30
 *       gets      1  0  3  2  5  4  7  6 | ?  ?      ?
 *
 * What people say: the mask has no effect, any value will do. In fact the mask is not a filter that
 * picks receivers. It is the caller's promise of which lanes take part, and the hardware waits for
 * those before it moves a value. "Each calling thread must have its own bit set in the mask" (CUDA
 * C++ Programming Guide 11.6, "Warp Shuffle Functions"); no rule says what a lane whose bit is not
 * set gets. So that value is undefined here, and so is what a named lane gets from one that is not
 * named.
 *
 * What hides it: while all lanes happen to arrive together, GPUs have been seen to hand out the
 * same values whatever the mask. That is what a device did, once. Elsewhere the same code has
 * stopped with an illegal instruction.
 *
 * Result: lanes that are named, and read one that is, hold their partner's value. The others have
 * no defined result.
 */
#include "shflviz/program.h"

static __global__ void mask_given(const int *in, int *out, unsigned members) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[thread];

    /* whether or not the mask names this lane */
    value = __shfl_xor_sync(members, value, 1);

    out[thread] = value;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    unsigned members = parameters->members;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out, &members};
        cudaLaunchKernel(mask_given, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(mask_given)
const shflviz_program SHFLVIZ_PROGRAM(mask_given) = {
    {"mask-given",
     "all lanes call, with a mask that may leave some out",
     __FILE__,
     SHFLVIZ_SOURCE(mask_given),
     PROGRAM_TAKES_MEMBERS | PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT |
         PROGRAM_ALL_CALL | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0x000000ff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
