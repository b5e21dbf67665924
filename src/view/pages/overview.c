/*
 * A recording as a whole:
 *
 *     title                                             device
 *     3 launches, 2 kernels, 5 lines, 14 steps     counted: 40%
 *     - 1 launches  2 kernels  3 lines  4 findings ------ order
 *       line        op       steps  undefined  findings  call
 *     > k.cu:12     xor     104857          0         0  __shfl_xor_sync(...)
 *     details of the selected row
 *     keys, a message or a prompt
 *
 * The widths of numbers follow from the recording, not from the rows in view, so that nothing moves
 * while scrolling or counting.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "explain/findings/failure.h"
#include "view/moment.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEAD_ROWS      4
#define FOOT_ROWS      3
#define NAME_LEAST     14
#define TABLE_INDENT   2
#define CALL_LEAST     8
#define CODE_LEAST     6 /* rows, including the rule; fewer would not be worth a pane */
#define CODE_MOST      24
#define FINDINGS_FEW   16 /* a longer list is not searched for the longest explanation */
#define SIZES_MEASURED 256
#define TEXT_LAUNCHES  100   /* the most rows of launches in a text; the rest are only counted */
#define TEXT_ROWS      20000 /* of any other list: a grid of millions would take gigabytes */

enum column_kind {
    COLUMN_NUMBER, /* of a launch */
    COLUMN_NAME,
    COLUMN_LAUNCHES,
    COLUMN_GRID,
    COLUMN_BLOCK,
    COLUMN_OP,
    COLUMN_WARPS,
    COLUMN_STEPS,
    COLUMN_UNDEFINED,
    COLUMN_FINDINGS,
    COLUMN_PLACE,
    COLUMN_CALL,
    COLUMN_PRINTED,
    COLUMN_END
};

/* The columns of each list; the remaining room goes to the name or the call. */
static const uint8_t columns_of[CENSUS_KIND_COUNT][10] = {
    [CENSUS_LAUNCHES] = {COLUMN_NUMBER, COLUMN_NAME, COLUMN_GRID, COLUMN_BLOCK, COLUMN_WARPS,
                         COLUMN_STEPS, COLUMN_UNDEFINED, COLUMN_FINDINGS, COLUMN_END},
    [CENSUS_KERNELS] = {COLUMN_NAME, COLUMN_LAUNCHES, COLUMN_WARPS, COLUMN_STEPS, COLUMN_UNDEFINED,
                        COLUMN_FINDINGS, COLUMN_END},
    [CENSUS_LINES] = {COLUMN_NAME, COLUMN_OP, COLUMN_STEPS, COLUMN_UNDEFINED, COLUMN_FINDINGS,
                      COLUMN_CALL, COLUMN_END},
    [CENSUS_FINDINGS] = {COLUMN_NAME, COLUMN_STEPS, COLUMN_PLACE, COLUMN_CALL, COLUMN_END},
    [CENSUS_OUTPUT] = {COLUMN_NUMBER, COLUMN_STEPS, COLUMN_PRINTED, COLUMN_END},
};

static const char *label_of(enum column_kind kind, enum census_kind list) {
    static const char *const labels[] = {
        [COLUMN_NUMBER] = N_("launch"),       [COLUMN_NAME] = N_("kernel"),
        [COLUMN_LAUNCHES] = N_("launches"),   [COLUMN_GRID] = N_("grid"),
        [COLUMN_BLOCK] = N_("block"),         [COLUMN_OP] = N_("op"),
        [COLUMN_WARPS] = N_("warps"),         [COLUMN_STEPS] = N_("steps"),
        [COLUMN_UNDEFINED] = N_("undefined"), [COLUMN_FINDINGS] = N_("findings"),
        [COLUMN_PLACE] = N_("line"),          [COLUMN_CALL] = N_("call"),
        [COLUMN_PRINTED] = N_("printed"),
    };
    if (kind == COLUMN_NAME && list == CENSUS_LINES)
        return _("line");
    if (kind == COLUMN_NAME && list == CENSUS_FINDINGS)
        return _("finding");
    if (kind == COLUMN_STEPS && list == CENSUS_FINDINGS)
        return _("times");
    if (kind == COLUMN_STEPS && list == CENSUS_OUTPUT)
        return _("after steps");
    return _(labels[kind]);
}

