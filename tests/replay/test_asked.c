/* Questions about code on a replay, first characters of answers, clicks on lanes, and searches for
 * things that are not in the warp. */
#include "replay/predict.h"

#include "replay/changes.h"
#include "replay/replay.h"

#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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
static void says(const struct replay *replay, const char *words) {
    if (!strstr(replay->message, words))
        fail_msg("said \"%s\", expected \"%s\"", replay->message, words);
}
static void ask(struct replay *replay, const char *text) {
    struct question question;
    assert_int_equal(question_parse(&question, text, NULL), 0);
    assert_int_equal(replay_ask(replay, &question, NULL), 0);
}

/* The recorded call is an xor by 3 in groups of 16. */
static void a_call_is_asked_for(void **state) {
    (void)state;
    static const struct question call = {.kind = QUESTION_CALL};
    struct scene scene;
    struct replay *replay = after(&scene, "xor-3-w16", "");
    assert_int_equal(replay_answer(replay), ANSWER_UNREADABLE); /* nothing is asked */
    replay_reveal(replay);
    assert_int_equal(replay->asking.state, PREDICTION_NONE);
    assert_int_equal(replay_ask(replay, &call, NULL), 0);
    replay_type_answer(replay, "(");
    assert_int_equal(replay_answer(replay), ANSWER_UNREADABLE);
    assert_true(replay->message[0]); /* says why the answer cannot be read */
    assert_int_equal(replay->asking.state, PREDICTION_ASKED);
    replay_type_answer(replay, "xor");
    assert_true(predict_mark(replay, 0)); /* a blank is typed; no lane is marked */
    assert_string_equal(replay->input.text, "xor ");
    replay_type_answer(replay, "xor 2 16");
    assert_int_equal(replay_answer(replay), ANSWER_WRONG);
    says(replay, "wrong");
    replay_ask_end(replay);
    assert_int_equal(replay_ask(replay, &call, NULL), 0);
    replay_type_answer(replay, "xor 3 16");
    assert_int_equal(replay_answer(replay), ANSWER_RIGHT);
    says(replay, "right");
    replay_ask_end(replay);
    assert_int_equal(replay_ask(replay, &call, NULL), 0);
    replay_reveal(replay);
    assert_int_equal(replay->asking.state, PREDICTION_SHOWN);
    done(&scene);
}

/* Another recording under the same cursor removes the question and the typed and marked answer, but
 * not a prompt for something else. */
static void another_recording_ends_a_question(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "xor-3-w16", "");
    struct trace *other = sample_open("xor-16-w16");
    ask(replay, "readers of lane 5");
    replay_type_answer(replay, "6");
    assert_int_equal(replay->input.prompt, PROMPT_PREDICT);
    assert_true(replay->asking.fixed);
    replay_show(replay, other);
    assert_int_equal(replay->input.prompt, PROMPT_NONE);
    assert_int_equal(replay->asking.state, PREDICTION_NONE);
    assert_int_equal(replay->asking.question.kind, QUESTION_NONE);
    assert_false(replay->asking.fixed);
    assert_int_equal(replay->asking.marks, 0);
    script_run(replay, "/ a");
    const enum prompt open = replay->input.prompt;
    assert_true(open != PROMPT_NONE && open != PROMPT_PREDICT);
    replay_show(replay, scene.trace);
    assert_int_equal(replay->input.prompt, open);
    assert_string_equal(replay->input.text, "a");
    trace_close(other);
    done(&scene);
}

static void characters_that_begin_an_answer(void **state) {
    (void)state;
    static const struct {
        const char *sample, *question, *begins, *not_so;
    } expected[] = {{"xor-3-w16", "value of lane 5", "05+-lou", ".inxa?"},
                    {"double", "value of lane 5", "05+-.inlou", "xa?"},
                    {"xor-3-w16", "source of lane 5", "05lou", "+-.inxa?"},
                    {"xor-3-w16", "readers of lane 0", "05aln", "+-.ouix?"}};
    static const struct question call = {.kind = QUESTION_CALL};
    struct scene scene;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct replay *replay = after(&scene, expected[i].sample, "");
        ask(&scene.replay, expected[i].question);
        for (const char *c = expected[i].begins; *c; c++)
            if (!predict_may_begin(replay, (char[]){*c, '\0'}))
                fail_msg("%s: %c", expected[i].question, *c);
        for (const char *c = expected[i].not_so; *c; c++)
            if (predict_may_begin(replay, (char[]){*c, '\0'}))
                fail_msg("%s: %c", expected[i].question, *c);
        assert_false(predict_may_begin(replay, ""));
        assert_false(predict_may_begin(replay, "F1"));
        done(&scene);
    }
    const struct replay *replay = after(&scene, "xor-3-w16", "");
    assert_int_equal(replay_ask(&scene.replay, &call, NULL), 0);
    assert_true(predict_may_begin(replay, "x"));
    assert_true(predict_may_begin(replay, "_"));
    assert_false(predict_may_begin(replay, "?"));
    assert_false(predict_may_begin(replay, ":"));
    done(&scene);
}

static void unreadable_answers_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *sample, *question, *typed, *says;
    } expected[] = {
        {"xor-3-w16", "value of lane 5", "x", "answer with a value of type int, own or undefined"},
        {"double", "value of lane 5", "x", "answer with a value of type double, own or undefined"},
        {"xor-3-w16", "source of lane 5", "77", "answer with a lane (0 to 31), own or undefined"},
        {"xor-3-w16", "readers of lane 5", "x", "answer with lanes (0-3,8), all or none"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct scene scene;
        struct replay *replay = after(&scene, expected[i].sample, "");
        ask(replay, expected[i].question);
        replay_type_answer(replay, expected[i].typed);
        assert_int_equal(replay_answer(replay), ANSWER_UNREADABLE);
        says(replay, expected[i].says);
        done(&scene);
    }
}

