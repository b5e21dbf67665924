/*
 * A quiz of ten thousand questions, answered by an oracle with its own implementation of the rules:
 * the PTX ISA's pseudo-code of shfl.sync, and the undefined lanes of the CUDA C++ Programming
 * Guide.
 */
#include "teach/quiz.h"

#include "replay/predict.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- the oracle ---- */

enum fate { FATE_ABSENT, FATE_READ, FATE_OWN, FATE_UNDEFINED };

/* The result of a lane in a shuffle; *source is the lane that it addresses if that lane is in
 * range, else the lane itself. */
static enum fate fate_of(const struct warp_operation *o, int lane, int *source) {
    if (!(o->present >> lane & 1))
        return FATE_ABSENT;
    int width = o->width[lane];
    int c = (32 - width) << 8 | (o->op == WARP_OP_UP ? 0 : 0x1f);
    int bval = o->arg[lane] & 31, cval = c & 31, seg = c >> 8 & 31;
    int max = (lane & seg) | (cval & ~seg), min = lane & seg, j = 0;
    bool p = false;
    switch (o->op) {
    case WARP_OP_IDX:
        j = min | (bval & ~seg);
        p = j <= max;
        break;
    case WARP_OP_UP:
        j = lane - bval;
        p = j >= max;
        break;
    case WARP_OP_DOWN:
        j = lane + bval;
        p = j <= max;
        break;
    default:
        j = lane ^ bval;
        p = j <= max;
        break;
    }
    *source = p ? j : lane;
    if (width < 1 || width > 32 || (width & (width - 1)) || !(o->members >> lane & 1))
        return FATE_UNDEFINED;
    if (!p)
        return FATE_OWN;
    return o->members >> j & o->present >> j & 1 ? FATE_READ : FATE_UNDEFINED;
}

static bool is_shuffle(const struct warp_operation *o) {
    return o->op <= WARP_OP_XOR;
}

static bool is_undefined(const struct warp_operation *o, int lane) {
    int source;
    if (is_shuffle(o))
        return fate_of(o, lane, &source) == FATE_UNDEFINED;
    return (o->present & ~o->members) >> lane & 1;
}

/* The contribution of one more member to a vote, a match or a reduction of the samples. */
static uint64_t combine(const struct warp_operation *o, int lane, int member, uint64_t result) {
    uint64_t value = o->in[member], bit = UINT64_C(1) << member;
    switch (o->op) {
    case WARP_OP_BALLOT:
        return result | (value ? bit : 0);
    case WARP_OP_ALL:
        return result && value;
    case WARP_OP_MATCH_ANY:
        return result | (value == o->in[lane] ? bit : 0);
    case WARP_OP_MATCH_ALL: /* the members so far; 0 once a value differs */
        return result && value == o->in[lane] ? result | bit : 0;
    case WARP_OP_REDUCE_MIN:
        return (int32_t)value < (int32_t)result ? value : result;
    case WARP_OP_REDUCE_AND:
        return result & value;
    default: /* `any` counts, a sum adds */
        return (uint32_t)(result + value);
    }
}

/* The samples hold shuffles, votes, matches, a few reductions and watched values. */
static uint64_t result_of(const struct warp_operation *o, int lane) {
    uint64_t members = o->members & o->present, result = 0;
    int source;
    if (is_shuffle(o)) {
        fate_of(o, lane, &source);
        return o->in[source];
    }
    if (o->op == WARP_OP_WATCH)
        return o->in[lane];
    if (o->op == WARP_OP_ALL)
        result = 1;
    if (o->op == WARP_OP_MATCH_ALL)
        result = members;
    if (o->op == WARP_OP_REDUCE_MIN || o->op == WARP_OP_REDUCE_AND)
        result = o->in[lane];
    for (int i = 0; i < WARP_LANES; i++)
        if (members >> i & 1)
            result = combine(o, lane, i, result);
    return result;
}

/* True if the lane is in the requested set; sets *either if it counts neither way. */
static bool in_set(const struct warp_operation *o, const struct question *q, int lane,
                   bool *either) {
    int source = -1;
    bool calls = o->present >> lane & 1;
    enum fate fate = !calls                  ? FATE_ABSENT
                     : is_shuffle(o)         ? fate_of(o, lane, &source)
                     : is_undefined(o, lane) ? FATE_UNDEFINED
                                             : FATE_READ;
    *either = false;
    switch (q->kind) {
    case QUESTION_READERS:
        *either = fate != FATE_READ && calls && source == q->lane;
        return fate == FATE_READ && source == q->lane;
    case QUESTION_OWN:
        return fate == FATE_OWN;
    case QUESTION_UNDEFINED:
        return fate == FATE_UNDEFINED;
    case QUESTION_CHANGED:
        *either = fate == FATE_UNDEFINED;
        return calls && fate != FATE_UNDEFINED && result_of(o, lane) != o->in[lane];
    default:
        return fate == FATE_ABSENT;
    }
}

