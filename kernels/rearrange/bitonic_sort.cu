/*
 * bitonic_sort.cu - 32 values in order, one in each lane, after 15 shuffles.
 *
 *     size 2    pairs in order, alternately up and down       xor  1
 *     size 4    fours                                          xor  2  1
 *     size 8    eights                                         xor  4  2  1
 *     size 16   sixteens                                       xor  8  4  2  1
 *     size 32   all, upwards                                   xor 16  8  4  2  1
 *
 *     size 4, xor 2:    lane     0   1   2   3 |  4   5   6   7
 *                       value    3   7   8   1 |  2   5   6   0
 *                       partner  8   1   3   7 |  6   0   2   5
 *                       keeps   min min max max| max max min min
 *                       value    3   1   8   7 |  6   5   2   0
 *
 * Why: a row that first rises and then falls is called bitonic. If each lane of its lower half
 * keeps the smaller and its partner in the upper half the larger of the two, both halves are
 * bitonic again and no value of the lower is larger than any of the upper: so halving sorts it. Two
 * sorted rows, one upwards and one downwards, make a bitonic row of twice the length. Which lane
 * keeps which follows from its number alone, so all lanes make the same calls, whatever the
 * values are.
 *
 * Result: lane i holds the i-th smallest value. All 32 lanes must be there.
 */
#include "shflviz/program.h"

template <class T> static __global__ void bitonic_sort(const T *in, T *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    T value = in[thread];

    for (int size = 2; size <= 32; size *= 2)
        for (int laneMask = size / 2; laneMask > 0; laneMask /= 2) {
            T other = __shfl_xor_sync(0xffffffff, value, laneMask);
            bool isUpwards = (lane & size) == 0;
            bool isLower = (lane & laneMask) == 0;
            bool isSmaller = other < value;
            if (isLower == isUpwards ? isSmaller : value < other)
                value = other;
        }
    shflviz_watch(value);

    out[thread] = value;
}

/* ---- the host's part ---- */

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(bitonic_sort<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

static int run(const shflviz_run *run) {
    return shflviz_with_scalar(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(bitonic_sort)
const shflviz_program SHFLVIZ_PROGRAM(bitonic_sort) = {
    {"bitonic-sort",
     "32 values sorted in 15 xor steps",
     __FILE__,
     SHFLVIZ_SOURCE(bitonic_sort),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_SCALAR,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane * 11 % 32"},
    run};
