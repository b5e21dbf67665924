/*
 * recording_screen.h - a recording before a terminal: a replay, and the overview of the whole that
 * one dives from.
 */
#ifndef SHFLVIZ_SITTING_RECORDING_SCREEN_H
#define SHFLVIZ_SITTING_RECORDING_SCREEN_H

#include "base/text.h"
#include "export/export.h"
#include "launch/launch.h"
#include "replay/replay.h"
#include "term/screen.h"
#include "trace/trace.h"

#include <stdio.h>

/* A recording that is looked at, as a program for any screen. With what asked for it, which must be
 * a program of shflviz's own, it can be changed; NULL: it cannot. NULL, with err set, if the
 * recording has no step. Trace and launch must outlive it. */
struct recording_sitting;
struct recording_sitting *recording_sit_down(const struct trace *trace, bool overview,
                                             const struct launch *asked, struct error *err);
struct screen_program *recording_program(struct recording_sitting *sitting);
/* Its replay, to be moved from outside. */
struct replay *recording_replay(struct recording_sitting *sitting);
/* Shows the step of this number; false if there is none. */
bool recording_go_step(struct recording_sitting *sitting, uint64_t step);
/* Ends it; a command that was copied is appended. */
void recording_stand_up(struct recording_sitting *sitting, struct text *copied);

/* Shows it until the person leaves; with `overview` that comes first. A command that was copied is
 * printed then. Fails as screen_run(), and if the recording has no step. */
int recording_screen_run(const struct trace *trace, bool overview, const struct launch *asked,
                         const struct screen_options *options, struct error *err);

/* The overview as text: all of it is counted first. */
int recording_overview_print(FILE *out, const struct trace *trace, const struct text_style *style,
                             struct error *err);

#endif