static bool is_number(enum column_kind kind) {
    return kind == COLUMN_NUMBER || kind == COLUMN_LAUNCHES ||
           (kind >= COLUMN_WARPS && kind <= COLUMN_FINDINGS);
}

static int digits(uint64_t number) {
    int count = 1;
    while (number >= 10) {
        number /= 10;
        count++;
    }
    return count;
}

struct table {
    const struct census *census;
    enum census_kind kind;
    int width[10];
};

static int widest(int a, int b) {
    return a > b ? a : b;
}

/* "8", "4x4x1" */
static int format_size(const uint32_t size[3], char text[OVERVIEW_NAME]) {
    if (size[1] == 1 && size[2] == 1)
        return snprintf(text, OVERVIEW_NAME, "%u", size[0]);
    return snprintf(text, OVERVIEW_NAME, "%ux%ux%u", size[0], size[1], size[2]);
}

/* The longest grid or block among the first launches; longer ones are cut. */
static int size_columns(const struct trace *trace, bool grid) {
    char text[OVERVIEW_NAME];
    int columns = 0;
    for (uint32_t i = 0; i < SIZES_MEASURED && trace_launch(trace, i); i++) {
        const struct trace_launch *launch = trace_launch(trace, i);
        columns = widest(columns, format_size(grid ? launch->grid : launch->block, text));
    }
    return columns;
}

/* The index of a column in the list; -1 if the list does not have it. */
static int column_at(const struct table *table, enum column_kind kind) {
    const uint8_t *kinds = columns_of[table->kind];
    for (int i = 0; kinds[i] != COLUMN_END; i++)
        if (kinds[i] == kind)
            return i;
    return -1;
}

/* Columns of width 0 are left out: with little room the least informative go first. */
static void table_fit(struct table *table, int columns) {
    static const enum column_kind dispensable[] = {COLUMN_UNDEFINED, COLUMN_BLOCK, COLUMN_GRID,
                                                   COLUMN_OP};
    const struct trace *trace = table->census->trace;
    const int counts = digits(trace_step_count(trace));
    const int room[COLUMN_END] = {
        [COLUMN_NUMBER] = digits(trace_launch_count(trace)),
        [COLUMN_LAUNCHES] = digits(trace_launch_count(trace)),
        [COLUMN_GRID] = size_columns(trace, true),
        [COLUMN_BLOCK] = size_columns(trace, false),
        [COLUMN_OP] = table->census->has_access ? 20 : 10,
        [COLUMN_WARPS] = digits(trace_warp_count(trace)),
        [COLUMN_STEPS] = counts,
        [COLUMN_UNDEFINED] = counts + 1,
        [COLUMN_FINDINGS] = counts,
        [COLUMN_PLACE] = 16,
    };
    const uint8_t *kinds = columns_of[table->kind];
    const int printed = column_at(table, COLUMN_PRINTED);
    const int name = column_at(table, COLUMN_NAME), call = column_at(table, COLUMN_CALL);
    int left = columns;
    for (int i = 0; kinds[i] != COLUMN_END; i++) {
        table->width[i] =
            i == name || i == call || i == printed
                ? 0
                : widest(room[kinds[i]], utf8_columns(label_of(kinds[i], table->kind)));
        left -= table->width[i] ? table->width[i] + 2 : 0;
    }
    for (size_t i = 0; i < sizeof dispensable / sizeof *dispensable && left < NAME_LEAST; i++) {
        int at = column_at(table, dispensable[i]);
        left += at < 0 ? 0 : table->width[at] + 2;
        if (at >= 0)
            table->width[at] = 0;
    }
    if (printed >= 0) {
        table->width[printed] = widest(left, CALL_LEAST);
        return;
    }
    int wanted = call < 0 ? left : table->kind == CENSUS_FINDINGS ? 30 : 18;
    table->width[name] = wanted < left ? wanted : widest(left, NAME_LEAST);
    left -= table->width[name] + 2;
    if (call >= 0 && left >= CALL_LEAST)
        table->width[call] = left;
}

