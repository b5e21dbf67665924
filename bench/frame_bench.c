/*
 * frame_bench.c - how long one screen takes to draw.
 *
 * Runs a kernel on the CPU warp, then walks its recording as a person would: phase by phase through
 * every operation, once in each view. A frame is what happens between a key and the bytes that
 * leave: the action, the drawing into cells, the painting as escape sequences. Clearing the same
 * grid is the reference: what it costs to touch every cell once. Usage: frame_bench [COLUMNS ROWS
 * [KERNEL]]
 */
#include "base/memory.h"
#include "device/device.h"
#include "replay/replay.h"
#include "term/painter.h"
#include "trace/trace.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FRAMES 20000

struct times {
    double clear[FRAMES], draw[FRAMES], whole[FRAMES]; /* microseconds */
};

static double microseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static _Noreturn void die(const struct error *err) {
    fprintf(stderr, "frame_bench: %s\n", err->text);
    exit(2);
}

/* A recording of the named kernel with its defaults; each thread's value is its lane. */
static struct trace *record(const char *name) {
    struct error err = ERROR_INIT;
    const struct program *program = device_program_find(name);
    if (!program) {
        error_set(&err, ERROR_USAGE, "no kernel is called \"%s\"", name);
        die(&err);
    }
    struct program_parameters parameters = program->defaults;
    const int32_t argument[WARP_LANES] = {0};
    uint64_t *input = memory_zeroed((size_t)parameters.threads * parameters.blocks, sizeof *input);
    for (uint32_t thread = 0; thread < parameters.threads * parameters.blocks; thread++)
        input[thread] = warp_value_from_integer(parameters.type, thread % WARP_LANES);
    parameters.argument = argument;
    parameters.input = input;

    const struct device_options device = {.kind = DEVICE_CPU, .poison = DEVICE_POISON_DEFAULT};
    const struct trace_writer_options writing = {.value_bytes = 8};
    struct trace_writer *writer;
    struct trace *trace;
    if (trace_writer_open(&writer, NULL, &writing, &err) ||
        device_run(program, &parameters, &device, writer, &err) ||
        trace_writer_close(writer, &trace, &err))
        die(&err);
    free(input);
    return trace;
}

/* One step of the walk; at the end of the warp the next view begins from the first operation. */
static void move(struct replay *replay) {
    const struct trace_step before = replay->step;
    const enum phase phase = replay->phase;
    replay_apply(replay, ACTION_PHASE_NEXT, 1);
    if (replay->phase == phase && replay->step.number == before.number) {
        replay_apply(replay, ACTION_OPERATION_FIRST, 0);
        replay_apply(replay, ACTION_PHASE_GO, PHASE_BEFORE);
        replay_apply(replay, ACTION_VIEW_NEXT, 1);
        replay_apply(replay, ACTION_LANE_NEXT, 1);
    }
}

static void measure(struct replay *replay, struct grid *grid, struct times *times) {
    struct text text = TEXT_INIT;
    for (int frame = 0; frame < FRAMES; frame++) {
        const double begin = microseconds_now();
        grid_clear(grid);
        const double cleared = microseconds_now();
        move(replay);
        view_draw(grid, replay);
        const double drawn = microseconds_now();
        text_clear(&text);
        paint_ansi(&text, grid, COLOR_256);
        const double painted = microseconds_now();
        times->clear[frame] = cleared - begin;
        times->draw[frame] = drawn - cleared;
        times->whole[frame] = painted - cleared;
    }
    text_release(&text);
}

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_times(const char *label, double *times) {
    qsort(times, FRAMES, sizeof *times, compare_doubles);
    printf("%-32s median %7.1f us   99th percentile %7.1f us   slowest %7.1f us\n", label,
           times[FRAMES / 2], times[FRAMES / 100 * 99], times[FRAMES - 1]);
}

int main(int argc, char **argv) {
    const int columns = argc > 2 ? atoi(argv[1]) : 80;
    const int rows = argc > 2 ? atoi(argv[2]) : 40;
    struct trace *trace = record(argc > 3 ? argv[3] : "reduce-xor-sum");
    struct error err = ERROR_INIT;
    struct replay replay;
    if (replay_init(&replay, trace, &err))
        die(&err);

    struct grid grid;
    grid_init(&grid, columns, rows, false);
    struct times *times = memory_alloc(sizeof *times);
    measure(&replay, &grid, times);
    printf("%d frames of %d columns and %d rows\n", FRAMES, columns, rows);
    print_times("clearing the cells (reference)", times->clear);
    print_times("an action, drawn into cells", times->draw);
    print_times("the same, painted in 256 colours", times->whole);

    free(times);
    grid_release(&grid);
    trace_close(trace);
    return 0;
}
