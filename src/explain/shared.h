/*
 * shared.h - accesses to shared and to global memory: the variable, and the content of a word.
 *
 * A recording has the addresses of its `__shared__` variables in a note (TRACE_NOTE_SHARED), and
 * those of its global memory in another (TRACE_NOTE_GLOBAL).
 */
#ifndef SHFLVIZ_EXPLAIN_SHARED_H
#define SHFLVIZ_EXPLAIN_SHARED_H

#include "trace/trace.h"
#include "warp/banks.h"

#include <stdint.h>

/* A variable, or as much as is known about it. */
struct shared_variable {
    char name[64]; /* "shared memory" in the language in use if the recording has no name; for an
                      allocation its argument */
    long argument; /* for an allocation: the number, from 1, of the argument with which it was first
                      passed to a kernel; 0 for none */
    char kernel[64];
    int32_t offset; /* its offset; a multiple of WARP_ROW_BYTES */
    int64_t size;   /* bytes; if not known, up to the largest possible offset */
    bool is_known;
    bool is_allocation; /* an allocation, which has no name */
};

/* The variable, or the allocation, that holds the byte at `offset` for an access by `op`. */
struct shared_variable shared_variable_at(const struct trace *trace, enum warp_op op,
                                          int32_t offset);

/* A word of memory, and its last writer. */
struct shared_word {
    bool is_known;       /* one of the searched steps writes to it */
    uint32_t value;      /* bytes that were never written are 0 */
    enum warp_type type; /* of that write; if it has more than 32 bits, value is only a part */
    int lane;
    uint32_t warp;
    uint64_t step;
};

/*
 * The content of `count` words from `offset` (a multiple of 4) before step `number`, in the memory
 * that `step` accesses (for shared memory, that of its block): the last writes among the
 * SHARED_STEPS_BACK steps before it in the same launch. Earlier writes are not known. If
 * `number` is after `step` itself, the values that `step` read count, too.
 */
#define SHARED_STEPS_BACK 4096
void shared_words(const struct trace *trace, const struct trace_step *step, uint64_t number,
                  int32_t offset, int count, struct shared_word *words);

/* The number of elements of the operation's type in one lane's access: 4 for a float4; 1 to 16. */
int shared_elements(const struct warp_operation *operation, int lane);
/* The bits of one of those elements, numbered from 0, after the access. */
uint64_t shared_element(const struct warp_operation *operation, int lane, int element);
/* All of them as text, with commas. The second gives the old values, "" if they are not
 * recorded. */
char *explain_shared_after(const struct warp_operation *operation, int lane,
                           char buffer[WARP_VALUE_TEXT]);
char *explain_shared_before(const struct warp_operation *operation, int lane,
                            char buffer[WARP_VALUE_TEXT]);

#endif
