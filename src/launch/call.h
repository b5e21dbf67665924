/*
 * call.h - a call of a warp function as it stands in a program, and the command that shows it.
 *
 *     int ret = __shfl_up_sync(0xFFFFFFFF, value, 2, 16);      up --delta 2 --width 16
 *     __ballot_sync(mask, a[i] > 3)                            kernel ballot-sync --in 'lane > 3'
 *
 * What stands around the call is left out. Names that shflviz cannot know get a value, and it is
 * said which: a value that travels is the lane's number, an argument what the first round of a
 * reduction would have. Blanks and marks that a page made of others count as what was meant.
 */
#ifndef SHFLVIZ_LAUNCH_CALL_H
#define SHFLVIZ_LAUNCH_CALL_H

#include "base/error.h"
#include "base/text.h"
#include "launch/word_list.h"
#include "warp/warp.h"

#include <stdbool.h>

enum call_kind {
    CALL_COMMAND,    /* `line` is the command of the program that makes it alone */
    CALL_EXPRESSION, /* there is none, as it takes more of C++: one has to be made and compiled */
    CALL_DECLARATION /* how the function is declared: its page is meant */
};

struct call {
    enum call_kind kind;
    enum warp_op op;
    const char *function;   /* "__shfl_up_sync" */
    struct text line;       /* of a command, without "shflviz": "up --delta 2 --width 16" */
    struct text assumed;    /* "value = lane, mask = 0xffffffff"; empty if nothing is */
    struct text expression; /* the call alone, in C++ */
    struct text names;      /* of an expression: names with values, "pred=lane" one a line */
};

/* Whether a text calls a warp function somewhere. */
bool call_is(const char *text);

/* Reads the first call of a text; names take the values given, "NAME=VALUE" each, if any are
 * (NULL: none). Fails (ERROR_USAGE) with a caret below what is wrong. To be released either way. */
int call_read(struct call *call, const char *text, const struct word_list *values,
              struct error *err);
void call_release(struct call *call);

#endif
