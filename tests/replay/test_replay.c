/* A replay driven by key scripts. */
#include "replay/replay.h"

#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* An open recording, and the position of its replay after a script. */
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

static void begins_before_the_first_operation(void **state) {
    (void)state;
    struct scene scene;
    const struct replay *replay = after(&scene, "reduce", "");
    assert_true(replay->cursor.has_step);
    assert_int_equal(replay->cursor.position, 0);
    assert_int_equal(replay->cursor.phase, PHASE_BEFORE);
    assert_int_equal(replay->lane, 0);
    assert_int_equal(replay->view, VIEW_LANES);
    assert_int_equal(replay->cursor.disagreement, 0);
    assert_int_equal(replay_wait(replay), -1);
    done(&scene);
}

static void steps_run_through_the_operations(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        int position;
        enum phase phase;
        const char *message;
    } expected[] = {
        {"l", 0, PHASE_ADDRESS, ""},
        {"l Right Space PageDown", 0, PHASE_AFTER, ""},
        {"l l l l l", 1, PHASE_BEFORE, ""},
        {"l l l l l h", 0, PHASE_AFTER, ""},
        {"h", 0, PHASE_BEFORE, "first operation of this warp"},
        {"7l", 1, PHASE_RANGE, ""},
        {"7l 7h", 0, PHASE_BEFORE, ""},
        {"n", 1, PHASE_BEFORE, ""},
        {"l l n", 1, PHASE_RANGE, ""},
        {"3n", 3, PHASE_BEFORE, ""},
        {"n n n 2N", 1, PHASE_BEFORE, ""},
        {"N", 0, PHASE_BEFORE, "first operation of this warp"},
        {"G", 5, PHASE_BEFORE, ""},
        {"G n", 5, PHASE_BEFORE, "last operation of this warp"},
        {"G l", 5, PHASE_BEFORE, "last operation of this warp"},
        {"G g", 0, PHASE_BEFORE, ""},
        {"3g", 2, PHASE_BEFORE, ""},
        {"10G", 5, PHASE_BEFORE, "this warp has 6 operations"},
        {"9n", 5, PHASE_BEFORE, "last operation of this warp"},
        {"End Home", 0, PHASE_BEFORE, ""},
        /* A watched value has no phases; the chosen phase is restored after it. */
        {"l l l G", 5, PHASE_BEFORE, ""},
        {"l l l G N", 4, PHASE_MOVE, ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, "reduce", expected[i].keys);
        assert_int_equal(replay->cursor.position, expected[i].position);
        assert_int_equal(replay->cursor.phase, expected[i].phase);
        if (expected[i].message[0])
            says(replay, expected[i].message);
        else
            assert_string_equal(replay->message, "");
        done(&scene);
    }
}

static void skips_phases_that_mean_nothing(void **state) {
    (void)state;
    struct scene scene;
    /* ballot and reduce_add have the phases before, move and after; sync has before and after. */
    const struct replay *replay = after(&scene, "votes", "l");
    assert_int_equal(replay->cursor.phase, PHASE_MOVE);
    done(&scene);
    replay = after(&scene, "votes", "l l l");
    assert_int_equal(replay->cursor.position, 1);
    assert_int_equal(replay->cursor.phase, PHASE_BEFORE);
    done(&scene);
    replay = after(&scene, "votes", "G l");
    assert_int_equal(replay->cursor.position, 2);
    assert_int_equal(replay->cursor.phase, PHASE_AFTER);
    done(&scene);
    /* A click on a phase that the operation does not have shows the last phase before it. */
    replay = after(&scene, "votes", "");
    replay_apply(&scene.replay, ACTION_PHASE_GO, PHASE_RANGE);
    assert_int_equal(replay->cursor.phase, PHASE_BEFORE);
    done(&scene);
}

