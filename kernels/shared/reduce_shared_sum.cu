/*
 * reduce_shared_sum.cu - one sum twice, in the same rounds: through shared memory, and by shuffles.
 *
 *     delta 16   lanes 0-15 add what lanes 16-31 hold
 *     delta 8    lanes 0-7  add what lanes 8-15 hold
 *     delta 4    lanes 0-3           delta 2    lanes 0-1           delta 1    lane 0
 *
 *     a round    through shared memory              by a shuffle
 *                every lane has written its cell
 *                __syncwarp()                       __shfl_down_sync(...)
 *                read the cell of lane + delta
 *                add, write
 *
 * Why: the lanes of a warp need not run in step, so between a write and another lane's read there
 * must be a __syncwarp(): it waits for the lanes and it orders memory. Without it a lane may read a
 * cell before it is written. A shuffle is a meeting and a transfer in one instruction, and needs no
 * memory.
 *
 * For a warp that is 31 additions either way. Through memory they take 32 + 31 writes, 31 + 31
 * reads, 5 meetings and 128 bytes of shared memory; otherwise 5 shuffles.
 *
 * Result: lane 0 holds the sum, in both ways. All 32 lanes must be there.
 */
#include "shflviz/program.h"

static __global__ void reduce_shared_sum(const int *in, int *out) {
    __shared__ int cells[1024]; /* one for each thread of the block */
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int *cell = &cells[threadIdx.x];
    int sum = in[thread];
    *cell = sum;

    for (unsigned delta = 16; delta > 0; delta /= 2) {
        __syncwarp();
        if (lane < delta)
            *cell += cell[delta]; /* of lane + delta, which no longer writes */
        shflviz_watch(*cell);

        int other = __shfl_down_sync(0xffffffff, sum, delta);
        if (lane < delta)
            sum += other;
        shflviz_watch(sum);
    }

    out[thread] = lane == 0 ? sum - *cell : 0; /* the difference */
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(reduce_shared_sum, parameters->blocks, parameters->threads, arguments, 0,
                         0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(reduce_shared_sum)
const shflviz_program SHFLVIZ_PROGRAM(reduce_shared_sum) = {
    {"reduce-shared-sum",
     "a sum through shared memory beside the same sum by shuffles",
     __FILE__,
     SHFLVIZ_SOURCE(reduce_shared_sum),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
