/*
 * live_bench.c - the time from a key that changes the scene to the new picture, at 80x24 and
 * 200x60.
 *
 * On the CPU warp, the time includes the key, the command that it requests, running and recording
 * the kernel again, opening the recording and finding the position, and drawing the frame and
 * passing it to ncurses on a terminal whose output is discarded. The same run also measures the
 * frame alone, and then 10,000 changes, all undone, and the memory they took. Usage: live_bench
 */
#include "walk.h"

#include "base/memory.h"
#include "base/text.h"
#include "session/live.h"
#include "term/screen.h"
#include "view/view.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES 2000
#define UNDONE  10000

struct scene {
    struct request request;
    struct trace *trace;
    struct replay replay;
    struct live live;
};

struct times {
    double whole[CHANGES], frame[CHANGES]; /* microseconds */
};

static void open_scene(struct scene *scene, const char *command) {
    struct error err = ERROR_INIT;
    memset(scene, 0, sizeof *scene);
    if (request_read(&scene->request, command, DEVICE_CPU, &err) ||
        launch_record(&scene->request.launch, &scene->trace, &err) ||
        replay_init(&scene->replay, scene->trace, &err))
        die(&err);
    live_begin(&scene->live, &scene->request.launch);
    replay_set_live(&scene->replay, true);
    replay_set_phase(&scene->replay, PHASE_AFTER);
}

static void close_scene(struct scene *scene) {
    live_release(&scene->live);
    trace_close(scene->trace);
    request_release(&scene->request);
}

static void press(struct scene *scene, const char *key) {
    bool remade;
    replay_key(&scene->replay, replay_press(&scene->replay, key));
    live_follow(&scene->live, &scene->replay, &remade);
}

static void show(struct scene *scene, struct screen *screen, struct grid *grid) {
    grid_clear(grid);
    view_draw(grid, &scene->replay);
    screen_draw(screen, grid);
}

/* Everything that keys change, in turn. */
static void measure(const char *command, const char *const *keys, int count, int columns,
                    int rows) {
    const struct screen_options options = {.depth = COLOR_256};
    struct times *times = memory_alloc(sizeof *times);
    struct screen *screen;
    struct error err = ERROR_INIT;
    struct scene scene;
    struct grid grid;
    FILE *null = fopen("/dev/null", "r+");
    if (!null) {
        error_set(&err, ERROR_USAGE, "/dev/null cannot be opened");
        die(&err);
    }
    open_scene(&scene, command);
    if (screen_open(&screen, "xterm-256color", null, null, &options, &err))
        die(&err);
    screen_resize(screen, columns, rows);
    grid_init(&grid, columns, rows, false);
    for (int i = 0; i < CHANGES; i++) {
        const double begin = microseconds_now();
        press(&scene, keys[i % count]);
        const double made = microseconds_now();
        show(&scene, screen, &grid);
        const double shown = microseconds_now();
        times->whole[i] = shown - begin;
        times->frame[i] = shown - made;
    }
    screen_close(screen);
    printf("%d changes of %s at %dx%d\n", CHANGES, command, columns, rows);
    print_times("key to picture", times->whole, CHANGES);
    print_times("reference: the frame alone", times->frame, CHANGES);
    grid_release(&grid);
    close_scene(&scene);
    fclose(null);
    free(times);
}

/* The memory of this process, in KiB; 0 if the system does not report it. */
static long resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * 4;
}

static void measure_undo(void) {
    struct scene scene;
    open_scene(&scene, "xor --mask 0 --width 16");
    for (int i = 0; i < 100; i++)
        press(&scene, "]");
    const long before = resident();
    for (int i = 100; i < UNDONE; i++)
        press(&scene, "]");
    const long after = resident();
    const double begin = microseconds_now();
    for (int i = 0; i < UNDONE; i++)
        press(&scene, "u");
    const double undone = microseconds_now();
    printf("%d changes undone: %.0f us each; back at --mask %s\n", UNDONE,
           (undone - begin) / UNDONE, scene.live.request.launch.typed[LAUNCH_MASK]);
    printf("memory of the process from change 100 to %d: %+ld KiB; room kept for undo: %d KiB\n",
           UNDONE, after - before,
           (int)((HISTORY_BYTES + HISTORY_LINES * sizeof(uint64_t)) / 1024));
    close_scene(&scene);
}

int main(void) {
    static const char *const shuffle[] = {"]", "{", "o", "t", "}", "[", "s", ">"};
    static const char *const kernel[] = {"s", ">", "t", "S", "<", "T"};
    setlocale(LC_ALL, "C.UTF-8");
    for (int large = 0; large < 2; large++) {
        const int columns = large ? 200 : 80, rows = large ? 60 : 24;
        measure("xor --mask 3 --width 16", shuffle, 8, columns, rows);
        measure("kernel block-reduce --threads 256", kernel, 6, columns, rows);
    }
    measure_undo();
    return 0;
}