/* A printed line, or the number of bytes not kept. Bytes that are not text became '?' when the
 * recording was opened. */
static void output_cell(const struct trace *trace, enum column_kind kind,
                        const struct census_row *row, char text[OVERVIEW_NAME]) {
    const struct printed_line *line = &row->printed;
    if (kind == COLUMN_PRINTED && !line->piece)
        utf8_format(text, OVERVIEW_NAME, _("%" PRIu64 " more bytes were printed but not kept"),
                    printed_cut(trace));
    else if (kind == COLUMN_PRINTED)
        utf8_format(text, OVERVIEW_NAME, "%s%.*s", line->piece->stream == 2 ? "2> " : "",
                    (int)line->length, line->text);
    else if (kind == COLUMN_STEPS && line->piece)
        snprintf(text, OVERVIEW_NAME, "%" PRIu64, row->steps);
    else if (kind == COLUMN_NUMBER && row->launch != CENSUS_NONE)
        snprintf(text, OVERVIEW_NAME, "%" PRIu32, row->launch);
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
}

static void cell_text(const struct table *table, enum column_kind kind,
                      const struct census_row *row, char text[OVERVIEW_NAME]) {
    const struct trace *trace = table->census->trace;
    const struct trace_launch *launch =
        row->launch == CENSUS_NONE ? NULL : trace_launch(trace, row->launch);
    const struct trace_site *site = row->site == CENSUS_NONE ? NULL : trace_site(trace, row->site);
    text[0] = '\0';
    const uint64_t numbers[COLUMN_END] = {
        [COLUMN_NUMBER] = row->launch,       [COLUMN_LAUNCHES] = row->launches,
        [COLUMN_WARPS] = row->warps,         [COLUMN_STEPS] = row->steps,
        [COLUMN_UNDEFINED] = row->undefined, [COLUMN_FINDINGS] = row->findings};
    if (table->kind == CENSUS_OUTPUT) {
        output_cell(trace, kind, row, text);
        return;
    }
    if (is_number(kind))
        snprintf(text, OVERVIEW_NAME, "%" PRIu64, numbers[kind]);
    else if (kind == COLUMN_NAME)
        overview_row_name(table->census, table->kind, row, text);
    else if (kind == COLUMN_OP && row->ways > 1)
        utf8_format(text, OVERVIEW_NAME, _("%s %d-way"), warp_op_info(row->op)->name, row->ways);
    else if (kind == COLUMN_OP && row->sectors > row->least)
        utf8_format(text, OVERVIEW_NAME, _("%s %d for %d"), warp_op_info(row->op)->name,
                    row->sectors, row->least);
    else if (kind == COLUMN_OP && row->steps > 0)
        snprintf(text, OVERVIEW_NAME, "%s", warp_op_info(row->op)->name);
    else if (launch && (kind == COLUMN_GRID || kind == COLUMN_BLOCK)) {
        format_size(kind == COLUMN_GRID ? launch->grid : launch->block, text);
    } else if (site && kind == COLUMN_PLACE) {
        overview_row_name(table->census, CENSUS_LINES, row, text);
    } else if (site && kind == COLUMN_CALL) {
        utf8_format(text, OVERVIEW_NAME, "%s", site->text);
    }
}

static struct style cell_style(enum column_kind kind, const struct table *table,
                               const struct census_row *row) {
    if (kind == COLUMN_FINDINGS && row->findings > 0)
        return style_bold(STYLE_BAD);
    if (kind == COLUMN_NAME && table->kind == CENSUS_FINDINGS)
        return style_bold(STYLE_BAD);
    if (kind == COLUMN_OP && (row->ways > 1 || row->sectors > row->least))
        return style_role(STYLE_BAD);
    if (kind == COLUMN_UNDEFINED && row->undefined > 0)
        return style_role(STYLE_UNDEFINED);
    if (kind == COLUMN_CALL)
        return style_role(STYLE_CODE);
    if (table->kind == CENSUS_OUTPUT)
        return style_role(kind == COLUMN_PRINTED && row->printed.piece ? STYLE_PLAIN : STYLE_DIM);
    if (row->steps == 0)
        return style_role(STYLE_ABSENT);
    return style_role(kind == COLUMN_NAME ? STYLE_TITLE : STYLE_PLAIN);
}

