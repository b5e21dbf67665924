/* Questions, reasons and hints in words. The numbers are the recorded operation's. */
#include "explain/answer.h"

#include "base/message.h"
#include "explain/explain.h"
#include "explain/sentence.h"
#include "explain/snippet/code_answer.h"

#include <stdio.h>
#include <string.h>

static int first_of(uint32_t lanes) {
    return lanes ? __builtin_ctz(lanes) : 0;
}

/* ---- the question ---- */

static const struct {
    const char *sentence, *label;
} questions[QUESTION_KIND_COUNT] = {
    [QUESTION_SOURCE] = {N_("Which lane does lane %d read?"), N_("lane %d reads lane? ")},
    [QUESTION_VALUE] = {N_("What value does lane %d get?"), N_("lane %d gets? ")},
    [QUESTION_READERS] = {N_("Which lanes read lane %d?"), N_("readers of lane %d? ")},
    [QUESTION_OWN] = {N_("Which lanes are out of range and keep their own value?"),
                      N_("lanes that keep their own? ")},
    [QUESTION_UNDEFINED] = {N_("For which lanes is the result undefined?"),
                            N_("undefined lanes? ")},
    [QUESTION_CHANGED] = {N_("Which lanes hold a different value afterwards?"),
                          N_("changed lanes? ")},
    [QUESTION_ABSENT] = {N_("Which lanes do not make this call?"), N_("lanes that do not call? ")},
    [QUESTION_CALL] = {N_("Which call makes this picture?"), N_("the call? ")},
    [QUESTION_BLANK] = {N_("What belongs in the blank?"), N_("the blank? ")},
    [QUESTION_WHICH] = {N_("Which of these is right?"), N_("which? ")},
    [QUESTION_LINE] = {N_("Which line of the source is wrong?"), N_("the line? ")},
};

char *question_sentence(struct subject subject, const struct question *question, char *buffer,
                        size_t size) {
    const struct warp_operation *operation = subject.operation;
    const char *sentence = questions[question->kind].sentence;
    if (question->kind == QUESTION_VALUE && operation && operation->op == WARP_OP_WATCH)
        sentence = N_("What value does lane %d hold here?");
    else if (question->kind == QUESTION_VALUE && operation &&
             !warp_op_info(operation->op)->is_shuffle)
        sentence = N_("What does the call give lane %d?");
    snprintf(buffer, size, sentence ? _(sentence) : "", question->lane);
    return buffer;
}

char *question_label(const struct question *question, char *buffer, size_t size) {
    const char *label = questions[question->kind].label;
    snprintf(buffer, size, label ? _(label) : "", question->lane);
    return buffer;
}

const char *question_help(struct subject subject, const struct question *question) {
    const struct warp_operation *operation = subject.operation;
    switch (question->kind) {
    case QUESTION_CALL:
        return _("idx 5 16 · or the call as in CUDA");
    case QUESTION_BLANK:
        return question->aim.goal == SNIPPET_NUMBER ? _("a number")
                                                    : _("what belongs in the blank ___");
    case QUESTION_WHICH:
        return _("a letter, or several with commas");
    case QUESTION_LINE:
        return _("a line number");
    default:
        break;
    }
    if (question_is_set(question))
        return _("0-3,8 · all · none · or mark lanes with Space");
    if (question->kind == QUESTION_SOURCE)
        return _("0 to 31 · own · undefined");
    if (operation && (operation->op == WARP_OP_WATCH || subject.only_values))
        return _("a number");
    return operation && !warp_op_info(operation->op)->is_shuffle ? _("a number · undefined")
                                                                 : _("a number · own · undefined");
}

/* ---- the reason ---- */

static void add_brief(struct sentence *words, struct subject subject, int lane) {
    char text[160];
    enum phase phase = warp_op_info(subject.operation->op)->is_shuffle ? PHASE_RANGE : PHASE_AFTER;
    add(words, "%s",
        explain_brief(subject.operation, &subject.outcome[lane], phase, lane, text, sizeof text));
}

static void reason_of_value(struct sentence *words, struct subject subject,
                            const struct question *question, const struct answer *answer) {
    char value[ANSWER_TEXT], meaning[160];
    const struct warp_operation *operation = subject.operation;
    int lane = question->lane;
    answer_format(subject, question, answer, value);
    if (warp_op_info(operation->op)->is_shuffle || answer->undefined) {
        add_brief(words, subject, lane);
        if (answer->undefined)
            return;
        if (subject.outcome[lane].status == LANE_OWN)
            add(words, _(", %s"), value);
        else
            add(words, _(", which holds %s"), value);
        return;
    }
    if (operation->op == WARP_OP_WATCH)
        add(words, _("lane %d holds %s"), lane, value);
    else
        add(words, _("lane %d gets %s: %s"), lane, value,
            explain_operation(operation, meaning, sizeof meaning));
}

