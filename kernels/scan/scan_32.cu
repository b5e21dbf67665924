/*
 * scan_32.cu - prefix sums over a whole warp, with the lane's own value and without it.
 *
 *     lane       0    1    2    3    4    5    6    7    8  ...  31
 *     delta 1    0    0-1  1-2  2-3  3-4  4-5  5-6  6-7  7-8      30-31
 *     delta 2    0    0-1  0-2  0-3  1-4  2-5  3-6  4-7  5-8      28-31
 *     delta 4    0    0-1  0-2  0-3  0-4  0-5  0-6  0-7  1-8      24-31
 *     delta 8    0    0-1  0-2  0-3  0-4  0-5  0-6  0-7  0-8      16-31
 *     delta 16   0    0-1  0-2  0-3  0-4  0-5  0-6  0-7  0-8      0-31      a-b: sum of lanes
 *                                                                                a to b
 *
 * Why: 31 additions in a row become 5 rounds of many additions, since each round doubles how far
 * back a lane's sum goes. The first delta lanes have nobody to read: __shfl_up_sync gives them
 * their own value, which must not be added. Hence the if.
 *
 * The exclusive sum is the sum before the lane: where the lane begins to write, if each writes
 * `value` items. It is the inclusive sum less the lane's own value. An operation that cannot be
 * undone, such as max, needs one more shuffle, up by 1, and lane 0 takes the neutral element.
 *
 * Result: lane i holds the sum of lanes 0 to i (inclusive).
 */
#include "shflviz/program.h"

template <class T> static __global__ void scan_32(const T *in, T *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    T value = in[thread];
    T sum = value;

    for (unsigned delta = 1; delta < 32; delta *= 2) {
        T below = __shfl_up_sync(0xffffffff, sum, delta);
        if (lane >= delta)
            sum += below;
    }
    shflviz_watch(sum);

    T exclusive = sum - value;
    shflviz_watch(exclusive);

    out[thread] = sum;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(scan_32<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(scan_32)
const shflviz_program SHFLVIZ_PROGRAM(scan_32) = {
    {"scan-32",
     "prefix sums over a warp, inclusive and exclusive, with up",
     __FILE__,
     SHFLVIZ_SOURCE(scan_32),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane % 4 + 1"},
    run};
