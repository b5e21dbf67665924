/*
 * origins.h - the origins of a value, in words and as a matrix.
 *
 * Counts are exact along sums, differences, multiples, copies, shuffles and shared memory. Terms
 * that enter another way, through a maximum, a product of data, or a choice that depends on data,
 * are named without a count.
 */
#ifndef SHFLVIZ_EXPLAIN_ORIGINS_H
#define SHFLVIZ_EXPLAIN_ORIGINS_H

#include "base/text.h"
#include "trace/lines/origins.h"
#include "trace/trace.h"

/* A leaf among a value's origins. */
struct origin_term {
    const struct trace_origin *leaf;
    double count;
    bool is_uncounted; /* it enters in a way that cannot be counted */
};

/* A lane's result of a warp operation that is part of a value. */
struct origin_move {
    uint64_t step;
    int to, from; /* lanes */
};

/* All origins of a value. The terms are ordered by kind, array and index. */
struct origin_terms {
    struct origin_term *terms;
    size_t count;
    bool has_constant; /* a constant was added */
    uint32_t *lines;   /* lines of the program, each once, in order */
    size_t line_count;
    uint64_t *steps; /* warp operations that values came through, likewise */
    size_t step_count;
    struct origin_move *moves; /* in no particular order */
    size_t move_count;
    bool through_shared;
};

void origins_collect(const struct trace_origins *origins, uint32_t node,
                     struct origin_terms *terms);
void origins_terms_release(struct origin_terms *terms);
/* "in[5..15], in[16..20] twice". */
void origins_append_terms(struct text *text, const struct trace_origins *origins,
                          const struct origin_terms *terms);
/* A line of text for each array whose elements are all alike or symmetric, if that hides the fact
 * that they count unevenly. */
void origins_append_warning(struct text *text, const struct trace_origins *origins,
                            const struct origin_terms *terms);
/* "through lines 7, 8", "through steps 0, 1": a line of text for each way. */
void origins_append_path(struct text *text, const struct origin_terms *terms);

/* The elements that have a column in a matrix of values by elements: those of the array with the
 * most terms. */
struct origin_columns {
    uint32_t array;
    uint64_t first, last;
};
/* False if there is no element of an array. */
bool origins_columns(const struct origin_terms *terms, size_t count,
                     struct origin_columns *columns);
/* How often elements are in a value: '1' to '9', '#' for more or a fraction, '-' if subtracted,
 * '?' if not countable, '.' if not at all, '~' if the counts differ. */
char origins_cell(const struct origin_terms *terms, uint32_t array, uint64_t first, uint64_t last);

#endif
