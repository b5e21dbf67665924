/* A quiz: a picture, a question, a score. */
#include "view/view.h"

#include "base/message.h"
#include "replay/predict.h"
#include "view/pages/stage.h"

#include <stdio.h>

/* "Quiz   level ●●○○○              7 of 9 right, 4 in a row" */
static void draw_title(struct area area, const struct quiz *quiz) {
    char score[128];
    int x = area_text(area, 1, 0, _("Quiz"), style_bold(STYLE_TITLE)) + 2;
    x = area_text(area, x, 0, _("level "), style_role(STYLE_LABEL));
    for (int level = 1; level <= QUIZ_LEVELS; level++)
        x = area_glyph(area, x, 0, level <= quiz->level ? 0x25cf : 0x25cb, style_role(STYLE_KEY));
    if (quiz->row > 1)
        snprintf(score, sizeof score, _("%u of %u right, %u in a row"), quiz->right, quiz->asked,
                 quiz->row);
    else
        snprintf(score, sizeof score, _("%u of %u right"), quiz->right, quiz->asked);
    if (x + 2 + utf8_columns(score) < area.columns)
        draw_right_aligned(area, area.columns - 1, 0, score, style_role(STYLE_PLAIN));
}

static void flow_answer(struct flow *flow, const struct replay *replay,
                        const struct question *question) {
    char reason[256], text[ANSWER_TEXT];
    bool right = replay->asking.state == PREDICTION_RIGHT;
    bool wrong = replay->asking.state == PREDICTION_WRONG;
    flow_verdict(flow, right, right || wrong ? replay->asking.answer : "",
                 wrong && answer_is_part(replay_subject(replay), question, replay->asking.answer),
                 right ? "" : flow_right_answer(replay, question, text));
    flow_blank(flow, 1);
    flow_text(flow, answer_reason(replay_subject(replay), question, reason, sizeof reason), 0,
              style_role(STYLE_PLAIN));
}

static void quiz_flow(struct flow *flow, const struct quiz *quiz) {
    const struct replay *replay = &quiz->replay;
    struct style chip = style_bold(STYLE_ACTIVE);
    char text[256];
    if (quiz->told.count > 0) {
        flow_prose(flow, &quiz->told, 1, style_role(STYLE_TITLE));
        flow_blank(flow, 1);
    } else {
        flow_with_sign(
            flow, '?', chip,
            question_sentence(replay_subject(replay), &quiz->question, text, sizeof text),
            style_role(STYLE_TITLE));
    }
    if (quiz->answered) {
        flow_answer(flow, replay, &quiz->question);
        return;
    }
    flow_input(flow, replay->input.text, question_help(replay_subject(replay), &quiz->question));
    if (quiz->message[0]) {
        struct style bad = style_bold(STYLE_BAD);
        flow_blank(flow, quiz->tries > 0);
        flow_with_sign(flow, quiz->tries > 0 ? 0x2717 : ' ', bad, quiz->message, bad);
    }
    if (quiz->hinted) {
        flow_blank(flow, 1);
        flow_with_sign(flow, 0x2022, style_role(STYLE_KEY),
                       answer_hint(replay_subject(replay), &quiz->question, text, sizeof text),
                       style_role(STYLE_PLAIN));
    }
}

static void draw_foot(struct area area, const struct quiz *quiz) {
    const char *message = quiz->message[0] ? quiz->message : quiz->replay.message;
    if (quiz->replay.input.prompt == PROMPT_FIND)
        draw_prompt(area, &quiz->replay);
    else if (!quiz->answered)
        draw_keys(area, ACTION_MODE_QUESTION, &quiz->replay);
    else if (message[0] && strcmp(message, quiz->replay.message) != 0)
        area_text_clipped(area, 1, 0, area.columns - 2, message, style_role(STYLE_KEY));
    else
        draw_keys(area, ACTION_MODE_QUIZ, &quiz->replay);
}

void view_draw_quiz(struct grid *grid, const struct quiz *quiz) {
    struct area area = grid_area(grid);
    struct moment moment;
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, quiz->replay.help,
                        quiz->answered ? ACTION_MODE_QUIZ : ACTION_MODE_QUESTION))
        return;
    struct stage stage = stage_of(area, quiz->replay.view, prose_has_code(&quiz->told), false);
    moment_init(&moment, &quiz->replay);
    draw_title(stage.title, quiz);
    if (stage.bar.rows > 0)
        draw_rule(stage.bar, 0);
    stage_draw_rule(&stage);
    stage_draw_picture(stage.picture, &moment);
    struct flow measure = {.area = stage.text}, flow = {.area = stage.text, .draw = true};
    quiz_flow(&measure, quiz);
    if (measure.line > stage.text.rows) /* the question comes first */
        flow.skip = measure.line - stage.text.rows;
    quiz_flow(&flow, quiz);
    draw_foot(stage.foot, quiz);
}
