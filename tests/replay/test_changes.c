/* Keys that request a change, and the differences of a new recording under the same cursor. */
#include "replay/changes.h"
#include "replay/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define ALL          UINT32_MAX
#define ANY          0x12345678u /* ignored */

enum { RECORD = 768 };

/* A shuffle or vote in which each lane l, except lane 5, passes base + l; lane 5 passes `fifth`. */
struct made {
    enum warp_op op;
    int width, arg;
    uint32_t present;
    uint64_t base, fifth;
};
static const struct made plain = {WARP_OP_DOWN, 32, 1, ALL, 100, 105};

static void put(struct trace_writer *writer, const struct made *made, uint32_t warp) {
    unsigned char record[RECORD] = {0};
    const struct shflviz_record_header header = {.sequence = trace_writer_next_sequence(writer),
                                                 .warp = warp,
                                                 .op = (uint8_t)made->op,
                                                 .type = WARP_TYPE_UNSIGNED,
                                                 .members = made->present,
                                                 .present = made->present,
                                                 .width = made->width};
    struct warp_operation operation = {.op = made->op,
                                       .type = WARP_TYPE_UNSIGNED,
                                       .members = made->present,
                                       .present = made->present,
                                       .launched = ALL};
    struct lane_outcome outcome[WARP_LANES];
    size_t room = 1;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = made->width;
        operation.arg[lane] = made->arg;
        operation.in[lane] = lane == 5 ? made->fifth : made->base + (uint64_t)lane;
    }
    warp_outcome(&operation, outcome);
    memcpy(record, &header, sizeof header);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (made->present >> lane & 1) {
            const uint64_t out = outcome[lane].has_value ? outcome[lane].value : 0;
            memcpy(record + 128 + 4 * lane, &operation.arg[lane], 4);
            memcpy(record + 256 + 8 * lane, &operation.in[lane], 8);
            memcpy(record + 512 + 8 * lane, &out, 8);
        }
    void *to = trace_writer_reserve(writer, &room);
    assert_non_null(to);
    memcpy(to, record, RECORD);
}

/* A recording of `steps` steps in each of `warps` warps. */
static struct trace *recording(const struct made *made, uint32_t warps, int steps) {
    const struct trace_writer_options options = {.value_bytes = 8};
    const struct trace_launch launch = {"k", {1, 1, 1}, {96, 1, 1}, 0};
    const struct trace_site site = {"a.cu", 2, "f", "call()"};
    struct trace_writer *writer;
    struct trace *trace;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    for (int i = 0; i < steps; i++)
        for (uint32_t warp = 0; warp < warps; warp++)
            put(writer, made, warp);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

static void begin(struct replay *replay, struct trace **trace) {
    *trace = recording(&plain, 1, 1);
    assert_int_equal(replay_init(replay, *trace, NULL), 0);
    replay_set_live(replay, true);
}

/* ---- effects of a change ---- */

static void test_altered(void **state) {
    static const struct {
        struct made before, after;
        uint32_t group, in, formula, reads, out;
    } cases[] = {
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105}, {WARP_OP_DOWN, 32, 1, ALL, 100, 105}, 0, 0, 0, 0, 0},
        /* Lane 31 keeps its own value in both recordings. */
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105},
         {WARP_OP_DOWN, 32, 2, ALL, 100, 105},
         0,
         0,
         ALL,
         0x7fffffff,
         0x7fffffff},
        /* Lane 15 is the last of its group now. */
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105},
         {WARP_OP_DOWN, 16, 1, ALL, 100, 105},
         0xffff0000,
         0,
         0,
         1 << 15,
         1 << 15},
        /* A width that CUDA leaves undefined makes no groups. */
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105},
         {WARP_OP_DOWN, 12, 1, ALL, 100, 105},
         ALL,
         0,
         ANY,
         ALL,
         ALL},
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105},
         {WARP_OP_DOWN, 32, 1, ALL, 200, 205},
         0,
         ALL,
         0,
         0,
         ALL},
        /* Lane 4 reads lane 5. */
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105},
         {WARP_OP_DOWN, 32, 1, ALL, 100, 7},
         0,
         1 << 5,
         0,
         0,
         1 << 4},
        /* Lane 31, which lane 30 read, makes no call. */
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105},
         {WARP_OP_DOWN, 32, 1, 0x7fffffff, 100, 105},
         0,
         1u << 31,
         1u << 31,
         3u << 30,
         3u << 30},
        {{WARP_OP_DOWN, 32, 1, 1, 100, 105}, {WARP_OP_DOWN, 32, 1, 2, 100, 105}, 0, 3, 3, 3, 3},
        {{WARP_OP_DOWN, 32, 1, ALL, 100, 105},
         {WARP_OP_UP, 32, 1, ALL, 100, 105},
         0,
         0,
         ALL,
         ALL,
         ALL},
        /* A vote has no groups. */
        {{WARP_OP_DOWN, 16, 1, ALL, 100, 105},
         {WARP_OP_BALLOT, 0, 0, ALL, 100, 105},
         0,
         0,
         ALL,
         ANY,
         ALL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace *before = recording(&cases[i].before, 1, 1);
        struct trace *after = recording(&cases[i].after, 1, 1);
        struct replay replay;
        assert_int_equal(replay_init(&replay, before, NULL), 0);
        replay_show(&replay, after);
        const struct live_altered altered = replay_altered(&replay);
        assert_int_equal(altered.group, cases[i].group);
        assert_int_equal(altered.in, cases[i].in);
        if (cases[i].formula != ANY)
            assert_int_equal(altered.formula, cases[i].formula);
        if (cases[i].reads != ANY) {
            assert_int_equal(altered.reads, cases[i].reads);
            assert_int_equal(replay_altered_lanes(&replay),
                             cases[i].in | cases[i].reads | cases[i].out);
        }
        assert_int_equal(altered.out, cases[i].out);
        assert_int_equal(live_wait(&replay), i ? LIVE_ALTERED_MILLIS : -1);
        trace_close(before);
        trace_close(after);
    }
}

