/*
 * A hostile recording and any keys: every view and the overview, in several sizes, a quiz, and
 * every format that is exported. The first byte is the number of keys, each a byte; the second
 * chooses the size; the rest is the recording, as it is and with correct checksums.
 */
#include "check/report.h"
#include "export/export.h"
#include "export/findings.h"
#include "replay/replay.h"
#include "require.h"
#include "teach/quiz.h"
#include "trace/file.h"
#include "view/view.h"
#include "walk.h"

#include <stdint.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const keys[] = {"Right", "Left", "Up",    "Down", "n",   "N",     "g",      "G",
                                   "w",     "W",    "b",     "B",    "Tab", "1",     "2",      "3",
                                   "4",     "5",    "p",     "/",    "?",   "Enter", "Escape", ":",
                                   "0",     "9",    "Space", "x",    "a",   "+",     "s",      "v"};
static const int sizes[][2] = {{80, 24}, {60, 20}, {200, 60}, {1, 1}, {30, 10}, {112, 38}};

/* Text for people is shown completely and harmlessly; the other formats escape it themselves. */
static void export_all(const struct trace *trace) {
    const struct text_style style = {.palette = {COLOR_PLAIN, BACKGROUND_DARK}, .columns = 80};
    struct check_report report = {0};
    struct error err = ERROR_INIT;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    require(out != NULL, "no memory");
    export_text(out, trace, &style, &err);
    fflush(out);
    require_shown(text, length);
    export_json(out, trace, EXPORT_ALL, &err);
    export_jsonl(out, trace, EXPORT_ALL, &err);
    export_csv(out, trace, EXPORT_ALL, &err);
    check_recording(&report, trace, 0xfe, 0, &err);
    export_report_json(out, &report, trace);
    export_report_sarif(out, &report, trace);
    fclose(out);
    require_shown(text, length);
    check_report_release(&report);
    free(text);
}

static void require_grid(struct grid *grid) {
    char *text = grid_to_text(grid, false);
    require_shown(text, strlen(text));
    free(text);
    grid_clear(grid);
}

static void look(const struct trace *trace, struct grid *grid, const uint8_t *typed, size_t count) {
    struct replay replay;
    if (replay_init(&replay, trace, NULL) != 0)
        return;
    for (size_t i = 0; i <= count; i++) {
        view_draw(grid, &replay);
        require_grid(grid);
        if (i < count)
            replay_key(&replay,
                       replay_press(&replay, keys[typed[i] % (sizeof keys / sizeof keys[0])]));
    }
}

/* The overview, while it counts: a few steps per key. */
static void survey(const struct trace *trace, struct grid *grid, const uint8_t *typed,
                   size_t count) {
    struct replay replay;
    struct overview overview;
    uint64_t step;
    if (replay_init(&replay, trace, NULL) != 0)
        return;
    overview_init(&overview, trace);
    for (size_t i = 0; i <= count; i++) {
        view_draw_overview(grid, &overview, &replay);
        require_grid(grid);
        overview_tick(&overview);
        if (i < count)
            overview_key(
                &overview,
                overview_press(&overview, keys[typed[i] % (sizeof keys / sizeof keys[0])]));
        if (overview_take_choice(&overview, &step))
            replay_go_step(&replay, step);
    }
    overview_release(&overview);
}

static void ask(const struct trace *trace, struct grid *grid, const uint8_t *typed, size_t count) {
    struct quiz quiz;
    struct error err = ERROR_INIT;
    if (quiz_init(&quiz, trace, 1, 1, &err) != 0)
        return;
    for (size_t i = 0; i <= count; i++) {
        view_draw_quiz(grid, &quiz);
        require_grid(grid);
        if (i < count)
            quiz_key(&quiz, quiz_press(&quiz, keys[typed[i] % (sizeof keys / sizeof keys[0])]));
    }
}

static void try_bytes(const uint8_t *recording, size_t size, const uint8_t *typed, size_t count,
                      unsigned which) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    int descriptor = file_in_memory();
    if (descriptor < 0 || file_write(descriptor, 0, recording, size) != 0)
        abort();
    if (trace_open_descriptor(&trace, descriptor, "fuzz", &err) == 0) {
        struct grid grid;
        grid_init(&grid, sizes[which % 6][0], sizes[which % 6][1], which & 128);
        if (trace_step_count(trace) > 0) {
            look(trace, &grid, typed, count);
            survey(trace, &grid, typed, count);
        }
        ask(trace, &grid, typed, count);
        grid_release(&grid);
        if (trace_step_count(trace) < 64)
            export_all(trace);
        trace_close(trace);
    }
    close(descriptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const size_t count = data[0] % 32 < size - 2 ? data[0] % 32 : size - 2;
    const size_t length = size - 2 - count;
    uint8_t *fixed = malloc(length ? length : 1);
    if (!fixed)
        return 0;
    if (length)
        memcpy(fixed, data + 2 + count, length);
    try_bytes(fixed, length, data + 2, count, data[1]);
    walk_fix_check(fixed, length);
    try_bytes(fixed, length, data + 2, count, data[1]);
    free(fixed);
    return 0;
}
