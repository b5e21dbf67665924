/*
 * Questions of every kind, on recordings whose answers are known: the source lanes are those of the
 * PTX ISA's pseudo-code of shfl.sync, worked out by hand (`*`: out of range, the lane's own value):
 *
 *     xor 3  w16    3 2 1 0 7 6 5 4 ... 31 30 29 28
 *     xor 16 w16    0* 1* ... 15*   0 1 2 ... 15
 *     down 3 w16    3 4 ... 15 13* 14* 15*   19 20 ... 31 29* 30* 31*
 *     idx 17 w16    1 x16, 17 x16
 *     down 33 w32   1 2 ... 31 31*           up 40 w8    every lane its own, out of range
 *
 * Undefined lanes are those of the CUDA C++ Programming Guide, "Warp Shuffle Functions". Lane n
 * holds n.
 */
#include "replay/predict.h"

#include "base/message.h"

#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct scene {
    struct trace *trace;
    struct replay replay;
};

static struct replay *after(struct scene *scene, const char *sample, const char *keys) {
    scene->trace = sample_open(sample);
    assert_non_null(scene->trace);
    assert_int_equal(replay_init(&scene->replay, scene->trace, NULL), 0);
    script_run(&scene->replay, keys);
    return &scene->replay;
}

static void done(struct scene *scene) {
    trace_close(scene->trace);
}

static struct question asked(const char *text) {
    struct question question;
    assert_int_equal(question_parse(&question, text, NULL), 0);
    return question;
}

