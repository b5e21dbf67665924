/*
 * plan.h - the course as a teacher's plan: a class of 90 minutes, and a term by weeks.
 */
#ifndef SHFLVIZ_SESSION_PLAN_H
#define SHFLVIZ_SESSION_PLAN_H

#include <stdio.h>

/* Writes both plans as Markdown, in the language in use, from the minutes of the lessons and the
 * exercises. */
void plan_write(FILE *out);

#endif
