/*
 * same_array.h - what the words of a file say of arrays that go by several names: pointers that a
 * launch is given twice, and pointers that are members of structs.
 */
#ifndef SHFLVIZ_DEVICE_OWN_SAME_ARRAY_H
#define SHFLVIZ_DEVICE_OWN_SAME_ARRAY_H

#include "cudacpu/frontend/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two parameters of a kernel, from 0, whose arguments in some launch come from one variable. */
struct same_pair {
    uint32_t kernel; /* the number of its name */
    uint32_t first, second;
    bool is_equal; /* the arguments are the same words; else one is a[n] further on, or the like */
};

struct same_array {
    struct same_pair *pair;
    size_t count;
    bool *member; /* by the number of a name: a pointer that is a member of some struct */
};

/* Reads them. To be released. */
void same_array_find(struct same_array *same, const struct words *words);
void same_array_release(struct same_array *same);

/* Whether the function of that name is a struct's, and names members of it alone. */
bool same_array_is_member(const struct words *words, uint32_t name);

/* The pair of these two parameters; NULL: they are taken for two arrays. */
const struct same_pair *same_array_of(const struct same_array *same, uint32_t kernel,
                                      uint32_t first, uint32_t second);

#endif