/* The reason why no lane is in the set. */
static const char *const empty_reasons[QUESTION_KIND_COUNT] = {
    [QUESTION_OWN] = N_("no lane names a lane beyond its group"),
    [QUESTION_UNDEFINED] = N_("each calling lane's result is defined"),
    [QUESTION_CHANGED] = N_("each lane gets the value that it had"),
    [QUESTION_ABSENT] = N_("all 32 lanes make the call"),
};

/* The first lane of the set is the example for all. */
static void add_example(struct sentence *words, struct subject subject,
                        const struct question *question, int lane) {
    char text[WARP_VALUE_TEXT], value[ANSWER_TEXT];
    const struct warp_operation *operation = subject.operation;
    if (question->kind != QUESTION_CHANGED) {
        add_brief(words, subject, lane);
        return;
    }
    struct question asked = {.kind = QUESTION_VALUE, .lane = lane};
    struct answer answer;
    if (answer_of(subject, &asked, &answer, NULL) == 0)
        add(words, _("lane %d has %s and gets %s"), lane, explain_in(operation, lane, text),
            answer_format(subject, &asked, &answer, value));
}

static void reason_of_lanes(struct sentence *words, struct subject subject,
                            const struct question *question, uint32_t lanes) {
    if (!lanes) {
        if (question->kind == QUESTION_READERS)
            add(words, _("no lane reads lane %d"), question->lane);
        else
            add(words, "%s", _(empty_reasons[question->kind]));
        return;
    }
    if (lanes & (lanes - 1))
        add(words, "%s", _("for example "));
    add_example(words, subject, question, first_of(lanes));
}

char *answer_reason(struct subject subject, const struct question *question, char *buffer,
                    size_t size) {
    struct sentence words = {buffer, size, 0};
    struct answer answer;
    struct error err = ERROR_INIT;
    buffer[0] = '\0';
    if (answer_of(subject, question, &answer, &err) != 0)
        add(&words, "%s", err.text);
    else if (question_is_code(question))
        code_reason(subject, question, buffer, size);
    else if (question->kind == QUESTION_SOURCE)
        add_brief(&words, subject, question->lane);
    else if (question->kind == QUESTION_VALUE)
        reason_of_value(&words, subject, question, &answer);
    else
        reason_of_lanes(&words, subject, question, answer.lanes);
    return buffer;
}

/* ---- the hint ---- */

static void add_binary(struct sentence *words, int number) {
    char digits[6];
    for (int bit = 0; bit < 5; bit++)
        digits[bit] = (char)('0' + (number >> (4 - bit) & 1));
    digits[5] = '\0';
    add(words, "%s", digits);
}

/* The lane that is named, as arithmetic for the learner to do. */
static void hint_arithmetic(struct sentence *words, const struct warp_operation *operation,
                            int lane) {
    int32_t arg = operation->arg[lane], width = operation->width[lane];
    struct shuffle_address a = shuffle_address(operation->op, lane, arg, width);
    const char *name = warp_op_info(operation->op)->argument;
    if (operation->op == WARP_OP_IDX) {
        add(words,
            _("Lane %d's group begins at lane %d and has %d lanes. Count %s = %d lanes from its "
              "start"),
            lane, a.min_lane, width, name, arg);
        add(words, "%s",
            arg < 0 || arg >= width ? _("; the count wraps round at the width.") : ".");
        return;
    }
    if (arg != a.bval)
        add(words, _("Only five bits of the %s count: %d & 31. "), name, arg);
    if (operation->op == WARP_OP_XOR) {
        add(words, _("Write lane %d in binary, "), lane);
        add_binary(words, lane);
        add(words, _(", and flip the bits that are set in laneMask, "));
        add_binary(words, a.bval);
        add(words, _(". Is that beyond lane %d, the last of its group?"), a.max_lane);
    } else if (arg != a.bval) {
        add(words,
            operation->op == WARP_OP_UP
                ? _("Go that many lanes down from %d. Is that before lane %d, the first of "
                    "its group?")
                : _("Go that many lanes up from %d. Is that beyond lane %d, the last of its "
                    "group?"),
            lane, a.max_lane);
    } else {
        add(words,
            operation->op == WARP_OP_UP
                ? _("Take %d - %d. Is that before lane %d, the first of its group?")
                : _("Take %d + %d. Is that beyond lane %d, the last of its group?"),
            lane, a.bval, a.max_lane);
    }
}

