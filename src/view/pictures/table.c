/* `--format text`: one operation as a table to paste into notes. */
#include "view/view.h"

#include "base/message.h"
#include "explain/explain.h"
#include "view/moment.h"

#include <stdio.h>

#define TABLE_HEAD 4 /* heading, call, blank, column headings */

/* The widths of the columns, each that of its widest text. */
struct table {
    int in, formula, reads, status, out;
};

static int widest(int a, int b) {
    return a > b ? a : b;
}

static struct table table_fit(const struct moment *moment) {
    char label[32];
    struct table table = {
        .in = moment->in_columns ? widest(moment->in_columns, 2) : 0,
        .formula = moment->formula_columns
                       ? widest(moment->formula_columns,
                                (int)strlen(moment_formula_label(moment, 20, label, sizeof label)))
                       : 0,
        .reads = moment->info->is_shuffle ? 5 : 0,
        .status = 9,
        .out = moment->out_columns ? widest(moment->out_columns, 3) : 0,
    };
    return table;
}

static int draw_cell(struct area area, int x, int y, int columns, bool right, const char *text,
                     struct style style) {
    if (columns == 0)
        return x;
    if (right)
        area_text(area, x + columns - utf8_columns(text), y, text, style);
    else
        area_text(area, x, y, text, style);
    return x + columns + 2;
}

static void draw_labels(struct area area, int y, const struct moment *moment,
                        const struct table *table) {
    struct style label = style_role(STYLE_LABEL);
    char formula[32];
    int x = draw_cell(area, 0, y, 4, true, _("lane"), label);
    if (moment->has_groups)
        x = draw_cell(area, x, y, 5, false, _("group"), label);
    x = draw_cell(area, x, y, table->in, true,
                  warp_op_is_access(moment->operation->op) ? _("was") : _("in"), label);
    x = draw_cell(area, x, y, table->formula, false,
                  moment_formula_label(moment, 20, formula, sizeof formula), label);
    x = draw_cell(area, x, y, table->reads, true, _("reads"), label);
    x = draw_cell(area, x, y, table->status, false, _("status"), label);
    draw_cell(area, x, y, table->out, true,
              warp_op_is_access(moment->operation->op) ? _("is") : _("out"), label);
}

static void draw_lane(struct area area, int y, const struct moment *moment,
                      const struct table *table, int lane) {
    struct style style = moment_lane_style(moment, lane), out = moment_out_style(moment, lane);
    const struct lane_outcome *outcome = &moment->outcome[lane];
    bool present = moment_present(moment, lane);
    char number[16], letter[2] = {moment_letter(moment, lane), '\0'};
    snprintf(number, sizeof number, "%d", lane);
    int x = draw_cell(area, 0, y, 4, true, number, style);
    if (moment->has_groups)
        x = draw_cell(area, x, y, 5, false, letter, moment_group_style(moment, lane));
    x = draw_cell(area, x, y, table->in, true, present ? moment->in[lane] : "-", style);
    x = draw_cell(area, x, y, table->formula, false, present ? moment->formula[lane] : "-",
                  style_role(present ? STYLE_PLAIN : STYLE_ABSENT));
    snprintf(number, sizeof number, "%d", outcome->address.source);
    x = draw_cell(area, x, y, table->reads, true, present ? number : "-", out);
    x = draw_cell(area, x, y, table->status, false, moment_status(moment, lane), out);
    draw_cell(area, x, y, table->out, true, present ? moment->out[lane] : "-", out);
}

static int draw_note(struct area area, int y, const char *text, enum style_role role, bool draw) {
    if (draw)
        area_text_wrapped(area, y, 2, text, style_role(role));
    return y + text_lines(text, area.columns, 2);
}

/* The lines below: bits that do not count, findings, disagreements, the recording. Draws the
 * rows, or only counts them. */
