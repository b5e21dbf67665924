/*
 * Which lane holds which element: each matrix as a table of lanes, the chosen lane lit in all of
 * them. If there is room, a product is laid out as it is multiplied: B above C, A to the left of C.
 */
#include "base/message.h"
#include "view/moment.h"
#include "view/pages/fragment_parts.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROW_LABEL     3 /* columns of a row's number, with the blank after it */
#define MATRIX_GAP    2
#define PRODUCT_GAP   3
#define PAPER_ROWS    10000
#define WORDS_LEAST   40  /* columns in which words can be read */
#define TILE_IN_TITLE 100 /* columns at which the title has room for pitch and swizzle */
#define SAME_ROWS     3   /* on paper, to name the operands that have the same layout */

/* The cursor, if it is in that fragment; else NULL. */
static const struct fragment_cell *cursor_in(const struct fragment_lit *lit, size_t which) {
    return lit->has_cursor && lit->page->which == which ? &lit->page->cursor : NULL;
}

/* Columns of a cell that shows its element, too: "31 c3 ". */
int fragment_wide_cell(const struct fragment *fragment) {
    return fragment_elements(fragment) > 10 ? 7 : 6;
}

int fragment_matrix_columns(const struct fragment *fragment, int cell) {
    return ROW_LABEL + fragment->columns * cell - 1;
}

static int tile_columns(const struct fragment *fragment, int cell) {
    return fragment->matrices * (fragment_matrix_columns(fragment, cell) + MATRIX_GAP) - MATRIX_GAP;
}

/* The number of matrices that fit side by side in that many columns, at least one. */
static int tiles_across(const struct fragment *fragment, int cell, int columns) {
    const int fit = (columns + MATRIX_GAP) / (fragment_matrix_columns(fragment, cell) + MATRIX_GAP);
    return fit < 1 ? 1 : fit < fragment->matrices ? fit : fragment->matrices;
}

/* The rows of all matrices; those that do not fit side by side go below, after a blank row. */
int fragment_tile_rows(const struct fragment *fragment, int cell, int columns) {
    const int across = tiles_across(fragment, cell, columns);
    const int down = (fragment->matrices + across - 1) / across;
    return down * (FRAGMENT_HEAD_ROWS + fragment->rows + 1) - 1;
}

/* ---- values of a recording ---- */

#define VALUE_MOST 10

static bool is_sum(const struct fragment_page *page, size_t which) {
    return page->fragments.is_mma && which == 2;
}

/* The value of a cell; in C, the sum so far. */
static char *cell_value(const struct fragment_page *page, size_t which, struct fragment_cell cell,
                        char text[WARP_VALUE_TEXT]) {
    const struct fragment *fragment = &page->fragments.list[which];
    if (is_sum(page, which))
        return fragments_sum(&page->fragments, page->registers, cell, page->k, text);
    const struct fragment_holder at = fragment_holder(fragment, cell);
    return fragment_value(fragment, page->registers, at.lane, at.element, text);
}

/* The columns of a cell in which every value of a fragment fits uncut, at most VALUE_MOST. */
int fragment_value_cell(const struct fragment_page *page, size_t which) {
    const struct fragment *fragment = &page->fragments.list[which];
    char text[WARP_VALUE_TEXT];
    int columns = FRAGMENT_VALUE_LEAST;
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (int element = 0; element < fragment_elements(fragment); element++) {
            const struct fragment_cell cell = fragment_cell(fragment, lane, element);
            const int needed = utf8_columns(cell_value(page, which, cell, text)) + 1;
            columns = needed > columns ? needed : columns;
        }
    return columns < VALUE_MOST ? columns : VALUE_MOST;
}

/* The column of A and the row of B that the last product was made of; -1 if there is none, or if
 * all products are added. */
static int last_factor(const struct fragment_page *page) {
    const bool is_part = page->registers && page->fragments.is_mma;
    return is_part && page->k < page->fragments.mma.k ? page->k - 1 : -1;
}

static bool is_factor(const struct fragment_page *page, size_t which, struct fragment_cell cell) {
    const int last = last_factor(page);
    return last >= 0 && ((which == 0 && cell.column == last) || (which == 1 && cell.row == last));
}

