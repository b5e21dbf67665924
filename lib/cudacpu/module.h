/*
 * module.h - the kernels and variables that the device side of a program, or of a file, registers
 * with the runtime. The tables are written by cudacpu-instrument (instrument/kernels.c), which
 * knows this layout.
 */
#ifndef CUDACPU_MODULE_H
#define CUDACPU_MODULE_H

#include "cudacpu/calls.h"

#include <stdbool.h>
#include <stddef.h>

struct cudacpu_kernel {
    const char *module; /* the name with which the host side of its file was compiled */
    const char *symbol; /* as the linker knows it */
    const char *name;   /* for people, with the arguments of a template */
    const struct cpu_kernel_type *type;
    size_t most_threads; /* from __launch_bounds__; 0 if there are none */
    size_t relies;       /* set if it relies on lanes in step, a bit for each memory (enum
                          * cpu_step_memory) */
    /* The version for launches that pass two pointers into one array, in which case the kernel
     * relies on lanes in step at global memory. NULL if that makes no difference. */
    const struct cpu_kernel_type *if_same;
};

struct cudacpu_variable {
    const char *module;
    const char *symbol;
    void *address;
    size_t size;
    size_t is_managed;
    const char *name; /* as in the source */
    /* The bytes of an element and the extents, "4 32 33"; for structures also their members: name,
     * offset, bytes of an element and extents, "136 8;.partial 0 4 32;.count 128 4". */
    const char *shape;
};

/* A variable in shared memory, of a program whose accesses are recorded. */
struct cudacpu_shared {
    const char *name;
    const void *address; /* NULL for dynamic shared memory, */
    size_t size;         /* which has no size */
    int type;            /* enum warp_type, of its elements */
    int vector;          /* bytes of a vector type such as float4, else 0 */
    const char *shape;   /* as for a variable; "4 0" for dynamic shared memory */
};

struct cudacpu_module {
    struct cudacpu_module *next; /* owned by the runtime */
    const struct cudacpu_kernel *kernels;
    size_t kernel_count;
    const struct cudacpu_variable *variables;
    size_t variable_count;
    const struct cudacpu_shared *shared;
    size_t shared_count;
};

/* Called before main(). */
void cudacpu_module_add(struct cudacpu_module *module);

/* Called by the host side of a file that was compiled with the module's name. The strings must
 * stay valid. */
void cudacpu_kernel_add(const void *stub, const char *module, const char *symbol);
void cudacpu_variable_add(const void *shadow, const char *module, const char *symbol);

/* Before a launch, copies to the device the managed variables that the host has written; after it,
 * copies to the host those that the device has changed. */
void cudacpu_managed_to_device(void);
void cudacpu_managed_to_host(void);

/* The kernel whose stub has this address; NULL if there is none. */
const struct cudacpu_kernel *cudacpu_kernel_of(const void *stub);
/* The variable in device memory that contains the address; NULL if there is none. */
const struct cudacpu_variable *cudacpu_variable_at(const void *address);
/* The shared variable that contains the address, dynamic shared memory under the name that all
 * files have for it; NULL if none is known. */
const struct cudacpu_shared *cudacpu_shared_at(const void *address);
/* The device variable that the host knows by this address; NULL if there is none. */
const struct cudacpu_variable *cudacpu_variable_of(const void *shadow);
/* True if the address lies in the host's shadow of a managed variable. */
bool cudacpu_is_managed(const void *address);

#endif
