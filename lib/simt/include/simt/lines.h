/*
 * lines.h - what a kernel tells of its lines and local variables while a lane that is shown runs it
 * (cudacpu/instrument/lines).
 *
 * A function of the program's text that is shown keeps a frame on its lane's stack. It says so at
 * its begin and its end and before each line; what each local variable's memory holds is compared
 * then with what it held before, so that a value counts as the line's however it got there. The
 * function notes which variables have been set: bits of `set`, one for each leaf.
 *
 * A leaf is a number: a variable, an element of an array, a member of a struct. A slot is the
 * memory of one variable, with all its leaves.
 *
 * Instrumented code is made of these structs by hand (instrument/lines/describe.c): all that it
 * builds has fields of 64 bits alone.
 */
#ifndef SHFLVIZ_SIMT_LINES_H
#define SHFLVIZ_SIMT_LINES_H

#include <stdint.h>

struct cpu_line_leaf {
    const char *name; /* "sum", "mine[3]", "pair.first" */
    uint64_t offset;  /* in its slot */
    uint64_t type;    /* enum warp_type */
    uint64_t bytes;   /* 1, 2, 4 or 8 */
};

struct cpu_line_slot {
    uint64_t bytes;
    uint64_t saved;        /* where its copy is in the frame's */
    uint64_t first, count; /* leaves */
};

/* A line of a function. */
struct cpu_line_site {
    uint64_t line;
    const uint64_t *scope; /* a bit for each leaf that can be named there */
    const uint64_t *reads; /* a bit for each that it reads, wherever in the line */
};

struct cpu_line_function {
    const char *file, *name;
    uint64_t slot_count, leaf_count, site_count;
    const struct cpu_line_slot *slots;
    const struct cpu_line_leaf *leaves;
    const struct cpu_line_site *sites;
    uint64_t number; /* in the recording, from 1; 0 as long as it is not there */
};

struct cpu_line_path;

/* Of one call of a function. The arrays are the function's, too. */
struct cpu_line_frame {
    struct cpu_line_frame *outer;
    struct cpu_line_function *function;
    void **slots;         /* where each variable is; NULL: it has not been declared yet */
    unsigned char *saved; /* what all of them held when the last line ended */
    uint64_t *set;        /* a bit for each leaf that holds something */
    uint64_t *told;       /* the same when the last line ended */
    const struct cpu_line_path *path; /* of the lines that the outer functions are in */
    uint64_t site;                    /* the line it is in: a number of function->sites, from 1 */
    uint64_t has_begun;               /* a line of it has been told */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Whether what the running lane does is shown: its kernel then calls the function that tells it. */
int cpu_lines_shown(void);

/* A function begins, with these arrays on its stack. */
void cpu_line_begin(struct cpu_line_frame *frame, struct cpu_line_function *function, void **slots,
                    unsigned char *saved, uint64_t *set, uint64_t *told);
/* It comes to a line. `again`: to the same as before, in a loop that is one line. */
void cpu_line(struct cpu_line_frame *frame, uint64_t site, uint64_t again);
/* A variable begins, at this address, and holds nothing. */
void cpu_line_declare(struct cpu_line_frame *frame, uint64_t slot, void *address);
/* A parameter is at this address, and set. */
void cpu_line_parameter(struct cpu_line_frame *frame, uint64_t slot, void *address);
/* The function has written there, in a variable. */
void cpu_line_store(struct cpu_line_frame *frame, uint64_t slot, const void *address,
                    uint64_t bytes);
/* It ends. */
void cpu_line_leave(struct cpu_line_frame *frame);

#ifdef __cplusplus
}
#endif

#endif
