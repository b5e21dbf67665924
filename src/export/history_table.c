/*
 * Columns are measured; as many as fit are drawn as a band, and the next band follows below,
 * because a table wider than the page would be cut.
 */
#include "export/history_table.h"

#include "base/message.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_SIZE   24
#define LANE_WIDTH   4 /* "lane" */
#define GAP          3 /* between two operations, with a rule in its middle */
#define HISTORY_ROWS (2 + WARP_LANES)

static const struct style plain = {STYLE_PLAIN, 0, 0};
static const struct style label_style = {STYLE_LABEL, 0, 0};
static const struct style dim = {STYLE_DIM, 0, 0};
static const struct style absent = {STYLE_ABSENT, 0, 0};

/* One operation: each lane's value and its result. */
struct column {
    struct warp_operation operation;
    struct lane_outcome outcome[WARP_LANES];
    char label[LABEL_SIZE];
    bool has, gets;
    int has_width, gets_width;
};

/* A lane's result, with a sign if it is not the requested lane's, or was computed from an
 * undefined value. */
static void format_gets(const struct column *column, int lane, char *buffer, size_t size) {
    char value[WARP_VALUE_TEXT];
    enum lane_status status = column->outcome[lane].status;
    if (status == LANE_UNDEFINED)
        snprintf(value, sizeof(value), "?");
    else
        warp_value_format(warp_result_type(&column->operation), column->operation.out[lane], value);
    snprintf(buffer, size, "%s%s%s", column->operation.doubtful_out >> lane & 1 ? "?" : "", value,
             status == LANE_OWN ? "=" : " ");
}

static char *format_has(const struct column *column, int lane, char buffer[WARP_VALUE_TEXT + 3]) {
    const bool marked = column->operation.doubtful_in >> lane & 1;
    buffer[0] = '?';
    warp_value_format(column->operation.type, column->operation.in[lane], buffer + marked);
    return buffer;
}

/* "xor 16" if all lanes pass the same argument, else "xor". */
static void column_label(struct column *column, const struct trace *trace,
                         const struct trace_step *step) {
    const struct warp_operation *operation = &column->operation;
    const struct warp_op_info *info = warp_op_info(operation->op);
    const struct trace_site *site = trace_site(trace, step->site);
    int32_t arg;
    if (operation->op == WARP_OP_WATCH && site)
        snprintf(column->label, sizeof(column->label), "%s", site->text);
    else if (info->is_shuffle && warp_agree(operation->arg, operation->present, &arg))
        snprintf(column->label, sizeof(column->label), "%s %d", info->name, arg);
    else
        snprintf(column->label, sizeof(column->label), "%s", info->name);
}

static void widen(int *width, const char *text) {
    int columns = utf8_columns(text);
    if (columns > *width)
        *width = columns;
}

static int column_width(const struct column *column) {
    int values = column->has_width + column->gets_width + (column->has && column->gets ? 1 : 0);
    int label = utf8_columns(column->label);
    return label > values ? label : values;
}

static void column_init(struct column *column, const struct trace *trace,
                        const struct trace_step *step) {
    char text[WARP_VALUE_TEXT + 3];
    *column = (struct column){.operation = step->operation};
    const enum warp_op op = step->operation.op;
    warp_outcome(&column->operation, column->outcome);
    column_label(column, trace, step);
    column->has = op != WARP_OP_ACTIVEMASK;
    column->gets = op != WARP_OP_WATCH;
    column->has_width = column->has ? utf8_columns(_("has")) : 0;
    column->gets_width = column->gets ? utf8_columns(_("gets")) + 1 : 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(column->operation.present >> lane & 1))
            continue;
        if (column->has)
            widen(&column->has_width, format_has(column, lane, text));
        if (column->gets) {
            format_gets(column, lane, text, sizeof(text));
            widen(&column->gets_width, text);
        }
    }
}

static void draw_right(struct area area, int x, int y, int width, const char *text,
                       struct style style) {
    area_text(area, x + width - utf8_columns(text), y, text, style);
}

