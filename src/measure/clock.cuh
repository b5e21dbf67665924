/*
 * clock.cuh - measures the time that the device takes, with its own events, and takes the median of
 * several runs.
 */
#ifndef SHFLVIZ_MEASURE_CLOCK_CUH
#define SHFLVIZ_MEASURE_CLOCK_CUH

#include "measure/clock.h"

#include <cuda_runtime.h>

#include <algorithm>

/* Warm-up runs, not measured: code is loaded and clock rates rise. */
static constexpr unsigned WARM_UPS = 2;
static constexpr unsigned REPEATS_MAX = 1000;

/*
 * The median time in seconds of `repeats` runs of launch(), which returns a cudaError_t and does
 * not wait. `*error` is the first error; then the time is meaningless.
 */
template <class Launch>
static double median_seconds(unsigned repeats, Launch launch, cudaError_t *error) {
    static float milliseconds[REPEATS_MAX];
    cudaEvent_t start, stop;
    repeats = std::min(std::max(repeats, 1u), REPEATS_MAX);
    if ((*error = cudaEventCreate(&start)) != cudaSuccess)
        return 0;
    if ((*error = cudaEventCreate(&stop)) != cudaSuccess) {
        cudaEventDestroy(start);
        return 0;
    }
    for (unsigned run = 0; run < WARM_UPS + repeats && *error == cudaSuccess; run++) {
        cudaEventRecord(start, 0);
        cudaError_t launched = cudaError_t(launch());
        cudaEventRecord(stop, 0);
        *error = cudaEventSynchronize(stop);
        if (*error == cudaSuccess)
            *error = launched;
        if (*error == cudaSuccess && run >= WARM_UPS)
            *error = cudaEventElapsedTime(&milliseconds[run - WARM_UPS], start, stop);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    if (*error != cudaSuccess)
        return 0;
    std::sort(milliseconds, milliseconds + repeats);
    unsigned middle = repeats / 2;
    float median =
        repeats % 2 ? milliseconds[middle] : (milliseconds[middle - 1] + milliseconds[middle]) / 2;
    return median / 1e3;
}

#endif
