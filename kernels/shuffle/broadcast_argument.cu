/*
 * broadcast_argument.cu - lane 0 alone takes the kernel's argument, and every lane gets it.
 *
 *     lane          0    1    2    3  ...  31
 *     value      1234    0    0    0  ...   0
 *     reads         0    0    0    0  ...   0
 *     gets       1234 1234 1234 1234  ... 1234
 *
 * Why: the shortest use of a shuffle there is. All lanes make the call, not only those that need
 * something: a lane gives by calling. The variable begins as 0 in the lanes that have nothing to
 * give. Often it is left without a value there, since nobody reads theirs; but they still pass it,
 * and passing a variable that has no value is undefined in C++: a compiler may do anything with
 * such a program.
 *
 * Result: every lane holds the argument, and has checked it.
 */
#include "shflviz/program.h"

static __global__ void broadcast_argument(int *out, int argument) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int value = 0;

    if (lane == 0)
        value = argument;
    value = __shfl_sync(0xffffffff, value, 0);

    int failed = value != argument;
    shflviz_watch(failed);
    out[thread] = failed ? -1 : value;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    int argument = 1234;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *, int *out) {
        void *arguments[] = {&out, &argument};
        cudaLaunchKernel(broadcast_argument, parameters->blocks, parameters->threads, arguments, 0,
                         0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(broadcast_argument)
const shflviz_program SHFLVIZ_PROGRAM(broadcast_argument) = {
    {"broadcast-argument",
     "lane 0 takes the kernel's argument; all lanes get it",
     __FILE__,
     SHFLVIZ_SOURCE(broadcast_argument),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
