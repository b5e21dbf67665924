/* The learner says what happens before the screen does. */
#include "replay/move.h"

#include "base/message.h"
#include "explain/typed.h"
#include "replay/answer.h"

#include <stdio.h>
#include <string.h>

struct subject replay_subject(const struct replay *replay) {
    return (struct subject){replay->has_step ? &replay->step.operation : NULL, replay->outcome};
}

static bool is_open(const struct replay *replay) {
    return replay->prediction == PREDICTION_ASKED;
}

static bool asks_set(const struct replay *replay) {
    return question_is_set(&replay->question);
}

static bool asks_lane(const struct replay *replay) {
    return !asks_set(replay) || replay->question.kind == QUESTION_READERS;
}

/* ---- what is hidden ----------------------------------------------------------------------------
 */

static unsigned question_hides(const struct replay *replay) {
    const unsigned result = REPLAY_HIDES_OUT | REPLAY_HIDES_LATER;
    switch (replay->question.kind) {
    case QUESTION_NONE:
        return 0;
    case QUESTION_VALUE:
        if (replay->has_step && replay->step.operation.op == WARP_OP_WATCH)
            return result | REPLAY_HIDES_IN;
        return result;
    case QUESTION_CHANGED:
        return result;
    case QUESTION_ABSENT:
        return result | REPLAY_HIDES_IN | REPLAY_HIDES_READS | REPLAY_HIDES_ABSENT;
    default:
        return result | REPLAY_HIDES_READS;
    }
}

bool replay_hides(const struct replay *replay, enum replay_hidden what) {
    unsigned hidden = replay->hide | (is_open(replay) ? question_hides(replay) : 0);
    return (hidden & what) != 0;
}

enum phase replay_shown_phase(const struct replay *replay) {
    if (!is_open(replay))
        return replay->phase;
    enum phase cap = question_hides(replay) & REPLAY_HIDES_READS ? PHASE_BEFORE : PHASE_RANGE;
    enum phase phase = replay->phase < cap ? replay->phase : cap;
    while (replay->has_step && !phase_applies(replay->step.operation.op, phase))
        phase--;
    return phase;
}

/* ---- asking ------------------------------------------------------------------------------------
 */

static void say_error(struct replay *replay, struct error *err) {
    err->text[strcspn(err->text, "\n")] = '\0';
    replay_say(replay, "%s", err->text);
}

void predict_end(struct replay *replay) {
    if (replay->prompt == PROMPT_PREDICT) {
        replay->prompt = PROMPT_NONE;
        replay->input[0] = '\0';
    }
    replay->prediction = PREDICTION_NONE;
    replay->question = (struct question){QUESTION_NONE, 0};
    replay->question_fixed = replay->input_kept = false;
    replay->marks = replay->answer_lanes = replay->answer_either = 0;
}

void replay_ask_end(struct replay *replay) {
    predict_end(replay);
}

int replay_ask(struct replay *replay, const struct question *question, struct error *err) {
    struct answer answer;
    struct question asked = *question; /* it may be the replay's */
    if (answer_of(replay_subject(replay), &asked, &answer, err) != 0)
        return -1;
    predict_end(replay);
    replay->playing = false;
    replay->prediction = PREDICTION_ASKED;
    replay->question = asked;
    replay->question_fixed = true;
    replay->prediction_lane = asks_lane(replay) ? asked.lane : -1;
    replay->prompt = PROMPT_PREDICT;
    replay->input[0] = replay->prediction_answer[0] = '\0';
    return 0;
}

static int ask_freely(struct replay *replay, enum question_kind kind, struct error *err) {
    struct question question = {kind, replay->lane};
    if (replay_ask(replay, &question, err) != 0)
        return -1;
    replay->question_fixed = false;
    return 0;
}

void predict_ask(struct replay *replay) {
    struct error err = ERROR_INIT;
    predict_end(replay);
    if (!replay->has_step)
        return;
    bool shuffle = warp_op_info(replay->step.operation.op)->is_shuffle;
    int kind = shuffle ? QUESTION_SOURCE : QUESTION_VALUE;
    if (ask_freely(replay, (enum question_kind)kind, &err) == 0)
        return;
    bool calls = replay->step.operation.present >> replay->lane & 1;
    for (kind++; calls && kind < QUESTION_KIND_COUNT; kind++)
        if (ask_freely(replay, (enum question_kind)kind, NULL) == 0)
            return;
    say_error(replay, &err);
}

/* The next kind of question that this operation and lane can be asked. */
static void change_kind(struct replay *replay, int direction) {
    int kinds = QUESTION_KIND_COUNT - 1, kind = (int)replay->question.kind;
    for (int i = 1; i < kinds; i++) {
        int next = 1 + (kind - 1 + kinds + direction * i) % kinds;
        if (ask_freely(replay, (enum question_kind)next, NULL) == 0)
            return;
    }
}

/* ---- the answer --------------------------------------------------------------------------------
 */

/* Where the reason is to be seen. */
static enum phase reason_phase(const struct replay *replay) {
    bool shuffle = warp_op_info(replay->step.operation.op)->is_shuffle;
    switch (replay->question.kind) {
    case QUESTION_VALUE:
    case QUESTION_CHANGED:
        return PHASE_AFTER;
    case QUESTION_ABSENT:
        return PHASE_BEFORE;
    default:
        return shuffle ? PHASE_RANGE : PHASE_AFTER;
    }
}