static struct style number_style(const struct fragment_page *page, bool counts_k, int number) {
    return counts_k && number == last_factor(page) ? style_role(STYLE_ACTIVE)
                                                   : style_role(STYLE_DIM);
}

/* The widest cells with which a tile fits, else the narrow ones. */
int fragment_cell_for(const struct fragment *fragment, int columns, int rows) {
    const int wide = fragment_wide_cell(fragment);
    return fragment_matrix_columns(fragment, wide) <= columns &&
                   fragment_tile_rows(fragment, wide, columns) <= rows
               ? wide
               : FRAGMENT_NARROW;
}

/* ---- one matrix ---- */

static void draw_cell(struct area area, int x, int y, int columns,
                      const struct fragments *fragments, size_t which, struct fragment_cell cell,
                      const struct fragment_lit *lit) {
    const struct fragment *fragment = &fragments->list[which];
    const struct fragment_holder holder = fragment_holder(fragment, cell);
    if (holder.lane < 0) { /* a cell outside the layout */
        area_glyph(area, x + 1, y, 0xb7, style_role(STYLE_ABSENT));
        return;
    }
    struct style style = {STYLE_GROUP, (uint8_t)(holder.lane % 32), 0};
    const struct fragment_page *page = lit->page;
    if (holder.lane == lit->lane)
        style.flags |= STYLE_BOLD | STYLE_SELECTED;
    const struct fragment_cell *cursor = cursor_in(lit, which);
    if (lit->alone && holder.lane != lit->lane) {
        area_glyph(area, x + 1, y, 0xb7, style_role(STYLE_DIM));
        return;
    }
    if (cursor && cursor->matrix == cell.matrix && cursor->row == cell.row &&
        cursor->column == cell.column)
        style.flags |= STYLE_REVERSE;
    if (page->registers && columns > FRAGMENT_NARROW) {
        char value[WARP_VALUE_TEXT];
        if (is_factor(page, which, cell))
            style.flags |= STYLE_UNDERLINE;
        draw_value(area, x, y, columns - 1, cell_value(page, which, cell, value), style);
    } else if (columns == FRAGMENT_NARROW)
        area_format(area, x, y, style, "%2d", holder.lane);
    else
        area_format(area, x, y, style, "%2d %c%-*d", holder.lane, fragment->letter, columns - 5,
                    holder.element);
    area_hit(area, x, y, columns - 1, 1, lit->in_lesson ? ACTION_LANE_GO : ACTION_CELL_GO,
             lit->in_lesson ? holder.lane : fragment_page_cell(which, cell));
}

/* Draws as many rows and columns of the matrix as the area has room for, with the cursor among
 * them. */
static void draw_matrix(struct area area, const struct fragments *fragments, size_t which,
                        int matrix, int columns, const struct fragment_lit *lit) {
    const struct fragment *fragment = &fragments->list[which];
    int rows = area.rows - FRAGMENT_HEAD_ROWS, across = (area.columns + 1 - ROW_LABEL) / columns;
    rows = rows < fragment->rows ? rows : fragment->rows;
    across = across < fragment->columns ? across : fragment->columns;
    int top = 0, left = 0;
    const struct fragment_cell *cursor = cursor_in(lit, which);
    if (cursor) {
        const int down = cursor->row - rows + 1, right = cursor->column - across + 1;
        top = down > 0 ? down : 0;
        left = right > 0 ? right : 0;
    }
    char name[64];
    snprintf(name, sizeof name, "%s  %dx%d %s", fragments->names[which], fragment->rows,
             fragment->columns,
             fragments->is_layout ? "" : fragment_type_info(fragment->type)->name);
    if (fragment->matrices > 1)
        snprintf(name, sizeof name, fragments->is_mma ? _("product %d, %s") : _("matrix %d"),
                 matrix, fragments->names[which]);
    if (lit->page->registers && is_sum(lit->page, which)) {
        const int k = lit->page->k, all = fragments->mma.k;
        const size_t length = strlen(name);
        snprintf(name + length, sizeof name - length, "  k %d/%d%s", k, all,
                 k == all ? " = D" : "");
    }
    area_text_clipped(area, ROW_LABEL, 0, area.columns - ROW_LABEL, name,
                      style_bold(cursor ? STYLE_ACTIVE : STYLE_LABEL));
    for (int i = 0; i < across; i++)
        area_format(area, ROW_LABEL + i * columns, 1, number_style(lit->page, which == 0, left + i),
                    "%2d", left + i);
    for (int row = 0; row < rows; row++) {
        area_format(area, 0, FRAGMENT_HEAD_ROWS + row,
                    number_style(lit->page, which == 1, top + row), "%2d", top + row);
        for (int i = 0; i < across; i++)
            draw_cell(area, ROW_LABEL + i * columns, FRAGMENT_HEAD_ROWS + row, columns, fragments,
                      which, (struct fragment_cell){matrix, top + row, left + i}, lit);
    }
}

