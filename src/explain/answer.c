/* The right answer, from the recording and the rules. */
#include "explain/answer.h"

#include "base/message.h"
#include "explain/snippet/code_answer.h"
#include "explain/typed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void format_value(const struct warp_operation *operation, uint64_t bits,
                         char buffer[WARP_VALUE_TEXT]) {
    if (warp_result_is_mask(operation->op))
        warp_value_format_bits(WARP_TYPE_UNSIGNED, bits, buffer);
    else
        warp_value_format(warp_result_type(operation), bits, buffer);
}

/* ---- possible questions ---- */

static bool kind_applies(enum warp_op op, enum question_kind kind) {
    bool shuffle = warp_op_info(op)->is_shuffle;
    bool none = op == WARP_OP_SYNC || op == WARP_OP_ACTIVEMASK;
    if (warp_op_is_access(op)) /* the content of memory comes from other steps */
        return false;
    switch (kind) {
    case QUESTION_SOURCE:
    case QUESTION_READERS:
    case QUESTION_OWN:
        return shuffle;
    case QUESTION_VALUE:
        return !none;
    case QUESTION_UNDEFINED:
        return !none && op != WARP_OP_WATCH;
    case QUESTION_CHANGED:
        return shuffle || warp_op_is_reduce(op);
    case QUESTION_CALL:
        return shuffle;
    default:
        return kind >= QUESTION_ABSENT && kind < QUESTION_KIND_COUNT;
    }
}

static int refuse_kind(const struct warp_operation *operation, enum question_kind kind,
                       struct error *err) {
    const char *name = warp_op_info(operation->op)->name;
    switch (kind) {
    case QUESTION_SOURCE:
    case QUESTION_READERS:
    case QUESTION_OWN:
    case QUESTION_CALL:
        return error_set(err, ERROR_USAGE,
                         _("%s does not read from one particular lane: only a shuffle does"), name);
    case QUESTION_CHANGED:
        return error_set(err, ERROR_USAGE,
                         _("%s does not replace a lane's value: ask for the value it returns"),
                         name);
    case QUESTION_VALUE:
    case QUESTION_UNDEFINED:
        return error_set(err, ERROR_USAGE, _("the rules define no result for %s"), name);
    default:
        return error_set(err, ERROR_USAGE, _("there is no such question"));
    }
}

static int check_lane(struct subject subject, const struct question *question, struct error *err) {
    const struct warp_operation *operation = subject.operation;
    int lane = question->lane;
    if (lane < 0 || lane >= WARP_LANES)
        return error_set(err, ERROR_USAGE, _("lanes are 0 to 31"));
    if (!warp_has_lane(operation->present, lane))
        return error_set(err, ERROR_USAGE, _("lane %d makes no call: choose another lane"), lane);
    if (question->kind != QUESTION_VALUE)
        return 0;
    if (!subject.outcome[lane].has_value && subject.outcome[lane].status != LANE_UNDEFINED)
        return error_set(err, ERROR_USAGE, _("the rules define no result for %s"),
                         warp_op_info(operation->op)->name);
    if (warp_has_lane(warp_disagreement(operation, subject.outcome), lane))
        return error_set(err, ERROR_USAGE,
                         _("the value recorded for lane %d disagrees with the rules"), lane);
    return 0;
}

static int check(struct subject subject, const struct question *question, struct error *err) {
    if (!subject.operation)
        return error_set(err, ERROR_USAGE, _("there is no operation to ask about"));
    if (subject.operation->unfinished && question->kind != QUESTION_ABSENT)
        return error_set(err, ERROR_USAGE,
                         _("the operation never ended: ask which lanes do not make the call"));
    if (!kind_applies(subject.operation->op, question->kind))
        return refuse_kind(subject.operation, question->kind, err);
    if (question_is_code(question))
        return code_check(subject, question, err);
    if (!question_is_set(question) || question->kind == QUESTION_READERS)
        return check_lane(subject, question, err);
    return 0;
}

/* ---- the answer ---- */

static bool value_changes(const struct warp_operation *operation,
                          const struct lane_outcome *outcome, int lane) {
    return outcome->has_value && warp_value_mask(operation->type, outcome->value) !=
                                     warp_value_mask(operation->type, operation->in[lane]);
}

static bool names_lane(const struct lane_outcome *outcome, int lane) {
    return outcome->status != LANE_ABSENT && outcome->address.source == lane;
}

