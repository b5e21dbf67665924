/* show.h - shows a recording in the way --format requests. */
#ifndef SHFLVIZ_CLI_SHOW_H
#define SHFLVIZ_CLI_SHOW_H

#include "base/error.h"
#include "cli/option.h"
#include "export/export.h"
#include "session/results_file.h"
#include "term/screen.h"
#include "trace/trace.h"

/* True if standard input and output are a terminal that can show a screen. */
bool show_has_screen(void);

/*
 * Replaces FORMAT_AUTO with its meaning here (a screen if standard input and output are a terminal
 * that can show one, else text), and refuses `--format tui` without a terminal. Call it before
 * anything is run or written.
 */
int show_resolve_format(struct options *options, struct error *err);

/* Refuses a --format that this command does not have: `wrong` is the message, `allowed` its own
 * formats. */
int show_refuse_format(const struct options *options, const char *wrong, const char *allowed,
                       struct error *err);

/* The style of text on standard output, from --color, --ascii and the environment. */
struct text_style show_text_style(const struct options *options);

/* If `from_start`, Escape in a screen opened from now on returns to the start screen. */
void show_set_from_start(bool from_start);

/* The options of a screen, from the command line and the environment. Also reads the user's own
 * keys (key_file.h). */
struct screen_options show_screen_options(const struct options *options);

/*
 * Runs a program with the options and shows the recording. Messages and the recording's command
 * begin with `name`: "xor", "kernel scan". If the kernel does not finish, the recording is saved
 * and shown all the same, and err (ERROR_RUN) has the reason.
 */
int show_launch(const struct program *program, const char *name, const struct options *options,
                struct error *err);

/* Call it after a recording has been read from standard input: keys then come from the terminal, if
 * there is one and standard output is a terminal. */
void show_keys_from_terminal(void);

/* True if --show names local variables. */
bool show_wants_variables(const struct options *options);
/* The expressions of --show, "sum, i3+i1@15"; NULL for all variables or none. */
const char *show_watched(const struct options *options);

/* Waits for Enter, so that printed text can be read before a screen covers it. Returns false at the
 * end of input. */
bool show_wait_for_reader(const char *prompt);

/* The most steps of a run that are written without --all. */
#define SHOW_STEPS_MOST 2000

/*
 * Shows the recording on standard output in options->format, which has been resolved; only part of
 * a long one, if the command has --all and it is not given. Reports on standard error what was not
 * recorded and what was left out.
 */
int show_trace(const struct trace *trace, const struct options *options, struct error *err);

/* The answer to --warps, in options->format. */
int show_block(const struct trace *trace, const struct options *options, struct error *err);
/* Prints the origins of a value in the recording (explain/origins.h). */
int show_whose(const struct trace *trace, const struct options *options, struct error *err);

/*
 * Call it if showing a run's recording failed with `showing`; `status` is the run's own result.
 * Leaves the most important error in err: the signal that ended a screen, so that the shell sees
 * it; else the run's failure; else the failure to show it. Returns -1.
 */
int show_outcome(int status, const struct error *showing, struct error *err);

/*
 * Flushes standard output. Fails if something could not be written; with ERROR_SIGNAL and SIGPIPE
 * if the reader has gone away, which needs no message.
 */
int show_finish(struct error *err);

/* --results, --who, --seed and --questions of a lesson or a quiz. */
struct results_options show_results_options(const struct options *options);
/* Refuses --who without --results. */
int show_check_results(const struct options *options, struct error *err);

#endif
