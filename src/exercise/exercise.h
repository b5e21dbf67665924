/*
 * exercise.h - an exercise as data: the task, the test, the texts.
 *
 * An exercise is a folder (docs/WRITING_EXERCISES.md is the reference):
 *     en.md, zh.md    title, task and hints, one file per language; en.md has the rules, too
 *     skeleton.cu     what the learner begins with
 *     solution.cu     one right answer
 *     other.cu        another one, if there is one worth a look
 *     harness.cu      the test: CUDA C++, with <shflviz/exercise.cuh>
 *     mutants         changes to the solution that must fail, or must pass
 *
 * Reading runs nothing; judge.h does.
 */
#ifndef SHFLVIZ_EXERCISE_EXERCISE_H
#define SHFLVIZ_EXERCISE_EXERCISE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXERCISE_LANGUAGES_MAX 8

struct exercise_language {
    char code[16]; /* "en" */
    char *title, *teaches;
    char *chapter; /* the heading above it in the list; may be NULL */
    char *task;    /* a small subset of Markdown, as in lessons */
    char **hints;  /* from the vaguest to the clearest; the same number in every language */
    size_t hint_count;
    char *after; /* shown after success; may be NULL */
    char *other; /* about the approach of other.cu; NULL if there is none */
};

/* The solution with one change. */
struct exercise_mutant {
    char *why;
    char *text;
    bool passes; /* it is right, too; else it must fail */
    int line;    /* in the file of mutants */
};

struct exercise {
    char *name;
    struct exercise_language language[EXERCISE_LANGUAGES_MAX]; /* the first is English */
    size_t language_count;
    uint32_t uses;     /* bits of enum warp_op, one of which a launch must use; 0 for none */
    uint32_t matrices; /* the same; bit i is exercise_matrix_instruction(i) */
    uint32_t avoids;   /* bits of enum warp_op that must not be used */
    uint32_t once;     /* accesses that a warp may make only once to each address in a launch */
    bool no_memory;    /* an answer has no variables that lanes share, and allocates nothing */
    uint32_t most;     /* operations of a warp in a launch; 0 for no limit */
    uint32_t level;    /* 1, 2 or 3, the hardest; 0 if not given */
    uint32_t minutes;  /* approximate time; 0 if not given */
    char **lessons;    /* names of the lessons that teach its subject */
    size_t lesson_count;
    char *skeleton, *solution, *harness;
    char *other; /* may be NULL */
    struct exercise_mutant *mutants;
    size_t mutant_count;
};

/* A file of an exercise. */
struct exercise_file {
    const char *name; /* "en.md" */
    const char *text;
};

/* The instructions of tensor cores that a line `uses:` may name; NULL after the last. */
const char *exercise_matrix_instruction(int index);

/* Makes an exercise from its files. Fails (ERROR_USAGE) with "NAME/FILE:LINE: the error". */
int exercise_parse(struct exercise **exercise, const char *name, const struct exercise_file *files,
                   size_t count, struct error *err);
/* Reads a folder; its name is the exercise's. */
int exercise_open(struct exercise **exercise, const char *path, struct error *err);
void exercise_free(struct exercise *exercise); /* NULL is fine */

/* The texts in the language nearest to `code`, else in English. */
const struct exercise_language *exercise_language(const struct exercise *exercise,
                                                  const char *code);

/* ---- built-in exercises ---- */

/* In the order of the list (exercises/order). Parsed when first requested; they live as long as the
 * program. */
size_t exercise_built_in_count(void);
const struct exercise *exercise_built_in(size_t index);
const struct exercise *exercise_built_in_find(const char *name); /* NULL if there is none */

#endif
