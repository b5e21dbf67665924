/*
 * The list of lessons.
 *
 *     Lessons                                        3 of 28 finished
 *     ━━━━━━━━─────────────────────────────────────────────────────────
 *     Foundations                            │ Broadcast
 *       ✓ Lanes and warps                    │ One lane's value for all
 *     ▸ ◐ Broadcast                     3/8  │
 *     Shuffles                               │ builds on ✓ Lanes and warps
 *     keys
 */
#include "view/view.h"

#include "base/message.h"
#include "view/flow.h"
#include "view/moment.h"

#include <stdio.h>

#define BESIDE_COLUMNS 72 /* from this width on, the description is beside the list */
#define BELOW_ROWS     6
#define DETAIL_MOST    48

static enum progress_mark mark_of(const struct catalog_entry *entry) {
    return progress_mark(entry->progress, lesson_questions(entry->lesson));
}

static const char *chapter_of(const struct catalog_entry *entry) {
    return lesson_chapter(entry->lesson, entry->language);
}

/* A learner's progress: half a disk, a tick, a star. */
static uint32_t mark_glyph(enum progress_mark mark) {
    static const uint32_t glyphs[] = {' ', 0x25d0, 0x2713, 0x2605};
    return glyphs[mark];
}

/* ---- the list ---- */

static void draw_entry(struct area area, int y, const struct catalog *catalog, size_t index) {
    const struct catalog_entry *entry = &catalog->entries[index];
    const struct lesson_progress *progress = entry->progress;
    bool selected = index == catalog->selected;
    char count[32] = "";
    if (progress && !progress->finished && progress->beats)
        snprintf(count, sizeof count, "%u/%u", progress->seen, progress->beats);
    if (selected)
        area_glyph(area, 0, y, 0x25b8, style_role(STYLE_ACTIVE));
    const enum progress_mark mark = mark_of(entry);
    const unsigned questions = lesson_questions(entry->lesson);
    if (mark == MARK_FINISHED && progress_answered(progress) < questions)
        snprintf(count, sizeof count, _("%u of %u right"), progress_answered(progress), questions);
    area_glyph(area, 2, y, mark_glyph(mark),
               style_role(mark >= MARK_FINISHED ? STYLE_GOOD : STYLE_KEY));
    int end = draw_right_aligned(area, area.columns - 1, y, count, style_role(STYLE_KEY));
    area_text_clipped(area, 4, y, end - 5, lesson_title(entry->lesson, entry->language),
                      style_with(style_role(STYLE_PLAIN), selected ? STYLE_BOLD : 0u));
    if (selected)
        area_flag(area, 0, y, area.columns, 1, STYLE_SELECTED);
    area_hit(area, 0, y, area.columns, 1, ACTION_LESSON_GO, (int64_t)index);
}

/* Goes through the rows of the list, including chapter headings; returns their number and sets
 * *selected to the selected one. If `draw`, draws the rows from `first` on. */
static int walk_rows(struct area area, const struct catalog *catalog, int first, bool draw,
                     int *selected) {
    const char *chapter = "";
    int row = 0;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct catalog_entry *entry = &catalog->entries[i];
        if (!entry->matches)
            continue;
        if (strcmp(chapter, chapter_of(entry)) != 0) {
            chapter = chapter_of(entry);
            if (draw && row >= first && row - first < area.rows)
                area_text_clipped(area, 1, row - first, area.columns - 2, chapter,
                                  style_role(STYLE_LABEL));
            row++;
        }
        if (i == catalog->selected)
            *selected = row;
        if (draw && row >= first && row - first < area.rows)
            draw_entry(area, row - first, catalog, i);
        row++;
    }
    return row;
}

static void draw_list(struct area area, const struct catalog *catalog) {
    struct area list = area_within(area, 0, 0, area.columns - 1, area.rows);
    int selected = 0, rows = walk_rows(list, catalog, 0, false, &selected);
    int first = selected - area.rows / 2;
    first = first > rows - area.rows ? rows - area.rows : first;
    first = first < 0 ? 0 : first;
    if (rows == 0)
        area_text_wrapped(area_within(area, 2, 1, area.columns - 3, area.rows - 1), 0, 0,
                          catalog->count ? _("No lesson has this text in its title or summary.")
                                         : _("There are no lessons."),
                          style_role(STYLE_DIM));
    walk_rows(list, catalog, first, true, &selected);
    if (first > 0)
        area_glyph(area, area.columns - 1, 0, 0x2191, style_role(STYLE_KEY));
    if (rows - first > area.rows)
        area_glyph(area, area.columns - 1, area.rows - 1, 0x2193, style_role(STYLE_KEY));
}

/* ---- the selected lesson ---- */

static const struct catalog_entry *entry_named(const struct catalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->entries[i].lesson->name, name) == 0)
            return &catalog->entries[i];
    return NULL;
}

static void flow_needs(struct flow *flow, const struct catalog *catalog,
                       const struct lesson *lesson) {
    if (lesson->needs_count == 0)
        return;
    flow_blank(flow, 1);
    flow_text(flow, _("Builds on"), 0, style_role(STYLE_LABEL));
    for (size_t i = 0; i < lesson->needs_count; i++) {
        const struct catalog_entry *entry = entry_named(catalog, lesson->needs[i]);
        bool known = entry && mark_of(entry) >= MARK_FINISHED;
        flow_with_sign(flow, known ? 0x2713 : 0xb7, style_role(known ? STYLE_GOOD : STYLE_DIM),
                       entry ? lesson_title(entry->lesson, entry->language) : lesson->needs[i],
                       style_role(STYLE_PLAIN));
    }
}

