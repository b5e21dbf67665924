/*
 * The history: lanes down, the operations of the warp across.
 *
 * A column is an operation and holds each lane's input, so that a reduction reads like the table a
 * teacher draws. The current operation has a second column, "got", for the results; later
 * operations are faint.
 *
 * If all operations fit, columns have equal widths and gaps. Else each is as narrow as its values
 * and its heading allow, with one blank between, and the visible columns move so that the current
 * one stays in the middle; the number of hidden ones is shown if there is a row for it.
 *
 * If the recording has local variables, the last column, "after", has the final result: the
 * variable that the last shuffle passes, after the last line of its function.
 *
 * Only the steps in view are read, however long the recording is.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "replay/lines.h"
#include "view/moment.h"

#include <stdio.h>

#define COLUMNS_MAX  64 /* the most steps read for one frame */
#define COLUMN_LEAST 2
#define COLUMN_ALIKE 3 /* the smallest width of equal columns */
#define VALUE_MOST   11
#define LABEL_LEAST  3 /* cells that a longer heading keeps */
#define GAP_MOST     4
#define LANE_COLUMNS 5 /* group letter, bar, lane, blank or mark */
#define ROW_HALF     16

/* One operation as the table needs it. */
struct column {
    uint64_t position;
    bool readable;
    struct warp_operation operation;
    const char *text; /* of the call; NULL if unknown */
    int values;       /* cells of the longest value as shown */
    int x, width;     /* the cells of its values */
};

/* The variable that holds the result, at the end of its function. */
struct result {
    const struct trace_variable *variable; /* NULL if it has no column */
    uint32_t set, doubtful;
    uint64_t value[WARP_LANES];
    int x, width;
};

struct sheet {
    const struct moment *moment;
    struct column *columns;
    int count;            /* columns in view */
    int current;          /* index of the current operation among them */
    bool headed;          /* there is a row for headings */
    int bar;              /* column of the lanes' bar; a letter before it */
    int lead;             /* cells before the first column */
    int gap;              /* cells between values */
    int got_x, got_width; /* a column for the current operation's results */
    struct result result;
    int end;                /* the cell after the last column */
    bool tells_shared;      /* marks lanes that share the selected lane's value */
    uint64_t before, after; /* operations out of view */
};

static void read_column(const struct replay *replay, uint64_t position, struct column *column) {
    struct trace_step step;
    uint64_t number = trace_warp_step(replay->cursor.trace, &replay->cursor.warp, position);
    column->position = position;
    column->text = NULL;
    column->readable = trace_step(replay->cursor.trace, number, &step, NULL) == 0;
    if (!column->readable)
        return;
    column->operation = step.operation;
    const struct trace_site *site = trace_site(replay->cursor.trace, step.site);
    column->text = site ? site->text : NULL;
}

static bool is_reduction(const struct column *column) {
    return column->readable && warp_op_is_reduce(column->operation.op);
}

/* Cells of its longest value, `most` if it has to be shortened. */
static int value_width(const struct column *column, int most) {
    char text[WARP_VALUE_TEXT];
    int width = 1;
    for (int lane = 0; column->readable && width < most && lane < WARP_LANES; lane++) {
        int length = (int)strlen(explain_in_marked(&column->operation, lane, text));
        width = length > width ? length : width;
    }
    return width < most ? width : most;
}

const char *operation_label(const struct warp_operation *operation, const char *call,
                            char label[OPERATION_LABEL]) {
    static const char signs[] = {'@', '-', '+', '^'};
    const char *open = call ? strchr(call, '(') : NULL;
    const char *watched = open ? open + 1 : call;
    if (warp_op_info(operation->op)->is_shuffle && operation->present)
        snprintf(label, OPERATION_LABEL, "%c%d", signs[operation->op],
                 operation->arg[__builtin_ctz(operation->present)]);
    else if (operation->op == WARP_OP_WATCH && watched)
        snprintf(label, OPERATION_LABEL, "%.*s", (int)strcspn(watched, "),"), watched);
    else
        snprintf(label, OPERATION_LABEL, "%s", warp_op_info(operation->op)->name);
    return label;
}

static const char *column_label(const struct column *column, char label[OPERATION_LABEL]) {
    if (column->readable)
        return operation_label(&column->operation, column->text, label);
    return strcpy(label, "?");
}

/* The label in a few cells: "add" for "reduce_add", "read" for "shared_read", a number in full or
 * not at all, the first letters of a name. */
