/*
 * input.h - what is being typed: a line at a prompt, a count before a movement.
 *
 * Pure text: which keys open a prompt, accept or erase is in the table of action.h. A key that
 * types itself is named by its character in UTF-8, a blank is "Space". Functions that return a bool
 * return whether anything changed.
 */
#ifndef SHFLVIZ_REPLAY_INPUT_H
#define SHFLVIZ_REPLAY_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* ---- a line ---- */

/* Whether the key types a character. */
bool key_types(const char *key);

/* Adds the key's character to a line of `size` bytes, if it is one and there is room. */
bool line_type(char *line, size_t size, const char *key);
/* Takes the last character away. */
bool line_erase(char *line);
/* Replaces what was typed, cut at the size. */
bool line_set(char *line, size_t size, const char *text);

/* ---- a count ---- */

/* How long digits that may be a view or a count stay in doubt. */
#define COUNT_MILLISECONDS 500

/* See action.h for when digits are a count, and when they are in doubt. */
struct count {
    long number;   /* 0 if none */
    bool typed;    /* digits of a count have been typed */
    bool doubtful; /* they may have meant views */
    long elapsed;  /* milliseconds since the last of them */
    int view;      /* the view to come back to if they were a count */
};

/* One more digit, which shows a view if it means one: `shows`, or -1. *view is the view shown,
 * before and after. */
void count_type(struct count *count, int digit, int shows, int *view);
/* The count before a movement, 0 if none was typed; undoes the views that its digits showed. A
 * count of one is as good as none: its digit was the view's. */
long count_take(struct count *count, int *view);
bool count_drop(struct count *count);
/* Time passes: a count in doubt ends. */
bool count_lapse(struct count *count, long milliseconds);

/* ---- a replay's prompt ---- */

enum prompt {
    PROMPT_NONE,
    PROMPT_PREDICT,
    PROMPT_FIND,
    PROMPT_STOP,    /* where play stops */
    PROMPT_WATCH,   /* expressions beside the local variables */
    PROMPT_SETTING, /* of what is shown, see live.h */
    PROMPT_WHICH,   /* which calls give these lanes those values? */
    PROMPT_MEMBERS, /* nothing is typed: lanes are marked */
    PROMPT_CONFIRM, /* nor here: yes or no */
};

#define REPLAY_INPUT_SIZE 128

struct input {
    enum prompt prompt;
    char text[REPLAY_INPUT_SIZE]; /* what has been typed at the prompt */
    bool kept;                    /* it is a wrong answer, to be mended: typing begins anew */
    char find[REPLAY_INPUT_SIZE]; /* what was looked for last; "" if nothing */
    struct count count;
};

void input_open(struct input *input, enum prompt prompt);
bool input_close(struct input *input); /* and empties the line */
bool input_type(struct input *input, const char *key);
bool input_erase(struct input *input);
bool input_set(struct input *input, const char *text);

#endif