/* Draws all matrices of a fragment; if they do not fit, from the cursor's row on. */
void fragment_draw_tile(struct area area, const struct fragments *fragments, size_t which,
                        int columns, const struct fragment_lit *lit) {
    const struct fragment *fragment = &fragments->list[which];
    const int wide = fragment_matrix_columns(fragment, columns),
              tall = FRAGMENT_HEAD_ROWS + fragment->rows;
    const int across = tiles_across(fragment, columns, area.columns);
    int first = 0;
    const struct fragment_cell *cursor = cursor_in(lit, which);
    if (cursor && fragment_tile_rows(fragment, columns, area.columns) > area.rows)
        first = cursor->matrix / across * across;
    for (int matrix = first; matrix < fragment->matrices; matrix++) {
        const int x = (matrix - first) % across * (wide + MATRIX_GAP);
        const int y = (matrix - first) / across * (tall + 1);
        if (y == 0 || y + tall <= area.rows)
            draw_matrix(area_within(area, x, y, wide < area.columns ? wide : area.columns,
                                    tall < area.rows ? tall : area.rows),
                        fragments, which, matrix, columns, lit);
    }
}

/* ---- rows in shared memory, their banks, and the lanes that get or give them ----
 *
 *     lane  offset  bank 0   4   8   12  16  20  24  28     0  1  2  3  4  5  6  7
 *     matrix 0           8                                8 passes instead of 1: ...
 *        0      +0      [ 0]                             0  0  0  1  1  2  2  3  3
 *        1    +128      [ 1]                             1  4  4  5  5  6  6  7  7
 */

#define BANKS_AT 17 /* columns before bank 0 */

static int banks_columns(const struct fragment *fragment, int cell) {
    return FRAGMENT_BANKS + fragment_matrix_columns(fragment, cell);
}

/* The rows of that many matrices, with `gap` blank rows between them. */
static int banks_rows(const struct fragment *fragment, int matrices, int gap) {
    return 1 + matrices * (1 + fragment->rows + gap) - gap;
}

static bool shows_banks(const struct fragments *fragments, int columns) {
    return fragments->has_rows && banks_columns(&fragments->list[0], FRAGMENT_NARROW) <= columns;
}

static struct style conflict_style(int ways) {
    return ways > 1 ? style_bold(STYLE_BAD) : style_role(STYLE_PLAIN);
}

/* The number of rows in each group of four banks, and the cost. */
static void draw_banks_head(struct area area, int matrix, const struct bank_use *use) {
    struct text passes = TEXT_INIT;
    area_format(area, 0, 0, style_bold(STYLE_LABEL), _("matrix %d"), matrix);
    for (int bank = 0; bank < WARP_BANKS; bank += MATRIX_ROW_BANKS)
        if (use->count[bank])
            area_format(area, BANKS_AT + bank, 0, conflict_style(use->count[bank]), "%3d",
                        use->count[bank]);
    fragments_append_passes(&passes, use);
    if (area.columns > FRAGMENT_BANKS)
        area_text_clipped(area, FRAGMENT_BANKS, 0, area.columns - FRAGMENT_BANKS, passes.data,
                          conflict_style(use->ways));
    text_release(&passes);
}

