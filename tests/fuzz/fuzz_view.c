/*
 * A hostile recording and any keys: through every view, in several sizes, and into every format
 * that is exported. The first byte says how many keys there are, each a byte; the second chooses
 * the size; the rest is the recording, as it is and with checks that fit.
 */
#include "export/export.h"
#include "replay/replay.h"
#include "trace/file.h"
#include "view/view.h"
#include "walk.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const keys[] = {"Right", "Left", "Up",    "Down", "n",   "N",     "g",      "G",
                                   "w",     "W",    "b",     "B",    "Tab", "1",     "2",      "3",
                                   "4",     "5",    "p",     "/",    "?",   "Enter", "Escape", ":",
                                   "0",     "9",    "Space", "x",    "a",   "+",     "o",      "u"};
static const int sizes[][2] = {{80, 24}, {60, 20}, {200, 60}, {1, 1}, {30, 10}, {112, 38}};

static void export_all(struct trace *trace) {
    struct error err = ERROR_INIT;
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    export_json(out, trace, true, &err);
    export_jsonl(out, trace, &err);
    export_csv(out, trace, &err);
    fclose(out);
}

static void look(struct trace *trace, const uint8_t *typed, size_t count, unsigned which) {
    struct replay replay;
    struct grid grid;
    if (trace_step_count(trace) == 0 || replay_init(&replay, trace, NULL) != 0)
        return;
    grid_init(&grid, sizes[which % 6][0], sizes[which % 6][1], which & 128);
    for (size_t i = 0; i <= count; i++) {
        grid_clear(&grid);
        view_draw(&grid, &replay);
        if (i < count)
            replay_key(&replay, keys[typed[i] % (sizeof keys / sizeof keys[0])]);
    }
    grid_release(&grid);
}

static void try_bytes(const uint8_t *recording, size_t size, const uint8_t *typed, size_t count,
                      unsigned which) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    int descriptor = file_in_memory();
    if (descriptor < 0 || file_write(descriptor, 0, recording, size) != 0)
        abort();
    if (trace_open_descriptor(&trace, descriptor, "fuzz", &err) == 0) {
        look(trace, typed, count, which);
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
