/*
 * judge.h - judges a learner's file: builds it with the exercise's test, runs it in several orders
 * of the lanes over fresh random values, compares its results, and checks its recording and its
 * memory accesses (check/report.h): a right result that depends on an undefined read, a race or a
 * wrong mask does not pass.
 */
#ifndef SHFLVIZ_EXERCISE_JUDGE_H
#define SHFLVIZ_EXERCISE_JUDGE_H

#include "exercise/verdict.h"
#include "simt/simt.h"
#include "trace/trace.h"

struct judging {
    const char *path; /* path of the learner's file, for messages; nothing beside it is read */
    const char *text; /* its content */
    unsigned runs;    /* number of runs, each with its own schedule and random values; 0:
                       * JUDGING_RUNS */
    bool has_seed;    /* use `seed`; otherwise a random one */
    uint64_t seed;
    struct run_settings settings; /* for the first run; a limit of 0 means 20 seconds, or else
                                     the limit of an untrusted program */
    char *const *readable;        /* further paths that it may read, if confined; may be NULL */
    const char *output;           /* path for the recording of the verdict's run; may be NULL */
};
#define JUDGING_RUNS 4

/*
 * Fails with ERROR_MISSING (no compiler), ERROR_USAGE (the recording cannot be written) or
 * ERROR_RUN (interrupted, or the sandbox cannot be set up); everything that a submission can do
 * wrong is a verdict. The caller releases it in either case.
 */
int exercise_judge(const struct exercise *exercise, const struct judging *judging,
                   struct verdict *verdict, struct error *err);
/*
 * Repeats the verdict's run with its lines, local variables and origins. *trace is the caller's,
 * NULL after a failure (ERROR_MISSING, ERROR_RUN, ERROR_USAGE).
 */
int exercise_record_details(const struct exercise *exercise, const struct judging *judging,
                            const struct verdict *verdict, struct trace **trace, struct error *err);

#endif
