/* whose.h - the answer to `--whose`: the origins of values, and the lines that miscount. */
#ifndef SHFLVIZ_EXPLAIN_WHOSE_H
#define SHFLVIZ_EXPLAIN_WHOSE_H

#include "base/error.h"
#include "base/text.h"
#include "explain/miscounts/miscounts.h"
#include "explain/origins.h"
#include "trace/trace.h"

struct whose_answer {
    struct whose_value {
        char name[80]; /* "out[5]", "lane 5" */
        uint32_t node;
        struct origin_terms terms;
    } * value;
    size_t count, room;
    struct miscounts
        miscounts; /* the miscounts of the launch's results, or only of the requested one */
    uint32_t launch, array; /* UINT32_MAX, and UINT64_MAX, for any */
    uint64_t index;
};

/* Answers 'NAME[INDEX]', 'NAME', 'VARIABLE@LINE' or 'VARIABLE@LINE:LANE'. Fails (ERROR_USAGE) if
 * the recording has no such value, or lacks its origins. whose_release() releases the answer, also
 * after a failure. */
int whose_find(const struct trace *trace, const char *asked, struct whose_answer *answer,
               struct error *err);
void whose_release(struct whose_answer *answer);

/* The answer as text: a sentence for each value and for each line that miscounts; for a single
 * value, its path; for several, a matrix of values by elements of the input, if there is room. */
int whose_answer(const struct trace *trace, const char *asked, struct text *text,
                 struct error *err);

#endif
