/*
 * calls.h - the interface between the recording of a user program on a GPU and the CUDA calls for
 * it.
 *
 * The recording is a library that does not use CUDA (device/gpu/watched_gpu.c), so it exists
 * wherever shflviz does. launches.cc, beside this file, is compiled with the program, with the
 * user's toolkit.
 */
#ifndef SHFLVIZ_GPU_CALLS_H
#define SHFLVIZ_GPU_CALLS_H

#include "shflviz/ring.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shflviz_gpu_facts {
    char name[256];
    int major, minor;
    int driver, runtime; /* CUDA versions: 13000 for 13.0 */
};

/* Each returns a cudaError_t, 0 on success. */
struct shflviz_gpu_calls {
    int (*describe)(struct shflviz_gpu_facts *facts);
    int (*allocate)(void **at, size_t bytes);               /* zeroed */
    int (*share)(void *memory, size_t bytes, void **seen);  /* makes the host's memory visible to
                                                             * the GPU */
    int (*read)(void *to, const void *from, size_t bytes);  /* from the GPU, concurrently with
                                                             * kernels */
    int (*write)(void *to, const void *from, size_t bytes); /* to the GPU, likewise */
    const char *(*words)(int error);
};

struct shflviz_gpu_launch {
    const char *kernel; /* mangled or readable */
    unsigned grid[3], block[3];
    size_t shared;
    int waits; /* the host takes records while the kernel runs */
};

/* A launch begins. Fills *ring, to be passed to the files with kernels, and returns 1; or returns
 * 0 if none of it is recorded. */
int shflviz_watched_begin(const struct shflviz_gpu_calls *calls,
                          const struct shflviz_gpu_launch *launch, struct shflviz_ring *ring);
/* Called while the kernel runs, and after it has ended with `error`. */
void shflviz_watched_drain(void);
void shflviz_watched_finish(int error);
/* The GPU's memory is about to be freed. */
void shflviz_watched_reset(void);

#ifdef __cplusplus
}
#endif

#endif