static void shorten_label(const struct column *column, int cells, char label[OPERATION_LABEL]) {
    if (utf8_columns(label) <= cells)
        return;
    if (strchr("@-+^", label[0])) {
        label[1] = '\0';
        return;
    }
    if (is_reduction(column) || warp_op_is_access(column->operation.op))
        memmove(label, strchr(label, '_') + 1, strlen(strchr(label, '_')));
    label[utf8_cut_columns(label, cells)] = '\0';
}

/* ---- which values are equal --------------------------------------------------------------------
 *
 * After each round of a butterfly, larger groups of lanes hold equal values. The lanes that share
 * the selected lane's value are on the same band: 1, 2, 4, 8, 16, 32 of them.
 */

static bool is_xor(const struct column *column) {
    return column->readable && column->operation.op == WARP_OP_XOR;
}

/* The inputs of a round, and the visible results of the last one. */
static bool is_round(const struct sheet *sheet, int i) {
    const struct column *column = &sheet->columns[i];
    bool watched = column->readable && column->operation.op == WARP_OP_WATCH;
    return is_xor(column) || (watched && i > 0 && is_xor(column - 1));
}

static bool shares_value(const struct sheet *sheet, int i, int lane) {
    const struct warp_operation *operation = &sheet->columns[i].operation;
    int selected = sheet->moment->replay->lane;
    uint32_t both = 1u << lane | 1u << selected;
    return !sheet->moment->unmarked && is_round(sheet, i) && (operation->present & both) == both &&
           operation->in[lane] == operation->in[selected];
}

/* If all lanes hold the same value from the beginning, sharing it means nothing. */
static bool marks_shared(const struct sheet *sheet) {
    for (int i = 0; i < sheet->count; i++)
        for (int lane = 0; is_round(sheet, i) && lane < WARP_LANES; lane++)
            if (sheet->columns[i].operation.present >> lane & 1 && !shares_value(sheet, i, lane))
                return true;
    return false;
}

/* ---- the final result ---- */

static int clamp(int value, int least, int most) {
    value = value < most ? value : most;
    return value > least ? value : least;
}

/* The variable that a shuffle passes: "value" of "__shfl_xor_sync(0xffffffff, value, 16)". */
static size_t passed_name(const char *call, const char **name) {
    const char *at = strchr(call, '(');
    if (!at)
        return 0;
    if (string_contains(call, "_sync(") && !(at = strchr(at, ',')))
        return 0;
    *name = at + 1 + strspn(at + 1, " ");
    const size_t length = strcspn(*name, ",) ");
    return (*name)[length] == ',' || (*name)[length] == ')' ? length : 0;
}

static const struct trace_variable *variable_named(const struct trace_function *function,
                                                   const char *name, size_t length) {
    for (uint32_t i = 0; i < function->variable_count; i++) {
        const struct trace_variable *variable = &function->variables[i];
        if (strlen(variable->name) == length && strncmp(variable->name, name, length) == 0)
            return variable;
    }
    return NULL;
}

/* The last of the warp's operations that is a shuffle. */
static bool last_shuffle(const struct replay *replay, struct trace_step *step) {
    const struct cursor *cursor = &replay->cursor;
    for (uint64_t at = cursor->warp.steps; at-- > 0 && cursor->warp.steps - at < COLUMNS_MAX;)
        if (trace_step(cursor->trace, trace_warp_step(cursor->trace, &cursor->warp, at), step,
                       NULL) == 0 &&
            warp_op_info(step->operation.op)->is_shuffle)
            return true;
    return false;
}

static char *result_text(const struct result *result, int lane, char text[WARP_VALUE_TEXT]) {
    if (!warp_has_lane(result->set, lane))
        return strcpy(text, "-");
    warp_value_format(result->variable->type, result->value[lane], text);
    const size_t length = strlen(text);
    if (warp_has_lane(result->doubtful, lane) && length + 1 < WARP_VALUE_TEXT)
        memcpy(text + length, "?", 2);
    return text;
}

