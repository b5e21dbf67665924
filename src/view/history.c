/*
 * The history: lanes down, the operations of the warp across.
 *
 * A column is an operation and holds what each lane brought to it, so that a reduction reads as the
 * table a teacher draws. The current operation has a second column, "got", for what came out of it;
 * what is still to come is faint. The columns in view move so that the current one stays in the
 * middle; how many stand outside is said.
 *
 * Only the steps in view are read, however long the recording is.
 */
#include "base/message.h"
#include "view/moment.h"

#include <stdio.h>

#define COLUMNS_MAX  64 /* steps looked at for one frame */
#define VALUE_LEAST  3
#define VALUE_MOST   11
#define GAP_MOST     4
#define LANE_COLUMNS 5 /* group letter, bar, lane, blank */
#define ROW_HALF     16

/* One operation as the table needs it. */
struct column {
    uint64_t position;
    bool readable;
    struct warp_operation operation;
    const char *text; /* of the call; NULL if unknown */
};

struct sheet {
    const struct moment *moment;
    struct column *columns;
    int count;              /* columns in view */
    int current;            /* index of the current operation among them */
    int width;              /* cells of a value */
    int gap;                /* cells between values */
    uint64_t before, after; /* operations out of view */
};

static void read_column(const struct replay *replay, uint64_t position, struct column *column) {
    struct trace_step step;
    uint64_t number = trace_warp_step(replay->trace, &replay->warp, position);
    column->position = position;
    column->text = NULL;
    column->readable = trace_step(replay->trace, number, &step, NULL) == 0;
    if (!column->readable)
        return;
    column->operation = step.operation;
    const struct trace_site *site = trace_site(replay->trace, step.site);
    column->text = site ? site->text : NULL;
}

static int column_width(const struct column *column, int width, int most) {
    char text[WARP_VALUE_TEXT];
    for (int lane = 0; column->readable && width < most && lane < WARP_LANES; lane++) {
        int length = (int)strlen(explain_in(&column->operation, lane, text));
        width = length > width ? length : width;
    }
    return width;
}

/* The first operation in view when `shown` of `steps` fit: the current one in the middle. */
static uint64_t first_shown(uint64_t position, uint64_t steps, uint64_t shown) {
    uint64_t first = position > shown / 2 ? position - shown / 2 : 0;
    if (shown >= steps)
        return 0;
    return first + shown > steps ? steps - shown : first;
}

static bool has_got(const struct sheet *sheet) {
    return sheet->moment->out_columns > 0;
}

/* Reads the operations that `cells` cells have room for. Widths come from what is read, so that a
 * first pass reads what would fit if all values were short. */
static void sheet_fill(struct sheet *sheet, int cells, struct column columns[COLUMNS_MAX]) {
    const struct replay *replay = sheet->moment->replay;
    uint64_t steps = replay->warp.steps;
    uint64_t most = (uint64_t)(cells / (VALUE_LEAST + 1) - 1);
    most = most < 1 ? 1 : most > COLUMNS_MAX ? COLUMNS_MAX : most;
    most = most < steps ? most : steps;
    uint64_t first = first_shown(replay->position, steps, most);
    int width = sheet->moment->out_columns > VALUE_LEAST ? sheet->moment->out_columns : VALUE_LEAST;
    /* Few operations may have whole values where many would have to be shortened. */
    int widest = cells / ((int)most + 1) - 1;
    widest = widest > VALUE_MOST ? widest : VALUE_MOST;
    for (uint64_t i = 0; i < most; i++) {
        read_column(replay, first + i, &columns[i]);
        width = column_width(&columns[i], width, widest);
    }
    sheet->width = width < widest ? width : widest;
    /* The current operation and what came out of it are there, however narrow. */
    int room = cells / (has_got(sheet) ? 2 : 1) - 1;
    sheet->width = sheet->width < room ? sheet->width : room;
    uint64_t shown = (uint64_t)(cells / (sheet->width + 1));
    shown = shown > 1 ? shown - 1 : 1; /* one for "got" */
    shown = shown < most ? shown : most;
    uint64_t start = first_shown(replay->position, steps, shown);
    start = start < first ? first : start + shown > first + most ? first + most - shown : start;
    sheet->columns = columns + (start - first);
    sheet->count = (int)shown;
    sheet->gap = cells / (int)(shown + 1) - sheet->width;
    sheet->gap = sheet->gap < 1 ? 1 : sheet->gap > GAP_MOST ? GAP_MOST : sheet->gap;
    sheet->current = (int)(replay->position - start);
    sheet->before = start;
    sheet->after = steps - start - shown;
}

/* The cell where column i begins; the ones after the current make room for "got". */
static int column_x(const struct sheet *sheet, int i) {
    int extra = i > sheet->current && has_got(sheet) ? 1 : 0;
    return LANE_COLUMNS + (i + extra) * (sheet->width + sheet->gap);
}

/* ---- drawing -----------------------------------------------------------------------------------
 */

/* "^16" for an xor, the variable for a watched value, else the operation's name. */
static void column_label(const struct column *column, char *buffer, size_t size) {
    static const char signs[] = {'@', '-', '+', '^'};
    const struct warp_operation *operation = &column->operation;
    const char *open = column->text ? strchr(column->text, '(') : NULL;
    const char *watched = open ? open + 1 : column->text;
    if (!column->readable)
        snprintf(buffer, size, "?");
    else if (warp_op_info(operation->op)->is_shuffle && operation->present)
        snprintf(buffer, size, "%c%d", signs[operation->op],
                 operation->arg[__builtin_ctz(operation->present)]);
    else if (operation->op == WARP_OP_WATCH && watched)
        snprintf(buffer, size, "%.*s", (int)strcspn(watched, "),"), watched);
    else
        snprintf(buffer, size, "%s", warp_op_info(operation->op)->name);
}

