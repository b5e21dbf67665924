/*
 * undo.h - the requested lines, for undo and redo, in memory of a fixed size: the oldest are
 * dropped.
 */
#ifndef SHFLVIZ_SESSION_UNDO_H
#define SHFLVIZ_SESSION_UNDO_H

#include <stdint.h>

/* Room for 10,000 changes of commands of up to a hundred bytes. */
#define HISTORY_BYTES (UINT64_C(1) << 20)
#define HISTORY_LINES 10240u

struct history {
    char *bytes;             /* a ring of HISTORY_BYTES; a line begins where the one before ended */
    uint64_t *starts;        /* a ring of HISTORY_LINES: the offsets of lines, never wrapped */
    uint64_t first, at, end; /* lines: the oldest kept, the current one, one past the last */
    uint64_t written;        /* bytes */
};

/* Begins with the current line. */
void history_init(struct history *history, const char *line);
void history_release(struct history *history);

/* Adds the line that is shown now; undone lines are dropped. A line that exceeds the ring is cut
 * and is then the only one. */
void history_add(struct history *history, const char *line);

/* Goes `steps` lines back, forward if negative, or as far as possible. Returns the line,
 * which the caller frees, or NULL if there is none in that direction; for 0 the current one. */
char *history_back(struct history *history, long steps);

#endif
