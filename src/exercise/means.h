/*
 * means.h - by which operations and accesses a right result was reached, held against what the
 * exercise asks for (`uses`, `avoids`, `most` and `once` in its header).
 */
#ifndef SHFLVIZ_EXERCISE_MEANS_H
#define SHFLVIZ_EXERCISE_MEANS_H

#include "exercise/exercise.h"
#include "trace/trace.h"

/* Counts the operations of a recording. *why becomes the reason they are not what is asked for, to
 * be freed, or NULL. Fails as trace_step() does. */
int means_judge(const struct exercise *exercise, const struct trace *trace, char **why,
                struct error *err);

/* How many operations a warp takes in a launch, at most. */
uint64_t means_operations(const struct trace *trace);

/* Accesses that the exercise speaks of, by bits of enum warp_op: they are recorded in a run of
 * their own, since lanes keep step where they are. */
uint32_t means_accesses(const struct exercise *exercise);

/* The same for the accesses in such a recording. */
char *means_judge_accesses(const struct exercise *exercise, const struct trace *trace);

#endif
