/*
 * surface.h - the terminal functions that the loop in run.c needs beyond screen.h; ncurses stays in
 * screen.c.
 */
#ifndef SHFLVIZ_TERM_SURFACE_H
#define SHFLVIZ_TERM_SURFACE_H

#include "term/screen.h"

#include <stdint.h>

enum input_kind {
    INPUT_CHARACTER,
    INPUT_KEY,      /* one of the keyboard's special keys */
    INPUT_CLICK,    /* the first mouse button, at x, y */
    INPUT_WHEEL_UP, /* away from the user, at x, y */
    INPUT_WHEEL_DOWN,
    INPUT_PASTE, /* the following characters are pasted, see paste.h */
    INPUT_OTHER, /* no meaning here */
};

struct screen_input {
    enum input_kind kind;
    uint32_t character;
    const char *key; /* by name, see replay/keys/action.h; NULL for a key without one */
    int x, y;
};

/* The next input; false if there is none for now. Does not wait. */
bool screen_read(struct screen *screen, struct screen_input *input);
/* True if reading nothing means that the terminal is gone: its modes can no longer be read. */
bool screen_is_gone(const struct screen *screen);

struct surface {
    int input, output; /* descriptors */
    int columns, rows;
    struct palette palette;
};
const struct surface *screen_surface(const struct screen *screen);
void screen_set_background(struct screen *screen, enum palette_background background);

/* Bytes for the terminal itself, besides the drawing. */
void screen_write(const struct screen *screen, const char *bytes);
/* The terminal may show anything: the next frame is drawn completely. */
void screen_redraw(struct screen *screen);
/* Adopts the terminal's current size. */
void screen_measure(struct screen *screen);
/* Gives the terminal to the shell and takes it back. */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);

#endif
