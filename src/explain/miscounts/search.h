/* search.h - a search for miscounts (miscounts.c), for the files of this folder. */
#ifndef SHFLVIZ_EXPLAIN_MISCOUNTS_SEARCH_H
#define SHFLVIZ_EXPLAIN_MISCOUNTS_SEARCH_H

#include "explain/miscounts/miscounts.h"
#include "explain/origins.h"
#include "trace/lines/lines.h"

/* The number of elements looked for at a time. */
#define BATCH 64u

/* Elements of the current batch, as bits. */
struct sets {
    uint64_t any;          /* that it depends on in any way */
    uint64_t added, minus; /* that are terms of it */
    uint64_t twice;        /* that are added, or subtracted, at least twice */
};

/* The lane that computed a node. */
struct computed {
    uint32_t value; /* 1 + the number of a value of its warp; 0 if that is not known */
    int lane;
};

struct search {
    const struct trace *trace;
    const struct trace_origins *origins;
    uint32_t launch;
    size_t node_count;
    size_t first_node, end_node; /* of the launch */
    struct sets *sets;
    struct computed *computed;
    unsigned char *on; /* nodes on the way to the current result */
    uint32_t *slot;    /* for each node 1 + the position of its element, or 0 */
    uint32_t array;    /* a text: the input */
    struct element {
        uint64_t index;
        uint32_t node;
    } * elements;
    size_t element_count, examined;
    size_t first; /* of the batch */
    const struct trace_origin_element **results;
    unsigned char *is_asked, *combined, *has_twice;
    size_t result_count;
    const struct trace_origin_element *result; /* being examined */
    struct origin_terms terms;                 /* of it */
    uint64_t *lost;                            /* the lost elements of each batch */
    struct miscounts *found;
    size_t room;
};

static inline const struct trace_origin *node_at(const struct search *s, uint32_t node) {
    return &s->origins->nodes[node];
}

static inline bool has_second(const struct trace_origin *node) {
    return node->kind >= TRACE_ORIGIN_SUM && node->kind <= TRACE_ORIGIN_CHOSEN;
}

static inline bool is_sum(const struct trace_origin *node) {
    return node->kind == TRACE_ORIGIN_SUM || node->kind == TRACE_ORIGIN_DIFFERENCE;
}

/* Makes the sets for 64 elements, starting with element `first`. */
void search_sets(struct search *s, size_t first);
/* Starts on a result: finds its terms, and the nodes on the way to it. */
void search_begin_result(struct search *s, const struct trace_origin_element *result);
/* True if the result combines elements, so that one may be missing. */
bool search_wants(const struct search *s, size_t result);
/* Nodes of other launches do not belong to this launch's shared memory. */
bool search_in_launch(const struct search *s, size_t node);
/* The source line of an entry among a warp's lines; 0 if it is not known. */
uint32_t search_line(const struct search *s, const struct trace_origin_value *value);
/* The move that produced an operand; NULL if no move did. */
const struct trace_origin *search_move(const struct search *s, uint32_t operand);

/* Sets the result, and the lane if it is known. */
void miscount_describe(const struct search *s, struct miscount *m, const struct computed *by);
/* Finds the same fact about other elements, or adds a new one. */
struct miscount *miscount_find_or_add(struct search *s, const struct miscount *like);
void miscount_add(struct miscount *m, uint64_t index);
/* Does both: finds or adds the fact, and adds the element. The fact's lane is that of its lowest
 * element. */
struct miscount *miscount_report(struct search *s, const struct miscount *like, uint64_t index);

/* ---- twice.c ---- */

/* Both examine one result: the first its undefined terms, the second its elements, using the sets
 * of a batch. */
void search_undefined(struct search *s);
void search_twice(struct search *s, bool mixed);
/* True if some elements are added and others subtracted. */
bool search_is_mixed(const struct search *s);

/* ---- lost.c ---- */

void search_lost(struct search *s);
void search_tail(struct search *s);

#endif
