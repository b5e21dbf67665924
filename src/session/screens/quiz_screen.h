/*
 * quiz_screen.h - a quiz on a terminal, and a quiz line by line for pipes and plain terminals.
 */
#ifndef SHFLVIZ_SESSION_QUIZ_SCREEN_H
#define SHFLVIZ_SESSION_QUIZ_SCREEN_H

#include "base/error.h"
#include "export/export.h"
#include "launch/quiz_source.h"
#include "session/results_file.h"
#include "term/screen.h"

/* A quiz as a program for any screen. The arguments must outlive it. NULL, with err set, if no
 * question is possible, or the file of `opts` cannot be written. */
struct quiz_session;
struct quiz_session *quiz_session_open(struct quiz_source *source, uint64_t seed, int level,
                                       const struct results_options *opts, struct error *err);
struct screen_program *quiz_program(struct quiz_session *session);
/* Ends it. Returns `status`, or -1, with err set, if that was 0 and the answers could not be
 * written. */
int quiz_session_close(struct quiz_session *session, int status, struct error *err);

/* Runs until the user leaves, or has answered the number of questions in `opts`; its file gets the
 * answers. Returns like screen_run(), or -1 if that file cannot be written. */
int quiz_screen_run(struct quiz_source *source, uint64_t seed, int level,
                    const struct results_options *opts, const struct screen_options *screen,
                    struct error *err);

/* Prints questions on standard output and reads answers from standard input, one per line; "hint"
 * asks for a hint, an empty line for the answer. Prints the score at the end of the input. */
int quiz_text_run(struct quiz_source *source, uint64_t seed, int level,
                  const struct results_options *opts, const struct text_style *style,
                  struct error *err);

#endif