static void keep_result(struct result *result, const struct trace_lines *lines, size_t line,
                        uint32_t number) {
    struct trace_line_state state;
    char text[WARP_VALUE_TEXT];
    trace_line_state_init(&state, lines->trace);
    trace_lines_state(lines, line + 1, &state);
    result->set = state.set[number];
    result->doubtful = state.doubtful[number];
    memcpy(result->value, state.value[number], sizeof result->value);
    trace_line_state_release(&state);
    result->width = utf8_columns(_("after"));
    for (int lane = 0; lane < WARP_LANES; lane++)
        result->width =
            clamp(result->width, (int)strlen(result_text(result, lane, text)), WARP_VALUE_TEXT);
}

static struct result read_result(const struct sheet *sheet) {
    const struct replay *replay = sheet->moment->replay;
    const struct trace_lines *lines = replay_lines(replay);
    const char *name = NULL;
    struct result result = {.variable = NULL};
    struct trace_step step;
    if (!lines || sheet->moment->hide || sheet->moment->asked || !last_shuffle(replay, &step))
        return result;
    const struct trace_site *site = trace_site(replay->cursor.trace, step.site);
    const size_t length = site ? passed_name(site->text, &name) : 0;
    size_t at = 0;
    while (at + 1 < lines->count && lines->lines[at].step <= step.number)
        at++;
    const struct trace_function *function = trace_function(lines->trace, lines->lines[at].function);
    result.variable = length ? variable_named(function, name, length) : NULL;
    if (!result.variable)
        return result;
    const uint32_t number = function->first + (uint32_t)(result.variable - function->variables);
    for (size_t i = at; i < lines->count; i++)
        if (trace_line_shows(lines, &lines->lines[i], number))
            at = i;
    keep_result(&result, lines, at, number);
    return result;
}

/* ---- choice and placement of columns ---- */

/* The first of the `shown` operations (of `steps`) that have the current one in the middle. */
static uint64_t first_shown(uint64_t position, uint64_t steps, uint64_t shown) {
    uint64_t first = position > shown / 2 ? position - shown / 2 : 0;
    if (shown >= steps)
        return 0;
    return first + shown > steps ? steps - shown : first;
}

static bool has_got_column(const struct sheet *sheet) {
    return sheet->moment->out_columns > 0;
}

/* The cells by which a heading is too long; "add" is enough for "reduce_add". */
static int missing_cells(const struct sheet *sheet, const struct column *column, int cells) {
    char label[OPERATION_LABEL];
    column_label(column, label);
    if (is_reduction(column))
        shorten_label(column, LABEL_LEAST, label);
    return sheet->headed && utf8_columns(label) > cells ? utf8_columns(label) - cells : 0;
}

/* Places all operations in equal columns, with room for "got" wherever it will be; false if they or
 * their headings do not fit. */
static bool fit_equal(struct sheet *sheet, int cells) {
    int slots = sheet->count + 1 + (sheet->result.variable != NULL), least = COLUMN_ALIKE;
    if (sheet->moment->out_columns > least)
        least = sheet->moment->out_columns;
    if (sheet->result.width > least)
        least = sheet->result.width;
    /* Values that would be shortened in many columns may fit whole in a few. */
    int most = cells / slots - 1 > VALUE_MOST ? cells / slots - 1 : VALUE_MOST;
    int width = least < most ? least : most;
    for (int i = 0; i < sheet->count; i++) {
        struct column *column = &sheet->columns[i];
        column->values = value_width(column, most);
        width = column->values > width ? column->values : width;
    }
    sheet->gap = clamp(cells / slots - width, 1, GAP_MOST);
    bool fits = slots * (width + 1) <= cells;
    for (int i = 0; i < sheet->count; i++)
        fits = fits && !missing_cells(sheet, &sheet->columns[i], width + sheet->gap - 1);
    sheet->got_width = width;
    for (int i = 0; i < sheet->count; i++)
        sheet->columns[i].width = width;
    return fits;
}

/* The cells by which the first column's heading may extend over the blank before its values. */
static int overhang(const struct column *column) {
    return column->width > column->values ? 1 : 0;
}

/* Cells that the columns `first` to `last` take, including the current one's results. */
static int cells_taken(const struct sheet *sheet, int first, int last) {
    int taken = has_got_column(sheet) ? sheet->got_width : -sheet->gap;
    for (int i = first; i <= last; i++)
        taken += sheet->columns[i].width + sheet->gap;
    return taken - overhang(&sheet->columns[first]);
}

static void measure(const struct sheet *sheet, struct column *column, int most) {
    char label[OPERATION_LABEL];
    int named = sheet->headed ? utf8_columns(column_label(column, label)) : 0;
    named = clamp(named, COLUMN_LEAST, LABEL_LEAST);
    column->values = value_width(column, most);
    column->width = named > column->values ? clamp(named, 1, most) : column->values;
}

