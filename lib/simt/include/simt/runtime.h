/*
 * runtime.h - a kernel's launch on the CPU warp, its errors, its shared memory, its clock and
 * printf.
 *
 * Errors are the numbers of cudaError_t. An error that a kernel raised stays until
 * cpu_runtime_reset(), as it does in CUDA.
 */
#ifndef SHFLVIZ_CPU_RUNTIME_H
#define SHFLVIZ_CPU_RUNTIME_H

#include "simt/lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The dynamic shared memory of a block: the most that a kernel can opt in to on a device of compute
 * capability 8.0. */
#define CPU_SHARED_BYTES 166912
#define CPU_SHARED_NONE  128 /* size in a program without such an array */

/* The errors of cudaError_t that the CPU warp itself raises. */
enum {
    CPU_SUCCESS = 0,
    CPU_ERROR_INVALID_VALUE = 1,
    CPU_ERROR_MEMORY_ALLOCATION = 2,
    CPU_ERROR_INVALID_CONFIGURATION = 9,
    CPU_ERROR_NO_DEVICE = 100,
    CPU_ERROR_LAUNCH_TIMEOUT = 702,
    CPU_ERROR_NOT_SUPPORTED = 801
};

#ifdef __cplusplus
extern "C" {
#endif

/* Dynamic shared memory of a user program, whatever its arrays are called
 * (cudacpu/compile/link.c), and its size: CPU_SHARED_BYTES, or CPU_SHARED_NONE without such
 * arrays, to save memory, because every thread of the program has a copy. */
#if defined(CUDACPU_CLANG) && defined(__CUDA_ARCH__)
extern __attribute__((device)) const unsigned cpu_dynamic_shared_bytes;
#else
extern const unsigned cpu_dynamic_shared_bytes;
#endif
extern CPU_THREAD unsigned char cpu_dynamic_shared[] CPU_THREAD_LOCAL;

/* Reports a `__shared__` variable in a section that is not known (cudacpu/frontend/translate.h). */
void cpu_shared_variable(void *variable, size_t size);
int cpu_runtime_synchronize(void);
int cpu_runtime_reset(void);
int cpu_runtime_error(int clear); /* the last error; `clear` forgets it */
int cpu_runtime_set_error(int error);
double cpu_runtime_milliseconds(void);
long long cpu_runtime_clock(void);
/* A kernel's clock. It lets other lanes run, and advances faster while a kernel does nothing but
 * read it. */
long long cpu_kernel_clock(void);

/* Runs a kernel to its end. `call` calls it with its arguments, once in every thread; `name` is
 * the text of the launch's first argument. `shared` bytes of dynamic shared memory are at
 * shared_memory, which is NULL if the source file declares none. */
int cpu_runtime_launch(const char *name, void (*call)(void *context), void *context,
                       struct dim3 grid, struct dim3 block, void *shared_memory, size_t shared);

/* The area of dynamic shared memory in a user program; in any other program NULL. */
void *cpu_dynamic_shared_memory(void);
/* In a user program: this thread's cpu_dynamic_shared. */
void *cpu_thread_dynamic_shared(void);

/* Keeps registers (trace/trace.h) with the step of the last operation of the running lane's warp;
 * fills in the step. Does nothing if that operation was not recorded, which cpu_keeps_registers()
 * reports in advance. */
struct trace_registers;
int cpu_keeps_registers(void);
void cpu_keep_registers(struct trace_registers *registers);

/* printf for host and kernels; a kernel's text is kept until the next synchronisation. */
int cpu_runtime_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
