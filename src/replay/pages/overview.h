/*
 * overview.h - a recording as a whole on a screen: its lists, a selection, an order, a filter.
 *
 * It counts while it is looked at (overview_tick()), and keeps what it counted. Choosing a row is
 * choosing a step of the recording: the front end shows a replay there.
 */
#ifndef SHFLVIZ_REPLAY_OVERVIEW_H
#define SHFLVIZ_REPLAY_OVERVIEW_H

#include "explain/findings/census.h"
#include "replay/action.h"
#include "replay/said.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum overview_order {
    OVERVIEW_BY_NUMBER, /* as they come in the recording */
    OVERVIEW_BY_STEPS,  /* most first */
    OVERVIEW_BY_FINDINGS,
    OVERVIEW_ORDER_COUNT
};

/* How the program ended that was recorded, for the person who has run it. */
struct overview_outcome {
    char verdict[MESSAGE_SIZE];    /* "ended with status 1"; "" where nothing is known */
    char advice[2 * MESSAGE_SIZE]; /* what to do next, a line; "" for nothing */
};

struct overview {
    struct census census;
    enum census_kind kind; /* the list shown */
    enum overview_order order;
    uint32_t *shown; /* rows of the list that the filter leaves, in order */
    size_t shown_count;
    size_t selected; /* among shown */
    bool filtering;  /* the prompt is open */
    char filter[64];
    bool help;
    bool chosen; /* a row was: `step` is its first */
    uint64_t step;
    bool left; /* back to the replay */
    bool quit;
    char message[MESSAGE_SIZE];
    struct overview_outcome outcome;
};

/* Begins with the list of what there is most of: launches, or lines if there is one launch. */
void overview_init(struct overview *overview, const struct trace *trace);
void overview_release(struct overview *overview);

/* The same lists of a later state of the recording: what was selected stays so, and the last line
 * that was printed is followed. Some of it is counted at once. */
void overview_renew(struct overview *overview, const struct trace *trace);

/* Says how the program ended, and shows what matters about it: its findings, or what it printed if
 * there are none. */
void overview_show_outcome(struct overview *overview, const struct overview_outcome *outcome);

/* Shows what had been printed when `step` was recorded: its last line is selected. */
void overview_show_output(struct overview *overview, uint64_t step);

/* Each returns whether something changed. */
struct press overview_press(const struct overview *overview, const char *key);
bool overview_key(struct overview *overview, struct press press);
bool overview_apply(struct overview *overview, enum action action, long argument);
bool overview_tick(struct overview *overview); /* counts on */

/* How many lists there are: that of what was printed only if something was. */
int overview_lists(const struct overview *overview);

/* Whether a tick does something. */
bool overview_counts(const struct overview *overview);

/* The wish to look at a step, or to go back, is forgotten; true if there was one. */
bool overview_take_choice(struct overview *overview, uint64_t *step);
bool overview_take_leave(struct overview *overview);

/* What a row is called, for the filter and the screen: "reduce<int>", "reduce.cu:12", a rule. */
#define OVERVIEW_NAME 160
char *overview_row_name(const struct census *census, enum census_kind kind,
                        const struct census_row *row, char buffer[OVERVIEW_NAME]);

/* "launches", "by steps": for the language in use, _() where shown. */
const char *overview_kind_name(enum census_kind kind);
const char *overview_order_name(enum overview_order order);

#endif