static void hint_source(struct sentence *words, const struct warp_operation *operation, int lane) {
    if (!warp_width_is_defined(operation->width[lane])) {
        add(words,
            _("The width is %d. Which widths does the CUDA Programming Guide (13.3, 2026) define?"),
            operation->width[lane]);
        return;
    }
    hint_arithmetic(words, operation, lane);
    if (operation->members != WARP_FULL_MASK)
        add(words, _(" Then read from the mask 0x%08x which lanes it names."), operation->members);
    else if (operation->present != WARP_FULL_MASK)
        add(words, "%s", _(" Then ask whether that lane makes the call."));
}

static void hint_value(struct sentence *words, struct subject subject, int lane) {
    char meaning[160];
    const struct warp_operation *operation = subject.operation;
    if (warp_op_info(operation->op)->is_shuffle)
        add(words,
            _("See which lane is read: the result is that lane's value from before the call. If "
              "lane %d is out of range, it keeps its own value."),
            lane);
    else if (operation->op == WARP_OP_WATCH)
        add(words, "%s", _("Go through the operations before this one: what came in each time?"));
    else
        add(words, _("The call returns %s."),
            explain_operation(operation, meaning, sizeof meaning));
}

static void hint_readers(struct sentence *words, const struct warp_operation *operation, int lane) {
    switch (operation->op) {
    case WARP_OP_XOR:
        add(words,
            _("Xor undoes itself: flip the same bits in %d to get back to its reader. Is lane %d "
              "within the reader's reach?"),
            lane, lane);
        break;
    case WARP_OP_IDX:
        add(words,
            _("All lanes of a group read the lane at the same place in that group. Is lane %d at "
              "that place in its group?"),
            lane);
        break;
    default:
        add(words,
            operation->op == WARP_OP_UP ? _("Each lane reads a lane with a smaller number, so look "
                                            "after lane %d, in the same group.")
                                        : _("Each lane reads a lane with a larger number, so look "
                                            "before lane %d, in the same group."),
            lane);
        break;
    }
}

static const char *hint_own(enum warp_op op) {
    switch (op) {
    case WARP_OP_IDX:
        return _("srcLane wraps round inside the group. Can it ever leave the group?");
    case WARP_OP_UP:
        return _(
            "A lane is out of range if the lane it names is before the first lane of its group.");
    case WARP_OP_DOWN:
        return _(
            "A lane is out of range if the lane it names is beyond the last lane of its group.");
    default:
        return _("A lane is out of range if the lane it names is in a later group; a lane in an "
                 "earlier group may be read.");
    }
}

static const char *hint_lanes(const struct warp_operation *operation, enum question_kind kind) {
    switch (kind) {
    case QUESTION_OWN:
        return hint_own(operation->op);
    case QUESTION_UNDEFINED:
        return warp_op_info(operation->op)->is_shuffle
                   ? _("Look for lanes that read a lane which is not in the mask or makes no call. "
                       "A lane that is out of range reads no other lane.")
                   : _("Look for lanes that call although they are not in the mask they pass.");
    case QUESTION_CHANGED:
        return _("Compare what a lane has with what it gets. A lane that reads itself, or an equal "
                 "value, does not change.");
    default:
        return _("How many threads does the block have, which lanes have left, and which lanes "
                 "does the mask "
                 "name?");
    }
}

char *answer_hint(struct subject subject, const struct question *question, char *buffer,
                  size_t size) {
    struct sentence words = {buffer, size, 0};
    struct answer answer;
    buffer[0] = '\0';
    if (answer_of(subject, question, &answer, NULL) != 0)
        return buffer;
    const struct warp_operation *operation = subject.operation;
    if (question_is_code(question))
        add(&words, "%s", code_hint(question));
    else if (question->kind == QUESTION_SOURCE)
        hint_source(&words, operation, question->lane);
    else if (question->kind == QUESTION_VALUE)
        hint_value(&words, subject, question->lane);
    else if (question->kind == QUESTION_READERS)
        hint_readers(&words, operation, question->lane);
    else
        add(&words, "%s", hint_lanes(operation, question->kind));
    return buffer;
}

const char *explain_recording_word(const char *word) {
    static const char *const words[] = {N_("emulated"), N_("measured"), N_("CPU warp")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0)
            return _(words[i]);
    return word;
}
