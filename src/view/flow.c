/*
 * Lays out text as pieces that must not be broken, in the same way for drawing and for counting, so
 * that a page knows its length before it draws.
 */
#include "view/flow.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One glyph of a text that is being laid out. */
struct piece {
    uint32_t glyph;
    struct style style;
};

struct pieces {
    struct piece *all;
    size_t count, capacity;
};

static void add_piece(struct pieces *pieces, uint32_t glyph, struct style style) {
    pieces->all = memory_room(pieces->all, pieces->count, &pieces->capacity, sizeof *pieces->all);
    pieces->all[pieces->count++] = (struct piece){glyph, style};
}

static void add_string(struct pieces *pieces, const char *text, struct style style) {
    while (*text)
        add_piece(pieces, text_glyph(&text), style);
}

#define NO_BREAK 0xa0 /* a non-breaking blank */

/* Code stays on one line, unless that leaves a wide gap at the end of the previous line. */
static void add_code(struct pieces *pieces, const char *text, struct style style, int columns) {
    size_t from = pieces->count;
    int used = 0;
    add_string(pieces, text, style);
    for (size_t i = from; i < pieces->count; i++)
        used += utf8_width(pieces->all[i].glyph);
    for (size_t i = from; i < pieces->count && used <= columns * 2 / 3; i++)
        if (pieces->all[i].glyph == ' ')
            pieces->all[i].glyph = NO_BREAK;
}

static void join(struct pieces *pieces, size_t from, size_t end, int columns) {
    int used = 0;
    for (size_t i = from; i < end; i++)
        used += utf8_width(pieces->all[i].glyph);
    for (size_t i = from; i < end && used <= columns; i++)
        if (pieces->all[i].glyph == ' ')
            pieces->all[i].glyph = NO_BREAK;
}

/* Breaks a long line of code between statements; only a statement longer than a line may be broken
 * anywhere. A `;` in the parentheses of a loop does not end a statement. */
static void join_statements(struct pieces *pieces, int columns) {
    size_t from = 0;
    int depth = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const uint32_t glyph = pieces->all[i].glyph, before = i ? pieces->all[i - 1].glyph : 0;
        depth += (glyph == '(') - (glyph == ')');
        if (glyph == ' ' && depth == 0 && (before == ';' || before == '{' || before == '}')) {
            join(pieces, from, i, columns);
            from = i + 1;
        }
    }
    join(pieces, from, pieces->count, columns);
}

/* ---- lines ---- */

/* The number of pieces from `first` on that fit on a line of `columns`. */
static size_t line_pieces(const struct pieces *pieces, size_t first, int columns) {
    size_t end = first;
    int used = 0;
    for (size_t i = first; i < pieces->count; i++) {
        uint32_t glyph = pieces->all[i].glyph;
        used += utf8_width(glyph);
        if (i > first && (glyph == ' ' || (pieces->all[i - 1].glyph != ' ' &&
                                           glyphs_can_break(pieces->all[i - 1].glyph, glyph))))
            end = i;
        if (used > columns)
            return end > first ? end - first : i > first ? i - first : 1;
    }
    return pieces->count - first;
}

static void draw_line(const struct flow *flow, int x, const struct piece *pieces, size_t count) {
    int y = flow->line - flow->skip, used = 0;
    if (!flow->draw || y < 0 || y >= flow->area.rows)
        return;
    for (size_t i = 0; i < count; i++)
        used += utf8_width(pieces[i].glyph);
    if (flow->centered)
        x = (flow->area.columns - used) / 2;
    for (size_t i = 0; i < count && x < flow->area.columns; i++) {
        struct style style = pieces[i].style;
        style.flags |= flow->flags;
        uint32_t glyph = pieces[i].glyph == NO_BREAK ? ' ' : pieces[i].glyph;
        x = area_glyph(flow->area, x < 0 ? 0 : x, y, glyph, style);
    }
}

/* The first line begins at `first`, the others at `indent`. */
static void lay_out(struct flow *flow, struct pieces *pieces, int first, int indent) {
    int x = flow->indent + first;
    for (size_t at = 0; at < pieces->count;) {
        int room = flow->area.columns - x;
        size_t count = line_pieces(pieces, at, room > 2 ? room : 2);
        draw_line(flow, x, pieces->all + at, count);
        flow->line++;
        at += count;
        while (at < pieces->count && pieces->all[at].glyph == ' ')
            at++;
        x = flow->indent + indent;
    }
    free(pieces->all);
}

