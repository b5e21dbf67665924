/*
 * activemask.cu - __activemask() says which lanes are there now, not which are coming.
 *
 *     if (lane < 16)                        lane   0 1 2 3 4 5 ...            15
 *         members = __activemask();                |_____| |_______________|
 *                                                  come     come later: another mask
 *                                                  first
 *
 * It is a query: it waits for nobody, and names the lanes that run this instruction together right
 * now. Lanes of one warp may go through one branch in several parts, as the hardware decides; then
 * each part gets its own mask and sums only itself (CUDA C++ Programming Guide 11.6, "Independent
 * Thread Scheduling": "threads within a warp can diverge even within a single code path"). What a
 * lane reads from another part is undefined. Try --schedule 1, 2, 3 here.
 *
 * __ballot_sync() with the branch's condition, before the branch, asks all 32 lanes, waits for
 * them, and gives all the same mask: those that will take the branch.
 *
 * Result: lane 0's sum of lanes 0-15, from the first kernel in out[0], right or wrong, and from the
 * second in out[1].
 */
#include "shflviz/program.h"

static __device__ int half_sum(unsigned members, int sum) {
    for (int delta = 8; delta > 0; delta /= 2)
        sum += __shfl_down_sync(members, sum, delta, 16);
    return sum;
}

static __global__ void by_activemask(const int *in, int *out) {
    if (threadIdx.x < 16) {
        unsigned members = __activemask();
        int sum = half_sum(members, in[threadIdx.x]);
        shflviz_watch(sum);
        if (threadIdx.x == 0)
            out[0] = sum;
    }
}

static __global__ void by_ballot(const int *in, int *out) {
    unsigned members = __ballot_sync(0xffffffff, threadIdx.x < 16);
    if (threadIdx.x < 16) {
        int sum = half_sum(members, in[threadIdx.x]);
        shflviz_watch(sum);
        if (threadIdx.x == 0)
            out[1] = sum;
    }
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, 2, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(by_activemask, 1, parameters->threads, arguments, 0, 0);
        cudaLaunchKernel(by_ballot, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(activemask)
const shflviz_program SHFLVIZ_PROGRAM(activemask) = {
    {"activemask",
     "lanes in a branch right now; a ballot of the lanes that will take it",
     __FILE__,
     SHFLVIZ_SOURCE(activemask),
     PROGRAM_TAKES_INPUT | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
