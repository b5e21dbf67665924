/*
 * action.h - everything a key, a click or a script can ask of a screen: one table.
 *
 * The table binds the keys, prints the help screen and the manual page, and names the actions in
 * test scripts. A front end turns what it reads from the terminal into key names (below) and looks
 * them up here; it knows no key by itself.
 *
 * Key names: a printable ASCII character stands for itself ("l", "+", "?"); others are "Right",
 * "Left", "Up", "Down", "Space", "Tab", "BackTab", "Enter", "Escape", "Backspace", "Home", "End",
 * "PageUp", "PageDown", "F1", "Ctrl-L" and so on.
 *
 * Digits. 1..5 show a view, and a count may stand before a movement ("3n", "12j"). Both hold:
 *  - 0 and 6..9 name no view, so a count that contains one of them is a count without doubt ("03n",
 *    "10j", "7l"). It waits for its movement as long as it takes; Escape drops it.
 *  - A count of the digits 1..5 alone is in doubt. Each digit shows its view at once, so that "2"
 *    never waits. If a movement follows within ACTION_COUNT_MILLISECONDS (as told by
 *    replay_tick()), the digits were its count and the view that was there before comes back;
 *    later, the view stays and the movement is a single one. So a script that gives its keys
 *    without time in between always gets counts: it writes "2", "Escape", "l" to keep the view.
 */
#ifndef SHFLVIZ_REPLAY_ACTION_H
#define SHFLVIZ_REPLAY_ACTION_H

#include <stdbool.h>
#include <stddef.h>

/* How long digits that may be a view or a count stay in doubt. */
#define ACTION_COUNT_MILLISECONDS 500

enum action {
    ACTION_NONE,
    ACTION_PHASE_NEXT, /* Right l Space: next phase; after the last, the next operation's first */
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
    ACTION_VIEW_NEXT, /* Tab */
    ACTION_VIEW_GO,   /* 1..5; argument: view 0..4 */
    ACTION_PLAY,      /* a: play and pause */
    ACTION_FASTER,
    ACTION_SLOWER,
    ACTION_PREDICT,
    ACTION_FIND,
    ACTION_FIND_NEXT,
    ACTION_HELP,
    ACTION_REDRAW,
    ACTION_CANCEL, /* Escape: closes help or a prompt, drops a half-typed count */
    ACTION_QUIT,
    ACTION_VIEW_PREVIOUS, /* BackTab */

    /* Of a lesson, a question, the list of lessons, a quiz. */
    ACTION_BEAT_NEXT, /* what Right does in a lesson: line, phase, beat */
    ACTION_BEAT_PREVIOUS,
    ACTION_BEAT_GO,     /* argument: beat, from 0 */
    ACTION_BEAT_PROMPT, /* : opens the prompt for a beat's number */
    ACTION_CONTINUE,    /* Enter: answer, back to the lesson, next question, open the lesson */
    ACTION_HINT,
    ACTION_REVEAL, /* "show me" */
    ACTION_MARK,   /* the selected lane, where a set is asked for */
    ACTION_BLACK,
    ACTION_SCROLL_DOWN,
    ACTION_SCROLL_UP,
    ACTION_RESTART,
    ACTION_LESSON_GO, /* argument: entry of the list; once more opens it */
    ACTION_LESSON_NEXT,
    ACTION_LESSON_PREVIOUS,
    ACTION_LESSON_FIRST,
    ACTION_LESSON_LAST,
    ACTION_LESSON_PAGE_NEXT,
    ACTION_LESSON_PAGE_PREVIOUS,
    ACTION_COUNT
};

/* The screens that have keys. */
enum action_place {
    ACTION_PLACE_REPLAY,
    ACTION_PLACE_LESSON,   /* while nothing is asked */
    ACTION_PLACE_QUESTION, /* a question is open, of a lesson or of a quiz: other keys type */
    ACTION_PLACE_LIST,
    ACTION_PLACE_QUIZ, /* while an answer is shown */
    ACTION_PLACE_COUNT
};

#define ACTION_KEYS 6

struct action_info {
    enum action action;
    const char *name;              /* in scripts: "phase-next" */
    const char *keys[ACTION_KEYS]; /* key names, NULL after the last (there is always one); the
                                      first is shown in the key bar */
    const char *help;  /* "next phase": for the help screen and the manual; _() where shown */
    const char *label; /* "phase": for the key bar, _() too; NULL if not shown there */
    long argument;     /* of VIEW_GO and the like, when the key fixes it; else 0 */
    bool movement;     /* a count may stand before it */
    unsigned places;   /* bit per enum action_place: where it holds */
};

/* The table as far as it is a replay's, ending before *count entries; one entry a key binding with
 * a meaning of its own. */
const struct action_info *action_table(size_t *count);

/* The entries of a screen in the order of its help, those that it shares with a replay last.
 * Returns how many. */
#define ACTION_ROWS_MAX 80
size_t action_list(enum action_place place, const struct action_info *list[ACTION_ROWS_MAX]);

/* The entry a key name is bound to, or NULL. Digits are counts unless bound; see replay_key(). */
const struct action_info *action_for_key(const char *key); /* of a replay */
const struct action_info *action_for_key_at(enum action_place place, const char *key);

#endif