/* ---- its answers ---- */

static void answer_set(const struct quiz *quiz, bool right, char text[256]) {
    size_t length = 0;
    bool either, spoilt = right;
    text[0] = '\0';
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool in = in_set(&quiz->replay.cursor.step.operation, &quiz->question, lane, &either);
        if (!spoilt && !either) {
            in = !in;
            spoilt = true;
        }
        if (in)
            length += (size_t)snprintf(text + length, 256 - length, " %d", lane);
    }
    if (!length)
        snprintf(text, 256, "none");
}

static void answer_source(const struct quiz *quiz, bool right, char text[256]) {
    int source;
    const struct warp_operation *o = &quiz->replay.cursor.step.operation;
    enum fate fate = fate_of(o, quiz->question.lane, &source);
    if (fate == FATE_UNDEFINED)
        snprintf(text, 256, "%s", right ? "undefined" : "0");
    else if (fate == FATE_OWN)
        snprintf(text, 256, "%s", right ? "own" : "undefined");
    else
        snprintf(text, 256, "%d", right ? source : (source + 1) % 32);
}

static void answer_value(const struct quiz *quiz, bool right, char text[256]) {
    const struct warp_operation *o = &quiz->replay.cursor.step.operation;
    uint64_t value = result_of(o, quiz->question.lane);
    if (o->op == WARP_OP_ANY || o->op == WARP_OP_ALL)
        value = value != 0; /* every number except 0 means the same */
    double real;
    memcpy(&real, &value, sizeof real);
    if (is_undefined(o, quiz->question.lane))
        snprintf(text, 256, "%s", right ? "undefined" : "1");
    else if (o->type == WARP_TYPE_DOUBLE)
        snprintf(text, 256, "%.17g", right ? real : real * 2 + 1);
    else
        snprintf(
            text, 256, "0x%llx",
            (unsigned long long)((right ? value : value ^ 1) &
                                 (warp_type_info(o->type)->bits == 64 ? UINT64_MAX : UINT32_MAX)));
}

static void type(struct quiz *quiz, bool right) {
    char text[256];
    if (question_is_set(&quiz->question))
        answer_set(quiz, right, text);
    else if (quiz->question.kind == QUESTION_SOURCE)
        answer_source(quiz, right, text);
    else
        answer_value(quiz, right, text);
    /* Sets are marked, not typed, because Space marks a lane while a set is asked for. */
    if (question_is_set(&quiz->question) && strcmp(text, "none") != 0) {
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (quiz->replay.asking.marks >> lane & 1)
                quiz_apply(quiz, ACTION_LANE_GO, lane); /* left from a wrong try */
        for (char *rest = text, *word; (word = strsep(&rest, " "));) {
            int lane;
            if (sscanf(word, "%d", &lane) == 1)
                quiz_apply(quiz, ACTION_LANE_GO, lane);
        }
    } else {
        for (const char *c = text; *c; c++) {
            char key[2] = {*c, '\0'};
            quiz_key(quiz, quiz_press(quiz, key));
        }
    }
    quiz_key(quiz, quiz_press(quiz, "Enter"));
}

static void fail_at(const struct quiz *quiz, const char *sample, const char *what) {
    char text[QUESTION_TEXT];
    fail_msg("%s, operation %llu, %s: %s; %s, level %d", sample,
             (unsigned long long)quiz->replay.cursor.position,
             question_format(&quiz->question, text), what, quiz->replay.asking.answer, quiz->level);
}

/* ---- the tests ---- */

static void begin(struct quiz *quiz, struct trace **trace, const char *sample, int level) {
    struct error err = ERROR_INIT;
    *trace = sample_open(sample);
    if (quiz_init(quiz, *trace, 42, level, &err) != 0)
        fail_msg("%s: %s", sample, err.text);
}

