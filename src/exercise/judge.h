/*
 * judge.h - judges a learner's file: builds it with the exercise's test, runs it in several orders
 * of the lanes over fresh random values, compares its results, and checks its recording and its
 * memory accesses (check/report.h): a right result that depends on an undefined read, a race or a
 * wrong mask is not right.
 */
#ifndef SHFLVIZ_EXERCISE_JUDGE_H
#define SHFLVIZ_EXERCISE_JUDGE_H

#include "base/text.h"
#include "check/report.h"
#include "exercise/exercise.h"
#include "simt/simt.h"
#include "trace/trace.h"

enum verdict_kind {
    VERDICT_PASSED,
    VERDICT_WRONG,        /* a value differs from the expected one */
    VERDICT_MISUSE,       /* the values are right, but rules are broken */
    VERDICT_OTHER_MEANS,  /* not the required operations, or too many of them */
    VERDICT_NOT_COMPILED, /* text: the compiler's messages */
    VERDICT_UNFINISHED    /* crashed, hung, or beyond a limit; text: which */
};

struct verdict {
    enum verdict_kind kind;
    char *text;     /* the result, in the language in use; NULL if the fields below are enough */
    unsigned cases; /* number of cases tried, in all runs together */
    unsigned runs;
    uint64_t schedule; /* the run that the other fields are about */
    uint64_t seed;     /* seed of the values of all runs: struct judging's, or a random one */

    /* for VERDICT_WRONG, unless text says something else */
    char *case_name;
    char **cases_run; /* of the run: the case of each launch, to which findings belong */
    size_t cases_run_count;
    uint64_t block;
    uint32_t warp, lane;
    int index; /* of the element */
    char *got, *wanted;

    struct check_report
        report;          /* of all runs; there may be findings in addition to a wrong value */
    struct trace *trace; /* of the run that failed, else of the first; may be NULL */
    uint32_t launch;     /* in it, of the case that failed, else 0 */
    char *printed;       /* the end of the first run's output; may be "" */
};

struct judging {
    const char *path; /* path of the learner's file, for messages: nothing beside it is read */
    const char *text; /* its content */
    unsigned runs;    /* number of runs, each with another schedule and other random values; 0:
                       * JUDGING_RUNS */
    bool has_seed;    /* use `seed`; otherwise a random one */
    uint64_t seed;
    struct run_settings settings; /* for the first run; limits 0: 20 seconds, else those of an
                                     untrusted program */
    char *const *readable;        /* paths that it may read besides, if confined; may be NULL */
    const char *output;           /* path for the recording of the verdict's run; may be NULL */
};
#define JUDGING_RUNS 4

/*
 * Fails with ERROR_MISSING (no compiler), ERROR_USAGE (the recording cannot be written) or
 * ERROR_RUN (interrupted, or the sandbox cannot be set up); everything that a submission can do
 * wrong is a verdict. To be released either way.
 */
int exercise_judge(const struct exercise *exercise, const struct judging *judging,
                   struct verdict *verdict, struct error *err);
/*
 * Repeats the run that the verdict is about, with its lines, local variables and origins. *trace is
 * the caller's, NULL after a failure (ERROR_MISSING, ERROR_RUN, ERROR_USAGE).
 */
int exercise_record_details(const struct exercise *exercise, const struct judging *judging,
                            const struct verdict *verdict, struct trace **trace, struct error *err);
/* An unpredictable seed, short enough to be typed. */
uint64_t judging_draw_seed(void);
void verdict_release(struct verdict *verdict);

/* "passed", "wrong", "misuse", "other_means", "not_compiled", "unfinished": for scripts. */
const char *verdict_name(enum verdict_kind kind);

/* Appends the text for the learner, several lines, in the language in use. `file` names the
 * file. */
void verdict_append(struct text *text, const struct verdict *verdict, const char *file);

#endif
