/*
 * compact.cu - the values worth keeping move to the front of the warp.
 *
 *     lane           0   1   2   3   4   5   6   7        keep what is above 20
 *     value          0  25   2  21   4   5  30   7
 *     keep           .   1   .   1   .   .   1   .        ballot: 0100 1010
 *     place              0       1           2            keepers below me
 *                      _/  _____/  _________/
 *                     /   /       /
 *     front          25  21  30   .   .   .   .   .
 *
 * Why: no lane needs to be told its place. The ballot names all lanes that keep; the smaller lanes
 * are its bits below bit i, and __popc counts them. To write a list into memory then takes
 * only
 *
 *     if (keep) list[place] = value;
 *
 * A shuffle works the other way round: a lane does not push its value to a place, it names the lane
 * it pulls from. So lane p looks for the keeper whose place is p: the p-th bit set in the ballot.
 *
 * Result: the first lanes of each warp hold the kept values, in their old order; the others hold 0.
 */
#include "shflviz/program.h"

/* The place of the n-th bit that is set in `lanes`, counted from 0. More than n are set. */
static __device__ int nth_lane(unsigned lanes, unsigned n) {
    for (; n > 0; n--)
        lanes &= lanes - 1; /* clears the lowest */
    return __ffs(lanes) - 1;
}

static __global__ void compact(const int *in, int *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int value = in[thread];

    unsigned kept = __ballot_sync(0xffffffff, value > 20);
    unsigned place = __popc(kept & ((1u << lane) - 1));
    unsigned count = __popc(kept);
    shflviz_watch(place);

    int srcLane = lane < count ? nth_lane(kept, lane) : lane;
    int front = __shfl_sync(0xffffffff, value, srcLane);
    if (lane >= count)
        front = 0;
    shflviz_watch(front);

    out[thread] = front;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(compact, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(compact)
const shflviz_program SHFLVIZ_PROGRAM(compact) = {
    {"compact",
     "kept values move to the front: ballot, count, one shuffle",
     __FILE__,
     SHFLVIZ_SOURCE(compact),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane * 7 % 32"},
    run};