/* One row with what each operation is, over it one with its number where there is room. */
static void draw_head(struct area area, const struct sheet *sheet, int rows) {
    int cells = sheet->width;
    for (int i = 0; i < sheet->count; i++) {
        const struct column *column = &sheet->columns[i];
        bool current = i == sheet->current;
        struct style style = style_role(current ? STYLE_ACTIVE : STYLE_LABEL);
        int x = column_x(sheet, i);
        char label[64];
        if (rows > 1) {
            snprintf(label, sizeof label, "%llu", (unsigned long long)column->position + 1);
            draw_value(area, x, 0, cells, label, style_role(STYLE_DIM));
        }
        for (int k = 0; current && k < cells; k++)
            area_glyph(area, x + k, rows - 1, ' ', style);
        column_label(column, label, sizeof label);
        draw_value(area, x, rows - 1, cells, label, style);
        area_hit(area, x, 0, cells, area.rows, ACTION_OPERATION_GO, (int64_t)column->position);
    }
    if (has_got(sheet))
        draw_value(area, column_x(sheet, sheet->current) + cells + sheet->gap, rows - 1, cells,
                   _("got"), style_role(STYLE_LABEL));
}

static struct style cell_style(const struct sheet *sheet, const struct column *column, int lane) {
    int group = explain_group(&column->operation, lane);
    struct style style =
        group < 0 ? style_role(STYLE_UNDEFINED) : (struct style){STYLE_GROUP, (uint8_t)group, 0};
    if (column->position > sheet->moment->replay->position)
        style = style_with(style, STYLE_FAINT);
    if (column->position == sheet->moment->replay->position)
        style = style_with(style, STYLE_BOLD);
    return style;
}

static void draw_got(struct area area, int x, int y, const struct sheet *sheet, int lane) {
    const struct moment *moment = sheet->moment;
    bool known = moment_shows_out(moment) && moment_present(moment, lane);
    draw_value(area, x, y, sheet->width, known ? moment->out[lane] : "·",
               known ? moment_out_style(moment, lane) : style_role(STYLE_DIM));
}

static void draw_row(struct area area, int y, const struct sheet *sheet, int lane) {
    const struct moment *moment = sheet->moment;
    struct style style = moment_lane_style(moment, lane);
    if (moment->has_width)
        area_glyph(area, 0, y, (uint32_t)group_letter(moment->group[lane]),
                   moment_group_style(moment, lane));
    area_glyph(area, 1, y, 0x258c, moment_group_style(moment, lane));
    area_format(area, 2, y, moment_number_style(moment, lane), "%2d", lane);
    uint32_t mark = moment_mark(moment, lane, &style);
    if (mark)
        area_glyph(area, 4, y, mark, style);
    area_hit(area, 0, y, LANE_COLUMNS, 1, ACTION_LANE_GO, lane);
    for (int i = 0; i < sheet->count; i++) {
        const struct column *column = &sheet->columns[i];
        int x = column_x(sheet, i);
        char value[WARP_VALUE_TEXT];
        /* What comes later would give away what this operation does. */
        bool later = i > sheet->current && moment->hide & (REPLAY_HIDES_OUT | REPLAY_HIDES_LATER);
        bool hidden = later || (i == sheet->current && moment->hide & REPLAY_HIDES_IN);
        bool absent = !column->readable || !(column->operation.present >> lane & 1);
        if (hidden || absent) /* what is hidden stays blank: a question mark means undefined */
            draw_value(area, x, y, sheet->width, hidden ? "" : "·", style_role(STYLE_ABSENT));
        else
            draw_value(area, x, y, sheet->width, explain_in(&column->operation, lane, value),
                       cell_style(sheet, column, lane));
        if (i == sheet->current && has_got(sheet))
            draw_got(area, x + sheet->width + sheet->gap, y, sheet, lane);
    }
    if (moment->replay->lane == lane)
        area_flag(area, 0, y, column_x(sheet, sheet->count) - sheet->gap, 1, STYLE_SELECTED);
}

static void draw_part(struct area area, const struct sheet *sheet, int first, int count) {
    int head = area.rows >= count + 2 ? 2 : area.rows > count ? 1 : 0;
    if (head)
        draw_head(area, sheet, head);
    for (int i = 0; i < count && head + i < area.rows; i++)
        draw_row(area, head + i, sheet, first + i);
}

static void draw_outside(struct area area, const struct sheet *sheet) {
    char text[128] = "";
    if (sheet->before && sheet->after)
        snprintf(text, sizeof text, _(" %llu before and %llu after are out of view "),
                 (unsigned long long)sheet->before, (unsigned long long)sheet->after);
    else if (sheet->before || sheet->after)
        snprintf(text, sizeof text,
                 sheet->before ? _(" %llu before are out of view ")
                               : _(" %llu after are out of view "),
                 (unsigned long long)(sheet->before + sheet->after));
    area_text_clipped(area, 0, area.rows - 1, area.columns, text, style_role(STYLE_DIM));
}

void draw_history(struct area area, const struct moment *moment) {
    struct column columns[COLUMNS_MAX];
    struct sheet sheet = {.moment = moment};
    bool whole = area.rows >= WARP_LANES + 1;
    int half = whole ? area.columns - 2 : (area.columns - 3) / 2;
    sheet_fill(&sheet, half - LANE_COLUMNS, columns);
    int lanes = whole ? WARP_LANES : ROW_HALF;
    draw_part(area_within(area, 1, 0, half, area.rows), &sheet, 0, lanes);
    if (!whole)
        draw_part(area_within(area, area.columns - half, 0, half, area.rows), &sheet, lanes, lanes);
    if (area.rows > lanes + 2)
        draw_outside(area, &sheet);
}
