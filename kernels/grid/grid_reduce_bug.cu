/*
 * grid_reduce_bug.cu - a sum that one wrong word in the code spoils, beside the right one.
 *
 * The loop of the wrong kernel begins at threadIdx.x, the thread's number in its block, and
 * advances by the number of threads in the grid. So every block reads what block 0 should read, and
 * nobody reads the rest:
 *
 *     2 blocks of 4 threads   in   0  1  2  3 | 4  5  6  7 | 8  9 10 11 | 12 13 14 15
 *
 *     wrong   block 0              r  r  r  r                r  r  r  r
 *             block 1              r  r  r  r                r  r  r  r
 *     right   block 0              r  r  r  r                r  r  r  r
 *             block 1                           r  r  r  r                 r  r  r  r
 *
 * What it computes: blocks times the sum of block 0's share, the values in[i] with
 * i % (blocks * threads) < threads. Here 2 * (0+1+2+3 + 8+9+10+11) = 88, where 120 is right. If one
 * block's threads are enough for all n values, every block counts all of them: blocks times the
 * right sum.
 *
 * What hides it: with one block it is right. With equal values and an n that the grid divides it is
 * right too, since what is counted twice equals what is left out. A test with ones finds nothing.
 *
 * Result: total[0] grows by the wrong sum, total[1] by the right one; show_both shows them.
 */
#include "shflviz/reduction.h"

/* The sum over a warp, which may be partial, in its lane 0. */
template <class Sum> static __device__ Sum warp_sum(Sum sum) {
    unsigned lane = threadIdx.x % 32;
    unsigned lanes = min(32u, blockDim.x - (threadIdx.x - lane));
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;

    for (unsigned round = 16; round > 0; round /= 2) {
        unsigned delta = lane + round < lanes ? round : 0; /* nobody to read: its own value */
        Sum other = __shfl_down_sync(members, sum, delta);
        if (delta != 0)
            sum += other;
    }
    return sum;
}

template <class T, class Sum>
static __global__ void grid_reduce_bug(const T *in, size_t n, Sum *total) {
    Sum wrong = 0;
    for (size_t i = threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        wrong += Sum(in[i]);
    shflviz_watch(wrong);

    wrong = warp_sum(wrong);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total[0], wrong);
}

template <class T, class Sum>
static __global__ void grid_reduce_right(const T *in, size_t n, Sum *total) {
    Sum right = 0;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += size_t(gridDim.x) * blockDim.x)
        right += Sum(in[i]);
    shflviz_watch(right);

    right = warp_sum(right);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total[1], right);
}

template <class Sum> static __global__ void show_both(const Sum *wrong, const Sum *right) {
    shflviz_watch(*wrong);
    shflviz_watch(*right);
}

/* ---- the host's part ---- */

/* `sum` is two sums: the wrong one and the right one. */
static int launch(enum warp_type type, const void *in, size_t n, void *sum, unsigned blocks,
                  unsigned threads) {
    return shflviz_with_summed(type, [=](auto tag) -> int {
        typedef typename decltype(tag)::type T;
        typedef typename sum_type<T>::type Sum;
        const T *values = static_cast<const T *>(in);
        Sum *total = static_cast<Sum *>(sum);
        size_t count = n;
        unsigned grid = blocks ? blocks : blocks_at_a_time(grid_reduce_bug<T, Sum>, threads);
        void *arguments[] = {&values, &count, &total};
        int error = cudaLaunchKernel(grid_reduce_bug<T, Sum>, grid, threads, arguments, 0, 0);
        if (error == cudaSuccess)
            error = cudaLaunchKernel(grid_reduce_right<T, Sum>, grid, threads, arguments, 0, 0);
        return error;
    });
}

SHFLVIZ_REDUCTION_DECLARE(grid_reduce_bug)
const shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_bug) = {"grid-reduce-bug", launch};

/* Returns the wrong sum and, if there is a second value, the right one. */
static int run(const shflviz_run *run) {
    return shflviz_run_reduction(run, &SHFLVIZ_REDUCTION(grid_reduce_bug), 2, 0,
                                 [](auto *total) -> int {
                                     typedef std::remove_pointer_t<decltype(total)> Sum;
                                     Sum *wrong = total, *right = total + 1;
                                     void *arguments[] = {&wrong, &right};
                                     return cudaLaunchKernel(show_both<Sum>, 1, 1, arguments, 0, 0);
                                 });
}

SHFLVIZ_PROGRAM_DECLARE(grid_reduce_bug)
const shflviz_program SHFLVIZ_PROGRAM(grid_reduce_bug) = {
    {"grid-reduce-bug",
     "a loop from threadIdx.x: the wrong sum beside the right one",
     __FILE__,
     SHFLVIZ_SOURCE(grid_reduce_bug),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT |
         PROGRAM_TAKES_COUNT,
     SHFLVIZ_TYPES_SUMMED,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 4, 2, nullptr, 16},
     "thread"},
    run};
