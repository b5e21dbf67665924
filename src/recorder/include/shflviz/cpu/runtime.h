/*
 * runtime.h - the C functions below the CUDA runtime API of the CPU warp's cuda_runtime.h.
 *
 * Errors are the numbers of cudaError_t. An error that a kernel raised stays until
 * cpu_runtime_reset(), as it does in CUDA.
 */
#ifndef SHFLVIZ_CPU_RUNTIME_H
#define SHFLVIZ_CPU_RUNTIME_H

#include <driver_types.h>
#include <stddef.h>
#include <vector_types.h>

/* Dynamic shared memory of a block: what every GPU since Volta offers to a kernel that asks. */
#define CPU_SHARED_BYTES 98304

#ifdef __cplusplus
extern "C" {
#endif

/* Dynamic shared memory of a program of somebody's own: CPU_SHARED_BYTES, under whatever names. */
extern unsigned char cpu_dynamic_shared[];

int cpu_runtime_malloc(void **pointer, size_t size);
int cpu_runtime_free(void *pointer);
/* memmove and memset by the host. */
void cpu_runtime_copy(void *to, const void *from, size_t size);
void cpu_runtime_fill(void *to, int value, size_t size);
int cpu_runtime_synchronize(void);
int cpu_runtime_reset(void);
int cpu_runtime_error(int clear); /* the last error; `clear` forgets it if it does not stay */
int cpu_runtime_set_error(int error);
const char *cpu_runtime_error_name(int error);
const char *cpu_runtime_error_string(int error);
double cpu_runtime_milliseconds(void);
long long cpu_runtime_clock(void);

/* Runs a kernel to its end. `call` calls it with its arguments, once in every thread; `name` is
 * the text of the launch's first argument. `shared` bytes of dynamic shared memory are at
 * shared_memory, which is NULL if the source file declares none. */
int cpu_runtime_launch(const char *name, void (*call)(void *context), void *context,
                       struct dim3 grid, struct dim3 block, void *shared_memory, size_t shared);

/* printf, for host and kernels: in a kernel the text is kept until the next synchronisation. */
int cpu_runtime_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
