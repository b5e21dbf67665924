/*
 * module.h - what the device side of a program, or of a file, tells the runtime: kernels and
 * variables. The tables are written by cudacpu-instrument (instrument/kernels.c), which knows this
 * layout.
 */
#ifndef CUDACPU_MODULE_H
#define CUDACPU_MODULE_H

#include "cudacpu/calls.h"

#include <stddef.h>

struct cudacpu_kernel {
    const char *module; /* what the host side of its file was compiled with */
    const char *symbol; /* as the linker knows it */
    const char *name;   /* as a person does, with the arguments of a template */
    const struct cpu_kernel_type *type;
    size_t most_threads; /* of __launch_bounds__; 0: none */
    size_t leans;        /* on lanes in step, at memories (enum cpu_step_memory), a bit for each */
    /* For launches that give it two pointers into one array: with these it leans on that at global
     * memory. NULL: then, too, it is as it always is. */
    const struct cpu_kernel_type *if_same;
};

struct cudacpu_variable {
    const char *module;
    const char *symbol;
    void *address;
    size_t size;
    size_t is_managed;
    const char *name;  /* as the text has it */
    const char *shape; /* the bytes of an element and how many there are: "4 32 33" */
};

/* A variable in shared memory, of a program whose accesses are recorded. */
struct cudacpu_shared {
    const char *name;
    const void *address; /* NULL: it is dynamic shared memory, */
    size_t size;         /* and has no size */
    int type;            /* enum warp_type, of its elements */
    int vector;          /* bytes of a vector type like float4, else 0 */
    const char *shape;   /* as of a variable; of dynamic shared memory "4 0" */
};

struct cudacpu_module {
    struct cudacpu_module *next; /* the runtime's */
    const struct cudacpu_kernel *kernels;
    size_t kernel_count;
    const struct cudacpu_variable *variables;
    size_t variable_count;
    const struct cudacpu_shared *shared;
    size_t shared_count;
};

/* Before main(). */
void cudacpu_module_add(struct cudacpu_module *module);

/* From the host side of a file that was compiled with the module's name. The texts last. */
void cudacpu_kernel_add(const void *stub, const char *module, const char *symbol);
void cudacpu_variable_add(const void *shadow, const char *module, const char *symbol);

/* Around a launch: the device gets what the host has written to managed variables, and the host
 * what the device has changed. */
void cudacpu_managed_to_device(void);
void cudacpu_managed_to_host(void);

/* The kernel whose stub has this address; NULL if none has. */
const struct cudacpu_kernel *cudacpu_kernel_of(const void *stub);
/* The variable of which that is a part, in the device's memory; NULL: none. */
const struct cudacpu_variable *cudacpu_variable_at(const void *address);
/* The shared variable of which that is a part, of dynamic shared memory under the name that all
 * files have for it; NULL: none is known. */
const struct cudacpu_shared *cudacpu_shared_at(const void *address);
/* The device's variable that the host knows by this address; NULL if it is none. */
const struct cudacpu_variable *cudacpu_variable_of(const void *shadow);

#endif
