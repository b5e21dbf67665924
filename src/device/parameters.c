#include "device/parameters.h"

#include "warp/type.h"

#include <inttypes.h>

/* The limit on every GPU, and on the CPU warp. */
#define BLOCK_THREADS 1024

int parameters_check(const struct program *program, const struct program_parameters *parameters,
                     struct error *err) {
    if (parameters->threads == 0 || parameters->threads > BLOCK_THREADS)
        return error_set(err, ERROR_USAGE,
                         "a block of %" PRIu32 " threads cannot be run\n"
                         "a block has 1 to %d threads",
                         parameters->threads, BLOCK_THREADS);
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
