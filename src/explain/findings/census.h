/*
 * census.h - counts the contents of a recording: its launches, kernels, lines and findings, and
 * lists the program's output.
 *
 * Launches and their warps are read from the index of the recording; lines and findings require a
 * walk through all steps. The walk is done piece by piece, so that a screen can show its progress.
 * Memory grows with launches, lines, locations of findings and printed lines, not with steps.
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
    CENSUS_LINES,    /* one for each call: a file, a line and a text */
    CENSUS_FINDINGS, /* one for each rule and call; for the run as a whole, one without a call */
    CENSUS_OUTPUT,   /* one for each printed line; the last may be the amount that was not kept */
    CENSUS_KIND_COUNT
};

#define CENSUS_NONE UINT32_MAX

struct census_row {
    uint32_t launch;    /* for a launch; for a kernel, its first; for output, the latest; else
                           CENSUS_NONE */
    uint32_t launches;  /* for a kernel */
    uint32_t site;      /* for a line or a finding; CENSUS_NONE if there is none */
    enum warp_op op;    /* for a line: its first step's */
    int ways;           /* for a line: its worst access to shared memory; 0 if it has none */
    int sectors, least; /* for a line: the access to global memory that takes the most sectors
                           beyond the minimum; 0 if it has none */
    const char *rule;   /* for a finding */
    uint32_t lanes;     /* for a finding: the first time */
    uint64_t warps;     /* for a launch or a kernel: the number of warps that have steps */
    uint64_t steps;     /* for a finding: how often it was found; for output: the number of steps
                         * by then */
    uint64_t findings;  /* in all of its steps together */
    uint64_t undefined; /* undefined results, one for each lane and step */
    uint64_t first;     /* its first step, for output the one before; UINT64_MAX while not known */
    struct printed_line printed; /* for output; without a text, the part that was not kept */
};

struct census {
    const struct trace *trace;
    struct census_row *rows[CENSUS_KIND_COUNT];
    size_t count[CENSUS_KIND_COUNT], room[CENSUS_KIND_COUNT];
    uint32_t *kernel_of; /* row of each launch's kernel */
    struct {
        uint32_t *row;          /* the row plus one; 0 if free */
        size_t room;            /* a power of two, at least twice as many as there are rows */
    } slots[CENSUS_KIND_COUNT]; /* of kernels by name, of findings by rule and call */
    uint64_t warps;             /* counted so far */
    uint64_t steps;
    uint64_t damaged;                   /* steps that cannot be read */
    uint64_t first_damaged;             /* UINT64_MAX while not known */
    uint64_t operations[WARP_OP_COUNT]; /* steps of each kind */
    bool has_access;                    /* some step is an access to memory */
    bool done;
};

/* Launches, kernels, lines and output have their rows from the start. Borrows the trace. */
void census_init(struct census *census, const struct trace *trace);
void census_release(struct census *census);

/* Continues counting: does about as much work as counting `steps` steps takes. True while there is
 * more to do. */
bool census_count(struct census *census, uint64_t steps);

/* The same with that many steps on each of several threads, if that is worthwhile. */
bool census_count_shared(struct census *census, uint64_t steps);

/* Counts everything, likewise on several threads. */
void census_count_all(struct census *census);

/* The progress in percent. */
int census_percent(const struct census *census);

#endif
