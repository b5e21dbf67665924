/*
 * Moves a cursor over the cells of a matrix. explain/fragments.h finds the lane and register of
 * a cell, so that this file need not know any layout.
 */
#include "replay/pages/fragment_page.h"

#define PITCH_FIRST WARP_ROW_BYTES /* all banks: without a swizzle, rows conflict eight ways */

static const struct fragment *fragment_of(const struct fragment_page *page) {
    return &page->fragments.list[page->which];
}

void fragment_page_init(struct fragment_page *page, const struct fragments *fragments, size_t which,
                        int lane) {
    *page = (struct fragment_page){.fragments = *fragments, .which = which};
    page->cursor = fragment_cell(fragment_of(page), lane, 0);
    page->tile.can_change = fragments_take_rows(fragments);
    page->tile.pitch = PITCH_FIRST;
}

bool fragment_page_recorded(struct fragment_page *page, const struct trace_registers *registers,
                            int lane) {
    struct fragments fragments;
    int unused_lane, unused_value;
    if (!registers || !fragments_recorded(&fragments, registers))
        return false;
    const struct mma *mma = &fragments.mma;
    if (fragments.is_mma &&
        layout_equal(&mma->c.layout, &mma->d.layout, &unused_lane, &unused_value))
        fragments.count = 3; /* C's cells become D's */
    fragment_page_init(page, &fragments, fragments.is_mma ? 2 : 0, lane);
    page->tile.can_change = false;
    page->registers = registers;
    page->k = mma->k;
    return true;
}

struct fragment_holder fragment_page_holder(const struct fragment_page *page) {
    return fragment_holder(fragment_of(page), page->cursor);
}

long fragment_page_cell(size_t which, struct fragment_cell cell) {
    return (((long)which * 256 + cell.matrix) * 256 + cell.row) * 256 + cell.column;
}

static bool go_cell(struct fragment_page *page, long argument) {
    const struct fragment_cell cell = {(int)(argument >> 16 & 255), (int)(argument >> 8 & 255),
                                       (int)(argument & 255)};
    const size_t which = (size_t)(argument >> 24);
    if (argument < 0 || which >= page->fragments.count ||
        fragment_holder(&page->fragments.list[which], cell).lane < 0)
        return false;
    page->which = which;
    page->cursor = cell;
    return true;
}

/* After the last column of a matrix comes the first of the next. */
static bool move(struct fragment_page *page, int rows, int columns) {
    const struct fragment *fragment = fragment_of(page);
    struct fragment_cell to = page->cursor;
    to.row += rows;
    to.column += columns;
    if (to.column < 0) {
        to.matrix--;
        to.column = fragment->columns - 1;
    } else if (to.column >= fragment->columns) {
        to.matrix++;
        to.column = 0;
    }
    return go_cell(page, fragment_page_cell(page->which, to));
}

/* The same element of another lane; after the last lane comes the first. */
static bool go_lane(struct fragment_page *page, int lane) {
    const int lanes = (int)layout_size(&fragment_of(page)->layout.lanes);
    page->cursor = fragment_cell(fragment_of(page), (lane + lanes) % lanes,
                                 fragment_page_holder(page).element);
    return true;
}

/* The lane stays the same. */
static bool go_fragment(struct fragment_page *page, size_t which) {
    const int lane = fragment_page_holder(page).lane;
    page->which = which % page->fragments.count;
    page->cursor = fragment_cell(fragment_of(page), lane, 0);
    return page->fragments.count > 1;
}

/* Adds a product to C, or removes one; false if the page has no values of a product. */
static bool go_product(struct fragment_page *page, int k) {
    if (!page->registers || !page->fragments.is_mma || k < 0 || k > page->fragments.mma.k)
        return false;
    page->k = k;
    return true;
}

#define PITCH_MOST 1024

static bool go_rows(struct fragment_page *page, int64_t pitch, const struct swizzle *swizzle) {
    if (!page->tile.can_change || pitch < MATRIX_ROW_BYTES || pitch > PITCH_MOST)
        return false;
    page->tile.pitch = (uint32_t)pitch;
    page->tile.swizzle = *swizzle;
    page->fragments.has_rows = true;
    matrix_rows_in_tile(&page->fragments.rows, fragment_of(page)->matrices, page->tile.pitch,
                        swizzle);
    return true;
}

static bool go_pitch(struct fragment_page *page, int more) {
    return go_rows(page, page->fragments.has_rows ? (int64_t)page->tile.pitch + more : PITCH_FIRST,
                   &page->tile.swizzle);
}

/* Cycles through none, 128B, 64B and 32B. */
static bool go_swizzle(struct fragment_page *page) {
    struct swizzle next = {page->tile.swizzle.bits == 0 ? 3 : page->tile.swizzle.bits - 1, 4, 3};
    if (next.bits > 3)
        next.bits = 0;
    return go_rows(page, page->tile.pitch, &next);
}

static bool act(struct fragment_page *page, enum action action, long argument) {
    const struct fragment_holder at = fragment_page_holder(page);
    switch (action) {
    case ACTION_ROW_NEXT:
        return move(page, 1, 0);
    case ACTION_ROW_PREVIOUS:
        return move(page, -1, 0);
    case ACTION_COLUMN_NEXT:
        return move(page, 0, 1);
    case ACTION_COLUMN_PREVIOUS:
        return move(page, 0, -1);
    case ACTION_LANE_NEXT:
    case ACTION_PHASE_NEXT: /* the wheel */
        return go_lane(page, at.lane + 1);
    case ACTION_LANE_PREVIOUS:
    case ACTION_PHASE_PREVIOUS:
        return go_lane(page, at.lane - 1);
    case ACTION_LIST_NEXT:
        return go_fragment(page, page->which + 1);
    case ACTION_LIST_PREVIOUS:
        return go_fragment(page, page->which + page->fragments.count - 1);
    case ACTION_ARGUMENT_NEXT:
        return go_product(page, page->k + 1);
    case ACTION_ARGUMENT_PREVIOUS:
        return go_product(page, page->k - 1);
    case ACTION_PITCH_NEXT:
        return go_pitch(page, MATRIX_ROW_BYTES);
    case ACTION_PITCH_PREVIOUS:
        return go_pitch(page, -MATRIX_ROW_BYTES);
    case ACTION_SWIZZLE:
        return go_swizzle(page);
    case ACTION_CELL_GO:
        return go_cell(page, argument);
    case ACTION_QUIT:
    case ACTION_CANCEL:
        page->left = true;
        return true;
    case ACTION_HELP:
        page->help = !page->help;
        return true;
    default:
        return false;
    }
}

bool fragment_page_apply(struct fragment_page *page, enum action action, long argument) {
    const bool helped = page->help;
    page->help = helped && action == ACTION_HELP;
    return act(page, action, argument) || helped;
}

struct press fragment_page_press(const struct fragment_page *page, const char *key) {
    return action_help_press(page->help, action_press(ACTION_MODE_FRAGMENTS, key));
}