static void draw_bank_row(struct area area, const struct fragments *fragments,
                          struct fragment_cell cell, const struct bank_use *use, bool lit) {
    const struct matrix_rows *rows = &fragments->rows;
    const int lane = matrix_move_address_lane(cell.matrix, cell.row);
    const struct style plain = lit ? style_bold(STYLE_TERM) : style_role(STYLE_PLAIN);
    for (int bank = 0; bank < WARP_BANKS; bank += MATRIX_ROW_BANKS)
        area_glyph(area, BANKS_AT + bank + 1, 0, 0xb7, style_role(STYLE_DIM));
    area_format(area, 0, 0, plain, "%4d", lane);
    if (!(rows->lanes >> lane & 1))
        return;
    const int bank = warp_bank(rows->offset[lane]);
    struct style style = use->count[bank] > 1 ? style_with(style_bold(STYLE_BAD), STYLE_REVERSE)
                                              : style_role(STYLE_ACTIVE);
    if (lit)
        style.flags |= STYLE_BOLD | STYLE_UNDERLINE;
    area_format(area, 4, 0, plain, "%+8d", rows->offset[lane]);
    area_format(area, BANKS_AT + bank, 0, style, "[%2d]", lane);
}

static void draw_bank_matrix(struct area area, const struct fragments *fragments, int matrix,
                             int columns, const struct fragment_lit *lit) {
    const struct fragment *fragment = &fragments->list[0];
    const struct fragment_cell *cursor = cursor_in(lit, 0);
    struct bank_use use;
    matrix_rows_use(&fragments->rows, matrix, &use);
    draw_banks_head(area, matrix, &use);
    for (int row = 0; row < fragment->rows; row++) {
        const struct fragment_cell first = {matrix, row, 0};
        const bool here = cursor ? cursor->matrix == matrix && cursor->row == row
                                 : matrix_move_address_lane(matrix, row) == lit->lane;
        draw_bank_row(area_within(area, 0, 1 + row, area.columns, 1), fragments, first, &use, here);
        if (area.columns <= FRAGMENT_BANKS)
            continue;
        area_format(area, FRAGMENT_BANKS, 1 + row, style_role(STYLE_DIM), "%2d", row);
        for (int i = 0; i < fragment->columns; i++)
            draw_cell(area, FRAGMENT_BANKS + ROW_LABEL + i * columns, 1 + row, columns, fragments,
                      0, (struct fragment_cell){matrix, row, i}, lit);
    }
}

int fragment_draw_banks(struct area area, const struct fragments *fragments, int columns, int gap,
                        const struct fragment_lit *lit) {
    const struct fragment *fragment = &fragments->list[0];
    int shown = fragment->matrices;
    while (shown > 1 && banks_rows(fragment, shown, gap) > area.rows)
        shown--;
    const struct fragment_cell *cursor = cursor_in(lit, 0);
    const int first = cursor ? cursor->matrix / shown * shown : 0;
    area_text(area, 0, 0, _("lane"), style_role(STYLE_LABEL));
    area_text(area, 6, 0, _("offset"), style_role(STYLE_LABEL));
    area_text(area, BANKS_AT - 4, 0, _("bank"), style_role(STYLE_LABEL));
    for (int bank = 0; bank < WARP_BANKS; bank += MATRIX_ROW_BANKS)
        area_format(area, BANKS_AT + bank, 0, style_role(STYLE_LABEL), "%3d", bank);
    for (int i = 0; area.columns > FRAGMENT_BANKS && i < fragment->columns; i++)
        area_format(area, FRAGMENT_BANKS + ROW_LABEL + i * columns, 0, style_role(STYLE_DIM), "%2d",
                    i);
    for (int i = 0; i < shown && first + i < fragment->matrices; i++)
        draw_bank_matrix(area_within(area, 0, 1 + i * (1 + fragment->rows + gap), area.columns,
                                     1 + fragment->rows),
                         fragments, first + i, columns, lit);
    return banks_rows(fragment, shown, gap);
}

