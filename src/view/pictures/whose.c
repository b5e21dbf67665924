/*
 * whose.c - the origins of values: a row for each lane, a column for each element of the input, and
 * in each cell how often the element is part of the lane's value.
 *
 *     Whose values are in sum after line 8?
 *          in[0..31]
 *          0----+----1----+----2----+----3-
 *      16  ................2222222222222222
 *
 * The last rows have the selected lane's sentence, with all its terms. If the input has more
 * elements than there are columns, a column stands for several; if lanes have elements of several
 * arrays, the columns are those of the array with the most terms.
 */
#include "replay/whose.h"
#include "base/message.h"
#include "base/text.h"
#include "explain/origins.h"
#include "replay/lines.h"
#include "view/moment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LANE_COLUMNS 5 /* "▸31  " */
#define HEAD_ROWS    3 /* question, array, ruler */
#define CODE_ROWS    5 /* source around a line at which a result goes wrong */

/* The most ranges of elements that a sentence lists here. */
#define MISCOUNT_PARTS 2

struct picture_parts {
    const struct moment *moment;
    struct whose whose;
    struct origin_terms terms[WARP_LANES];
    struct miscounts miscounts;
    struct origin_columns columns;
    uint64_t each; /* elements per column */
    bool has_columns;
};

static void begin(struct picture_parts *parts, const struct moment *moment) {
    *parts = (struct picture_parts){.moment = moment};
    whose_read(moment->replay, &parts->whose);
    for (int lane = 0; parts->whose.origins && lane < WARP_LANES; lane++)
        if (warp_has_lane(parts->whose.lanes, lane))
            origins_collect(parts->whose.origins, parts->whose.node[lane], &parts->terms[lane]);
    whose_miscounts(moment->replay, &parts->miscounts);
    parts->has_columns = origins_columns(parts->terms, WARP_LANES, &parts->columns);
}

static void end(struct picture_parts *parts) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        origins_terms_release(&parts->terms[lane]);
    miscounts_release(&parts->miscounts);
}

/* ---- how to record them ---- */

/* The commands that make such a recording, with the names of the current one. */
static void append_commands(struct text *text, const struct moment *moment,
                            const struct whose *whose) {
    const struct trace_lines *lines = replay_lines(moment->replay);
    const char *file = moment->site && moment->site->file[0] ? moment->site->file : "FILE.cu";
    if (lines)
        file =
            trace_function(lines->trace, lines->lines[replay_line(moment->replay)].function)->file;
    text_append_format(text, "shflviz run %s --whose '", file);
    if (whose->variable)
        text_append_format(text, "%s@%" PRIu32, whose->variable->name, whose->line);
    else
        text_append(text, "NAME@LINE");
    text_append(text, "' -o whose.svt\nshflviz replay whose.svt");
}

static void draw_none(struct area area, const struct moment *moment, const struct whose *whose) {
    struct text text = TEXT_INIT;
    const struct trace *trace = moment->replay->cursor.trace;
    int y = 0;
    if (moment->replay->can_detail) {
        area_text_wrapped(area, y, 0,
                          _("Running once more, to record what values are made of. Esc stops it."),
                          style_role(STYLE_PLAIN));
        return;
    }
    if (trace_note(trace, TRACE_NOTE_ORIGINS_CUT)) {
        area_text_wrapped(area, y, 0,
                          _("This run computes too many values to trace what each is made of; "
                            "fewer blocks or less data can be traced."),
                          style_role(STYLE_DIM));
        return;
    }
    y = area_text_wrapped(area, y, 0,
                          _("This recording does not say what its values are made of. A run of the "
                            "program on the CPU warp with --whose records it:"),
                          style_role(STYLE_PLAIN));
    append_commands(&text, moment, whose);
    area_text_wrapped(area_within(area, 2, 0, area.columns - 2, area.rows), y + 1, 2, text.data,
                      style_role(STYLE_CODE_LIT));
    text_release(&text);
}

/* ---- the matrix ---- */

static struct style cell_style(char cell) {
    return cell == '.'   ? style_role(STYLE_DIM)
           : cell == '1' ? style_role(STYLE_PLAIN)
           : cell == '?' ? style_role(STYLE_UNDEFINED)
                         : style_bold(STYLE_CHANGED);
}

static int columns_of(const struct picture_parts *parts) {
    return (int)((parts->columns.last - parts->columns.first) / parts->each) + 1;
}

static void draw_array(struct area area, const struct picture_parts *parts) {
    const struct origin_columns *columns = &parts->columns;
    char label[160];
    int length =
        snprintf(label, sizeof label, "%.64s[%" PRIu64 "..%" PRIu64 "]",
                 parts->whose.origins->texts[columns->array], columns->first, columns->last);
    if (parts->each > 1)
        snprintf(label + length, sizeof label - (size_t)length, _("  %llu per column"),
                 (unsigned long long)parts->each);
    area_text(area, 0, 0, _("lane"), style_role(STYLE_LABEL));
    area_text_clipped(area, LANE_COLUMNS, 0, area.columns - LANE_COLUMNS, label,
                      style_role(STYLE_LABEL));
}

