/*
 * comparison.h - two recordings side by side: the differences, and the selected one.
 *
 * Knows nothing about screens. Borrows the traces and the names; only comparison.c assigns its
 * fields.
 */
#ifndef SHFLVIZ_REPLAY_COMPARISON_H
#define SHFLVIZ_REPLAY_COMPARISON_H

#include "base/error.h"
#include "explain/findings/difference.h"
#include "replay/keys/action.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>

/* The most differences that are listed; the rest are only counted. */
#define COMPARISON_MOST 100000

struct comparison {
    const struct trace *traces[2];
    const char *names[2];
    struct difference total; /* the first, and how many steps and warps differ */
    struct difference *list; /* by launch, block, warp, position */
    size_t count, capacity;
    bool more; /* there are more than are listed */
    size_t at; /* the selected one: initially the one with the lowest step */
    struct trace_step step[2];
    bool has_step[2];
    bool help, quit;
    const char *message; /* for _(); NULL if there is none */
};

/* Compares all steps, which takes noticeable time per million steps. Fails (ERROR_USAGE) on a
 * step that cannot be read; the caller releases *comparison in either case. */
int comparison_init(struct comparison *comparison, const struct trace *const traces[2],
                    const char *const names[2], struct error *err);
void comparison_release(struct comparison *comparison);

/* The meaning of a key; the action is for comparison_apply(). */
struct press comparison_press(const struct comparison *comparison, const char *key);
bool comparison_apply(struct comparison *comparison, enum action action);

#endif
