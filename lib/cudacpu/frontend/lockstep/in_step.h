/*
 * in_step.h - which kernels lean on the lanes of a warp running in step, without saying so.
 *
 * Old programs let lanes of one warp hand values to each other through plain shared or global
 * memory, with no barrier between the write and the read. On a GPU whose lanes run in step that
 * works, and on the CPU warp it works if lanes keep step at accesses to that memory (access.c).
 * That costs time, so it is done for those kernels alone whose text writes an element of an array
 * and reads another, or the other way round, with no barrier or warp operation between. Arrays in
 * global memory are the pointers that a kernel gets, those that are members of structs, and the
 * file's `__device__` arrays. A function of another file may read and write what it is given.
 *
 * This looks at words, not at types: it takes two indices for different if their texts differ, and
 * may well name a kernel that is right, which is then only slower. It takes two pointers for two
 * arrays, unless a launch shows that they are one; a kernel that would lean on it if they were is
 * named, too, for a launch whose text does not show it.
 */
#ifndef SHFLVIZ_DEVICE_OWN_IN_STEP_H
#define SHFLVIZ_DEVICE_OWN_IN_STEP_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum in_step_memory { IN_STEP_SHARED, IN_STEP_GLOBAL, IN_STEP_MEMORIES };

/* Names of kernels, one behind the other, each with a line end. */
struct in_step_names {
    struct text leaning, others;
    struct text if_same; /* of the others: would lean on it if two pointers were equal */
    bool in_function;    /* a function does that kernels of other files may call */
};

/*
 * Looks at what the preprocessor made of a .cu file (words.h). Appends the name of each of its
 * kernels, for either memory, to `leaning` or to `others`. `is_part` says that the program has
 * other files, which may call its functions. Returns whether accesses of the file matter: there is
 * a kernel that leans on it, or a function that others may give such memory.
 */
bool in_step_kernels(const char *source, size_t length, char *const *skipped, bool is_part,
                     struct in_step_names names[IN_STEP_MEMORIES]);
void in_step_names_release(struct in_step_names names[IN_STEP_MEMORIES]);

#endif
