/*
 * An exercise, and the replay of what is wrong in it.
 *
 *     Sum of a partial warp                                  partial-sum.cu   ✗ not yet
 *     ──────────────────────────────────────────────────────────────────────────────────
 *     case: n = 20 (schedule 0)
 *     lane 0 (block 0, warp 0) is the first that is wrong: ...
 *
 *     the task, the hints that are open
 *     keys
 */
#include "view/view.h"

#include "base/message.h"
#include "base/text.h"
#include "view/flow.h"
#include "view/moment.h"

#include <string.h>

static const char *state_words(enum workbench_state state) {
    switch (state) {
    case WORKBENCH_NO_FILE:
        return N_("the file is not there");
    case WORKBENCH_BUILDING:
        return N_("building and running ...");
    case WORKBENCH_FAILED:
        return N_("not yet");
    case WORKBENCH_PASSED:
        break;
    }
    return N_("passed");
}

static void draw_head(struct area area, const struct workbench *bench) {
    const bool passed = bench->state == WORKBENCH_PASSED, failed = bench->state == WORKBENCH_FAILED;
    const struct style style = style_bold(passed ? STYLE_GOOD : failed ? STYLE_BAD : STYLE_ACTIVE);
    int end = draw_before(area, area.columns - 1, 0, _(state_words(bench->state)), style);
    if (passed || failed)
        area_glyph(area, end - 2, 0, passed ? 0x2713 : 0x2717, style);
    end = draw_before(area, end - 4, 0, bench->file, style_role(STYLE_CODE));
    area_text_clipped(area, 1, 0, end - 3, bench->title, style_bold(STYLE_TITLE));
    draw_rule(area, 1);
}

/* Lines as they are: code, or what a compiler says. */
static void flow_lines(struct flow *flow, const char *text, struct style style) {
    while (*text) {
        struct text line = TEXT_INIT;
        const size_t length = strcspn(text, "\n");
        text_append_bytes(&line, text, length);
        if (length)
            flow_text(flow, line.data, 4, style);
        else
            flow_blank(flow, 1);
        text_release(&line);
        text += length + (text[length] == '\n');
    }
}

static void flow_markdown(struct flow *flow, const char *markdown) {
    struct prose prose;
    prose_make(&prose, markdown, NULL, NULL, NULL);
    flow_prose(flow, &prose, 1, style_role(STYLE_PLAIN));
    prose_release(&prose);
}

static void flow_heading(struct flow *flow, const char *heading) {
    flow_blank(flow, 1);
    flow_text(flow, heading, 0, style_role(STYLE_LABEL));
}

static void bench_flow(struct flow *flow, const void *context) {
    const struct workbench *bench = context;
    const bool passed = bench->state == WORKBENCH_PASSED;
    if (*bench->verdict) {
        flow_lines(flow, bench->verdict, style_role(passed ? STYLE_GOOD : STYLE_PLAIN));
        if (passed && bench->after) {
            flow_blank(flow, 1);
            flow_markdown(flow, bench->after);
        }
        flow_heading(flow, _("The task"));
    }
    flow_markdown(flow, bench->task);
    for (size_t i = 0; i < bench->hints_open; i++) {
        char heading[64];
        utf8_format(heading, sizeof heading, _("Hint %zu of %zu"), i + 1, bench->hint_count);
        flow_heading(flow, heading);
        flow_markdown(flow, bench->hints[i]);
    }
    if (bench->solution_open) {
        flow_heading(flow, _("A solution"));
        flow_lines(flow, bench->solution, style_role(STYLE_CODE));
    }
}

/* What can be done now; the others say why not when they are pressed. */
static void draw_bench_keys(struct area foot, const struct workbench *bench) {
    enum action idle[3];
    size_t count = 0;
    if (bench->state != WORKBENCH_FAILED || !bench->can_look)
        idle[count++] = ACTION_CONTINUE;
    if (bench->state != WORKBENCH_PASSED)
        idle[count++] = ACTION_REVEAL;
    if (bench->hints_open == bench->hint_count)
        idle[count++] = ACTION_HINT;
    draw_keys_but(foot, ACTION_PLACE_EXERCISE, NULL, idle, count);
}

/* What does not fit is scrolled to. */
static void draw_scrolled(struct area area, int scroll,
                          void (*put)(struct flow *flow, const void *context),
                          const void *context) {
    struct area body = area_within(area, 1, 2, area.columns - 2, area.rows - 3);
    struct flow counted = {.area = body};
    put(&counted, context);
    const int most = counted.line > body.rows ? counted.line - body.rows : 0;
    struct flow flow = {.area = body, .skip = scroll < most ? scroll : most, .draw = true};
    put(&flow, context);
    if (flow.skip > 0)
        area_glyph(area, area.columns - 1, 2, 0x2191, style_role(STYLE_KEY));
    if (flow.skip < most)
        area_glyph(area, area.columns - 1, area.rows - 2, 0x2193, style_role(STYLE_KEY));
}

void view_draw_workbench(struct grid *grid, const struct workbench *bench) {
    struct area area = grid_area(grid);
    if (!screen_begins(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, bench->help, ACTION_PLACE_EXERCISE))
        return;
    draw_head(area, bench);
    draw_scrolled(area, bench->scroll, bench_flow, bench);
    struct area foot = area_within(area, 0, area.rows - 1, area.columns, 1);
    if (bench->message[0])
        area_text_clipped(foot, 1, 0, foot.columns - 2, bench->message, style_role(STYLE_KEY));
    else
        draw_bench_keys(foot, bench);
}

static void faults_flow(struct flow *flow, const void *faults) {
    flow_lines(flow, faults, style_role(STYLE_PLAIN));
}

void view_draw_faults(struct grid *grid, const char *path, const char *faults, size_t count,
                      bool playable, int scroll) {
    struct area area = grid_area(grid);
    char line[160];
    if (!screen_begins(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, false, ACTION_PLACE_LESSON))
        return;
    utf8_format(line, sizeof line,
                message_plural("%s: %zu thing to mend", "%s: %zu things to mend", count), path,
                count);
    area_text_clipped(area, 1, 0, area.columns - 2, line, style_bold(STYLE_BAD));
    draw_scrolled(area, scroll, faults_flow, faults);
    area_text_clipped(row_of(area, area.rows - 1), 1, 0, area.columns - 2,
                      playable ? _("Save it to have it read again; Enter looks at it as it is, J "
                                   "and K scroll, q leaves")
                               : _("Save it to have it read again; J and K scroll, q leaves"),
                      style_role(STYLE_KEY));
}

void view_draw_wrong(struct grid *grid, const struct replay *replay, const char *what) {
    struct grid below;
    if (grid->rows <= VIEW_MIN_ROWS) {
        view_draw(grid, replay);
        return;
    }
    grid_init(&below, grid->columns, grid->rows - 1, grid->ascii);
    below.letters = grid->letters;
    view_draw(&below, replay);
    memcpy(grid->cells + grid->columns, below.cells,
           (size_t)below.rows * (size_t)below.columns * sizeof *grid->cells);
    grid->failed_to_fit = below.failed_to_fit;
    grid_release(&below);
    area_text_clipped(grid_area(grid), 1, 0, grid->columns - 2, what, style_bold(STYLE_BAD));
}
