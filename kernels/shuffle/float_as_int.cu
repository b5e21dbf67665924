/*
 * float_as_int.cu - a wrapper for int truncates a float; how to pass its bits intact.
 *
 *     value              0.5        1.5        2.5  ...
 *     as an int          0          1          2            converted: the fraction is gone
 *     its bits      3f000000   3fc00000   40200000          the same 32 bits under another name
 *
 * Where it comes from: shuffles once knew only int and float, so libraries wrapped the one for int
 * and called it with everything. C++ converts a float to an int silently. With whole
 * numbers the results are right, so a test with 1, 2, 3 finds nothing.
 *
 * A shuffle moves bits and does not ask what they mean. __float_as_int() reads the bits of a float
 * as an int; __int_as_float() turns them back. Today the intrinsic has an overload for float, and
 * that is what to call; wrappers are templates on the type.
 *
 * Result: every lane holds its neighbour's value, whole.
 */
#include "shflviz/program.h"

static __device__ int from_neighbour(int value) {
    return __shfl_xor_sync(0xffffffff, value, 1);
}

static __global__ void float_as_int(const float *in, float *out) {
    float value = in[threadIdx.x];

    float cut = from_neighbour(value);
    float whole = __int_as_float(from_neighbour(__float_as_int(value)));
    float plain = __shfl_xor_sync(0xffffffff, value, 1);
    shflviz_watch(cut);
    shflviz_watch(whole);

    out[threadIdx.x] = whole == plain ? whole : cut;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<float>(run, shflviz_threads(run), [&](const float *in, float *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(float_as_int, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(float_as_int)
const shflviz_program SHFLVIZ_PROGRAM(float_as_int) = {
    {"float-as-int",
     "a wrapper for int truncates a float; passing its bits keeps it whole",
     __FILE__,
     SHFLVIZ_SOURCE(float_as_int),
     PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_FLOAT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_FLOAT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane + 0.5"},
    run};
