/*
 * user_bring.h - a file as it was brought becomes one that can be built: mended, with a main().
 *
 * Nothing on the disk is changed. What was chosen for the person is said on standard error, with
 * the words that say it again.
 */
#ifndef SHFLVIZ_LAUNCH_USER_BRING_H
#define SHFLVIZ_LAUNCH_USER_BRING_H

#include "base/error.h"
#include "base/text.h"
#include "launch/word_list.h"

#include <stdbool.h>

/* What is asked for, besides the file. */
struct user_choice {
    const char *call;        /* --call: what is run in the place of main(); NULL: nothing */
    struct word_list values; /* --arg */
    bool is_expression;      /* the call is one of a warp function, and needs no file's */
    bool mend;               /* --mend: text as it was meant is run without asking */
};

struct user_brought {
    bool has_main;       /* one was written */
    bool before_torch;   /* bring_torch belongs before the text */
    struct text call;    /* "reduce(out, in, n)" with its launch */
    struct text options; /* " --call '...' --arg ..." */
};

/*
 * Changes the text of the file; headers are looked for beside it and in the folders of `include`.
 * On a terminal, if it may ask, it asks whether mended text is to be run, and which kernel, where
 * there are several. Fails (ERROR_USAGE) with what is wrong in the file and how
 * --mend goes on, or with what is wrong in --call and --arg. To be released either way.
 */
int user_bring(struct user_brought *brought, const char *path, struct text *text,
               const struct user_choice *wish, const struct word_list *include, bool may_ask,
               struct error *err);
/* Refuses --call, --arg and --mend where there is not one CUDA file that is run. */
int user_refuse_call(const struct user_choice *wish, struct error *err);
void user_brought_release(struct user_brought *brought);

#endif