static int draw_notes(struct area area, int y, const struct moment *moment, bool draw) {
    char text[MOMENT_FINDING_TEXT];
    if (warp_op_is_access(moment->operation->op))
        y = draw_note(area, y, explain_cost(moment->operation, text), STYLE_DIM, draw);
    if (explain_argument(moment->operation, text, sizeof text)[0])
        y = draw_note(area, y, text, STYLE_DIM, draw);
    for (int i = 0; i < moment->finding_count; i++) {
        moment_finding(moment, &moment->findings[i], text);
        y = draw_note(area, y, text, STYLE_BAD, draw);
    }
    if (moment->operation->doubtful_in | moment->operation->doubtful_out)
        y = draw_note(area, y, _("? before a value: computed from an undefined value"), STYLE_DIM,
                      draw);
    moment_recording_note(moment->replay, text, sizeof text);
    return text[0] ? draw_note(area, y, text, STYLE_BAD, draw) : y;
}

static int table_columns(const struct moment *moment, const struct table *table) {
    int columns = 4 + (moment->has_groups ? 7 : 0);
    const int widths[] = {table->in, table->formula, table->reads, table->status, table->out};
    for (int i = 0; i < 5; i++)
        columns += widths[i] ? widths[i] + 2 : 0;
    return columns;
}

/* Rows that a view needs to be complete. */
static int picture_rows(const struct moment *moment, enum view_kind kind) {
    const char *source =
        moment->site ? trace_source(moment->replay->cursor.trace, moment->site->file) : NULL;
    int lines = 0;
    if (kind != VIEW_SOURCE)
        return 1 + WARP_LANES / 2 + (kind == VIEW_HISTORY);
    for (; source && (source = strchr(source, '\n')); source++)
        lines++;
    return lines < 5 ? 5 : lines > 60 ? 60 : lines;
}

void view_draw_picture(struct grid *grid, const struct replay *replay, int columns) {
    const enum view_kind kind =
        replay->view == VIEW_HISTORY || replay->view == VIEW_SOURCE ? replay->view : VIEW_LANES;
    struct moment moment;
    char heading[256];
    if (!moment_init(&moment, replay)) {
        grid_resize(grid, columns, 1);
        area_text(grid_area(grid), 0, 0, replay->message, style_role(STYLE_BAD));
        return;
    }
    const int rows = picture_rows(&moment, kind);
    grid_resize(grid, columns, rows + 3);
    grid_clear(grid);
    moment_heading(&moment, heading, sizeof heading);
    area_text(grid_area(grid), 0, 0, heading, style_bold(STYLE_TITLE));
    if (moment.site)
        draw_call_line(row_of(grid_area(grid), 1), &moment);
    view_of(kind)->draw(area_within(grid_area(grid), 0, 3, columns, rows), &moment);
}

void view_draw_table(struct grid *grid, const struct replay *replay, int columns) {
    /* A table shows the whole operation, whatever the phase and the question. */
    struct replay whole = *replay;
    replay_ask_end(&whole);
    replay_set_phase(&whole, PHASE_AFTER);
    struct moment moment;
    if (!moment_init(&moment, &whole)) {
        grid_resize(grid, widest(columns, utf8_columns(replay->message)), 1);
        area_text(grid_area(grid), 0, 0, replay->message, style_role(STYLE_BAD));
        return;
    }
    struct table table = table_fit(&moment);
    char heading[256], device[128], place[640] = "";
    moment_heading(&moment, heading, sizeof heading);
    moment_device(replay, device, sizeof device);
    if (moment.site)
        snprintf(place, sizeof place, "%.127s:%u  %.500s", moment.site->file, moment.site->line,
                 moment.site->text);
    columns = widest(columns, table_columns(&moment, &table));
    columns = widest(columns, utf8_columns(heading) + 2 + utf8_columns(device));
    columns = widest(columns, utf8_columns(place));
    grid_resize(grid, columns, 1);
    int rows = draw_notes(grid_area(grid), TABLE_HEAD + WARP_LANES, &moment, false);
    grid_resize(grid, columns, rows);
    struct area area = grid_area(grid);
    int x = area_text(area, 0, 0, heading, style_bold(STYLE_TITLE));
    area_text(area, x + 2, 0, device, style_role(STYLE_DIM));
    area_text(area, 0, 1, place, style_role(STYLE_CODE_LIT));
    draw_labels(area, TABLE_HEAD - 1, &moment, &table);
    for (int lane = 0; lane < WARP_LANES; lane++)
        draw_lane(area, TABLE_HEAD + lane, &moment, &table, lane);
    draw_notes(area, TABLE_HEAD + WARP_LANES, &moment, true);
}
