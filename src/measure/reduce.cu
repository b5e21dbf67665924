/*
 * reduce.cu - measures the sums of kernels/, the device's read bandwidth, and CUB.
 */
#include "measure/clock.cuh"
#include "measure/measure.h"

#include "shflviz/reduction.h"

#ifdef __CUDACC__
#include <cub/device/device_reduce.cuh>
#endif

SHFLVIZ_REDUCTION_DECLARE(grid_reduce_warp)
SHFLVIZ_REDUCTION_DECLARE(grid_reduce_block)
SHFLVIZ_REDUCTION_DECLARE(grid_reduce_vector)
SHFLVIZ_REDUCTION_DECLARE(grid_allreduce)

/* ---- the values ---- */

template <class T> static __global__ void fill(T *values, size_t n) {
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += size_t(gridDim.x) * blockDim.x)
        values[i] = T(bench_value(i));
}

/* ---- reading ---- */

/*
 * Reads everything and does as little as possible with it: an unused load would be optimised away.
 * The combination of all words is unlikely to equal the constant below.
 */
template <unsigned LOADS>
static __global__ void read_only(const uint4 *in, size_t n, unsigned *found) {
    size_t tile = size_t(blockDim.x) * LOADS;
    unsigned bits = 0;
    for (size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        size_t i = first + threadIdx.x;
        uint4 words[LOADS];
        if (first + tile <= n) {
#pragma unroll
            for (unsigned load = 0; load < LOADS; load++)
                words[load] = in[i + load * blockDim.x];
#pragma unroll
            for (unsigned load = 0; load < LOADS; load++)
                bits ^= words[load].x ^ words[load].y ^ words[load].z ^ words[load].w;
        } else {
            for (; i < n; i += blockDim.x) {
                uint4 word = in[i];
                bits ^= word.x ^ word.y ^ word.z ^ word.w;
            }
        }
    }
    if (bits == 0x2545f491)
        *found = bits;
}

/* ---- measuring ---- */

/* The data that all measurements share. */
struct bench {
    bench_reduce_report *report;
    void *values;      /* report->count of the type at hand, 4 bytes each or less */
    void *sums;        /* room for the sum, and for the copies that grid_allreduce returns */
    unsigned resident; /* blocks of THREADS that the device holds at a time */
};

/* The numbers of blocks to try; the fastest counts. More blocks than the device holds at a time
 * balance the processors' work; too many cost extra atomics. */
static constexpr unsigned THREADS = 256;
#ifdef __CUDACC__
static const unsigned WAVES[] = {1, 2, 4, 8, 16};
#else
static const unsigned WAVES[] = {1};
#endif
static constexpr unsigned WAVES_MAX = 16;
/* Runs that choose the shape. */
static constexpr unsigned TRIALS = 3;

static bench_reduce_row *add_row(const bench *b, const char *name, enum warp_type type,
                                 size_t value_bytes) {
    bench_reduce_row *row = &b->report->rows[b->report->row_count++];
    *row = bench_reduce_row();
    row->name = name;
    row->type = type;
    row->bytes = double(b->report->count) * double(value_bytes);
    row->additions = b->report->count > 1 ? double(b->report->count - 1) : 0;
    row->is_sum = true;
    return row;
}

/* Measures launch(blocks) with the fastest number of blocks. */
template <class Launch>
static cudaError_t measure(const bench *b, bench_reduce_row *row, Launch launch) {
    cudaError_t error = cudaSuccess;
    double best = 0;
    for (unsigned wave : WAVES) {
        unsigned blocks = b->resident * wave;
        double seconds = median_seconds(
            TRIALS, [&] { return launch(blocks); }, &error);
        if (error != cudaSuccess)
            return error;
        if (best == 0 || seconds < best) {
            best = seconds;
            row->blocks = blocks;
        }
    }
    row->threads = THREADS;
    row->seconds = median_seconds(
        b->report->repeats, [&] { return launch(row->blocks); }, &error);
    return error;
}

template <class Sum> static cudaError_t check_sum(const bench *b, bench_reduce_row *row) {
    Sum sum = 0;
    cudaError_t error = cudaMemcpy(&sum, b->sums, sizeof sum, cudaMemcpyDeviceToHost);
    row->correct = sum == Sum(b->report->expected);
    return error;
}

template <unsigned LOADS> static cudaError_t measure_read(const bench *b, const char *name) {
    bench_reduce_row *row = add_row(b, name, WARP_TYPE_FLOAT, sizeof(float));
    const uint4 *words = static_cast<const uint4 *>(b->values);
    unsigned *found = static_cast<unsigned *>(b->sums);
    size_t count = b->report->count / 4; /* at most the last three values are left out */
    void *arguments[] = {&words, &count, &found};
    row->bytes = double(count * sizeof(uint4));
    row->additions = 0;
    row->is_sum = false;
    row->correct = true;
    cudaError_t error = measure(b, row, [&](unsigned blocks) {
        return cudaLaunchKernel(read_only<LOADS>, blocks, THREADS, arguments, 0, 0);
    });
    if (error == cudaSuccess && row->seconds > 0 && row->bytes / row->seconds > b->report->read)
        b->report->read = row->bytes / row->seconds;
    return error;
}

