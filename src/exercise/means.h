/*
 * means.h - compares the operations and accesses that led to a right result with those that the
 * exercise requires (`uses`, `avoids`, `most` and `once` in its header).
 */
#ifndef SHFLVIZ_EXERCISE_MEANS_H
#define SHFLVIZ_EXERCISE_MEANS_H

#include "exercise/exercise.h"
#include "trace/trace.h"

/* Counts the operations of a recording. If they are not those required, *why is set to the reason,
 * which the caller frees, else to NULL. Fails as trace_step() does. */
int means_judge(const struct exercise *exercise, const struct trace *trace, char **why,
                struct error *err);

/* The most operations that a warp performs in a launch. */
uint64_t means_operations(const struct trace *trace);

/* Accesses that the exercise restricts, by bits of enum warp_op: they are recorded in a
 * separate run, since recording them keeps the lanes of a warp in step. */
uint32_t means_accesses(const struct exercise *exercise);

/* An access of a warp in a launch; compared as bytes. */
struct means_access {
    uint32_t launch, warp;
    uint64_t block, address; /* or its offset in the recording */
    uint64_t op;             /* enum warp_op */
};
/* Judges accesses and reorders them. Returns the reason or NULL. */
char *means_judge_access_list(const struct exercise *exercise, struct means_access *accesses,
                              size_t count);

/* The same for the accesses in such a recording. */
char *means_judge_accesses(const struct exercise *exercise, const struct trace *trace);

#endif