void flow_text(struct flow *flow, const char *text, int indent, struct style style) {
    struct pieces pieces = {NULL, 0, 0};
    add_string(&pieces, text, style);
    lay_out(flow, &pieces, 0, indent);
}

void flow_sign(const struct flow *flow, uint32_t sign, struct style style) {
    int y = flow->line - flow->skip;
    if (flow->draw && !flow->centered && y >= 0 && y < flow->area.rows)
        area_glyph(flow->area, flow->indent, y, sign, style);
}

void flow_with_sign(struct flow *flow, uint32_t sign, struct style sign_style, const char *text,
                    struct style style) {
    struct pieces pieces = {NULL, 0, 0};
    int columns = utf8_width(sign) + 1;
    flow_sign(flow, sign, sign_style);
    if (flow->centered) {
        add_piece(&pieces, sign, sign_style);
        add_piece(&pieces, ' ', style);
        columns = 0;
    }
    add_string(&pieces, text, style);
    lay_out(flow, &pieces, columns, columns);
}

void flow_input(struct flow *flow, const char *typed, const char *help) {
    struct pieces pieces = {NULL, 0, 0};
    struct style plain = {STYLE_PLAIN, 0, 0}, cursor = {STYLE_PLAIN, 0, STYLE_REVERSE};
    add_string(&pieces, "▸ ", (struct style){STYLE_KEY, 0, 0});
    add_string(&pieces, typed, (struct style){STYLE_TITLE, 0, STYLE_BOLD});
    add_piece(&pieces, NO_BREAK, cursor);
    if (!*typed && *help) {
        add_piece(&pieces, ' ', plain);
        add_string(&pieces, help, (struct style){STYLE_DIM, 0, 0});
    }
    lay_out(flow, &pieces, 0, 2);
}

/* ---- prose ---- */

static struct style span_style(const struct span *span, struct style style) {
    switch (span->kind) {
    case SPAN_STRONG:
        style.role = STYLE_TITLE;
        break;
    case SPAN_CODE:
        style.role = STYLE_TERM;
        break;
    case SPAN_VALUE:
        style.role = STYLE_KEY;
        break;
    case SPAN_PLAIN:
        break;
    }
    return style;
}

void flow_paragraph(struct flow *flow, const struct paragraph *paragraph, struct style style) {
    struct pieces pieces = {NULL, 0, 0};
    int indent = paragraph->item ? 2 : 0;
    if (paragraph->item)
        flow_sign(flow, 0x2022, style);
    if (paragraph->code) { /* a line that is too long continues with a deeper indent */
        const char *code = paragraph->spans[0].text;
        int blanks = (int)strspn(code, " ");
        add_string(&pieces, code + blanks, (struct style){STYLE_CODE, 0, 0});
        blanks = blanks < flow->area.columns / 3 ? blanks : flow->area.columns / 3;
        join_statements(&pieces, flow->area.columns - flow->indent - blanks - 4);
        lay_out(flow, &pieces, blanks, blanks + 4);
        return;
    }
    for (size_t i = 0; i < paragraph->span_count; i++) {
        const struct span *span = &paragraph->spans[i];
        if (span->kind == SPAN_CODE)
            add_code(&pieces, span->text, span_style(span, style), flow->area.columns);
        else
            add_string(&pieces, span->text, span_style(span, style));
    }
    lay_out(flow, &pieces, indent, indent);
}

void flow_prose(struct flow *flow, const struct prose *prose, int gap, struct style style) {
    for (size_t i = 0; i < prose->count; i++) {
        const struct paragraph *paragraph = &prose->paragraphs[i];
        if (i > 0 && !(paragraph->item && prose->paragraphs[i - 1].item) &&
            !(paragraph->code && prose->paragraphs[i - 1].code))
            flow_blank(flow, gap);
        flow_paragraph(flow, paragraph, style);
    }
}

void flow_blank(struct flow *flow, int lines) {
    if (flow->line > 0)
        flow->line += lines;
}
