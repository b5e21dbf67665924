#include "device/device.h"

#include "device/cpu/cpu_run.h"
#include "device/cpu/sink.h"
#include "device/gpu/gpu.h"
#include "device/programs.h"

#include <inttypes.h>
#include <stdio.h>

bool device_available(enum device_kind kind, struct error *err) {
    return kind == DEVICE_GPU ? gpu_available(err) : true;
}

enum device_kind device_choose(void) {
    struct error err = ERROR_INIT;
    return gpu_driver_is_there() && gpu_available(&err) ? DEVICE_GPU : DEVICE_CPU;
}

const char *device_name(enum device_kind kind) {
    return kind == DEVICE_GPU ? gpu_name() : "CPU warp";
}

void device_details(enum device_kind kind, char *text, size_t size) {
    if (kind == DEVICE_GPU)
        gpu_details(text, size);
    else if (size)
        text[0] = '\0';
}

/* ---- the CPU warp ------------------------------------------------------------------------------
 */

static void write_notes(struct trace_writer *writer, const struct program *program,
                        const struct device_options *options) {
    char number[32];
    trace_writer_note(writer, TRACE_NOTE_NAME, device_name(DEVICE_CPU));
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

static int run_on_cpu(const struct program *program, const struct program_parameters *parameters,
                      const struct device_options *options, struct trace_writer *writer,
                      uint64_t *output, struct error *err) {
    const struct shflviz_program *entry = program_entry(program);
    if (!entry)
        return error_set(err, ERROR_USAGE, "%s is no program of the CPU warp", program->name);
    return cpu_run_recorded(program, entry, parameters, options, writer, output, err);
}

int device_run_output(const struct program *program, const struct program_parameters *parameters,
                      const struct device_options *options, struct trace_writer *writer,
                      uint64_t *output, struct error *err) {
    struct error failure = ERROR_INIT;
    bool gpu = options->kind == DEVICE_GPU;
    if (!device_available(options->kind, err))
        return -1;
    int status = gpu ? gpu_run_program(program, parameters, options, writer, output, &failure)
                     : run_on_cpu(program, parameters, options, writer, output, &failure);
    if (status == 0)
        return 0;
    trace_writer_note(writer, TRACE_NOTE_FAILURE, failure.text);
    return error_set(err, failure.kind, "%s", failure.text);
}

int device_run(const struct program *program, const struct program_parameters *parameters,
               const struct device_options *options, struct trace_writer *writer,
               struct error *err) {
    return device_run_output(program, parameters, options, writer, NULL, err);
}
