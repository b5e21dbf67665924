/*
 * replay.h - looking at a recording: where one is, what is selected, what is hidden.
 *
 * A replay borrows a trace and owns nothing else of weight: its size does not grow with the trace.
 * It knows no screen and no clock; time comes in through replay_tick(). Every change goes through
 * replay_apply() or replay_key(), so that a script of keys is a complete test.
 */
#ifndef SHFLVIZ_REPLAY_REPLAY_H
#define SHFLVIZ_REPLAY_REPLAY_H

#include "base/error.h"
#include "replay/action.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

enum phase {
    PHASE_BEFORE,  /* each lane's value */
    PHASE_ADDRESS, /* groups, each lane's formula and the lane it names */
    PHASE_RANGE,   /* in range, clamped to the own value, or undefined */
    PHASE_MOVE,    /* the values travel */
    PHASE_AFTER,   /* the new values, changed ones marked */
    PHASE_COUNT
};

enum view_kind { VIEW_LANES, VIEW_WIRES, VIEW_HISTORY, VIEW_SOURCE, VIEW_EXPLAIN, VIEW_KIND_COUNT };

enum prompt { PROMPT_NONE, PROMPT_PREDICT, PROMPT_FIND };

enum prediction_state { PREDICTION_NONE, PREDICTION_ASKED, PREDICTION_RIGHT, PREDICTION_WRONG };

#define REPLAY_INPUT_SIZE 64

struct replay {
    const struct trace *trace;

    struct trace_warp warp;                  /* the warp looked at */
    uint64_t position;                       /* of the operation within the warp */
    struct trace_step step;                  /* that operation, decoded */
    struct lane_outcome outcome[WARP_LANES]; /* what the rules say about it */
    uint32_t disagreement;                   /* lanes whose recorded value differs from the rules */
    bool has_step; /* false for an empty recording or a damaged step; see message */

    enum phase phase;
    int lane; /* selected, 0..31 */
    enum view_kind view;
    bool help; /* the help screen is open */

    bool playing;
    int speed;         /* -4..4; 0 is one phase a second, each step doubles or halves */
    long play_elapsed; /* milliseconds since the last phase while playing */

    long count; /* a count typed before a movement; 0 if none */
    enum prompt prompt;
    char input[REPLAY_INPUT_SIZE]; /* what has been typed at the prompt */

    enum prediction_state prediction;
    int prediction_lane; /* the lane that was asked about */
    char message[160];   /* one line for the person: "last operation of this warp"; "" if none */
    bool quit;
};

/*
 * Begins at the first operation of the first warp, phase `before`, lane 0, lane table. The trace
 * must outlive the replay. Fails if the trace has no step at all.
 */
int replay_init(struct replay *replay, const struct trace *trace, struct error *err);

/* Does one action. `argument` is the target of a ..._GO, else a count (0 counts as 1). True if
 * anything that can be seen changed. */
bool replay_apply(struct replay *replay, enum action action, long argument);

/* One key by name, with counts ("3n"), prompts and the help screen taken into account. */
bool replay_key(struct replay *replay, const char *key);

/* Time passes while playing. True if anything that can be seen changed. */
bool replay_tick(struct replay *replay, long milliseconds);

/* Milliseconds until the next tick does something, or -1 while not playing. */
long replay_wait(const struct replay *replay);

const char *phase_name(enum phase phase);        /* "before" */
const char *view_kind_name(enum view_kind view); /* "lanes" */

/* Words for one lane of the current operation. */

/* The arithmetic with its numbers, short enough for a table cell: "5^3=6". */
char *explain_formula(const struct warp_operation *operation, int lane, char *buffer, size_t size);
/* A sentence: "lane 5, group A (0-15): 5 ^ 3 = 6, not beyond 15: in range, lane 6 takes part". */
char *explain_sentence(const struct warp_operation *operation, const struct lane_outcome *outcome,
                       int lane, char *buffer, size_t size);
/* The same as PTX computes it, a line per element, NULL after the last: "bval = 3 & 31 = 3". */
#define EXPLAIN_PTX_LINES 10
#define EXPLAIN_LINE_SIZE 96
int explain_ptx(const struct warp_operation *operation, int lane,
                char lines[EXPLAIN_PTX_LINES][EXPLAIN_LINE_SIZE]);

/* Group letters: 0 is 'A', 25 is 'Z', 26..31 are 'a'..'f'. */
char group_letter(int group);

#endif
