/* Two recordings side by side: one operation of both, lane by lane, and their differences. */
#include "replay/pages/comparison.h"
#include "base/file.h"
#include "base/message.h"
#include "explain/explain.h"
#include "view/moment.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A lane's cells for one recording. */
struct side {
    char argument[16], in[WARP_VALUE_TEXT], out[WARP_VALUE_TEXT];
};

/* A lane is a sign, its number, and pairs of values, A beside B. */
struct table {
    int value; /* columns of a value, including the blank before it */
    bool argument, in;
};
#define LANE_COLUMNS 4
#define VALUE_MOST   18
#define VALUE_LEAST  9 /* the fewest columns of a value with which three pairs are worth showing */

static int table_pairs(const struct table *table) {
    return 1 + table->argument + table->in;
}

static int table_columns(const struct table *table) {
    return LANE_COLUMNS + 2 * table_pairs(table) * table->value;
}

/* ---- the head ---- */

static const char *note_or(const struct trace *trace, const char *key, const char *otherwise) {
    const char *value = trace_note(trace, key);
    return value ? value : otherwise;
}

/* "launch 0, block 0, warp 1, its operation 3: kernel", after `before`. */
static void draw_title(struct area area, const struct comparison *comparison, const char *before) {
    const struct difference *d = &comparison->list[comparison->at];
    const struct trace_launch *launch =
        trace_launch(comparison->traces[d->step[0] == UINT64_MAX], d->warp.launch);
    char text[512];
    int end = area.columns - 1, x = 1;
    if (!before) {
        snprintf(text, sizeof text,
                 comparison->more ? _("difference %zu of more than %zu")
                                  : _("difference %zu of %zu"),
                 comparison->at + 1, comparison->count);
        end = draw_right_aligned(area, end, 0, text, style_role(STYLE_KEY)) - 1;
    } else {
        x = area_text(area, x, 0, before, style_bold(STYLE_TITLE)) + 2;
    }
    snprintf(
        text, sizeof text,
        _("launch %" PRIu32 ", block %" PRIu64 ", warp %" PRIu32 ", operation %" PRIu64 ": %s"),
        d->warp.launch, d->warp.block, d->warp.warp, d->position + 1,
        launch ? launch->kernel : "?");
    area_text_clipped(area, x, 0, end - x - 1, text,
                      before ? style_role(STYLE_PLAIN) : style_bold(STYLE_TITLE));
}

/* "A  before.svt: NVIDIA H200, measured, 12 steps" */
static void draw_recording(struct area area, const struct comparison *comparison, int which) {
    const struct trace *trace = comparison->traces[which];
    char text[512];
    snprintf(text, sizeof text,
             message_plural("%s: %s, %s, %" PRIu64 " step", "%s: %s, %s, %" PRIu64 " steps",
                            (unsigned long)trace_step_count(trace)),
             comparison->names[which], explain_recording_word(note_or(trace, TRACE_NOTE_NAME, "?")),
             explain_recording_word(note_or(trace, TRACE_NOTE_RECORDED, "?")),
             trace_step_count(trace));
    int x = area_format(area, 1, 0, style_bold(STYLE_LABEL), "%c", 'A' + which) + 2;
    area_text_clipped(area, x, 0, area.columns - x - 1, text, style_role(STYLE_PLAIN));
}

static void draw_difference(struct area area, const char *text) {
    area_text_wrapped(area_within(area, 1, 0, area.columns - 2, area.rows), 0, 2, text,
                      style_role(STYLE_BAD));
}

/* "A  step 12  reduce.cu:7  __shfl_down_sync(...)" */
static void draw_call(struct area area, const struct comparison *comparison, int which) {
    int x = area_format(area, 1, 0, style_bold(STYLE_LABEL), "%c", 'A' + which) + 2;
    if (!comparison->has_step[which]) {
        area_text_clipped(area, x, 0, area.columns - x - 1, _("no such step"),
                          style_role(STYLE_ABSENT));
        return;
    }
    const struct trace_step *step = &comparison->step[which];
    const struct trace_site *site = trace_site(comparison->traces[which], step->site);
    char text[64];
    snprintf(text, sizeof text, _("step %" PRIu64), step->number);
    x = area_text(area, x, 0, text, style_role(STYLE_KEY)) + 2;
    if (!site)
        return;
    x = area_format(area, x, 0, style_role(STYLE_DIM), "%s:%" PRIu32 "  ",
                    file_base_name(site->file), site->line);
    if (x < area.columns - 1)
        area_text_clipped(area, x, 0, area.columns - x - 1, site->text, style_role(STYLE_CODE));
}

