/*
 * user_bring.h - turns a user's file into one that can be built: repaired, with a main().
 *
 * Nothing on the disk is changed. Choices made on the user's behalf are reported on standard error,
 * with the options that repeat them.
 */
#ifndef SHFLVIZ_LAUNCH_USER_BRING_H
#define SHFLVIZ_LAUNCH_USER_BRING_H

#include "base/error.h"
#include "base/text.h"
#include "launch/word_list.h"

#include <stdbool.h>

/* The request, besides the file. */
struct user_choice {
    const char *call;        /* --call: run instead of main(); NULL for none */
    struct word_list values; /* --arg */
    bool is_expression;      /* the call is to a warp function and needs nothing from the file */
    bool mend;               /* --mend: runs repaired text without asking */
    bool repeats; /* repeats the last run's file with the same answers, and prints nothing */
};

struct bring_result {
    bool has_main;       /* a main() was written */
    bool before_torch;   /* bring_torch must precede the source */
    struct text call;    /* "reduce(out, in, n)" with its launch */
    struct text options; /* " --call '...' --arg ..." */
};

/*
 * Changes the text of the file; headers are looked for beside it and in the folders of `include`.
 * On a terminal, if it may ask, it asks for permission to run repaired text, and which kernel to
 * run if there are several. Fails (ERROR_USAGE) with the error in the file and how --mend helps, or
 * with the error in --call and --arg. The caller releases it in either case.
 */
int user_bring(struct bring_result *brought, const char *path, struct text *text,
               const struct user_choice *choice, const struct word_list *include, bool may_ask,
               struct error *err);
/* Refuses --call, --arg and --mend unless exactly one CUDA file is run. */
int user_refuse_call(const struct user_choice *choice, struct error *err);
void bring_result_release(struct bring_result *brought);

#endif
