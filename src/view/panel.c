/*
 * The text beside the picture: the narration, a question with its answer as it is typed, a
 * correction or a hint, and after the reveal the reason. The order is the same in all states, so
 * that nothing jumps; if the text is too long, parts that have been read make room for new ones.
 */
#include "view/pages/stage.h"

#include "base/message.h"
#include "explain/answer.h"
#include "replay/predict.h"
#include "teach/scene.h"

#include <stdio.h>

static bool has_question(const struct player *player) {
    return player->state == PLAYER_ASKING || player->state == PLAYER_ANSWERED;
}

static enum beat_result result_of(const struct player *player) {
    return player->results ? player->results[player->beat] : BEAT_SEEN;
}

/* Prose after a sign, which is beside its first paragraph. */
static void flow_block(struct flow *flow, uint32_t sign, struct style sign_style,
                       const struct prose *prose, int gap, struct style style) {
    if (prose->count == 0)
        return;
    flow_sign(flow, sign, sign_style);
    flow->indent += 2;
    flow_prose(flow, prose, gap, style);
    flow->indent -= 2;
}

const char *flow_right_answer(const struct replay *replay, const struct question *question,
                              char buffer[ANSWER_TEXT]) {
    struct answer answer;
    struct subject subject = replay_subject(replay);
    if (answer_of(subject, question, &answer, NULL) != 0)
        return "";
    return message(answer_format(subject, question, &answer, buffer));
}

static void flow_wrong(struct flow *flow, const char *typed, bool is_part) {
    char text[REPLAY_INPUT_SIZE + 64];
    snprintf(text, sizeof text, is_part ? _("%s is right, but not complete") : _("%s is not right"),
             message(typed));
    flow_with_sign(flow, 0x2717, style_bold(STYLE_BAD), text, style_bold(STYLE_BAD));
}

void flow_verdict(struct flow *flow, bool right, const char *typed, bool is_part,
                  const char *answer) {
    char text[ANSWER_TEXT + 64];
    if (right) {
        snprintf(text, sizeof text, _("%s is right"), typed);
        flow_with_sign(flow, 0x2713, style_bold(STYLE_GOOD), text, style_bold(STYLE_GOOD));
    } else if (typed[0]) {
        flow_wrong(flow, typed, is_part);
    }
    if (answer[0]) {
        snprintf(text, sizeof text, _("The answer is %s"), answer);
        flow_with_sign(flow, 0x203a, style_role(STYLE_KEY), text, style_bold(STYLE_TITLE));
    }
}

static bool is_part_of(const struct player *player) {
    return answer_is_part(replay_subject(&player->replay), &player->lesson->beats[player->beat].ask,
                          player->answer);
}

static void flow_settled(struct flow *flow, const struct player *player) {
    const struct replay *replay = &player->replay;
    const char *answer =
        message(player->right); /* for the question's lane, whatever the picture shows now */
    bool was_right = result_of(player) == BEAT_RIGHT || result_of(player) == BEAT_HINTED;
    if (replay->asking.state == PREDICTION_RIGHT) /* of several right answers, the one typed */
        flow_verdict(flow, true, message(player->answer), false, "");
    else if (was_right && replay->asking.state != PREDICTION_WRONG)
        flow_verdict(flow, true, answer, false, "");
    else
        flow_verdict(flow, false, replay->asking.state == PREDICTION_WRONG ? player->answer : "",
                     is_part_of(player), answer);
}

static bool prose_equal(const struct prose *a, const struct prose *b) {
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct paragraph *p = &a->paragraphs[i], *q = &b->paragraphs[i];
        if (p->span_count != q->span_count)
            return false;
        for (size_t k = 0; k < p->span_count; k++)
            if (strcmp(p->spans[k].text, q->spans[k].text) != 0)
                return false;
    }
    return true;
}

/* The error, and a hint. */
static void flow_help(struct flow *flow, const struct player *player, int gap) {
    struct style bad = style_bold(STYLE_BAD);
    if (player->correction) {
        flow_blank(flow, gap);
        if (player->message[0])
            flow_with_sign(flow, 0x2717, bad, player->message, bad);
        else
            flow_wrong(flow, player->answer, is_part_of(player));
        flow_block(flow, ' ', bad, &player->said, gap, style_role(STYLE_PLAIN));
    } else if (player->message[0]) {
        flow_with_sign(flow, ' ', bad, player->message, style_role(STYLE_BAD));
    }
    /* A wrong answer that the lesson does not foresee gets the hint. */
    if (player->hinted && player->hint.count &&
        !(player->correction && prose_equal(&player->said, &player->hint))) {
        flow_blank(flow, gap);
        flow_block(flow, 0x2022, style_role(STYLE_KEY), &player->hint, gap,
                   style_role(STYLE_PLAIN));
    }
}

/* Draws the notes, and how to return to the picture, below the text. */
static void flow_aside(struct flow *flow, const struct player *player) {
    char command[SCENE_COMMAND];
    if (!player->aside)
        return;
    flow_blank(flow, 1);
    if (player->notes.count)
        flow_text(flow, _("Notes"), 0, style_role(STYLE_LABEL));
    flow_prose(flow, &player->notes, 1, style_role(STYLE_DIM));
    flow_blank(flow, 1);
    flow_text(flow,
              scene_command(player->lesson, &player->lesson->beats[player->beat].show, command), 4,
              style_role(STYLE_CODE));
}

void panel_flow(struct flow *flow, const struct player *player, struct panel panel) {
    if (panel.narration)
        flow_prose(flow, &player->narration, panel.gap, style_role(STYLE_PLAIN));
    if (!has_question(player)) {
        flow_aside(flow, player);
        return;
    }
    flow_blank(flow, panel.gap);
    flow_block(flow, '?', style_bold(STYLE_ACTIVE), &player->question, panel.gap,
               style_role(STYLE_TITLE));
    if (player->state == PLAYER_ASKING) {
        flow_input(flow, player->replay.input.text,
                   question_help(replay_subject(&player->replay), &player->replay.asking.question));
        flow_help(flow, player, panel.gap);
        return;
    }
    flow_settled(flow, player);
    if (player->said.count) {
        flow_blank(flow, panel.gap);
        flow_prose(flow, &player->said, panel.gap, style_role(STYLE_PLAIN));
    }
    flow_aside(flow, player);
}

static int panel_lines(const struct player *player, int columns, struct panel panel) {
    struct flow flow = {.area = {NULL, 0, 0, columns, 0}};
    panel_flow(&flow, player, panel);
    return flow.line;
}

int panel_fit(const struct player *player, int columns, int rows, struct panel *panel) {
    bool read = player->state == PLAYER_ANSWERED || player->tries > 0 || player->hinted;
    static const struct panel ways[] = {{1, true}, {0, true}, {1, false}, {0, false}};
    int lines = 0;
    for (size_t i = 0; i < (read ? 4 : 2); i++) {
        *panel = ways[i];
        lines = panel_lines(player, columns, *panel);
        if (lines <= rows)
            break;
    }
    return lines;
}
