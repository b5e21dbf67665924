#include "cpu_run.h"

#include "device/programs.h"

#include <inttypes.h>

static int check_parameters(const struct program *program,
                            const struct program_parameters *parameters, struct error *err) {
    if (parameters->threads == 0 || parameters->threads > CPU_BLOCK_THREADS)
        return error_set(err, ERROR_USAGE,
                         "a block of %" PRIu32 " threads cannot be run\n"
                         "a block has 1 to %d threads",
                         parameters->threads, CPU_BLOCK_THREADS);
    if (parameters->blocks == 0 || parameters->blocks > 0x7fffffff)
        return error_set(err, ERROR_USAGE,
                         "a grid of %" PRIu32 " blocks cannot be run\n"
                         "a grid has 1 to 2147483647 blocks",
                         parameters->blocks);
    if (parameters->type >= WARP_TYPE_COUNT || !(program->types >> parameters->type & 1))
        return error_set(err, ERROR_USAGE, "%s is not built for the type %s", program->name,
                         parameters->type < WARP_TYPE_COUNT ? warp_type_info(parameters->type)->name
                                                            : "that was given");
    if (!parameters->input)
        return error_set(err, ERROR_USAGE, "%s needs a value for each of its threads",
                         program->name);
    if ((program->takes & PROGRAM_TAKES_ARGUMENT) && !parameters->argument)
        return error_set(err, ERROR_USAGE, "%s needs an argument for each lane", program->name);
    return 0;
}

int cpu_run_program(const struct program *program, const struct program_parameters *parameters,
                    const struct cpu_options *options, uint64_t *output, struct error *err) {
    const struct shflviz_program *entry = program_entry(program);
    if (!entry)
        return error_set(err, ERROR_USAGE, "%s is no program of the CPU warp", program->name);
    if (check_parameters(program, parameters, err) != 0)
        return -1;

    struct cpu_device *device = cpu_device_create(options);
    struct cpu_device *before = cpu_device_use(device);
    const struct shflviz_run run = {parameters, output};
    int status = entry->run(&run);
    const struct error *failure = cpu_device_error(device);
    if (failure->kind != ERROR_NONE)
        status = error_set(err, failure->kind, "%s", failure->text);
    else if (status != cudaSuccess)
        status = error_set(err, ERROR_RUN, "%s did not run: %s", program->name,
                           cpu_runtime_error_string(status));
    cpu_device_use(before);
    cpu_device_destroy(device);
    return status;
}
