/*
 * fragment_screen.h - the fragments of an instruction on the terminal.
 */
#ifndef SHFLVIZ_SESSION_FRAGMENT_SCREEN_H
#define SHFLVIZ_SESSION_FRAGMENT_SCREEN_H

#include "replay/pages/fragment_page.h"
#include "term/screen.h"

/* Shows the page until the user leaves. Fails like screen_run(). */
int fragment_screen_run(struct fragment_page *page, const struct screen_options *options,
                        struct error *err);

#endif
