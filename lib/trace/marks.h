/*
 * marks.h - marks the values of a recording that were computed from undefined ones (taint).
 *
 * A recording shows the inputs and outputs of operations, not what a lane computes in between. So
 * the kernel is run again with other bits in place of undefined values: a value that then differs
 * depends on them. A marked value always depends on an undefined one; a value that happens to be
 * the same for all bits tried is not marked.
 */
#ifndef SHFLVIZ_TRACE_MARKS_H
#define SHFLVIZ_TRACE_MARKS_H

#include "trace/trace.h"

#include <stdint.h>

/* Lanes whose input, or output, was computed from an undefined value. */
struct trace_mark {
    uint32_t in, out;
};

struct trace_marks {
    uint64_t count;        /* of steps */
    struct trace_mark *of; /* one per step */
};

/* Longer recordings are not followed: that would take three more runs and a comparison of each
 * step. */
#define TRACE_MARKS_STEPS_MOST (UINT64_C(1) << 18)

void trace_marks_init(struct trace_marks *marks, const struct trace *trace);
void trace_marks_release(struct trace_marks *marks);

/*
 * Marks the values of `trace` that differ in `other`, a recording of the same run with other
 * undefined values. If a warp diverges in `other`, all values of its steps from there on are
 * marked. A result that is itself undefined is not marked: it was not computed.
 */
void trace_marks_add(struct trace_marks *marks, const struct trace *trace,
                     const struct trace *other);
/* Removes the marks of values that differ in `again`, a recording of the same run with the same
 * undefined values: they depend on something else. */
void trace_marks_subtract(struct trace_marks *marks, const struct trace *trace,
                          const struct trace *again);

/* True if a lane's result is undefined in some step, and nothing has been marked yet. False for a
 * recording with too many steps. */
bool trace_marks_are_wanted(const struct trace *trace);
/* True if some step has an argument with more than the five bits that its instruction uses;
 * likewise false for a recording with too many steps. */
bool trace_has_cut_argument(const struct trace *trace);

/* Adds the marks to a recording that is being made, with the note that says so. */
void trace_marks_write(const struct trace_marks *marks, struct trace_writer *writer);
/*
 * Adds the marks to the file of a closed recording, to which `descriptor` can write (`name` is for
 * messages), and reopens *trace. Readers see the old file until the last moment. Fails if the
 * recording is not closed or is of version 1, or if the disk is full; *trace is then unchanged.
 */
int trace_marks_append(const struct trace_marks *marks, struct trace **trace, int descriptor,
                       const char *name, struct error *err);
/* The same, with a note instead of marks. */
int trace_note_append(const char *key, const char *text, struct trace **trace, int descriptor,
                      const char *name, struct error *err);

#endif
