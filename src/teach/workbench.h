/*
 * workbench.h - an exercise on a screen: the task, the opened hints, the last verdict.
 *
 * Anything that needs a compiler, an editor or a recording is only requested here; src/session
 * carries it out.
 */
#ifndef SHFLVIZ_TEACH_WORKBENCH_H
#define SHFLVIZ_TEACH_WORKBENCH_H

#include "replay/keys/action.h"

#include <stdbool.h>
#include <stddef.h>

enum workbench_state {
    WORKBENCH_NO_FILE,  /* the learner's file does not exist */
    WORKBENCH_BUILDING, /* the file has changed, and is being judged */
    WORKBENCH_FAILED,
    WORKBENCH_PASSED
};

#define WORKBENCH_STATE_COLUMNS 24 /* at the end of the first row: the progress of the judging */

enum workbench_request {
    WORKBENCH_NOTHING,
    WORKBENCH_EDIT,
    WORKBENCH_LOOK,
    WORKBENCH_AGAIN,
    WORKBENCH_COUNT, /* the solution's operations, while it is shown */
    WORKBENCH_NEXT
};

/* Borrows all strings. */
struct workbench {
    const char *title, *teaches, *file, *task, *after, *solution;
    const char *place;                  /* the absolute path of the file; may be NULL */
    const char *other, *other_solution; /* another approach; may be NULL */
    const char *code;                   /* the learner's file as last judged; NULL until then */
    int wrong_line;                     /* the line of the first finding in it; 0 for none */
    char *const *hints;
    size_t hint_count, hints_open;
    enum workbench_state state;
    const char *verdict; /* lines; "" before the first */
    bool can_look;       /* there is a recording that shows the error */
    bool solution_open;
    const char *ending; /* a sentence once it has passed; may be NULL */
    const char *next;   /* title of the next exercise or lesson; may be NULL */
    unsigned operations, solution_operations,
        other_operations; /* the most operations of a warp; 0 if not counted */
    int scroll;           /* lines */
    enum workbench_request request;
    bool help, quit;
    char message[160];
};

struct press workbench_press(const struct workbench *bench, const char *key);
/* Applies one action of a key, a click or the wheel. True if anything visible changed. */
bool workbench_apply(struct workbench *bench, enum action action);

/* Takes the request. */
enum workbench_request workbench_take_request(struct workbench *bench);

/* Shows a new verdict, which is borrowed. */
void workbench_judged(struct workbench *bench, enum workbench_state state, const char *verdict,
                      bool can_look);

#endif
