/*
 * action.h - everything a key, a click or a script can ask of a screen: one table.
 *
 * The table binds the keys, prints the help screen and the manual page, and names the actions in a
 * user's file of keys (bind.h). A front end turns what it reads from the terminal into key names
 * (below), and each press is looked up here once, for the screen that has the keys (struct press);
 * nothing else in the program names a key.
 *
 * Key names: a character is its own name ("l", "+", "?"); others are "Right", "Left", "Up",
 * "Down", "Space", "Tab", "BackTab", "Enter", "Escape", "Backspace", "Home", "End", "PageUp",
 * "PageDown", "Delete", "Insert", "F1", "Ctrl-L".
 *
 * Digits. 1..8 show a view, and a count may be typed before a movement ("3n", "12j"):
 *  - 0 and 9 name no view, so digits that contain one of them are certainly a count ("03n", "10j",
 *    "9l"). The count waits indefinitely for its movement; Escape drops it.
 *  - The digits 1..8 alone are ambiguous. Each digit immediately shows its view, so that "2"
 *    never waits. If a movement follows within COUNT_MILLISECONDS (as measured by replay_tick()),
 *    the digits were its count and the previous view comes back; after that time the view stays and
 *    the movement is made once. So a script whose keys follow each other without delay always gets
 *    counts: to keep the view it writes "2", "Escape", "l".
 */
#ifndef SHFLVIZ_REPLAY_ACTION_H
#define SHFLVIZ_REPLAY_ACTION_H

#include <stdbool.h>
#include <stddef.h>

struct replay;

enum action {
    ACTION_NONE,
    ACTION_PHASE_NEXT, /* after the last, the next operation's first */
    ACTION_PHASE_PREVIOUS,
    ACTION_PHASE_GO,       /* argument: phase 0..4 (a click on the phase bar) */
    ACTION_OPERATION_NEXT, /* of the same warp */
    ACTION_OPERATION_PREVIOUS,
    ACTION_OPERATION_FIRST,
    ACTION_OPERATION_LAST,
    ACTION_OPERATION_GO, /* argument: position in the warp (scrubbing, a click on the timeline) */
    ACTION_LANE_NEXT,
    ACTION_LANE_PREVIOUS,
    ACTION_LANE_GO, /* argument: lane 0..31 */
    ACTION_WARP_NEXT,
    ACTION_WARP_PREVIOUS,
    ACTION_BLOCK_NEXT,
    ACTION_BLOCK_PREVIOUS,
    ACTION_VIEW_NEXT,
    ACTION_VIEW_GO, /* argument: view 0..7 */
    ACTION_PLAY,    /* and pause */
    ACTION_FASTER,
    ACTION_SLOWER,
    ACTION_PREDICT,
    ACTION_FIND,
    ACTION_FIND_NEXT,
    ACTION_HELP,
    ACTION_REDRAW,
    ACTION_CANCEL, /* closes the help or a prompt, drops a half-typed count */
    ACTION_QUIT,
    ACTION_VIEW_PREVIOUS,

    /* For a lesson, a question, the list of lessons, a quiz. */
    ACTION_BEAT_NEXT, /* line, phase, beat */
    ACTION_BEAT_PREVIOUS,
    ACTION_BEAT_GO,     /* argument: beat, from 0 */
    ACTION_BEAT_PROMPT, /* to type a beat's number or id */
    ACTION_CONTINUE,    /* answer, back to the lesson, next question, open the lesson */
    ACTION_HINT,
    ACTION_REVEAL, /* "show me" */
    ACTION_MARK,   /* the selected lane, where a set is asked for */
    ACTION_BLACK,
    ACTION_CLASS, /* a teacher's view of a class that answers (session/classroom.h) */
    ACTION_SCROLL_DOWN,
    ACTION_SCROLL_UP,
    ACTION_RESTART,
    ACTION_ASIDE,     /* shows the speaker's notes and the command, or hides them */
    ACTION_LESSON_GO, /* argument: entry of the list; if already selected, opens it */
    ACTION_LESSON_NEXT,
    ACTION_LESSON_PREVIOUS,
    ACTION_LESSON_FIRST,
    ACTION_LESSON_LAST,
    ACTION_LESSON_PAGE_NEXT,
    ACTION_LESSON_PAGE_PREVIOUS,

