/*
 * translate.h - translates an exercise's own English into the language in use: the names of the
 * cases that a harness begins, and the comments of a skeleton.
 *
 * Neither is marked with _(): a harness and a skeleton are CUDA files that know nothing about this
 * program. po/update takes the texts from exercises/, so that they are translated with the others.
 */
#ifndef SHFLVIZ_EXERCISE_TRANSLATE_H
#define SHFLVIZ_EXERCISE_TRANSLATE_H

/*
 * The name of a case, as the harness printed it: "n = 5, 64 threads". Its key in the catalogue has
 * %s for each number, "n = %s, %s threads", so one entry serves all sizes. A name without a
 * translation, as in a teacher's own exercise, is kept. Free the result.
 */
char *translate_case(const char *name);

/*
 * The source with its comments translated; the code is unchanged. Consecutive lines
 * with nothing but comments are one text. Free the result.
 */
char *translate_comments(const char *source);

#endif
