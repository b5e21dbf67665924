/*
 * origins.h - what a value is made of, in words and as a matrix: `--whose`.
 *
 * Along sums, differences, multiples, copies, shuffles and shared memory counts are exact. What
 * comes in another way, by a maximum, a product of data, a choice that data made, is named without
 * one.
 */
#ifndef SHFLVIZ_EXPLAIN_ORIGINS_H
#define SHFLVIZ_EXPLAIN_ORIGINS_H

#include "base/error.h"
#include "base/text.h"
#include "trace/lines/origins.h"
#include "trace/trace.h"

/* A leaf that a value is made of. */
struct origin_term {
    const struct trace_origin *leaf;
    double count;
    bool is_uncounted; /* it comes in another way than those that are counted */
};

/* All that a value is made of. The terms in the order of their kinds, arrays and indices. */
struct origin_terms {
    struct origin_term *terms;
    size_t count;
    bool has_constant; /* a constant was added */
    uint32_t *lines;   /* of the program's text, each once, in order */
    size_t line_count;
    uint64_t *steps; /* warp operations that values came through, likewise */
    size_t step_count;
    bool through_shared;
};

void origins_collect(const struct trace_origins *origins, uint32_t node,
                     struct origin_terms *terms);
void origins_terms_release(struct origin_terms *terms);
/* "in[5..15], in[16..20] twice". */
void origins_append_terms(struct text *text, const struct trace_origins *origins,
                          const struct origin_terms *terms);
/* "by lines 7, 8", "through warp operations, steps 0, 1": a line of text for each way. */
void origins_append_way(struct text *text, const struct origin_terms *terms);

/* The elements that a matrix of values by elements has a column for: of the array that most terms
 * are of. */
struct origin_columns {
    uint32_t array;
    uint64_t first, last;
};
/* False: there is no element of an array. */
bool origins_columns(const struct origin_terms *terms, size_t count,
                     struct origin_columns *columns);
/* How often elements are in a value: '1' to '9', '#' more or a part, '-' subtracted, '?' in another
 * way, '.' not at all; '~' differently. */
char origins_cell(const struct origin_terms *terms, uint32_t array, uint64_t first, uint64_t last);

/*
 * Answers 'NAME[INDEX]', 'NAME', 'VARIABLE@LINE' or 'VARIABLE@LINE:LANE': a sentence for each
 * value, a matrix of values by input elements where that has room, and the way. Fails (ERROR_USAGE)
 * if the recording has no such value, or says of none what it is made of.
 */
int origins_answer(const struct trace *trace, const char *asked, struct text *text,
                   struct error *err);

#endif
