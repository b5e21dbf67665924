/*
 * reviewed.h - screens as reviewed text: what a person has read and found right, in a file.
 */
#ifndef SHFLVIZ_TESTS_REVIEWED_H
#define SHFLVIZ_TESTS_REVIEWED_H

/* Fails the running test, with the lines that differ, if `actual` is not what FOLDER/NAME.txt has.
 * With UPDATE_SCREENS set the file is written instead. Frees `actual`. */
void reviewed_compare(const char *folder, const char *name, char *actual);

#endif