static void draw_labels(struct area area, int y, const struct table *table) {
    const uint8_t *kinds = columns_of[table->kind];
    int x = TABLE_INDENT;
    for (int i = 0; kinds[i] != COLUMN_END; i++) {
        enum column_kind kind = (enum column_kind)kinds[i];
        const char *label = label_of(kind, table->kind);
        int at = is_number(kind) ? x + table->width[i] - utf8_columns(label) : x;
        if (table->width[i] == 0)
            continue;
        area_text_clipped(area, at, y, area.columns - at, label, style_role(STYLE_LABEL));
        x += table->width[i] + 2;
    }
}

/* Cuts out the middle of a name that is too long: names of template kernels differ at their ends,
 * and a location ends in its line number. */
static void cut_middle(const char *name, int room, char text[OVERVIEW_NAME]) {
    const int all = utf8_columns(name);
    if (all <= room || room < 3) {
        utf8_format(text, OVERVIEW_NAME, "%s", name);
        return;
    }
    const size_t head = utf8_cut_columns(name, (room - 1) / 2);
    const char *tail = name;
    for (int left = all; left > room - 1 - (room - 1) / 2 && *tail;)
        left -= utf8_width(utf8_next(&tail));
    utf8_format(text, OVERVIEW_NAME, "%.*s\u2026%s", (int)head, name, tail);
}

/* The full text of the column with names or locations. */
static const char *name_of(const struct table *table, enum column_kind kind,
                           const struct census_row *row, const char *text) {
    const bool is_kernel = table->kind == CENSUS_LAUNCHES || table->kind == CENSUS_KERNELS;
    const struct trace_launch *launch =
        is_kernel && kind == COLUMN_NAME && row->launch != CENSUS_NONE
            ? trace_launch(table->census->trace, row->launch)
            : NULL;
    return launch ? launch->kernel : text;
}

static void draw_row(struct area area, int y, const struct table *table,
                     const struct census_row *row) {
    const uint8_t *kinds = columns_of[table->kind];
    int x = TABLE_INDENT;
    for (int i = 0; kinds[i] != COLUMN_END; i++) {
        enum column_kind kind = (enum column_kind)kinds[i];
        char text[OVERVIEW_NAME];
        if (table->width[i] == 0)
            continue;
        cell_text(table, kind, row, text);
        if (kind == COLUMN_NAME || kind == COLUMN_PLACE) {
            char name[OVERVIEW_NAME];
            cut_middle(name_of(table, kind, row, text), table->width[i], name);
            memcpy(text, name, sizeof name);
        }
        int at = is_number(kind) ? x + table->width[i] - utf8_columns(text) : x;
        int room = x + table->width[i] - at;
        if (room > area.columns - at)
            room = area.columns - at;
        area_text_clipped(area, at, y, room, text, cell_style(kind, table, row));
        x += table->width[i] + 2;
    }
}

/* ---- the screen ---- */

