/*
 * broadcast.cu - one lane has a value, and all lanes of its group need it.
 *
 *     width 8, the first lane of each group gives:
 *
 *       lane   0 1 2 3 4 5 6 7 | 8 9 10 11 12 13 14 15 | 16 ...
 *       reads  0 0 0 0 0 0 0 0 | 8 8  8  8  8  8  8  8 | 16 ...
 *
 * Why: a value that only one lane has worked out or loaded (a pointer, a row's maximum, a ticket
 * from an atomic counter) reaches the others in one step, without shared memory. Only the giving
 * lane needs a meaningful value; but all lanes must make the call, the giving one too. Still give
 * the variable a value everywhere, as here: reading an uninitialised variable is an error
 * even where nobody uses what is read.
 *
 * Result: every lane holds the value of the first lane of its group.
 */
#include "shflviz/program.h"

template <class T> static __global__ void broadcast(const T *in, T *out, int width) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    T value = T(0);

    if (lane % width == 0)
        value = in[thread];
    value = __shfl_sync(0xffffffff, value, 0, width);
    shflviz_watch(value);

    out[thread] = value;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    int width = parameters->width;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out, &width};
        cudaLaunchKernel(broadcast<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(broadcast)
const shflviz_program SHFLVIZ_PROGRAM(broadcast) = {
    {"broadcast",
     "one lane reads memory; its whole group gets the value",
     __FILE__,
     SHFLVIZ_SOURCE(broadcast),
     PROGRAM_TAKES_WIDTH | PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE |
         PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 8, nullptr, 32, 1, nullptr, 0},
     "100 + lane"},
    run};
