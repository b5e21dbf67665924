/*
 * mask_forgotten.cu - a shuffle without its mask: every argument is one place too early.
 *
 *     parameters     mask          var       delta    width
 *
 *     meant          0xffffffff    sum       16       32
 *     written        sum           16        32       (32 if left out)
 *
 * It compiles: a sum is as good as a mask, an offset as a value, and the width has a default. Of
 * delta, now 32, only the low five bits count, and they are 0: every lane reads itself. It gets
 * what it passed as var, the offset. So each round adds 16, 8, 4, 2, 1, 31 in all, to the
 * lane's own number, and lane 0 ends with 31 where the sum of 0 to 31 is 496.
 *
 * That 31 has been seen on GPUs whose lanes run in step, where the mask changes nothing. It is not
 * a rule: each lane passes its own value as the mask, 0, 1, 2, 3, ..., and no lane is in the mask
 * that it passes. What they get is undefined. On the CPU warp a second round uses these results as
 * masks, and some lanes then wait forever.
 *
 * Result: three launches. The sum; the shifted arguments after a real mask, which explain the 31;
 * and one round as it was written, 32 lanes with 32 masks.
 */
#include "shflviz/program.h"

static __global__ void as_meant(const int *in, int *out) {
    int sum = in[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset, 32);
    shflviz_watch(sum);
    if (threadIdx.x == 0)
        out[0] = sum;
}

static __global__ void arguments_shifted(const int *in, int *out) {
    int sum = in[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, offset, 32, 32);
    shflviz_watch(sum);
    if (threadIdx.x == 0)
        out[1] = sum;
}

static __global__ void mask_forgotten(const int *in, int *out) {
    int sum = in[threadIdx.x];
    int offset = 16;
    sum += __shfl_down_sync(sum, offset, 32);
    if (threadIdx.x == 0)
        out[2] = sum;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, 3, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(as_meant, 1, parameters->threads, arguments, 0, 0);
        cudaLaunchKernel(arguments_shifted, 1, parameters->threads, arguments, 0, 0);
        cudaLaunchKernel(mask_forgotten, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(mask_forgotten)
const shflviz_program SHFLVIZ_PROGRAM(mask_forgotten) = {
    {"mask-forgotten",
     "a shuffle without its mask: every argument one place too early",
     __FILE__,
     SHFLVIZ_SOURCE(mask_forgotten),
     PROGRAM_TAKES_INPUT | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