static void flow_progress(struct flow *flow, const struct catalog_entry *entry) {
    const struct lesson_progress *progress = entry->progress;
    char text[160];
    unsigned parts = (unsigned)entry->lesson->beat_count, asked = lesson_questions(entry->lesson);
    flow_blank(flow, 1);
    snprintf(text, sizeof text, message_plural("%u part", "%u parts", parts), parts);
    flow_text(flow, text, 0, style_role(STYLE_DIM));
    snprintf(text, sizeof text, message_plural("%u question", "%u questions", asked), asked);
    if (asked)
        flow_text(flow, text, 0, style_role(STYLE_DIM));
    snprintf(text, sizeof text, _("about %u min"), lesson_minutes(entry->lesson, 0));
    flow_text(flow, text, 0, style_role(STYLE_DIM));
    if (!progress)
        return;
    const enum progress_mark mark = mark_of(entry);
    snprintf(text, sizeof text, _("%u of %u parts seen"), progress->seen, progress->beats);
    flow_with_sign(flow, mark_glyph(mark),
                   style_role(mark >= MARK_FINISHED ? STYLE_GOOD : STYLE_KEY),
                   mark == MARK_FIRST_TRY  ? _("finished, all on the first try")
                   : mark == MARK_FINISHED ? _("finished")
                                           : text,
                   style_role(mark >= MARK_FINISHED ? STYLE_GOOD : STYLE_KEY));
    if (progress->asked == 0 || mark == MARK_FIRST_TRY)
        return;
    snprintf(text, sizeof text, _("%u of %u right, %u on the first try"),
             progress_answered(progress), progress->asked, progress->right);
    flow_text(flow, text, 0, style_role(STYLE_DIM));
}

static void draw_detail(struct area area, const struct catalog *catalog) {
    struct flow flow = {.area = area, .draw = true};
    if (catalog->count == 0 || !catalog->entries[catalog->selected].matches)
        return;
    const struct catalog_entry *entry = &catalog->entries[catalog->selected];
    flow_text(&flow, lesson_title(entry->lesson, entry->language), 0, style_bold(STYLE_TITLE));
    flow_text(&flow, lesson_summary(entry->lesson, entry->language), 0, style_role(STYLE_PLAIN));
    flow_progress(&flow, entry);
    flow_needs(&flow, catalog, entry->lesson);
}

/* ---- the screen ---- */

static void draw_head(struct area area, const struct catalog *catalog) {
    unsigned finished = 0, count = (unsigned)catalog->count;
    char text[96];
    for (size_t i = 0; i < catalog->count; i++)
        finished += catalog->entries[i].progress && catalog->entries[i].progress->finished;
    area_text(area, 1, 0, _("Lessons"), style_bold(STYLE_TITLE));
    if (catalog->search[0] && !catalog->searching) { /* an active search is shown */
        area_format(area, 10, 0, style_role(STYLE_ACTIVE), _(" /%s · %s shows all "),
                    catalog->search,
                    key_label(action_key(ACTION_MODE_LIST, ACTION_CANCEL), area.grid->ascii));
        return;
    }
    snprintf(text, sizeof text, _("%u of %u finished"), finished, count);
    draw_right_aligned(area, area.columns - 1, 0, text, style_role(STYLE_DIM));
    for (int x = 0; x < area.columns; x++) {
        bool done = count && (unsigned)x * count < finished * (unsigned)area.columns;
        area_glyph(area, x, 1, done ? 0x2501 : 0x2500, style_role(done ? STYLE_KEY : STYLE_DIM));
    }
}

static void draw_foot(struct area area, const struct catalog *catalog) {
    if (!catalog->searching && catalog->message[0]) {
        area_text_clipped(area, 1, 0, area.columns - 2, catalog->message, style_role(STYLE_KEY));
        return;
    }
    if (!catalog->searching) {
        draw_keys(area, ACTION_MODE_LIST, NULL);
        return;
    }
    draw_typing(area, _("search /"), catalog->search, _("Enter keeps it, Esc drops it"), STYLE_DIM);
}

void view_draw_catalog(struct grid *grid, const struct catalog *catalog) {
    struct area area = grid_area(grid);
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, catalog->help, ACTION_MODE_LIST))
        return;
    draw_head(area, catalog);
    struct area body = area_within(area, 0, 2, area.columns, area.rows - 3);
    if (area.columns >= BESIDE_COLUMNS) {
        int detail = area.columns * 2 / 5 < DETAIL_MOST ? area.columns * 2 / 5 : DETAIL_MOST;
        int list = area.columns - detail - 2;
        draw_list(area_within(body, 0, 0, list, body.rows), catalog);
        draw_divider(body, list);
        draw_detail(area_within(body, list + 2, 0, detail - 1, body.rows), catalog);
    } else {
        int list = body.rows - BELOW_ROWS - 1;
        draw_list(area_within(body, 0, 0, body.columns, list), catalog);
        draw_rule(body, list);
        draw_detail(area_within(body, 1, list + 1, body.columns - 2, BELOW_ROWS), catalog);
    }
    draw_foot(row_of(area, area.rows - 1), catalog);
}
