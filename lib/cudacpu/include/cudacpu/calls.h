/*
 * calls.h - the C functions that the templates of CUDA's runtime API call, in addition
 * to those of simt/runtime.h.
 */
#ifndef SHFLVIZ_CUDACPU_CALLS_H
#define SHFLVIZ_CUDACPU_CALLS_H

#include "simt/runtime.h"

#include <driver_types.h>

#ifdef __cplusplus
extern "C" {
#endif

const char *cpu_runtime_error_name(int error);
const char *cpu_runtime_error_string(int error);

/* The target of a pointer. type: an enum warp_type, -1 if unknown. vector: the bytes of a vector
 * type such as float4, else 0. bytes: the size, 0 if unknown. members: of a structure, as in the
 * shape of a variable (cudacpu/module.h), ";.value 0 4;.next 4 4"; else NULL. */
struct cpu_pointed {
    signed char type;
    unsigned char vector;
    unsigned short bytes;
    const char *members;
};

/* A kernel is about to be launched with this pointer as argument number `argument`, from 0; for
 * recorded accesses (cudacpu/observe/memory_record.h). */
void cpu_runtime_passes(const void *pointer, const char *kernel, size_t argument,
                        struct cpu_pointed to);

/* How to call a kernel whose type C cannot know. */
struct cpu_kernel_type {
    void (*call)(const void *function, void **arguments);
    size_t count;
    const size_t *sizes; /* of its parameters */
    const bool *points;  /* for each parameter: true if it is a pointer to an object */
    const struct cpu_pointed *pointed;
};

/* A launch of a kernel, with one of two pairs: `type` and `arguments`, or `call` and `context`. */
struct cpu_launch {
    const char *name;
    const void *function; /* its address; NULL if not known */
    const struct cpu_kernel_type *type;
    void **arguments;
    void (*call)(void *context);
    void *context;
    void (*use)(void *context, int change); /* counts the users of the context */
    struct dim3 grid, block;
    size_t shared;
    void *shared_memory;
    struct CUstream_st *stream;
    bool cooperative;
};
/* As in CUDA, the launch is refused, added to the graph that the stream is captured into (which
 * needs `type` or `use`), or run to its end. A launch by a kernel, which needs `use`, runs once
 * that kernel's grid has ended. */
int cpu_runtime_launch_kernel(const struct cpu_launch *launch);
/* If no host thread is inside a function of CUDA, locks out all but the caller and returns 1; 0
 * otherwise. For the end of a program. */
int cpu_runtime_try_close(void);
int cpu_runtime_in_kernel(void); /* true if a lane asks */
/* True if operations of the stream become part of a graph. */
int cpu_runtime_is_capturing(struct CUstream_st *stream);
/* Registers how to call the kernel at an address; returns the address. `type` must stay valid. */
const void *cpu_kernel_register(const void *address, const struct cpu_kernel_type *type,
                                const char *name);
/* Sets the name that messages and recordings show for the kernel with this address. */
void cpu_kernel_rename(const void *address, const char *name);

/* A library does device work on the host: from now on the host may access all memory. */
void cpu_memory_is_for_host(void);
/* The pointer that a kernel gets for one that the host passes: the same, except that a pointer to
 * memory of the host alone becomes an address without memory, CPU_HOST_POINTER_BIT away. */
const void *cpu_kernel_pointer(const void *pointer);
#define CPU_HOST_POINTER_BIT ((uintptr_t)1 << 46)
/* cudaMemcpyToSymbol() and the like, for a variable whose address and size the caller knows. */
enum cudaError cpu_symbol_copy(void *symbol, size_t symbol_size, void *host, size_t size,
                               size_t offset, enum cudaMemcpyKind kind, struct CUstream_st *stream,
                               int to_symbol, int in_stream);

/* Both end the running lane and, after its block, the kernel, with an error that stays:
 * cudaErrorLaunchFailure, or cudaErrorAssert and CUDA's line on standard error. */
void cpu_trap(void);
void cpu_exit(void); /* ends the running lane, like a return from the kernel */
void cpu_assert_failed(const char *text, const char *file, unsigned line, const char *function);
/* A user program accesses an address that is not a multiple of `alignment`, which the access's type
 * requires. If a lane does so, its kernel ends with cudaErrorMisalignedAddress, which is reported;
 * while accesses are checked, it becomes a finding, unless it is reported elsewhere (`is_unseen` is
 * 0), and the kernel continues. */
void cpu_misaligned(const void *address, size_t alignment, int is_unseen) __attribute__((cold));

#ifdef __cplusplus
}
#endif

#endif
