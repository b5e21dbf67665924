/*
 * look.h - what must hold for the screen of a lesson at any moment, whatever it shows: nothing is
 * cut, all that is said is there at 80x24, every row is as wide as the terminal, no placeholder is
 * left, and what is hidden is hidden.
 */
#ifndef SHFLVIZ_TESTS_COURSE_LOOK_H
#define SHFLVIZ_TESTS_COURSE_LOOK_H

#include "teach/player.h"

/* Draws the moment in four sizes, in ASCII too where the lesson is in English, and tells what is
 * wrong. A screen that has been seen before is not drawn again in all sizes. */
void look_at(const struct player *player);

/* Tells something else that is wrong at this moment, as printf. */
void look_complain(const struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How much has been wrong since the program began; screens looked at. */
unsigned look_wrong(void);
unsigned look_count(void);

#endif