static void moves_between_lanes(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        int lane;
        const char *message;
    } expected[] = {
        {"j", 1, ""},
        {"Down Down Up", 1, ""},
        {"17j", 17, ""},
        {"17j 03k", 14, ""},
        {"k", 0, "lane 0 is the first"},
        {"99j", 31, ""},
        {"99j j", 31, "lane 31 is the last"},
        {"99999999999999999999j", 31, ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, "xor-3-w16", expected[i].keys);
        assert_int_equal(replay->lane, expected[i].lane);
        says(replay, expected[i].message);
        done(&scene);
    }
}

static void moves_between_warps_and_blocks(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        uint64_t block;
        uint32_t warp;
        int position;
        const char *message;
    } expected[] = {
        {"w", 0, 1, 0, "block 0, warp 1 of shuffle_down"},
        {"n w", 0, 1, 1, "block 0, warp 1"},
        {"w w", 1, 0, 0, "block 1, warp 0"},
        {"3w", 1, 1, 0, "block 1, warp 1"},
        {"w w w w", 1, 1, 0, "last warp of this recording"},
        {"9w", 1, 1, 0, "block 1, warp 1"},
        {"W", 0, 0, 0, "first warp of this recording"},
        {"w w W", 0, 1, 0, "block 0, warp 1"},
        {"b", 1, 0, 0, "block 1, warp 0"},
        {"w b", 1, 1, 0, "block 1, warp 1"},
        {"w b B", 0, 1, 0, "block 0, warp 1"},
        {"w w B", 0, 0, 0, "block 0, warp 0"},
        {"b b", 1, 0, 0, "last block of this recording"},
        {"B", 0, 0, 0, "first block of this recording"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, "threads-35", expected[i].keys);
        assert_int_equal(replay->cursor.warp.block, expected[i].block);
        assert_int_equal(replay->cursor.warp.warp, expected[i].warp);
        assert_int_equal(replay->cursor.position, expected[i].position);
        says(replay, expected[i].message);
        done(&scene);
    }
}

/* In the view of a block, n and N go through the operations of all its warps, in the order of the
 * recording. */
static void a_block_moves_together(void **state) {
    (void)state;
    struct scene scene;
    const struct replay *replay = after(&scene, "threads-35", "8 Escape");
    const struct trace *trace = replay->cursor.trace;
    struct trace_step step;
    char keys[32];
    unsigned moves = 0;
    for (uint64_t i = 1; i < trace_step_count(trace); i++) {
        struct scene moved;
        assert_int_equal(trace_step(trace, i, &step, NULL), 0);
        if (step.block != 0)
            continue;
        snprintf(keys, sizeof keys, "8 Escape %un", ++moves);
        assert_int_equal(after(&moved, "threads-35", keys)->cursor.step.number, i);
        done(&moved);
        snprintf(keys, sizeof keys, "8 Escape %un N n", moves);
        assert_int_equal(after(&moved, "threads-35", keys)->cursor.step.number, i);
        done(&moved);
    }
    assert_true(moves > 2);
    done(&scene);
    says(after(&scene, "threads-35", "8 Escape 99n"), "last operation of this block");
    done(&scene);
    says(after(&scene, "threads-35", "8 Escape N"), "first operation of this block");
    done(&scene);
}

/* In a recording without local variables, play stops at a line's operations. */
static void runs_to_a_line(void **state) {
    (void)state;
    struct scene scene;
    const struct replay *replay = after(&scene, "reduce", "");
    char keys[96];
    const unsigned line = trace_site(replay->cursor.trace, replay->cursor.step.site)->line;
    done(&scene);
    snprintf(keys, sizeof keys, "! line Space %u Enter Space", line);
    replay = after(&scene, "reduce", keys);
    assert_int_equal(replay->cursor.position, 1);
    says(replay, "stopped at line");
    done(&scene);
    replay = after(&scene, "reduce", "n ! line Space 9999 Enter Space");
    assert_int_equal(replay->cursor.position, 1);
    says(replay, "not found at any later operation of this warp");
    done(&scene);
    says(after(&scene, "reduce", "! sum Space > Space 1 Enter"), "a condition needs local");
    done(&scene);
    replay = after(&scene, "reduce", "Space Space"); /* play has no stop, so Space goes by phases */
    assert_int_equal(replay->cursor.position, 0);
    assert_int_equal(replay->cursor.phase, PHASE_RANGE);
    done(&scene);
}