/* The picture points at the changed parts of its phase, for a while. */
static void test_marks_expire(void **state) {
    static const struct made other = {WARP_OP_DOWN, 32, 1, ALL, 100, 7}; /* in 5, out 4 */
    static const struct made another = {WARP_OP_DOWN, 32, 2, 1, 100, 105};
    static const struct made two = {WARP_OP_DOWN, 32, 1, 1, 100, 105};
    static const struct {
        enum phase phase;
        uint32_t points;
    } cases[] = {{PHASE_BEFORE, 0x21},
                 {PHASE_ADDRESS, 0x21},
                 {PHASE_RANGE, 0x21},
                 {PHASE_MOVE, 0x31},
                 {PHASE_AFTER, 0x31}};
    struct trace *before = recording(&plain, 1, 1), *after = recording(&other, 1, 1);
    struct replay replay;
    (void)state;
    assert_int_equal(replay_init(&replay, before, NULL), 0);
    replay.points = 1;
    assert_int_equal(replay_points(&replay), 1);
    assert_false(live_tick(&replay, 1));
    replay_show(&replay, after);
    for (size_t i = 0; i < COUNT(cases); i++) {
        cursor_set_phase(&replay.cursor, cases[i].phase);
        assert_int_equal(replay_points(&replay), cases[i].points);
    }
    assert_false(live_tick(&replay, 1));
    assert_int_equal(live_wait(&replay), LIVE_ALTERED_MILLIS - 1);
    assert_false(live_tick(&replay, LIVE_ALTERED_MILLIS - 2));
    assert_int_equal(live_wait(&replay), 1);
    assert_int_equal(replay_points(&replay), 0x31);
    assert_true(live_tick(&replay, 1));
    assert_int_equal(live_wait(&replay), -1);
    assert_false(live_tick(&replay, 1));
    assert_int_equal(replay_points(&replay), 1);
    assert_int_equal(replay_altered(&replay).in, 0);
    trace_close(before);
    trace_close(after);
    /* A formula is shown from the address phase on. */
    before = recording(&two, 1, 1);
    after = recording(&another, 1, 1);
    assert_int_equal(replay_init(&replay, before, NULL), 0);
    replay_show(&replay, after);
    replay.live.altered = (struct live_altered){.formula = 8};
    cursor_set_phase(&replay.cursor, PHASE_BEFORE);
    assert_int_equal(replay_points(&replay), 0);
    cursor_set_phase(&replay.cursor, PHASE_ADDRESS);
    assert_int_equal(replay_points(&replay), 8);
    trace_close(before);
    trace_close(after);
}

