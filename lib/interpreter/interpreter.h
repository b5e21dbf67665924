/*
 * interpreter.h - runs kernels where there is no compiler, as in a web page.
 *
 * It supports the part of CUDA C++ that exercises need: device functions and kernels, numbers,
 * pointers, arrays and structs, `__shared__` variables, warp operations, barriers and atomic
 * operations. Numbers are computed as on a GPU: int has 32 bits and wraps, float has single
 * precision. A kernel runs on the CPU warp (lib/simt) like a compiled one, and accesses of its
 * lanes to memory are reported to the same checks (cudacpu/observe).
 */
#ifndef SHFLVIZ_INTERPRETER_INTERPRETER_H
#define SHFLVIZ_INTERPRETER_INTERPRETER_H

#include "base/error.h"
#include "cudacpu/observe/accesses.h"
#include "interpreter/argument.h"
#include "shflviz/run_settings.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_source {
    const char *name, *text;
    bool is_test;   /* anything in it that is neither `__device__` nor `__global__` is skipped */
    bool no_memory; /* it may have no variables that lanes share */
};

struct kernel_program;

/* The byte with which clang fills an integer variable that is not set (check/unset_value.c). */
#define KERNEL_UNSET 0xaa

/* Reads the sources, which are one program. Fails (ERROR_USAGE) with "NAME:LINE: the error"; the
 * sources live as long as the program. */
int kernel_program_read(struct kernel_program **program, const struct kernel_source *sources,
                        size_t count, struct error *err);
void kernel_program_free(struct kernel_program *program); /* NULL is fine */

/* Runs a kernel to its end; the errors are those of cudaError_t. */
int kernel_program_launch(struct kernel_program *program, const char *name, const unsigned grid[3],
                          const unsigned block[3], const struct kernel_argument *arguments,
                          size_t count);

/* ---- accesses that kernels have made, for exercises about them ---- */

struct kernel_access {
    uint32_t launch, warp;
    uint64_t block;
    uint64_t address;
    uint8_t op; /* enum warp_op */
};
/* Begins a list or, if `on` is false, ends it; without a list nothing is kept. */
void kernel_accesses_begin(bool on);
const struct kernel_access *kernel_accesses(size_t *count);

/* ---- runs that are watched, like those of a user program ---- */

struct kernel_run {
    const struct kernel_program *program;
    struct run_settings settings;
    int (*body)(void *context); /* allocates, launches, and looks at results; it may be called
                                 * several times */
    void *context;
};

struct kernel_run_result {
    struct trace *trace; /* NULL: nothing was recorded */
    struct program_accesses accesses;
    int status;          /* of the body */
    struct error failed; /* the reason why the last kernel did not end */
};
/*
 * Runs the body, recorded and checked; one run at a time. If a lane got an undefined value, the run
 * is repeated with other bits, as in user_program_ignores_poison() and user_program_follow()
 * (cudacpu/process): the recording notes that nothing visible depends on them, or marks the values
 * that do.
 */
void kernel_run(const struct kernel_run *run, struct kernel_run_result *result);
/* Called by the body to report what it has written. */
void kernel_memory_written(const void *memory, size_t size);
void kernel_run_release(struct kernel_run_result *result);

#endif
