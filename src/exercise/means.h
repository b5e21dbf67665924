/*
 * means.h - compares the operations and accesses that led to a right result with those that the
 * exercise requires (`uses`, `avoids`, `most` and `once` in its header).
 */
#ifndef SHFLVIZ_EXERCISE_MEANS_H
#define SHFLVIZ_EXERCISE_MEANS_H

#include "exercise/exercise.h"
#include "trace/trace.h"

/* Counts the operations of a recording. *why is set to the reason if they are not those required,
 * to be freed, or to NULL. Fails as trace_step() does. */
int means_judge(const struct exercise *exercise, const struct trace *trace, char **why,
                struct error *err);

/* The most operations that a warp makes in a launch. */
uint64_t means_operations(const struct trace *trace);

/* Accesses that the exercise restricts, by bits of enum warp_op: they are recorded in a run of
 * their own, since they make lanes keep step. */
uint32_t means_accesses(const struct exercise *exercise);

/* The same for the accesses in such a recording. */
char *means_judge_accesses(const struct exercise *exercise, const struct trace *trace);

#endif
