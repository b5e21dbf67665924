#include "device/cpu/cpu_run.h"

#include "device/cpu/device_state.h"
#include "device/cpu/sink.h"
#include "device/device_ops.h"
#include "device/parameters.h"
#include "device/programs.h"

#include <inttypes.h>
#include <stdio.h>

/* The kind of failure that a host function's error means. */
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

static const struct shflviz_program *find_entry(const struct program *program, struct error *err) {
    const struct shflviz_program *entry = program_entry(program);
    if (!entry)
        error_set(err, ERROR_USAGE, "%s is not a program of the CPU warp", program->name);
    return entry;
}

int cpu_run_program(const struct program *program, const struct program_parameters *parameters,
                    const struct cpu_options *options, uint64_t *output, struct error *err) {
    const struct shflviz_program *entry = find_entry(program, err);
    return entry ? cpu_run_entry(program, entry, parameters, options, output, err) : -1;
}

/* ---- as a device ---- */

static bool cpu_available(struct error *err) {
    (void)err;
    return true;
}

static const char *cpu_name(void) {
    return "CPU warp";
}

static void cpu_details(char *text, size_t size) {
    if (size)
        text[0] = '\0';
}

static void write_notes(struct trace_writer *writer, const struct program *program,
                        const struct device_options *options) {
    char number[32];
    trace_writer_note(writer, TRACE_NOTE_NAME, cpu_name());
    trace_writer_note(writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "emulated");
    snprintf(number, sizeof number, "%" PRIu64, options->schedule);
    trace_writer_note(writer, TRACE_NOTE_SCHEDULE, number);
    snprintf(number, sizeof number, "0x%016" PRIx64, options->poison);
    trace_writer_note(writer, TRACE_NOTE_POISON, number);
    trace_writer_source(writer, program->file, program->source);
}

int cpu_run_recorded(const struct program *program, const struct shflviz_program *entry,
                     const struct program_parameters *parameters,
                     const struct device_options *options, struct trace_writer *writer,
                     uint64_t *output, struct error *err) {
    write_notes(writer, program, options);
    struct cpu_sink sink = cpu_sink_writer(writer, &options->watch);
    struct cpu_options cpu_options = {
        .schedule = options->schedule, .poison = options->poison, .sink = &sink};
    return cpu_run_entry(program, entry, parameters, &cpu_options, output, err);
}

static int cpu_run(const struct program *program, const struct program_parameters *parameters,
                   const struct device_options *options, struct trace_writer *writer,
                   uint64_t *output, struct error *err) {
    const struct shflviz_program *entry = find_entry(program, err);
    return entry ? cpu_run_recorded(program, entry, parameters, options, writer, output, err) : -1;
}

const struct device_ops cpu_device_ops = {cpu_available, cpu_name, cpu_details, cpu_run};
