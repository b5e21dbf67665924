/*
 * device_functions.h - the kernels and device functions of a file, by its words.
 */
#ifndef SHFLVIZ_DEVICE_OWN_DEVICE_FUNCTIONS_H
#define SHFLVIZ_DEVICE_OWN_DEVICE_FUNCTIONS_H

#include "cudacpu/frontend/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUNCTION_EFFECTS 16

/* Words from..to. */
struct part {
    uint32_t from, to;
};

/* An access by a function to what a pointer of that name points to. */
struct effect {
    uint32_t name; /* its number */
    bool writes;
};

struct function {
    uint32_t name;
    struct part parameters, body; /* between the brackets */
    bool is_kernel;
    bool is_elsewhere; /* in another file: here it is only declared */
    bool is_for_all;   /* kernels of other files may call it */
    /* For in_step.c: */
    bool is_member; /* of a struct */
    bool has_barrier, has_block_barrier;
    bool is_given; /* is called with such memory among its arguments */
    bool leans;
    unsigned effects;
    struct effect effect[FUNCTION_EFFECTS];
};

struct functions {
    struct function *function;
    size_t count;
    uint32_t *first; /* by the number of a name: the first function of that name, plus one; 0 */
};

/* Finds them; `is_part` says that the program has other files. To be released. */
void functions_find(struct functions *all, const struct words *words, bool is_part);
void functions_release(struct functions *all);

/* The function that the word is the name of; NULL: none of the file's. */
struct function *function_called(const struct functions *all, const struct words *words,
                                 uint32_t name);

/* Whether some function calls this one in two places, or in a loop. */
bool functions_are_repeated(const struct functions *all, const struct words *words,
                            const struct function *function);

#endif