/* Answers one question and goes to the next; the oracle's verdict must equal the quiz's. */
static void answer_one(struct quiz *quiz, const char *sample, bool right) {
    struct question question = quiz->question;
    uint64_t warp = quiz->warp, position = quiz->position;
    int level = quiz->level;
    unsigned asked = quiz->asked, row = quiz->row, wrong_row = quiz->wrong_row;
    if (quiz->answered || quiz->replay.asking.state != PREDICTION_ASKED)
        fail_at(quiz, sample, "no question is open");
    if (replay_shown_phase(&quiz->replay) != PHASE_BEFORE)
        fail_at(quiz, sample, "the picture shows more than the beginning");
    type(quiz, right);
    if (!right) { /* there is a second try, with the hint */
        if (quiz->answered || quiz->tries != 1 || !quiz->hinted)
            fail_at(quiz, sample, "a wrong answer has a second try");
        type(quiz, right);
    }
    if (!quiz->answered ||
        quiz->replay.asking.state != (right ? PREDICTION_RIGHT : PREDICTION_WRONG))
        fail_at(quiz, sample, right ? "the right answer is not" : "the wrong answer is right");
    assert_int_equal(quiz->asked, asked + 1);
    assert_int_equal(quiz->row, right ? row + 1 : 0);
    assert_int_equal(quiz->wrong_row, right ? 0 : wrong_row + 1);
    int expected = right && quiz->row % 3 == 0 ? level + 1 : level;
    if (!right && quiz->wrong_row % 2 == 0)
        expected = level - 1;
    assert_int_equal(quiz->level, expected < 1 ? 1 : expected > 5 ? 5 : expected);
    quiz_key(quiz, quiz_press(quiz, "Space"));
    if (quiz->question.kind == question.kind && quiz->question.lane == question.lane &&
        quiz->warp == warp && quiz->position == position)
        fail_at(quiz, sample, "the same twice in a row");
}

static void ten_thousand_questions(void **state) {
    (void)state;
    unsigned asked = 0;
    for (int round = 0; asked < 10000; round++)
        for (const char *const *name = sample_names(); *name; name++) {
            struct trace *trace;
            struct quiz quiz;
            /* An operation that never ended has no results; the content of memory is not asked
             * about. */
            if (strcmp(*name, "waiting") == 0 || strcmp(*name, "shared") == 0 ||
                strcmp(*name, "global") == 0 || strcmp(*name, "column") == 0)
                continue;
            begin(&quiz, &trace, *name, 1 + round % 5);
            for (int i = 0; i < 60; i++)
                answer_one(&quiz, *name, round % 3 == 0 || (round % 3 == 2 && i % 4 != 1));
            asked += quiz.asked;
            trace_close(trace);
        }
}

static void levels_ask_what_they_promise(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct trace *trace;
        struct quiz quiz;
        int source = -1, lane;
        struct error err = ERROR_INIT;
        /* Level 1: another lane of the group, by an argument with no more than five bits. */
        trace = sample_open("xor-3-w16");
        assert_int_equal(quiz_init(&quiz, trace, (uint64_t)i, 1, &err), 0);
        assert_int_equal(quiz.question.kind, QUESTION_SOURCE);
        trace_close(trace);
        trace = sample_open("xor-16-w16");
        assert_int_equal(quiz_init(&quiz, trace, (uint64_t)i, 2, &err), 0);
        assert_int_equal(quiz.question.kind, QUESTION_SOURCE); /* own, or an earlier group */
        trace_close(trace);
        trace = sample_open("down-3-w16");
        assert_int_equal(quiz_init(&quiz, trace, (uint64_t)i, 1, &err), 0);
        lane = quiz.question.lane;
        assert_int_equal(fate_of(&quiz.replay.cursor.step.operation, lane, &source), FATE_READ);
        assert_int_equal(quiz_init(&quiz, trace, (uint64_t)i, 2, &err), 0);
        lane = quiz.question.lane;
        assert_int_equal(fate_of(&quiz.replay.cursor.step.operation, lane, &source), FATE_OWN);
        assert_int_equal(quiz_init(&quiz, trace, (uint64_t)i, 3, &err), 0);
        assert_int_equal(quiz.question.kind, QUESTION_VALUE);
        assert_int_equal(quiz_init(&quiz, trace, (uint64_t)i, 4, &err), 0);
        assert_true(question_is_set(&quiz.question));
        trace_close(trace);
        /* Level 5: a value after rounds, with the inputs hidden; the previous round is shown. */
        trace = sample_open("reduce");
        assert_int_equal(quiz_init(&quiz, trace, (uint64_t)i, 5, &err), 0);
        if (quiz.question.kind == QUESTION_VALUE) {
            assert_true(quiz.position >= 1);
            assert_true(replay_hides(&quiz.replay, REPLAY_HIDES_IN));
            assert_int_equal(quiz.replay.view, VIEW_HISTORY);
        }
        trace_close(trace);
    }
}

