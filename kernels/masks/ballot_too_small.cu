/*
 * ballot_too_small.cu - the mask is right, and the tree still reads beyond it.
 *
 *     n = 20:   lanes 0-19 have a value, the ballot names just those: 0x000fffff
 *
 *     delta 16   lane   0  1  2  3 |  4  5 ... 15 | 16 ... 19
 *                reads 16 17 18 19 | 20 21 ... 31 |  own        20-31 are not in the mask
 *
 * A ballot before the branch gives the mask of the lanes that take it, which is what it is for. But
 * the tree goes on as if there were 32: lanes 4-15 read lanes that the mask leaves out, and get
 * values that nothing defines. They reach lane 0 through lane 4, two rounds later. Nothing
 * waits and nothing stops; the sum is wrong, or happens to be right.
 *
 * Naming the lanes that take part is one thing; making each read one of them is another, and the
 * kernel must do that itself: by an address that stays below n (block_reduce.cu), by a fold
 * (fold_sum.cu), or by zeros in all 32 lanes (partial_sum_padded.cu).
 *
 * Result: undefined in lane 0, unless n is 32.
 */
#include "shflviz/program.h"

static __global__ void ballot_too_small(const int *in, int *out, unsigned n) {
    unsigned lane = threadIdx.x;
    unsigned live = __ballot_sync(0xffffffff, lane < n);

    if (lane < n) {
        int sum = in[lane];
        for (unsigned delta = 16; delta > 0; delta /= 2)
            sum += __shfl_down_sync(live, sum, delta);
        shflviz_watch(sum);
        if (lane == 0)
            *out = sum;
    }
}

/* ---- the host's part ---- */

/* n values in the first n of 32 lanes. */
static int run(const shflviz_run *run) {
    unsigned n = unsigned(program_input_count(run->parameters));
    if (n > 32)
        return cudaErrorInvalidValue;
    return shflviz_run_in_out<int>(run, 1, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out, &n};
        cudaLaunchKernel(ballot_too_small, 1, 32, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(ballot_too_small)
const shflviz_program SHFLVIZ_PROGRAM(ballot_too_small) = {
    {"ballot-too-small",
     "down reads beyond the mask that a ballot returned",
     __FILE__,
     SHFLVIZ_SOURCE(ballot_too_small),
     PROGRAM_TAKES_COUNT | PROGRAM_TAKES_INPUT | PROGRAM_ONE_WARP | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 20},
     "1"},
    run};
