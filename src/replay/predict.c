/*
 * While a question is open, the replay is in a state of its own in which the picture hides the
 * answer. Opening, marking, typing and closing are all here, so that nothing else needs to know.
 */
#include "replay/predict.h"

#include "base/message.h"
#include "base/unused.h"
#include "explain/snippet/code_answer.h"
#include "explain/typed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct subject replay_subject(const struct replay *replay) {
    const struct cursor *cursor = &replay->cursor;
    const struct trace_site *site =
        cursor->has_step ? trace_site(cursor->trace, cursor->step.site) : NULL;
    return (struct subject){cursor->has_step ? &cursor->step.operation : NULL, cursor->outcome,
                            site ? site->line : 0, (replay->hide & REPLAY_HIDES_CALL) != 0};
}

static bool is_open(const struct replay *replay) {
    return replay->asking.state == PREDICTION_ASKED;
}

static bool asks_set(const struct replay *replay) {
    return question_is_set(&replay->asking.question);
}

static bool asks_code(const struct replay *replay) {
    return question_is_code(&replay->asking.question);
}

static bool asks_lane(const struct question *question) {
    return !question_is_code(question) &&
           (!question_is_set(question) || question->kind == QUESTION_READERS);
}

/* ---- hidden parts ---- */

bool replay_hides(const struct replay *replay, enum replay_hidden what) {
    return ((replay->hide | asking_hides(&replay->asking, &replay->cursor)) & what) != 0;
}

enum phase replay_shown_phase(const struct replay *replay) {
    const struct cursor *cursor = &replay->cursor;
    if (!is_open(replay))
        return cursor->phase;
    unsigned hides = asking_hides(&replay->asking, cursor);
    bool whole = hides & REPLAY_HIDES_CALL && !(hides & REPLAY_HIDES_OUT);
    enum phase cap = whole ? PHASE_AFTER : hides & REPLAY_HIDES_READS ? PHASE_BEFORE : PHASE_RANGE;
    if (whole)
        return PHASE_AFTER;
    enum phase phase = cursor->phase < cap ? cursor->phase : cap;
    while (cursor->has_step && !phase_applies(cursor->step.operation.op, phase))
        phase--;
    return phase;
}

/* ---- asking ---- */

static void say_error(struct replay *replay, struct error *err) {
    err->text[strcspn(err->text, "\n")] = '\0';
    replay_set_message(replay, "%s", err->text);
}

bool replay_ask_end(struct replay *replay) {
    return asking_end(&replay->asking, &replay->input);
}

int replay_ask(struct replay *replay, const struct question *question, struct error *err) {
    struct answer answer;
    struct question asked = *question; /* `question` may point into the replay */
    if (answer_of(replay_subject(replay), &asked, &answer, err) != 0)
        return -1;
    replay_ask_end(replay);
    replay->playing = false;
    replay->asking.state = PREDICTION_ASKED;
    replay->asking.question = asked;
    replay->asking.fixed = true;
    replay->asking.lane = asks_lane(&asked) ? asked.lane : -1;
    replay->asking.answer[0] = '\0';
    input_open(&replay->input, PROMPT_PREDICT);
    return 0;
}

static int ask_freely(struct replay *replay, enum question_kind kind, struct error *err) {
    struct question question = {.kind = kind, .lane = replay->lane};
    if (replay_ask(replay, &question, err) != 0)
        return -1;
    replay->asking.fixed = false;
    return 0;
}

bool predict_start(struct replay *replay, long argument UNUSED) {
    struct error err = ERROR_INIT;
    bool changed = replay->playing;
    replay->playing = false;
    changed = replay_ask_end(replay) || changed;
    if (!replay->cursor.has_step)
        return changed;
    const struct warp_operation *operation = &replay->cursor.step.operation;
    int kind = warp_op_info(operation->op)->is_shuffle ? QUESTION_SOURCE : QUESTION_VALUE;
    if (ask_freely(replay, (enum question_kind)kind, &err) == 0)
        return true;
    bool calls = operation->present >> replay->lane & 1;
    for (kind++; calls && kind <= QUESTION_ABSENT; kind++)
        if (ask_freely(replay, (enum question_kind)kind, NULL) == 0)
            return true;
    say_error(replay, &err);
    return changed;
}