/* The widest cells of a matrix beside its banks, with values if they fit uncut. */
static int banks_cell(const struct fragment_page *page, int columns) {
    const struct fragment *fragment = &page->fragments.list[0];
    const int wide = page->registers ? fragment_value_cell(page, 0) : fragment_wide_cell(fragment);
    return banks_columns(fragment, wide) <= columns ? wide : FRAGMENT_NARROW;
}

/* ---- A, B and C laid out for multiplication ---- */

struct product {
    int a, b, c; /* columns of their cells */
    int columns, rows;
};

/* True if the product fits with the recorded values, which are shortened if necessary. */
static bool values_fit(const struct fragment_page *page, int columns, int rows,
                       struct product *product) {
    const struct fragment *list = page->fragments.list;
    const int a = fragment_value_cell(page, 0), b = fragment_value_cell(page, 1),
              c = fragment_value_cell(page, 2);
    for (int most = VALUE_MOST; most >= FRAGMENT_VALUE_LEAST; most--) {
        product->a = a < most ? a : most;
        product->b = b < most ? b : most;
        product->c = c < most ? c : most;
        const int right = tile_columns(&list[1], product->b),
                  below = tile_columns(&list[2], product->c);
        product->columns =
            tile_columns(&list[0], product->a) + PRODUCT_GAP + (right > below ? right : below);
        if (product->columns <= columns && product->rows <= rows)
            return true;
    }
    return false;
}

/* False if the fragments are not a product, or the product does not fit. With `registers`, the
 * cells of B and C must show their elements, too. */
static bool product_fits(const struct fragments *fragments, const struct fragment_page *page,
                         int columns, int rows, bool registers, struct product *product) {
    if (!fragments->is_mma || fragments->mma.products > 1)
        return false;
    const struct fragment *list = fragments->list;
    product->rows = FRAGMENT_HEAD_ROWS + list[1].rows + 1 + FRAGMENT_HEAD_ROWS + list[0].rows;
    if (page->registers)
        return values_fit(page, columns, rows, product);
    for (int narrow = 0; narrow < (registers ? 2 : 3); narrow++) {
        product->a = narrow > 0 ? FRAGMENT_NARROW : fragment_wide_cell(&list[0]);
        product->b = narrow > 1 ? FRAGMENT_NARROW : fragment_wide_cell(&list[1]);
        product->c = narrow > 1 ? FRAGMENT_NARROW : fragment_wide_cell(&list[2]);
        const int b = tile_columns(&list[1], product->b), c = tile_columns(&list[2], product->c);
        product->columns = tile_columns(&list[0], product->a) + PRODUCT_GAP + (b > c ? b : c);
        if (product->columns <= columns && product->rows <= rows)
            return true;
    }
    return false;
}

/* Returns the room that is left for words: above A, to the right of the product, or below it. */
static struct area draw_product(struct area area, const struct fragments *fragments,
                                const struct product *product, const struct fragment_lit *lit) {
    const struct fragment *list = fragments->list;
    const int left = tile_columns(&list[0], product->a), right = left + PRODUCT_GAP;
    const int top = FRAGMENT_HEAD_ROWS + list[1].rows, below = top + 1;
    const int tall = FRAGMENT_HEAD_ROWS + list[0].rows;
    fragment_draw_tile(area_within(area, right, 0, product->columns - right, top), fragments, 1,
                       product->b, lit);
    fragment_draw_tile(area_within(area, 0, below, left, tall), fragments, 0, product->a, lit);
    fragment_draw_tile(area_within(area, right, below, product->columns - right, tall), fragments,
                       2, product->c, lit);
    if (left >= WORDS_LEAST)
        return area_within(area, 0, 0, left, top);
    const int beside = product->columns + PRODUCT_GAP;
    if (area.columns - beside >= WORDS_LEAST)
        return area_within(area, beside, 0, area.columns - beside, area.rows);
    return area_within(area, 0, product->rows, area.columns, area.rows - product->rows);
}

/* ---- words ---- */

