/*
 * wave_halves.cu - 64 threads, five rounds: two sums, where a wave of 64 lanes wants one.
 *
 *     lane of the wave      0 ............ 31    32 ............ 63
 *
 *     16, 8, 4, 2, 1        sum of 0-31          sum of 32-63          five rounds
 *     32                    sum of 0-63          sum of 0-63           the sixth
 *
 * Most AMD GPUs for computing have waves of 64 lanes (HIP's documentation, "warpSize"); an NVIDIA
 * warp has 32. Code that begins its rounds at a literal 16 leaves two sums in a wave of 64, and
 * lane 0 has only one of them; code that tests `lane % 32 == 0` finds two such lanes; and a mask of
 * 32 bits has room for half the lanes. The other way about, rounds that begin at 32 are one too
 * many for a warp: laneMask 32 is laneMask 0 there, so every lane reads itself and counts twice.
 * Portable code begins at warpSize / 2.
 *
 * On this device the 64 threads are two warps. Nothing shuffles from one warp to another, so the
 * sixth round goes through shared memory, at the lane's number in the wave xor 32: what one more
 * shuffle does in a wave of 64.
 *
 * Result: all 64 threads hold the sum.
 */
#include "shflviz/program.h"

static __global__ void wave_halves(const int *in, int *out) {
    __shared__ int wave[64];
    unsigned lane = threadIdx.x; /* of the wave: 0 to 63 */
    int sum = in[lane];

    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, laneMask);
    shflviz_watch(sum); /* two sums */

    wave[lane] = sum;
    __syncthreads();
    sum += wave[lane ^ 32];
    shflviz_watch(sum); /* one */

    out[lane] = sum;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(wave_halves, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(wave_halves)
const shflviz_program SHFLVIZ_PROGRAM(wave_halves) = {
    {"wave-halves",
     "64 threads as a wave of 64 lanes need a sixth round",
     __FILE__,
     SHFLVIZ_SOURCE(wave_halves),
     PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 64, 1, nullptr, 0},
     "thread"},
    run};