    /* For a recording as a whole. */
    ACTION_FRAGMENTS, /* from a replay to the matrices of its step */
    ACTION_OVERVIEW,  /* opens it from a replay, and returns */
    ACTION_OUTPUT,    /* opens its list of what the program printed */
    ACTION_ROW_GO,    /* argument: row of the list; if already selected, shows its first step */
    ACTION_ROW_NEXT,
    ACTION_ROW_PREVIOUS,
    ACTION_ROW_FIRST,
    ACTION_ROW_LAST,
    ACTION_ROW_PAGE_NEXT,
    ACTION_ROW_PAGE_PREVIOUS,
    ACTION_LIST_GO, /* argument: list 0..4 */
    ACTION_LIST_NEXT,
    ACTION_LIST_PREVIOUS,
    ACTION_SORT,
    ACTION_EDIT, /* of an exercise: the learner's editor */

    /* For scenes that can be changed (live.h). */
    ACTION_ARGUMENT_NEXT,
    ACTION_ARGUMENT_PREVIOUS,
    ACTION_WIDTH_NEXT,
    ACTION_WIDTH_PREVIOUS,
    ACTION_CALL_NEXT, /* another of the four shuffles */
    ACTION_CALL_PREVIOUS,
    ACTION_SETTING,
    ACTION_MEMBERS,
    ACTION_MEMBER,
    ACTION_THREADS_NEXT,
    ACTION_THREADS_PREVIOUS,
    ACTION_TYPE_NEXT,
    ACTION_TYPE_PREVIOUS,
    ACTION_SCHEDULE_NEXT,
    ACTION_SCHEDULE_PREVIOUS,
    ACTION_UNDO,
    ACTION_REDO,
    ACTION_BESIDE,
    ACTION_WHICH,
    ACTION_COPY,
    ACTION_CONFIRM,

    /* For any prompt. */
    ACTION_COMPLETE,
    ACTION_ACCEPT,
    ACTION_ERASE,
    ACTION_ASK_NEXT, /* another kind of question */
    ACTION_ASK_PREVIOUS,
    ACTION_LANE_FIRST,
    ACTION_LANE_LAST,
    ACTION_HELP_CLOSE,
    ACTION_STOP_AT, /* where play stops */
    ACTION_RUN,     /* goes straight there; without such a point, to the next phase */
    ACTION_WATCH,   /* expressions beside the local variables */
    ACTION_WHOSE,   /* the origins of values */

    /* For the matrices of an instruction. */
    ACTION_COLUMN_NEXT,
    ACTION_COLUMN_PREVIOUS,
    ACTION_PITCH_NEXT, /* of the rows that an ldmatrix accesses */
    ACTION_PITCH_PREVIOUS,
    ACTION_SWIZZLE,
    ACTION_CELL_GO, /* argument: fragment_page_cell() */
    ACTION_COUNT
};

/* The screens, and the parts of screens, that have keys of their own. */
enum action_mode {
    ACTION_MODE_REPLAY,
    ACTION_MODE_LESSON,   /* while no question is open */
    ACTION_MODE_QUESTION, /* a question of a lesson or a quiz is open: other keys type */
    ACTION_MODE_LIST,
    ACTION_MODE_QUIZ,    /* while an answer is shown */
    ACTION_MODE_PREDICT, /* a question that the learner asked is open */
    ACTION_MODE_PROMPT,  /* a line is typed: find, search, a beat */
    ACTION_MODE_HELP,    /* the help screen is open: other keys close it, then have their effect */
    ACTION_MODE_NOTES,   /* the speaker's notes */
    ACTION_MODE_OVERVIEW,
    ACTION_MODE_DIFF, /* two recordings side by side */
    ACTION_MODE_EXERCISE,
    ACTION_MODE_EXERCISES, /* the list of them */
    ACTION_MODE_LIVE,      /* a replay that can be changed: its keys besides those of all replays */
    ACTION_MODE_MEMBERS,   /* lanes are marked for the member mask */
    ACTION_MODE_CONFIRM,   /* a confirmation that undefined results are wanted */
    ACTION_MODE_WHICH,     /* calls to choose from */
    ACTION_MODE_START,     /* the start list */
    ACTION_MODE_FRAGMENTS, /* fragments: which lane holds which element of a matrix */
    ACTION_MODE_COUNT
};