/* Keeps as many columns around the current one as fit. */
static void keep_near(struct sheet *sheet, int cells) {
    int first = sheet->current, last = sheet->current;
    for (;;) {
        bool left = first > 0 && cells_taken(sheet, first - 1, last) <= cells;
        bool right = last + 1 < sheet->count && cells_taken(sheet, first, last + 1) <= cells;
        if (!left && !right)
            break;
        if (left && (!right || sheet->current - first <= last - sheet->current))
            first--;
        else
            last++;
    }
    sheet->columns += first;
    sheet->current -= first;
    sheet->count = last - first + 1;
}

/* Remaining cells go to names that were cut, one cell at a time to each in turn, and then between
 * the columns. */
static void spread(struct sheet *sheet, int left) {
    int gaps = sheet->count + has_got_column(sheet), given = 1;
    while (left > 0 && given > 0) {
        given = 0;
        for (int i = 0; i < sheet->count && given < left; i++) {
            struct column *column = &sheet->columns[i];
            int more = missing_cells(sheet, column, column->width + (i == 0)) > 0;
            column->width += more;
            given += more;
        }
        left -= given;
    }
    sheet->gap = clamp(1 + left / gaps, 1, GAP_MOST);
    sheet->lead += sheet->gap - 1;
}

/* Each column as narrow as it can be. */
static void fit_tight(struct sheet *sheet, int cells) {
    /* The current operation and its results are shown, however narrow. */
    int most = clamp(cells / (has_got_column(sheet) ? 2 : 1) - 1, 1, VALUE_MOST);
    int got = sheet->headed ? utf8_columns(_("got")) : COLUMN_LEAST;
    sheet->gap = 1;
    sheet->got_width = clamp(sheet->moment->out_columns, got < most ? got : most, most);
    for (int i = 0; i < sheet->count; i++)
        measure(sheet, &sheet->columns[i], most);
    keep_near(sheet, cells);
    int left = cells - cells_taken(sheet, 0, sheet->count - 1);
    sheet->columns[0].width -= overhang(&sheet->columns[0]);
    spread(sheet, left > 0 ? left : 0);
}

/* The result gets a column if the last operation has one and there is room left. */
static void fit_beside(struct sheet *sheet, int cells, uint64_t steps) {
    const int left = cells - sheet->result.width - 1;
    if (left < cells / 2 || sheet->columns[sheet->count - 1].position + 1 < steps)
        sheet->result = (struct result){.variable = NULL};
    fit_tight(sheet, sheet->result.variable ? left : cells);
    if (sheet->columns[sheet->count - 1].position + 1 < steps)
        sheet->result = (struct result){.variable = NULL};
}

static void place(struct sheet *sheet) {
    int x = sheet->lead;
    for (int i = 0; i < sheet->count; i++) {
        sheet->columns[i].x = x;
        x += sheet->columns[i].width + sheet->gap;
        if (i == sheet->current && has_got_column(sheet)) {
            sheet->got_x = x;
            x += sheet->got_width + sheet->gap;
        }
    }
    if (sheet->result.variable) {
        sheet->result.x = x;
        x += sheet->result.width + sheet->gap;
    }
    sheet->end = x - sheet->gap;
}

/* True if the visible operations have lanes in more than one group, or in none. */
static bool has_groups(const struct sheet *sheet) {
    for (int i = 0; i < sheet->count; i++)
        for (int lane = 0; sheet->columns[i].readable && lane < WARP_LANES; lane++)
            if (sheet->columns[i].operation.present >> lane & 1 &&
                explain_group(&sheet->columns[i].operation, lane) != 0)
                return true;
    return false;
}

