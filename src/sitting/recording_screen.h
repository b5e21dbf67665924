/*
 * recording_screen.h - a recording before a terminal: a replay, and the overview of the whole that
 * one dives from.
 */
#ifndef SHFLVIZ_SITTING_RECORDING_SCREEN_H
#define SHFLVIZ_SITTING_RECORDING_SCREEN_H

#include "export/export.h"
#include "launch/launch.h"
#include "term/screen.h"
#include "trace/trace.h"

#include <stdio.h>

/* Shows it until the person leaves; with `overview` that comes first. With what asked for it, which
 * must be a program of shflviz's own, it can be changed; NULL: it cannot. A command that was copied
 * is printed then. Fails as screen_run(), and if the recording has no step. */
int recording_screen_run(const struct trace *trace, bool overview, const struct launch *asked,
                         const struct screen_options *options, struct error *err);

/* The overview as text: all of it is counted first. */
int recording_overview_print(FILE *out, const struct trace *trace, const struct text_style *style);

#endif
