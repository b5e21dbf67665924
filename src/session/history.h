/*
 * history.h - the lines that were asked for, for undo and redo, in memory of a fixed size: the
 * oldest are forgotten.
 */
#ifndef SHFLVIZ_SESSION_HISTORY_H
#define SHFLVIZ_SESSION_HISTORY_H

#include <stdint.h>

/* Room for 10,000 changes of commands of up to a hundred bytes. */
#define HISTORY_BYTES (UINT64_C(1) << 20)
#define HISTORY_LINES 10240u

struct history {
    char *bytes;      /* a ring of HISTORY_BYTES; a line's begin wherever the one before ended */
    uint64_t *starts; /* a ring of HISTORY_LINES: where lines begin, counted on without end */
    uint64_t first, at,
        end;          /* lines: the oldest kept, the one that is shown, one beyond the last */
    uint64_t written; /* bytes */
};

/* Begins with the line that is shown. */
void history_init(struct history *history, const char *line);
void history_release(struct history *history);

/* Another line is shown; those that were undone are forgotten. One too long for the ring leaves it
 * with that line cut. */
void history_add(struct history *history, const char *line);

/* Goes `steps` lines back, on where it is negative, or as far as there are any. Returns the line,
 * which the caller frees, or NULL if there is none in that direction; for 0 the one that is shown.
 */
char *history_back(struct history *history, long steps);

#endif
