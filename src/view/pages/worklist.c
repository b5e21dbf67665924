/*
 * The list of exercises.
 *
 *     Exercises                                                        2 of 30 done
 *     ━━━━━━───────────────────────────────────────────────────────────────────────
 *       ✓ Broadcast lane 5                   │ Rotate by one
 *     ▸   Rotate by one                      │ __shfl_sync with another source in ...
 *     keys
 */
#include "view/view.h"

#include "base/message.h"
#include "view/flow.h"
#include "view/moment.h"

#include <stdio.h>
#include <string.h>

#define BESIDE_COLUMNS 72 /* from this width on, the description is beside the list */

#define TITLE_LEAST 20 /* longer titles are cut to make room for the minutes */

static void draw_head(struct area area, const struct worklist *list) {
    char text[96];
    size_t done = 0;
    if (list->heading) {
        area_text(area, 1, 0, list->heading, style_bold(STYLE_TITLE));
        draw_rule(area, 1);
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        done += list->entries[i].done;
    area_text(area, 1, 0, _("Exercises"), style_bold(STYLE_TITLE));
    snprintf(text, sizeof text, _("%zu of %zu done"), done, list->count);
    draw_right_aligned(area, area.columns - 1, 0, text, style_role(STYLE_DIM));
    for (int x = 0; x < area.columns; x++) {
        const bool filled = (size_t)x * list->count < done * (size_t)area.columns;
        area_glyph(area, x, 1, filled ? 0x2501 : 0x2500,
                   style_role(filled ? STYLE_KEY : STYLE_DIM));
    }
}

static void draw_entry(struct area area, int y, const struct worklist *list, size_t index) {
    const struct worklist_entry *entry = &list->entries[index];
    const bool selected = index == list->selected;
    if (selected)
        area_glyph(area, 0, y, 0x25b8, style_role(STYLE_ACTIVE));
    if (entry->done)
        area_glyph(area, 2, y, 0x2713, style_role(STYLE_GOOD));
    else if (entry->begun)
        area_glyph(area, 2, y, 0x25d0, style_role(STYLE_KEY));
    int end = area.columns - 1;
    const int title = utf8_columns(entry->title);
    const int least = title < TITLE_LEAST ? title : TITLE_LEAST;
    if (entry->note && least + utf8_columns(entry->note) + 6 <= area.columns)
        end = draw_right_aligned(area, end, y, entry->note, style_role(STYLE_DIM)) - 1;
    area_text_clipped(area, 4, y, end - 4, entry->title,
                      style_with(style_role(STYLE_PLAIN), selected ? STYLE_BOLD : 0u));
    if (selected)
        area_flag(area, 0, y, area.columns, 1, STYLE_SELECTED);
    area_hit(area, 0, y, area.columns, 1, ACTION_LESSON_GO, (int64_t)index);
}

static bool begins_chapter(const struct worklist *list, size_t index) {
    const char *chapter = list->entries[index].chapter;
    const char *before = index ? list->entries[index - 1].chapter : NULL;
    return chapter && (!before || strcmp(chapter, before) != 0);
}

/* The row of an entry when all are drawn, counting headings. */
static int row_in_list(const struct worklist *list, size_t index) {
    int row = (int)index;
    for (size_t i = 0; i <= index; i++)
        row += begins_chapter(list, i);
    return row;
}

static void draw_entries(struct area area, const struct worklist *list) {
    const int count = row_in_list(list, list->count - 1) + 1;
    int first = row_in_list(list, list->selected) - area.rows / 2;
    first = first > count - area.rows ? count - area.rows : first;
    first = first < 0 ? 0 : first;
    for (size_t i = 0; i < list->count; i++) {
        const int y = row_in_list(list, i) - first;
        if (begins_chapter(list, i) && y - 1 >= 0 && y - 1 < area.rows)
            area_text_clipped(area, 1, y - 1, area.columns - 2, list->entries[i].chapter,
                              style_role(STYLE_LABEL));
        if (y >= 0 && y < area.rows)
            draw_entry(area, y, list, i);
    }
    if (first > 0)
        area_glyph(area, area.columns - 1, 0, 0x2191, style_role(STYLE_KEY));
    if (count - first > area.rows)
        area_glyph(area, area.columns - 1, area.rows - 1, 0x2193, style_role(STYLE_KEY));
}

static void draw_selected(struct area area, const struct worklist *list) {
    const struct worklist_entry *entry = &list->entries[list->selected];
    struct flow flow = {.area = area, .draw = true};
    struct prose prose;
    flow_text(&flow, entry->title, 0, style_bold(STYLE_TITLE));
    flow_text(&flow, entry->teaches, 0, style_role(STYLE_PLAIN));
    flow_blank(&flow, 1);
    flow_text(&flow, entry->name, 0, style_role(STYLE_CODE));
    if (entry->done)
        flow_with_sign(&flow, 0x2713, style_role(STYLE_GOOD), _("done"), style_role(STYLE_GOOD));
    flow_blank(&flow, 1);
    prose_make(&prose, entry->task, NULL, NULL, NULL);
    flow_prose(&flow, &prose, 1, style_role(STYLE_DIM));
    prose_release(&prose);
}

/* The animated shuffles, under the list. */
static void draw_animation(struct area area, const struct replay *replay) {
    struct moment moment;
    char heading[192];
    if (!moment_init(&moment, replay))
        return;
    moment_heading(&moment, heading, sizeof heading);
    int x = 0;
    if (area.columns >= BESIDE_COLUMNS) /* there is room for both */
        x = area_text(area, 1, 0, heading, style_role(STYLE_PLAIN)) + 2;
    draw_phases(area_within(area, x, 0, area.columns - x, 1), &moment);
    view_of(VIEW_WIRES)->draw(area_within(area, 1, 1, area.columns - 2, area.rows - 1), &moment);
}

#define START_LIST_ROWS 9
#define START_LIST_FULL 12 /* the first list with its heading; from 24 rows on it fits */

/* As many rows as the list needs; the picture keeps the rest of a small screen. */
static int start_rows(int rows, int entries) {
    const int most =
        rows < 24 ? START_LIST_ROWS + rows - VIEW_MIN_ROWS : START_LIST_FULL + (rows - 24) / 2;
    const int wanted = entries + 3;
    return wanted < START_LIST_ROWS ? START_LIST_ROWS : wanted < most ? wanted : most;
}

void view_draw_start(struct grid *grid, const struct worklist *list, const struct replay *replay,
                     const char *typed) {
    struct area area = grid_area(grid);
    const struct worklist_entry *entry = &list->entries[list->selected];
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, list->help, ACTION_MODE_START))
        return;
    static const enum action back = ACTION_CANCEL;
    const int half = area.columns * (list->heading ? 21 : 20) / 40; /* lessons have long titles */
    const int rows = start_rows(area.rows, (int)list->count);
    int x = area_text(area, 1, 0, "shflviz", style_bold(STYLE_TITLE)) + 2;
    area_text_clipped(area, x, 0, area.columns - x - 1,
                      list->heading
                          ? list->heading
                          : _("see how the lanes of a GPU warp exchange values, step by step"),
                      style_role(list->heading ? STYLE_TITLE : STYLE_DIM));
    struct area body = area_within(area, 0, 2, area.columns, rows - 2);
    draw_entries(area_within(body, 0, 0, half, body.rows), list);
    struct flow flow = {.area = area_within(body, half + 2, 0, area.columns - half - 3, body.rows),
                        .draw = true};
    flow_text(&flow, entry->teaches, 0, style_role(STYLE_PLAIN));
    flow_blank(&flow, 1);
    flow_text(&flow, entry->name, 0, style_role(STYLE_CODE));
    draw_rule(area, rows);
    draw_animation(area_within(area, 0, rows + 1, area.columns, area.rows - rows - 2), replay);
    if (typed)
        draw_typing(row_of(area, area.rows - 1), _("call: "), typed,
                    _("Enter runs it, Esc drops it"), STYLE_DIM);
    else
        draw_keys_except(row_of(area, area.rows - 1), ACTION_MODE_START, NULL, &back,
                         list->heading ? 0 : 1); /* the first list has no list to go back to */
}

void view_draw_worklist(struct grid *grid, const struct worklist *list) {
    struct area area = grid_area(grid);
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, list->help, worklist_key_mode(list)))
        return;
    draw_head(area, list);
    struct area body = area_within(area, 0, 2, area.columns, area.rows - 3);
    if (area.columns >= BESIDE_COLUMNS) {
        const int half = list->entries[0].chapter ? area.columns * 23 / 40 : area.columns / 2;
        draw_entries(area_within(body, 0, 0, half, body.rows), list);
        draw_divider(body, half);
        draw_selected(area_within(body, half + 2, 0, area.columns - half - 3, body.rows), list);
    } else {
        draw_entries(area_within(body, 0, 0, area.columns, body.rows - 4), list);
        draw_rule(area, area.rows - 5);
        area_text_wrapped(area_within(area, 1, area.rows - 4, area.columns - 2, 3), 0, 0,
                          list->entries[list->selected].teaches, style_role(STYLE_PLAIN));
    }
    draw_keys(area_within(area, 0, area.rows - 1, area.columns, 1), worklist_key_mode(list), NULL);
}
