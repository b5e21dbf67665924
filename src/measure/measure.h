/*
 * measure.h - the functions that measure, on either device.
 *
 * reduce.cu and shuffle.cu are compiled twice: by the host's C++ compiler for the CPU warp and,
 * where there is a CUDA Toolkit, by nvcc. The functions below have the device in their names.
 */
#ifndef SHFLVIZ_MEASURE_MEASURE_H
#define SHFLVIZ_MEASURE_MEASURE_H

#include "measure/bench.h"
#include "shflviz/program.h"

#ifdef __CUDACC__
#define SHFLVIZ_MEASURE(name) shflviz_gpu_measure_##name
#else
#define SHFLVIZ_MEASURE(name) shflviz_cpu_measure_##name
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Fill in the rows and, for sums, the read bandwidth of a report (struct bench_reduce_report and so
 * on) whose other members are set. Return a cudaError_t.
 */
int shflviz_cpu_measure_reduce(void *report);
int shflviz_gpu_measure_reduce(void *report);
int shflviz_cpu_measure_shuffle(void *report);
int shflviz_gpu_measure_shuffle(void *report);
int shflviz_gpu_measure_record(void *report);
#ifdef SHFLVIZ_MEASURE_CUDA
#define SHFLVIZ_MEASURE_GPU(name) shflviz_gpu_measure_##name
#else
#define SHFLVIZ_MEASURE_GPU(name) NULL /* built without the kernels for a GPU */
#endif

/* Butterflies in a grid of whole warps, `rounds` times five shuffles in each; if `printed`, with a
 * printf after each shuffle, which is the usual way without a recorder. Returns a cudaError_t. */
int shflviz_cpu_butterflies(int printed, unsigned blocks, unsigned threads, unsigned rounds);

/* Describes the GPU. Returns a cudaError_t: there may be no driver, or no GPU. */
int shflviz_gpu_describe(struct bench_device *device);
const char *shflviz_gpu_error_text(int error);

#ifdef __cplusplus
}
#endif

/* The rows of a table are named here and shown in the user's language (base/message.h). */
#ifndef N_
#define N_(text) (text)
#endif

/* The work of bench shuffle's warps between two sums, so that each sum depends on the previous one
 * and all differ. */
#define BENCH_NEXT(sum, lane, round) (((sum) ^ (lane)*0x9e3779b9u) + (round))

/*
 * The i-th value that is added up: -3, -1, 1 or 3, with no period that a grid could have. Sums of
 * up to 2^30 of them stay far below 2^24, so they are exact in a float in any order: a correct sum
 * is correct to the last bit.
 */
#if defined(__CUDACC__)
__host__ __device__
#endif
    static inline int
    bench_value(unsigned long long i) {
    unsigned int x = (unsigned int)i ^ (unsigned int)(i >> 32) * 0x85ebca6bu;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return 2 * (int)(x >> 30) - 3;
}

#endif
