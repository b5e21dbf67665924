/* The learner says what a lane reads before the screen does. */
#include "base/message.h"
#include "replay/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum answer_kind { ANSWER_LANE, ANSWER_OWN, ANSWER_UNDEFINED, ANSWER_UNREADABLE };

void predict_end(struct replay *replay) {
    if (replay->prompt == PROMPT_PREDICT) {
        replay->prompt = PROMPT_NONE;
        replay->input[0] = '\0';
    }
    replay->prediction = PREDICTION_NONE;
}

void predict_ask(struct replay *replay) {
    predict_end(replay);
    if (!replay->has_step)
        return;
    const struct warp_operation *operation = &replay->step.operation;
    const struct warp_op_info *info = warp_op_info(operation->op);
    if (!info->is_shuffle) {
        replay_say(replay, _("%s reads no single lane: predict a shuffle"), info->name);
        return;
    }
    if (!(operation->present >> replay->lane & 1)) {
        replay_say(replay, _("lane %d makes no call: choose another lane to predict"),
                   replay->lane);
        return;
    }
    replay->prediction = PREDICTION_ASKED;
    replay->prediction_lane = replay->lane;
    replay->prompt = PROMPT_PREDICT;
    replay->input[0] = replay->prediction_answer[0] = '\0';
}

static bool is_word(const char *input, const char *word) {
    size_t length = strlen(input);
    return length > 0 && strncasecmp(input, word, length) == 0;
}

static enum answer_kind read_answer(const char *input, int *lane) {
    while (*input == ' ')
        input++;
    if (is_word(input, "undefined") || is_word(input, _("undefined")) || strcmp(input, "?") == 0)
        return ANSWER_UNDEFINED;
    if (is_word(input, "own") || is_word(input, _("own")))
        return ANSWER_OWN;
    char *end;
    long number = strtol(input, &end, 10);
    while (*end == ' ')
        end++;
    if (end == input || *end || number < 0 || number >= WARP_LANES)
        return ANSWER_UNREADABLE;
    *lane = (int)number;
    return ANSWER_LANE;
}

static bool is_right(const struct lane_outcome *outcome, int lane, enum answer_kind kind,
                     int answer) {
    if (outcome->status == LANE_UNDEFINED)
        return kind == ANSWER_UNDEFINED;
    if (kind == ANSWER_OWN)
        return outcome->address.source == lane;
    return kind == ANSWER_LANE && outcome->address.source == answer;
}

void predict_answer(struct replay *replay) {
    int answer = -1, lane = replay->prediction_lane;
    enum answer_kind kind = read_answer(replay->input, &answer);
    if (kind == ANSWER_UNREADABLE) {
        replay_say(replay, _("answer with a lane (0 to 31), own or undefined"));
        return;
    }
    if (kind == ANSWER_LANE)
        snprintf(replay->prediction_answer, sizeof replay->prediction_answer, "%d", answer);
    else
        snprintf(replay->prediction_answer, sizeof replay->prediction_answer, "%s",
                 kind == ANSWER_OWN ? _("own") : _("undefined"));
    bool right = is_right(&replay->outcome[lane], lane, kind, answer);
    replay->prediction = right ? PREDICTION_RIGHT : PREDICTION_WRONG;
    replay->prompt = PROMPT_NONE;
    replay->input[0] = '\0';
    /* The reason is the range check: the picture goes on to where it is seen. */
    if (replay->phase < PHASE_RANGE)
        replay_set_phase(replay, PHASE_RANGE);
    char reason[160];
    replay_say(replay, right ? _("%s, right: %s") : _("%s, wrong: %s"), replay->prediction_answer,
               explain_brief(&replay->step.operation, &replay->outcome[lane], PHASE_RANGE, lane,
                             reason, sizeof reason));
}
