/*
 * call.h - a call of a warp function as written in a program, and the command that shows it.
 *
 *     int ret = __shfl_up_sync(0xFFFFFFFF, value, 2, 16);      up --delta 2 --width 16
 *     __ballot_sync(mask, a[i] > 3)                            kernel ballot-sync --in 'lane > 3'
 *
 * Text around the call is ignored. Names that shflviz cannot know get an assumed value, which is
 * reported: a value that a shuffle moves is the lane's number unless the caller chooses another; an
 * argument is that of the first round of a reduction. Typographic blanks and quotation marks from
 * web pages are read as their plain forms.
 */
#ifndef SHFLVIZ_LAUNCH_CALL_H
#define SHFLVIZ_LAUNCH_CALL_H

#include "base/error.h"
#include "base/text.h"
#include "launch/word_list.h"
#include "warp/warp.h"

#include <stdbool.h>

enum call_kind {
    CALL_COMMAND,    /* `line` is the command of the program that makes only this call */
    CALL_EXPRESSION, /* no such program exists, because the call needs more C++: one is generated
                        and compiled */
    CALL_DECLARATION /* the function's declaration: a request for its page */
};

struct call {
    enum call_kind kind;
    enum warp_op op;
    const char *function;   /* "__shfl_up_sync" */
    struct text line;       /* of a command, without "shflviz": "up --delta 2 --width 16" */
    struct text assumed;    /* "value = lane, mask = 0xffffffff"; empty if nothing is assumed */
    struct text expression; /* only the call, in C++ */
    struct text names;      /* for an expression: names with values, "pred=lane", one per line */
};

/* True if a text contains a call of a warp function. */
bool call_is_in(const char *text);

/* Reads the first call of a text. `values` gives names their values, "NAME=VALUE" each; NULL for
 * none. `moved` is the assumed value of a name that a shuffle moves, NULL for "lane". Fails
 * (ERROR_USAGE) with a caret below the error. The caller releases the call in either case. */
int call_read(struct call *call, const char *text, const struct word_list *values,
              const char *moved, struct error *err);
void call_release(struct call *call);

#endif
