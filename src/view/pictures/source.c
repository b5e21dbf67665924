/*
 * The kernel's source, the current line lit, the call underlined. If lanes diverge, those at a
 * line are shown in front of it.
 */
#include "base/message.h"
#include "base/text.h"
#include "replay/whose.h"
#include "view/pictures/lane_lines.h"

#include <stdio.h>

#define LINE_SIZE      512
#define TAB_STOP       4
#define SIGNS_ROWS     8 /* from this height on, a row explains the signs */
#define NUMBER_COLUMNS 7 /* the number of a line, with a blank on either side */

/* A line of the source as shown: tabs as blanks, without its end. */
static void copy_line(const char *line, char buffer[LINE_SIZE]) {
    size_t length = 0;
    for (; *line && *line != '\n' && *line != '\r' && length + TAB_STOP < LINE_SIZE - 1; line++) {
        if (*line != '\t') {
            buffer[length++] = *line;
            continue;
        }
        do
            buffer[length++] = ' ';
        while (length % TAB_STOP);
    }
    buffer[length] = '\0';
}

static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

/* Line `number` (from 1) of a text; NULL if it has fewer. */
static const char *find_line(const char *text, uint32_t number) {
    for (; text && number > 1; number--)
        text = next_line(text);
    return number ? text : NULL;
}

static const char *source_of(const struct moment *moment) {
    return moment->site ? trace_source(moment->replay->cursor.trace, moment->site->file) : NULL;
}

int source_columns(const char *source) {
    int columns = 0;
    char text[LINE_SIZE];
    for (const char *line = source; line; line = next_line(line)) {
        copy_line(line, text);
        const int wide = utf8_columns(text) + NUMBER_COLUMNS;
        columns = wide > columns ? wide : columns;
    }
    return columns;
}

int source_lines(const struct moment *moment, int *columns) {
    const char *source = source_of(moment);
    int lines = 0;
    for (const char *line = source; line; line = next_line(line))
        lines++;
    const int wide = source_columns(source);
    *columns = wide > *columns ? wide : *columns;
    return lines;
}

bool moment_has_source(const struct moment *moment) {
    return source_of(moment) && !(moment->hide & REPLAY_HIDES_CALL);
}

/* The position of the call in its line: first cell and number of cells; 0 cells if the text is not
 * in the line. */
static int find_call(const char *line, const char *call, int *columns) {
    const char *found = *call ? strstr(line, call) : NULL;
    if (!found)
        return *columns = 0, 0;
    char before[LINE_SIZE];
    snprintf(before, sizeof before, "%.*s", (int)(found - line), line);
    *columns = utf8_columns(call);
    return utf8_columns(before);
}

/* Draws a line of code, comments dimmed, and underlines the call if `call` is not NULL. */
static void draw_code(struct area area, int y, const char *line, const char *call,
                      struct style style) {
    const char *comment = strstr(line, "//");
    area_text_clipped(area, 0, y, area.columns, line, style);
    if (comment && !call) {
        char code[LINE_SIZE];
        snprintf(code, sizeof code, "%.*s", (int)(comment - line), line);
        int x = utf8_columns(code);
        if (x < area.columns)
            area_text_clipped(area, x, y, area.columns - x, comment, style_role(STYLE_DIM));
    }
    if (call) {
        int columns, x = find_call(line, call, &columns);
        area_flag(area, x, y, columns, 1, STYLE_UNDERLINE);
    }
}

void draw_call_line(struct area area, const struct moment *moment) {
    if (moment->hide & REPLAY_HIDES_CALL)
        return;
    const char *source = source_of(moment);
    const char *line = source ? find_line(source, moment->site->line) : NULL;
    char copy[LINE_SIZE];
    copy_line(line ? line : moment->site->text, copy);
    char *start = copy + strspn(copy, " ");
    /* The call matters most: in a short row the text before it is left out. */
    const char *call = strstr(start, moment->site->text);
    if (call && utf8_columns(start) > area.columns)
        start += call - start;
    draw_code(area, 0, call || !line ? start : moment->site->text, moment->site->text,
              style_role(STYLE_CODE));
}

