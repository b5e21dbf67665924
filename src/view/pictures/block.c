/*
 * block.c - the state of a block: a row for each warp, with the elements that it takes, what one
 * lane passes to each operation of the first reduction, and the cell of shared memory that it
 * writes; then the lanes that read the cells, and their reduction.
 *
 *     in[0..255]  000000111111222222333333000000111111222222333333
 *     warp  takes                     down 16   8    4 ...  after   shared memory
 *     ▸ 0   in[0..31], in[128..159]     130   292  616       4624   sums[0] 4624 → warp 0 lane 0
 *
 * A wide screen has the second part beside the first, so that a cell and the lane that reads it
 * share a row; a narrow screen has it below. A value that is not known yet is "…".
 */
#include "replay/pages/block.h"
#include "base/message.h"
#include "base/text.h"
#include "explain/origins.h"
#include "replay/lines.h"
#include "view/moment.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEAD         6 /* "▸ 31  " */
#define TAKES_LEAST  8
#define TAKES_MOST   18 /* at 80 columns */
#define STEPS_MOST   16 /* the most operations that have a column */
#define VALUE_LEAST  3
#define SECOND_LEAD  20 /* "warp 31, lane   " */
#define LINES_LEAST  14 /* rows below, for the program's lines */
#define CELL_TEXT    96
#define CELL_LEAST   22
#define HEAD_ROWS    4 /* title, input, its legend, headings */
#define MISSING_ROWS 3
#define RESULT_ROWS  2
#define SIGN_NOT_YET 0x2026
#define SIGN_NO_CALL 0x00b7

/* The columns of one stage. */
struct stage {
    uint64_t first, count; /* operations of the warp that have a column */
    int width;             /* of a value */
};

struct sheet {
    struct block block;
    struct stage one, two;
    int second; /* the warp that has a second stage; -1: none */
    int lane;
    int here;              /* the current warp; -1: none */
    int takes;             /* columns */
    const char *one_array; /* the array of all cells; NULL if there are several */
};

/* ---- one value ---- */

static const char *value_text(const struct block_value *value, char buffer[WARP_VALUE_TEXT]) {
    if (!value->is_known)
        return "";
    if (!value->has_come)
        return "…";
    warp_value_format(value->type, value->bits, buffer);
    const size_t length = strlen(buffer);
    if (value->is_doubtful && length + 1 < WARP_VALUE_TEXT)
        memcpy(buffer + length, "?", 2);
    return buffer;
}

static void draw_block_value(struct area area, int x, int y, int width,
                             const struct block_value *value, struct style style) {
    char buffer[WARP_VALUE_TEXT];
    if (!value->is_known)
        return;
    if (!value->has_come)
        area_glyph(area, x + width - 1, y, SIGN_NOT_YET, style_role(STYLE_DIM));
    else
        draw_value(area, x, y, width, value_text(value, buffer),
                   value->is_doubtful ? style_role(STYLE_UNDEFINED) : style);
}

/* ---- reading ---- */

/* The replay's moment, except that an operation is shown with its result unless a question asks for
 * the result. */
static struct block_time time_of(const struct replay *replay, bool asked) {
    const struct cursor *cursor = &replay->cursor;
    const struct trace_lines *lines = replay_lines(replay);
    struct block_time time = {.launch = cursor->warp.launch,
                              .block = cursor->warp.block,
                              .warp = cursor->warp.warp,
                              .steps = cursor->step.number + (asked ? 0 : 1),
                              .lines = SIZE_MAX};
    if (lines && !asked) {
        time.lines = replay_line(replay) + 1;
        time.steps = lines->lines[time.lines - 1].step;
    }
    return time;
}

static int wider(int width, const struct block_value *value) {
    struct block_value whole = *value;
    char buffer[WARP_VALUE_TEXT];
    whole.has_come = true; /* columns do not move as values arrive */
    const int columns = utf8_columns(value_text(&whole, buffer));
    return columns > width ? columns : width;
}

static struct stage stage_of(uint64_t first, uint64_t end) {
    const int after = utf8_columns(_("after"));
    struct stage stage = {.first = first, .width = after > VALUE_LEAST ? after : VALUE_LEAST};
    stage.count = end - first < STEPS_MOST ? end - first : STEPS_MOST;
    return stage;
}

