/*
 * state.h - the state of a replay. Everyone may read it; only the functions of src/replay assign
 * its fields (replay.h).
 */
#ifndef SHFLVIZ_REPLAY_STATE_H
#define SHFLVIZ_REPLAY_STATE_H

#include "replay/cursor.h"
#include "replay/keys/asking.h"
#include "replay/keys/input.h"
#include "replay/live.h"
#include "replay/message_change.h"

#include <stdbool.h>
#include <stdint.h>

enum view_kind {
    VIEW_LANES,
    VIEW_WIRES,
    VIEW_HISTORY,
    VIEW_SOURCE,
    VIEW_EXPLAIN,
    VIEW_ROUNDS,
    VIEW_VARIABLES,
    VIEW_BLOCK, /* all warps of the block */
    VIEW_KIND_COUNT
};

/* Requests of the user that a replay does not handle. */
enum replay_overview {
    REPLAY_NO_OVERVIEW,
    REPLAY_OVERVIEW,
    REPLAY_OVERVIEW_OUTPUT,
    REPLAY_FRAGMENTS, /* the matrices of the step */
};

struct trace_origins;

/* A search through all steps, which takes long. */
struct replay_search {
    uint64_t looked; /* steps after the current one that have been searched */
    bool goes_on;    /* continues with the next tick */
};

/* The position among the lines of the warp (lines.h). */
struct replay_line {
    size_t number;
    uint64_t warp, position; /* position of the cursor when the line was chosen; the line is invalid
                                at any other position */
};

/* The state of the key `o`, which shows the origins of values (whose.h). */
struct replay_whose {
    bool is_open;
    enum view_kind view; /* the view in which they were requested */
    uint32_t variable; /* index among those of all functions; UINT32_MAX for the one changed last */
    /* The paths of these values are lit in other views; NULL if none are. */
    const struct trace_origins *lit;
    bool lit_here; /* also lit in the view in which they were requested */
    uint32_t node[WARP_LANES];
};

struct replay {
    struct cursor cursor;
    struct replay_line line;
    struct input input;
    struct replay_asking asking;
    struct replay_live live;

    int lane;            /* selected, 0..31 */
    enum view_kind view; /* replay_view() returns the one shown */
    bool view_kept;      /* the user or a lesson has chosen a view */
    bool view_was_kept;  /* view_kept before the count that is being typed */
    bool in_rounds;      /* the operation is one of several rounds: it has a sixth view */
    bool all_rounds;     /* the recording's first warp does nothing but a series of rounds */
    int scroll; /* lines of the explanation scrolled out at the top; limited by the view to show at
                   least the last line */
    bool help;  /* the help screen is open */
    bool help_live; /* it shows its page of keys that change the scene */
    bool legend;    /* the signs are explained, until a key is pressed */
    struct replay_whose whose;
    unsigned hide;   /* the parts that the picture hides: enum lesson_hide */
    uint32_t points; /* lanes that the picture points at */
    char matrix[4];  /* the matrix that a lesson shows in place of a view; "": none */
    enum replay_matrix matrix_as;

    bool can_detail;   /* the run can be repeated with its details (details.h) */
    bool goes_on;      /* the recorded program is still running, and the replay grows */
    uint64_t happened; /* the number of steps so far, some of which may not be in the recording */

    bool playing;
    char stop[REPLAY_INPUT_SIZE];    /* the line or the condition at which it stops; "" if none */
    char watched[REPLAY_INPUT_SIZE]; /* expressions beside the local variables; "" if none */
    int speed;         /* -4..4; 0 is one phase a second, each step doubles or halves */
    long play_elapsed; /* milliseconds since the last phase while playing */

    struct replay_search search;
    char message[MESSAGE_SIZE]; /* one line for the user; "" if there is none */
    bool quit;
    enum replay_overview overview; /* the user asked for the recording as a whole */
};

/* Sets the message, truncated to the size of the field. */
void replay_set_message(struct replay *replay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The view that is shown: until one has been chosen, an access to shared memory is shown as the
 * picture of memory. */
enum view_kind replay_view(const struct replay *replay);

/* Goes to the operation at `position` of `warp`, and reports if it cannot be decoded. An open
 * question ends. Returns true if anything changed. */
bool replay_go(struct replay *replay, const struct trace_warp *warp, uint64_t position);

#endif
