/*
 * A lesson in front of a class: the picture as large as possible, and under it the current line of
 * the narration.
 *
 *     lesson · beat                                        3/8      small
 *
 *     (the picture, with space between the lanes)
 *
 *                  The laneMask is 1. Write 5 in
 *                binary and flip the last bit.                      bold, in the middle
 */
#include "view/pages/stage.h"

#include "base/message.h"
#include "replay/predict.h"

#include <stdio.h>

#define SPEECH_MOST 6 /* rows */

/* The call of a question is at the right, in the colour of the picture, because the class needs
 * it. */
static void draw_small_title(struct area area, const struct player *player,
                             const struct moment *moment) {
    const struct lesson *lesson = player->lesson;
    const char *beat = lesson_part(lesson, player->beat, player->language, LESSON_TITLE);
    char text[256], measured[128];
    snprintf(text, sizeof text, "%zu/%zu", player->beat + 1, lesson->beat_count);
    int end = draw_right_aligned(area, area.columns - 1, 0, text, style_role(STYLE_DIM));
    snprintf(text, sizeof text, "%s%s%s", lesson_title(lesson, player->language), beat ? " · " : "",
             beat ? beat : "");
    if (*live_changed_command(&player->replay))
        snprintf(text, sizeof text, "%s", live_changed_command(&player->replay));
    moment_measured(&player->replay, end - utf8_columns(text) - 5, measured, sizeof measured);
    if (measured[0])
        end = draw_right_aligned(area, end - 2, 0, measured, style_role(STYLE_DIM));
    if (player->state != PLAYER_TELLING && moment->operation && moment->info->is_shuffle &&
        !(player->replay.hide & REPLAY_HIDES_CALL)) {
        char heading[192];
        stage_heading(moment, end - 5, heading, sizeof heading);
        if (utf8_columns(heading) <= end - 5)
            end = draw_right_aligned(area, end - 2, 0, heading, style_bold(STYLE_PLAIN));
    }
    area_text_clipped(area, 1, 0, end - 3, text, style_role(STYLE_DIM));
}

/* The current text: a line of the narration; the question; the response to the answer. */
static void speech_flow(struct flow *flow, const struct player *player) {
    struct style plain = style_role(STYLE_PLAIN);
    const struct prose *narration = &player->narration;
    if (player->state == PLAYER_TELLING) {
        if (player->line < narration->count)
            flow_paragraph(flow, &narration->paragraphs[player->line], plain);
        return;
    }
    if (player->state == PLAYER_ASKING && (!player->correction || player->reveal_asked) &&
        player->message[0])
        flow_text(flow, player->message, 0, style_role(STYLE_BAD));
    if (player->state == PLAYER_ASKING && player->correction && player->said.count)
        flow_prose(flow, &player->said, 0, plain);
    else if (player->state == PLAYER_ASKING && player->hinted && player->hint.count)
        flow_prose(flow, &player->hint, 0, plain);
    else if (player->state == PLAYER_ANSWERED && player->said.count)
        flow_prose(flow, &player->said, 0, plain);
    if (player->state == PLAYER_ASKING) {
        flow_prose(flow, &player->question, 0, style_role(STYLE_KEY));
        flow_input(flow, player->replay.input.text, "");
    }
}

static int speech_lines(const struct player *player, int columns) {
    struct flow flow = {.area = {NULL, 0, 0, columns, 0}};
    speech_flow(&flow, player);
    return flow.line;
}

/* The fewest columns in which the text takes no more lines, so that its lines are about equally
 * long. */
static int balanced_columns(const struct player *player, int columns) {
    int lines = speech_lines(player, columns);
    while (columns > 24 && speech_lines(player, columns - 1) == lines)
        columns--;
    return columns;
}

static void draw_speech(struct area area, const struct player *player, int columns) {
    struct flow flow = {.draw = true, .centered = true, .flags = STYLE_BOLD};
    columns = balanced_columns(player, columns);
    int lines = speech_lines(player, columns);
    int top = lines < area.rows ? (area.rows - lines) / 2 : 0;
    flow.area = area_within(area, (area.columns - columns) / 2, top, columns, area.rows - top);
    flow.skip = lines > flow.area.rows && player->scroll > 0 ? player->scroll : 0;
    flow.skip = flow.skip > lines - flow.area.rows ? lines - flow.area.rows : flow.skip;
    flow.skip = flow.skip < 0 ? 0 : flow.skip;
    speech_flow(&flow, player);
}

/* Rows and columns of the current text; on a short screen the lanes come first. */
static int speech_rows(const struct player *player, int columns, int rows) {
    int least = rows >= 30 ? 5 : rows >= 24 ? 4 : 3, needed = speech_lines(player, columns);
    int most = rows - 18 > 1 ? rows - 18 : 1;
    int speech = needed > least ? needed < SPEECH_MOST ? needed : SPEECH_MOST : least;
    return speech > most ? most : speech;
}

static int speech_columns(int columns) {
    return columns - 8 > 96 ? 96 : columns - 8;
}

bool presentation_fits(const struct player *player, int columns, int rows) {
    int width = speech_columns(columns);
    return speech_lines(player, width) <= speech_rows(player, width, rows);
}

void draw_presentation(struct area area, const struct player *player) {
    struct moment moment;
    int columns = speech_columns(area.columns), rows = speech_rows(player, columns, area.rows);
    const bool is_whole = moment_init(&moment, &player->replay);
    draw_small_title(row_of(area, 0), player, &moment);
    struct area picture = area_within(area, 1, 1, area.columns - 2, area.rows - rows - 1);
    if (!is_whole) {
        draw_damage(picture, &player->replay);
        return;
    }
    moment.spread = true;
    int top = picture.rows >= 24 ? 1 : 0;
    view_of(player->replay.view)
        ->draw(area_within(picture, 0, top, picture.columns, picture.rows - 2 * top), &moment);
    struct area speech = area_within(area, 0, area.rows - rows, area.columns, rows);
    draw_speech(speech, player, columns);
    const enum prompt prompt = player->replay.input.prompt;
    if (player->goto_open || (prompt != PROMPT_NONE && prompt != PROMPT_PREDICT)) {
        area_fill(row_of(area, area.rows - 1), ' ', style_role(STYLE_PLAIN));
        draw_player_foot(row_of(area, area.rows - 1), player);
    }
}