/* ---- the lanes ---- */

static struct side side_of(const struct comparison *comparison, int which, int lane) {
    struct side side = {"", "", ""};
    const struct warp_operation *operation = &comparison->step[which].operation;
    if (!comparison->has_step[which] || !(operation->present >> lane & 1))
        return side;
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    snprintf(side.argument, sizeof side.argument, "%" PRId32, operation->arg[lane]);
    explain_in(operation, lane, side.in);
    explain_out(operation, lane, side.out);
    if (outcome[lane].status == LANE_UNDEFINED) /* the rules do not fix it, so it is not shown as a
                                                 * value */
        snprintf(side.out, sizeof side.out, "?");
    return side;
}

static void draw_pair(struct area area, int *x, int y, int columns, const char *const values[2],
                      bool differs) {
    for (int i = 0; i < 2; i++) {
        const bool none = values[i][0] == '\0';
        const struct style style = style_role(none      ? STYLE_ABSENT
                                              : differs ? STYLE_BAD
                                                        : STYLE_PLAIN);
        const struct style marked = differs && !none ? style_with(style, STYLE_BOLD) : style;
        if (none)
            area_glyph(area, *x + columns - 1, y, 0xb7, style);
        else
            draw_value(area, *x + 1, y, columns - 1, values[i], marked);
        *x += columns;
    }
}

static void draw_lane(struct area area, int y, const struct comparison *comparison,
                      const struct table *table, int lane) {
    const struct difference *d = &comparison->list[comparison->at];
    const struct side side[2] = {side_of(comparison, 0, lane), side_of(comparison, 1, lane)};
    const bool differs = d->lanes >> lane & 1;
    if (differs)
        area_glyph(area, 0, y, 0x2260, style_bold(STYLE_BAD));
    area_format(area, 1, y, style_role(differs ? STYLE_BAD : STYLE_DIM), "%3d", lane);
    int x = LANE_COLUMNS;
    const bool both = comparison->has_step[0] && comparison->has_step[1];
    const char *const values[][2] = {
        {side[0].argument, side[1].argument}, {side[0].in, side[1].in}, {side[0].out, side[1].out}};
    for (int i = 0; i < 3; i++)
        if (i == 2 || (i == 0 ? table->argument : table->in))
            draw_pair(area, &x, y, table->value, values[i],
                      both && strcmp(values[i][0], values[i][1]) != 0);
}

static void draw_head(struct area area, const struct table *table) {
    const char *const names[] = {"arg A", "arg B", "in A", "in B", "out A", "out B"};
    int x = LANE_COLUMNS;
    area_text(area, 0, 0, _("lane"), style_role(STYLE_LABEL));
    for (int i = 0; i < 6; i++) {
        if (i < 4 && !(i < 2 ? table->argument : table->in))
            continue;
        x += table->value;
        draw_right_aligned(area, x, 0, names[i], style_role(STYLE_LABEL));
    }
}

/* Chooses the columns that fit: if only one of argument and input fits, the one that differs. */
static struct table table_for(const struct comparison *comparison, int columns) {
    struct table table = {.argument = true, .in = true};
    const struct warp_operation *a = &comparison->step[0].operation;
    const struct warp_operation *b = &comparison->step[1].operation;
    bool arguments = false, values = false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (a->present & b->present & UINT32_C(1) << lane) {
            arguments = arguments || a->arg[lane] != b->arg[lane];
            values = values || a->in[lane] != b->in[lane];
        }
    const bool both = comparison->has_step[0] && comparison->has_step[1];
    if ((columns - LANE_COLUMNS) / 6 < VALUE_LEAST) {
        table.argument = both && arguments && !values;
        table.in = !table.argument;
    }
    table.value = (columns - LANE_COLUMNS) / (2 * table_pairs(&table));
    table.value = table.value > VALUE_MOST ? VALUE_MOST : table.value;
    return table;
}

/* All lanes in one list where there is room, else in two halves. */
static void draw_lanes_of_both(struct area area, const struct comparison *comparison) {
    const int halves = area.rows > WARP_LANES ? 1 : 2;
    const int columns = (area.columns - 2) / halves - (halves - 1);
    const struct table table = table_for(comparison, columns);
    for (int half = 0; half < halves; half++) {
        struct area part =
            area_within(area, 1 + half * (columns + 2), 0, table_columns(&table), area.rows);
        draw_head(part, &table);
        for (int i = 0; i < WARP_LANES / halves; i++)
            draw_lane(part, i + 1, comparison, &table, half * (WARP_LANES / 2) + i);
    }
}