/* Draws a digit for every ten elements, if every element has a column. */
static void draw_ruler(struct area area, const struct picture_parts *parts) {
    for (int i = 0; i < columns_of(parts); i++) {
        const uint64_t index = parts->columns.first + (uint64_t)i * parts->each;
        const uint32_t glyph = parts->each > 1   ? '-'
                               : index % 10 == 0 ? (uint32_t)('0' + index / 10 % 10)
                               : index % 5 == 0  ? '+'
                                                 : '-';
        area_glyph(area, LANE_COLUMNS + i, 0, glyph, style_role(STYLE_DIM));
    }
}

static void draw_lane(struct area area, int y, const struct picture_parts *parts, int lane) {
    const struct origin_columns *columns = &parts->columns;
    const bool has = warp_has_lane(parts->whose.lanes, lane);
    area_format(area, 1, y, has ? style_bold(STYLE_LABEL) : style_role(STYLE_ABSENT), "%2d", lane);
    for (int i = 0; i < columns_of(parts); i++) {
        const uint64_t first = columns->first + (uint64_t)i * parts->each;
        uint64_t last = first + parts->each - 1;
        last = last < columns->last ? last : columns->last;
        const char cell =
            has ? origins_cell(&parts->terms[lane], columns->array, first, last) : ' ';
        area_glyph(area, LANE_COLUMNS + i, y, (uint32_t)cell, cell_style(cell));
    }
    if (moment_selects(parts->moment, lane))
        area_flag(area, 0, y, LANE_COLUMNS + columns_of(parts), 1, STYLE_SELECTED);
    area_hit(area, 0, y, LANE_COLUMNS + columns_of(parts), 1, ACTION_LANE_GO, lane);
}

/* Lists of lanes: one, or two side by side, with the lanes around the selected one if there is no
 * room for all. */
struct lists {
    int count, each, first, columns;
    bool is_low; /* without rows for heads: the last list's ruler is beside the question */
};

static struct lists arrange(struct area area, const struct picture_parts *parts) {
    const int rows = area.rows - HEAD_ROWS;
    struct lists lists = {.count = rows >= WARP_LANES ? 1 : 2};
    const int most = WARP_LANES / lists.count;
    lists.is_low = rows < most && area.rows > most;
    lists.each = lists.is_low || rows > most ? most : rows;
    lists.columns = (area.columns + 1) / lists.count - 1;
    const int last = WARP_LANES - lists.count * lists.each;
    const int wanted = parts->moment->replay->lane - lists.each;
    lists.first = wanted < 0 ? 0 : wanted < last ? wanted : last;
    return lists;
}

static void draw_matrix_of(struct area area, const struct picture_parts *parts,
                           const struct lists *lists) {
    const int head = lists->is_low ? 1 : HEAD_ROWS;
    for (int list = 0; list < lists->count; list++) {
        const struct area part =
            area_within(area, list * (lists->columns + 1), 0, lists->columns, area.rows);
        if (!lists->is_low)
            draw_array(row_of(part, 1), parts);
        if (!lists->is_low || list == lists->count - 1)
            draw_ruler(row_of(part, head - 1), parts);
        for (int i = 0; i < lists->each; i++)
            draw_lane(part, head + i, parts, lists->first + list * lists->each + i);
    }
}

static void draw_question(struct area area, const struct picture_parts *parts) {
    const struct whose *whose = &parts->whose;
    char question[128];
    if (whose->variable)
        snprintf(question, sizeof question, _("Whose values are in %s after line %u?"),
                 whose->variable->name, (unsigned)whose->line);
    else
        snprintf(question, sizeof question, "%s", _("Whose values do the lanes have here?"));
    int x = area_text_clipped(area, 1, 0, area.columns - 1, question, style_bold(STYLE_TITLE));
    const char *legend = _("# more or a part  - subtracted  ? another way  ~ some");
    if (parts->has_columns && x + 3 + utf8_columns(legend) < area.columns)
        area_text(area, area.columns - utf8_columns(legend) - 1, 0, legend, style_role(STYLE_DIM));
}

/* The source around the line at which a result first goes wrong. */
static void draw_miscount(struct area area, const struct picture_parts *parts) {
    const struct moment *moment = parts->moment;
    const struct trace_lines *lines = replay_lines(moment->replay);
    const char *file = moment->site ? moment->site->file : "";
    if (lines)
        file =
            trace_function(lines->trace, lines->lines[replay_line(moment->replay)].function)->file;
    const char *source = trace_source(moment->replay->cursor.trace, file);
    if (source && area.rows > 0)
        draw_code_around(area, source, parts->miscounts.item[0].line);
}