static void draw_head(struct area area, const struct overview *overview,
                      const struct replay *replay) {
    const struct census *census = &overview->census;
    const struct trace *trace = census->trace;
    const char *title = trace_note(trace, TRACE_NOTE_TITLE);
    char text[160], device[128];
    moment_device(replay, device, sizeof device);
    int end = area.columns - 1 - utf8_columns(device);
    const int behind = area_text_clipped(area, 1, 0, end - 3, title ? title : _("a recording"),
                                         style_bold(STYLE_TITLE));
    if (overview->outcome.verdict[0] && end - behind > 5)
        area_text_clipped(area, behind + 2, 0, end - behind - 4, overview->outcome.verdict,
                          style_bold(STYLE_BAD));
    area_text_clipped(area, end, 0, area.columns - end, device, style_role(STYLE_DIM));
    char note[64] = "";
    if (replay->goes_on)
        moment_recording_note(replay, note, sizeof note);
    else if (census->damaged)
        snprintf(note, sizeof note, _("%" PRIu64 " damaged"), census->damaged);
    else if (!census->done)
        snprintf(note, sizeof note, _("counted %d%%"), census_percent(census));
    snprintf(text, sizeof text,
             _("launches %zu  kernels %zu  lines %zu  warps %" PRIu64 "  steps %" PRIu64),
             census->count[CENSUS_LAUNCHES], census->count[CENSUS_KERNELS],
             census->count[CENSUS_LINES], trace_warp_count(trace), trace_step_count(trace));
    end = area.columns - 1;
    if (note[0])
        end = draw_right_aligned(area, end, 1, note,
                                 style_bold(census->damaged ? STYLE_BAD : STYLE_KEY)) -
              2;
    area_text_clipped(area, 1, 1, end - 1, text, style_role(STYLE_PLAIN));
}

static void draw_tabs(struct area area, const struct overview *overview) {
    const char *order = _(overview_order_name(overview->order));
    int x = 1;
    draw_rule(area, 0);
    for (int kind = 0; kind < overview_lists(overview); kind++) {
        bool current = kind == (int)overview->kind;
        struct style style = current ? style_bold(STYLE_ACTIVE) : style_role(STYLE_LABEL);
        int start = x;
        x = area_glyph(area, x, 0, ' ', style);
        x = area_format(area, x, 0, current ? style : style_role(STYLE_KEY), "%d", kind + 1);
        x = area_format(area, x, 0, style, " %s ", _(overview_kind_name((enum census_kind)kind)));
        area_hit(area, start, 0, x - start, 1, ACTION_LIST_GO, kind);
    }
    int start = area.columns - 2 - utf8_columns(order);
    if (overview->order == OVERVIEW_BY_NUMBER || start < x + 2)
        return;
    area_glyph(area, start - 1, 0, ' ', style_role(STYLE_DIM));
    start = area_text(area, start, 0, order, style_role(STYLE_DIM));
    area_glyph(area, start, 0, ' ', style_role(STYLE_DIM));
}

static void draw_list(struct area area, const struct overview *overview) {
    struct table table = {.census = &overview->census, .kind = overview->kind};
    table_fit(&table, area.columns - TABLE_INDENT);
    draw_labels(area, 0, &table);
    struct area list = area_within(area, 0, 1, area.columns, area.rows - 1);
    size_t rows = (size_t)list.rows, first = 0;
    if (overview->shown_count == 0) {
        area_text_clipped(list, 2, 1, list.columns - 3,
                          overview->filter[0]     ? _("No row has this text.")
                          : overview->census.done ? _("There is nothing here.")
                                                  : _("Nothing so far."),
                          style_role(STYLE_DIM));
        return;
    }
    if (overview->selected > rows / 2 && overview->shown_count > rows)
        first = overview->selected - rows / 2;
    if (overview->shown_count > rows && first > overview->shown_count - rows)
        first = overview->shown_count - rows;
    for (size_t i = 0; i < rows && first + i < overview->shown_count; i++) {
        size_t place = first + i;
        draw_row(list, (int)i, &table,
                 &overview->census.rows[overview->kind][overview->shown[place]]);
        if (place == overview->selected) {
            area_glyph(list, 0, (int)i, 0x25b8, style_role(STYLE_ACTIVE));
            area_flag(list, 0, (int)i, list.columns, 1, STYLE_SELECTED);
        }
        area_hit(list, 0, (int)i, list.columns, 1, ACTION_ROW_GO, (int64_t)place);
    }
    if (first > 0)
        area_glyph(list, 1, 0, 0x2191, style_role(STYLE_KEY)); /* beside the sign of the selected
                                                                * row */
    if (first + rows < overview->shown_count)
        area_glyph(list, 1, list.rows - 1, 0x2193, style_role(STYLE_KEY));
}

