/* The lines at which the warp's lanes are: here, waiting, and at their next calls. */
#include "view/pictures/lane_lines.h"

#include "base/file.h"
#include "explain/findings/failure.h"

#include <stdlib.h>

#define WAITS_MAX   32
#define STEPS_AHEAD 64

static void add(struct lane_lines *lines, uint32_t line, uint32_t lanes, enum lane_line_kind kind) {
    if (lanes == 0)
        return;
    for (int i = 0; i < lines->count; i++)
        if (lines->line[i].line == line && lines->line[i].kind == kind) {
            lines->line[i].lanes |= lanes;
            return;
        }
    if (lines->count < LANE_LINES_MAX)
        lines->line[lines->count++] = (struct lane_line){line, lanes, kind};
}

/* "dir/k.cu:9 __syncwarp()": the line, if it is in this file; else 0. */
static uint32_t line_of(const char *place, const char *file) {
    const char *end = strchr(place, ' ');
    for (const char *c = place; *c && c != end; c++) {
        const size_t length = (size_t)(c - file_base_name(place));
        if (*c == ':' && c[1] >= '0' && c[1] <= '9' && c >= file_base_name(place) &&
            strlen(file_base_name(file)) == length &&
            strncmp(file_base_name(place), file_base_name(file), length) == 0)
            return (uint32_t)strtoul(c + 1, NULL, 10);
    }
    return 0;
}

/* Where a run stopped, every lane has a position. */
static void find_stopped(const struct moment *moment, struct lane_lines *lines) {
    struct failure_wait list[WAITS_MAX];
    struct failure_waits waits = {.wait = list, .room = WAITS_MAX};
    const uint32_t warp = moment->replay->cursor.warp.warp;
    failure_waits(moment->replay->cursor.trace, warp, &waits);
    for (int i = 0; i < waits.count; i++) {
        const uint32_t line = line_of(list[i].location, moment->site->file);
        if (list[i].warp == warp && line > 0 && list[i].kind != FAILURE_RUNS)
            add(lines, line, list[i].lanes, LANES_WAIT);
    }
}

/* The next calls of the lanes that do not make this one. */
static void find_later(const struct moment *moment, uint32_t absent, struct lane_lines *lines) {
    const struct cursor *cursor = &moment->replay->cursor;
    struct trace_step step;
    for (uint64_t i = 1; i <= STEPS_AHEAD && absent; i++) {
        const uint64_t position = cursor->position + i;
        if (position >= cursor->warp.steps ||
            trace_step(cursor->trace, trace_warp_step(cursor->trace, &cursor->warp, position),
                       &step, NULL) != 0)
            break;
        const struct trace_site *site = trace_site(cursor->trace, step.site);
        const uint32_t come = absent & step.operation.present;
        absent &= ~come;
        if (site && strcmp(site->file, moment->site->file) == 0)
            add(lines, site->line, come, LANES_CALL_LATER);
    }
}

void lane_lines_find(const struct moment *moment, struct lane_lines *lines) {
    const struct warp_operation *operation = moment->operation;
    lines->count = 0;
    if (!moment->site || !operation || moment->hide & (REPLAY_HIDES_ABSENT | REPLAY_HIDES_CALL))
        return;
    if (moment->picture == PICTURE_STOP) {
        find_stopped(moment, lines);
        return;
    }
    const uint32_t absent = operation->launched & ~operation->present & ~operation->exited;
    if (absent == 0)
        return;
    add(lines, moment->site->line, operation->present,
        operation->unfinished ? LANES_WAIT : LANES_CALL);
    if (!(moment->hide & (REPLAY_HIDES_LATER | REPLAY_HIDES_OUT | REPLAY_HIDES_READS)))
        find_later(moment, absent, lines);
}