static struct style style_of(const struct column *column, int lane) {
    struct style style = {STYLE_PLAIN, 0, 0};
    if (!warp_op_info(column->operation.op)->is_shuffle)
        return style;
    style.role = STYLE_GROUP;
    style.group = (uint8_t)(column->outcome[lane].address.group & 31);
    if (column->outcome[lane].status == LANE_UNDEFINED)
        style.role = STYLE_UNDEFINED;
    else if (column->outcome[lane].status == LANE_OWN)
        style.role = STYLE_OWN;
    return style;
}

static void draw_cell(struct area area, const struct column *column, int x, int y, int lane) {
    char text[WARP_VALUE_TEXT + 3];
    int gets_x = x + column->has_width + (column->has && column->gets ? 1 : 0);
    if (!(column->operation.present >> lane & 1)) {
        draw_right(area, x, y, column->has ? column->has_width : column->gets_width - 1, ".",
                   absent);
        return;
    }
    if (column->has)
        draw_right(area, x, y, column->has_width, format_has(column, lane, text), plain);
    if (column->gets) {
        format_gets(column, lane, text, sizeof(text));
        draw_right(area, gets_x, y, column->gets_width, text, style_of(column, lane));
    }
}

static void draw_column(struct area area, const struct column *column, int x, int y) {
    const uint32_t rule = area.grid->ascii ? '|' : 0x2502;
    int gets_x = x + column->has_width + (column->has && column->gets ? 1 : 0);
    area_text(area, x, y, column->label, label_style);
    if (column->has)
        draw_right(area, x, y + 1, column->has_width, _("has"), dim);
    if (column->gets)
        draw_right(area, gets_x, y + 1, column->gets_width - 1, _("gets"), dim);
    for (int lane = 0; lane < WARP_LANES; lane++)
        draw_cell(area, column, x, y + 2 + lane, lane);
    for (int row = 0; row < WARP_LANES + 2; row++)
        area_glyph(area, x - 2, y + row, rule, dim);
}

/* The lanes' numbers and the collected operations. */
static void draw_band(struct area area, const struct column *columns, size_t count, int y) {
    char text[8];
    area_text(area, 0, y, _("lane"), label_style);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        snprintf(text, sizeof(text), "%d", lane);
        draw_right(area, 0, y + 2 + lane, LANE_WIDTH, text, plain);
    }
    int x = LANE_WIDTH + GAP;
    for (size_t i = 0; i < count; i++) {
        draw_column(area, &columns[i], x, y);
        x += column_width(&columns[i]) + GAP;
    }
}

/* Collects operations from *position on until no more fit; returns their number. */
static size_t collect_band(const struct trace *trace, const struct trace_warp *warp,
                           uint64_t *position, int columns, struct column **band) {
    struct trace_step step;
    size_t count = 0;
    int used = LANE_WIDTH;
    for (; *position < warp->steps; ++*position) {
        if (trace_step(trace, trace_warp_step(trace, warp, *position), &step, NULL) != 0)
            continue; /* the tables have already reported the damage */
        if (step.operation.op == WARP_OP_SYNC)
            continue; /* it moves no value */
        *band = memory_grow(*band, count + 1, sizeof(**band));
        column_init(&(*band)[count], trace, &step);
        used += GAP + column_width(&(*band)[count]);
        if (count > 0 && used > columns)
            break;
        count++;
    }
    return count;
}

static int band_width(const struct column *band, size_t count) {
    int width = LANE_WIDTH;
    for (size_t i = 0; i < count; i++)
        width += GAP + column_width(&band[i]);
    return width;
}

bool history_draw(struct grid *grid, const struct trace *trace, const struct trace_warp *warp,
                  int columns, uint64_t *position) {
    struct column *band = NULL;
    size_t count = collect_band(trace, warp, position, columns, &band);
    if (count > 0) {
        int width = band_width(band, count);
        grid_resize(grid, width > columns ? width : columns, HISTORY_ROWS);
        draw_band(grid_area(grid), band, count, 0);
    }
    free(band);
    return count > 0;
}