/* Appends the last launch that had begun when a line was printed, and the whole line. */
static void append_printed(struct text *text, const struct trace *trace,
                           const struct census_row *row) {
    const struct printed_line *line = &row->printed;
    if (!line->piece)
        return;
    if (row->launch != CENSUS_NONE)
        text_append_format(text, _("launch %u (%s) had begun"), row->launch,
                           trace_launch(trace, row->launch)->kernel);
    else
        text_append(text, _("before the first launch"));
    text_append_format(text, ": %.*s", (int)line->length, line->text);
}

/* Appends a sentence about the first time that a rule was broken at a call, then the fix. */
static void append_finding(struct text *text, const struct overview *overview,
                           const struct census_row *row) {
    const struct trace *trace = overview->census.trace;
    const char *instead = NULL;
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    struct warp_finding found[WARP_FINDINGS_MAX];
    char lanes[EXPLAIN_LANES_TEXT], words[EXPLAIN_FINDING_TEXT];
    snprintf(words, sizeof words, "%s", explain_lanes(row->lanes, lanes));
    if (trace_step(trace, row->first, &step, NULL) == 0) {
        warp_outcome(&step.operation, outcome);
        const int count = warp_findings(&step.operation, outcome, found);
        for (int i = 0; i < count; i++)
            if (strcmp(warp_rule_name(found[i].rule), row->rule) == 0) {
                const struct finding finding = {trace, row->rule, &step, outcome, found[i]};
                instead = overview->instead ? overview->instead(&finding) : NULL;
                explain_finding(&found[i], &step.operation, outcome, words, sizeof words);
            }
    }
    text_append_format(text, _("first in step %" PRIu64 ": %s"), row->first, words);
    if (instead) {
        text_append(text, "\n");
        text_append_format(text, _("instead: %s"), _(instead));
    }
}

static const struct census_row *selected_row(const struct overview *overview) {
    return overview->selected < overview->shown_count
               ? &overview->census.rows[overview->kind][overview->shown[overview->selected]]
               : NULL;
}

static const struct trace_site *site_of(const struct overview *overview,
                                        const struct census_row *row) {
    return row && row->site != CENSUS_NONE ? trace_site(overview->census.trace, row->site) : NULL;
}

/* The site of a row; for a launch or a kernel, that of its first step. */
static const struct trace_site *first_site(const struct overview *overview,
                                           const struct census_row *row) {
    const struct trace *trace = overview->census.trace;
    const bool begins = overview->kind == CENSUS_LAUNCHES || overview->kind == CENSUS_KERNELS;
    struct trace_step step;
    return row && begins && row->steps > 0 && trace_step(trace, row->first, &step, NULL) == 0
               ? trace_site(trace, step.site)
               : site_of(overview, row);
}

/* Rows that a short list leaves for the code of the selected row; 0 if they are too few or there is
 * no code. */
static int code_rows(const struct overview *overview, int list) {
    const struct trace_site *site = first_site(overview, selected_row(overview));
    const int used = list < (int)overview->shown_count ? list : (int)overview->shown_count + 2;
    const int left = list - used < CODE_MOST ? list - used : CODE_MOST;
    return left >= CODE_LEAST && site && trace_source(overview->census.trace, site->file) ? left
                                                                                          : 0;
}

static void draw_row_code(struct area area, const struct overview *overview) {
    const struct trace_site *site = first_site(overview, selected_row(overview));
    draw_rule(area, 0);
    area_format(area, 1, 0, style_role(STYLE_LABEL), " %s:%u ", site->file, site->line);
    draw_code_around(area_within(area, 1, 1, area.columns - 2, area.rows - 1),
                     trace_source(overview->census.trace, site->file), site->line);
}

