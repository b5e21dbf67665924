/*
 * look.h - rules for the screen of a lesson at any moment: nothing is cut, all text is visible at
 * 80x24, every row is as wide as the terminal, no placeholder is left, and hidden parts are
 * hidden.
 */
#ifndef SHFLVIZ_TESTS_COURSE_LOOK_H
#define SHFLVIZ_TESTS_COURSE_LOOK_H

#include "teach/player.h"

/* Draws the moment in four sizes (an English lesson in ASCII, too) and reports errors. A screen
 * that has been seen before is not drawn again in all sizes. */
void look_at(const struct player *player);

/* Reports another error of this moment, like printf. */
void look_complain(const struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number of errors since the program began; the number of screens checked. */
unsigned look_wrong(void);
unsigned look_count(void);

#endif
