/*
 * Runs a program of kernels/ in this process, since these programs are ours. Undefined values are
 * tracked by running it again with other bits in their place.
 */
#include "device/cpu.h"

#include "cudacpu/cudacpu.h"
#include "device/device_ops.h"
#include "device/parameters.h"
#include "device/programs.h"
#include "simt/simt.h"
#include "trace/marks.h"

#include <inttypes.h>
#include <stdio.h>

/* The kind of failure for a host function's error. */
static enum trace_failure failure_of(int error) {
    switch (error) {
    case CPU_ERROR_INVALID_VALUE:
    case CPU_ERROR_INVALID_CONFIGURATION:
        return TRACE_FAILURE_LAUNCH;
    case CPU_ERROR_MEMORY_ALLOCATION:
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
    else if (status != CPU_SUCCESS) {
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
    return cpu_run_entry(program, program_entry(program), parameters, options, output, err);
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
    snprintf(number, sizeof number, "%" PRIu64, options->settings.schedule);
    trace_writer_note(writer, TRACE_NOTE_SCHEDULE, number);
    snprintf(number, sizeof number, "0x%016" PRIx64, options->settings.poison);
    trace_writer_note(writer, TRACE_NOTE_POISON, number);
    trace_writer_source(writer, program->file, program->source);
}

/* ---- values computed from undefined ones ---- */

static struct fiber_pool **stacks_of(const struct device_options *options) {
    return options->kept ? &options->kept->stacks : NULL;
}

struct run_again {
    const struct program *program;
    const struct shflviz_program *entry;
    const struct program_parameters *parameters;
    const struct device_options *options;
};

static void print_nothing(void *context, const char *text, size_t length) {
    (void)context;
    (void)text;
    (void)length;
}

/* Records the same run in memory, with other undefined values; NULL if that fails. A failure
 * counts as a difference. */
static struct trace *run_variant(const struct run_again *run, unsigned variant,
                                 unsigned value_bytes) {
    const struct trace_writer_options writer_options = {
        .value_bytes = value_bytes, .step_limit = run->options->settings.step_limit};
    struct trace_writer *writer;
    struct trace *trace;
    struct error ignored = ERROR_INIT;
    if (trace_writer_open(&writer, NULL, &writer_options, &ignored) != 0)
        return NULL;
    struct cpu_sink sink = cpu_sink_writer(writer);
    struct cpu_options options = {.settings = run->options->settings,
                                  .print = print_nothing,
                                  .stacks = stacks_of(run->options),
                                  .sink = &sink};
    options.settings.variant = variant;
    cpu_run_entry(run->program, run->entry, run->parameters, &options, NULL, &ignored);
    trace_writer_close(writer, &trace, &ignored);
    return trace;
}

/* Marks values in the recording that depend on undefined ones; notes if they were not tracked. */
static void follow_values(const struct run_again *run, struct trace_writer *writer) {
    struct trace_marks marks;
    struct trace *trace;
    struct error ignored = ERROR_INIT;
    bool followed = trace_writer_look(writer, &trace, &ignored) == 0 &&
                    trace_step_count(trace) <= TRACE_MARKS_STEPS_MOST;
    if (followed)
        trace_marks_init(&marks, trace);
    for (unsigned variant = 1; followed && variant <= 2; variant++) {
        struct trace *other = run_variant(run, variant, trace_writer_value_bytes(writer));
        if (other)
            trace_marks_add(&marks, trace, other);
        trace_close(other);
    }
    if (followed) {
        trace_marks_write(&marks, writer);
        trace_marks_release(&marks);
    } else {
        trace_writer_note(writer, TRACE_NOTE_FOLLOWED, "no");
    }
    trace_close(trace);
}

int cpu_run_recorded(const struct program *program, const struct shflviz_program *entry,
                     const struct program_parameters *parameters,
                     const struct device_options *options, struct trace_writer *writer,
                     uint64_t *output, struct error *err) {
    bool undefined = false;
    write_notes(writer, program, options);
    struct cpu_sink sink = cpu_sink_writer(writer);
    struct cpu_options cpu_options = {.settings = options->settings,
                                      .undefined = &undefined,
                                      .stacks = stacks_of(options),
                                      .sink = &sink};
    int status = cpu_run_entry(program, entry, parameters, &cpu_options, output, err);
    if (status == 0 && undefined && !options->settings.unfollowed) {
        const struct run_again again = {program, entry, parameters, options};
        follow_values(&again, writer);
    }
    return status;
}

static int cpu_run(const struct program *program, const struct program_parameters *parameters,
                   const struct device_options *options, struct trace_writer *writer,
                   uint64_t *output, struct error *err) {
    return cpu_run_recorded(program, program_entry(program), parameters, options, writer, output,
                            err);
}

const struct device_ops cpu_device_ops = {cpu_available, cpu_name, cpu_details, cpu_run};
