/*
 * lines.h - a kernel's reports about its lines and local variables while a shown lane runs it
 * (cudacpu/instrument/lines).
 *
 * A function whose source is shown keeps a frame on its lane's stack. It reports its start, its end
 * and each line before it runs; each local variable's memory is then compared with its old
 * contents, so that a change counts as the line's however it was made. The function notes which
 * variables have been set: bits of `set`, one for each leaf.
 *
 * A leaf is a number: a variable, an element of an array, a member of a struct. A slot is the
 * memory of one variable, with all its leaves.
 *
 * Instrumented code builds these structs by hand (instrument/lines/describe.c), so all of them have
 * 64-bit fields only.
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
    uint64_t saved;        /* the position of its copy in the frame's copies */
    uint64_t first, count; /* leaves */
};

/* A line of a function. */
struct cpu_line_site {
    uint64_t line;
    const uint64_t *scope; /* a bit for each leaf that is in scope there */
    const uint64_t *reads; /* a bit for each leaf that the line reads, anywhere in it */
};

struct cpu_line_function {
    const char *file, *name;
    uint64_t slot_count, leaf_count, site_count;
    const struct cpu_line_slot *slots;
    const struct cpu_line_leaf *leaves;
    const struct cpu_line_site *sites;
    uint64_t number; /* number in the recording, from 1; 0 until it is there */
};

struct cpu_line_path;

/* One call of a function, which also owns the arrays. */
struct cpu_line_frame {
    struct cpu_line_frame *outer;
    struct cpu_line_function *function;
    void **slots;                     /* address of each variable; NULL until it is declared */
    unsigned char *saved;             /* their contents when the last line ended */
    uint64_t *set;                    /* a bit for each leaf that is set */
    uint64_t *told;                   /* the same when the last line ended */
    const struct cpu_line_path *path; /* of the outer functions' current lines */
    uint64_t site;                    /* the current line: a number of function->sites, from 1 */
    uint64_t has_begun;               /* one of its lines has been reported */
};

#ifdef __cplusplus
extern "C" {
#endif

/* True if the running lane is shown: its kernel then calls the reporting version of a function. */
int cpu_lines_shown(void);

/* Called when a function begins, with these arrays on its stack. */
void cpu_line_begin(struct cpu_line_frame *frame, struct cpu_line_function *function, void **slots,
                    unsigned char *saved, uint64_t *set, uint64_t *told);
/* Called when the function reaches a line. `again`: the same line as before, in a one-line
 * loop. */
void cpu_line(struct cpu_line_frame *frame, uint64_t site, uint64_t again);
/* Called when a variable begins at this address, unset. */
void cpu_line_declare(struct cpu_line_frame *frame, uint64_t slot, void *address);
/* Called for a parameter, which is at this address and is set. */
void cpu_line_parameter(struct cpu_line_frame *frame, uint64_t slot, void *address);
/* Called when the function has written to a variable, at this address. */
void cpu_line_store(struct cpu_line_frame *frame, uint64_t slot, const void *address,
                    uint64_t bytes);
/* Called when it ends. */
void cpu_line_leave(struct cpu_line_frame *frame);

#ifdef __cplusplus
}
#endif

#endif
