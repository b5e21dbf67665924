/*
 * library.c - work that belongs to a stream.
 */
#include "cudacpu/libraries/library.h"

#include "base/memory.h"
#include "cudacpu/runtime/api.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A job with the function that does it. */
struct kept_work {
    void (*work)(void *job);
    max_align_t job[];
};

static void run(void *context) {
    struct kept_work *kept = context;
    api_memory_open(cpu_device_in_use()); /* the device's work */
    kept->work(kept->job);
    api_memory_close(cpu_device_in_use());
}

cudaError_t library_submit(cudaStream_t stream, void (*work)(void *job), const void *job,
                           size_t size) {
    API_BEGIN;
    struct CUstream_st *at;
    const cudaError_t error = api_capture_stream(device, stream, &at);
    const bool captured = error == cudaSuccess && at->capture;
    if (api_end(error) != cudaSuccess)
        return error;
    struct kept_work *kept = memory_zeroed(1, sizeof *kept + size);
    kept->work = work;
    memcpy(kept->job, job, size);
    if (captured) /* kept for as long as a graph may be launched: forever */
        return cudaLaunchHostFunc(stream, run, kept);
    run(kept);
    free(kept);
    return cudaSuccess;
}

void library_written(void *memory, size_t size) {
    __asm__("" : "+r"(memory)); /* otherwise the compiler would see that nothing changes it */
    void *same = memory;
    __asm__("" : "+r"(same));
    memmove(memory, same, size); /* which the linker resolves to cudacpu/observe/access.c */
}

void library_absent(const char *function, const char *what) {
    fprintf(stderr, "shflviz: %s: %s: not on the CPU warp (docs/CUDA.md lists what is)\n", function,
            what);
}
