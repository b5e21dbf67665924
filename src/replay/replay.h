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
#include "explain/phase.h"
#include "explain/question.h"
#include "replay/action.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

enum view_kind { VIEW_LANES, VIEW_WIRES, VIEW_HISTORY, VIEW_SOURCE, VIEW_EXPLAIN, VIEW_KIND_COUNT };

enum prompt { PROMPT_NONE, PROMPT_PREDICT, PROMPT_FIND };

enum prediction_state {
    PREDICTION_NONE,
    PREDICTION_ASKED,
    PREDICTION_RIGHT,
    PREDICTION_WRONG,
    PREDICTION_SHOWN, /* the answer is shown to who gave none */
};

/* What a picture may have to hide: what a lesson says (enum lesson_hide, the same numbers), and
 * what an open question asks for. */
enum replay_hidden {
    REPLAY_HIDES_IN = 1,     /* the values that lanes bring along */
    REPLAY_HIDES_READS = 2,  /* addresses, sources, range, who is undefined, findings */
    REPLAY_HIDES_OUT = 4,    /* the values that lanes get, what changed */
    REPLAY_HIDES_ABSENT = 8, /* which lanes make the call */
    REPLAY_HIDES_LATER = 16, /* the operations that follow */
};

#define REPLAY_INPUT_SIZE 64

struct replay {
    const struct trace *trace;

    struct trace_warp warp;                  /* the warp looked at */
    uint64_t position;                       /* of the operation within the warp */
    struct trace_step step;                  /* that operation, decoded */
    struct lane_outcome outcome[WARP_LANES]; /* what the rules say about it */
    uint32_t disagreement;                   /* lanes whose recorded value differs from the rules */
    bool has_step; /* false for an empty recording or a damaged step; see message */
    bool listing;  /* warps of the recording are still being found, see trace_warps_listed() */

    enum phase phase;
    enum phase phase_kept; /* the phase last chosen: operations that have it are shown in it */
    int lane;              /* selected, 0..31 */
    enum view_kind view;
    bool help; /* the help screen is open */

    bool playing;
    int speed;         /* -4..4; 0 is one phase a second, each step doubles or halves */
    long play_elapsed; /* milliseconds since the last phase while playing */

    long count;                /* a count typed before a movement; 0 if none */
    bool counting;             /* digits of a count have been typed */
    bool count_doubtful;       /* they may have meant views: see action.h */
    long count_elapsed;        /* milliseconds since the last of them */
    enum view_kind count_view; /* the view to come back to if they were a count */

    enum prompt prompt;
    char input[REPLAY_INPUT_SIZE]; /* what has been typed at the prompt */
    bool input_kept;               /* it is a wrong answer, to be mended: typing begins anew */
    char find[REPLAY_INPUT_SIZE];  /* what was looked for last; "" if nothing */

    enum prediction_state prediction;
    int prediction_lane; /* the lane that was asked about; -1 if the question is about none */
    char prediction_answer[REPLAY_INPUT_SIZE]; /* what was answered: "7", "own", "0-15" */
    struct question question; /* what was asked; of kind QUESTION_NONE if nothing was */
    bool question_fixed;      /* a lesson or a quiz asked: keys do not change the question */
    uint32_t marks;           /* lanes answered: a set as far as it is typed or marked; the lane
                                 answered for a source, once it is judged */
    uint32_t answer_lanes;    /* once judged or shown, the lanes that are right; marks outside of
                                 them are wrong. 0 of a value */
    uint32_t answer_either;   /* lanes that count neither way */
    unsigned hide;            /* what the picture does not show: enum lesson_hide */
    uint32_t points;          /* lanes that the picture points at */
    char message[160]; /* one line for the person: "last operation of this warp"; "" if none */
    bool quit;
};

/*
 * Begins at the first operation of the first warp, phase `before`, lane 0, lane table. The trace
 * must outlive the replay. Fails if the trace has no step at all.
 */
int replay_init(struct replay *replay, const struct trace *trace, struct error *err);

/* Goes to an operation of a warp, both by their numbers in the recording, if there is one; lane,
 * view and phase stay as they are, what was asked ends. False, and nothing changes, if there is
 * none. `position` UINT64_MAX is the last. */
bool replay_place(struct replay *replay, uint32_t launch, uint64_t block, uint32_t warp,
                  uint64_t position);

/* Chooses a phase; one that means nothing for the operation becomes the last before it that does.
 * What was asked stays. */
void replay_set_phase(struct replay *replay, enum phase phase);

/* Does one action. `argument` is the target of a ..._GO, else a count (0 counts as 1). Closes the
 * help screen first, so that what was clicked there can be seen. True if anything that can be seen
 * changed. */
bool replay_apply(struct replay *replay, enum action action, long argument);

/* One key by name, with counts ("3n"), prompts and the help screen taken into account. */
bool replay_key(struct replay *replay, const char *key);

/* Time passes while playing, and a recording without an index gets a piece more of one. True if
 * anything that can be seen changed. */
bool replay_tick(struct replay *replay, long milliseconds);

/* Milliseconds until the next tick does something, or -1 if none ever does (nothing plays, no count
 * is in doubt, all warps are listed). A front end waits no longer than this for a key, and tells
 * replay_tick() the time that has passed before it hands on each key. */
long replay_wait(const struct replay *replay);

/* The phase that may be shown, so that no view gives the answer away: at most `before` while a
 * question is open, `range` for one that asks what a lane gets; else the phase. */
enum phase replay_shown_phase(const struct replay *replay);

/* Whether a picture must not show that, because the lesson hides it or a question asks for it. */
bool replay_hides(const struct replay *replay, enum replay_hidden what);

/* "lanes": for scripts and lessons, in English; on a screen _(view_kind_name()). */
const char *view_kind_name(enum view_kind view);

#endif