/* In a new recording the position stays the same, or becomes the nearest one that exists. */
static void test_place(void **state) {
    struct trace *before = recording(&plain, 3, 4), *same = recording(&plain, 3, 4);
    struct trace *shorter = recording(&plain, 3, 2), *fewer = recording(&plain, 1, 4);
    struct replay replay;
    (void)state;
    assert_int_equal(replay_init(&replay, before, NULL), 0);
    replay_apply(&replay, ACTION_WARP_NEXT, 2);
    replay_apply(&replay, ACTION_OPERATION_GO, 3);
    cursor_set_phase(&replay.cursor, PHASE_RANGE);
    replay_complain(&replay, "no");
    replay_show(&replay, same);
    assert_ptr_equal(replay.cursor.trace, same);
    assert_int_equal(replay.cursor.warp.warp, 2);
    assert_int_equal(replay.cursor.position, 3);
    assert_int_equal(replay.cursor.phase, PHASE_RANGE);
    assert_true(replay.live.changed);
    assert_string_equal(replay.live.complaint, "");
    replay_show(&replay, shorter);
    assert_int_equal(replay.cursor.warp.warp, 2);
    assert_int_equal(replay.cursor.position, 1);
    assert_int_equal(replay.cursor.phase, PHASE_RANGE);
    replay_show(&replay, fewer);
    assert_int_equal(replay.cursor.warp.warp, 0);
    assert_int_equal(replay.cursor.position, 1);
    trace_close(before);
    trace_close(same);
    trace_close(shorter);
    trace_close(fewer);
}

/* ---- requests by keys ---- */

static void asked(struct replay *replay, enum live_change change, long amount) {
    const struct live_ask ask = replay_take_ask(replay), again = replay_take_ask(replay);
    assert_int_equal(ask.change, change);
    assert_int_equal(ask.amount, amount);
    assert_int_equal(again.change, LIVE_NOTHING);
    assert_int_equal(again.amount, 0);
}

static void test_amounts(void **state) {
    static const struct {
        action_handler *handler;
        enum live_change change;
        int sign;
    } cases[] = {
        {live_argument_up, LIVE_ARGUMENT, 1},
        {live_argument_down, LIVE_ARGUMENT, -1},
        {live_width_up, LIVE_WIDTH, 1},
        {live_width_down, LIVE_WIDTH, -1},
        {live_operation_next, LIVE_OPERATION, 1},
        {live_operation_previous, LIVE_OPERATION, -1},
        {live_type_next, LIVE_TYPE, 1},
        {live_type_previous, LIVE_TYPE, -1},
        {live_schedule_next, LIVE_SCHEDULE, 1},
        {live_schedule_previous, LIVE_SCHEDULE, -1},
        {live_threads_up, LIVE_THREADS, 1},
        {live_threads_down, LIVE_THREADS, -1},
        {live_undo, LIVE_UNDO, 1},
        {live_redo, LIVE_UNDO, -1},
        {live_copy, LIVE_COPY, 1},
        {live_beside, LIVE_BESIDE, 1},
    };
    static const long counts[][2] = {
        {-3, 1}, {0, 1}, {1, 1}, {2, 2}, {999999, 999999}, {1000000, 1000000}, {1000001, 1000000}};
    struct replay replay;
    struct trace *trace;
    (void)state;
    begin(&replay, &trace);
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < COUNT(counts); k++) {
            replay_complain(&replay, "no");
            assert_true(cases[i].handler(&replay, counts[k][0]));
            assert_string_equal(replay.live.complaint, "");
            asked(&replay, cases[i].change, cases[i].sign * counts[k][1]);
            replay_set_live(&replay, false);
            assert_false(cases[i].handler(&replay, counts[k][0]));
            asked(&replay, LIVE_NOTHING, 0);
            replay_set_live(&replay, true);
        }
    trace_close(trace);
}

