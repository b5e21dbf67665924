/*
 * screen_bench.c - the time to draw a frame through ncurses.
 *
 * Walks a recording of a kernel phase by phase, as frame_bench does, and shows each frame on a
 * terminal whose output is discarded (/dev/null, described as xterm-256color). The same
 * run also times the same frames with every cell passed to ncurses, as a front end without its own
 * frame would do, and copying a frame's cells, which is the cost of memory alone. Usage:
 * screen_bench [COLUMNS ROWS [KERNEL]]
 */
#include "walk.h"

#include "base/memory.h"
#include "replay/replay.h"
#include "term/screen.h"
#include "trace/trace.h"
#include "view/view.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 10000

struct times {
    double copy[FRAMES], draw[FRAMES], show[FRAMES], whole[FRAMES], again[FRAMES]; /* us */
};

static void measure(struct replay *replay, struct screen *screen, struct grid *grid,
                    struct times *times) {
    const size_t bytes = (size_t)grid->columns * (size_t)grid->rows * sizeof *grid->cells;
    struct cell *copy = memory_alloc(bytes);
    for (int frame = 0; frame < FRAMES; frame++) {
        const double begin = microseconds_now();
        memcpy(copy, grid->cells, bytes);
        __asm__ volatile("" : : "r"(copy) : "memory"); /* so that the copy is made */
        const double copied = microseconds_now();
        walk(replay);
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
    print_times("key, drawing into cells", times->draw, FRAMES);
    print_times("showing them with ncurses", times->show, FRAMES);
    print_times("both: a frame", times->whole, FRAMES);
    print_times("reference: all cells to ncurses", times->again, FRAMES);
    print_times("reference: copying a frame's cells", times->copy, FRAMES);

    free(times);
    grid_release(&grid);
    trace_close(trace);
    fclose(null);
    return 0;
}
