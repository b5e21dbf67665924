/*
 * recording_screen.h - a recording on a terminal: a replay, and the overview of the whole
 * recording.
 */
#ifndef SHFLVIZ_SESSION_RECORDING_SCREEN_H
#define SHFLVIZ_SESSION_RECORDING_SCREEN_H

#include "base/text.h"
#include "export/export.h"
#include "launch/launch.h"
#include "replay/pages/overview.h"
#include "replay/replay.h"
#include "session/details.h"
#include "term/screen.h"
#include "trace/trace.h"

#include <stdio.h>

/* A recording as a program for any screen. With its launch, which must be of a built-in program, it
 * can be changed; with NULL it cannot. NULL, with err set, if the recording has no step. Trace and
 * launch must outlive it. */
struct recording_session;

/* How a recording is first shown. */
struct recording_look {
    bool overview;
    const char *watched;           /* expressions beside the local variables; may be NULL */
    struct details_source details; /* of the recording, once the run has ended */
};

struct recording_session *recording_session_open(const struct trace *trace,
                                                 struct recording_look look,
                                                 const struct launch *asked, struct error *err);
struct screen_program *recording_program(struct recording_session *session);
/* The current meaning of a key, for a screen that contains this one. */
struct press recording_press(const struct recording_session *session, const char *key);
/* Its replay, to be moved from outside. */
struct replay *recording_replay(struct recording_session *session);
/* Shows the step of this number; false if there is none. */
bool recording_go_step(struct recording_session *session, uint64_t step);
/* Shows a later state of the same recording, like replay_grow(); the earlier one may then be
 * closed. */
void recording_grow(struct recording_session *session, const struct trace *trace, bool goes_on,
                    uint64_t happened);
/* Call it when the run has ended: its details can then be recorded, if the look says how. */
void recording_allow_details(struct recording_session *session);
/* Shows how the recorded program ended: the overview with the findings, or with the output. Enter
 * goes to the first finding. */
void recording_show_outcome(struct recording_session *session,
                            const struct overview_outcome *outcome);
/* Counts findings for a limited time; returns the first broken rule, or NULL. `*site` is then its
 * site, or CENSUS_NONE. */
const char *recording_first_finding(struct recording_session *session, long milliseconds,
                                    uint32_t *site);
/* Ends it; a command that was copied is appended. */
void recording_session_close(struct recording_session *session, struct text *copied);

/* Shows it until the user leaves, then prints a copied command. Fails like screen_run(), and if the
 * recording has no step. */
int recording_screen_run(const struct trace *trace, struct recording_look look,
                         const struct launch *asked, const struct screen_options *options,
                         struct error *err);

/* Prints a block as text. */
void recording_block_print(FILE *out, const struct trace *trace, uint32_t launch, uint64_t block,
                           const struct text_style *style);

/* Prints the overview as text: all of it is counted first. */
int recording_overview_print(FILE *out, const struct trace *trace, const struct text_style *style,
                             struct error *err);

#endif