static void press(struct quiz *quiz, const char *keys) {
    for (const char *c = keys; *c; c++) {
        char key[2] = {*c, '\0'};
        quiz_key(quiz, quiz_press(quiz, key));
    }
}

static void hints_cost_and_answers_can_be_shown(void **state) {
    (void)state;
    struct trace *trace;
    struct quiz quiz;
    begin(&quiz, &trace, "xor-3-w16", 1);
    quiz_key(&quiz, quiz_press(&quiz, "Tab"));
    assert_true(quiz.hinted);
    type(&quiz, true);
    assert_true(quiz.answered);
    assert_int_equal(quiz.asked, 1);
    assert_int_equal(quiz.right, 0);
    assert_int_equal(quiz.wrong_row, 0);
    /* The answer can be viewed through the phases of this operation and no further. */
    for (int i = 0; i < 9; i++)
        quiz_key(&quiz, quiz_press(&quiz, "Right"));
    assert_int_equal(quiz.replay.cursor.phase, PHASE_AFTER);
    assert_int_equal(quiz.replay.asking.state, PREDICTION_RIGHT);
    quiz_key(&quiz, quiz_press(&quiz, "n"));
    assert_int_equal(quiz.replay.cursor.position, quiz.position);
    quiz_key(&quiz, quiz_press(&quiz, "j"));
    assert_int_equal(quiz.replay.asking.state, PREDICTION_RIGHT);
    quiz_key(&quiz, quiz_press(&quiz, "Enter"));
    assert_false(quiz.answered);
    /* Escape clears the input, then asks for confirmation, and only then shows the answer; help
     * loses nothing. */
    press(&quiz, "7");
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_string_equal(quiz.replay.input.text, "");
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_false(quiz.answered);
    quiz_key(&quiz, quiz_press(&quiz, "?"));
    assert_true(quiz.replay.help);
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_false(quiz.replay.help);
    assert_false(quiz.answered);
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_false(quiz.answered);
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_true(quiz.answered);
    assert_int_equal(quiz.replay.asking.state, PREDICTION_SHOWN);
    assert_int_equal(quiz.wrong_row, 1);
    quiz_key(&quiz, quiz_press(&quiz, "Space"));
    /* An unreadable answer does not count as a try; nothing else is shown while a question is
     * open. */
    press(&quiz, "77");
    quiz_key(&quiz, quiz_press(&quiz, "Enter"));
    assert_int_equal(quiz.tries, 0);
    assert_true(quiz.message[0] != '\0');
    assert_true(quiz_apply(&quiz, ACTION_PHASE_GO, PHASE_AFTER));
    assert_int_equal(replay_shown_phase(&quiz.replay), PHASE_BEFORE);
    quiz_apply(&quiz, ACTION_CANCEL, 0);
    assert_int_equal(quiz.replay.asking.state, PREDICTION_ASKED);
    press(&quiz, "q"); /* a letter of the answer that is being typed, not a key */
    assert_false(quiz.quit);
    for (int i = 0; i < 3; i++)
        quiz_key(&quiz, quiz_press(&quiz, "Backspace"));
    press(&quiz, "q");
    assert_true(quiz.quit);
    trace_close(trace);
}

static void another_recording_continues(void **state) {
    (void)state;
    struct trace *trace, *second = sample_open("down-3-w16");
    struct quiz quiz;
    begin(&quiz, &trace, "xor-3-w16", 3);
    for (int i = 0; i < 20 && !quiz.wants_recording; i++)
        answer_one(&quiz, "xor-3-w16", true);
    assert_true(quiz.wants_recording);
    unsigned asked = quiz.asked, right = quiz.right;
    assert_int_equal(quiz_set_recording(&quiz, second, NULL), 0);
    trace_close(trace);
    assert_false(quiz.wants_recording);
    assert_int_equal(quiz.asked, asked);
    assert_int_equal(quiz.right, right);
    answer_one(&quiz, "down-3-w16", true);
    trace_close(second);
}