static void add_lane(struct subject subject, const struct question *question, int lane,
                     struct answer *answer) {
    const struct warp_operation *operation = subject.operation;
    const struct lane_outcome *outcome = &subject.outcome[lane];
    bool in = false, either = false;
    switch (question->kind) {
    case QUESTION_READERS:
        in = outcome->status == LANE_READ && names_lane(outcome, question->lane);
        either = !in && names_lane(outcome, question->lane);
        break;
    case QUESTION_OWN:
        in = outcome->status == LANE_OWN;
        break;
    case QUESTION_UNDEFINED:
        in = outcome->status == LANE_UNDEFINED;
        break;
    case QUESTION_CHANGED:
        in = value_changes(operation, outcome, lane);
        either = outcome->status == LANE_UNDEFINED;
        break;
    default:
        in = outcome->status == LANE_ABSENT;
        break;
    }
    answer->lanes |= (uint32_t)in << lane;
    answer->either |= (uint32_t)either << lane;
}

int answer_of(struct subject subject, const struct question *question, struct answer *answer,
              struct error *err) {
    memset(answer, 0, sizeof *answer);
    if (check(subject, question, err) != 0)
        return -1;
    if (question_is_set(question)) {
        for (int lane = 0; lane < WARP_LANES; lane++)
            add_lane(subject, question, lane, answer);
        if (question->kind == QUESTION_CHANGED && !(subject.operation->present & ~answer->either))
            return error_set(err, ERROR_USAGE, _("each lane's result is undefined here"));
        return 0;
    }
    if (question_is_code(question))
        return 0;
    const struct lane_outcome *outcome = &subject.outcome[question->lane];
    bool shuffle = warp_op_info(subject.operation->op)->is_shuffle;
    answer->undefined = outcome->status == LANE_UNDEFINED;
    answer->lane = outcome->address.source;
    answer->own = !answer->undefined && shuffle &&
                  (outcome->status == LANE_OWN || answer->lane == question->lane);
    if (question->kind == QUESTION_SOURCE)
        answer->own = outcome->status == LANE_OWN;
    answer->value = outcome->value;
    return 0;
}

static void format_lanes(uint32_t lanes, char buffer[ANSWER_TEXT]) {
    char text[WARP_LANES_TEXT];
    snprintf(buffer, ANSWER_TEXT, "%s",
             lanes == WARP_FULL_MASK ? "all" : warp_lanes_format(lanes, text));
}

char *answer_format(struct subject subject, const struct question *question,
                    const struct answer *answer, char buffer[ANSWER_TEXT]) {
    char value[WARP_VALUE_TEXT];
    if (question_is_code(question)) {
        code_answer(subject, question, buffer, ANSWER_TEXT);
    } else if (question_is_set(question)) {
        format_lanes(answer->lanes, buffer);
    } else if (answer->undefined) {
        snprintf(buffer, ANSWER_TEXT, "undefined");
    } else if (question->kind == QUESTION_SOURCE) {
        if (answer->own)
            snprintf(buffer, ANSWER_TEXT, "own");
        else
            snprintf(buffer, ANSWER_TEXT, "%d", answer->lane);
    } else {
        format_value(subject.operation, answer->value, value);
        snprintf(buffer, ANSWER_TEXT, "%s", value);
    }
    return buffer;
}

/* ---- judging ---- */

static enum answer_verdict verdict(bool right) {
    return right ? ANSWER_RIGHT : ANSWER_WRONG;
}

/* The words shared by source and value. False if the text is neither word. */
static bool judge_word(const struct answer *answer, bool own, const char *typed, char *normal,
                       enum answer_verdict *result) {
    bool undefined = typed_is_undefined(typed);
    if (!undefined && !typed_is_own(typed))
        return false;
    snprintf(normal, ANSWER_TEXT, undefined ? "undefined" : "own");
    *result = verdict(undefined ? answer->undefined : !answer->undefined && own);
    return true;
}

static enum answer_verdict judge_source(const struct question *question,
                                        const struct answer *answer, const char *typed,
                                        char *normal) {
    enum answer_verdict result;
    int lane;
    if (judge_word(answer, answer->lane == question->lane, typed, normal, &result))
        return result;
    if (!typed_lane(typed, &lane))
        return ANSWER_UNREADABLE;
    snprintf(normal, ANSWER_TEXT, "%d", lane);
    return verdict(!answer->undefined && lane == answer->lane);
}