/* The operations that fit in `columns` cells. */
static void sheet_fill(struct sheet *sheet, int cells, struct column columns[COLUMNS_MAX]) {
    const struct replay *replay = sheet->moment->replay;
    uint64_t steps = replay->cursor.warp.steps;
    uint64_t most = (uint64_t)clamp(cells / (COLUMN_LEAST + 1), 1, COLUMNS_MAX);
    most = most < steps ? most : steps;
    uint64_t first = first_shown(replay->cursor.position, steps, most);
    for (uint64_t i = 0; i < most; i++)
        read_column(replay, first + i, &columns[i]);
    sheet->columns = columns;
    sheet->count = (int)most;
    sheet->current = (int)(replay->cursor.position - first);
    sheet->bar = 1;
    sheet->lead = LANE_COLUMNS;
    sheet->result = read_result(sheet);
    if (most < steps || !fit_equal(sheet, cells - LANE_COLUMNS)) {
        /* A letter that all lanes share is useless. */
        sheet->bar = has_groups(sheet) ? 1 : 0;
        sheet->lead = LANE_COLUMNS - 1 + sheet->bar;
        fit_beside(sheet, cells - sheet->lead, steps);
    }
    place(sheet);
    sheet->tells_shared = marks_shared(sheet);
    sheet->before = sheet->columns[0].position;
    sheet->after = steps - sheet->before - (uint64_t)sheet->count;
}

/* ---- drawing ---- */

/* True if a question is about the column's call: then nothing may name the call. */
static bool is_asked(const struct sheet *sheet, const struct column *column) {
    return sheet->moment->hide & REPLAY_HIDES_CALL &&
           column->text == sheet->columns[sheet->current].text;
}

/* A heading may be longer than the values, up to the previous column. */
static void draw_label(struct area area, const struct sheet *sheet, int i, int y) {
    const struct column *column = &sheet->columns[i];
    bool current = i == sheet->current;
    struct style style = style_role(current ? STYLE_ACTIVE : STYLE_LABEL);
    int most = column->width + (i == 0 ? 1 : sheet->gap - 1);
    char label[OPERATION_LABEL];
    column_label(column, label);
    if (is_asked(sheet, column))
        strcpy(label, "?");
    shorten_label(column, most, label);
    int cells = clamp(utf8_columns(label), column->width, most);
    int x = column->x + column->width - cells;
    for (int k = 0; current && k < cells; k++)
        area_glyph(area, x + k, y, ' ', style);
    draw_value(area, x, y, cells, label, style);
}

/* A row with the name of each operation and, if there is room, a row above it with its number. */
static void draw_head(struct area area, const struct sheet *sheet, int rows) {
    for (int i = 0; i < sheet->count; i++) {
        const struct column *column = &sheet->columns[i];
        char number[24];
        if (rows > 1) {
            snprintf(number, sizeof number, "%llu", (unsigned long long)column->position + 1);
            draw_value(area, column->x, 0, column->width, number, style_role(STYLE_DIM));
        }
        draw_label(area, sheet, i, rows - 1);
        area_hit(area, column->x, 0, column->width, area.rows, ACTION_OPERATION_GO,
                 (int64_t)column->position);
    }
    if (has_got_column(sheet))
        draw_value(area, sheet->got_x, rows - 1, sheet->got_width, _("got"),
                   style_role(STYLE_LABEL));
    if (sheet->result.variable && rows > 1)
        draw_value(area, sheet->result.x, 0, sheet->result.width, sheet->result.variable->name,
                   style_role(STYLE_DIM));
    if (sheet->result.variable)
        draw_value(area, sheet->result.x, rows - 1, sheet->result.width, _("after"),
                   style_role(STYLE_LABEL));
}

static struct style cell_style(const struct sheet *sheet, const struct column *column, int lane) {
    int group = explain_group(&column->operation, lane);
    if (group > 0 && is_asked(sheet, column))
        group = 0; /* groups reveal the width */
    struct style style =
        group < 0 ? style_role(STYLE_UNDEFINED) : (struct style){STYLE_GROUP, (uint8_t)group, 0};
    if (column->position > sheet->moment->replay->cursor.position)
        style = style_with(style, STYLE_FAINT);
    if (column->position == sheet->moment->replay->cursor.position)
        style = style_with(style, STYLE_BOLD);
    return style;
}

static void draw_result(struct area area, int y, const struct sheet *sheet, int lane) {
    const struct result *result = &sheet->result;
    char text[WARP_VALUE_TEXT];
    struct style style = warp_has_lane(result->doubtful, lane) ? style_role(STYLE_UNDEFINED)
                         : warp_has_lane(result->set, lane)    ? style_role(STYLE_PLAIN)
                                                               : style_role(STYLE_ABSENT);
    if (sheet->current + 1 < sheet->count)
        style = style_with(style, STYLE_FAINT);
    draw_value(area, result->x, y, result->width, result_text(result, lane, text), style);
}

