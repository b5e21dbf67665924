/*
 * notes.h - the speaker's notes on a second terminal, which follows the presentation on the first.
 */
#ifndef SHFLVIZ_SESSION_NOTES_H
#define SHFLVIZ_SESSION_NOTES_H

#include "base/error.h"
#include "launch/program/program_file.h"
#include "term/screen.h"

/* Shows the notes of the presentation that this user is giving on another terminal. A lesson's own
 * programs are built only with COURSE_AGREED, because a screen cannot ask. Returns like
 * screen_run(). */
int notes_run(const char *language, const struct course_terms *terms,
              const struct screen_options *screen, struct error *err);

#endif
