/* worklist.h - the list of exercises on a screen, and the start list. */
#ifndef SHFLVIZ_TEACH_WORKLIST_H
#define SHFLVIZ_TEACH_WORKLIST_H

#include "replay/keys/action.h"

#include <stdbool.h>
#include <stddef.h>

struct worklist_entry {
    const char *name, *title, *teaches, *task; /* borrowed */
    bool done;
    const char *note;    /* at its right end: progress or duration; may be NULL */
    const char *chapter; /* the heading above the entry; may be NULL */
    bool begun;
};

struct worklist {
    const char *heading; /* NULL for exercises, some of which are done; with `start`, NULL for the
                            first list, which has no list to go back to */
    struct worklist_entry *entries; /* in the order of the list */
    size_t count;                   /* at least 1 */
    size_t selected;
    bool start;  /* the start list, which has other keys and texts */
    bool chosen; /* Enter: the selected entry was chosen */
    bool left;   /* back to the list from which it was opened */
    bool help, quit;
};

/* The enum action_mode of the list's keys. */
enum action_mode worklist_key_mode(const struct worklist *list);

struct press worklist_press(const struct worklist *list, const char *key);
/* Applies one action (for a click ACTION_LESSON_GO with an index; a second click chooses the
 * entry). True if anything visible changed. */
bool worklist_apply(struct worklist *list, enum action action, long argument);

#endif
