/* reviewed.h - screens as reviewed text: read and approved by a person, in a file. */
#ifndef SHFLVIZ_TESTS_REVIEWED_H
#define SHFLVIZ_TESTS_REVIEWED_H

struct grid;

/* Fails the running test, with the lines that differ, if `actual` differs from FOLDER/NAME.txt.
 * With UPDATE_SCREENS set the file is written instead. Frees `actual`. */
void reviewed_compare(const char *folder, const char *name, char *actual);

/*
 * The grid as lines of text, each behind '|', and below a line what a click on its cells asks for:
 * a line for each action, behind a sign of it, with the argument as a digit from 0 to 9 and a to z:
 *   @ lane  % operation  & beat  ! lesson or exercise  = row  $ list  < phase  > view  ~ others,
 *   as the first letter of what their key is called
 * The caller frees.
 */
char *reviewed_clicks(const struct grid *grid);

#endif
