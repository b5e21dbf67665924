/*
 * The program itself, with kernels whose lanes wait for each other in more ways than the lanes of
 * built-in kernels do. Linked with --wrap=program_entry, so that everything except the kernel is
 * real.
 */
#include "device/programs.h"
#include "device_kernels.h"

#include <stddef.h>
#include <string.h>

const struct shflviz_program *__wrap_program_entry(const struct program *program);

static int out[1024];

static int run_divergent(const struct shflviz_run *run) {
    return test_launch(KERNEL_DIVERGENT_SYNC, 1, run->parameters->threads, out);
}
static int run_branches(const struct shflviz_run *run) {
    return test_launch(KERNEL_TWO_BRANCHES_OF_THREE, 1, run->parameters->threads, out);
}
static int run_barrier(const struct shflviz_run *run) {
    return test_launch(KERNEL_BARRIER_MISSED, 1, run->parameters->threads, out);
}

const struct shflviz_program *__wrap_program_entry(const struct program *program) {
    static struct shflviz_program entries[] = {
        {.program.name = "idx", .run = run_divergent},
        {.program.name = "xor", .run = run_branches},
        {.program.name = "down", .run = run_barrier},
    };
    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
        if (strcmp(program->name, entries[i].program.name) == 0)
            return &entries[i];
    return NULL;
}