/* The next kind of question that can be asked about this operation and lane. */
bool predict_kind(struct replay *replay, long direction) {
    int kinds = QUESTION_ABSENT, kind = (int)replay->asking.question.kind;
    if (!is_open(replay) || replay->asking.fixed)
        return false;
    for (int i = 1; i < kinds; i++) {
        int next = 1 + (kind - 1 + kinds + (int)direction * i) % kinds;
        if (ask_freely(replay, (enum question_kind)next, NULL) == 0)
            return true;
    }
    return false;
}

/* ---- the answer ---- */

/* The phase at which the reason is visible. */
static enum phase reason_phase(const struct replay *replay) {
    bool shuffle = warp_op_info(replay->cursor.step.operation.op)->is_shuffle;
    const unsigned brought = REPLAY_HIDES_IN | REPLAY_HIDES_CALL;
    if (replay->asking.question.kind == QUESTION_VALUE && (replay->hide & brought) == brought)
        return PHASE_BEFORE; /* it asks for a lane's input; the call has not been explained yet */
    switch (replay->asking.question.kind) {
    case QUESTION_VALUE:
    case QUESTION_CHANGED:
    case QUESTION_CALL:
    case QUESTION_BLANK:
    case QUESTION_WHICH:
        return PHASE_AFTER;
    case QUESTION_ABSENT:
        return PHASE_BEFORE;
    default:
        return shuffle ? PHASE_RANGE : PHASE_AFTER;
    }
}

static void close_question(struct replay *replay, enum prediction_state state) {
    struct answer answer;
    struct replay_asking *asking = &replay->asking;
    int lane;
    input_close(&replay->input);
    asking->state = state;
    if (replay->cursor.phase < reason_phase(replay))
        cursor_set_phase(&replay->cursor, reason_phase(replay));
    if (answer_of(replay_subject(replay), &asking->question, &answer, NULL) != 0)
        return;
    asking->right = answer.lanes;
    asking->either = answer.either;
    if (asking->question.kind != QUESTION_SOURCE)
        return;
    asking->right = answer.undefined ? 0 : UINT32_C(1) << answer.lane;
    if (typed_lane(asking->answer, &lane))
        asking->marks = UINT32_C(1) << lane;
    else if (typed_is_own(asking->answer))
        asking->marks = UINT32_C(1) << asking->question.lane;
}

/* The user may have typed thread numbers. */
static bool names_invalid_lane(const char *typed) {
    for (; (typed = strpbrk(typed, "0123456789")); typed += strspn(typed, "0123456789"))
        if (strtoul(typed, NULL, 10) >= WARP_LANES)
            return true;
    return false;
}

static void say_expected_input(struct replay *replay) {
    struct error err = ERROR_INIT;
    if (asks_code(replay)) {
        code_problem(replay_subject(replay), &replay->asking.question, replay->input.text, &err);
        say_error(replay, &err);
        return;
    }
    const struct warp_type_info *type = warp_type_info(replay->cursor.step.operation.type);
    if (asks_set(replay) && names_invalid_lane(replay->input.text))
        replay_set_message(replay, "%s", _("lanes are 0 to 31 in every warp"));
    else if (asks_set(replay))
        replay_set_message(replay, "%s",
                           _("answer with lanes (0-3,8), all or none, or mark them (Space)"));
    else if (replay->asking.question.kind == QUESTION_SOURCE)
        replay_set_message(replay, "%s", _("answer with a lane (0 to 31), own or undefined"));
    else if (replay_subject(replay).only_values)
        replay_set_message(replay, "%s", _("answer with a number"));
    else if (type && type->parts == 2)
        replay_set_message(replay, "%s", _("answer with two numbers (1.5,2), own or undefined"));
    else
        replay_set_message(replay, _("answer with a value of type %s, own or undefined"),
                           type && type->bits ? type->cuda : "unsigned");
}

enum answer_verdict replay_answer(struct replay *replay) {
    char normal[ANSWER_TEXT], reason[320];
    struct replay_asking *asking = &replay->asking;
    if (!is_open(replay))
        return ANSWER_UNREADABLE;
    const char *typed = replay->input.text;
    enum answer_verdict verdict =
        answer_judge(replay_subject(replay), &asking->question, typed, asking->marks, normal);
    if (verdict == ANSWER_UNREADABLE) {
        say_expected_input(replay);
        return verdict;
    }
    line_set(asking->answer, sizeof asking->answer, normal);
    if (asks_set(replay)) /* an answer need not have been typed key by key */
        typed_lanes(typed, WARP_FULL_MASK, &asking->marks);
    close_question(replay, verdict == ANSWER_RIGHT ? PREDICTION_RIGHT : PREDICTION_WRONG);
    answer_reason(replay_subject(replay), &asking->question, reason, sizeof reason);
    replay_set_message(replay, verdict == ANSWER_RIGHT ? _("%s, right: %s") : _("%s, wrong: %s"),
                       normal, reason);
    return verdict;
}