/* Lists the elements of each fragment that the lane holds, from row y on; returns the row after. */
static int draw_lane_words(struct area area, int y, const struct fragments *fragments, int lane) {
    for (size_t which = 0; which < fragments->count; which++) {
        struct text text = TEXT_INIT;
        text_append_format(&text, _("lane %d, %s: "), lane, fragments->names[which]);
        fragments_append_lane(&text, fragments, which, lane);
        y = area_text_wrapped(area, y, 2, text.data, style_role(STYLE_PLAIN));
        text_release(&text);
    }
    return y;
}

/* The distance between rows, and the swizzle, where keys change them. */
static void append_tile(struct text *text, const struct fragment_page *page) {
    const struct swizzle *swizzle = &page->tile.swizzle;
    text_append_format(text, _("pitch %u bytes"), (unsigned)page->tile.pitch);
    if (swizzle->bits)
        text_append_format(text, _(", swizzle %d,%d,%d"), swizzle->bits, swizzle->base,
                           swizzle->shift);
}

static int draw_holder_words(struct area area, int y, const struct fragment_page *page) {
    struct text text = TEXT_INIT;
    fragments_append_holder(&text, &page->fragments, page->which, page->cursor);
    if (page->registers) {
        char value[WARP_VALUE_TEXT];
        text_append_format(&text, ": %s", cell_value(page, page->which, page->cursor, value));
    }
    if (page->fragments.has_rows) {
        text_append(&text, "; ");
        fragments_append_row(&text, &page->fragments, page->cursor);
    }
    if (page->fragments.has_rows && page->tile.can_change && area.columns < TILE_IN_TITLE) {
        text_append(&text, "; ");
        append_tile(&text, page);
    }
    y = area_text_wrapped(area, y, 2, text.data, style_bold(STYLE_TERM));
    text_release(&text);
    return y;
}

/* The product that was added last to the cell of C under the cursor. */
static int draw_product_words(struct area area, int y, const struct fragment_page *page) {
    const struct fragments *fragments = &page->fragments;
    const struct fragment_cell cell = page->cursor;
    const int k = page->k - 1;
    char before[WARP_VALUE_TEXT], left[WARP_VALUE_TEXT], right[WARP_VALUE_TEXT];
    char after[WARP_VALUE_TEXT], line[4 * WARP_VALUE_TEXT + 64];
    if (!page->registers || !is_sum(page, page->which) || k < 0)
        return y;
    fragments_sum(fragments, page->registers, cell, k, before);
    fragments_sum(fragments, page->registers, cell, k + 1, after);
    cell_value(page, 0, (struct fragment_cell){cell.matrix, cell.row, k}, left);
    cell_value(page, 1, (struct fragment_cell){cell.matrix, k, cell.column}, right);
    snprintf(line, sizeof line, "k = %d: %s + A[%d][%d] B[%d][%d] = %s + %s * %s = %s", k,
             k ? "..." : "C", cell.row, k, k, cell.column, before, left, right, after);
    return area_text_wrapped(area, y, 2, line, style_role(STYLE_TERM));
}

static int lane_words_lines(const struct fragments *fragments, int lane, int columns) {
    int lines = 0;
    for (size_t which = 0; which < fragments->count; which++) {
        struct text text = TEXT_INIT;
        text_append_format(&text, _("lane %d, %s: "), lane, fragments->names[which]);
        fragments_append_lane(&text, fragments, which, lane);
        lines += text_lines(text.data, columns, 2);
        text_release(&text);
    }
    return lines;
}

/* Draws the number of passes of all matrices; returns the column after it. */
static int draw_passes(struct area area, int x, int y, const struct fragments *fragments) {
    const struct bank_use use = fragments_use(fragments);
    struct text text = TEXT_INIT;
    fragments_append_passes(&text, &use);
    x = area_text_clipped(area, x, y, area.columns - x, text.data, conflict_style(use.ways));
    text_release(&text);
    return x;
}

