/*
 * failure.h - why a run did not finish, in words made from its recording.
 */
#ifndef SHFLVIZ_EXPLAIN_FAILURE_H
#define SHFLVIZ_EXPLAIN_FAILURE_H

#include "base/error.h"
#include "base/text.h"
#include "trace/failure.h"

#include <stdbool.h>
#include <stdint.h>

/* What kind of failure the recording shows. One made by a version that did not note kinds shows a
 * deadlock if its last operations never ended, and TRACE_FAILURE_OTHER if not. */
enum trace_failure failure_kind(const struct trace *trace);

/* Whether lanes that spin try to take a lock, as the lines say where they do: else they wait for
 * something that another lane is to write. */
bool failure_spins_at_lock(const struct trace *trace);

enum failure_wait_kind {
    FAILURE_WAITS_CALL,    /* at a warp operation */
    FAILURE_WAITS_BARRIER, /* at a __syncthreads() */
    FAILURE_RUNS,          /* for nothing */
};

/* Lanes of one warp that were in one place when the run stopped. */
struct failure_wait {
    enum failure_wait_kind kind;
    uint32_t warp, lanes;
    uint32_t missing; /* lanes of the same warp that these wait for */
    char place[256];  /* "FILE:LINE TEXT", of what runs "FILE:LINE", cut; "" if it is not known */
};

struct failure_waits {
    struct failure_wait *wait; /* the caller's, `room` of them; NULL if room is 0 */
    int room;
    int count;         /* of them that are filled in */
    int all, of_warp;  /* how many there are, and of the warp asked about */
    uint32_t block[3]; /* index of the block that did not finish */
};

/* Which lanes wait where, those of `warp` first. Sets all but wait and room; false if the recording
 * does not show that lanes waited or span for ever. */
bool failure_waits(const struct trace *trace, uint32_t warp, struct failure_waits *waits);

/* Appends several lines in the language in use: which lanes wait where and for which, where lanes
 * wait; else that the run did not finish, with the words of the device. Nothing for
 * TRACE_FAILURE_NONE. */
void failure_append(struct text *text, const struct trace *trace);

/* Where the recording shows lanes that wait or spin, replaces the text of `err` by these words. */
void failure_explain(struct error *err, const struct trace *trace);

#endif
