/* After the last beat: the results, and what comes next. */
#include "view/pages/stage.h"

#include "base/message.h"

#include <stdio.h>

#define PAGE_COLUMNS 64

/* Counts results, including those of earlier attempts: right on the first try, and right in the
 * end. */
static void count_results(const struct player *player, unsigned *asked, unsigned *first,
                          unsigned *right) {
    struct lesson_progress progress;
    struct text questions = TEXT_INIT;
    player_progress(player, &progress, &questions);
    *first = progress.right;
    *right = progress_answered(&progress);
    text_release(&questions);
    *asked = lesson_questions(player->lesson);
}

/* "✓ Who gives to lane 5?            with a hint" */
static void draw_result(struct area area, int y, const struct player *player, size_t beat) {
    static const struct {
        uint32_t sign;
        enum style_role role;
        const char *remark;
    } results[] = {
        [BEAT_UNSEEN] = {0xb7, STYLE_DIM, N_("not seen")},
        [BEAT_SEEN] = {0xb7, STYLE_DIM, N_("skipped")},
        [BEAT_REVEALED] = {0x203a, STYLE_KEY, N_("shown")},
        [BEAT_HINTED] = {0x2713, STYLE_GOOD, N_("with help")},
        [BEAT_RIGHT] = {0x2713, STYLE_GOOD, ""},
    };
    enum beat_result result = player->results[beat];
    const char *title = lesson_part(player->lesson, beat, player->language, LESSON_TITLE);
    const char *remark = results[result].remark[0] ? _(results[result].remark) : "";
    if (result == BEAT_SEEN && beat < player->before_beats)
        remark = _("earlier"); /* an older file has only totals */
    int end = area.columns - utf8_columns(remark);
    area_glyph(area, 0, y, results[result].sign, style_bold(results[result].role));
    area_text_clipped(area, 2, y, end - 4, title ? title : "", style_role(STYLE_PLAIN));
    area_text(area, end, y, remark, style_role(STYLE_DIM));
    area_hit(area, 0, y, area.columns, 1, ACTION_BEAT_GO, (int64_t)beat);
}

/* Lists as many questions as there is room for. */
static int draw_results(struct area area, const struct player *player) {
    unsigned asked, first, right;
    int y = 0;
    size_t left;
    count_results(player, &asked, &first, &right);
    left = asked;
    for (size_t i = 0; i < player->lesson->beat_count; i++) {
        if (!lesson_asks(player->lesson, i))
            continue;
        if (y + 1 >= area.rows && left > 1) {
            area_format(area, 2, y++, style_role(STYLE_DIM), _("and %zu more"), left);
            break;
        }
        if (y < area.rows)
            draw_result(area, y++, player, i);
        left--;
    }
    return y;
}

static int draw_score(struct area area, int y, const struct player *player) {
    unsigned asked, first, right;
    char text[128];
    count_results(player, &asked, &first, &right);
    if (asked == 0)
        return y;
    if (first == asked)
        snprintf(text, sizeof text, _("★ All %u answers were right on the first try."), asked);
    else
        snprintf(text, sizeof text, _("%u of %u answers were right, %u on the first try."), right,
                 asked, first);
    area_text_clipped(area, 0, y, area.columns, text,
                      style_role(right == asked ? STYLE_GOOD : STYLE_PLAIN));
    return y + 2;
}

static void draw_key(struct flow *flow, enum action action) {
    char text[256];
    snprintf(text, sizeof text, _("%s opens it"),
             key_label(action_key(ACTION_MODE_LESSON, action), flow->area.grid->ascii));
    flow_text(flow, text, 0, style_role(STYLE_KEY));
}

static void draw_practice(struct flow *flow, const struct player *player, enum action action) {
    char title[256];
    if (!player->practice)
        return;
    snprintf(title, sizeof title, _("Now write it: %s"), player->practice);
    flow_text(flow, title, 0, style_bold(STYLE_TITLE));
    draw_key(flow, action);
}

static void draw_lesson(struct flow *flow, const struct player *player, enum action action) {
    const struct lesson *next = player->next;
    char title[256];
    if (!next)
        return;
    const size_t language =
        lesson_language_find(next, player->lesson->languages[player->language].code);
    snprintf(title, sizeof title,
             player->next_first ? _("Next on the fast track: %s") : _("Next: %s"),
             lesson_title(next, language));
    flow_text(flow, title, 0, style_bold(STYLE_TITLE));
    flow_text(flow, lesson_summary(next, language), 0, style_role(STYLE_DIM));
    draw_key(flow, action);
}

/* Enter opens the first of the next two, n the second. */
static void draw_next(struct area area, const struct player *player) {
    struct flow flow = {.area = area, .draw = true};
    size_t missed = player_missed(player, 0);
    char again[160];
    if (missed > 0) {
        snprintf(again, sizeof again,
                 message_plural("%s asks the %zu missed question again",
                                "%s asks the %zu missed questions again", missed),
                 action_key(ACTION_MODE_LESSON, ACTION_PREDICT), missed);
        flow_text(&flow, again, 0, style_role(STYLE_KEY));
    }
    const enum action second = player->practice ? ACTION_OPERATION_NEXT : ACTION_CONTINUE;
    if (player->next_first)
        draw_lesson(&flow, player, ACTION_CONTINUE);
    else
        draw_practice(&flow, player, ACTION_CONTINUE);
    flow_blank(&flow, player->practice != NULL);
    if (player->next_first)
        draw_practice(&flow, player, second);
    else
        draw_lesson(&flow, player, second);
}

void draw_finished(struct area area, const struct player *player) {
    int columns = area.columns - 8 < PAGE_COLUMNS ? area.columns - 8 : PAGE_COLUMNS;
    int top = area.rows >= 24 ? 2 : 1, next_rows = player->practice ? 8 : 6;
    struct area page =
        area_within(area, (area.columns - columns) / 2, top, columns, area.rows - top - 2);
    int x =
        area_text_clipped(page, 0, 0, columns - 12, lesson_title(player->lesson, player->language),
                          style_bold(STYLE_TITLE));
    const bool all = player_first_unseen(player) == player->lesson->beat_count;
    area_text_clipped(page, x + 2, 0, columns - x - 2,
                      all ? _("finished") : _("not all parts seen"),
                      style_role(all ? STYLE_GOOD : STYLE_DIM));
    for (int i = 0; i < columns; i++)
        area_glyph(page, i, 1, 0x2501, style_role(STYLE_KEY));
    int y = draw_score(page, 3, player);
    y += draw_results(area_within(page, 0, y, columns, page.rows - y - next_rows), player) + 1;
    draw_next(area_within(page, 0, y, columns, page.rows - y), player);
    draw_player_foot(row_of(area, area.rows - 1), player);
}
