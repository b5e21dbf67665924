/*
 * api_library.c - work that belongs to a stream.
 */
#include "device/cpu/api_library.h"

#include "base/memory.h"
#include "device/cpu/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cudaError_t library_do(cudaStream_t stream, void (*work)(void *job), const void *job, size_t size) {
    void *kept = memory_zeroed(1, size + 1); /* for as long as a graph may be launched: for ever */
    memcpy(kept, job, size);
    if (cpu_runtime_is_capturing(stream))
        return cudaLaunchHostFunc(stream, work, kept);
    cudaError_t error = cudaStreamQuery(stream);
    if (error == cudaSuccess) {
        api_memory_open(cpu_now.device); /* work of the device */
        work(kept);
        api_memory_close(cpu_now.device);
    }
    free(kept);
    return error;
}

void library_written(void *memory, size_t size) {
    __asm__("" : "+r"(memory)); /* else a compiler sees that nothing changes */
    void *same = memory;
    __asm__("" : "+r"(same));
    memmove(memory, same, size); /* which the linker hands to own/access.c */
}

void library_absent(const char *function, const char *what) {
    fprintf(stderr, "shflviz: %s: %s: not on the CPU warp (docs/CUDA.md lists what is)\n", function,
            what);
}