static void draw_foot(struct area area, const struct comparison *comparison) {
    if (comparison->message)
        area_text_clipped(area, 1, 0, area.columns - 2, _(comparison->message),
                          style_role(STYLE_KEY));
    else
        draw_keys(area, ACTION_MODE_DIFF, NULL);
}

/* Steps and warps that differ, in all. */
static void draw_total(struct area area, const struct comparison *comparison) {
    char text[160];
    const struct difference *total = &comparison->total;
    int length = snprintf(text, sizeof text,
                          message_plural("%" PRIu64 " step differs", "%" PRIu64 " steps differ",
                                         (unsigned long)total->steps),
                          total->steps);
    if (length > 0 && (size_t)length < sizeof text)
        snprintf(text + length, sizeof text - (size_t)length,
                 message_plural(", in %" PRIu64 " warp", ", in %" PRIu64 " warps",
                                (unsigned long)total->warps),
                 total->warps);
    area_text_clipped(area, 1, 0, area.columns - 2, text, style_role(STYLE_DIM));
}

/* Draws all but the first and the last row. Returns the first row of the lanes. */
static int draw_both(struct area area, const struct comparison *comparison) {
    char text[DIFFERENCE_TEXT];
    difference_words(comparison->traces, &comparison->list[comparison->at], text);
    /* The rows left by title, foot, and the lanes in two halves. */
    const int rows = area.rows - 2 - (1 + WARP_LANES / 2);
    const int what = rows >= 2 && text_lines(text, area.columns - 2, 2) > 1 ? 2 : 1;
    int y = 1;
    /* The differences and the two calls have priority over the recordings, which stay the same. */
    for (int i = 0; rows >= what + 4 && i < 2; i++)
        draw_recording(row_of(area, y++), comparison, i);
    draw_difference(area_within(area, 0, y, area.columns, what), text);
    y += what;
    const bool calls = rows >= what + 2;
    for (int i = 0; calls && i < 2; i++)
        draw_call(row_of(area, y++), comparison, i);
    if (area.rows >= 30)
        draw_rule(area, y++);
    draw_lanes_of_both(area_within(area, 0, y, area.columns, area.rows - y - 1), comparison);
    return y;
}

void view_draw_comparison(struct grid *grid, const struct comparison *comparison) {
    struct area area = grid_area(grid);
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, comparison->help, ACTION_MODE_DIFF))
        return;
    draw_title(row_of(area, 0), comparison, NULL);
    const int y = draw_both(area, comparison);
    if (area.rows - y - 2 > WARP_LANES)
        draw_total(row_of(area, area.rows - 2), comparison);
    draw_foot(row_of(area, area.rows - 1), comparison);
}

/* Draws one position under two settings, and the differences. The left side comes from a replay of
 * the other recording. */
void view_draw_beside(struct grid *grid, const struct replay *replay, const struct trace *left,
                      const char *const names[2]) {
    struct area area = grid_area(grid);
    struct replay other = *replay;
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, replay->help,
                        replay->help_live ? ACTION_MODE_LIVE : replay_key_mode(replay)))
        return;
    replay_show(&other, left);
    struct difference difference = {.warp = replay->cursor.warp,
                                    .position = replay->cursor.position,
                                    .step = {other.cursor.step.number, replay->cursor.step.number},
                                    .lanes = replay_altered_lanes(&other)};
    const struct comparison comparison = {
        .traces = {left, replay->cursor.trace},
        .names = {names[0], names[1]},
        .list = &difference,
        .count = 1,
        .step = {other.cursor.step, replay->cursor.step},
        .has_step = {other.cursor.has_step, replay->cursor.has_step}};
    if (other.cursor.has_step && replay->cursor.has_step)
        difference.parts = difference_parts(comparison.traces, comparison.step, &difference.lanes);
    draw_title(row_of(area, 0), &comparison, _("Two settings side by side"));
    draw_both(area, &comparison);
    draw_complaint(area_within(area, 0, 0, area.columns, area.rows - 1), replay);
    draw_replay_foot(row_of(area, area.rows - 1), replay);
}