static void a_recording_without_questions_is_refused(void **state) {
    (void)state;
    struct trace_writer *writer;
    struct trace_writer_options options = {.value_bytes = 4};
    struct trace *trace;
    struct error err = ERROR_INIT;
    struct quiz quiz;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    struct trace_launch launch = {"kernel", {1, 1, 1}, {32, 1, 1}, 0};
    trace_writer_launch(writer, &launch);
    struct trace_site site = {"kernel.cu", 3, "", "__syncwarp()"};
    trace_writer_site(writer, &site);
    size_t count = 1;
    struct shflviz_record_header *record = trace_writer_reserve(writer, &count);
    record->op = WARP_OP_SYNC;
    record->type = WARP_TYPE_NONE;
    record->members = record->present = WARP_FULL_MASK;
    record->sequence = 1;
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(quiz_init(&quiz, trace, 1, 1, &err), -1);
    assert_non_null(strstr(err.text, "nothing can be asked"));
    trace_close(trace);
}

/* Clicks, and keys that are not part of an answer, do not move a quiz away from its question. */
static void clicks_do_not_leave_the_question(void **state) {
    (void)state;
    struct trace *trace;
    struct quiz quiz;
    begin(&quiz, &trace, "xor-3-w16", 1);
    const uint64_t position = quiz.position;
    assert_false(quiz_apply(&quiz, ACTION_NONE, 0));
    assert_true(quiz_apply(&quiz, ACTION_REDRAW, 0));
    assert_true(quiz_key(&quiz, quiz_press(&quiz, "Ctrl-L")));
    assert_true(quiz_press(&quiz, "5").types);
    for (int i = 0; i < 2; i++) { /* both report that the question comes first */
        quiz.message[0] = '\0';
        assert_true(quiz_apply(&quiz, i ? ACTION_PHASE_NEXT : ACTION_OPERATION_NEXT, 1));
        assert_non_null(strstr(quiz.message, "answer first"));
        assert_int_equal(quiz.replay.cursor.position, position);
        assert_int_equal(replay_shown_phase(&quiz.replay), PHASE_BEFORE);
    }
    assert_true(quiz_wait(&quiz) == -1); /* nothing plays */
    assert_false(quiz_tick(&quiz, 1000));

    type(&quiz, true);
    assert_true(quiz.answered);
    assert_false(quiz_press(&quiz, "5").types);
    assert_false(quiz_answer(&quiz, "5"));
    assert_int_equal(quiz.asked, 1);
    quiz_apply(&quiz, ACTION_PHASE_GO, PHASE_ADDRESS);
    assert_int_equal(quiz.replay.cursor.phase, PHASE_ADDRESS);
    quiz_apply(&quiz, ACTION_PHASE_PREVIOUS, 1);
    assert_int_equal(quiz.replay.cursor.phase, PHASE_BEFORE);
    quiz_apply(&quiz, ACTION_PHASE_PREVIOUS, 1); /* this phase is the first */
    quiz_apply(&quiz, ACTION_PHASE_GO, PHASE_COUNT);
    quiz_apply(&quiz, ACTION_PHASE_GO, -1);
    assert_int_equal(quiz.replay.cursor.phase, PHASE_BEFORE);
    quiz_apply(&quiz, ACTION_OPERATION_NEXT, 1);
    assert_non_null(strstr(quiz.message, "asks the next question"));
    assert_int_equal(quiz.replay.cursor.position, position);
    quiz_apply(&quiz, ACTION_HINT, 0); /* too late to count */
    assert_false(quiz.hinted);
    quiz_apply(&quiz, ACTION_REVEAL, 0);
    assert_int_equal(quiz.replay.asking.state, PREDICTION_RIGHT);

    quiz.questions = 1;
    quiz_key(&quiz, quiz_press(&quiz, "Enter"));
    assert_true(quiz.quit);
    trace_close(trace);
}

static void levels_are_clamped(void **state) {
    (void)state;
    struct trace *trace;
    struct quiz quiz;
    begin(&quiz, &trace, "xor-3-w16", -3);
    assert_int_equal(quiz.level, 1);
    trace_close(trace);
    begin(&quiz, &trace, "xor-3-w16", QUIZ_LEVELS + 1);
    assert_int_equal(quiz.level, QUIZ_LEVELS);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_questions),
        cmocka_unit_test(levels_ask_what_they_promise),
        cmocka_unit_test(hints_cost_and_answers_can_be_shown),
        cmocka_unit_test(clicks_do_not_leave_the_question),
        cmocka_unit_test(levels_are_clamped),
        cmocka_unit_test(another_recording_continues),
        cmocka_unit_test(a_recording_without_questions_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
