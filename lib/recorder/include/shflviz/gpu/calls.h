/*
 * calls.h - between what records a user's own program on a GPU and what calls CUDA for it.
 *
 * The recording is a library that knows no CUDA (device/gpu/watched_gpu.c), so it is there wherever
 * shflviz is. launches.cc, beside this file, is compiled with the program, by the user's own
 * toolkit.
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

/* Each returns a cudaError_t, 0 if it went well. */
struct shflviz_gpu_calls {
    int (*describe)(struct shflviz_gpu_facts *facts);
    int (*allocate)(void **at, size_t bytes);               /* zeroed */
    int (*share)(void *memory, size_t bytes, void **seen);  /* lets the GPU see the host's */
    int (*read)(void *to, const void *from, size_t bytes);  /* from the GPU, beside kernels */
    int (*write)(void *to, const void *from, size_t bytes); /* to the GPU, likewise */
    const char *(*words)(int error);
};

struct shflviz_gpu_launch {
    const char *kernel; /* as a linker knows it, or as a person does */
    unsigned grid[3], block[3];
    size_t shared;
    int waits; /* the host takes records while the kernel runs */
};

/* A launch begins. Fills *ring, to be given to the kernels' files, and returns 1; or returns 0:
 * nothing of it is recorded. */
int shflviz_watched_begin(const struct shflviz_gpu_calls *calls,
                          const struct shflviz_gpu_launch *launch, struct shflviz_ring *ring);
/* While the kernel runs, and when it has ended with `error`. */
void shflviz_watched_drain(void);
void shflviz_watched_finish(int error);
/* The GPU's memory is about to go. */
void shflviz_watched_reset(void);

#ifdef __cplusplus
}
#endif

#endif
