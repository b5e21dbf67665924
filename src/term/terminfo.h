/*
 * terminfo.h - information from terminal descriptions: the type to use, and how to leave its
 * screen.
 */
#ifndef SHFLVIZ_TERM_TERMINFO_H
#define SHFLVIZ_TERM_TERMINFO_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

/* `term` is a terminal type, `descriptor` the terminal. */
bool terminfo_is_known(const char *term, int descriptor); /* a description is installed */
/* The type or, if no description of it is installed, the nearest type that has one; reports such a
 * replacement on stderr. (alacritty, foot and kitty install their descriptions only where they run,
 * so a machine reached by ssh lacks them.) */
const char *terminfo_described(const char *term, int descriptor);
/* 0 if the type is known and can do what a screen needs. Appends to `leaving` the bytes that
 * restore the mouse, the colours and the screen. */
int terminfo_check(const char *term, int descriptor, struct text *leaving, struct error *err);
/* The end of every complaint about a terminal: it names the formats that need none. */
const char *terminfo_other_formats(void);

/* True if a type (may be NULL) is a relative of xterm, which answers queries. */
bool terminfo_is_like_xterm(const char *term);
/* True if a terminal of this type marks pasted text once that is requested (DECSET 2004). False for
 * the Linux console and old terminals. */
bool terminfo_has_bracketed_paste(const char *term);

/* True if the terminal in use has a capability: "rmcup". */
bool terminfo_has(const char *capability);

#endif
