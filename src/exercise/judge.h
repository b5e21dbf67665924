/*
 * judge.h - a learner's file held against its exercise: built with the exercise's test, run in
 * several orders of the lanes over values drawn anew, its results compared, and its recording and
 * its memory accesses checked (check/report.h): a right result that rests on an undefined read, a
 * race or a wrong mask is not right.
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
    VERDICT_WRONG,        /* a value is not what is wanted */
    VERDICT_MISUSE,       /* the values are right, and rules are broken */
    VERDICT_OTHER_MEANS,  /* not the operations that the exercise is about, or too many of them */
    VERDICT_NOT_COMPILED, /* text: the compiler's words */
    VERDICT_UNFINISHED    /* crashed, hung, or beyond a limit; text: which */
};

struct verdict {
    enum verdict_kind kind;
    char *text;     /* what happened, in the language in use; NULL where the fields below tell */
    unsigned cases; /* that were tried, in all runs together */
    unsigned runs;
    uint64_t schedule; /* of the run that the rest is about */
    uint64_t seed;     /* of the values of all runs: struct judging's, or the one that was drawn */

    /* VERDICT_WRONG, unless text says something else */
    char *case_name;
    char **cases_run; /* of the run: the case of each launch; what is found belongs to one */
    size_t cases_run_count;
    uint64_t block;
    uint32_t warp, lane;
    int index; /* of the element */
    char *got, *wanted;

    struct check_report report; /* of all runs; there may be findings beside a wrong value */
    struct trace *trace; /* of the run that failed, else of the first; NULL if there is none */
    uint32_t launch;     /* in it, of the case that failed, else 0 */
    char *printed;       /* the end of what the first run printed; "" for nothing */
};

struct judging {
    const char *path; /* of the learner's file, for messages: nothing beside it is looked at */
    const char *text; /* what is in it */
    unsigned runs;    /* each with another schedule and other random values; 0: JUDGING_RUNS */
    bool has_seed;    /* the values are those of `seed`; else a seed is drawn */
    uint64_t seed;
    struct run_settings settings; /* of the first run; limits 0: 20 seconds, else what a stranger's
                                     program gets */
    char *const *readable;        /* what it may read besides, if confined; may be NULL */
    const char *output;           /* where the recording of the verdict's run goes; NULL: nowhere */
};
#define JUDGING_RUNS 4

/*
 * Fails with ERROR_MISSING (no compiler), ERROR_USAGE (the recording cannot be written) or
 * ERROR_RUN (interrupted, or the walls cannot be built); everything that a submission can do wrong
 * is a verdict. To be released either way.
 */
int exercise_judge(const struct exercise *exercise, const struct judging *judging,
                   struct verdict *verdict, struct error *err);
/*
 * The run that the verdict is about once more, with its lines, local variables and origins. *trace
 * is the caller's, NULL after a failure (ERROR_MISSING, ERROR_RUN, ERROR_USAGE).
 */
int exercise_record_details(const struct exercise *exercise, const struct judging *judging,
                            const struct verdict *verdict, struct trace **trace, struct error *err);
/* A seed that nobody can foresee, short enough to be typed. */
uint64_t judging_draw_seed(void);
void verdict_release(struct verdict *verdict);

/* "passed", "wrong", "misuse", "other_means", "not_compiled", "unfinished": for scripts. */
const char *verdict_name(enum verdict_kind kind);

/* Appends what the learner reads, several lines, in the language in use. `file` names the file. */
void verdict_append(struct text *text, const struct verdict *verdict, const char *file);

#endif