/* The last operation of the warp in a stage. */
static uint64_t last_of(const struct block *block, const struct stage *stage, int warp) {
    const struct block_warp *of = &block->warp[warp];
    const uint64_t end =
        block_trimmed(block, warp, stage->first < of->second ? of->second : of->steps.steps);
    return end > 0 ? end - 1 : 0;
}

static void measure_stage(const struct block *block, struct stage *stage, int warp,
                          uint32_t lanes) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!warp_has_lane(lanes, lane))
            continue;
        for (uint64_t i = 0; i < stage->count; i++) {
            const struct block_value value = block_input(block, warp, stage->first + i, lane);
            stage->width = wider(stage->width, &value);
        }
        const struct block_value after =
            block_after(block, warp, last_of(block, stage, warp), lane);
        stage->width = wider(stage->width, &after);
    }
}

/* The lanes with a row in the second part: those that read a cell or, if none does,
 * those that take part in its first operation. */
static uint32_t second_lanes(const struct sheet *sheet) {
    const struct block *block = &sheet->block;
    uint32_t lanes = 0;
    if (sheet->second < 0)
        return 0;
    for (size_t i = 0; i < block->cell_count; i++)
        if (block->cells[i].reader == sheet->second)
            lanes |= block->cells[i].readers;
    for (int lane = 0; !lanes && lane < WARP_LANES; lane++)
        if (block_input(block, sheet->second, sheet->two.first, lane).is_known)
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

/* "0..31, 128..159" for the array whose elements are shown, "w[0], in[0..31]" for several arrays.
 * False if nothing is known. */
static bool append_takes(struct text *text, const struct block *block, int warp, int lane) {
    struct text whole = TEXT_INIT;
    const bool any = block_takes(block, warp, lane, &whole);
    const char *name = any && block->element_count ? block->origins->texts[block->array] : "";
    const size_t length = strlen(name);
    bool is_one = length > 0;
    for (const char *at = whole.data; any && is_one && *at; at += strcspn(at, " ") + 1) {
        is_one = strncmp(at, name, length) == 0 && at[length] == '[';
        if (!at[strcspn(at, " ")])
            break;
    }
    for (const char *at = whole.data; any && *at; at++)
        if (!is_one)
            text_append_char(text, *at);
        else if (strncmp(at, name, length) == 0 && at[length] == '[')
            at += length;
        else if (*at != ']')
            text_append_char(text, *at);
    text_release(&whole);
    return any;
}

static const char *array_of_cells(const struct block *block) {
    for (size_t i = 1; i < block->cell_count; i++)
        if (block->cells[i].array != block->cells[0].array)
            return NULL;
    return block->cell_count ? block->origins->texts[block->cells[0].array] : NULL;
}

static void measure_takes(struct sheet *sheet, int columns) {
    const int most = TAKES_MOST + (columns - 80) / 3;
    for (unsigned i = 0; i < sheet->block.warp_count; i++) {
        struct text takes = TEXT_INIT;
        if (append_takes(&takes, &sheet->block, (int)i, -1) &&
            utf8_columns(takes.data) > sheet->takes)
            sheet->takes = utf8_columns(takes.data);
        text_release(&takes);
    }
    sheet->takes = sheet->takes < most ? sheet->takes : most;
}

static void begin(struct sheet *sheet, const struct trace *trace, const struct block_time *time,
                  int lane, int columns) {
    *sheet = (struct sheet){.lane = lane, .here = (int)time->warp, .takes = TAKES_LEAST};
    struct block *block = &sheet->block;
    uint64_t end = 0;
    block_read(block, trace, time);
    sheet->second = block_second_warp(block);
    sheet->one_array = array_of_cells(block);
    for (unsigned i = 0; i < block->warp_count; i++)
        if (block_trimmed(block, (int)i, block->warp[i].second) > end)
            end = block_trimmed(block, (int)i, block->warp[i].second);
    sheet->one = stage_of(0, end);
    for (unsigned i = 0; i < block->warp_count; i++)
        measure_stage(block, &sheet->one, (int)i, UINT32_C(1) << lane);
    measure_takes(sheet, columns);
    if (sheet->second < 0)
        return;
    const struct block_warp *warp = &block->warp[sheet->second];
    sheet->two = stage_of(warp->second, block_trimmed(block, sheet->second, warp->steps.steps));
    measure_stage(block, &sheet->two, sheet->second, second_lanes(sheet));
}

static void begin_now(struct sheet *sheet, const struct moment *moment, int columns) {
    const struct block_time time =
        time_of(moment->replay, moment->asked || moment->hide || !moment->operation);
    begin(sheet, moment->replay->cursor.trace, &time, moment->replay->lane, columns);
}

static void end(struct sheet *sheet) {
    block_release(&sheet->block);
}

/* ---- the input ---- */

static char warp_digit(unsigned warp) {
    return (char)(warp < 10 ? '0' + warp : 'a' + warp - 10);
}

/* The warp that takes the elements of one column; '+' if there are several. */
static char owner_of(const struct block *block, size_t first, size_t each, unsigned *warp) {
    uint8_t owner = BLOCK_ELEMENT;
    for (size_t i = first; i < first + each && i < block->element_count; i++) {
        const uint8_t here = block->owner[i];
        if (here == BLOCK_SHARED ||
            (owner != BLOCK_ELEMENT && here != BLOCK_ELEMENT && here != owner))
            return '+';
        owner = here == BLOCK_ELEMENT ? owner : here;
    }
    *warp = owner;
    return owner == BLOCK_ELEMENT ? '.' : warp_digit(owner);
}

/* "in[0..255]  000111222333000111222333", and a row that explains the digits. */
static void draw_input(struct area area, int y, const struct sheet *sheet) {
    const struct block *block = &sheet->block;
    char label[160];
    const size_t count = block->element_count;
    int length =
        snprintf(label, sizeof label, "%.60s[%" PRIu64 "..%" PRIu64 "]  ",
                 block->origins->texts[block->array], block->first, block->first + count - 1);
    const int room = area.columns - length - 2;
    size_t each = 1; /* a power of 2, so that columns do not straddle warps */
    while (room > 0 && (count + each - 1) / each > (size_t)room)
        each *= 2;
    int x = area_text(area, 1, y, label, style_role(STYLE_LABEL));
    for (size_t i = 0; i < count; i += each) {
        unsigned warp = 0;
        const char digit = owner_of(block, i, each, &warp);
        const bool here = (int)warp == sheet->here && digit != '+' && digit != '.';
        struct style style = {STYLE_GROUP, (uint8_t)(warp % WARP_LANES), here ? STYLE_BOLD : 0};
        if (digit == '.' || digit == '+')
            style = style_role(STYLE_DIM);
        x = area_glyph(area, x, y, (uint32_t)digit, style);
    }
    if (y + 1 >= area.rows)
        return;
    if (each > 1)
        snprintf(label, sizeof label, _("each digit is the warp that takes %zu elements"), each);
    else
        snprintf(label, sizeof label, "%s", _("each digit is the warp that takes one element"));
    area_text_clipped(area, 1 + length, y + 1, room, label, style_role(STYLE_DIM));
}

/* ---- the first stage ---- */

static struct style style_of_warp(unsigned warp) {
    return (struct style){STYLE_GROUP, (uint8_t)(warp % WARP_LANES), 0};
}

static int draw_labels(struct area area, int x, int y, const struct sheet *sheet, int warp,
                       const struct stage *stage) {
    const struct block *block = &sheet->block;
    for (uint64_t i = 0; i < stage->count && x + stage->width <= area.columns; i++) {
        struct trace_step step;
        char label[OPERATION_LABEL] = "";
        const struct trace_warp *steps = &block->warp[warp].steps;
        if (trace_step(block->trace, trace_warp_step(block->trace, steps, stage->first + i), &step,
                       NULL) == 0) {
            const struct trace_site *site = trace_site(block->trace, step.site);
            operation_label(&step.operation, site ? site->text : NULL, label);
            if (warp_op_is_access(step.operation.op) || warp_op_is_reduce(step.operation.op))
                memmove(label, strchr(label, '_') + 1, strlen(strchr(label, '_')));
        }
        draw_value(area, x, y, stage->width, label, style_role(STYLE_LABEL));
        x += stage->width + 1;
    }
    if (block->origins && x + stage->width <= area.columns)
        draw_value(area, x, y, stage->width, _("after"), style_role(STYLE_LABEL));
    return x + stage->width + 2;
}

/* The lane's values before the operations of a stage, and after the last. */
static int draw_values(struct area area, int x, int y, const struct sheet *sheet, int warp,
                       int lane, const struct stage *stage) {
    const struct block *block = &sheet->block;
    const uint64_t done = block->warp[warp].done;
    for (uint64_t i = 0; i < stage->count && x + stage->width <= area.columns; i++) {
        const struct block_value value = stage->first + i <= last_of(block, stage, warp)
                                             ? block_input(block, warp, stage->first + i, lane)
                                             : (struct block_value){.is_known = false};
        const bool now = stage->first + i + 1 == done;
        if (!value.is_known && stage->first + i < block->warp[warp].done)
            area_glyph(area, x + stage->width - 1, y, SIGN_NO_CALL, style_role(STYLE_ABSENT));
        draw_block_value(area, x, y, stage->width, &value,
                         now ? style_bold(STYLE_CHANGED) : style_role(STYLE_PLAIN));
        x += stage->width + 1;
    }
    const struct block_value after = block_after(block, warp, last_of(block, stage, warp), lane);
    if (x + stage->width <= area.columns)
        draw_block_value(area, x, y, stage->width, &after,
                         style_with(style_of_warp((unsigned)warp), STYLE_BOLD));
    return x + stage->width + 2;
}

/* The warp's cells: "sums[0] 4624 → warp 0 lane 0", or "tile[0..31] → warp 1" for many. */
static void draw_cells(struct area area, int x, int y, const struct sheet *sheet, unsigned warp) {
    const struct block *block = &sheet->block;
    const struct block_cell *first = NULL, *last = NULL;
    char text[CELL_TEXT], value[WARP_VALUE_TEXT];
    for (size_t i = 0; i < block->cell_count; i++)
        if (block->cells[i].warp == (int)warp) {
            first = first ? first : &block->cells[i];
            last = block->cells[i].array == first->array ? &block->cells[i] : last;
        }
    if (!first)
        return;
    const char *name = sheet->one_array ? "" : block->origins->texts[first->array];
    const bool has_come = first->value.has_come;
    if (first == last)
        snprintf(text, sizeof text, "%.40s[%" PRIu64 "] ", name, first->index);
    else
        snprintf(text, sizeof text, "%.40s[%" PRIu64 "..%" PRIu64 "] ", name, first->index,
                 last->index);
    x = area_text(area, x, y, text, style_role(has_come ? STYLE_PLAIN : STYLE_DIM));
    if (first == last || !has_come)
        x = area_text(area, x, y, value_text(&first->value, value),
                      has_come ? style_with(style_of_warp(warp), STYLE_BOLD)
                               : style_role(STYLE_DIM));
    if (first->reader < 0)
        return;
    if (first == last && (first->readers & (first->readers - 1)) == 0)
        snprintf(text, sizeof text, _("warp %d lane %d"), first->reader,
                 __builtin_ctz(first->readers));
    else
        snprintf(text, sizeof text, _("warp %d"), first->reader);
    if (x + 3 + utf8_columns(text) > area.columns)
        return;
    x = area_glyph(area, x + 1, y, 0x2192, style_role(STYLE_DIM));
    area_text(area, x + 1, y, text, style_role(STYLE_DIM));
}

static void draw_takes(struct area area, int y, const struct sheet *sheet, unsigned warp) {
    struct text takes = TEXT_INIT;
    if (append_takes(&takes, &sheet->block, (int)warp, -1))
        area_text_clipped(area, LEAD, y, sheet->takes, takes.data, style_of_warp(warp));
    text_release(&takes);
}

static void draw_warp(struct area area, int y, const struct sheet *sheet, unsigned warp) {
    const struct block *block = &sheet->block;
    const bool here = (int)warp == sheet->here;
    if (here)
        area_glyph(area, 0, y, 0x25b8, style_bold(STYLE_KEY));
    area_format(area, 2, y, here ? style_bold(STYLE_LABEL) : style_role(STYLE_LABEL), "%2u", warp);
    if (!block->warp[warp].is_here) {
        area_text_clipped(area, LEAD, y, area.columns - LEAD, _("has no operation"),
                          style_role(STYLE_ABSENT));
        return;
    }
    int x = LEAD;
    if (block->origins) {
        draw_takes(area, y, sheet, warp);
        x += sheet->takes + 2;
    }
    x = draw_values(area, x, y, sheet, (int)warp, sheet->lane, &sheet->one);
    draw_cells(area, x, y, sheet, warp);
    if (here)
        area_flag(area, 0, y, area.columns, 1, STYLE_SELECTED);
}

static int rows_for(int most, unsigned wanted) {
    return most < (int)wanted ? most : (int)wanted;
}

/* The first visible row, chosen so that a given row is visible. */
static unsigned first_row(unsigned row, unsigned count, unsigned rows) {
    const unsigned first = row > rows / 2 ? row - rows / 2 : 0;
    return count <= rows ? 0 : first + rows > count ? count - rows : first;
}

/* The warp whose operations are in the headings. */
static int labelling_warp(const struct sheet *sheet) {
    const struct block *block = &sheet->block;
    if (sheet->here >= 0 && block->warp[sheet->here].steps.steps)
        return sheet->here;
    for (unsigned i = 0; i < block->warp_count; i++)
        if (block->warp[i].steps.steps)
            return (int)i;
    return 0;
}

/* Returns the row below. */
static int draw_first(struct area area, int y, const struct sheet *sheet, int most) {
    const struct block *block = &sheet->block;
    const unsigned rows = (unsigned)rows_for(most - 1, block->warp_count);
    const unsigned from =
        first_row(sheet->here < 0 ? 0 : (unsigned)sheet->here, block->warp_count, rows);
    int x = LEAD;
    area_text(area, 1, y, _("warp"), style_role(STYLE_LABEL));
    if (block->origins) {
        area_text_clipped(area, LEAD, y, sheet->takes, _("takes"), style_role(STYLE_LABEL));
        x += sheet->takes + 2;
    }
    x = draw_labels(area, x, y, sheet, labelling_warp(sheet), &sheet->one);
    if (block->cell_count)
        area_text_clipped(area, x, y, area.columns - x,
                          sheet->one_array ? sheet->one_array : _("shared memory"),
                          style_role(STYLE_LABEL));
    for (unsigned i = 0; i < rows; i++)
        draw_warp(area, y + 1 + (int)i, sheet, from + i);
    return y + 1 + (int)rows;
}

/* ---- the second stage ---- */

static void draw_read(struct area area, int x, int y, int columns, const struct sheet *sheet,
                      int lane) {
    const struct block *block = &sheet->block;
    char text[CELL_TEXT];
    for (size_t i = 0; i < block->cell_count; i++) {
        const struct block_cell *cell = &block->cells[i];
        if (cell->reader != sheet->second || !warp_has_lane(cell->readers, lane))
            continue;
        snprintf(text, sizeof text, "%.40s[%" PRIu64 "]", block->origins->texts[cell->array],
                 cell->index);
        area_text_clipped(area, x, y, columns, text,
                          cell->value.has_come ? style_of_warp((unsigned)cell->warp)
                                               : style_role(STYLE_DIM));
        return;
    }
}

static int read_columns(const struct sheet *sheet) {
    const struct block *block = &sheet->block;
    int columns = 0;
    for (size_t i = 0; i < block->cell_count; i++) {
        char text[CELL_TEXT];
        snprintf(text, sizeof text, "%.40s[%" PRIu64 "]",
                 block->origins->texts[block->cells[i].array], block->cells[i].index);
        columns = utf8_columns(text) > columns ? utf8_columns(text) : columns;
    }
    return columns;
}

static void draw_second(struct area area, int y, const struct sheet *sheet, int most) {
    const uint32_t lanes = second_lanes(sheet);
    const unsigned count = (unsigned)__builtin_popcount(lanes);
    const unsigned rows = (unsigned)rows_for(most - 1, count);
    const int reads = read_columns(sheet);
    char text[64];
    snprintf(text, sizeof text, _("warp %d, lane"), sheet->second);
    int x = 1 + utf8_columns(text) + 2;
    area_text(area, 1, y, text, style_role(STYLE_LABEL));
    if (reads)
        area_text_clipped(area, x, y, reads, _("reads"), style_role(STYLE_LABEL));
    const int values = x + (reads ? reads + 2 : 0);
    draw_labels(area, values, y, sheet, sheet->second, &sheet->two);
    unsigned row = 0;
    for (int lane = 0; lane < WARP_LANES && row < rows; lane++) {
        if (!warp_has_lane(lanes, lane))
            continue;
        const int at = y + 1 + (int)row++;
        area_format(area, x - 4, at, style_role(STYLE_LABEL), "%2d", lane);
        draw_read(area, x, at, reads, sheet, lane);
        draw_values(area, values, at, sheet, sheet->second, lane, &sheet->two);
    }
    if (rows < count && most > 1)
        area_format(area, 1, y + (int)rows, style_role(STYLE_DIM), "+%u", count - rows);
}

/* ---- the results ---- */

static void draw_result(struct area area, int y, const struct sheet *sheet) {
    const struct block *block = &sheet->block;
    struct origin_terms terms;
    struct text text = TEXT_INIT;
    char value[WARP_VALUE_TEXT];
    if (block->result_count == 0 || y >= area.rows)
        return;
    const struct block_result *result = &block->results[0];
    text_append_format(&text, "%s[%" PRIu64 "] = ", block->origins->texts[result->array],
                       result->index);
    if (result->value.has_come) {
        text_append_format(&text, _("%s, by warp %d lane %d: "), value_text(&result->value, value),
                           result->warp, result->lane);
        origins_collect(block->origins, result->node, &terms);
        origins_append_terms(&text, block->origins, &terms);
        origins_terms_release(&terms);
    } else {
        text_append(&text, _("…   (… has not happened yet)"));
    }
    area_text_clipped(area, 1, y, area.columns - 2, text.data,
                      result->value.has_come ? style_bold(STYLE_TITLE) : style_role(STYLE_DIM));
    text_release(&text);
}

/* ---- everything together ---- */

static int draw_head(struct area area, const struct sheet *sheet) {
    const struct block *block = &sheet->block;
    const struct trace_launch *launch = trace_launch(block->trace, block->time.launch);
    char text[256];
    snprintf(text, sizeof text, _("block %llu of %.80s   threads %u   warps %u   lane %d of each"),
             (unsigned long long)block->time.block, launch ? launch->kernel : "", block->threads,
             block->warp_count, sheet->lane);
    area_text_clipped(area, 1, 0, area.columns - 2, text, style_bold(STYLE_TITLE));
    if (block->element_count == 0)
        return 1;
    draw_input(area, 1, sheet);
    return 3;
}

static void draw_missing(struct area area, int y, const struct sheet *sheet, bool is_coming) {
    if (sheet->block.origins || y >= area.rows)
        return;
    area_text_wrapped(
        area_within(area, 1, 0, area.columns - 2, area.rows), y, 0,
        is_coming
            ? _("Running once more, to record what values are made of. Esc stops it.")
            : _("This recording does not say what passes through shared memory or which elements a "
                "warp takes. Running the program on the CPU warp with --warps records both."),
        style_role(STYLE_DIM));
}

static int stage_columns(const struct stage *stage) {
    return (int)(stage->count + 1) * (stage->width + 1) + 1;
}

/* The columns that the first part needs, including its cells, and those of the second part. */
static int first_columns(const struct sheet *sheet) {
    const int cells = sheet->block.cell_count ? read_columns(sheet) + WARP_LANES : 0;
    return LEAD + (sheet->block.origins ? sheet->takes + 2 : 0) + stage_columns(&sheet->one) +
           cells;
}
static int second_columns(const struct sheet *sheet) {
    return SECOND_LEAD + read_columns(sheet) + 2 + stage_columns(&sheet->two);
}

/* Returns the row below the picture. */
static int draw_parts(struct area area, const struct sheet *sheet) {
    const int head = draw_head(area, sheet), room = area.rows - head;
    const unsigned lanes = (unsigned)__builtin_popcount(second_lanes(sheet));
    const unsigned warps = sheet->block.warp_count;
    if (!lanes || room < 8) {
        const int y = draw_first(area, head, sheet, room - 2);
        draw_result(area, y + 1, sheet);
        return y + 2;
    }
    if (area.columns >= first_columns(sheet) + 1 + second_columns(sheet)) {
        const int left = first_columns(sheet);
        const int rows = rows_for(room - 3, warps > lanes ? warps : lanes) + 1;
        draw_first(area_within(area, 0, 0, left, area.rows), head, sheet, rows);
        draw_divider(area_within(area, 0, head, area.columns, rows), left);
        draw_second(area_within(area, left + 1, 0, area.columns - left - 1, area.rows), head, sheet,
                    rows);
        draw_result(area, head + rows + 1, sheet);
        return head + rows + 2;
    }
    const int half = (room - 3) / 2;
    const int second = (int)lanes + 1 < half ? (int)lanes + 1 : half;
    int y = draw_first(area, head, sheet, room - 3 - second);
    draw_second(area, y + 1, sheet, second);
    draw_result(area, y + 1 + second + 1, sheet);
    return y + 1 + second + 2;
}

int block_rows(const struct replay *replay) {
    const struct trace_launch *launch =
        trace_launch(replay->cursor.trace, replay->cursor.warp.launch);
    const uint32_t threads = launch ? trace_block_threads(launch) : WARP_LANES;
    return HEAD_ROWS + (int)((threads + WARP_LANES - 1) / WARP_LANES) + RESULT_ROWS;
}

void draw_block(struct area area, const struct moment *moment) {
    struct sheet sheet;
    begin_now(&sheet, moment, area.columns);
    const int y = draw_parts(area, &sheet);
    draw_missing(area, y, &sheet, moment->replay->can_detail);
    if (area.rows - y >= LINES_LEAST && replay_lines(moment->replay)) {
        draw_rule(area, y);
        draw_variables(area_within(area, 0, y + 1, area.columns, area.rows - y - 1), moment);
    }
    end(&sheet);
}

/* "warp 1 lane 0 takes in[32], in[160]". */
bool block_sentence(const struct moment *moment, char *buffer, size_t size) {
    struct text text = TEXT_INIT;
    struct sheet sheet;
    if (replay_view(moment->replay) != VIEW_BLOCK)
        return false;
    begin_now(&sheet, moment, 80);
    text_append_format(&text, _("warp %u lane %d takes "), sheet.block.time.warp, sheet.lane);
    const bool any = block_takes(&sheet.block, (int)sheet.block.time.warp, sheet.lane, &text);
    if (any)
        snprintf(buffer, size, "%s", text.data);
    text_release(&text);
    end(&sheet);
    return any;
}

void view_draw_block_table(struct grid *grid, const struct trace *trace, uint32_t launch,
                           uint64_t number, int columns) {
    const struct block_time time = {
        .launch = launch, .block = number, .steps = UINT64_MAX, .lines = SIZE_MAX};
    struct sheet sheet;
    begin(&sheet, trace, &time, 0, columns);
    sheet.here = -1;
    const int needed = first_columns(&sheet) > second_columns(&sheet) ? first_columns(&sheet)
                                                                      : second_columns(&sheet);
    const int rows = (int)sheet.block.warp_count + __builtin_popcount(second_lanes(&sheet));
    grid_resize(grid, needed > columns ? needed : columns, rows + HEAD_ROWS + 8);
    const struct area area = grid_area(grid);
    const int end_row = draw_parts(area, &sheet);
    draw_missing(area, end_row, &sheet, false);
    grid->rows = sheet.block.origins ? end_row : end_row + MISSING_ROWS;
    end(&sheet);
}
