/*
 * grid_reduce_vector.cu - the sum of n values by a whole grid, 16 bytes per load: as fast as
 * memory can be read.
 *
 *     in          x x [ xxxx | xxxx | xxxx | xxxx | ... | xxxx ] x
 *                head   vectors: 4 floats or ints, 8 halves      tail
 *                      ^ the first address divisible by 16
 *
 * Why: a sum does one addition for each value that it reads, so it waits for memory and for nothing
 * else. What counts is how many bytes are in flight at a time. A load of 16 bytes asks for as
 * much as four loads of 4 bytes, and a thread issues four such loads before it needs the first.
 *
 * Such a load must begin at an address divisible by 16. `in` may begin anywhere: the values before
 * the first such address, and those that are left after the last whole vector, are added one by
 * one. There are fewer of them than in two vectors, possibly none; the first threads take one each.
 *
 * The four vectors of a thread have a sum each, so that no addition waits for another vector. The
 * rest is as in grid_reduce_block.cu: a tree in each warp, one in the first warp, one atomic
 * per block.
 *
 * Result: *total grows by the sum; show_total shows it. Blocks finish in any order, so a sum of
 * floats may differ in its last bits from run to run.
 */
#include "shflviz/reduction.h"

/* Loads that a thread has in flight at a time. */
static constexpr unsigned LOADS = 4;

/* The values of one load. */
template <class T> struct alignas(16) vector {
    static constexpr unsigned ITEMS = 16 / sizeof(T);
    T item[ITEMS];
};

template <class Sum, class T> static __device__ Sum sum_of(const vector<T> &values) {
    Sum sum = 0;
#pragma unroll
    for (unsigned item = 0; item < vector<T>::ITEMS; item++)
        sum += Sum(values.item[item]);
    return sum;
}

/* The sum over the first `lanes` lanes (1 to 32) of a warp, in lane 0. Only those lanes call. */
template <class Sum> static __device__ Sum reduce_lanes(Sum sum, unsigned lane, unsigned lanes) {
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;

    for (unsigned round = 16; round > 0; round /= 2) {
        unsigned delta = lane + round < lanes ? round : 0; /* no lane to read: its own value */
        Sum other = __shfl_down_sync(members, sum, delta);
        if (delta != 0)
            sum += other;
    }
    return sum;
}

/* This thread's share of the values before and after the vectors, and of the vectors. */
template <class Sum, class T>
static __device__ Sum sum_of_thread(const T *__restrict__ in, size_t n) {
    size_t misplaced = reinterpret_cast<size_t>(in) % 16;
    size_t head = misplaced ? (16 - misplaced) / sizeof(T) : 0;
    if (head > n)
        head = n;
    const vector<T> *__restrict__ vectors = reinterpret_cast<const vector<T> *>(in + head);
    size_t count = (n - head) / vector<T>::ITEMS;
    size_t behind = head + count * vector<T>::ITEMS; /* where the tail begins */
    size_t alone = head + (n - behind);              /* values in no vector */

    Sum sum[LOADS] = {};
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < alone;
         i += size_t(gridDim.x) * blockDim.x)
        sum[0] += Sum(in[i < head ? i : behind + (i - head)]);

    size_t tile = size_t(blockDim.x) * LOADS;
    for (size_t first = blockIdx.x * tile; first < count; first += gridDim.x * tile) {
        size_t i = first + threadIdx.x;
        if (first + tile <= count) {
            vector<T> values[LOADS];
#pragma unroll
            for (unsigned load = 0; load < LOADS; load++)
                values[load] = vectors[i + load * blockDim.x];
#pragma unroll
            for (unsigned load = 0; load < LOADS; load++)
                sum[load] += sum_of<Sum>(values[load]);
        } else {
            for (; i < count; i += blockDim.x) {
                vector<T> values = vectors[i];
                sum[0] += sum_of<Sum>(values);
            }
        }
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <class T, class Sum>
static __global__ void grid_reduce_vector(const T *in, size_t n, Sum *total) {
    __shared__ Sum partial[32]; /* one for each warp: a block has at most 32 */
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    unsigned warps = (blockDim.x + 31) / 32;
    unsigned lanes = min(32u, blockDim.x - 32 * warp); /* of this warp */

    Sum sum = reduce_lanes(sum_of_thread<Sum>(in, n), lane, lanes);
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
        unsigned grid = blocks ? blocks : blocks_at_a_time(grid_reduce_vector<T, Sum>, threads);
        void *arguments[] = {&values, &count, &total};
        return cudaLaunchKernel(grid_reduce_vector<T, Sum>, grid, threads, arguments, 0, 0);
    });
}

SHFLVIZ_REDUCTION_DECLARE(grid_reduce_vector)
const shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_vector) = {"grid-reduce-vector", launch};

static int run(const shflviz_run *run) {
    return shflviz_run_reduction(
        run, &SHFLVIZ_REDUCTION(grid_reduce_vector), 1, 0, [](auto *total) -> int {
            typedef std::remove_pointer_t<decltype(total)> Sum;
            void *arguments[] = {&total};
            return cudaLaunchKernel(show_total<Sum>, 1, 1, arguments, 0, 0);
        });
}

SHFLVIZ_PROGRAM_DECLARE(grid_reduce_vector)
const shflviz_program SHFLVIZ_PROGRAM(grid_reduce_vector) = {
    {"grid-reduce-vector",
     "the sum of n values: 16 bytes per load, one atomic per block",
     __FILE__,
     SHFLVIZ_SOURCE(grid_reduce_vector),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT |
         PROGRAM_TAKES_COUNT,
     SHFLVIZ_TYPES_SUMMED,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 64, 2, nullptr, 1000},
     "thread"},
    run};