static void points_to_the_next_warp_at_the_end(void **state) {
    (void)state;
    struct scene scene;
    says(after(&scene, "threads-35", "G n"), "w shows the next warp");
    done(&scene);
}

static void digits_are_views_and_counts(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        enum view_kind view;
        int lane;
    } expected[] = {
        {"2", VIEW_WIRES, 0},
        {"5", VIEW_EXPLAIN, 0},
        {"Tab", VIEW_WIRES, 0},
        {"BackTab", VIEW_EXPLAIN, 0},
        {"6 Escape Tab", VIEW_LANES, 0},
        {"Tab Tab Tab Tab Tab", VIEW_LANES, 0},
        /* Typed quickly, digits before a movement are its count, and the view is restored. */
        {"3j", VIEW_LANES, 3},
        {"12j", VIEW_LANES, 12},
        {"5 +500ms 12j", VIEW_EXPLAIN, 12},
        /* With a pause in between, or with Escape, the digits choose a view. */
        {"3 +500ms j", VIEW_HISTORY, 1},
        {"3 +499ms j", VIEW_LANES, 3},
        {"3 +250ms +250ms j", VIEW_HISTORY, 1},
        {"3 Escape j", VIEW_HISTORY, 1},
        {"1 2 Escape", VIEW_WIRES, 0},
        /* The digit 1 is not a count, so it chooses a view. */
        {"2 +500ms 1j", VIEW_LANES, 1},
        {"2 +500ms 11j", VIEW_WIRES, 11},
        /* 0 and 9 name no view: such a count waits for its movement. */
        {"03j", VIEW_LANES, 3},
        {"9 +9000ms j", VIEW_LANES, 9},
        {"10 +9000ms j", VIEW_LANES, 10},
        {"9 Escape j", VIEW_LANES, 1},
        {"8 Escape j", VIEW_BLOCK, 1},
        /* An action that is not a movement takes no count. */
        {"9 Tab j", VIEW_WIRES, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, "xor-3-w16", expected[i].keys);
        assert_int_equal(replay->view, expected[i].view);
        assert_int_equal(replay->lane, expected[i].lane);
        done(&scene);
    }
    struct scene scene;
    struct replay *replay = after(&scene, "xor-3-w16", "3 +100ms");
    assert_int_equal(replay_wait(replay), COUNT_MILLISECONDS - 100);
    script_run(replay, "+400ms");
    assert_int_equal(replay_wait(replay), -1);
    done(&scene);
}

static void plays_to_the_end_and_stops(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "reduce", "a");
    assert_true(replay->playing);
    assert_int_equal(replay_wait(replay), 1000);
    assert_false(replay_tick(replay, 999));
    assert_int_equal(replay_wait(replay), 1);
    assert_true(replay_tick(replay, 1));
    assert_int_equal(replay->cursor.phase, PHASE_ADDRESS);
    /* Five operations of five phases and a watched value: 26 moments, 24 ticks to go. */
    for (int i = 0; i < 23; i++)
        assert_true(replay_tick(replay, 1000));
    assert_true(replay->playing);
    assert_true(replay_tick(replay, 1000));
    assert_false(replay->playing);
    assert_int_equal(replay->cursor.position, 5);
    says(replay, "played to the end");
    assert_false(replay_tick(replay, 1000));
    script_run(replay, "a");
    assert_true(replay->playing);
    assert_int_equal(replay->cursor.position, 0);
    assert_int_equal(replay->cursor.phase, PHASE_BEFORE);
    script_run(replay, "a");
    assert_false(replay->playing);
    done(&scene);
}