/* The call, the lanes of a finding, the reason a run stopped, the output. */
static void append_detail(struct text *text, const struct overview *overview) {
    const struct trace *trace = overview->census.trace;
    const struct census_row *row = selected_row(overview);
    const struct trace_site *site = site_of(overview, row);
    if (!row)
        return;
    if (overview->kind == CENSUS_OUTPUT)
        append_printed(text, trace, row);
    else if (overview->kind == CENSUS_FINDINGS && row->site == CENSUS_NONE)
        failure_append(text, trace);
    else if (overview->kind == CENSUS_FINDINGS)
        append_finding(text, overview, row);
    else if (site)
        text_append_format(text, "%s:%u  %s%s%s", site->file, site->line, site->function,
                           site->function[0] ? "  " : "", site->text);
    else if (row->steps == 0 && overview->census.done)
        text_append(text, _("none of its steps was recorded"));
}

static void draw_detail(struct area area, const struct overview *overview) {
    struct text text = TEXT_INIT;
    append_detail(&text, overview);
    for (char *c = text.data; text.length > 0 && *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    if (text.length > 0)
        area_text_wrapped(area_within(area, 1, 0, area.columns - 2, area.rows), 0, 2, text.data,
                          style_role(STYLE_PLAIN));
    text_release(&text);
}

/* The lines of the selected finding's explanation, drawn if `drawn`. Returns their number. */
static int explain_lines(struct area area, const struct overview *overview, bool drawn) {
    struct text text = TEXT_INIT;
    int y = 0;
    append_detail(&text, overview);
    char *rest = text.length > 0 ? text.data : NULL;
    for (char *line; (line = strsep(&rest, "\n"));) {
        const int lines = text_lines(line, area.columns, 2);
        for (char *c = line; *c; c++)
            *c = *c == '\t' ? ' ' : *c;
        if (drawn && y < area.rows)
            area_text_wrapped(area, y, 2, line, style_role(STYLE_PLAIN));
        y += lines;
    }
    text_release(&text);
    return y;
}

/* The rows of the pane below the list of findings. For a short list they are those of its longest
 * explanation, so that nothing moves when another row is selected. */
static int explain_rows(const struct overview *overview, int columns, int list) {
    struct overview other = *overview;
    const struct area area = {.columns = columns - 2};
    int rows = 0;
    if (overview->kind != CENSUS_FINDINGS || overview->shown_count == 0)
        return 0;
    const size_t few = overview->shown_count < FINDINGS_FEW ? overview->shown_count : 1;
    for (size_t i = 0; i < few; i++) {
        other.selected = few > 1 ? i : overview->selected;
        const int lines = explain_lines(area, &other, false);
        rows = lines > rows ? lines : rows;
    }
    return rows + 1 < list / 2 ? rows + 1 : list / 2;
}

static void draw_explained(struct area area, const struct overview *overview) {
    draw_rule(area, 0);
    area_format(area, 1, 0, style_role(STYLE_LABEL), " %s ", _("explain"));
    explain_lines(area_within(area, 1, 1, area.columns - 2, area.rows - 1), overview, true);
}

static void draw_foot(struct area area, const struct overview *overview) {
    if (overview->filtering)
        draw_typing(area, _("only rows with /"), overview->filter,
                    _("Enter keeps it, Esc drops it"), STYLE_DIM);
    else if (overview->message[0])
        area_text_clipped(area, 1, 0, area.columns - 2, overview->message, style_role(STYLE_KEY));
    else
        draw_keys(area, ACTION_MODE_OVERVIEW, NULL);
}

/* Below the findings of a program that has been run: the last lines of its output. */
static void draw_printed(struct area area, const struct overview *overview) {
    const struct census *census = &overview->census;
    const size_t count = census->count[CENSUS_OUTPUT], rows = (size_t)area.rows - 1;
    const size_t first = count > rows ? count - rows : 0;
    char text[OVERVIEW_NAME];
    draw_rule(area, 0);
    area_format(area, 1, 0, style_role(STYLE_LABEL), " %s ", _("printed"));
    area_hit(area, 0, 0, area.columns, area.rows, ACTION_LIST_GO, CENSUS_OUTPUT);
    for (size_t i = first; i < count; i++) {
        text[0] = '\0';
        output_cell(census->trace, COLUMN_PRINTED, &census->rows[CENSUS_OUTPUT][i], text);
        area_text_clipped(area, TABLE_INDENT, 1 + (int)(i - first), area.columns - TABLE_INDENT - 1,
                          text, style_role(STYLE_PLAIN));
    }
}

/* Rows for the output: those that the findings leave, but at least a third of the screen. */
static int printed_rows(const struct overview *overview, int list) {
    const size_t lines = overview->census.count[CENSUS_OUTPUT], rows = (size_t)list;
    if (overview->kind == CENSUS_OUTPUT || !overview->outcome.verdict[0] || lines == 0)
        return 0;
    const size_t least = lines + 1 < rows / 3 ? lines + 1 : rows / 3;
    const size_t used = overview->shown_count + 2; /* labels, and spacing */
    const size_t left = used < rows ? rows - used : 0;
    const size_t all = left < lines + 1 ? left : lines + 1;
    return (int)(all > least ? all : least);
}

void view_draw_overview(struct grid *grid, const struct overview *overview,
                        const struct replay *replay) {
    struct area area = grid_area(grid);
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, overview->help,
                        ACTION_MODE_OVERVIEW))
        return;
    const int advice = overview->outcome.advice[0] != '\0';
    const bool findings = overview->kind == CENSUS_FINDINGS && overview->shown_count > 0;
    const int detail = findings ? 0 : FOOT_ROWS - 1;
    const int body = area.rows - HEAD_ROWS - detail - advice;
    const int explained = explain_rows(overview, area.columns, body);
    const int printed = printed_rows(overview, body - explained);
    const int list = body - explained - printed, code = code_rows(overview, list);
    int y = HEAD_ROWS - 1;
    draw_head(area, overview, replay);
    draw_tabs(row_of(area, 2), overview);
    draw_list(area_within(area, 0, y, area.columns, list - code), overview);
    y += list - code;
    if (explained > 0)
        draw_explained(area_within(area, 0, y, area.columns, explained), overview);
    y += explained;
    if (code > 0)
        draw_row_code(area_within(area, 0, y, area.columns, code), overview);
    y += code;
    if (printed > 0)
        draw_printed(area_within(area, 0, y, area.columns, printed), overview);
    if (!findings)
        draw_detail(area_within(area, 0, y + printed, area.columns, detail), overview);
    if (advice)
        area_text_clipped(area, 1, area.rows - 2, area.columns - 2, overview->outcome.advice,
                          style_bold(STYLE_KEY));
    draw_foot(row_of(area, area.rows - 1), overview);
}

