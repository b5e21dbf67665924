#include "walk.h"

#include "base/memory.h"
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double microseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

void die(const struct error *err) {
    fprintf(stderr, "shflviz benchmark: %s\n", err->text);
    exit(2);
}

struct trace *record(const char *name) {
    struct error err = ERROR_INIT;
    const struct program *program = device_program_find(name);
    if (!program) {
        error_set(&err, ERROR_USAGE, "no kernel is called \"%s\"", name);
        die(&err);
    }
    struct program_parameters parameters = program->defaults;
    const int32_t argument[WARP_LANES] = {0};
    const size_t threads = (size_t)parameters.threads * parameters.blocks;
    uint64_t *input = memory_zeroed(threads, sizeof *input);
    for (size_t thread = 0; thread < threads; thread++)
        input[thread] = warp_value_from_integer(parameters.type, (int64_t)(thread % WARP_LANES));
    parameters.argument = argument;
    parameters.input = input;

    const struct device_options device = {.kind = DEVICE_CPU, .settings = RUN_SETTINGS_INIT};
    const struct trace_writer_options writing = {.value_bytes = 8};
    struct trace_writer *writer;
    struct trace *trace = NULL;
    if (trace_writer_open(&writer, NULL, &writing, &err) ||
        device_run(program, &parameters, &device, writer, NULL, &err) ||
        trace_writer_close(writer, &trace, &err))
        die(&err);
    free(input);
    return trace;
}

void walk(struct replay *replay) {
    const uint64_t step = replay->cursor.step.number;
    const enum phase phase = replay->cursor.phase;
    replay_apply(replay, ACTION_PHASE_NEXT, 1);
    if (replay->cursor.phase == phase && replay->cursor.step.number == step) {
        replay_apply(replay, ACTION_OPERATION_FIRST, 0);
        replay_apply(replay, ACTION_PHASE_GO, PHASE_BEFORE);
        replay_apply(replay, ACTION_VIEW_NEXT, 1);
        replay_apply(replay, ACTION_LANE_NEXT, 1);
    }
}

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void print_times(const char *label, double *times, size_t count) {
    qsort(times, count, sizeof *times, compare_doubles);
    printf("%-36s median %7.1f us   99th percentile %7.1f us   slowest %7.1f us\n", label,
           times[count / 2], times[count / 100 * 99], times[count - 1]);
}
