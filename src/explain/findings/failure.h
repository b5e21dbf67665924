/* failure.h - the reason why a run did not finish, in words made from its recording. */
#ifndef SHFLVIZ_EXPLAIN_FAILURE_H
#define SHFLVIZ_EXPLAIN_FAILURE_H

#include "base/error.h"
#include "base/text.h"
#include "trace/failure.h"

#include <stdbool.h>
#include <stdint.h>

/* The kind of failure in the recording. A recording from a version without kinds counts
 * as a deadlock if its last operations never ended, and as TRACE_FAILURE_OTHER if they did. */
enum trace_failure failure_kind(const struct trace *trace);

/* True if spinning lanes try to take a lock, judging by their source lines: otherwise they wait
 * for another lane to write something. */
bool failure_spins_at_lock(const struct trace *trace);

enum failure_wait_kind {
    FAILURE_WAITS_CALL,    /* at a warp operation */
    FAILURE_WAITS_BARRIER, /* at a __syncthreads() */
    FAILURE_RUNS,          /* for nothing: they were still running */
};

/* The lanes of one warp that were at one location when the run stopped. */
struct failure_wait {
    enum failure_wait_kind kind;
    uint32_t warp, lanes;
    uint32_t missing;   /* lanes of the same warp that these wait for */
    char location[256]; /* "FILE:LINE TEXT", for running lanes "FILE:LINE", cut; "" if not known */
};

struct failure_waits {
    struct failure_wait *wait; /* the caller's, `room` of them; NULL if room is 0 */
    int room;
    int count;         /* the number filled in */
    int all, of_warp;  /* the total number, and that of the requested warp */
    uint32_t block[3]; /* index of the block that did not finish */
};

/* The waiting lanes and their locations, those of `warp` first. Sets all but wait and room; false
 * if the recording does not show that lanes waited or spun forever. */
bool failure_waits(const struct trace *trace, uint32_t warp, struct failure_waits *waits);

/* Appends several lines in the language in use: if lanes wait, which ones, where, and for
 * which other lanes; else a statement that the run did not finish, and the device's message.
 * Appends nothing for TRACE_FAILURE_NONE. */
void failure_append(struct text *text, const struct trace *trace);

/* If the recording shows lanes that wait or spin, replaces the text of `err` with those lines. */
void failure_explain(struct error *err, const struct trace *trace);

#endif