/* ---- as text ---- */

static size_t listed_rows(const struct census *census, int kind) {
    const size_t count = census->count[kind];
    const size_t most = kind == CENSUS_LAUNCHES ? TEXT_LAUNCHES : TEXT_ROWS;
    return count < most ? count : most;
}

void view_draw_overview_table(struct grid *grid, const struct census *census, int columns) {
    int rows = 0;
    for (int kind = 0; kind < CENSUS_OUTPUT; kind++)
        if (census->count[kind] > 0)
            rows += (int)listed_rows(census, kind) + 2 +
                    (listed_rows(census, kind) < census->count[kind]);
    grid_resize(grid, widest(columns, VIEW_MIN_COLUMNS), rows > 0 ? rows - 1 : 0);
    struct area area = grid_area(grid);
    int y = 0;
    for (int kind = 0; kind < CENSUS_OUTPUT; kind++) {
        struct table table = {.census = census, .kind = (enum census_kind)kind};
        size_t told = listed_rows(census, kind);
        if (census->count[kind] == 0)
            continue;
        table_fit(&table, area.columns - TABLE_INDENT);
        draw_labels(area, y++, &table);
        for (size_t i = 0; i < told; i++)
            draw_row(area, y++, &table, &census->rows[kind][i]);
        if (told < census->count[kind])
            area_format(area, TABLE_INDENT, y++, style_role(STYLE_DIM),
                        kind == CENSUS_LAUNCHES ? _("and %zu more launches") : _("and %zu more"),
                        census->count[kind] - told);
        y++;
    }
}
