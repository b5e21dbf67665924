/*
 * library.h - shared by our versions of CUDA's libraries (cudacpu/libraries/random/random.c,
 * cudacpu/libraries/blas/blas.c). They are linked only into user programs that call them.
 */
#ifndef SHFLVIZ_CPU_API_LIBRARY_H
#define SHFLVIZ_CPU_API_LIBRARY_H

#include "cudacpu/runtime/api.h"

/* Work of the stream: done now or, if the stream is being captured, by a host node of its graph.
 * `job` has `size` bytes, which are copied. Fails if the stream does. */
cudaError_t library_submit(cudaStream_t stream, void (*work)(void *job), const void *job,
                           size_t size);

/* Tells a memory checker that a library has written there. */
void library_written(void *memory, size_t size);

/* Reports on standard error that a function lacks a feature. */
void library_absent(const char *function, const char *what);

#endif
