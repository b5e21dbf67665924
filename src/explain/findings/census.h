/*
 * census.h - what a recording consists of: its launches, kernels, lines and findings, counted, and
 * what the program printed.
 *
 * Launches and their warps come from the index of the recording; lines and findings take a walk
 * through all steps. The walk is done piece by piece, so that a screen can show how far it is. What
 * is kept grows with launches, lines, places of findings and printed lines, not with steps.
 */
#ifndef SHFLVIZ_EXPLAIN_CENSUS_H
#define SHFLVIZ_EXPLAIN_CENSUS_H

#include "explain/printed.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum census_kind {
    CENSUS_LAUNCHES,
    CENSUS_KERNELS,
    CENSUS_LINES,    /* one a call: a file, a line and a text */
    CENSUS_FINDINGS, /* one a rule and a call; of the run as a whole one without a call */
    CENSUS_OUTPUT,   /* one a printed line; the last may say how much was not kept */
    CENSUS_KIND_COUNT
};

#define CENSUS_NONE UINT32_MAX

struct census_row {
    uint32_t launch;    /* of a launch; of a kernel its first; of output the latest; else
                           CENSUS_NONE */
    uint32_t launches;  /* of a kernel */
    uint32_t site;      /* of a line or a finding; CENSUS_NONE if there is none */
    enum warp_op op;    /* of a line: of its first step */
    int ways;           /* of a line: of its worst access to shared memory; 0: it has none */
    int sectors, least; /* of a line: of its access to global memory that takes most sectors beyond
                           the least that would do; 0: it has none */
    const char *rule;   /* of a finding */
    uint32_t lanes;     /* of a finding: of the first time */
    uint64_t warps;     /* of a launch or a kernel: that have steps */
    uint64_t steps;     /* of a finding: how often it was found; of output: by then */
    uint64_t findings;  /* all of its steps together */
    uint64_t undefined; /* results that are undefined, one a lane a step */
    uint64_t first;     /* its first step, of output the one before; UINT64_MAX while none is
                           known */
    struct printed_line printed; /* of output; without a piece it stands for what was not kept */
};

struct census {
    const struct trace *trace;
    struct census_row *rows[CENSUS_KIND_COUNT];
    size_t count[CENSUS_KIND_COUNT], room[CENSUS_KIND_COUNT];
    uint32_t *kernel_of; /* row of each launch's kernel */
    struct {
        uint32_t *row;          /* plus one; 0: free */
        size_t room;            /* a power of two, at least twice as many as there are rows */
    } slots[CENSUS_KIND_COUNT]; /* of kernels by name, of findings by rule and call */
    uint64_t warps;             /* counted so far */
    uint64_t steps;
    uint64_t damaged;                   /* steps that cannot be read */
    uint64_t first_damaged;             /* UINT64_MAX while none is known */
    uint64_t operations[WARP_OP_COUNT]; /* steps of each kind */
    bool has_access;                    /* some step is an access to memory */
    bool done;
};

/* Launches, kernels, lines and output have their rows from the start on. Borrows the trace. */
void census_init(struct census *census, const struct trace *trace);
void census_release(struct census *census);

/* Counts on, about as much work as `steps` steps take. True while there is more to do. */
bool census_count(struct census *census, uint64_t steps);

/* The same with as many steps on each of several threads, where that is worth it. */
bool census_count_shared(struct census *census, uint64_t steps);

/* Counts all there is, likewise. */
void census_count_all(struct census *census);

/* How much is done, of 100. */
int census_percent(const struct census *census);

#endif