/* The number of leading blanks that all these lines share; 0 if every line fits. */
static int indent_of(const char *line, uint32_t rows, int columns) {
    int least = LINE_SIZE, longest = 0;
    for (uint32_t i = 0; i < rows && line && *line; i++, line = next_line(line)) {
        char copy[LINE_SIZE];
        copy_line(line, copy);
        const int indent = (int)strspn(copy, " ");
        const int length = utf8_columns(copy);
        least = copy[indent] && indent < least ? indent : least;
        longest = length > longest ? length : longest;
    }
    return longest > columns && least < LINE_SIZE ? least : 0;
}

/* Draws a line without its first `indent` blanks. The current line continues on the next rows if it
 * is too long. Returns the number of rows. */
static int draw_line(struct area area, int y, uint32_t number, const char *line, int indent,
                     const struct moment *moment) {
    bool current = number == moment->site->line && !(moment->hide & REPLAY_HIDES_CALL);
    struct style style = style_role(current ? STYLE_CODE_LIT : STYLE_CODE);
    char copy[LINE_SIZE];
    copy_line(line, copy);
    int x = area_format(area, 0, y, style_role(current ? STYLE_ACTIVE : STYLE_DIM), " %4u ",
                        (unsigned)number) +
            1;
    const char *text = (int)strlen(copy) > indent ? copy + indent : "";
    const struct area code = area_within(area, x, 0, area.columns - x, area.rows);
    if (!current) {
        draw_code(code, y, text, NULL, style);
        return 1;
    }
    const int blanks = (int)strspn(text, " "), lines = text_lines(text, code.columns, blanks + 4);
    const int used = blanks + 4 < code.columns / 2 && lines <= area.rows - y ? lines : 1;
    for (int i = 0; i < used * code.columns; i++)
        area_glyph(code, i % code.columns, y + i / code.columns, ' ', style);
    if (used == 1)
        draw_code(code, y, text, moment->site->text, style);
    else
        area_text_wrapped(code, y, blanks + 4, text, style);
    return used;
}

static void draw_without_source(struct area area, const struct moment *moment) {
    struct area lines = area_within(area, 1, 1, area.columns - 2, area.rows - 1);
    int y = area_text_wrapped(lines, 0, 0, _("The recording lacks this call's source."),
                              style_role(STYLE_DIM));
    if (!moment->site)
        return;
    char place[256];
    snprintf(place, sizeof place, "%s:%u", moment->site->file, moment->site->line);
    y = area_text_wrapped(lines, y + 1, 0, place, style_role(STYLE_LABEL));
    area_text_wrapped(lines, y, 2, moment->site->text, style_role(STYLE_CODE));
}

/* "● 0-15", "○ 16-31"; a longer text ends in "…". */
static void draw_lanes_at(struct area area, int y, const struct lane_line *line) {
    char lanes[WARP_LANES_TEXT];
    const struct style style = line->kind == LANES_CALL ? (struct style){STYLE_GROUP, 0, STYLE_BOLD}
                               : line->kind == LANES_WAIT ? style_bold(STYLE_BAD)
                                                          : style_role(STYLE_LABEL);
    const int x =
        area_glyph(area, 1, y, line->kind == LANES_CALL_LATER ? 0x25cb : 0x25cf, style) + 1;
    area_text_clipped(area, x, y, area.columns - x, warp_lanes_format(line->lanes, lanes), style);
    area_hit(area, 0, y, area.columns, 1, ACTION_LANE_GO, __builtin_ctz(line->lanes));
}

/* Columns for the lanes in front of the lines; 0 if all lanes are at the call. */
static int lane_lines_columns(const struct lane_lines *lines, int columns) {
    char lanes[WARP_LANES_TEXT];
    int longest = 0;
    for (int i = 0; i < lines->count; i++) {
        const int length = utf8_columns(warp_lanes_format(lines->line[i].lanes, lanes));
        longest = length > longest ? length : longest;
    }
    const int needed = longest + 3, most = columns / 4;
    return lines->count == 0 ? 0 : needed < most ? needed : most;
}

/* The signs, if lanes are shown beside the lines. */
static void draw_signs(struct area area, const struct lane_lines *lines) {
    bool waits = false;
    for (int i = 0; i < lines->count; i++)
        waits = waits || lines->line[i].kind == LANES_WAIT;
    area_text_clipped(area, 1, 0, area.columns - 2,
                      waits ? _("● wait there  ○ make their next call there")
                            : _("● make this call  ○ make their next call there"),
                      style_role(STYLE_DIM));
}