static void changes_speed_within_limits(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "reduce", "a +");
    assert_int_equal(replay_wait(replay), 500);
    says(replay, "2 phases a second");
    script_run(replay, "+ + + + + +");
    assert_int_equal(replay->speed, 4);
    assert_int_equal(replay_wait(replay), 62);
    script_run(replay, "- - - - - - - - - - - -");
    assert_int_equal(replay->speed, -4);
    assert_int_equal(replay_wait(replay), 16000);
    says(replay, "a phase every 16 s");
    done(&scene);
}

static void predictions_are_judged_by_the_rules(void **state) {
    (void)state;
    static const struct {
        const char *sample, *keys;
        enum prediction_state state;
        const char *message;
    } expected[] = {
        /* 5 ^ 3 = 6 */
        {"xor-3-w16", "5j p 6 Enter", PREDICTION_RIGHT, "6, right: lane 5: 5^3=6: reads lane 6"},
        {"xor-3-w16", "5j p 7 Enter", PREDICTION_WRONG, "7, wrong: lane 5: 5^3=6: reads lane 6"},
        {"xor-3-w16", "5j p u Enter", PREDICTION_WRONG, "wrong: "},
        {"xor-3-w16", "5j p 7 Backspace 6 Enter", PREDICTION_RIGHT, "right: "},
        /* 5 ^ 16 = 21 is beyond 15 */
        {"xor-16-w16", "5j p own Enter", PREDICTION_RIGHT,
         "own, right: lane 5: 5^16=21: out of range"},
        {"xor-16-w16", "5j p 5 Enter", PREDICTION_RIGHT, "right: "},
        {"xor-16-w16", "5j p 21 Enter", PREDICTION_WRONG, "wrong: "},
        /* 5 + 4 = 9 is not in the mask */
        {"partial-mask", "5j p undefined Enter", PREDICTION_RIGHT,
         "undefined, right: lane 5: 5+4=9: undefined, lane 9 is not in the member mask"},
        {"partial-mask", "5j p u Enter", PREDICTION_RIGHT, "right: "},
        {"partial-mask", "5j p 9 Enter", PREDICTION_WRONG, "wrong: "},
        /* 1 + 2 = 3 is beyond the 35th thread */
        {"threads-35", "w j p u Enter", PREDICTION_RIGHT, "lane 3 does not exist"},
        /* An impossible question, an unreadable answer, an abandoned question. */
        {"threads-35", "w 9j p", PREDICTION_NONE, "lane 9 makes no call"},
        {"votes", "p", PREDICTION_ASKED, ""}, /* a vote's question is about its value */
        {"xor-3-w16", "p 32 Enter", PREDICTION_ASKED, "(0 to 31), own or undefined"},
        {"xor-3-w16", "p x Enter", PREDICTION_ASKED, "(0 to 31), own or undefined"},
        {"xor-3-w16", "p Enter", PREDICTION_ASKED, "(0 to 31), own or undefined"},
        {"xor-3-w16", "p 3 Escape", PREDICTION_NONE, ""},
        {"reduce", "p 16 Enter n", PREDICTION_NONE, ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, expected[i].sample, expected[i].keys);
        assert_int_equal(replay->asking.state, expected[i].state);
        says(replay, expected[i].message);
        assert_int_equal(replay->input.prompt == PROMPT_PREDICT,
                         expected[i].state == PREDICTION_ASKED);
        done(&scene);
    }
}

static void a_question_hides_later_phases(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "xor-3-w16", "l l l p");
    assert_int_equal(replay->cursor.phase, PHASE_MOVE);
    assert_int_equal(replay_shown_phase(replay), PHASE_BEFORE);
    script_run(replay, "3 Enter");
    assert_int_equal(replay_shown_phase(replay), PHASE_MOVE);
    done(&scene);
    /* If asked at the beginning, the answer advances the picture to the phase with the reason. */
    replay = after(&scene, "xor-3-w16", "p 3 Enter");
    assert_int_equal(replay_shown_phase(replay), PHASE_RANGE);
    done(&scene);
}

