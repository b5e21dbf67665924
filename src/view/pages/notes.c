/* The speaker's notes, for a second terminal. */
#include "view/view.h"

#include "base/message.h"
#include "replay/predict.h"
#include "view/pages/stage.h"

#include <stdio.h>

#define NOTES_COLUMNS 30
#define NOTES_ROWS    10

static void draw_head(struct area area, const struct player *player, long milliseconds) {
    const struct lesson *lesson = player->lesson;
    const char *beat = lesson_part(lesson, player->beat, player->language, LESSON_TITLE);
    long seconds = milliseconds / 1000;
    char text[256];
    if (seconds >= 3600)
        snprintf(text, sizeof text, "%ld:%02ld:%02ld", seconds / 3600, seconds / 60 % 60,
                 seconds % 60);
    else
        snprintf(text, sizeof text, "%ld:%02ld", seconds / 60, seconds % 60);
    int end = draw_right_aligned(area, area.columns - 1, 0, text, style_bold(STYLE_TITLE));
    snprintf(text, sizeof text, "%zu/%zu", player->beat + 1, lesson->beat_count);
    end = draw_right_aligned(area, end - 3, 0, text, style_role(STYLE_KEY));
    area_text_clipped(area, 1, 0, end - 3, beat ? beat : lesson_title(lesson, player->language),
                      style_bold(STYLE_TITLE));
}

/* Draws the narration with its current line, or the question with its answer. */
static void flow_spoken(struct flow *flow, const struct player *player) {
    const struct prose *narration = &player->narration;
    struct style sign = style_role(STYLE_KEY);
    for (size_t i = 0; i < narration->count; i++) {
        bool current = player->state == PLAYER_TELLING && i == player->line;
        if (current)
            flow_sign(flow, 0x25b6, sign);
        flow->indent = 2;
        flow->flags = current ? STYLE_BOLD : 0;
        flow_paragraph(flow, &narration->paragraphs[i],
                       style_role(current ? STYLE_PLAIN : STYLE_DIM));
        flow->indent = 0;
        flow->flags = 0;
    }
}

static void flow_asked(struct flow *flow, const struct player *player) {
    const struct question *question = &player->lesson->beats[player->beat].ask;
    char text[ANSWER_TEXT + 32], buffer[ANSWER_TEXT];
    if (question->kind == QUESTION_NONE)
        return;
    bool open = player->state == PLAYER_ASKING;
    flow_blank(flow, 1);
    flow->indent = 2;
    flow->flags = open ? STYLE_BOLD : 0;
    flow_prose(flow, &player->question, 0, style_role(open ? STYLE_PLAIN : STYLE_DIM));
    flow->flags = 0;
    flow->indent = 0;
    const char *answer = flow_right_answer(&player->replay, question, buffer);
    if (!answer[0])
        return;
    snprintf(text, sizeof text, _("Answer: %s"), answer);
    flow->indent = 2;
    flow_text(flow, text, 0, style_role(STYLE_GOOD));
    flow->indent = 0;
}

/* False if it does not all fit. */
static bool draw_notes(struct area area, const struct player *player) {
    struct flow count = {.area = {NULL, 0, 0, area.columns, 0}},
                flow = {.area = area, .draw = true};
    int gap = area.columns >= 60 && area.rows >= 12 ? 1 : 0;
    for (int pass = 0; pass < 2; pass++) {
        struct flow *to = pass ? &flow : &count;
        flow_prose(to, &player->notes, gap, style_bold(STYLE_PLAIN));
        flow_blank(to, 1);
        flow_spoken(to, player);
        flow_asked(to, player);
        if (pass == 0 && count.line > area.rows) {
            int most = count.line - area.rows;
            flow.skip = player->scroll < most ? player->scroll : most;
        }
    }
    return count.line <= area.rows;
}

/* The next beat, and the available keys. */
static void draw_foot(struct area area, const struct player *player, bool whole) {
    const struct lesson *lesson = player->lesson;
    const char *next = player->beat + 1 < lesson->beat_count
                           ? lesson_part(lesson, player->beat + 1, player->language, LESSON_TITLE)
                           : _("the end");
    const char *keys = whole ? _("q leave") : _("J K scroll  q leave");
    int x = area_text(area, 1, 0, _("then: "), style_role(STYLE_DIM));
    int end = draw_right_aligned(area, area.columns - 1, 0, keys, style_role(STYLE_KEY));
    area_text_clipped(area, x, 0, end - x - 2, next ? next : "", style_role(STYLE_LABEL));
}

void view_draw_notes(struct grid *grid, const struct player *player, long milliseconds) {
    struct area area = grid_area(grid);
    if (!screen_prepare(grid, NOTES_COLUMNS, NOTES_ROWS, false, ACTION_MODE_NOTES))
        return;
    draw_head(row_of(area, 0), player, milliseconds);
    draw_rule(area, 1);
    draw_rule(area, area.rows - 2);
    if (player->black || player->state == PLAYER_FINISHED)
        area_text(area, 2, 1, player->black ? _(" the screen is black ") : _(" finished "),
                  style_role(STYLE_ACTIVE));
    bool whole = draw_notes(area_within(area, 2, 3, area.columns - 4, area.rows - 6), player);
    draw_foot(row_of(area, area.rows - 1), player, whole);
}
