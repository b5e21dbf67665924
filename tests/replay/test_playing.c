/* Playing by the clock, and the view that is shown. */
#include "replay/keys/handlers.h"
#include "replay/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { RECORD = 512 };

/* Steps that read their own lane. */
static struct trace *begin(struct replay *replay, int steps, bool prints) {
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {"k", {1, 1, 1}, {32, 1, 1}, 0};
    const struct trace_site site = {"a.cu", 2, "f", "call()"};
    struct trace_writer *writer;
    struct trace *trace;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    for (int i = 0; i < steps; i++) {
        const struct shflviz_record_header header = {.sequence = (uint64_t)i + 1,
                                                     .op = WARP_OP_DOWN,
                                                     .members = UINT32_MAX,
                                                     .present = UINT32_MAX,
                                                     .width = 32};
        size_t room = 1;
        unsigned char *record = trace_writer_reserve(writer, &room);
        assert_non_null(record);
        memset(record, 0, RECORD);
        memcpy(record, &header, sizeof header);
    }
    if (prints)
        trace_writer_output(writer, 1, "x\n", 2);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    assert_int_equal(replay_init(replay, trace, NULL), 0);
    return trace;
}

/* Each speed is twice the previous one, with four steps each way. */
static void test_speeds(void **state) {
    static const struct {
        int speed;
        long wait;
        const char *says;
    } cases[] = {{-4, 16000, "speed: a phase every 16 s"}, {-3, 8000, "speed: a phase every 8 s"},
                 {-2, 4000, "speed: a phase every 4 s"},   {-1, 2000, "speed: a phase every 2 s"},
                 {0, 1000, "speed: a phase every 1 s"},    {1, 500, "speed: 2 phases a second"},
                 {2, 250, "speed: 4 phases a second"},     {3, 125, "speed: 8 phases a second"},
                 {4, 62, "speed: 16 phases a second"}};
    struct replay replay;
    struct trace *trace = begin(&replay, 2, false);
    (void)state;
    for (int speed = -4; speed <= 4; speed++)
        for (int change = -9; change <= 9; change++) {
            const int sum = speed + change;
            assert_int_equal(play_speed(speed, change), sum > 4 ? 4 : sum < -4 ? -4 : sum);
        }
    assert_int_equal(play_wait(&replay), -1);
    play_toggle(&replay, 0);
    replay.speed = -4;
    assert_false(play_slower(&replay, 0));
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(replay.speed, cases[i].speed);
        assert_string_equal(replay.message, cases[i].says);
        assert_int_equal(play_wait(&replay), cases[i].wait);
        assert_int_equal(play_faster(&replay, 0), cases[i].speed < 4);
    }
    for (size_t i = COUNT(cases); i-- > 1;)
        assert_true(play_slower(&replay, 0));
    assert_int_equal(replay.speed, -4);
    trace_close(trace);
}

static void test_ticks(void **state) {
    struct replay replay;
    struct trace *trace = begin(&replay, 2, false);
    (void)state;
    assert_false(play_tick(&replay, 5000)); /* the replay does not play */
    assert_true(play_toggle(&replay, 0));
    assert_true(replay.playing);
    assert_false(play_tick(&replay, 999));
    assert_int_equal(play_wait(&replay), 1);
    assert_true(play_tick(&replay, 1));
    assert_int_equal(replay.cursor.phase, PHASE_ADDRESS);
    assert_int_equal(play_wait(&replay), 1000);
    assert_true(play_tick(&replay, 2500)); /* only one phase, however late */
    assert_int_equal(replay.cursor.phase, PHASE_RANGE);
    assert_int_equal(play_wait(&replay), 500);
    assert_true(play_toggle(&replay, 0)); /* stops, and forgets the elapsed half */
    assert_int_equal(play_wait(&replay), -1);
    assert_true(play_toggle(&replay, 0));
    assert_int_equal(play_wait(&replay), 1000);
    for (int i = 0; i < 7; i++) { /* this step has 2 phases left, the next one 5 */
        assert_true(replay.playing);
        assert_string_equal(replay.message, "");
        assert_true(play_tick(&replay, 1000));
    }
    assert_false(replay.playing);
    assert_int_equal(replay.cursor.position, 1);
    assert_int_equal(replay.cursor.phase, PHASE_AFTER);
    assert_memory_equal(replay.message, "played to the end of this warp: ", 32);
    assert_false(play_tick(&replay, 1000));
    assert_true(play_toggle(&replay, 0)); /* from the beginning */
    assert_true(replay.playing);
    assert_int_equal(replay.cursor.position, 0);
    assert_int_equal(replay.cursor.phase, PHASE_BEFORE);
    trace_close(trace);
}

