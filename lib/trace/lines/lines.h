/*
 * lines.h - the source lines that a warp has run, in order, with the values of its local variables
 * after each: read from a recording, and stepped through in both directions.
 *
 * Lanes do not run in lockstep. A line belongs to the lanes that reached it the same way without
 * diverging; for other lanes the same line is a separate entry, before or after it.
 * docs/TRACE_FORMAT.md describes the encoding.
 */
#ifndef SHFLVIZ_TRACE_LINES_LINES_H
#define SHFLVIZ_TRACE_LINES_LINES_H

#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A scalar of a local variable: the variable itself, an element, a member. */
struct trace_variable {
    const char *name; /* "sum", "mine[3]", "pair.first" */
    enum warp_type type;
    unsigned bytes; /* 1, 2, 4 or 8: a bool or a char has a wider type */
};

/* A function of the program's source, with its lines. */
struct trace_function {
    const char *file, *name;
    uint32_t variable_count, line_count;
    const struct trace_variable *variables;
    const uint32_t *lines;
    const uint64_t *scope; /* for each line, a bit for each variable that is in scope; rows of
                              trace_scope_words() */
    const uint64_t *reads; /* the same for those that it reads; the writer accepts NULL for none */
    uint32_t first;        /* number of its first variable among those of all functions; for the
                              reader */
};

static inline size_t trace_scope_words(uint32_t variables) {
    return variables / 64 + 1;
}

/* Larger numbers are neither written nor accepted. */
#define TRACE_FUNCTION_VARIABLES 512u
#define TRACE_FUNCTION_LINES     65536u

size_t trace_function_count(const struct trace *trace);
/* NULL if there is no such function. */
const struct trace_function *trace_function(const struct trace *trace, size_t number);
/* Variables of all functions. */
size_t trace_variable_count(const struct trace *trace);
/* The function that a variable belongs to, by the variable's number among all; NULL if there is
 * none. */
const struct trace_function *trace_function_of(const struct trace *trace, uint32_t variable);

struct trace_line_change {
    uint32_t variable; /* among those of all functions */
    uint32_t lanes;
    uint32_t doubtful; /* lanes whose value was computed from an undefined one */
    bool is_unset;     /* unset again, because execution has come back to its declaration */
    size_t values;     /* the first of as many values as there are lanes, in trace_lines.values */
};

/* A line that lanes of a warp have run. */
struct trace_line {
    uint32_t function, line; /* numbers: of trace_function(), of its lines */
    uint32_t lanes;
    uint32_t depth; /* the number of functions it is nested in, not counting the kernel */
    bool enters;    /* the first of a call of the function, whose variables are unset before it */
    uint64_t step;  /* steps that the recording had when the line ended */
    size_t change;  /* the first, in trace_lines.changes */
    uint32_t change_count;
};

struct trace_lines {
    const struct trace *trace;
    size_t count, change_count;
    struct trace_line *lines;
    struct trace_line_change *changes;
    uint64_t *values;
    struct trace_line_state *kept; /* after every kept_each lines, for trace_lines_state() */
    size_t kept_count, kept_each;
};

/*
 * All lines of a warp; *lines is NULL if none are recorded. Fails (ERROR_USAGE) if the file's
 * lines are damaged. The caller releases them; NULL is fine.
 */
int trace_lines_open(const struct trace *trace, uint32_t launch, uint64_t block, uint32_t warp,
                     struct trace_lines **lines, struct error *err);
void trace_lines_release(struct trace_lines *lines);
/* The same, kept by the trace: valid until four other warps have been requested. NULL if there are
 * none, or they are damaged. */
const struct trace_lines *trace_lines_of(const struct trace *trace, uint32_t launch, uint64_t block,
                                         uint32_t warp);
/* True if the recording has any lines at all. */
bool trace_has_lines(const struct trace *trace);
/* A warp that has lines. */
struct trace_line_warp {
    uint32_t launch, warp;
    uint64_t block;
};
/* The next of them, by launch, block and warp; *at is 0 before the first. False if there is
 * none. */
bool trace_lines_next_warp(const struct trace *trace, size_t *at, struct trace_line_warp *warp);

/* The values of the variables of all functions. */
struct trace_line_state {
    size_t count;
    uint32_t *set;      /* for each variable, the lanes in which it is set */
    uint32_t *doubtful; /* of these, the lanes in which it was computed from an undefined value */
    uint64_t (*value)[WARP_LANES]; /* 0 where it is unset */
};

void trace_line_state_init(struct trace_line_state *state, const struct trace *trace);
void trace_line_state_release(struct trace_line_state *state);
/* Sets the values to those after the first `done` lines. */
void trace_lines_state(const struct trace_lines *lines, size_t done,
                       struct trace_line_state *state);
/* Advances the values from those after the first `done` lines to those after one more. */
void trace_lines_advance(const struct trace_lines *lines, size_t done,
                         struct trace_line_state *state);
/* True if the variable, a number among those of all functions, is in scope at the line. */
bool trace_line_shows(const struct trace_lines *lines, const struct trace_line *line,
                      uint32_t variable);

/* ---- writing ---- */

/* Lines that follow one another, of one warp, coded (lines/code.h). */
struct trace_line_chunk {
    uint64_t block;
    uint32_t launch, warp;
    uint32_t count; /* lines */
    const void *bytes;
    size_t size;
};

/* Further bytes of lines are not kept, and their lines are counted. */
#define TRACE_LINES_MOST (UINT64_C(8) << 20)

/* Like the functions of trace/trace.h; the first returns the number by which lines refer to it. */
uint32_t trace_writer_function(struct trace_writer *writer, const struct trace_function *function);
void trace_writer_lines(struct trace_writer *writer, const struct trace_line_chunk *chunk);

#endif