static void draw_title(struct area area, const struct fragments *fragments,
                       const struct fragment_page *page) {
    int x = area_text_clipped(area, 0, 0, area.columns, fragments->instruction,
                              style_bold(STYLE_TITLE));
    if (x + 8 < area.columns && !fragments->is_layout)
        x = area_format(area, x + 2, 0, style_role(STYLE_DIM),
                        fragments->mma.is_wmma ? _("as seen on an H100") : "sm_%d",
                        fragments->architecture);
    if (page && fragments->has_rows) {
        x = draw_passes(area, x + 2, 0, fragments);
        if (page->tile.can_change && area.columns >= TILE_IN_TITLE) {
            struct text text = TEXT_INIT;
            append_tile(&text, page);
            area_text_clipped(area, x + 2, 0, area.columns - x - 2, text.data,
                              style_role(STYLE_PLAIN));
            text_release(&text);
        }
    }
}

/* Draws a line below the title of a layout: the operands that have it. Returns the rows taken. */
static int draw_same_layout(struct area area, int y, const struct fragments *fragments) {
    if (!fragments->is_layout)
        return 0;
    struct text text = TEXT_INIT;
    if (fragments->same[0])
        text_append_format(&text, _("the same as %s"), fragments->same);
    else
        text_append(&text, _("no operand has this layout"));
    if (!fragments->same[0] && fragments->nearest.name[0])
        text_append_format(
            &text,
            _("; the nearest is %s, which first differs at lane %d, value %d: element %" PRIu32
              " in this layout, element %" PRIu32 " in the nearest"),
            fragments->nearest.name, fragments->nearest.lane, fragments->nearest.value,
            fragments->nearest.here, fragments->nearest.there);
    const int end = area_text_wrapped(area, y, 2, text.data, style_role(STYLE_TERM));
    text_release(&text);
    return end - y;
}

/* ---- the screen, and paper ---- */

void view_draw_fragments(struct grid *grid, const struct fragment_page *page) {
    struct area area = grid_area(grid);
    const struct fragments *fragments = &page->fragments;
    const struct fragment_lit lit = {
        .lane = fragment_page_holder(page).lane, .page = page, .has_cursor = true};
    struct product product;
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, page->help, ACTION_MODE_FRAGMENTS))
        return;
    draw_title(area_within(area, 1, 0, area.columns - 2, 1), fragments, page);
    struct area body = area_within(area, 1, 1, area.columns - 2, area.rows - 2);
    if (product_fits(fragments, page, body.columns, body.rows, false, &product)) {
        struct area words = draw_product(body, fragments, &product, &lit);
        const int y = draw_product_words(words, draw_holder_words(words, 1, page), page);
        draw_lane_words(words, y + 1, fragments, lit.lane);
    } else {
        const struct fragment *fragment = &fragments->list[page->which];
        const int same = draw_same_layout(body, 0, fragments);
        const int top = draw_product_words(body, draw_holder_words(body, same, page), page);
        struct area tile = area_within(body, 0, top, body.columns, body.rows - top);
        int cell = fragment_cell_for(fragment, tile.columns, tile.rows);
        if (page->registers) {
            cell = fragment_value_cell(page, page->which);
            while (cell > FRAGMENT_VALUE_LEAST &&
                   fragment_matrix_columns(fragment, cell) > tile.columns)
                cell--;
        }
        int y = top + fragment_tile_rows(fragment, cell, tile.columns);
        if (shows_banks(fragments, tile.columns)) {
            cell = banks_cell(page, tile.columns);
            y = top + fragment_draw_banks(tile, fragments, cell, 0, &lit);
        } else
            fragment_draw_tile(tile, fragments, page->which, cell, &lit);
        if (y < body.rows)
            draw_lane_words(area_within(body, 0, y, body.columns, body.rows - y), 0, fragments,
                            lit.lane);
    }
    enum action idle[5];
    size_t count = 0;
    if (!page->registers || !fragments->is_mma) {
        idle[count++] = ACTION_ARGUMENT_NEXT;
        idle[count++] = ACTION_ARGUMENT_PREVIOUS;
    }
    if (!page->tile.can_change) {
        idle[count++] = ACTION_PITCH_NEXT;
        idle[count++] = ACTION_PITCH_PREVIOUS;
        idle[count++] = ACTION_SWIZZLE;
    }
    draw_keys_except(row_of(area, area.rows - 1), ACTION_MODE_FRAGMENTS, NULL, idle, count);
}

/* ---- on paper ---- */

/* The columns of a cell where tiles are one below the other on paper: those that values need, else
 * the most that fit. */
