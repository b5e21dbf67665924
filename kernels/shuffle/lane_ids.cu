/*
 * lane_ids.cu - which lane of which warp a thread is, in a block of two dimensions.
 *
 * Warps are formed by the linear numbers of threads, x + y * blockDim.x + ..., and know nothing of
 * rows (CUDA C++ Programming Guide 11.6, "SIMT Architecture", "Thread Hierarchy"). In a block of
 * 8 x 8 threads a warp is four rows:
 *
 *     y = 0    lane  0  1  2  3  4  5  6  7      threadIdx.x % 32:  0 1 2 3 4 5 6 7
 *     y = 1    lane  8  9 10 11 12 13 14 15                         0 1 2 3 4 5 6 7
 *     y = 2    lane 16 17 18 19 20 21 22 23      warp 0             0 1 2 3 4 5 6 7
 *     y = 3    lane 24 25 26 27 28 29 30 31                         0 1 2 3 4 5 6 7
 *     y = 4    lane  0  1  2  3  4  5  6  7      warp 1             0 1 2 3 4 5 6 7
 *     ...
 *
 * People often write threadIdx.x % 32, which is the lane in a block of one dimension and nowhere
 * else. Here four lanes of each warp then take themselves for lane 0, and all four do what one
 * should do: write the warp's sum, add to a counter.
 *
 * Result: each thread's number, put together from its warp and its lane. The ballots show which
 * lanes take themselves for lane 0; the shuffle reads the thread's number from the real lane 0.
 */
#include "shflviz/program.h"

static __global__ void lane_ids(int *out) {
    unsigned wrong = threadIdx.x % 32;
    unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned lane = thread % 32;
    unsigned warp = thread / 32;
    shflviz_watch(wrong);
    shflviz_watch(lane);
    shflviz_watch(warp);

    __ballot_sync(0xffffffff, wrong == 0);
    __ballot_sync(0xffffffff, lane == 0);
    __shfl_sync(0xffffffff, thread, 0);

    out[thread] = int(32 * warp + lane);
}

/* ---- the host's part ---- */

/* 8 x 8 threads; the parameters have only their total number. */
static int run(const shflviz_run *run) {
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *, int *out) {
        void *arguments[] = {&out};
        cudaLaunchKernel(lane_ids, 1, dim3(8, 8), arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(lane_ids)
const shflviz_program SHFLVIZ_PROGRAM(lane_ids) = {
    {"lane-ids",
     "which lane a thread of an 8 x 8 block is",
     __FILE__,
     SHFLVIZ_SOURCE(lane_ids),
     0,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 64, 1, nullptr, 0},
     "thread"},
    run};
