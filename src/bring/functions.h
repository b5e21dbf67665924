/*
 * functions.h - the functions of a CUDA file that can be called from outside, found in its tokens.
 *
 * Kernels, __device__ functions and main() at file or namespace scope; definitions
 * made by macros are not seen. Types are text here: the compiler handles them.
 */
#ifndef SHFLVIZ_BRING_FUNCTIONS_H
#define SHFLVIZ_BRING_FUNCTIONS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* The most parameters that a called function may have. */
#define FUNCTION_PARAMETERS_MOST 32

struct parameter {
    char *type, *name; /* "const float *", "in"; "" if it has no name */
    bool is_pointer, is_const;
    bool has_default; /* it has a default value or type */
};

enum function_kind { FUNCTION_KERNEL, FUNCTION_DEVICE, FUNCTION_HOST };

struct function {
    enum function_kind kind;
    char *name; /* with the namespaces that it is in: "my::reduce" */
    struct parameter *parameters, *of_template;
    size_t parameter_count, template_count;
    unsigned most_threads; /* from __launch_bounds__; 0 if there is none */
    size_t begin, end;     /* of the whole definition, as positions in the text */
    size_t body;           /* the position of its opening brace */
    unsigned long line;
    bool uses_y;             /* threadIdx.y, blockDim.y or .z */
    bool has_warp_operation; /* itself, or through a function of this file that it calls */
    bool uses_shared;        /* extern __shared__ */
};

struct functions {
    struct function *function; /* in the order of the text */
    size_t count;
    bool has_main;
    bool has_host_library; /* torch, ATen, c10 or pybind11 */
};

void functions_find(struct functions *functions, const char *text);
void functions_release(struct functions *functions);
const struct function *functions_named(const struct functions *functions, const char *name,
                                       size_t length);

/* The source without the parts that only torch's host side needs: its headers, and the host
 * functions that name them. Lines keep their numbers. */
void functions_strip_host_library(const char *text, struct text *stripped);

#endif