static void test_prompts(void **state) {
    struct replay replay;
    struct trace *trace;
    (void)state;
    begin(&replay, &trace);
    replay_set_live(&replay, false);
    assert_false(live_members(&replay, 0));
    assert_false(live_prompt(&replay, 1));
    assert_false(live_which(&replay, 0));
    assert_int_equal(replay.input.prompt, PROMPT_NONE);
    replay_set_live(&replay, true);
    /* members */
    replay.lane = 9;
    assert_false(live_member(&replay, 0));
    assert_true(live_members(&replay, 0));
    assert_int_equal(replay.input.prompt, PROMPT_MEMBERS);
    assert_true(live_member(&replay, 0));
    asked(&replay, LIVE_MEMBER, 9);
    assert_true(live_members(&replay, 0));
    assert_int_equal(replay.input.prompt, PROMPT_NONE);
    /* a setting */
    assert_false(live_complete(&replay, 0));
    replay_complain(&replay, "no");
    replay_set_completion(&replay, "", "a b");
    assert_true(live_prompt(&replay, 0));
    assert_int_equal(replay.input.prompt, PROMPT_SETTING);
    assert_string_equal(replay.live.complaint, "");
    assert_string_equal(replay.live.choices, "");
    asked(&replay, LIVE_NOTHING, 0);
    assert_true(live_prompt(&replay, 2));
    asked(&replay, LIVE_COMPLETE, 2);
    assert_true(live_complete(&replay, 0));
    asked(&replay, LIVE_COMPLETE, 0);
    replay_set_completion(&replay, "width ", "8 16");
    assert_string_equal(replay.input.text, "width ");
    assert_string_equal(replay.live.choices, "8 16");
    assert_true(live_accept(&replay, 0));
    asked(&replay, LIVE_TYPED, 0);
    /* the confirmation */
    assert_false(live_confirm(&replay, 0));
    replay_ask_confirm(&replay, "sure?");
    assert_int_equal(replay.input.prompt, PROMPT_CONFIRM);
    assert_string_equal(replay.live.complaint, "sure?");
    assert_true(live_confirm(&replay, 0));
    assert_int_equal(replay.input.prompt, PROMPT_NONE);
    assert_string_equal(replay.live.complaint, "");
    asked(&replay, LIVE_CONFIRM, 0);
    trace_close(trace);
}

/* The prompt for lanes begins with the selected lane's current source. */
static void test_which(void **state) {
    static const struct {
        struct made made;
        int lane;
        const char *text;
    } cases[] = {{{WARP_OP_DOWN, 32, 1, ALL, 0, 0}, 5, "5<6"},
                 {{WARP_OP_DOWN, 32, 1, ALL, 0, 0}, 31, "31<31"},
                 {{WARP_OP_XOR, 32, 3, ALL, 0, 0}, 0, "0<3"},
                 {{WARP_OP_DOWN, 32, 1, 0xff, 0, 0}, 8, ""}, /* lane 8 makes no call */
                 {{WARP_OP_BALLOT, 0, 0, ALL, 0, 0}, 0, ""}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace *trace = recording(&cases[i].made, 1, 1);
        struct replay replay;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        replay_set_live(&replay, true);
        replay.lane = cases[i].lane;
        replay_complain(&replay, "no");
        assert_true(live_which(&replay, 0));
        assert_int_equal(replay.input.prompt, PROMPT_WHICH);
        assert_string_equal(replay.input.text, "");
        assert_string_equal(replay.live.choices, cases[i].text); /* an example */
        assert_string_equal(replay.live.complaint, "");
        assert_true(live_accept(&replay, 0));
        asked(&replay, LIVE_WHICH, 0);
        trace_close(trace);
    }
}

/* A growing recording keeps its position and question, and has more steps at its end. */
static void test_growth(void **state) {
    struct error err = ERROR_INIT;
    struct replay replay;
    struct trace *few = recording(&plain, 3, 2), *more = recording(&plain, 3, 5);
    (void)state;
    assert_int_equal(replay_init(&replay, few, &err), 0);
    assert_true(replay_go_position(&replay, 0, 0, 1, 1));
    replay_set_phase(&replay, PHASE_MOVE);
    replay_set_lane(&replay, 7);
    assert_int_equal(replay.cursor.warp.steps, 2);
    replay_grow(&replay, more, true, 40);
    assert_true(replay.goes_on);
    assert_int_equal(replay.happened, 40);
    assert_ptr_equal(replay.cursor.trace, more);
    assert_int_equal(replay.cursor.warp.warp, 1);
    assert_int_equal(replay.cursor.warp.steps, 5);
    assert_int_equal(replay.cursor.position, 1);
    assert_int_equal(replay.cursor.step.number, 4);
    assert_int_equal(replay.cursor.phase, PHASE_MOVE);
    assert_int_equal(replay.lane, 7);
    assert_false(replay.live.altered_left > 0);
    replay_apply(&replay, ACTION_PREDICT, 0);
    assert_int_equal(replay.asking.state, PREDICTION_ASKED);
    replay_grow(&replay, few, true, 41); /* even with fewer steps the question stays open */
    assert_int_equal(replay.asking.state, PREDICTION_ASKED);
    replay_grow(&replay, more, false, 15);
    assert_false(replay.goes_on);
    assert_int_equal(replay.asking.state, PREDICTION_ASKED);
    trace_close(few);
    trace_close(more);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_altered), cmocka_unit_test(test_marks_expire),
        cmocka_unit_test(test_place),   cmocka_unit_test(test_amounts),
        cmocka_unit_test(test_prompts), cmocka_unit_test(test_which),
        cmocka_unit_test(test_growth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
