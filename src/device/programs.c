#include "device/programs.h"

#include "device/device.h"

#include <string.h>

/* programs.inc, made by kernels/CMakeLists.txt, has a line PROGRAM(name) for each kernel. */
#define PROGRAM(name) extern const struct shflviz_program SHFLVIZ_PROGRAM(name);
#include <programs.inc>
#undef PROGRAM

static const struct program *const programs[] = {
#define PROGRAM(name) &SHFLVIZ_PROGRAM(name).program,
#include <programs.inc>
#undef PROGRAM
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

const char *program_identifier(const struct program *program) {
    static const char *const identifiers[] = {
#define PROGRAM(name) #name,
#include <programs.inc>
#undef PROGRAM
    };
    size_t i = 0;
    while (programs[i] != program)
        i++;
    return identifiers[i];
}

const struct shflviz_program *program_entry(const struct program *program) {
    return (const struct shflviz_program *)(const void *)program; /* its first member */
}
