/*
 * input.h - typed input: a line at a prompt, a count before a movement.
 *
 * It handles only text: action.h has the keys that open a prompt, accept or erase. A key that types
 * itself is named by its character in UTF-8; a blank is "Space". Functions that return a bool
 * return true if anything changed.
 */
#ifndef SHFLVIZ_REPLAY_INPUT_H
#define SHFLVIZ_REPLAY_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* ---- a line ---- */

/* True if the key types a character. */
bool key_types(const char *key);

/* Adds the key's character to a line of `size` bytes, if the key has one and there is room. */
bool line_type(char *line, size_t size, const char *key);
enum erased { ERASE_CHARACTER, ERASE_WORD, ERASE_LINE };
/* Deletes the last character, the last word, or everything. False if there is nothing. */
bool line_erase(char *line, long erased);
/* Replaces the typed text; a longer text is cut. */
bool line_set(char *line, size_t size, const char *text);

/* ---- a count ---- */

/* How long digits that may be a view or a count stay ambiguous. */
#define COUNT_MILLISECONDS 500

/* action.h explains when digits are a count, and when they are ambiguous. */
struct count {
    long number;   /* 0 if none */
    bool typed;    /* digits of a count have been typed */
    bool doubtful; /* they may mean views */
    long elapsed;  /* milliseconds since the last of them */
    int view;      /* the view to return to if they were a count */
};

/* Adds a digit; `shows` is the view that it means, or -1. *view is the current view, which this may
 * change. */
void count_type(struct count *count, int digit, int shows, int *view);
/* The count before a movement, 0 if none was typed; undoes the views that its digits showed. A
 * count of 1 is ignored: its digit meant the view. */
long count_take(struct count *count, int *view);
bool count_drop(struct count *count);
/* Lets time pass, which ends an ambiguous count. */
bool count_lapse(struct count *count, long milliseconds);

/* ---- a replay's prompt ---- */

enum prompt {
    PROMPT_NONE,
    PROMPT_PREDICT,
    PROMPT_FIND,
    PROMPT_STOP,    /* where play stops */
    PROMPT_WATCH,   /* expressions beside the local variables */
    PROMPT_SETTING, /* a setting of the scene, see live.h */
    PROMPT_WHICH,   /* which calls give these lanes those values? */
    PROMPT_MEMBERS, /* not for typing: lanes are marked */
    PROMPT_CONFIRM, /* not for typing, either: yes or no */
};

#define REPLAY_INPUT_SIZE 128

struct input {
    enum prompt prompt;
    char text[REPLAY_INPUT_SIZE]; /* the text typed at the prompt */
    bool kept;                    /* a wrong answer to be corrected: typing starts again */
    char find[REPLAY_INPUT_SIZE]; /* the last search; "" if there was none */
    struct count count;
};

void input_open(struct input *input, enum prompt prompt);
bool input_close(struct input *input); /* and empties the line */
bool input_type(struct input *input, const char *key);
bool input_erase(struct input *input, long erased);
bool input_set(struct input *input, const char *text);

#endif
