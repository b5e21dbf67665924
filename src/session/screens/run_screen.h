/*
 * run_screen.h - a user program on a terminal: its recording, from the first steps on while it
 * runs, and then its outcome.
 *
 * A program without findings is shown at its first operation. One with findings, or with a status
 * other than 0, is shown as a whole: its findings and what it printed; Enter goes to the first
 * finding.
 */
#ifndef SHFLVIZ_SESSION_RUN_SCREEN_H
#define SHFLVIZ_SESSION_RUN_SCREEN_H

#include "base/error.h"
#include "launch/program/one_run.h"
#include "replay/pages/overview.h"
#include "session/screens/recording_screen.h"
#include "term/screen.h"
#include "trace/trace.h"

/* How a run ended, in words. `file` is the file for a `check` command; may be NULL. If findings are
 * known, `rule` is the first broken rule and `site` its site; else NULL. False if there is nothing
 * to fix: the program ended successfully and broke no rule. */
bool run_outcome(const struct user_run_end *end, const char *file, const char *rule, uint32_t site,
                 struct overview_outcome *outcome);

/* The context of user_request.attend: shows a running program, and its outcome, until the user
 * leaves. If the screen fails, `showing` has the reason. */
struct run_screen_context {
    const struct screen_options *options;
    const char *file; /* as in run_outcome() */
    struct recording_look look;
    struct error *showing; /* filled in */
    bool shown;            /* likewise: the screen had the terminal */
    bool was_left;         /* likewise: before the program had ended by itself */
};
user_attend run_screen_attend; /* its context is a struct run_screen_context */

/* Shows the recording of a program that has already ended. Fails like recording_screen_run(). */
int run_screen_show(const struct user_run_end *end, const char *file, struct recording_look look,
                    const struct screen_options *options, struct error *err);

#endif
