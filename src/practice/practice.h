/*
 * practice.h - judges a learner's file in this process, with the interpreter: for a web page, where
 * there is no compiler. Cases and expected values are those of the exercise's own test, whose host
 * side is compiled into the program (cmake/host_side.awk); the same code makes the verdict on a
 * compiled answer (exercise/verdict.h).
 */
#ifndef SHFLVIZ_PRACTICE_PRACTICE_H
#define SHFLVIZ_PRACTICE_PRACTICE_H

#include "exercise/judge.h"

/*
 * Like exercise_judge(), but the limits and paths of `judging` have no effect. Code that the
 * interpreter does not support gets VERDICT_NOT_COMPILED, with a text that says so. Fails
 * (ERROR_MISSING) if the exercise's test is not part of the program.
 */
int practice_judge(const struct exercise *exercise, const struct judging *judging,
                   struct verdict *verdict, struct error *err);

#endif
