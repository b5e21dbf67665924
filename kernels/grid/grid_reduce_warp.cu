/*
 * grid_reduce_warp.cu - the sum of n values by a whole grid: a tree in each warp, one atomic
 * per warp.
 *
 *     2 blocks of 64 threads, n = 1000:
 *
 *     thread 0 of the grid adds    in[0] + in[128] + in[256] + ... + in[896]
 *     thread 1                     in[1] + in[129] + in[257] + ... + in[897]
 *     ...
 *     thread 127                   in[127] + in[255] + ...         (no in[1023]: n is 1000)
 *
 *     each warp, a tree with down:   delta 16   8   4   2   1      lane 0 holds the warp's sum
 *     lane 0 of each warp:           atomicAdd(total, sum)         4 of them, in any order
 *
 * Why the loop: the grid need not fit n. Every thread starts at its own number in the grid, then
 * steps by the number of threads in the grid, so each value is read once, and the lanes of a warp
 * read neighbours, which memory delivers together.
 *
 * Why nobody leaves early: a thread whose share is empty still makes the shuffles, with 0. Every
 * lane named in the mask must.
 *
 * The last warp of a block may be partial. A lane that would read beyond it takes delta 0, which is
 * its own value and always defined, and adds nothing.
 *
 * Result: *total grows by the sum; show_total shows it. The atomics run in any order, so a sum of
 * floats may differ in its last bits from run to run; a sum of ints never does.
 */
#include "shflviz/reduction.h"

template <class T, class Sum>
static __global__ void grid_reduce_warp(const T *in, size_t n, Sum *total) {
    unsigned lane = threadIdx.x % 32;
    unsigned lanes = min(32u, blockDim.x - (threadIdx.x - lane)); /* of this warp */
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
    size_t threads = size_t(gridDim.x) * blockDim.x; /* of the grid */

    Sum sum = 0;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads)
        sum += Sum(in[i]);

    for (unsigned round = 16; round > 0; round /= 2) {
        unsigned delta = lane + round < lanes ? round : 0;
        Sum other = __shfl_down_sync(members, sum, delta);
        if (delta != 0)
            sum += other;
    }
    shflviz_watch(sum);

    if (lane == 0)
        atomicAdd(total, sum);
}

template <class Sum> static __global__ void show_total(const Sum *total) {
    shflviz_watch(*total);
}

/* ---- the host's part ---- */

static int launch(enum warp_type type, const void *in, size_t n, void *sum, unsigned blocks,
                  unsigned threads) {
    return shflviz_with_summed(type, [=](auto tag) -> int {
        typedef typename decltype(tag)::type T;
        typedef typename sum_type<T>::type Sum;
        const T *values = static_cast<const T *>(in);
        Sum *total = static_cast<Sum *>(sum);
        size_t count = n;
        unsigned grid = blocks ? blocks : blocks_at_a_time(grid_reduce_warp<T, Sum>, threads);
        void *arguments[] = {&values, &count, &total};
        return cudaLaunchKernel(grid_reduce_warp<T, Sum>, grid, threads, arguments, 0, 0);
    });
}

SHFLVIZ_REDUCTION_DECLARE(grid_reduce_warp)
const shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_warp) = {"grid-reduce-warp", launch};

static int run(const shflviz_run *run) {
    return shflviz_run_reduction(
        run, &SHFLVIZ_REDUCTION(grid_reduce_warp), 1, 0, [](auto *total) -> int {
            typedef std::remove_pointer_t<decltype(total)> Sum;
            void *arguments[] = {&total};
            return cudaLaunchKernel(show_total<Sum>, 1, 1, arguments, 0, 0);
        });
}

SHFLVIZ_PROGRAM_DECLARE(grid_reduce_warp)
const shflviz_program SHFLVIZ_PROGRAM(grid_reduce_warp) = {
    {"grid-reduce-warp",
     "the sum of n values: a tree in each warp, one atomic per warp",
     __FILE__,
     SHFLVIZ_SOURCE(grid_reduce_warp),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT |
         PROGRAM_TAKES_COUNT,
     SHFLVIZ_TYPES_SUMMED,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 64, 2, nullptr, 1000},
     "thread"},
    run};
