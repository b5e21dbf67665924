/*
 * screen_bench.c - how long a frame takes through ncurses.
 *
 * Walks a recording of a kernel phase by phase, as frame_bench does, and shows each frame on a
 * terminal whose bytes nobody reads (/dev/null, described as xterm-256color). Beside it, in the
 * same run: the same frames with every cell handed to ncurses, which is what a front end does that
 * keeps no frame of its own, and copying a frame's cells, which is what memory alone costs. Usage:
 * screen_bench [COLUMNS ROWS [KERNEL]]
 */
#include "base/memory.h"
#include "device/device.h"
#include "replay/replay.h"
#include "term/screen.h"
#include "trace/trace.h"
#include "view/view.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRAMES 10000

struct times {
    double copy[FRAMES], draw[FRAMES], show[FRAMES], whole[FRAMES], again[FRAMES]; /* us */
};

static double microseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void die(const struct error *err) {
    fprintf(stderr, "screen_bench: %s\n", err->text);
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
    const size_t threads = (size_t)parameters.threads * parameters.blocks;
    uint64_t *input = memory_zeroed(threads, sizeof *input);
    for (size_t thread = 0; thread < threads; thread++)
        input[thread] = warp_value_from_integer(parameters.type, (int64_t)(thread % WARP_LANES));
    parameters.argument = argument;
    parameters.input = input;

    const struct device_options device = {.kind = DEVICE_CPU, .poison = DEVICE_POISON_DEFAULT};
    const struct trace_writer_options writing = {.value_bytes = 8};
    struct trace_writer *writer;
    struct trace *trace = NULL;
    if (trace_writer_open(&writer, NULL, &writing, &err) ||
        device_run(program, &parameters, &device, writer, &err) ||
        trace_writer_close(writer, &trace, &err))
        die(&err);
    free(input);
    return trace;
}

/* One step of the walk; at the end of the warp the next view begins from the first operation. */
static void move(struct replay *replay) {
    const uint64_t step = replay->step.number;
    const enum phase phase = replay->phase;
    replay_apply(replay, ACTION_PHASE_NEXT, 1);
    if (replay->phase == phase && replay->step.number == step) {
        replay_apply(replay, ACTION_OPERATION_FIRST, 0);
        replay_apply(replay, ACTION_PHASE_GO, PHASE_BEFORE);
        replay_apply(replay, ACTION_VIEW_NEXT, 1);
        replay_apply(replay, ACTION_LANE_NEXT, 1);
    }
}

static void measure(struct replay *replay, struct screen *screen, struct grid *grid,
                    struct times *times) {
    const size_t bytes = (size_t)grid->columns * (size_t)grid->rows * sizeof *grid->cells;
    struct cell *copy = memory_alloc(bytes);
    for (int frame = 0; frame < FRAMES; frame++) {
        const double begin = microseconds_now();
        memcpy(copy, grid->cells, bytes);
        __asm__ volatile("" : : "r"(copy) : "memory"); /* the copy is made though nobody looks */
        const double copied = microseconds_now();
        move(replay);
        grid_clear(grid);
        view_draw(grid, replay);
        const double drawn = microseconds_now();
        screen_draw(screen, grid);
        const double shown = microseconds_now();
        screen_forget(screen);
        const double forgotten = microseconds_now();
        screen_draw(screen, grid);
        times->copy[frame] = copied - begin;
        times->draw[frame] = drawn - copied;
        times->show[frame] = shown - drawn;
        times->whole[frame] = shown - copied;
        times->again[frame] = microseconds_now() - forgotten;
    }
    free(copy);
}

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_times(const char *label, double *times) {
    qsort(times, FRAMES, sizeof *times, compare_doubles);
    printf("%-36s median %7.1f us   99th percentile %7.1f us   slowest %7.1f us\n", label,
           times[FRAMES / 2], times[FRAMES / 100 * 99], times[FRAMES - 1]);
}

int main(int argc, char **argv) {
    const int columns = argc > 2 ? atoi(argv[1]) : 80;
    const int rows = argc > 2 ? atoi(argv[2]) : 40;
    const struct screen_options options = {.depth = COLOR_256};
    struct error err = ERROR_INIT;
    struct replay replay;
    struct screen *screen = NULL;
    struct grid grid;

    setlocale(LC_ALL, "C.UTF-8");
    struct trace *trace = record(argc > 3 ? argv[3] : "reduce-xor-sum");
    FILE *null = fopen("/dev/null", "r+");
    if (!null) {
        error_set(&err, ERROR_USAGE, "/dev/null cannot be opened");
        die(&err);
    }
    if (replay_init(&replay, trace, &err) ||
        screen_open(&screen, "xterm-256color", null, null, &options, &err))
        die(&err);
    screen_resize(screen, columns, rows);
    grid_init(&grid, columns, rows, false);

    struct times *times = memory_alloc(sizeof *times);
    measure(&replay, screen, &grid, times);
    screen_close(screen);
    printf("%d frames of %dx%d\n", FRAMES, columns, rows);
    print_times("key, drawing into cells", times->draw);
    print_times("showing them with ncurses", times->show);
    print_times("both: a frame", times->whole);
    print_times("reference: all cells to ncurses", times->again);
    print_times("reference: copying a frame's cells", times->copy);

    free(times);
    grid_release(&grid);
    trace_close(trace);
    fclose(null);
    return 0;
}
