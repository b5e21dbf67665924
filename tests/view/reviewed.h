/*
 * reviewed.h - screens as reviewed text: read and approved by a person, in a file.
 *
 * The first line of a screen's file has '#' and the keys that lead to the screen; then rows follow
 * as grid_to_text() writes them. "@N" means that the next row is row N of the screen. The last row
 * of a screen, the key bar, is not in its file: one file for each test has the key bars of all its
 * screens, so that a change to the name of a key changes one file, not all of them.
 */
#ifndef SHFLVIZ_TESTS_REVIEWED_H
#define SHFLVIZ_TESTS_REVIEWED_H

#include "base/text.h"

struct grid;

/* Fails the running test, with the lines that differ, if `actual` differs from FOLDER/NAME.txt.
 * With UPDATE_SCREENS set the file is written instead. Frees `actual`. */
void reviewed_compare(const char *folder, const char *name, char *actual);

/* Like reviewed_compare(), for a whole screen without its key bar. */
void reviewed_screen(const char *folder, const char *name, const char *keys, char *screen);
/* The same from row `first` on, for a screen whose upper rows are those of another screen. */
void reviewed_picture(const char *folder, const char *name, const char *keys, int first,
                      char *screen);
/* The same for the rows of `screen` that differ from those of `before`. Frees both. */
void reviewed_change(const char *folder, const char *name, const char *keys, char *before,
                     char *screen);
/* The row below the phases and the tabs of a replay. */
int reviewed_first_row(const struct grid *grid);

/* The key bars of a test's screens, each once. Initialise it with {0}. */
struct reviewed_bars {
    struct {
        char *rows;
        struct text names;
    } bar[64];
    int count;
};
/* Adds the key bar of a screen, if it has one (not if `name` has "-clicks-"); frees the screen. */
void reviewed_bar(struct reviewed_bars *bars, const char *name, char *screen);
/* Compares all key bars with FOLDER/NAME.txt, and frees them. */
void reviewed_bars_compare(const char *folder, const char *name, struct reviewed_bars *bars);

/*
 * The grid as lines of text, each after '|'. Below each are the actions of clicks on its cells: one
 * line per kind of action, which begins with the sign of that kind and has the arguments as digits,
 * 0 to 9 and a to z:
 *
 *     @ lane    % operation    & beat     ! lesson or exercise    = row
 *     $ list    < phase        > view     ~ others, each as the first letter of its key's name
 *
 * The key bar is left out. The caller frees.
 */
char *reviewed_clicks(const struct grid *grid);

#endif