/* The time includes the preparation of a sum: *sum has to be 0 beforehand. */
template <class T>
static cudaError_t measure_sum(const bench *b, const shflviz_reduction *reduction,
                               enum warp_type type) {
    typedef typename sum_type<T>::type Sum;
    bench_reduce_row *row = add_row(b, reduction->name, type, sizeof(T));
    cudaError_t error = measure(b, row, [&](unsigned blocks) {
        cudaError_t zeroed = cudaMemsetAsync(b->sums, 0, sizeof(Sum), 0);
        if (zeroed != cudaSuccess)
            return zeroed;
        return cudaError_t(
            reduction->launch(type, b->values, b->report->count, b->sums, blocks, THREADS));
    });
    return error == cudaSuccess ? check_sum<Sum>(b, row) : error;
}

#ifdef __CUDACC__
template <class T, class Count>
static cudaError_t measure_cub_of(const bench *b, bench_reduce_row *row, Count count) {
    const T *values = static_cast<const T *>(b->values);
    T *sum = static_cast<T *>(b->sums);
    size_t bytes = 0;
    void *room = nullptr;
    cudaError_t error = cub::DeviceReduce::Sum(nullptr, bytes, values, sum, count);
    if (error == cudaSuccess)
        error = cudaMalloc(&room, bytes);
    if (error != cudaSuccess)
        return error;
    row->seconds = median_seconds(
        b->report->repeats, [&] { return cub::DeviceReduce::Sum(room, bytes, values, sum, count); },
        &error);
    cudaFree(room);
    return error == cudaSuccess ? check_sum<T>(b, row) : error;
}

/* CUB has separate kernels for 32-bit counts, so it gets whichever is better for it. */
template <class T> static cudaError_t measure_cub(const bench *b, enum warp_type type) {
    bench_reduce_row *row = add_row(b, "CUB DeviceReduce::Sum", type, sizeof(T));
    size_t count = b->report->count;
    return count <= INT32_MAX ? measure_cub_of<T>(b, row, int(count))
                              : measure_cub_of<T>(b, row, count);
}
#endif

template <class T> static cudaError_t fill_values(const bench *b) {
    T *values = static_cast<T *>(b->values);
    size_t count = b->report->count;
    void *arguments[] = {&values, &count};
    cudaError_t error = cudaLaunchKernel(fill<T>, b->resident, THREADS, arguments, 0, 0);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

/* The first measurement must not run at lower clocks than later ones. */
static cudaError_t warm_up(const bench *b) {
    cudaError_t error = cudaSuccess;
#ifdef __CUDACC__
    double start = clock_seconds();
    while (error == cudaSuccess && clock_seconds() - start < 0.5)
        error = fill_values<float>(b);
#else
    (void)b;
#endif
    return error;
}

static cudaError_t measure_floats(const bench *b) {
    static const shflviz_reduction *const reductions[] = {&SHFLVIZ_REDUCTION(grid_reduce_warp),
                                                          &SHFLVIZ_REDUCTION(grid_reduce_block),
                                                          &SHFLVIZ_REDUCTION(grid_reduce_vector)};
    cudaError_t error = fill_values<float>(b);
    if (error == cudaSuccess)
        error = measure_read<4>(b, N_("read, 4 loads per thread"));
    if (error == cudaSuccess)
        error = measure_read<8>(b, N_("read, 8 loads per thread"));
    for (const shflviz_reduction *reduction : reductions)
        if (error == cudaSuccess)
            error = measure_sum<float>(b, reduction, WARP_TYPE_FLOAT);
#ifdef __CUDACC__
    if (error == cudaSuccess)
        error = measure_cub<float>(b, WARP_TYPE_FLOAT);
#endif
    return error;
}

static cudaError_t measure_ints(const bench *b) {
    cudaError_t error = fill_values<int>(b);
    if (error == cudaSuccess)
        error = measure_sum<int>(b, &SHFLVIZ_REDUCTION(grid_reduce_vector), WARP_TYPE_INT);
    if (error == cudaSuccess)
        error = measure_sum<int>(b, &SHFLVIZ_REDUCTION(grid_allreduce), WARP_TYPE_INT);
#ifdef __CUDACC__
    if (error == cudaSuccess)
        error = measure_cub<int>(b, WARP_TYPE_INT);
#endif
    return error;
}

static cudaError_t measure_halves(const bench *b) {
    cudaError_t error = fill_values<__half>(b);
    if (error == cudaSuccess)
        error = measure_sum<__half>(b, &SHFLVIZ_REDUCTION(grid_reduce_vector), WARP_TYPE_HALF);
    return error;
}

static unsigned resident_blocks() {
#ifdef __CUDACC__
    int device = 0, processors = 1, threads = THREADS;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    return unsigned(processors * (threads / int(THREADS)));
#else
    return 2;
#endif
}

extern "C" int SHFLVIZ_MEASURE(reduce)(void *of) {
    bench_reduce_report *report = static_cast<bench_reduce_report *>(of);
    bench b = {report, nullptr, nullptr, resident_blocks()};
    size_t copies = size_t(b.resident) * WAVES_MAX * THREADS;
    cudaError_t error = cudaMalloc(&b.values, report->count * sizeof(float) + 16);
    if (error == cudaSuccess)
        error = cudaMalloc(&b.sums, (1 + copies) * sizeof(float));
    if (error == cudaSuccess)
        error = warm_up(&b);
    if (error == cudaSuccess)
        error = measure_floats(&b);
    if (error == cudaSuccess)
        error = measure_ints(&b);
    if (error == cudaSuccess)
        error = measure_halves(&b);
    cudaFree(b.values);
    cudaFree(b.sums);
    return error;
}
