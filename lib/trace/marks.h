/*
 * marks.h - which values of a recording were computed from undefined ones.
 *
 * A recording shows what goes into an operation and what comes out, not what a lane computes in
 * between. So the kernel is run again with other bits in the place of what nothing defines: a value
 * that is another then depends on them. That is exact for the bits that were tried: what is marked
 * depends on an undefined value; a value that happens to be the same for all bits tried is not
 * marked.
 */
#ifndef SHFLVIZ_TRACE_MARKS_H
#define SHFLVIZ_TRACE_MARKS_H

#include "trace/trace.h"

#include <stdint.h>

/* Lanes whose value going in, or coming out, was computed from an undefined one. */
struct trace_mark {
    uint32_t in, out;
};

struct trace_marks {
    uint64_t count;        /* of steps */
    struct trace_mark *of; /* one a step */
};

/* Recordings of more steps are not followed: it takes two more runs, and a look at each step. */
#define TRACE_MARKS_STEPS_MOST (UINT64_C(1) << 18)

void trace_marks_init(struct trace_marks *marks, const struct trace *trace);
void trace_marks_release(struct trace_marks *marks);

/*
 * Marks what in `trace` is otherwise in `other`, a recording of the same run with other undefined
 * values. Where a warp goes another way in `other`, all values of its steps from there on are
 * marked. A lane whose result is itself undefined is not: it was not computed.
 */
void trace_marks_add(struct trace_marks *marks, const struct trace *trace,
                     const struct trace *other);
/* Takes back what is otherwise in `again`, a recording of the same run with the same undefined
 * values: such a value depends on something else. */
void trace_marks_take(struct trace_marks *marks, const struct trace *trace,
                      const struct trace *again);

/* Whether a lane's result is undefined in any step, and nothing has been marked yet. False for a
 * recording of too many steps. */
bool trace_marks_are_wanted(const struct trace *trace);

/* Puts the marks into a recording that is being made, with the note that they are there. */
void trace_marks_write(const struct trace_marks *marks, struct trace_writer *writer);
/*
 * The same to one that has been closed, in its file, which `descriptor` can write to and `name`
 * calls; *trace is opened anew. Until the last moment the file stays as it was for whoever reads
 * it. Fails for a recording that is not closed, of version 1, or without room on the disk; *trace
 * is then as it was.
 */
int trace_marks_append(const struct trace_marks *marks, struct trace **trace, int descriptor,
                       const char *name, struct error *err);
/* The same with a note instead of marks. */
int trace_note_append(const char *key, const char *text, struct trace **trace, int descriptor,
                      const char *name, struct error *err);

#endif