/* A click selects a lane; it answers only if a question is open, and only on a lane. */
static void clicks_select_lanes(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "reduce", "");
    assert_true(replay_apply(replay, ACTION_LANE_GO, 9));
    assert_int_equal(replay->lane, 9);
    assert_string_equal(replay->message, "");
    assert_string_equal(replay->input.text, "");
    done(&scene);
    replay = after(&scene, "reduce", "p");
    assert_int_equal(replay->asking.state, PREDICTION_ASKED);
    replay_apply(replay, ACTION_LANE_GO, 99);
    assert_string_equal(replay->input.text, "");
    replay_apply(replay, ACTION_LANE_GO, -1);
    assert_string_equal(replay->input.text, "");
    replay_apply(replay, ACTION_LANE_GO, 31);
    assert_string_equal(replay->input.text, "31");
    replay_apply(replay, ACTION_LANE_GO, 0);
    assert_string_equal(replay->input.text, "0");
    done(&scene);
}

/* A long line is cut between characters. */
static void a_long_message_ends_in_a_whole_character(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "reduce", "");
    for (size_t lead = 0; lead < 4; lead++) {
        char text[256] = "";
        memset(text, 'x', lead);
        while (strlen(text) < 200)
            strcat(text, "漢");
        replay_set_message(replay, "%s", text);
        size_t length = strlen(replay->message);
        assert_memory_equal(replay->message, text, length);
        assert_int_equal((length - lead) % 3, 0);
        assert_in_range(length, sizeof replay->message - 3, sizeof replay->message - 1);
    }
    done(&scene);
}

static void finds_lanes_operations_lines_values_and_text(void **state) {
    (void)state;
    static const struct {
        const char *sample, *keys;
        int position, lane;
        const char *message;
    } expected[] = {
        {"reduce", "/ 17 Enter", 0, 17, ""},
        {"reduce", "/ 32 Enter", 0, 0, "lanes are 0 to 31"},
        {"reduce", "/ =0 Enter ;", 0, 0,
         ""}, /* first lane 16, which gets 0 from lane 0; then lane 0 */
        {"reduce", "/ xor Enter", 1, 0, ""},
        {"idx-17-w16", "/ idx Enter", 0, 0, "idx: found only here"},
        {"reduce", "/ watch Enter", 5, 0, ""},
        {"reduce", "/ w a t c h Enter ;", 5, 0, "only here"},
        {"reduce", "G / xor Enter", 0, 0, "from the start"},
        {"reduce", "/ l i n e Space 5 Enter", 5, 0, ""},
        {"reduce", "/ l i n e Space 9 Enter", 0, 0, "nothing found"},
        {"reduce", "/ offset Enter ; ;", 3, 0, ""},
        {"reduce", "/ nowhere Enter", 0, 0, "nowhere: nothing found"},
        /* In the first exchange lane 4 holds 4, and lane 20 gets this 4. */
        {"reduce", "/ =4 Enter", 0, 4, ""},
        {"reduce", "/ =4 Enter ;", 0, 20, ""},
        /* 496, the sum of 0..31, is first found at the watched value. */
        {"reduce", "/ =496 Enter", 5, 0, ""},
        {"reduce", "/ =497 Enter", 0, 0, "nothing found"},
        {"reduce", "/ v a l u e Space 4 Enter", 0, 4, ""},
        {"reduce", "/ l a n e Space 5 Enter", 0, 5, ""},
        {"reduce", "/ undefined Enter", 0, 0, "undefined: nothing found in this recording"},
        {"reduce", ";", 0, 0, "nothing to look for"},
        /* 35 threads, two blocks: in the second warp of each block, lane 1 asks for lane 3, which
         * does not exist. */
        {"threads-35", "/ undefined Enter", 0, 1,
         "undefined: launch 0 (shuffle_down), block 0, warp 1"},
        {"threads-35", "/ undefined Enter ; ;", 0, 1, "block 1, warp 1"},
        {"reduce", "/ 1 7 Escape", 0, 0, ""},
        /* Characters beyond ASCII are typed, and deleted as a whole. */
        {"reduce", "/ zürich Enter", 0, 0, "zürich: nothing found"},
        {"reduce", "/ 1 7 漢 Backspace Enter", 0, 17, ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scene scene;
        const struct replay *replay = after(&scene, expected[i].sample, expected[i].keys);
        if (replay->cursor.position != (uint64_t)expected[i].position ||
            replay->lane != expected[i].lane)
            fail_msg("%s: at %d, lane %d", expected[i].keys, (int)replay->cursor.position,
                     replay->lane);
        says(replay, expected[i].message);
        assert_int_equal(replay->input.prompt, PROMPT_NONE);
        done(&scene);
    }
}

static void help_closes_by_any_key(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "xor-3-w16", "?");
    assert_true(replay->help);
    script_run(replay, "q");
    assert_false(replay->help);
    assert_false(replay->quit);
    script_run(replay, "? l");
    assert_false(replay->help);
    assert_int_equal(replay->cursor.phase, PHASE_ADDRESS);
    script_run(replay, "?");
    replay_apply(replay, ACTION_LANE_NEXT, 1);
    assert_false(replay->help);
    assert_int_equal(replay->lane, 1);
    script_run(replay, "q");
    assert_true(replay->quit);
    done(&scene);
}