/* A mask may be given as the lanes that it names, unless the text can be read as a number. */
static bool read_result(const struct warp_operation *operation, const char *typed, uint64_t right,
                        uint64_t *bits) {
    uint32_t lanes;
    char whole[WARP_VALUE_TEXT];
    uint64_t real;
    if (typed_value(warp_result_type(operation), typed, right, bits))
        return true;
    if (typed_value(WARP_TYPE_DOUBLE, typed, 0, &real)) { /* "6.0" is 6 */
        warp_value_format(WARP_TYPE_DOUBLE, real, whole);
        if (typed_value(warp_result_type(operation), whole, right, bits))
            return true;
    }
    if (!warp_result_is_mask(operation->op) || !typed_lanes(typed, operation->members, &lanes))
        return false;
    *bits = lanes;
    return true;
}

/* A number that the type cannot hold (5.5 as an int, 2^32 as an unsigned) is a wrong answer, not an
 * unreadable one: the learner believes it. */
static enum answer_verdict judge_unrepresentable(const char *typed, char *normal) {
    uint64_t bits;
    char value[WARP_VALUE_TEXT];
    if (!typed_value(WARP_TYPE_DOUBLE, typed, 0, &bits))
        return ANSWER_UNREADABLE;
    snprintf(normal, ANSWER_TEXT, "%s", warp_value_format(WARP_TYPE_DOUBLE, bits, value));
    return ANSWER_WRONG;
}

static enum answer_verdict judge_value(const struct warp_operation *operation,
                                       const struct answer *answer, const char *typed,
                                       char *normal) {
    enum answer_verdict result;
    uint64_t bits;
    char value[WARP_VALUE_TEXT];
    if (judge_word(answer, answer->own, typed, normal, &result))
        return result;
    if (!read_result(operation, typed, answer->value, &bits))
        return judge_unrepresentable(typed, normal);
    /* For any and all, the guide defines only whether the result is zero. */
    if (operation->op == WARP_OP_ANY || operation->op == WARP_OP_ALL)
        bits = bits != 0;
    format_value(operation, bits, value);
    snprintf(normal, ANSWER_TEXT, "%s", value);
    enum warp_type type = warp_result_type(operation);
    bool equal = warp_value_mask(type, bits) == warp_value_mask(type, answer->value);
    return verdict(!answer->undefined && equal);
}

static enum answer_verdict judge_lanes(struct subject subject, const struct answer *answer,
                                       const char *typed, uint32_t marks, char *normal) {
    uint32_t lanes = marks, present = subject.operation->present;
    if (typed_is_blank(typed) ? lanes == 0 : !typed_lanes(typed, WARP_FULL_MASK, &lanes))
        return ANSWER_UNREADABLE;
    format_lanes(lanes, normal);
    uint32_t off = (lanes ^ answer->lanes) & ~answer->either;
    /* "all" may mean all lanes that make the call. */
    bool all = lanes == WARP_FULL_MASK && present && answer->lanes == present;
    return verdict(off == 0 || all);
}

static enum answer_verdict judge(struct subject subject, const struct question *question,
                                 const char *typed, uint32_t marks, char normal[ANSWER_TEXT]) {
    struct answer answer;
    if (answer_of(subject, question, &answer, NULL) != 0)
        return ANSWER_UNREADABLE;
    if (question_is_set(question))
        return judge_lanes(subject, &answer, typed, marks, normal);
    if (typed_is_blank(typed))
        return ANSWER_UNREADABLE;
    if (question_is_code(question))
        return code_judge(subject, question, typed, normal, ANSWER_TEXT);
    if (question->kind == QUESTION_SOURCE)
        return judge_source(question, &answer, typed, normal);
    if (subject.only_values && typed_is_own(typed))
        return ANSWER_UNREADABLE;
    return judge_value(subject.operation, &answer, typed, normal);
}

enum answer_verdict answer_judge(struct subject subject, const struct question *question,
                                 const char *typed, uint32_t marks, char normal[ANSWER_TEXT]) {
    char text[ANSWER_TEXT];
    if (!normal)
        normal = text;
    normal[0] = '\0';
    enum answer_verdict result = judge(subject, question, typed, marks, normal);
    for (size_t i = 0; i < QUESTION_ACCEPTS && result == ANSWER_WRONG; i++)
        if (question->accept[i][0] && strcmp(question->accept[i], normal) == 0)
            result = ANSWER_RIGHT;
    return result;
}

bool answer_is_part(struct subject subject, const struct question *question, const char *typed) {
    struct answer answer;
    char right[ANSWER_TEXT];
    if (question->kind != QUESTION_WHICH || !isalpha((unsigned char)typed[0]) ||
        answer_of(subject, question, &answer, NULL) != 0)
        return false;
    answer_format(subject, question, &answer, right);
    for (const char *letter = typed; *letter; letter++)
        if (isalpha((unsigned char)*letter) && !strchr(right, *letter))
            return false;
    return true;
}