static void draw_got(struct area area, int y, const struct sheet *sheet, int lane) {
    const struct moment *moment = sheet->moment;
    bool known = moment_shows_out(moment) && moment_present(moment, lane);
    draw_value(area, sheet->got_x, y, sheet->got_width, known ? moment->out[lane] : "·",
               known ? moment_out_style(moment, lane) : style_role(STYLE_DIM));
}

static void draw_row(struct area area, int y, const struct sheet *sheet, int lane) {
    const struct moment *moment = sheet->moment;
    struct style style = moment_lane_style(moment, lane);
    if (moment->has_groups && sheet->bar > 0)
        area_glyph(area, 0, y, (uint32_t)moment_letter(moment, lane),
                   moment_group_style(moment, lane));
    area_glyph(area, sheet->bar, y, 0x258c, moment_group_style(moment, lane));
    area_format(area, sheet->bar + 1, y, moment_number_style(moment, lane), "%2d", lane);
    uint32_t mark = moment_mark(moment, lane, &style);
    if (mark)
        area_glyph(area, sheet->bar + 3, y, mark, style);
    area_hit(area, 0, y, sheet->lead, 1, ACTION_LANE_GO, lane);
    for (int i = 0; i < sheet->count; i++) {
        const struct column *column = &sheet->columns[i];
        char value[WARP_VALUE_TEXT];
        /* Later values would reveal the effect of this operation. */
        bool later = i > sheet->current && moment->hide & (REPLAY_HIDES_OUT | REPLAY_HIDES_LATER);
        bool hidden = later || (i == sheet->current && moment->hide & REPLAY_HIDES_IN);
        bool absent = !column->readable || !(column->operation.present >> lane & 1);
        if (hidden || absent) /* a hidden value stays blank: a question mark means undefined */
            draw_value(area, column->x, y, column->width, hidden ? "" : "·",
                       style_role(STYLE_ABSENT));
        else
            draw_value(area, column->x, y, column->width,
                       explain_in_marked(&column->operation, lane, value),
                       cell_style(sheet, column, lane));
        if (!hidden && sheet->tells_shared && shares_value(sheet, i, lane))
            area_flag(area, column->x + column->width - column->values, y, column->values, 1,
                      STYLE_SELECTED);
        if (i == sheet->current && has_got_column(sheet))
            draw_got(area, y, sheet, lane);
    }
    if (sheet->result.variable)
        draw_result(area, y, sheet, lane);
    if (moment_selects(moment, lane))
        area_flag(area, 0, y, sheet->end, 1, STYLE_SELECTED);
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
                 (unsigned long long)sheet->before + sheet->after);
    area_text_clipped(area, 0, area.rows - 1, area.columns, text, style_role(STYLE_DIM));
}

int history_natural_columns(const struct moment *moment) {
    const struct replay *replay = moment->replay;
    const uint64_t steps = replay->cursor.warp.steps;
    const uint64_t count = steps < COLUMNS_MAX ? steps : COLUMNS_MAX;
    const uint64_t first = first_shown(replay->cursor.position, steps, count);
    int width = clamp(moment->out_columns, COLUMN_ALIKE, WARP_VALUE_TEXT);
    for (uint64_t i = 0; i < count; i++) {
        struct column column;
        char label[OPERATION_LABEL];
        read_column(replay, first + i, &column);
        width = clamp(value_width(&column, WARP_VALUE_TEXT), width, WARP_VALUE_TEXT);
        const int named = utf8_columns(column_label(&column, label)) - 2;
        width = clamp(named, width, VALUE_MOST);
    }
    return LANE_COLUMNS + 2 + ((int)count + 1) * (width + 3);
}

void draw_history(struct area area, const struct moment *moment) {
    struct column columns[COLUMNS_MAX];
    bool whole = area.rows >= WARP_LANES + 1;
    struct sheet sheet = {.moment = moment, .headed = whole || area.rows > ROW_HALF};
    int half = whole ? area.columns - 2 : (area.columns - 3) / 2;
    sheet_fill(&sheet, half, columns);
    int lanes = whole ? WARP_LANES : ROW_HALF;
    draw_part(area_within(area, 1, 0, half, area.rows), &sheet, 0, lanes);
    if (!whole)
        draw_part(area_within(area, half + 3, 0, half, area.rows), &sheet, lanes, lanes);
    if (area.rows > lanes + 2)
        draw_outside(area, &sheet);
}
