/*
 * reduce_sync.cu - six reductions, each of them one instruction.
 *
 *     lane                  0      1      2      3            4 lanes of 32
 *     value                 3      5      6      1
 *     in bits              011    101    110    001
 *
 *     __reduce_add_sync    15      __reduce_and_sync  000     bits that all have
 *     __reduce_min_sync     1      __reduce_or_sync   111     bits that some have
 *     __reduce_max_sync     6      __reduce_xor_sync  001     bits that an odd number have
 *
 * Why: a butterfly of shuffles takes 5 rounds, and in each a shuffle and an addition. Here the
 * hardware does all of it, the result is in every lane that calls, and the member mask may be any
 * set of lanes: no power of two, no neutral element for lanes that are not there.
 *
 * But: only 32-bit integers (and, or, xor: unsigned), and only from compute capability 8.0 on. For
 * an older GPU the kernel is compiled with butterflies in their place: the same six results from 30
 * shuffles, which is what its recording shows then. Sums of floats still need shuffles everywhere.
 *
 * Result: every lane holds the sum; the other five are watched.
 */
#include "shflviz/program.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
/* Before compute capability 8.0: five rounds. All 32 lanes must be there. */
template <class T, class Operation> static __device__ T butterfly(T value, Operation combine) {
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffff, value, laneMask));
    return value;
}
#endif

static __global__ void reduce_sync(const int *in, int *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[thread];
    unsigned bits = value;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    int sum = __reduce_add_sync(0xffffffff, value);
    int smallest = __reduce_min_sync(0xffffffff, value);
    int largest = __reduce_max_sync(0xffffffff, value);
    unsigned common = __reduce_and_sync(0xffffffff, bits);
    unsigned some = __reduce_or_sync(0xffffffff, bits);
    unsigned odd = __reduce_xor_sync(0xffffffff, bits);
#else
    int sum = butterfly(value, [](int a, int b) { return a + b; });
    int smallest = butterfly(value, [](int a, int b) { return min(a, b); });
    int largest = butterfly(value, [](int a, int b) { return max(a, b); });
    unsigned common = butterfly(bits, [](unsigned a, unsigned b) { return a & b; });
    unsigned some = butterfly(bits, [](unsigned a, unsigned b) { return a | b; });
    unsigned odd = butterfly(bits, [](unsigned a, unsigned b) { return a ^ b; });
#endif
    shflviz_watch(smallest);
    shflviz_watch(largest);
    shflviz_watch(common);
    shflviz_watch(some);
    shflviz_watch(odd);

    out[thread] = sum;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(reduce_sync, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(reduce_sync)
const shflviz_program SHFLVIZ_PROGRAM(reduce_sync) = {
    {"reduce-sync",
     "sum, minimum, maximum, and, or, xor: one instruction each",
     __FILE__,
     SHFLVIZ_SOURCE(reduce_sync),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane + 64"},
    run};
