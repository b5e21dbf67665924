/*
 * scan_8.cu - inclusive prefix sums in groups of 8 lanes (Hillis and Steele).
 *
 *     lane      0     1     2     3     4     5     6     7
 *     delta 1   0     0-1   1-2   2-3   3-4   4-5   5-6   6-7
 *     delta 2   0     0-1   0-2   0-3   1-4   2-5   3-6   4-7
 *     delta 4   0     0-1   0-2   0-3   0-4   0-5   0-6   0-7      a-b: the sum of lanes a to b
 *
 * Why: after a round with delta each lane holds the sum of the 2 * delta lanes that end with it, or
 * of all lanes before it if those are fewer. The first delta lanes of a group have nobody to read:
 * __shfl_up_sync gives them their own value, which must not be added. Hence the if: without it
 * those lanes double.
 *
 * Result: lane i of a group holds the sum of the group's lanes 0 to i. All lanes make every call,
 * including those that do not add, because the mask names them.
 */
#include "shflviz/program.h"

template <class T> static __global__ void scan_8(const T *in, T *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned position = threadIdx.x % 8;
    T sum = in[thread];

    for (unsigned delta = 1; delta < 8; delta *= 2) {
        T below = __shfl_up_sync(0xffffffff, sum, delta, 8);
        if (position >= delta)
            sum += below;
    }
    shflviz_watch(sum);

    out[thread] = sum;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(scan_8<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(scan_8)
const shflviz_program SHFLVIZ_PROGRAM(scan_8) = {
    {"scan-8",
     "inclusive prefix sums in groups of 8 lanes, with up",
     __FILE__,
     SHFLVIZ_SOURCE(scan_8),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane % 8 + 1"},
    run};
