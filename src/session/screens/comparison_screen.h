/*
 * comparison_screen.h - two recordings side by side on the terminal.
 */
#ifndef SHFLVIZ_SESSION_COMPARISON_SCREEN_H
#define SHFLVIZ_SESSION_COMPARISON_SCREEN_H

#include "replay/pages/comparison.h"
#include "term/screen.h"

/* Shows the differences, at least one, until the user leaves. Fails like screen_run(). */
int comparison_screen(struct comparison *comparison, const struct screen_options *options,
                      struct error *err);

#endif
