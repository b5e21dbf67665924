/*
 * cuda_programs.c - the programs of kernels/ as built by nvcc, with the recorder in front.
 */
#include "device/gpu/cuda.h"

#include <string.h>

/* programs.inc, made by kernels/CMakeLists.txt, has a line PROGRAM(name) for each kernel. */
#define PROGRAM(name) extern const struct shflviz_program shflviz_gpu_program_##name;
#include <programs.inc>
#undef PROGRAM

const struct shflviz_program *cuda_program_find(const char *name) {
    static const struct shflviz_program *const programs[] = {
#define PROGRAM(name) &shflviz_gpu_program_##name,
#include <programs.inc>
#undef PROGRAM
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(programs[i]->program.name, name) == 0)
            return programs[i];
    return NULL;
}
