/*
 * worklist.h - the list of exercises on a screen; and that of what there is to do.
 */
#ifndef SHFLVIZ_TEACH_WORKLIST_H
#define SHFLVIZ_TEACH_WORKLIST_H

#include "replay/action.h"

#include <stdbool.h>
#include <stddef.h>

struct worklist_entry {
    const char *name, *title, *teaches, *task; /* borrowed */
    bool done;
    const char *note;    /* at its right end: how far one is, how long it takes; NULL: nothing */
    const char *chapter; /* the entry is under that heading; NULL: under none */
    bool begun;
};

struct worklist {
    const char *heading;            /* NULL: exercises, of which some are done; with `start` the
                                       first list, from which nothing goes back */
    struct worklist_entry *entries; /* in the order of the list */
    size_t count;                   /* at least 1 */
    size_t selected;
    bool start;  /* what there is to do: other keys, other words */
    bool chosen; /* Enter: the selected one is wanted */
    bool left;   /* back to the list that it was opened from */
    bool help, quit;
};

/* Whose keys the list has. */
enum action_place worklist_place(const struct worklist *list);

struct press worklist_press(const struct worklist *list, const char *key);
/* One action (a click: ACTION_LESSON_GO with an index, once more chooses it). True if anything that
 * can be seen changed. */
bool worklist_apply(struct worklist *list, enum action action, long argument);

#endif