static void close_question(struct replay *replay, enum prediction_state state) {
    struct answer answer;
    int lane;
    replay->prompt = PROMPT_NONE;
    replay->input[0] = '\0';
    replay->prediction = state;
    if (replay->phase < reason_phase(replay))
        replay_set_phase(replay, reason_phase(replay));
    if (answer_of(replay_subject(replay), &replay->question, &answer, NULL) != 0)
        return;
    replay->answer_lanes = answer.lanes;
    replay->answer_either = answer.either;
    if (replay->question.kind != QUESTION_SOURCE)
        return;
    replay->answer_lanes = answer.undefined ? 0 : UINT32_C(1) << answer.lane;
    if (typed_lane(replay->prediction_answer, &lane))
        replay->marks = UINT32_C(1) << lane;
    else if (typed_is_own(replay->prediction_answer))
        replay->marks = UINT32_C(1) << replay->question.lane;
}

static void say_what_may_be_typed(struct replay *replay) {
    const struct warp_type_info *type = warp_type_info(replay->step.operation.type);
    if (asks_set(replay))
        replay_say(replay, "%s", _("answer with lanes (0-3,8), all or none, or mark them (Space)"));
    else if (replay->question.kind == QUESTION_SOURCE)
        replay_say(replay, "%s", _("answer with a lane (0 to 31), own or undefined"));
    else if (type && type->parts == 2)
        replay_say(replay, "%s", _("answer with two numbers (1.5,2), own or undefined"));
    else
        replay_say(replay, _("answer with a value of type %s, own or undefined"),
                   type && type->bits ? type->cuda : "unsigned");
}

enum answer_verdict replay_answer(struct replay *replay) {
    char normal[ANSWER_TEXT], reason[320];
    if (!is_open(replay))
        return ANSWER_UNREADABLE;
    enum answer_verdict verdict = answer_judge(replay_subject(replay), &replay->question,
                                               replay->input, replay->marks, normal);
    if (verdict == ANSWER_UNREADABLE) {
        say_what_may_be_typed(replay);
        return verdict;
    }
    snprintf(replay->prediction_answer, sizeof replay->prediction_answer, "%.*s",
             REPLAY_INPUT_SIZE - 1, normal);
    if (asks_set(replay)) /* an answer may come without having been typed key by key */
        typed_lanes(replay->input, WARP_FULL_MASK, &replay->marks);
    close_question(replay, verdict == ANSWER_RIGHT ? PREDICTION_RIGHT : PREDICTION_WRONG);
    answer_reason(replay_subject(replay), &replay->question, reason, sizeof reason);
    replay_say(replay, verdict == ANSWER_RIGHT ? _("%s, right: %s") : _("%s, wrong: %s"), normal,
               reason);
    return verdict;
}

void replay_reveal(struct replay *replay) {
    char reason[320];
    if (!is_open(replay))
        return;
    replay->marks = 0;
    close_question(replay, PREDICTION_SHOWN);
    replay_say(replay, "%s",
               answer_reason(replay_subject(replay), &replay->question, reason, sizeof reason));
}

/* ---- keys --------------------------------------------------------------------------------------
 */

/* What is typed and what is marked are one: marking writes the prompt, typing marks. */
static void toggle(struct replay *replay, int lane) {
    char text[WARP_LANES_TEXT];
    replay->input_kept = false;
    replay->marks ^= UINT32_C(1) << lane;
    const char *typed = replay->marks == 0                ? ""
                        : replay->marks == WARP_FULL_MASK ? "all"
                                                          : warp_lanes_format(replay->marks, text);
    snprintf(replay->input, sizeof replay->input, "%s", typed);
}

static void type(struct replay *replay, const char *key) {
    uint32_t lanes;
    if (replay->input_kept && strcmp(key, "Backspace") != 0)
        replay->input[0] = '\0';
    replay->input_kept = false;
    replay_type(replay, key);
    if (!asks_set(replay))
        return;
    if (typed_is_blank(replay->input))
        replay->marks = 0;
    else if (typed_lanes(replay->input, WARP_FULL_MASK, &lanes))
        replay->marks = lanes;
}

void predict_select(struct replay *replay, int lane) {
    char input[REPLAY_INPUT_SIZE];
    replay->lane = lane < 0 ? 0 : lane >= WARP_LANES ? WARP_LANES - 1 : lane;
    if (replay->question_fixed || asks_set(replay) || replay->lane == replay->question.lane)
        return;
    struct error err = ERROR_INIT;
    memcpy(input, replay->input, sizeof input);
    if (ask_freely(replay, replay->question.kind, &err) == 0)
        memcpy(replay->input, input, sizeof input);
    else
        say_error(replay, &err); /* and the lane asked about stays */
}

void predict_lane(struct replay *replay, int lane) {
    if (asks_set(replay)) {
        replay->lane = lane;
        toggle(replay, lane);
    } else if (replay->question.kind == QUESTION_SOURCE) {
        snprintf(replay->input, sizeof replay->input, "%d", lane);
    } else {
        predict_select(replay, lane);
    }
}

void predict_key(struct replay *replay, const char *key) {
    if (strcmp(key, "Enter") == 0)
        replay_answer(replay);
    else if (strcmp(key, "Down") == 0)
        predict_select(replay, replay->lane + 1);
    else if (strcmp(key, "Up") == 0)
        predict_select(replay, replay->lane - 1);
    else if (strcmp(key, "Home") == 0)
        predict_select(replay, 0);
    else if (strcmp(key, "End") == 0)
        predict_select(replay, WARP_LANES - 1);
    else if (strcmp(key, "Tab") == 0 || strcmp(key, "BackTab") == 0) {
        if (!replay->question_fixed)
            change_kind(replay, key[0] == 'T' ? 1 : -1);
        else if (key[0] == 'B') /* digits are answers here */
            replay->view = (replay->view + 1) % VIEW_KIND_COUNT;
    } else if (strcmp(key, "Space") == 0 && asks_set(replay)) {
        toggle(replay, replay->lane);
    } else {
        type(replay, key);
    }
}
