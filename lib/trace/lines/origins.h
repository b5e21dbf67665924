/*
 * origins.h - what values are made of: a graph of which each node follows from earlier ones, with
 * the nodes of local variables after each line of a warp, and of arrays when a kernel has ended.
 * docs/TRACE_FORMAT.md, "Origins", has the bytes.
 *
 * Only a recording that was asked for it has it (`run --whose`).
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
    TRACE_ORIGIN_NONE,       /* node 0: the value is made of nothing but constants */
    TRACE_ORIGIN_CONSTANT,   /* node 1: a constant that was added */
    TRACE_ORIGIN_ELEMENT,    /* of an array, as it was when the kernel began: text a, index extra;
                                b is 1 for floating-point numbers */
    TRACE_ORIGIN_ARGUMENT,   /* of the kernel: text a */
    TRACE_ORIGIN_PLACE,      /* enum trace_origin_place a; its value is extra */
    TRACE_ORIGIN_UNSET,      /* a local variable that holds nothing: text a */
    TRACE_ORIGIN_UNSET_CELL, /* of shared memory that nobody has written: text a, index extra */
    TRACE_ORIGIN_UNSET_LANE, /* lane a has read lane b, where nothing defines what it gets */
    TRACE_ORIGIN_UNKNOWN,    /* of what cannot be looked into: text a */
    TRACE_ORIGIN_SUM,        /* a + b */
    TRACE_ORIGIN_DIFFERENCE, /* a - b */
    TRACE_ORIGIN_SCALED,     /* a times the number whose bits are extra; b is what that is of */
    TRACE_ORIGIN_DEPENDS,    /* on a and b, in another way */
    TRACE_ORIGIN_CHOSEN,     /* a, because of b */
    TRACE_ORIGIN_FLOATED,    /* a as a floating-point number */
    TRACE_ORIGIN_MOVED,      /* a, by a warp operation: lanes b >> 8 <- b & 255, step extra */
    TRACE_ORIGIN_CELL,       /* a, by way of shared memory: text b, index extra */
    TRACE_ORIGIN_KINDS
};

enum trace_origin_place {
    TRACE_ORIGIN_THREAD, /* threadIdx.x, .y, .z */
    TRACE_ORIGIN_BLOCK = 3,
    TRACE_ORIGIN_BLOCK_DIM = 6,
    TRACE_ORIGIN_GRID_DIM = 9,
    TRACE_ORIGIN_PLACES = 12
};

struct trace_origin {
    enum trace_origin_kind kind;
    uint32_t a, b;
    uint32_t line; /* of the program's text; 0: none that is known */
    uint64_t extra;
};

/* A local variable after a line: the line's number among those of its warp. */
struct trace_origin_value {
    uint32_t launch, warp;
    uint64_t block, line;
    uint32_t variable; /* among those of all functions */
    uint32_t lane, node;
};

/* An element of an array when the kernel had ended, that the kernel has written. */
struct trace_origin_element {
    uint32_t launch, array; /* text */
    uint64_t index;
    uint32_t node;
};

struct trace_origins {
    struct trace_origin *nodes;
    char **texts;
    struct trace_origin_value *values; /* of each warp in the order of its lines */
    struct trace_origin_element *elements;
    size_t node_count, text_count, value_count, element_count;
};

/* What the recording has, kept by the trace; NULL: nothing, or it is damaged. */
const struct trace_origins *trace_origins_of(const struct trace *trace);
void trace_origins_release(struct trace_origins *origins); /* NULL is fine */
/* The node of a variable of a lane after the first `done` lines of its warp; 0: it has none. */
uint32_t trace_origins_value(const struct trace_origins *origins,
                             const struct trace_origin_value *wanted);

/* ---- writing ---- */

void trace_origin_put_text(struct text *bytes, const char *text);
void trace_origin_put_node(struct text *bytes, const struct trace_origin *node);
/* `function` as trace_writer_function() says; the variable is a number of it. */
void trace_origin_put_value(struct text *bytes, const struct trace_origin_value *value,
                            uint32_t function);
void trace_origin_put_element(struct text *bytes, const struct trace_origin_element *element);

/* More bytes of origins than these are not kept. */
#define TRACE_ORIGINS_MOST (UINT64_C(64) << 20)

/* Whole entries that the functions above have made, in the order in which they were. */
void trace_writer_origins(struct trace_writer *writer, const void *bytes, size_t size);

#endif