void replay_reveal(struct replay *replay) {
    char reason[320];
    if (!is_open(replay))
        return;
    replay->asking.marks = 0;
    close_question(replay, PREDICTION_SHOWN);
    replay_set_message(
        replay, "%s",
        answer_reason(replay_subject(replay), &replay->asking.question, reason, sizeof reason));
}

bool predict_accept(struct replay *replay, long argument UNUSED) {
    return replay_answer(replay) != ANSWER_UNREADABLE;
}

void replay_ask_again(struct replay *replay) {
    if (asks_set(replay))
        replay->input.kept = true;
    else
        input_set(&replay->input, "");
}

void replay_leave_prompt(struct replay *replay) {
    if (replay->input.prompt == PROMPT_PREDICT)
        input_close(&replay->input);
}

/* ---- typing ---- */

/* Typing and marking are kept in step: marking fills in the prompt, and typing marks lanes. */
void replay_mark_answer(struct replay *replay, uint32_t lanes) {
    char text[WARP_LANES_TEXT];
    replay->asking.marks = lanes;
    input_set(&replay->input, lanes == 0                ? ""
                              : lanes == WARP_FULL_MASK ? "all"
                                                        : warp_lanes_format(lanes, text));
}

bool predict_mark(struct replay *replay, long argument UNUSED) {
    if (is_open(replay) && asks_code(replay))
        return predict_type(replay, "Space");
    if (!is_open(replay) || !asks_set(replay))
        return false;
    replay_mark_answer(replay, replay->asking.marks ^ UINT32_C(1) << replay->lane);
    return true;
}

static void mark_typed(struct replay *replay) {
    uint32_t lanes;
    const char *typed = replay->input.text;
    if (!asks_set(replay))
        return;
    if (typed_is_blank(typed))
        replay->asking.marks = 0;
    else if (typed_lanes(typed, WARP_FULL_MASK, &lanes))
        replay->asking.marks = lanes;
}

void replay_type_answer(struct replay *replay, const char *typed) {
    input_set(&replay->input, typed);
    mark_typed(replay);
}

bool predict_type(struct replay *replay, const char *key) {
    /* A blank cannot begin an answer: it would be invisible, and would have to be deleted first. */
    if (!asks_code(replay) && !replay->input.text[0] && strcmp(key, "Space") == 0)
        return false;
    bool changed = input_type(&replay->input, key);
    mark_typed(replay);
    return changed;
}

bool predict_erase(struct replay *replay, long argument) {
    bool changed = input_erase(&replay->input, argument);
    mark_typed(replay);
    return changed;
}

bool predict_may_begin(const struct replay *replay, const char *key) {
    const struct warp_type_info *type = warp_type_info(replay->cursor.step.operation.type);
    const char *begins = asks_set(replay) ? "aln" : "lou"; /* "?" opens the help */
    if (key[0] == '\0' || key[1] != '\0')
        return false;
    if (asks_code(replay))
        return *key != '?' && *key != ':';
    if (isdigit((unsigned char)*key) || strchr(begins, *key))
        return true;
    return replay->asking.question.kind == QUESTION_VALUE &&
           strchr(type && type->is_floating ? "+-.in" : "+-", *key);
}

/* ---- lanes ---- */

bool predict_lane_go(struct replay *replay, int lane) {
    struct error err = ERROR_INIT;
    char typed[REPLAY_INPUT_SIZE];
    bool moved = replay->lane != lane;
    replay->lane = lane;
    if (replay->asking.fixed || asks_set(replay) || lane == replay->asking.question.lane)
        return moved;
    memcpy(typed, replay->input.text, sizeof typed);
    if (ask_freely(replay, replay->asking.question.kind, &err) == 0)
        input_set(&replay->input, typed);
    else
        say_error(replay, &err); /* keeps the lane of the question */
    return true;
}

bool predict_lane_click(struct replay *replay, int lane) {
    char number[16];
    bool moved = replay->lane != lane;
    if (asks_set(replay)) {
        replay->lane = lane;
        return predict_mark(replay, 0) || moved;
    }
    if (replay->asking.question.kind != QUESTION_SOURCE)
        return predict_lane_go(replay, lane);
    snprintf(number, sizeof number, "%d", lane);
    return input_set(&replay->input, number);
}
