/*
 * grid_reduce_half.cu - halves added in half and in float, side by side.
 *
 * A half has 11 significant bits. From 2048 on neighbouring halves are 2 apart, from 4096 on 4
 * apart, and so on; a sum is rounded to the nearest of them, or to the even one if it is halfway:
 *
 *     2047 + 1 = 2048          exact
 *     2048 + 1 = 2049          not a half: 2048 or 2050?  the even one, 2048
 *     2048 + 1 = 2048          and so on forever
 *
 * So a thread that counts ones in a half stops at 2048, however many follow. A tree gets further,
 * since it adds values of similar size: 1024 + 1024 is exact. There is still no half for 2049, and
 * none beyond 65504, where a half becomes infinite. A float has 24 bits; the same happens to it at
 * 16777216, 8192 times later.
 *
 * That is why the other kernels read halves and add floats: a sum waits for memory, and halves take
 * only half as much of it; the sum itself loses nothing.
 *
 * Result: total->narrow grows by the sum added in halves, total->wide by the sum added in floats;
 * show_both shows them.
 */
#include "shflviz/reduction.h"

struct totals {
    __half narrow;
    float wide;
};

/* The value of lane + delta, for lanes that have a lane to read; else the lane's own value. */
template <class T>
static __device__ T from_above(T sum, unsigned lane, unsigned lanes, unsigned delta) {
    unsigned members = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
    return __shfl_down_sync(members, sum, lane + delta < lanes ? delta : 0);
}

static __global__ void grid_reduce_half(const __half *in, size_t n, totals *total) {
    unsigned lane = threadIdx.x % 32;
    unsigned lanes = min(32u, blockDim.x - (threadIdx.x - lane)); /* of this warp */
    size_t threads = size_t(gridDim.x) * blockDim.x;              /* of the grid */

    __half narrow = __float2half(0);
    float wide = 0;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) {
        narrow = __hadd(narrow, in[i]);
        wide += __half2float(in[i]);
    }
    shflviz_watch(narrow);
    shflviz_watch(wide);

    for (unsigned delta = 16; delta > 0; delta /= 2) {
        __half other_narrow = from_above(narrow, lane, lanes, delta);
        float other_wide = from_above(wide, lane, lanes, delta);
        if (lane + delta < lanes) {
            narrow = __hadd(narrow, other_narrow);
            wide += other_wide;
        }
    }

    if (lane == 0) {
        atomicAdd(&total->narrow, narrow);
        atomicAdd(&total->wide, wide);
    }
}

static __global__ void show_both(const totals *total) {
    shflviz_watch(total->narrow);
    shflviz_watch(total->wide);
}

/* ---- the host's part ---- */

/* `sum` is a struct totals. */
static int launch(enum warp_type type, const void *in, size_t n, void *sum, unsigned blocks,
                  unsigned threads) {
    if (type != WARP_TYPE_HALF)
        return cudaErrorInvalidValue;
    const __half *values = static_cast<const __half *>(in);
    totals *total = static_cast<totals *>(sum);
    unsigned grid = blocks ? blocks : blocks_at_a_time(grid_reduce_half, threads);
    void *arguments[] = {&values, &n, &total};
    return cudaLaunchKernel(grid_reduce_half, grid, threads, arguments, 0, 0);
}

SHFLVIZ_REDUCTION_DECLARE(grid_reduce_half)
const shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_half) = {"grid-reduce-half", launch};

/* Returns the half's sum and, if there is a second value, the float's, as a half. */
static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    size_t threads = size_t(parameters->threads) * parameters->blocks;
    device_array<__half> in(program_input_count(parameters));
    device_array<totals> total(1);
    totals sums = {__float2half(0), 0};
    in.copy_from_bits(parameters->input);
    total.copy_from(&sums);
    if (in.error != cudaSuccess || total.error != cudaSuccess)
        return in.error != cudaSuccess ? in.error : total.error;

    void *arguments[] = {&total.data};
    int launched = launch(parameters->type, in.data, in.count, total.data, parameters->blocks,
                          parameters->threads);
    if (launched == cudaSuccess)
        launched = cudaLaunchKernel(show_both, 1, 1, arguments, 0, 0);
    int finished = cudaDeviceSynchronize();
    total.copy_to(&sums);
    if (launched == cudaSuccess && finished == cudaSuccess && run->output) {
        __half returned[] = {sums.narrow, __float2half(sums.wide)};
        memset(run->output, 0, threads * sizeof *run->output);
        for (size_t i = 0; i < 2 && i < threads; i++)
            memcpy(run->output + i, static_cast<void *>(returned + i), sizeof returned[i]);
    }
    return finished != cudaSuccess ? finished : launched;
}

SHFLVIZ_PROGRAM_DECLARE(grid_reduce_half)
const shflviz_program SHFLVIZ_PROGRAM(grid_reduce_half) = {
    {"grid-reduce-half",
     "why halves are added up in float: both sums, side by side",
     __FILE__,
     SHFLVIZ_SOURCE(grid_reduce_half),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT | PROGRAM_TAKES_COUNT,
     1u << WARP_TYPE_HALF,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_HALF, 0xffffffff, 32, nullptr, 4, 1, nullptr, 10000},
     "1"},
    run};