static void clicks_on_lanes(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "xor-3-w16", "");
    ask(replay, "source of lane 5");
    assert_true(predict_lane_click(replay, 6)); /* lane 6 is the answer */
    assert_string_equal(replay->input.text, "6");
    assert_int_equal(replay_answer(replay), ANSWER_RIGHT);
    replay_ask_end(replay);
    ask(replay, "readers of lane 5");
    assert_true(predict_lane_click(replay, 6)); /* lane 6 is one of them */
    assert_true(predict_lane_click(replay, 7));
    assert_true(predict_lane_click(replay, 7)); /* lane 7 is no longer marked */
    assert_int_equal(replay->asking.marks, 1u << 6);
    assert_int_equal(replay_answer(replay), ANSWER_RIGHT);
    replay_ask_end(replay);
    ask(replay, "value of lane 5"); /* no other lane can be asked about */
    assert_true(predict_lane_click(replay, 9));
    assert_int_equal(replay->asking.question.lane, 5);
    assert_int_equal(replay->lane, 9);
    assert_false(predict_lane_click(replay, 9));
    replay_leave_prompt(replay);
    assert_int_equal(replay->input.prompt, PROMPT_NONE);
    replay_leave_prompt(replay);
    done(&scene);
}

/* ---- searching ---- */

/* Launches of "program": sum with steps 0 to 3 in two warps, vote with steps 4 and 5, and sum with
 * step 6. */
static void find_goes_elsewhere(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        uint64_t step;
        const char *says;
    } expected[] = {
        {"/ v o t e Enter", 4, "kernel vote"},
        {"/ B A L L O T Enter", 4, ""},
        {"/ l i n e Space 9 Enter", 6, "line 9: launch 2 (sum), block 0, warp 0"},
        {"/ l i n e Space 8 Enter", 0, "line 8: nothing found in this recording"},
        {"/ l i n e Space x Enter", 0, "line x: nothing found in this recording"},
        {"/ 9 9 Enter", 0, "99: lanes are 0 to 31; =99 finds a value, line 99 finds a line"},
        {"/ - 1 Enter", 0, "-1: lanes are 0 to 31"},
        {"/ u n d e f i n e d Enter", 6, "undefined: launch 2 (sum), block 0, warp 0"},
        {"; ", 0, "nothing to look for"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, "program", expected[i].keys);
        assert_int_equal(replay->cursor.step.number, expected[i].step);
        says(replay, expected[i].says);
        done(&scene);
    }
    struct scene scene;
    const struct replay *replay = after(&scene, "program", "/ l a n e Space 1 2 Enter");
    assert_int_equal(replay->lane, 12);
    done(&scene);
}

static void positions(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "program", "");
    assert_false(replay_go_position(replay, 0, 0, 5, 0));
    assert_false(replay_go_position(replay, 9, 0, 0, 0));
    assert_false(replay_go_position(replay, 0, 0, 1, 2)); /* the warp has two steps */
    assert_int_equal(replay->cursor.step.number, 0);
    assert_true(replay_go_position(replay, 0, 0, 1, UINT64_MAX));
    assert_int_equal(replay->cursor.step.number, 3);
    assert_true(replay_go_position(replay, 1, 1, 0, 0));
    assert_int_equal(replay->cursor.step.number, 5);
    assert_true(replay_go_step(replay, 6));
    assert_false(replay_go_step(replay, 7));
    assert_int_equal(replay->cursor.step.number, 6);
    replay_set_lane(replay, 12);
    assert_int_equal(replay->lane, 12);
    replay_set_lane(replay, 32);
    assert_int_equal(replay->lane, 0);
    replay_set_lane(replay, -1);
    assert_int_equal(replay->lane, 0);
    done(&scene);
}

static void escape_closes_one_thing(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "program", "p F1");
    assert_true(replay->help);
    script_run(replay, "Escape");
    assert_false(replay->help);
    assert_int_equal(replay->input.prompt, PROMPT_PREDICT);
    script_run(replay, "Escape");
    assert_int_equal(replay->input.prompt, PROMPT_NONE);
    assert_false(replay_apply(replay, ACTION_CANCEL, 0)); /* nothing is open */
    assert_false(replay->quit);
    done(&scene);
}

static void keys_that_are_typed(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "program", "");
    assert_false(replay_press(replay, "x").types);
    script_run(replay, "/");
    assert_true(replay_press(replay, "x").types);
    assert_true(replay_press(replay, "Space").types);
    assert_true(replay_press(replay, "\xe6\x98\xaf").types);
    assert_false(replay_press(replay, "Enter").types);
    assert_false(replay_press(replay, "F5").types);
    script_run(replay, "Escape");
    replay_set_legend(replay);
    replay_apply(replay, ACTION_NONE, 0); /* nothing was pressed */
    assert_true(replay->legend);
    assert_true(replay_apply(replay, ACTION_REDRAW, 0));
    assert_true(replay->legend);
    assert_true(replay_apply(replay, ACTION_LANE_GO, 3));
    assert_false(replay->legend);
    assert_int_equal(replay->lane, 3);
    done(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_asked_for),
        cmocka_unit_test(another_recording_ends_a_question),
        cmocka_unit_test(characters_that_begin_an_answer),
        cmocka_unit_test(unreadable_answers_are_reported),
        cmocka_unit_test(clicks_on_lanes),
        cmocka_unit_test(find_goes_elsewhere),
        cmocka_unit_test(positions),
        cmocka_unit_test(escape_closes_one_thing),
        cmocka_unit_test(keys_that_are_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
