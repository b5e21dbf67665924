/*
 * grid_reduce_block.cu - the sum of n values by a whole grid: several per thread at a time, and
 * one atomic per block.
 *
 *     in          [ tile 0 | tile 1 | tile 2 | tile 3 | tile 4 | ti ]   a tile: 4 values per thread
 *     2 blocks      block 0  block 1  block 0  block 1  block 0  block 1
 *
 *     a block     warp 0      warp 1      ...       each a tree with down: 16 8 4 2 1
 *                    \           |       /
 *     shared      [ sum 0   |  sum 1  | ... ]       lane 0 of each writes      __syncthreads()
 *                    \           |       /
 *                 warp 0: one more tree             thread 0: atomicAdd(total, sum)
 *
 * Why several values at a time: a load waits for memory, and four loads that do not need
 * each other's result wait at the same time. In a whole tile the loop has no test between them.
 *
 * Why an atomic, rather than one result per block and a second kernel that adds those up: it needs
 * no second launch and no extra memory, and a block does it only once. The price is
 * that blocks finish in any order: a sum of floats may differ in its last bits from run to run.
 * Where that matters, store the blocks' sums and add them in order.
 *
 * Result: *total grows by the sum; show_total shows it.
 */
#include "shflviz/reduction.h"

/* Values that a thread loads at a time. */
static constexpr unsigned ITEMS = 4;

/* The sum over the first `lanes` lanes (1 to 32) of a warp, in lane 0. Only those lanes call. */
template <class Sum> static __device__ Sum reduce_lanes(Sum sum, unsigned lane, unsigned lanes) {
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
static __global__ void grid_reduce_block(const T *in, size_t n, Sum *total) {
    __shared__ Sum partial[32]; /* one for each warp: a block has at most 32 */
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    unsigned warps = (blockDim.x + 31) / 32;
    unsigned lanes = min(32u, blockDim.x - 32 * warp); /* of this warp */
    size_t tile = size_t(blockDim.x) * ITEMS;

    Sum sum = 0;
    for (size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        size_t i = first + threadIdx.x;
        if (first + tile <= n) {
#pragma unroll
            for (unsigned item = 0; item < ITEMS; item++)
                sum += Sum(in[i + item * blockDim.x]);
        } else {
            for (; i < n; i += blockDim.x)
                sum += Sum(in[i]);
        }
    }

    sum = reduce_lanes(sum, lane, lanes);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();

    if (threadIdx.x < warps) {
        sum = reduce_lanes(partial[lane], lane, warps);
        shflviz_watch(sum);
    }
    if (threadIdx.x == 0)
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
        unsigned grid = blocks ? blocks : blocks_at_a_time(grid_reduce_block<T, Sum>, threads);
        void *arguments[] = {&values, &count, &total};
        return cudaLaunchKernel(grid_reduce_block<T, Sum>, grid, threads, arguments, 0, 0);
    });
}

SHFLVIZ_REDUCTION_DECLARE(grid_reduce_block)
const shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_block) = {"grid-reduce-block", launch};

static int run(const shflviz_run *run) {
    return shflviz_run_reduction(
        run, &SHFLVIZ_REDUCTION(grid_reduce_block), 1, 0, [](auto *total) -> int {
            typedef std::remove_pointer_t<decltype(total)> Sum;
            void *arguments[] = {&total};
            return cudaLaunchKernel(show_total<Sum>, 1, 1, arguments, 0, 0);
        });
}

SHFLVIZ_PROGRAM_DECLARE(grid_reduce_block)
const shflviz_program SHFLVIZ_PROGRAM(grid_reduce_block) = {
    {"grid-reduce-block",
     "the sum of n values: several per thread, one atomic per block",
     __FILE__,
     SHFLVIZ_SOURCE(grid_reduce_block),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT |
         PROGRAM_TAKES_COUNT,
     SHFLVIZ_TYPES_SUMMED,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 64, 2, nullptr, 1000},
     "thread"},
    run};
