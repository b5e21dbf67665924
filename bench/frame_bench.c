/*
 * frame_bench.c - the time to draw one screen. Runs a kernel on the CPU warp, then walks its
 * recording as a user would: phase by phase through every operation, once in each view. A frame is
 * everything between a key and the bytes sent to the terminal: the action, the drawing into cells,
 * the painting as escape sequences. Clearing the same grid is the reference: the cost of touching
 * every cell once. Usage: frame_bench [COLUMNS ROWS [KERNEL]]
 */
#include "walk.h"

#include "base/memory.h"
#include "replay/replay.h"
#include "term/painter.h"
#include "trace/trace.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>

#define FRAMES 20000

struct times {
    double clear[FRAMES], draw[FRAMES], whole[FRAMES]; /* microseconds */
};

static void measure(struct replay *replay, struct grid *grid, struct times *times) {
    struct text text = TEXT_INIT;
    for (int frame = 0; frame < FRAMES; frame++) {
        const double begin = microseconds_now();
        grid_clear(grid);
        const double cleared = microseconds_now();
        walk(replay);
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
    print_times("clearing the cells (reference)", times->clear, FRAMES);
    print_times("an action, drawn into cells", times->draw, FRAMES);
    print_times("the same, painted in 256 colours", times->whole, FRAMES);

    free(times);
    grid_release(&grid);
    trace_close(trace);
    return 0;
}
