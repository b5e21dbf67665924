/* The matrix that a lesson shows in place of a view. */
#include "base/message.h"
#include "view/pages/fragment_parts.h"
#include "view/pages/stage.h"

#include <string.h>

#define SOURCE_ROWS 6 /* from this height on, the source is below a matrix */

static void draw_heading(struct area row, const struct moment *moment) {
    char heading[192];
    stage_heading(moment, row.columns, heading, sizeof heading);
    area_text_clipped(row, 0, 0, row.columns, heading, style_role(STYLE_PLAIN));
}

/* The page; `which` is the matrix that the lesson shows. */
static bool lesson_page(struct fragment_page *page, const struct replay *replay) {
    const struct cursor *cursor = &replay->cursor;
    if (!replay->matrix[0] || !cursor->has_step ||
        !fragment_page_recorded(page, trace_registers(cursor->trace, cursor->step.number),
                                replay->lane))
        return false;
    const int which = fragments_find(&page->fragments, replay->matrix, strlen(replay->matrix));
    page->which = which < 0 ? 0 : (size_t)which;
    return which >= 0;
}

/* In fewer columns the matrix is shown, with its values. */
static bool shows_banks(const struct fragment_page *page, const struct replay *replay,
                        int columns) {
    return replay->matrix_as == REPLAY_MATRIX_BANKS && page->fragments.has_rows &&
           columns >= FRAGMENT_BANKS;
}

int stage_matrix_columns(const struct replay *replay) {
    struct fragment_page page;
    if (!lesson_page(&page, replay))
        return 0;
    const struct fragment *fragment = &page.fragments.list[page.which];
    if (shows_banks(&page, replay, FRAGMENT_BANKS))
        return 2 + FRAGMENT_BANKS;
    const int cell = replay->matrix_as != REPLAY_MATRIX_LANES
                         ? fragment_value_cell(&page, page.which)
                     : fragment->columns > 8 ? FRAGMENT_NARROW
                                             : fragment_wide_cell(fragment);
    return 2 + fragment_matrix_columns(fragment, cell);
}

/* Draws below the matrix: the elements of its lane and, where there is room, the source, or the
 * next matrix while a question hides the source. */
static void draw_below(struct area area, const struct fragment_page *page,
                       const struct fragment_lit *lit, const struct moment *moment) {
    struct text text = TEXT_INIT;
    text_append_format(&text, _("lane %d, %s: "), lit->lane, page->fragments.names[page->which]);
    fragments_append_lane(&text, &page->fragments, page->which, lit->lane);
    const int y =
        area.rows > 0 ? area_text_wrapped(area, 0, 2, text.data, style_role(STYLE_DIM)) : 0;
    text_release(&text);
    const size_t next = (page->which + 1) % page->fragments.count;
    const struct fragment *fragment = &page->fragments.list[next];
    const struct area rest = area_within(area, 0, y + 2, area.columns, area.rows - y - 2);
    if (rest.rows >= SOURCE_ROWS && moment_has_source(moment)) {
        draw_rule(area, y + 1);
        draw_source(rest, moment);
    } else if (next != page->which && rest.rows >= FRAGMENT_HEAD_ROWS + fragment->rows) {
        fragment_draw_tile(rest, &page->fragments, next,
                           fragment_cell_for(fragment, rest.columns, rest.rows), lit);
    }
}

/* Says where the rows are, and how many passes read them. */
static void draw_rows(struct area area, const struct fragment_page *page,
                      const struct fragment_lit *lit, const struct moment *moment) {
    struct text passes = TEXT_INIT;
    struct bank_use use;
    const int y = fragment_draw_banks(area_within(area, 0, 0, FRAGMENT_BANKS, area.rows),
                                      &page->fragments, FRAGMENT_NARROW, 0, lit);
    matrix_rows_use(&page->fragments.rows, 0, &use);
    fragments_append_passes(&passes, &use);
    area_text_clipped(area, 0, y + 1, area.columns, passes.data, style_role(STYLE_TERM));
    text_release(&passes);
    if (area.rows - y - 3 < SOURCE_ROWS || !moment_has_source(moment))
        return;
    draw_rule(area, y + 2);
    draw_source(area_within(area, 0, y + 3, area.columns, area.rows - y - 3), moment);
}

bool stage_draw_matrix(struct area area, const struct moment *moment) {
    const struct replay *replay = moment->replay;
    struct fragment_page page;
    if (!lesson_page(&page, replay))
        return false;
    const struct fragment *fragment = &page.fragments.list[page.which];
    const bool alone = (replay->hide & REPLAY_HIDES_IN) && replay->points;
    const struct fragment_lit lit = {.lane = alone ? __builtin_ctz(replay->points) : replay->lane,
                                     .page = &page,
                                     .in_lesson = true,
                                     .alone = alone};
    const int title = area.rows > FRAGMENT_HEAD_ROWS + fragment->rows;
    if (replay->matrix_as == REPLAY_MATRIX_LANES)
        page.registers = NULL;
    area = area_within(area, 1, 0, area.columns - 2, area.rows);
    if (title && moment->asked)
        draw_heading(row_of(area, 0), moment);
    else if (title)
        area_text_clipped(area, 0, 0, area.columns, page.fragments.instruction,
                          style_role(STYLE_PLAIN));
    area = area_within(area, 0, title, area.columns, area.rows - title);
    if (shows_banks(&page, replay, area.columns)) {
        draw_rows(area, &page, &lit, moment);
        return true;
    }
    int cell = page.registers ? fragment_value_cell(&page, page.which)
                              : fragment_cell_for(fragment, area.columns, area.rows);
    while (page.registers && cell > FRAGMENT_VALUE_LEAST &&
           fragment_matrix_columns(fragment, cell) > area.columns)
        cell--;
    fragment_draw_tile(area, &page.fragments, page.which, cell, &lit);
    const int y = fragment_tile_rows(fragment, cell, area.columns);
    if (y < area.rows)
        draw_below(area_within(area, 0, y, area.columns, area.rows - y), &page, &lit, moment);
    return true;
}