static void test_views(void **state) {
    static const char *const names[] = {"lanes",   "wires",  "history",   "source",
                                        "explain", "rounds", "variables", "block"};
    struct replay replay;
    struct trace *trace = begin(&replay, 1, false);
    (void)state;
    assert_int_equal(COUNT(names), VIEW_KIND_COUNT);
    for (int view = 0; view < VIEW_KIND_COUNT; view++)
        assert_string_equal(view_kind_name((enum view_kind)view), names[view]);
    assert_false(look_view_go(&replay, -1));
    assert_false(look_view_go(&replay, VIEW_KIND_COUNT));
    assert_false(look_view_go(&replay, VIEW_LANES)); /* it is shown already */
    assert_int_equal(replay.view, VIEW_LANES);
    replay.scroll = 3;
    replay.view_kept = false;
    assert_true(look_view_go(&replay, VIEW_EXPLAIN));
    assert_int_equal(replay.view, VIEW_EXPLAIN);
    assert_int_equal(replay.scroll, 0);
    assert_true(replay.view_kept);
    assert_true(look_view_go(&replay, VIEW_WIRES));
    assert_true(look_view_previous(&replay, 0));
    assert_int_equal(replay.view, VIEW_LANES);
    assert_true(look_view_go(&replay, VIEW_EXPLAIN));
    /* One operation has no rounds. */
    assert_false(replay.in_rounds);
    assert_true(look_view_next(&replay, 0));
    assert_int_equal(replay.view, VIEW_LANES);
    assert_true(look_view_previous(&replay, 0));
    assert_int_equal(replay.view, VIEW_EXPLAIN);
    assert_true(look_view_previous(&replay, 0));
    assert_int_equal(replay.view, VIEW_EXPLAIN - 1);
    assert_true(look_view_next(&replay, 0));
    assert_int_equal(replay.view, VIEW_EXPLAIN);
    replay.in_rounds = true;
    assert_true(look_view_next(&replay, 0));
    assert_int_equal(replay.view, VIEW_ROUNDS);
    assert_true(look_view_next(&replay, 0));
    assert_int_equal(replay.view, VIEW_LANES);
    assert_true(look_view_previous(&replay, 0));
    assert_int_equal(replay.view, VIEW_ROUNDS);
    trace_close(trace);
}

static void test_looks(void **state) {
    struct replay replay;
    struct trace *trace = begin(&replay, 1, false);
    (void)state;
    replay.help_live = true;
    assert_true(look_help(&replay, 0));
    assert_true(replay.help);
    assert_false(replay.help_live);
    assert_true(look_cancel(&replay, 0)); /* closes the help, then nothing is left */
    assert_false(replay.help);
    assert_false(look_cancel(&replay, 0));
    strcpy(replay.live.complaint, "no");
    assert_true(look_cancel(&replay, 0));
    assert_string_equal(replay.live.complaint, "");
    input_open(&replay.input, PROMPT_FIND);
    assert_true(look_cancel(&replay, 0));
    assert_int_equal(replay.input.prompt, PROMPT_NONE);
    assert_true(look_help(&replay, 0));
    assert_true(look_help(&replay, 0));
    assert_false(replay.help);
    assert_true(look_output(&replay, 0));
    assert_string_equal(replay.message, "the program printed nothing");
    assert_int_not_equal(replay.overview, REPLAY_OVERVIEW_OUTPUT);
    assert_true(look_overview(&replay, 0));
    assert_int_equal(replay.overview, REPLAY_OVERVIEW);
    assert_false(replay.quit);
    assert_true(look_quit(&replay, 0));
    assert_true(replay.quit);
    trace_close(trace);
    trace = begin(&replay, 1, true);
    assert_true(look_output(&replay, 0));
    assert_int_equal(replay.overview, REPLAY_OVERVIEW_OUTPUT);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_speeds), cmocka_unit_test(test_ticks),
                                       cmocka_unit_test(test_views), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