static void reports_what_changed(void **state) {
    (void)state;
    struct scene scene;
    struct replay *replay = after(&scene, "xor-3-w16", "");
    assert_true(replay_key(replay, replay_press(replay, "l")));
    assert_true(replay_key(replay, replay_press(replay, "Ctrl-L")));
    assert_true(replay_key(replay, replay_press(replay, "x")));
    says(replay, "x does nothing");
    assert_true(
        replay_key(replay, replay_press(replay, "]"))); /* only for scenes that can be changed */
    says(replay, "] changes nothing: this is a recording");
    assert_true(replay_apply(replay, ACTION_LANE_GO, 9));
    assert_int_equal(replay->lane, 9);
    assert_false(replay_apply(replay, ACTION_LANE_GO, 9));
    assert_true(replay_apply(replay, ACTION_LANE_GO, 99));
    assert_int_equal(replay->lane, 31);
    done(&scene);
    /* A key that changes nothing and gives no message needs no redraw; a key that closes the help
     * does. */
    replay = after(&scene, "xor-3-w16", "");
    assert_false(replay_key(replay, replay_press(replay, "g")));
    assert_true(replay_key(replay, replay_press(replay, "?")));
    assert_true(replay_key(replay, replay_press(replay, "g")));
    assert_false(replay->help);
    assert_false(replay_key(replay, replay_press(replay, "g")));
    done(&scene);
}

static void refuses_a_recording_without_steps(void **state) {
    (void)state;
    struct trace_writer *writer;
    struct trace_writer_options options = {.value_bytes = 4};
    struct trace *trace;
    struct replay replay;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(replay_init(&replay, trace, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "no step"));
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_before_the_first_operation),
        cmocka_unit_test(steps_run_through_the_operations),
        cmocka_unit_test(skips_phases_that_mean_nothing),
        cmocka_unit_test(moves_between_lanes),
        cmocka_unit_test(moves_between_warps_and_blocks),
        cmocka_unit_test(runs_to_a_line),
        cmocka_unit_test(a_block_moves_together),
        cmocka_unit_test(points_to_the_next_warp_at_the_end),
        cmocka_unit_test(digits_are_views_and_counts),
        cmocka_unit_test(plays_to_the_end_and_stops),
        cmocka_unit_test(changes_speed_within_limits),
        cmocka_unit_test(predictions_are_judged_by_the_rules),
        cmocka_unit_test(a_question_hides_later_phases),
        cmocka_unit_test(clicks_select_lanes),
        cmocka_unit_test(a_long_message_ends_in_a_whole_character),
        cmocka_unit_test(finds_lanes_operations_lines_values_and_text),
        cmocka_unit_test(help_closes_by_any_key),
        cmocka_unit_test(reports_what_changed),
        cmocka_unit_test(refuses_a_recording_without_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
