/*
 * shared.h - accesses to shared and to global memory: which variable, what a word holds.
 *
 * A recording says where its `__shared__` variables are in a note (TRACE_NOTE_SHARED), and where
 * its global memory is in another (TRACE_NOTE_GLOBAL).
 */
#ifndef SHFLVIZ_EXPLAIN_SHARED_H
#define SHFLVIZ_EXPLAIN_SHARED_H

#include "trace/trace.h"
#include "warp/banks.h"

#include <stdint.h>

/* A variable, or what is known of one. */
struct shared_variable {
    char name[64]; /* "shared memory" in the language in use if the recording does not say; of an
                      allocation which argument it was */
    long
        argument; /* of an allocation: of the kernel that was passed it first; from 1, 0: of none */
    char kernel[64];
    int32_t offset; /* where it begins; a multiple of WARP_ROW_BYTES */
    int64_t size;   /* bytes; of what is not known, up to the largest offset that there is */
    bool is_known;
    bool is_allocation; /* which has no name of its own */
};

/* The variable, or the allocation, that holds the byte at `offset` for an access by `op`. */
struct shared_variable shared_variable_at(const struct trace *trace, enum warp_op op,
                                          int32_t offset);

/* A word of memory, and who wrote it last. */
struct shared_word {
    bool is_known;       /* some write to it is among the steps that were looked at */
    uint32_t value;      /* bytes that nobody wrote are 0 */
    enum warp_type type; /* of that write: one of 32 bits or less, else of a part of a value */
    int lane;
    uint32_t warp;
    uint64_t step;
};

/*
 * What `count` words from `offset` (a multiple of 4) hold before step `number`, in the memory that
 * `step` accesses, of shared memory that of its block: the last writes among the SHARED_STEPS_BACK
 * steps before it in the same launch. What was written earlier is not known; behind `step` itself
 * also what it read.
 */
#define SHARED_STEPS_BACK 4096
void shared_words(const struct trace *trace, const struct trace_step *step, uint64_t number,
                  int32_t offset, int count, struct shared_word *words);

/* Elements of the operation's type that an access of one lane has: 4 for a float4; 1 to 16. */
int shared_elements(const struct warp_operation *operation, int lane);
/* The bits of one of them after the access, from 0. */
uint64_t shared_element(const struct warp_operation *operation, int lane, int element);
/* All of them as text, with commas; what there was before, "" where that is not recorded. */
char *explain_shared_after(const struct warp_operation *operation, int lane,
                           char buffer[WARP_VALUE_TEXT]);
char *explain_shared_before(const struct warp_operation *operation, int lane,
                            char buffer[WARP_VALUE_TEXT]);

#endif
