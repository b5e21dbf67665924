/*
 * origins.h - the origins of values: a graph in which each node is computed from earlier ones. It
 * has the nodes of local variables after each line of a warp, and of arrays when a kernel has
 * ended. docs/TRACE_FORMAT.md, "Origins", describes the encoding.
 *
 * Only recordings made with `run --whose` have it.
 */
#ifndef SHFLVIZ_TRACE_LINES_ORIGINS_H
#define SHFLVIZ_TRACE_LINES_ORIGINS_H

#include "base/text.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Append, never renumber: recordings have these. */
enum trace_origin_kind {
    TRACE_ORIGIN_NONE,       /* node 0: the value consists only of constants */
    TRACE_ORIGIN_CONSTANT,   /* node 1: a constant that was added */
    TRACE_ORIGIN_ELEMENT,    /* an array as it was when the kernel began: text a, index extra; b is
                                1 for floating-point numbers, plus twice a hash of the value, 0 if
                                that is not known */
    TRACE_ORIGIN_ARGUMENT,   /* of the kernel: text a */
    TRACE_ORIGIN_INDEX,      /* enum trace_origin_index a; its value is extra */
    TRACE_ORIGIN_UNSET,      /* a local variable that is unset: text a */
    TRACE_ORIGIN_UNSET_CELL, /* shared memory that was never written: text a, index extra */
    TRACE_ORIGIN_UNSET_LANE, /* lane a has read lane b, where no rule defines the result */
    TRACE_ORIGIN_UNKNOWN,    /* from code that cannot be analysed: text a */
    TRACE_ORIGIN_SUM,        /* a + b */
    TRACE_ORIGIN_DIFFERENCE, /* a - b */
    TRACE_ORIGIN_SCALED,     /* a times the number whose bits are extra; b is the number's type */
    TRACE_ORIGIN_DEPENDS,    /* depends on a and b in some other way */
    TRACE_ORIGIN_CHOSEN,     /* a, chosen because of b */
    TRACE_ORIGIN_FLOATED,    /* a as a floating-point number */
    TRACE_ORIGIN_MOVED,      /* a, by a warp operation: lanes b >> 8 <- b & 255, step extra */
    TRACE_ORIGIN_CELL,       /* a, by way of shared memory: text b, index extra */
    TRACE_ORIGIN_KINDS
};

enum trace_origin_index {
    TRACE_ORIGIN_THREAD, /* threadIdx.x, .y, .z */
    TRACE_ORIGIN_BLOCK = 3,
    TRACE_ORIGIN_BLOCK_DIM = 6,
    TRACE_ORIGIN_GRID_DIM = 9,
    TRACE_ORIGIN_INDICES = 12
};

struct trace_origin {
    enum trace_origin_kind kind;
    uint32_t a, b;
    uint32_t line; /* a line of the program; 0 if none is known */
    uint64_t extra;
};

/* A local variable after a line: the line's number among those of its warp. */
struct trace_origin_value {
    uint32_t launch, warp;
    uint64_t block, line;
    uint32_t variable; /* among those of all functions */
    uint32_t lane, node;
};

/* An element of an array that the kernel has written, as it was when the kernel ended. */
struct trace_origin_element {
    uint32_t launch, array; /* text */
    uint64_t index;
    uint32_t node;
};

/* An array that the kernel has a name for, as it was when the kernel ended. */
struct trace_origin_array {
    uint32_t launch, array; /* text */
    uint64_t count;         /* elements, to the end of its memory */
    size_t nodes;           /* those that came before, of this launch and earlier ones; for the
                               reader */
};

struct trace_origins {
    struct trace_origin *nodes;
    char **texts;
    struct trace_origin_value *values; /* of each warp in the order of its lines */
    struct trace_origin_element *elements;
    struct trace_origin_array *arrays;
    size_t node_count, text_count, value_count, element_count, array_count;
};

/* The recording's origins, kept by the trace; NULL if there are none, or they are damaged. */
const struct trace_origins *trace_origins_of(const struct trace *trace);
void trace_origins_release(struct trace_origins *origins); /* NULL is fine */
/* The node of a lane's variable after the first `done` lines of its warp; 0 if it has none. */
uint32_t trace_origins_value(const struct trace_origins *origins,
                             const struct trace_origin_value *wanted);

/* ---- writing ---- */

void trace_origin_put_text(struct text *bytes, const char *text);
void trace_origin_put_node(struct text *bytes, const struct trace_origin *node);
/* `function` as returned by trace_writer_function(); the variable is one of its numbers. */
void trace_origin_put_value(struct text *bytes, const struct trace_origin_value *value,
                            uint32_t function);
void trace_origin_put_element(struct text *bytes, const struct trace_origin_element *element);
void trace_origin_put_array(struct text *bytes, const struct trace_origin_array *array);

/* Further bytes of origins are not kept. */
#define TRACE_ORIGINS_MOST (UINT64_C(64) << 20)

/* Complete entries made by the functions above, in the order in which they were made. */
void trace_writer_origins(struct trace_writer *writer, const void *bytes, size_t size);

#endif
