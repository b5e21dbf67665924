#include "device/programs.h"

#include <string.h>

extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_idx);
extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_up);
extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_down);
extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_xor);

static const struct program *const programs[] = {
    &SHFLVIZ_PROGRAM(shuffle_idx).program,
    &SHFLVIZ_PROGRAM(shuffle_up).program,
    &SHFLVIZ_PROGRAM(shuffle_down).program,
    &SHFLVIZ_PROGRAM(shuffle_xor).program,
};
#define PROGRAM_COUNT (sizeof programs / sizeof programs[0])

const struct program *const *device_programs(size_t *count) {
    *count = PROGRAM_COUNT;
    return programs;
}

const struct program *device_program_find(const char *name) {
    for (size_t i = 0; i < PROGRAM_COUNT; i++)
        if (strcmp(programs[i]->name, name) == 0)
            return programs[i];
    return NULL;
}

const struct shflviz_program *program_entry(const struct program *program) {
    for (size_t i = 0; i < PROGRAM_COUNT; i++)
        if (programs[i] == program)
            return (const struct shflviz_program *)(const void *)program; /* its first member */
    return NULL;
}
