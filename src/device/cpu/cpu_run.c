#include "device/cpu/cpu_run.h"

#include "device/cpu/device_state.h"
#include "device/parameters.h"
#include "device/programs.h"

/* What a host function's error says of the run. */
static enum trace_failure failure_of(int error) {
    switch (error) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
        return TRACE_FAILURE_LAUNCH;
    case cudaErrorMemoryAllocation:
        return TRACE_FAILURE_MEMORY;
    default:
        return TRACE_FAILURE_OTHER;
    }
}

int cpu_run_entry(const struct program *program, const struct shflviz_program *entry,
                  const struct program_parameters *parameters, const struct cpu_options *options,
                  uint64_t *output, struct error *err) {
    if (parameters_check(program, parameters, err) != 0)
        return -1;

    struct cpu_device *device = cpu_device_create(options);
    struct cpu_device *before = cpu_device_use(device);
    const struct shflviz_run run = {parameters, output};
    int status = entry->run(&run);
    const struct error *failure = cpu_device_error(device);
    if (failure->kind != ERROR_NONE)
        status = error_set(err, failure->kind, "%s", failure->text);
    else if (status != cudaSuccess) {
        note_failure(options->sink, failure_of(status));
        status = error_set(err, ERROR_RUN, "%s did not run: %s", program->name,
                           cpu_runtime_error_string(status));
    }
    cpu_device_use(before);
    cpu_device_destroy(device);
    return status;
}

int cpu_run_program(const struct program *program, const struct program_parameters *parameters,
                    const struct cpu_options *options, uint64_t *output, struct error *err) {
    const struct shflviz_program *entry = program_entry(program);
    if (!entry)
        return error_set(err, ERROR_USAGE, "%s is no program of the CPU warp", program->name);
    return cpu_run_entry(program, entry, parameters, options, output, err);
}