static void answers_follow_the_rules(void **state) {
    (void)state;
    static const struct {
        const char *sample, *keys, *question, *answer;
    } expected[] = {
        {"xor-3-w16", "", "source of lane 5", "6"},
        {"xor-3-w16", "", "source of lane 31", "28"},
        {"xor-3-w16", "", "value of lane 5", "6"},
        {"xor-3-w16", "", "readers of lane 0", "3"},
        {"xor-3-w16", "", "lanes own", "none"},
        {"xor-3-w16", "", "lanes undefined", "none"},
        {"xor-3-w16", "", "lanes changed", "all"},
        {"xor-3-w16", "", "lanes absent", "none"},
        {"xor-16-w16", "", "source of lane 5", "own"},
        {"xor-16-w16", "", "source of lane 21", "5"}, /* an earlier group may be read */
        {"xor-16-w16", "", "value of lane 5", "5"},
        {"xor-16-w16", "", "readers of lane 5", "21"},
        {"xor-16-w16", "", "readers of lane 21", "none"},
        {"xor-16-w16", "", "lanes own", "0-15"},
        {"xor-16-w16", "", "lanes changed", "16-31"},
        {"down-3-w16", "", "source of lane 12", "15"},
        {"down-3-w16", "", "source of lane 13", "own"},
        {"down-3-w16", "", "readers of lane 15", "12"},
        {"down-3-w16", "", "lanes own", "13-15,29-31"},
        {"down-3-w16", "", "lanes changed", "0-12,16-28"},
        {"idx-17-w16", "", "source of lane 20", "17"},
        {"idx-17-w16", "", "source of lane 1", "1"}, /* in range: the lane names itself */
        {"idx-17-w16", "", "readers of lane 1", "0-15"},
        {"idx-17-w16", "", "lanes own", "none"},
        {"idx-17-w16", "", "lanes changed", "0,2-16,18-31"},
        {"down-33-w32", "", "source of lane 0", "1"},
        {"down-33-w32", "", "source of lane 31", "own"},
        {"up-40-w8", "", "lanes own", "all"},
        {"up-40-w8", "", "lanes changed", "none"},
        /* down 4, and the mask has lanes 0 to 7 */
        {"partial-mask", "", "source of lane 3", "7"},
        {"partial-mask", "", "source of lane 4", "undefined"},
        {"partial-mask", "", "value of lane 4", "undefined"},
        {"partial-mask", "", "lanes undefined", "4-7"},
        {"partial-mask", "", "lanes absent", "8-31"},
        {"partial-mask", "", "lanes changed", "0-3"},
        {"width-12", "", "lanes undefined", "all"},
        /* down 2 among the three threads of the second warp */
        {"threads-35", "w", "source of lane 0", "2"},
        {"threads-35", "w", "lanes undefined", "1-2"},
        {"threads-35", "w", "lanes absent", "3-31"},
        {"threads-35", "w", "readers of lane 2", "0"},
        /* lanes 0 to 7 vote yes; then the first half adds up 1 for each of them */
        {"votes", "", "value of lane 9", "0x000000ff"},
        {"votes", "n", "value of lane 9", "8"},
        {"votes", "n", "lanes changed", "0-15"},
        {"votes", "n", "lanes absent", "16-31"},
        {"votes", "n n", "lanes absent", "none"},
        {"waiting", "", "lanes absent", "16-31"},
        /* 0 + 1 + ... + 31 */
        {"reduce", "G", "value of lane 7", "496"},
        /* xor 16 in groups of 16, of long long from -2^63 on */
        {"long-long", "", "value of lane 17", "-9223372036854775807"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        struct answer answer;
        struct error err = ERROR_INIT;
        char text[ANSWER_TEXT], normal[ANSWER_TEXT], words[320];
        struct replay *replay = after(&scene, expected[i].sample, expected[i].keys);
        struct question question = asked(expected[i].question);
        if (answer_of(replay_subject(replay), &question, &answer, &err) != 0)
            fail_msg("%s, %s: %s", expected[i].sample, expected[i].question, err.text);
        answer_format(replay_subject(replay), &question, &answer, text);
        if (strcmp(text, expected[i].answer) != 0)
            fail_msg("%s, %s: %s", expected[i].sample, expected[i].question, text);
        /* Displayed answers can be typed, and all questions have words. */
        assert_int_equal(
            answer_judge(replay_subject(replay), &question, text, replay->asking.marks, normal),
            ANSWER_RIGHT);
        assert_string_equal(normal, text);
        assert_true(
            strlen(question_sentence(replay_subject(replay), &question, words, sizeof words)) > 10);
        assert_true(strlen(question_label(&question, words, sizeof words)) > 5);
        assert_true(strlen(answer_reason(replay_subject(replay), &question, words, sizeof words)) >
                    10);
        assert_true(strlen(answer_hint(replay_subject(replay), &question, words, sizeof words)) >
                    10);
        assert_true(strlen(words) < 256);
        done(&scene);
    }
}

static void impossible_questions_say_why(void **state) {
    (void)state;
    static const struct {
        const char *sample, *keys, *question, *words;
    } expected[] = {
        {"votes", "", "source of lane 1", "ballot does not read from one particular lane"},
        {"votes", "", "readers of lane 1", "does not read from one particular lane"},
        {"votes", "", "lanes own", "does not read from one particular lane"},
        {"votes", "", "lanes changed", "ballot"},
        {"votes", "n n", "value of lane 1", "no result"},
        {"votes", "n n", "lanes undefined", "no result"},
        {"votes", "n", "value of lane 20", "lane 20 makes no call"},
        {"threads-35", "w", "source of lane 3", "lane 3 makes no call"},
        {"threads-35", "w", "readers of lane 3", "lane 3 makes no call"},
        {"width-12", "", "lanes changed", "undefined here"},
        {"waiting", "", "source of lane 6", "never ended"},
        {"wrong", "", "value of lane 6", "disagrees with the rules"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        struct answer answer;
        struct error err = ERROR_INIT;
        struct replay *replay = after(&scene, expected[i].sample, expected[i].keys), was;
        struct question question = asked(expected[i].question);
        memcpy(&was, replay, sizeof was);
        assert_int_equal(answer_of(replay_subject(replay), &question, &answer, &err), -1);
        if (!strstr(err.text, expected[i].words))
            fail_msg("%s: %s", expected[i].question, err.text);
        assert_int_equal(replay_ask(replay, &question, NULL), -1);
        assert_memory_equal(replay, &was, sizeof was);
        done(&scene);
    }
}

static void typed_answers_are_read_generously(void **state) {
    (void)state;
    static const struct {
        const char *sample, *keys, *question, *typed;
        enum answer_verdict verdict;
        const char *normal;
    } expected[] = {
        {"xor-3-w16", "", "source of lane 5", " 6 ", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "source of lane 5", "lane 6", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "source of lane 5", "06", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "source of lane 5", "own", ANSWER_WRONG, "own"},
        {"xor-3-w16", "", "source of lane 5", "?", ANSWER_WRONG, "undefined"},
        {"xor-3-w16", "", "source of lane 5", "32", ANSWER_UNREADABLE, ""},
        {"xor-3-w16", "", "source of lane 5", "-1", ANSWER_UNREADABLE, ""},
        {"xor-3-w16", "", "source of lane 5", "6 7", ANSWER_UNREADABLE, ""},
        {"xor-3-w16", "", "source of lane 5", "", ANSWER_UNREADABLE, ""},
        {"xor-16-w16", "", "source of lane 5", "5", ANSWER_RIGHT, "5"},
        {"xor-16-w16", "", "source of lane 5", "OWN", ANSWER_RIGHT, "own"},
        {"xor-16-w16", "", "value of lane 5", "own", ANSWER_RIGHT, "own"},
        {"idx-17-w16", "", "value of lane 1", "own", ANSWER_RIGHT, "own"},
        {"xor-3-w16", "", "value of lane 5", "own", ANSWER_WRONG, "own"},
        {"xor-3-w16", "", "value of lane 5", "0x6", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "value of lane 5", "0b110", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "value of lane 5", "0o6", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "value of lane 5", "+6", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "value of lane 5", "-1", ANSWER_WRONG, "-1"},
        {"xor-3-w16", "", "value of lane 5", "0xffffffff", ANSWER_WRONG, "-1"},
        {"xor-3-w16", "", "value of lane 5", "6.0", ANSWER_RIGHT, "6"},
        {"xor-3-w16", "", "value of lane 5", "6.5", ANSWER_WRONG, "6.5"},
        {"xor-3-w16", "", "value of lane 5", "0x100000000", ANSWER_UNREADABLE, ""},
        /* 2^32 + 6 and 6 - 2^32 have the bits of 6 in their low half, but are not 6. */
        {"xor-3-w16", "", "value of lane 5", "4294967302", ANSWER_WRONG, "4294967302"},
        {"xor-3-w16", "", "value of lane 5", "-4294967290", ANSWER_WRONG, "-4294967290"},
        {"partial-mask", "", "value of lane 4", "?", ANSWER_RIGHT, "undefined"},
        {"partial-mask", "", "value of lane 4", "u", ANSWER_RIGHT, "undefined"},
        {"partial-mask", "", "value of lane 4", "8", ANSWER_WRONG, "8"},
        {"partial-mask", "", "value of lane 4", "own", ANSWER_WRONG, "own"},
        {"votes", "", "value of lane 0", "255", ANSWER_RIGHT, "0x000000ff"},
        {"votes", "", "value of lane 0", "0xff", ANSWER_RIGHT, "0x000000ff"},
        {"votes", "", "value of lane 0", "0-7", ANSWER_RIGHT, "0x000000ff"},
        /* For `any`, the guide only defines whether the result is zero. */
        {"any", "", "value of lane 9", "7", ANSWER_RIGHT, "1"},
        {"any", "", "value of lane 9", "0", ANSWER_WRONG, "0"},
        /* down 1 in groups of 8: lane 0 gets 1 / 3, lane 1 gets 1e300 / 5 */
        {"double", "", "value of lane 0", "0.3333", ANSWER_RIGHT, "0.3333333333333333"},
        {"double", "", "value of lane 0", "0.33333333333333331", ANSWER_RIGHT,
         "0.3333333333333333"},
        {"double", "", "value of lane 0", "3.333e-1", ANSWER_RIGHT, "0.3333333333333333"},
        {"double", "", "value of lane 0", "  0.3333   ", ANSWER_RIGHT, "0.3333333333333333"},
        {"double", "", "value of lane 0", "0.33", ANSWER_WRONG, "0.33"},
        {"double", "", "value of lane 0", "0.3334", ANSWER_WRONG, "0.3334"},
        {"double", "", "value of lane 1", "2e299", ANSWER_RIGHT, "2e+299"},
        {"double", "", "value of lane 0", "a third", ANSWER_UNREADABLE, ""},
        {"down-3-w16", "", "lanes own", "13-15,29-31", ANSWER_RIGHT, "13-15,29-31"},
        {"down-3-w16", "", "lanes own", "13 14 15 29 to 31", ANSWER_RIGHT, "13-15,29-31"},
        {"down-3-w16", "", "lanes own", "lanes 13..15, 29..31", ANSWER_RIGHT, "13-15,29-31"},
        {"down-3-w16", "", "lanes own", "13、14、15，29到31", ANSWER_RIGHT, "13-15,29-31"},
        {"down-3-w16", "", "lanes own", "0xe000e000", ANSWER_RIGHT, "13-15,29-31"},
        {"down-3-w16", "", "lanes own", "13-15", ANSWER_WRONG, "13-15"},
        {"down-3-w16", "", "lanes own", "none", ANSWER_WRONG, "none"},
        {"down-3-w16", "", "lanes own", "15-13", ANSWER_UNREADABLE, ""},
        {"down-3-w16", "", "lanes own", "31-32", ANSWER_UNREADABLE, ""},
        {"down-3-w16", "", "lanes own", "13-", ANSWER_UNREADABLE, ""},
        {"down-3-w16", "", "lanes own", "", ANSWER_UNREADABLE, ""},
        /* All existing lanes are "all". */
        {"votes", "n", "lanes changed", "all", ANSWER_RIGHT, "all"},
        /* Lane 15 keeps its own value, and may be counted as a reader of itself. */
        {"down-3-w16", "", "readers of lane 15", "12,15", ANSWER_RIGHT, "12,15"},
        {"down-3-w16", "", "readers of lane 15", "12,14", ANSWER_WRONG, "12,14"},
        /* An undefined lane may or may not change. */
        {"partial-mask", "", "lanes changed", "0-7", ANSWER_RIGHT, "0-7"},
        {"partial-mask", "", "lanes changed", "0-8", ANSWER_WRONG, "0-8"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        char normal[ANSWER_TEXT];
        struct replay *replay = after(&scene, expected[i].sample, expected[i].keys);
        struct question question = asked(expected[i].question);
        enum answer_verdict verdict = answer_judge(replay_subject(replay), &question,
                                                   expected[i].typed, replay->asking.marks, normal);
        if (verdict != expected[i].verdict || strcmp(normal, expected[i].normal) != 0)
            fail_msg("%s, %s, '%s': %d, '%s'", expected[i].sample, expected[i].question,
                     expected[i].typed, (int)verdict, normal);
        done(&scene);
    }
}

/* Answers may be in Chinese, and also in English; the English form is kept. */
static void words_may_be_in_the_language_in_use(void **state) {
    (void)state;
    static const struct {
        const char *sample, *question, *typed, *normal;
    } expected[] = {
        {"xor-16-w16", "source of lane 5", "自己", "own"},
        {"xor-16-w16", "source of lane 5", "own", "own"},
        {"xor-3-w16", "source of lane 5", "通道 6", "6"},
        {"partial-mask", "value of lane 4", "未定义", "undefined"},
        {"up-40-w8", "lanes own", "全部", "all"},
        {"xor-3-w16", "lanes own", "无", "none"},
        {"down-3-w16", "lanes own", "通道 13 到 15，29 到 31", "13-15,29-31"},
    };
    assert_non_null(message_language_use("zh"));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        char normal[ANSWER_TEXT];
        struct replay *replay = after(&scene, expected[i].sample, "");
        struct question question = asked(expected[i].question);
        if (answer_judge(replay_subject(replay), &question, expected[i].typed, replay->asking.marks,
                         normal) != ANSWER_RIGHT ||
            strcmp(normal, expected[i].normal) != 0)
            fail_msg("%s: %s", expected[i].typed, normal);
        done(&scene);
    }
    message_language_use("en");
}

static void an_answer_from_another_source_is_right_too(void **state) {
    (void)state;
    struct scene scene;
    char normal[ANSWER_TEXT];
    struct replay *replay = after(&scene, "xor-3-w16", "");
    struct question question = {.kind = QUESTION_VALUE, .lane = 5};
    struct error err = ERROR_INIT;
    assert_int_equal(answer_judge(replay_subject(replay), &question, "undefined", 0, normal),
                     ANSWER_WRONG);
    assert_int_equal(question_accept(&question, "undefined", &err), 0);
    assert_int_equal(answer_judge(replay_subject(replay), &question, "?", 0, normal), ANSWER_RIGHT);
    assert_string_equal(normal, "undefined");
    assert_int_equal(answer_judge(replay_subject(replay), &question, "own", 0, normal),
                     ANSWER_WRONG);
    assert_int_equal(question_accept(&question, "7", &err), 0);
    assert_int_equal(question_accept(&question, "8", &err), -1);
    done(&scene);
}

static void hints_do_not_reveal_the_answer(void **state) {
    (void)state;
    static const struct {
        const char *sample;
        int lane;
        const char *answer;
    } sources[] = {
        {"xor-3-w16", 5, "6"},
        {"down-3-w16", 5, "8"},
        {"down-33-w32", 5, "6"},
        {"idx-17-w16", 20, "own"},
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct scene scene;
        char hint[320];
        struct replay *replay = after(&scene, sources[i].sample, "");
        struct question question = {.kind = QUESTION_SOURCE, .lane = sources[i].lane};
        answer_hint(replay_subject(replay), &question, hint, sizeof hint);
        for (const char *c = hint; (c = strstr(c, sources[i].answer)); c++)
            if ((c == hint || c[-1] < '0' || c[-1] > '9') &&
                (c[strlen(sources[i].answer)] < '0' || c[strlen(sources[i].answer)] > '9'))
                fail_msg("%s: %s", sources[i].sample, hint);
        done(&scene);
    }
}

static void questions_hide_their_answers(void **state) {
    (void)state;
    const unsigned all = REPLAY_HIDES_IN | REPLAY_HIDES_READS | REPLAY_HIDES_OUT |
                         REPLAY_HIDES_ABSENT | REPLAY_HIDES_LATER;
    const unsigned result = REPLAY_HIDES_OUT | REPLAY_HIDES_LATER;
    static const char *const after_all = "l l l l";
    const struct {
        const char *sample, *question;
        enum phase shown, reason;
        unsigned hidden;
    } expected[] = {
        {"xor-3-w16", "source of lane 5", PHASE_BEFORE, PHASE_RANGE, result | REPLAY_HIDES_READS},
        {"xor-3-w16", "value of lane 5", PHASE_RANGE, PHASE_AFTER, result},
        {"xor-3-w16", "readers of lane 5", PHASE_BEFORE, PHASE_RANGE, result | REPLAY_HIDES_READS},
        {"xor-3-w16", "lanes own", PHASE_BEFORE, PHASE_RANGE, result | REPLAY_HIDES_READS},
        {"xor-3-w16", "lanes undefined", PHASE_BEFORE, PHASE_RANGE, result | REPLAY_HIDES_READS},
        {"xor-3-w16", "lanes changed", PHASE_RANGE, PHASE_AFTER, result},
        {"xor-3-w16", "lanes absent", PHASE_BEFORE, PHASE_BEFORE, all},
        {"votes", "value of lane 5", PHASE_BEFORE, PHASE_AFTER, result},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        struct question question = asked(expected[i].question);
        bool vote = strcmp(expected[i].sample, "votes") == 0;
        struct replay *replay = after(&scene, expected[i].sample, vote ? "l l" : after_all);
        assert_int_equal(replay->cursor.phase, PHASE_AFTER);
        assert_false(replay_hides(replay, (enum replay_hidden)all));
        assert_int_equal(replay_ask(replay, &question, NULL), 0);
        assert_int_equal(replay_shown_phase(replay), expected[i].shown);
        for (unsigned bit = 1; bit <= REPLAY_HIDES_LATER; bit <<= 1)
            assert_int_equal(replay_hides(replay, (enum replay_hidden)bit),
                             (expected[i].hidden & bit) != 0);
        replay_reveal(replay);
        assert_int_equal(replay_shown_phase(replay), PHASE_AFTER);
        assert_false(replay_hides(replay, (enum replay_hidden)all));
        done(&scene);
        /* From the beginning the picture advances to the phase that shows the reason. */
        replay = after(&scene, expected[i].sample, "");
        assert_int_equal(replay_ask(replay, &question, NULL), 0);
        assert_int_equal(replay_shown_phase(replay), PHASE_BEFORE);
        replay_reveal(replay);
        assert_int_equal(replay->cursor.phase, expected[i].reason);
        replay->hide = REPLAY_HIDES_OUT; /* parts hidden by a lesson stay hidden */
        assert_true(replay_hides(replay, REPLAY_HIDES_OUT));
        done(&scene);
    }
    /* The watched value itself is the answer. */
    struct scene scene;
    struct question question = asked("value of lane 0");
    struct replay *replay = after(&scene, "reduce", "G");
    assert_int_equal(replay_ask(replay, &question, NULL), 0);
    assert_true(replay_hides(replay, REPLAY_HIDES_IN));
    done(&scene);
}

static void the_prompt_can_change_the_question(void **state) {
    (void)state;
    static const struct {
        const char *sample, *keys;
        enum question_kind kind;
        int lane;
    } expected[] = {
        {"xor-3-w16", "5j p", QUESTION_SOURCE, 5},
        {"xor-3-w16", "5j p Tab", QUESTION_VALUE, 5},
        {"xor-3-w16", "5j p Tab Tab", QUESTION_READERS, 5},
        {"xor-3-w16", "5j p Tab Tab Tab", QUESTION_OWN, 5},
        {"xor-3-w16", "5j p Tab Tab Tab Tab Tab Tab", QUESTION_ABSENT, 5},
        {"xor-3-w16", "5j p Tab Tab Tab Tab Tab Tab Tab", QUESTION_SOURCE, 5},
        {"xor-3-w16", "5j p BackTab", QUESTION_ABSENT, 5},
        {"xor-3-w16", "5j p Down", QUESTION_SOURCE, 6},
        {"xor-3-w16", "5j p Up Up", QUESTION_SOURCE, 3},
        {"xor-3-w16", "5j p Tab Down", QUESTION_VALUE, 6},
        {"xor-3-w16", "5j p Tab Tab Down", QUESTION_READERS, 5}, /* Down leads to another mark */
        {"votes", "p", QUESTION_VALUE, 0},
        {"votes", "p Tab", QUESTION_UNDEFINED, 0},
        {"votes", "p Tab Tab", QUESTION_ABSENT, 0},
        {"votes", "n n p", QUESTION_ABSENT, 0},
        {"threads-35", "w 2j p Down", QUESTION_SOURCE, 2}, /* lane 3 makes no call */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, expected[i].sample, expected[i].keys);
        if (replay->asking.question.kind != expected[i].kind ||
            replay->asking.question.lane != expected[i].lane ||
            replay->asking.state != PREDICTION_ASKED || replay->input.prompt != PROMPT_PREDICT)
            fail_msg("%s, %s: %d, lane %d", expected[i].sample, expected[i].keys,
                     (int)replay->asking.question.kind, replay->asking.question.lane);
        done(&scene);
    }
}

static void lanes_are_marked_by_keys_and_clicks(void **state) {
    (void)state;
    struct scene scene;
    struct question question = asked("lanes own");
    struct replay *replay = after(&scene, "down-3-w16", "");
    assert_int_equal(replay_ask(replay, &question, NULL), 0);
    script_run(replay, "Space Down Space");
    assert_string_equal(replay->input.text, "0-1");
    assert_int_equal(replay->asking.marks, 3);
    script_run(replay, "Space Up Space");
    assert_string_equal(replay->input.text, "");
    assert_int_equal(replay->asking.marks, 0);
    script_run(replay, "Enter");
    assert_int_equal(replay->asking.state, PREDICTION_ASKED);
    assert_non_null(strstr(replay->message, "none"));
    static const int lanes[] = {13, 14, 15, 29, 30, 31};
    for (int i = 0; i < 6; i++)
        assert_true(replay_apply(replay, ACTION_LANE_GO, lanes[i]));
    assert_string_equal(replay->input.text, "13-15,29-31");
    assert_int_equal(replay->lane, 31);
    /* The lanes of a typed answer are marked, too. */
    script_run(replay, "Backspace Backspace Backspace");
    assert_int_equal(replay->asking.marks, 7u << 13 | 1u << 29);
    script_run(replay, "Enter");
    assert_int_equal(replay->asking.state, PREDICTION_WRONG);
    assert_int_equal(replay->asking.right, 7u << 13 | 7u << 29);
    assert_int_equal(replay->asking.marks, 7u << 13 | 1u << 29);
    assert_string_equal(replay->asking.answer, "13-15,29");
    done(&scene);
    /* A click answers which lane is read. */
    question = asked("source of lane 5");
    replay = after(&scene, "xor-3-w16", "");
    assert_int_equal(replay_ask(replay, &question, NULL), 0);
    replay_apply(replay, ACTION_LANE_GO, 6);
    assert_string_equal(replay->input.text, "6");
    assert_int_equal(replay->asking.question.lane, 5);
    script_run(replay, "Enter");
    assert_int_equal(replay->asking.state, PREDICTION_RIGHT);
    assert_int_equal(replay->asking.marks, 1u << 6);
    assert_int_equal(replay->asking.right, 1u << 6);
    done(&scene);
}

/* Every set fits into the prompt, however it is marked. */
static void every_set_can_be_marked(void **state) {
    (void)state;
    struct scene scene;
    struct question question = asked("lanes own");
    struct replay *replay = after(&scene, "xor-3-w16", "");
    static const uint32_t sets[] = {0x55555555, 0xaaaaaaaa, 0xdb6db6db, 0xb6db6db6, 0x6db6db6d,
                                    0xffffffff, 0x80000001, 0xbbbbbbbb, 0xeeeeeeee, 0xd75ad75a};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char normal[ANSWER_TEXT];
        assert_int_equal(replay_ask(replay, &question, NULL), 0);
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (sets[i] >> lane & 1)
                replay_apply(replay, ACTION_LANE_GO, lane);
        assert_int_equal(replay->asking.marks, sets[i]);
        assert_int_equal(answer_judge(replay_subject(replay), &question, replay->input.text,
                                      replay->asking.marks, normal),
                         ANSWER_WRONG);
        replay_ask_end(replay);
    }
    done(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_follow_the_rules),
        cmocka_unit_test(impossible_questions_say_why),
        cmocka_unit_test(typed_answers_are_read_generously),
        cmocka_unit_test(words_may_be_in_the_language_in_use),
        cmocka_unit_test(an_answer_from_another_source_is_right_too),
        cmocka_unit_test(hints_do_not_reveal_the_answer),
        cmocka_unit_test(questions_hide_their_answers),
        cmocka_unit_test(the_prompt_can_change_the_question),
        cmocka_unit_test(lanes_are_marked_by_keys_and_clicks),
        cmocka_unit_test(every_set_can_be_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
