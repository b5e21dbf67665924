/*
 * grid_allreduce.cu - the sum of n values, in every thread of the grid.
 *
 *     launch 1    warp 0       warp 1       ...      butterfly: 16 8 4 2 1, every lane of a warp
 *                    \            |         /        then holds that warp's sum
 *     memory         [ total, one atomicAdd per warp ]
 *     - - - - - - - - - - - - - - - - - - - - - - -  the end of the launch
 *     memory         [ total ]
 *                    /            |         \        lane 0 of each warp reads it
 *     launch 2    warp 0       warp 1       ...      broadcast: every lane of every block has it
 *
 * "All" means three different things, and each needs something different:
 *  - all lanes of a warp: the butterfly gives it directly, with as many shuffles as a tree;
 *  - all warps of a block: shared memory and __syncthreads(), as in allreduce.cu;
 *  - all blocks of a grid: a block cannot wait for the others, since they may not have begun.
 *    Every block can rely on the end of the previous launch.
 *
 * Why the butterfly in launch 1, when only lane 0 of a warp goes on: to show what it gives; it
 * costs as much as the tree. The last warp of a block may be partial: lanes beyond it do not exist,
 * so a lane whose partner is one of them takes laneMask 0, its own value, and adds nothing. Not
 * every lane then has the sum, but lane 0 does: its partners 16, 8, 4, 2, 1 cover all others that
 * exist.
 *
 * Result: out[t] is the sum, for every thread t of the grid. *total grows by the sum.
 */
#include "shflviz/reduction.h"

template <class T, class Sum> static __global__ void add_up(const T *in, size_t n, Sum *total) {
    unsigned lane = threadIdx.x % 32;
    unsigned lanes = min(32u, blockDim.x - (threadIdx.x - lane)); /* of this warp */
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;

    Sum sum = 0;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += size_t(gridDim.x) * blockDim.x)
        sum += Sum(in[i]);

    for (unsigned round = 16; round > 0; round /= 2) {
        unsigned laneMask = (lane ^ round) < lanes ? round : 0;
        Sum other = __shfl_xor_sync(members, sum, laneMask);
        if (laneMask != 0)
            sum += other;
    }
    if (lane == 0)
        atomicAdd(total, sum);
}

template <class Sum> static __global__ void hand_out(const Sum *total, Sum *out) {
    unsigned lane = threadIdx.x % 32;
    unsigned lanes = min(32u, blockDim.x - (threadIdx.x - lane)); /* of this warp */
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;

    Sum sum = lane == 0 ? *total : Sum(0);
    sum = __shfl_sync(members, sum, 0);

    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* ---- the host's part ---- */

/* The threads' copies of the sum come after it: `sum` is 1 + blocks * threads sums, so `blocks`
 * must be given. */
static int launch(enum warp_type type, const void *in, size_t n, void *sum, unsigned blocks,
                  unsigned threads) {
    if (blocks == 0)
        return cudaErrorInvalidValue;
    return shflviz_with_summed(type, [=](auto tag) -> int {
        typedef typename decltype(tag)::type T;
        typedef typename sum_type<T>::type Sum;
        const T *values = static_cast<const T *>(in);
        Sum *total = static_cast<Sum *>(sum), *out = total + 1;
        size_t count = n;
        void *arguments[] = {&values, &count, &total};
        void *handed[] = {&total, &out};
        int error = cudaLaunchKernel(add_up<T, Sum>, blocks, threads, arguments, 0, 0);
        if (error == cudaSuccess)
            error = cudaLaunchKernel(hand_out<Sum>, blocks, threads, handed, 0, 0);
        return error;
    });
}

SHFLVIZ_REDUCTION_DECLARE(grid_allreduce)
const shflviz_reduction SHFLVIZ_REDUCTION(grid_allreduce) = {"grid-allreduce", launch};

static int run(const shflviz_run *run) {
    size_t threads = size_t(run->parameters->threads) * run->parameters->blocks;
    return shflviz_run_reduction(run, &SHFLVIZ_REDUCTION(grid_allreduce), 1 + threads, 1,
                                 [](auto *) -> int { return cudaSuccess; });
}

SHFLVIZ_PROGRAM_DECLARE(grid_allreduce)
const shflviz_program SHFLVIZ_PROGRAM(grid_allreduce) = {
    {"grid-allreduce",
     "the sum of n values in every thread of a grid: two launches",
     __FILE__,
     SHFLVIZ_SOURCE(grid_allreduce),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT |
         PROGRAM_TAKES_COUNT,
     SHFLVIZ_TYPES_SUMMED,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 64, 2, nullptr, 1000},
     "thread % 100"},
    run};