/* The sentences, and the source if there is room. */
static void draw_beside(struct area area, const struct picture_parts *parts) {
    char text[512];
    int y = 0;
    for (size_t i = 0; i < parts->miscounts.count && y < area.rows; i++) {
        struct text sentence = TEXT_INIT;
        miscount_append(&sentence, parts->whose.origins, &parts->miscounts.item[i], MISCOUNT_PARTS);
        y = area_text_wrapped(area, y, 2, sentence.data,
                              i ? style_role(STYLE_CHANGED) : style_bold(STYLE_CHANGED));
        text_release(&sentence);
    }
    if (y > 0)
        y++;
    if (parts->miscounts.count && area.rows - y > CODE_ROWS + 4) {
        draw_miscount(area_within(area, 0, y, area.columns, CODE_ROWS), parts);
        y += CODE_ROWS + 1;
    }
    if (whose_sentence(parts->moment, text, sizeof text))
        area_text_wrapped(area, y, 2, text, style_role(STYLE_PLAIN));
}

bool draw_whose(struct area area, const struct moment *moment) {
    struct picture_parts parts;
    if (!whose_is_asked(moment->replay) || moment->hide)
        return false;
    begin(&parts, moment);
    /* A wide screen has no sentence in its foot. */
    const bool wide = layout_has_explanation(moment->replay, area.columns);
    const struct area part =
        area_within(area, 0, 0, wide ? area.columns * 2 / 3 : area.columns, area.rows);
    const struct lists lists = arrange(part, &parts);
    const int room = lists.columns - LANE_COLUMNS;
    const bool fits = parts.has_columns && room > 0 && lists.each > 0;
    const struct area words = area_within(part, 1, 2, part.columns - 2, area.rows - 2);
    draw_question(area_within(area, 0, 0, fits && lists.is_low ? lists.columns : area.columns, 1),
                  &parts);
    if (wide)
        draw_beside(area_within(area, part.columns + 1, HEAD_ROWS, area.columns - part.columns - 2,
                                area.rows - HEAD_ROWS),
                    &parts);
    parts.each = (parts.columns.last - parts.columns.first) / (uint64_t)(room > 0 ? room : 1) + 1;
    if (!parts.whose.origins)
        draw_none(words, moment, &parts.whose);
    else if (fits)
        draw_matrix_of(part, &parts, &lists);
    else
        area_text_wrapped(
            words, 0, 0,
            parts.whose.lanes
                ? _("No array elements went into these values; the lane's sentence says what did.")
                : _("No lane has a value here."),
            style_role(STYLE_DIM));
    const int used = HEAD_ROWS + (fits ? lists.each : 1) + 1;
    if (!wide && parts.miscounts.count && part.rows > used)
        draw_miscount(area_within(part, 1, used, part.columns - 2,
                                  part.rows - used < CODE_ROWS ? part.rows - used : CODE_ROWS),
                      &parts);
    end(&parts);
    return true;
}

bool whose_miscount_sentence(const struct moment *moment, struct text *text) {
    struct miscounts found;
    if (!whose_is_asked(moment->replay) || moment->hide)
        return false;
    whose_miscounts(moment->replay, &found);
    const bool has = found.count > 0;
    if (has)
        miscount_append(text, trace_origins_of(moment->replay->cursor.trace), &found.item[0],
                        MISCOUNT_PARTS);
    miscounts_release(&found);
    return has;
}

/* Appends lines of text as one line, with the separator before each. */
static void append_joined(struct text *text, const char *separator, const char *lines) {
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        text_append(text, separator);
        text_append_bytes(text, lines, length);
    }
}

/* "lane 5: in[5..15], in[16..20] twice; through lines 7, 8; ..." */
bool whose_sentence(const struct moment *moment, char *buffer, size_t size) {
    const int lane = moment->replay->lane;
    struct origin_terms terms;
    struct whose whose;
    struct text text = TEXT_INIT, way = TEXT_INIT;
    if (!whose_is_asked(moment->replay) || moment->hide)
        return false;
    whose_read(moment->replay, &whose);
    text_append_format(&text, _("lane %d: "), lane);
    if (!whose.origins) {
        text_append(&text, moment->replay->can_detail ? "" : _("not recorded"));
    } else if (!warp_has_lane(whose.lanes, lane)) {
        text_append(&text, _("no value here"));
    } else {
        origins_collect(whose.origins, whose.node[lane], &terms);
        origins_append_terms(&text, whose.origins, &terms);
        origins_append_path(&way, &terms);
        append_joined(&text, _("; "), way.data);
        text_clear(&way);
        origins_append_warning(&way, whose.origins, &terms);
        append_joined(&text, _(". "), way.data);
        origins_terms_release(&terms);
    }
    text_release(&way);
    snprintf(buffer, size, "%s", text.data);
    text_release(&text);
    return true;
}
