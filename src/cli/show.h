/*
 * show.h - a recording, shown as --format asks.
 */
#ifndef SHFLVIZ_CLI_SHOW_H
#define SHFLVIZ_CLI_SHOW_H

#include "base/error.h"
#include "export/export.h"
#include "cli/option.h"
#include "term/screen.h"
#include "trace/trace.h"

/*
 * Replaces FORMAT_AUTO by what it means here (a screen if standard input and output are a terminal
 * that can show one, else text), and refuses `--format tui` where there is no terminal. To be asked
 * before anything is run or written.
 */
int show_resolve_format(struct options *options, struct error *err);

/* The way text is drawn on standard output, by --color, --ascii and the environment. */
struct text_style show_text_style(const struct options *options);

/* The same for a screen. */
struct screen_options show_screen_options(const struct options *options);

/*
 * Shows the recording on standard output in options->format, which has been resolved. What was not
 * recorded is told on standard error. Returns as command.run does.
 */
int show_trace(const struct trace *trace, const struct options *options, struct error *err);

/*
 * Flushes standard output. Returns 0; -1 with err filled if something could not be written; SIGPIPE
 * if the reader has gone, which is no complaint.
 */
int show_finish(struct error *err);

#endif
