/*
 * gpu.cu - describes the GPU as its driver does.
 */
#include "measure/measure.h"

#include <cuda_runtime.h>

#include <cstdio>

/* "13.0" for 13000. */
static void version_text(char *text, size_t size, int version) {
    snprintf(text, size, "%d.%d", version / 1000, version % 1000 / 10);
}

extern "C" int shflviz_gpu_describe(bench_device *device) {
    int count = 0, id = 0, driver = 0, runtime = 0, clock = 0, width = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaGetDevice(&id);
    cudaDeviceProp properties;
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, id);
    if (error != cudaSuccess)
        return error;
    snprintf(device->name, sizeof device->name, "%.127s", properties.name);

    char driver_text[24], runtime_text[24];
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    version_text(driver_text, sizeof driver_text, driver);
    version_text(runtime_text, sizeof runtime_text, runtime);
    snprintf(device->versions, sizeof device->versions,
             "compute capability %d.%d, driver for CUDA %.16s, runtime %.16s", properties.major,
             properties.minor, driver_text, runtime_text);

    /* The clock is in kHz, the width in bits; memory transfers data at both clock edges. A
     * driver may report neither. */
    cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, id);
    cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, id);
    device->peak = 2.0 * clock * 1e3 * width / 8;
    return cudaSuccess;
}

extern "C" const char *shflviz_gpu_error_text(int error) {
    return cudaGetErrorString(cudaError_t(error));
}