/* A replay's handler of an action. `argument` is the target of a ..._GO, else a count (0 counts
 * as 1) or the row's fixed argument. Returns true if anything changed, apart from messages. */
typedef bool action_handler(struct replay *replay, long argument);

enum action_flag {
    ACTION_COUNTED = 1,         /* a count may be typed before it */
    ACTION_LEAVES_BEAT = 2,     /* moves a lesson's picture away from the beat's */
    ACTION_CHANGES_DISPLAY = 4, /* changes how a picture is shown, not its content */
    ACTION_EMPTY = 8,           /* at a question, works only while nothing is typed */
    ACTION_NOT_IN_HELP = 16,    /* a sign on the screen shows where the key works */
};

#define ACTION_KEYS 8

struct action_info {
    enum action action;
    const char *name;              /* name for a user's file of keys: "phase-next" */
    const char *keys[ACTION_KEYS]; /* key names, NULL after the last; none for a click's action */
    const char *help;    /* "next phase": for the help screen and the manual; _() where shown */
    const char *label;   /* "phase": for the key bar, _() too; NULL if not shown there */
    long argument;       /* of ACTION_VIEW_GO and the like, if the key fixes it; else 0 */
    unsigned flags;      /* of enum action_flag */
    unsigned modes;      /* a bit for each enum action_mode in which it works */
    action_handler *run; /* a replay's handler; NULL if only the screens of src/teach handle it. All
                            rows of an action have the same handler, or NULL */
};

/* The table (action_rows.c). Within a mode the order of the rows is that of its help. */
extern const struct action_info action_rows[];
extern const size_t action_row_count;

/* For scripts and for a user's file of keys: "replay". NULL after the last. */
const char *action_mode_name(enum action_mode mode);
/* The mode in words, for the manual and the help: "While a question is open"; _() where shown. */
const char *action_mode_title(enum action_mode mode);

/* The rows of a mode in the order of its help, with those that it shares with a replay at the end.
 * Returns their number. */
#define ACTION_ROWS_MAX 208
size_t action_list(enum action_mode mode, const struct action_info *list[ACTION_ROWS_MAX]);

/* True if a row is also a replay's. */
bool action_shared(const struct action_info *info);

/* The row of a key in that mode, or NULL. Digits are counts unless bound; see replay_key(). */
const struct action_info *action_for_key(enum action_mode mode, const char *key);

/* One press of a key and its meaning. The screen that has the keys looks it up once, in its
 * ..._press(); everything below it gets this struct. */
struct press {
    const char *key;
    const struct action_info *info; /* the row; action_nothing where the key has none */
    bool types;                     /* the key's character goes into the open prompt */
};
extern const struct action_info action_nothing;

/* The meaning of a press in that mode. In a picture, a key without a row is looked up first among
 * the keys that change the scene (LIVE), then as the key that accepts a line at a prompt. At a
 * prompt, a key without a row types itself. */
struct press action_press(enum action_mode mode, const char *key);
/* The same, but while the help screen is open (`help`), whose keys close it. */
struct press action_help_press(bool help, struct press press);

/* The keys of a row in that mode, as the user bound them, NULL after the last. Returns their
   number. */
size_t action_keys(enum action_mode mode, const struct action_info *info,
                   const char *keys[ACTION_KEYS]);
/* The first key of an action, for a sentence; "" if the user has unbound them all. */
const char *action_key(enum action_mode mode, enum action action);

/* A replay's handler of an action, or NULL; the flags of its rows. */
action_handler *action_run(enum action action);
unsigned action_flags(enum action action);

/* The names of the keys that are not characters, NULL after the last. action_key_exists(): true if
 * a word names a key. */
const char *action_key_name(size_t index);
bool action_key_exists(const char *key);

#define ACTION_BOUND_MAX 256

/* Binds a key in a mode to one of its rows, or to nothing (NULL). The binding overrides the table
 * and earlier ones. `key` is copied. False if there is no room. */
bool action_bind(enum action_mode mode, const char *key, const struct action_info *info);
void action_unbind_all(void); /* restores the table's keys */

#endif
