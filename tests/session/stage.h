/*
 * stage.h - screens without a terminal: screen_run() (linked with --wrap=screen_run) passes a
 * key script to the program that it is given, and reads what the program draws.
 */
#ifndef SHFLVIZ_TESTS_STAGE_H
#define SHFLVIZ_TESTS_STAGE_H

#include "term/screen.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Keys, then text that must be on the screen, and text that must not be; NULL skips a check. Words
 * that name a key press it; other words are typed; "+500" lets milliseconds pass. If `keys` is
 * NULL, call() is called.
 */
struct stage_step {
    const char *keys, *shows, *hides;
    void (*call)(struct screen_program *program);
};

/* The script for the next screen_run(); it ends with an empty step. NULL if no call is expected. */
void stage_plays(const struct stage_step *script);
/* The number of calls to screen_run(), and whether the last program was done at the end. */
int stage_calls(void);
bool stage_was_left(void);

/* One step of a script. */
struct screen_program *stage_press(struct screen_program *program, const char *keys);
/* The screen of 80 columns and 24 rows as text, which the caller frees. */
char *stage_drawn(const struct screen_program *program);
void stage_shows(const struct screen_program *program, const char *wanted);
void stage_hides(const struct screen_program *program, const char *unwanted);

/* stage_heard() returns the text written to standard output and standard error since
 * stage_listen(); the caller frees it. */
void stage_listen(void);
char *stage_heard(void);

#endif
