/*
 * overview.h - a recording as a whole on a screen: its lists, a selection, an order, a filter.
 *
 * It counts while it is shown (overview_tick()), and keeps the counts. Choosing a row
 * chooses a step of the recording: the front end shows a replay there.
 */
#ifndef SHFLVIZ_REPLAY_OVERVIEW_H
#define SHFLVIZ_REPLAY_OVERVIEW_H

#include "explain/findings/census.h"
#include "explain/findings/finding.h"
#include "replay/keys/action.h"
#include "replay/message_change.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum overview_order {
    OVERVIEW_BY_NUMBER, /* as recorded */
    OVERVIEW_BY_STEPS,  /* most first */
    OVERVIEW_BY_FINDINGS,
    OVERVIEW_ORDER_COUNT
};

/* How the recorded program ended, for the user who has run it. */
struct overview_outcome {
    char verdict[MESSAGE_SIZE];    /* "ended with status 1"; "" if nothing is known */
    char advice[2 * MESSAGE_SIZE]; /* the next thing to do, in a line; may be "" */
};

struct overview {
    struct census census;
    enum census_kind kind; /* the list shown */
    enum overview_order order;
    uint32_t *shown; /* rows of the list that pass the filter, in order */
    size_t shown_count;
    size_t selected; /* among shown */
    bool filtering;  /* the prompt is open */
    char filter[64];
    bool help;
    bool chosen; /* a row was chosen: `step` is its first */
    uint64_t step;
    bool left; /* back to the replay */
    bool quit;
    char message[MESSAGE_SIZE];
    struct overview_outcome outcome;
    /* The fix for a finding, to be translated by _() where shown, or NULL. Set by the screen, may
     * be NULL. */
    const char *(*instead)(const struct finding *finding);
};

/* Begins with the most useful list: launches, or lines if there is only one launch. */
void overview_init(struct overview *overview, const struct trace *trace);
void overview_release(struct overview *overview);

/* The same lists for a later state of the recording: the selection is kept or, if it was on
 * the last printed line, moves to the new last one. Some of it has already been counted. */
void overview_update(struct overview *overview, const struct trace *trace);

/* Shows how the program ended, and the list that matters for it: its findings, or its output if
 * there are none. */
void overview_show_outcome(struct overview *overview, const struct overview_outcome *outcome);

/* Shows the output up to `step`, with its last line selected. */
void overview_show_output(struct overview *overview, uint64_t step);

/* Those that return a bool return true if something changed. */
struct press overview_press(const struct overview *overview, const char *key);
bool overview_key(struct overview *overview, struct press press);
bool overview_apply(struct overview *overview, enum action action, long argument);
bool overview_tick(struct overview *overview); /* continues to count */

/* The number of lists: the list of output exists only if there was any. */
int overview_lists(const struct overview *overview);

/* True if a tick would do something. */
bool overview_is_counting(const struct overview *overview);

/* Takes the request to look at a step, or to go back; true if there was one. */
bool overview_take_choice(struct overview *overview, uint64_t *step);
bool overview_take_leave(struct overview *overview);

/* The name of a row, for the filter and the screen: "reduce<int>", "reduce.cu:12", a rule. */
#define OVERVIEW_NAME 160
char *overview_row_name(const struct census *census, enum census_kind kind,
                        const struct census_row *row, char buffer[OVERVIEW_NAME]);

/* "launches", "by steps": to be translated by _() where shown. */
const char *overview_kind_name(enum census_kind kind);
const char *overview_order_name(enum overview_order order);

#endif