static int paper_cell(const struct fragment_page *page, size_t which, int columns) {
    return page->registers ? fragment_value_cell(page, which)
                           : fragment_cell_for(&page->fragments.list[which], columns, PAPER_ROWS);
}

static int stacked_columns(const struct fragment_page *page, int columns) {
    int widest = columns;
    for (size_t i = 0; i < page->fragments.count; i++) {
        const int needed =
            fragment_matrix_columns(&page->fragments.list[i], paper_cell(page, i, columns));
        widest = needed > widest ? needed : widest;
    }
    return widest;
}

static int stacked_rows(const struct fragment_page *page, int columns) {
    int rows = -1;
    for (size_t i = 0; i < page->fragments.count; i++)
        rows +=
            1 + fragment_tile_rows(&page->fragments.list[i], paper_cell(page, i, columns), columns);
    return rows;
}

static void draw_stacked(struct area area, const struct fragment_page *page,
                         const struct fragment_lit *lit) {
    const struct fragments *fragments = &page->fragments;
    for (size_t i = 0; i < fragments->count; i++) {
        const int cell = paper_cell(page, i, area.columns);
        const int tall = fragment_tile_rows(&fragments->list[i], cell, area.columns);
        fragment_draw_tile(area_within(area, 0, 0, area.columns, tall), fragments, i, cell, lit);
        area = area_within(area, 0, tall + 1, area.columns, area.rows - tall - 1);
    }
}

/* The layout of the matrices on paper, and its size. */
struct sheet {
    bool crossed, banks; /* if neither, matrices are one below the other */
    struct product product;
    int columns, rows;
};

static struct sheet sheet_of(const struct fragment_page *page, int columns) {
    const struct fragments *fragments = &page->fragments;
    struct sheet sheet = {.banks = shows_banks(fragments, columns), .columns = columns};
    sheet.crossed = product_fits(fragments, page, columns, PAPER_ROWS, true, &sheet.product);
    if (sheet.crossed) {
        sheet.rows = sheet.product.rows;
    } else if (sheet.banks) {
        const struct fragment *fragment = &fragments->list[0];
        sheet.columns = banks_columns(fragment, banks_cell(page, columns));
        sheet.rows = banks_rows(fragment, fragment->matrices, 1);
    } else {
        sheet.columns = stacked_columns(page, columns);
        sheet.rows = stacked_rows(page, sheet.columns);
    }
    return sheet;
}

void view_draw_fragments_table(struct grid *grid, const struct fragment_page *page, int lane,
                               int columns) {
    const struct fragments *fragments = &page->fragments;
    const struct fragment_lit lit = {.lane = lane, .page = page};
    const struct sheet sheet = sheet_of(page, columns);
    const int same = fragments->is_layout ? SAME_ROWS : 0;
    const int rows = 2 + same + sheet.rows;
    const int product = lane >= 0 && page->registers && is_sum(page, page->which) ? 2 : 0;
    const int words = lane < 0 ? 0 : 1 + lane_words_lines(fragments, lane, sheet.columns);
    grid_resize(grid, sheet.columns, rows + words + product);
    struct area area = grid_area(grid);
    struct area body = area_within(area, 0, 2 + same, sheet.columns, rows - 2 - same);
    draw_title(area, fragments, NULL);
    draw_same_layout(area_within(area, 0, 0, sheet.columns, 1 + same), 1, fragments);
    if (sheet.crossed) {
        draw_product(body, fragments, &sheet.product, &lit);
    } else if (sheet.banks) {
        const int x = draw_passes(area, 0, 1, fragments) + 2;
        if (!page->registers)
            area_text_clipped(area, x, 1, sheet.columns - x,
                              _("on the right: the lanes that hold the elements"),
                              style_role(STYLE_DIM));
        fragment_draw_banks(body, fragments, banks_cell(page, sheet.columns), 1, &lit);
    } else {
        draw_stacked(body, page, &lit);
    }
    if (lane < 0)
        return;
    const int y = draw_lane_words(area, rows + 1, fragments, lane);
    draw_product_words(area, y, page);
}