/* Draws the lanes at a source line in front of it; if there are several kinds, only the first. */
static void draw_beside(struct area area, int y, uint32_t line, const struct lane_lines *lines) {
    const struct lane_line *shown = NULL;
    for (int i = 0; i < lines->count; i++)
        if (lines->line[i].line == line && (!shown || lines->line[i].kind < shown->kind))
            shown = &lines->line[i];
    if (shown)
        draw_lanes_at(area, y, shown);
}

/* The line is in the middle unless the text ends before the area does. */
static uint32_t first_shown(const char *source, uint32_t line, uint32_t rows) {
    uint32_t first = 1, total = 0;
    for (const char *at = source; at && *at; at = next_line(at))
        total++;
    if (line > rows / 2)
        first = line - rows / 2;
    if (first + rows > total + 1)
        first = total + 1 > rows ? total + 1 - rows : 1;
    return first;
}

bool source_line_names(const char *source, uint32_t line, const char *name) {
    const size_t length = c_word_length(name);
    const char *at = find_line(source, line);
    while (at && *at && *at != '\n') {
        const size_t word = c_word_length(at);
        if (length && word == length && memcmp(at, name, length) == 0)
            return true;
        at += word ? word : 1;
    }
    return false;
}

void draw_code_around(struct area area, const char *source, uint32_t line) {
    const uint32_t rows = (uint32_t)area.rows, first = first_shown(source, line, rows);
    const char *at = find_line(source, first);
    const int indent = indent_of(at, rows, area.columns - NUMBER_COLUMNS);
    for (uint32_t i = 0; i < rows && at && *at; i++, at = next_line(at)) {
        const bool current = first + i == line;
        const struct style style = style_role(current ? STYLE_CODE_LIT : STYLE_CODE);
        char copy[LINE_SIZE];
        copy_line(at, copy);
        area_format(area, 1, (int)i, style_role(current ? STYLE_ACTIVE : STYLE_DIM), "%4u",
                    (unsigned)(first + i));
        if (current)
            area_glyph(area, 0, (int)i, 0x25b8, style_bold(STYLE_ACTIVE));
        for (int x = NUMBER_COLUMNS - 1; current && x < area.columns; x++)
            area_glyph(area, x, (int)i, ' ', style);
        draw_code(
            area_within(area, NUMBER_COLUMNS - 1, 0, area.columns - NUMBER_COLUMNS + 1, area.rows),
            (int)i, (int)strlen(copy) > indent ? copy + indent : "", NULL, style);
    }
}

void draw_source(struct area area, const struct moment *moment) {
    const char *source = source_of(moment);
    if (!source || area.rows < 1) {
        draw_without_source(area, moment);
        return;
    }
    struct lane_lines lines;
    lane_lines_find(moment, &lines);
    const int beside = lane_lines_columns(&lines, area.columns);
    const struct area lanes = area_within(area, 0, 0, beside, area.rows);
    if (beside > 0 && area.rows >= SIGNS_ROWS) {
        draw_signs(row_of(area, area.rows - 1), &lines);
        area.rows--;
    }
    area = area_within(area, beside, 0, area.columns - beside, area.rows);
    const uint32_t rows = (uint32_t)area.rows;
    uint32_t number = first_shown(source, moment->site->line, rows);
    const char *at = find_line(source, number);
    const int indent = indent_of(at, rows, area.columns - NUMBER_COLUMNS);
    struct origin_terms path = {.count = 0};
    struct miscounts miscounts;
    const bool lit = whose_path(moment->replay, &path);
    whose_miscounts(moment->replay, &miscounts);
    for (int y = 0; y < area.rows && at && *at; at = next_line(at), number++) {
        const int used = draw_line(area, y, number, at, indent, moment);
        draw_beside(lanes, y, number, &lines);
        for (size_t k = 0; lit && k < path.line_count; k++)
            if (path.lines[k] == number)
                area_glyph(area, 0, y, 0x25a0, style_bold(STYLE_CHANGED));
        if (lit && miscounts.count &&
            (miscounts.item[0].line == number || miscounts.item[0].loop == number))
            area_glyph(area, 0, y, 0x25c6, style_bold(STYLE_BAD));
        y += used;
    }
    if (lit)
        origins_terms_release(&path);
    miscounts_release(&miscounts);
}
