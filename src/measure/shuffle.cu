/*
 * shuffle.cu - the sum of a warp in all its lanes, by shuffles, through shared memory and, for
 * integers, by the single instruction for it.
 *
 * Each warp computes many sums, each depending on the previous one. A single warp shows how long
 * one sum takes; many warps show the device's throughput. Shared memory is used in the usual way: a
 * tree, a __syncwarp() after each round, then all lanes read the sum.
 */
#include "measure/clock.cuh"
#include "measure/measure.h"

#include <cstdlib>
#include <cstring>

enum { THREADS = 256, ALL = 0xffffffff };

struct by_shuffles {
    static __device__ unsigned sum(unsigned value, unsigned *, unsigned) {
#pragma unroll
        for (int laneMask = 16; laneMask > 0; laneMask /= 2)
            value += __shfl_xor_sync(ALL, value, laneMask);
        return value;
    }
};

struct by_shared_memory {
    /* `of_warp` points to 32 words that belong to the warp. */
    static __device__ unsigned sum(unsigned value, unsigned *of_warp, unsigned lane) {
        of_warp[lane] = value;
        __syncwarp();
#pragma unroll
        for (unsigned distance = 16; distance > 0; distance /= 2) {
            if (lane < distance)
                of_warp[lane] += of_warp[lane + distance];
            __syncwarp();
        }
        value = of_warp[0];
        __syncwarp(); /* the next value is not written before all lanes have read */
        return value;
    }
};

struct by_one_instruction {
    static __device__ unsigned sum(unsigned value, unsigned *, unsigned) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        return __reduce_add_sync(ALL, value);
#else
        return value; /* never launched on such a GPU */
#endif
    }
};

template <class Method>
static __global__ void rounds_of(unsigned rounds, unsigned *out, long long *clocks) {
    __shared__ unsigned shared[THREADS];
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned *of_warp = shared + (threadIdx.x - lane);

    unsigned value = thread;
    long long start = clock64();
    for (unsigned round = 0; round < rounds; round++)
        value = BENCH_NEXT(Method::sum(value, of_warp, lane), lane, round);
    long long end = clock64();

    out[thread] = value;
    if (thread == 0)
        *clocks = end - start;
}

/* ---- measuring ---- */

/* Warps whose result is compared with a plain loop. */
static constexpr unsigned WARPS_CHECKED = 64;

static void expected_values(unsigned warp, unsigned rounds, unsigned *values) {
    for (unsigned lane = 0; lane < 32; lane++)
        values[lane] = warp * 32 + lane;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned sum = 0;
        for (unsigned lane = 0; lane < 32; lane++)
            sum += values[lane];
        for (unsigned lane = 0; lane < 32; lane++)
            values[lane] = BENCH_NEXT(sum, lane, round);
    }
}

static cudaError_t check(const unsigned *out, unsigned warps, unsigned rounds, bool *correct) {
    unsigned got[32], expected[32];
    for (unsigned warp = 0; warp < warps && warp < WARPS_CHECKED; warp++) {
        cudaError_t error = cudaMemcpy(got, out + warp * 32, sizeof got, cudaMemcpyDeviceToHost);
        if (error != cudaSuccess)
            return error;
        expected_values(warp, rounds, expected);
        if (memcmp(got, expected, sizeof got) != 0)
            *correct = false;
    }
    return cudaSuccess;
}

struct bench {
    bench_shuffle_report *report;
    unsigned blocks; /* that fill the device */
    unsigned *out;   /* blocks * THREADS */
    long long *clocks;
};

/* Measures the median number of clock cycles that one warp takes. */
template <class Method> static cudaError_t measure_alone(const bench *b, bench_shuffle_row *row) {
    unsigned rounds = b->report->rounds;
    void *arguments[] = {&rounds, const_cast<unsigned **>(&b->out),
                         const_cast<long long **>(&b->clocks)};
    long long counted[REPEATS_MAX];
    unsigned repeats = std::min(std::max(b->report->repeats, 1u), REPEATS_MAX);
    for (unsigned run = 0; run < WARM_UPS + repeats; run++) {
        cudaError_t error = cudaLaunchKernel(rounds_of<Method>, 1, 32, arguments, 0, 0);
        if (error == cudaSuccess)
            error = cudaMemcpy(&counted[run < WARM_UPS ? 0 : run - WARM_UPS], b->clocks,
                               sizeof counted[0], cudaMemcpyDeviceToHost);
        if (error != cudaSuccess)
            return error;
    }
    std::sort(counted, counted + repeats);
    row->cycles = double(counted[repeats / 2]) / rounds;
    return check(b->out, 1, rounds, &row->correct);
}

template <class Method> static cudaError_t measure_full(const bench *b, bench_shuffle_row *row) {
    unsigned rounds = b->report->rounds;
    unsigned warps = b->blocks * (THREADS / 32);
    void *arguments[] = {&rounds, const_cast<unsigned **>(&b->out),
                         const_cast<long long **>(&b->clocks)};
    cudaError_t error;
    double seconds = median_seconds(
        b->report->repeats,
        [&] { return cudaLaunchKernel(rounds_of<Method>, b->blocks, THREADS, arguments, 0, 0); },
        &error);
    if (error != cudaSuccess)
        return error;
    row->rate = seconds > 0 ? double(warps) * rounds / seconds : 0;
    return check(b->out, warps, rounds, &row->correct);
}

template <class Method> static cudaError_t measure(const bench *b, const char *name) {
    bench_shuffle_row *row = &b->report->rows[b->report->row_count++];
    *row = bench_shuffle_row();
    row->name = name;
    row->correct = true;
    cudaError_t error = measure_alone<Method>(b, row);
    return error == cudaSuccess ? measure_full<Method>(b, row) : error;
}

static void shape(unsigned *blocks, bool *has_instruction) {
    *blocks = 1;
    *has_instruction = true;
#ifdef __CUDACC__
    int device = 0, processors = 1, threads = THREADS, major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    *blocks = unsigned(processors * (threads / int(THREADS)));
    *has_instruction = major >= 8;
#endif
}

extern "C" int SHFLVIZ_MEASURE(shuffle)(void *of) {
    bench_shuffle_report *report = static_cast<bench_shuffle_report *>(of);
    bench b = {report, 0, nullptr, nullptr};
    bool has_instruction;
    shape(&b.blocks, &has_instruction);
    cudaError_t error = cudaMalloc(&b.out, size_t(b.blocks) * THREADS * sizeof *b.out);
    if (error == cudaSuccess)
        error = cudaMalloc(&b.clocks, sizeof *b.clocks);
    if (error == cudaSuccess)
        error = measure<by_shuffles>(&b, N_("shuffles, a butterfly"));
    if (error == cudaSuccess)
        error = measure<by_shared_memory>(&b, N_("shared memory, a tree"));
    if (error == cudaSuccess && has_instruction)
        error = measure<by_one_instruction>(&b, "__reduce_add_sync");
    cudaFree(b.out);
    cudaFree(b.clocks);
    return error;
}
