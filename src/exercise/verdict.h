/*
 * verdict.h - turns a run of a learner's program into a verdict, wherever it ran: judge.c runs
 * compiled programs, src/practice interpreted ones.
 */
#ifndef SHFLVIZ_EXERCISE_VERDICT_H
#define SHFLVIZ_EXERCISE_VERDICT_H

#include "base/text.h"
#include "check/report.h"
#include "exercise/exercise.h"
#include "trace/trace.h"

enum verdict_kind {
    VERDICT_PASSED,
    VERDICT_WRONG,        /* a value differs from the expected one */
    VERDICT_MISUSE,       /* the values are right, but rules are broken */
    VERDICT_OTHER_MEANS,  /* not the required operations, or too many of them */
    VERDICT_NOT_COMPILED, /* text: the compiler's messages */
    VERDICT_UNFINISHED    /* crashed, hung, or exceeded a limit; text: which */
};

struct verdict {
    enum verdict_kind kind;
    char *text;     /* the result, in the language in use; NULL if the fields below are enough */
    unsigned cases; /* number of cases tried, in all runs together */
    unsigned runs;
    uint64_t schedule; /* the run that the other fields are about */
    uint64_t seed;     /* seed of the values of all runs: that of struct judging, or a random one */
    bool in_page;      /* no option can repeat them, so the words do not name one */

    /* for VERDICT_WRONG, unless text says something else */
    char *case_name;
    char **cases_run; /* the case of each launch of the run, and so of its findings */
    size_t cases_run_count;
    uint64_t block;
    uint32_t warp, lane;
    int index; /* of the element */
    char *got, *wanted;

    struct check_report
        report;          /* of all runs; there may be findings in addition to a wrong value */
    struct trace *trace; /* of the run that failed, else of the first; may be NULL */
    uint32_t launch;     /* its launch for the case that failed, else 0 */
    char *printed;       /* the end of the first run's output; may be "" */
};

/* An unpredictable seed, short enough to be typed. */
uint64_t judging_draw_seed(void);
void verdict_release(struct verdict *verdict);

/* "passed", "wrong", "misuse", "other_means", "not_compiled", "unfinished": for scripts. */
const char *verdict_name(enum verdict_kind kind);

/* Appends the text for the learner, several lines, in the language in use. `file` names the
 * file. */
void verdict_append(struct text *text, const struct verdict *verdict, const char *file);

/* The test's report (shflviz/exercise.cuh). */
struct test_results {
    char *case_name; /* the last one begun */
    char **names;    /* of all of them */
    unsigned cases;
    bool ended, wrong;
    char *error;
    uint64_t block;
    uint32_t warp, lane;
    int index;
    char *got, *wanted;
};

/* Reads the report's lines; the text is changed. */
void test_results_read(struct test_results *results, char *bytes);
void test_results_release(struct test_results *results);

/* A run that has ended, and what is known about it. */
struct run_end {
    struct test_results *results; /* its names become the verdict's */
    struct trace *trace;          /* becomes the verdict's; may be NULL */
    uint64_t schedule;
    const struct error *failed; /* kind is ERROR_NONE if the program ended by itself */
    int exit_status;
    bool has_accesses;          /* its list of memory accesses is there */
    const struct error *unread; /* why a part of it is missing */
};
/* Adds a run, whose findings are in verdict->report. Fails as trace_step() does. */
int verdict_add_run(struct verdict *verdict, const struct exercise *exercise,
                    const struct run_end *run, struct error *err);

/* The results are right, but not by the required means; `why` is kept. */
void verdict_other_means(struct verdict *verdict, char *why);

#endif
