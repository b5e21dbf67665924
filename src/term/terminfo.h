/*
 * terminfo.h - what the descriptions of terminals say: which type to use, how to leave its screen.
 */
#ifndef SHFLVIZ_TERM_TERMINFO_H
#define SHFLVIZ_TERM_TERMINFO_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

/* `term` is a terminal type, `descriptor` the terminal. */
bool terminfo_is_known(const char *term, int descriptor); /* a description is installed */
/* The type, or where its description is not installed the nearest one that is: alacritty, foot and
 * kitty bring theirs along, and a machine reached by ssh lacks them. Says so on stderr. */
const char *terminfo_described(const char *term, int descriptor);
/* 0 if the type is known and can do what a screen needs. Appends to `leaving` what to write to
 * leave the mouse, the colours and the screen as they were. */
int terminfo_check(const char *term, int descriptor, struct text *leaving, struct error *err);
/* What every complaint about a terminal ends with: formats that need none. */
const char *terminfo_other_formats(void);

/* Whether a type (may be NULL) is that of a relative of xterm, which answers questions. */
bool terminfo_is_like_xterm(const char *term);
/* Whether a terminal of this type says where pasted text begins and ends once it is asked to
 * (DECSET 2004). The Linux console and old terminals are not asked. */
bool terminfo_tells_pastes(const char *term);

/* Whether the terminal in use has a capability: "rmcup". */
bool terminfo_has(const char *capability);

#endif
