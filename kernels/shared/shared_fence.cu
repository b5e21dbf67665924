/*
 * shared_fence.cu - a shuffle is a meeting of lanes, but not a memory fence.
 *
 *     promised    box[mine] = value     __syncwarp()    read box[partner]: the new value
 *
 *     hoped for   box[mine] = value     a shuffle       read box[partner]: the new value?
 *
 *     may happen                        a shuffle       read box[partner]: the OLD value
 *                                                       box[mine] = value, late
 *
 * Why: no lane leaves a shuffle before all lanes have reached it, so it seems that all have
 * written. They have only passed the line that does it. The guide promises an order of memory
 * accesses for __syncwarp(); of shuffles, votes and matches it says that they imply no memory
 * barrier. So compiler and hardware may do the write later than the shuffle, or the read earlier.
 * That it has always worked on some GPU is an observation.
 *
 * What the shuffle itself hands over is right all the same: it goes from register to register.
 *
 * The second half below spells that order out, so that it can be watched on any device: the write
 * is where it may end up. (The __syncwarp() before it only keeps this text free of a race.)
 *
 * Result: every lane holds its partner's value, read after a __syncwarp(), and the old one, read
 * too early; the difference is written. All 32 lanes must be there.
 */
#include "shflviz/program.h"

static __global__ void shared_fence(const int *in, int *out) {
    __shared__ int box[1024]; /* one for each thread of the block */
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine = threadIdx.x, partner = threadIdx.x ^ 1;
    int value = in[thread];

    box[mine] = value;
    __syncwarp(); /* waits for the lanes, and orders memory */
    int fenced = box[partner];
    __syncwarp();
    shflviz_watch(fenced);

    box[mine] = -1; /* the old value */
    __syncwarp();
    int handedOver = __shfl_xor_sync(0xffffffff, value, 1); /* waits for the lanes */
    int notFenced = box[partner];
    __syncwarp();
    box[mine] = value; /* late */
    shflviz_watch(handedOver);
    shflviz_watch(notFenced);

    out[thread] = fenced - notFenced; /* by how much the early read is wrong */
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(shared_fence, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(shared_fence)
const shflviz_program SHFLVIZ_PROGRAM(shared_fence) = {
    {"shared-fence",
     "a shuffle does not order memory accesses: shared memory read too early",
     __FILE__,
     SHFLVIZ_SOURCE(shared_fence),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane + 100"},
    run};
