/* The results of each kind of search from several positions, and the message for no result. */
#include "replay/keys/handlers.h"
#include "replay/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { RECORD = 512 };

/* In step n, lane l passes 1000 * n + l and gets the result that the rules define. */
static const struct made {
    enum warp_op op;
    uint32_t launch, warp, site, present;
    int arg;
} steps[] = {
    {WARP_OP_DOWN, 0, 0, 0, UINT32_MAX, 0},   {WARP_OP_XOR, 0, 0, 1, UINT32_MAX, 0},
    {WARP_OP_BALLOT, 0, 0, 2, UINT32_MAX, 0}, {WARP_OP_DOWN, 0, 0, 0, UINT32_MAX, 1},
    {WARP_OP_UP, 0, 1, 3, UINT32_MAX, 0},     {WARP_OP_IDX, 1, 0, 4, UINT32_MAX, 0},
    {WARP_OP_DOWN, 1, 0, 4, 0xffff, 8},
};

static void put(struct trace_writer *writer, const struct made *made, uint32_t number) {
    unsigned char record[RECORD] = {0};
    const int32_t width = made->op <= WARP_OP_XOR ? 32 : 0;
    const struct shflviz_record_header header = {.sequence = trace_writer_next_sequence(writer),
                                                 .launch = made->launch,
                                                 .warp = made->warp,
                                                 .site = made->site,
                                                 .op = (uint8_t)made->op,
                                                 .members = made->present,
                                                 .present = made->present,
                                                 .width = width};
    struct warp_operation operation = {
        .op = made->op, .members = made->present, .present = made->present, .launched = UINT32_MAX};
    struct lane_outcome outcome[WARP_LANES];
    size_t room = 1;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = width;
        operation.arg[lane] = made->arg;
        operation.in[lane] = 1000 * number + (uint64_t)lane;
    }
    warp_outcome(&operation, outcome);
    memcpy(record, &header, sizeof header);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (made->present >> lane & 1) {
            const uint64_t out = outcome[lane].has_value ? outcome[lane].value : 0;
            memcpy(record + 128 + 4 * lane, &operation.arg[lane], 4);
            memcpy(record + 256 + 4 * lane, &operation.in[lane], 4);
            memcpy(record + 384 + 4 * lane, &out, 4);
        }
    void *to = trace_writer_reserve(writer, &room);
    assert_non_null(to);
    memcpy(to, record, RECORD);
}

static struct trace *recording(size_t count) {
    static const struct trace_site sites[] = {{"dir/a.cu", 1, "one", "first()"},
                                              {"dir/a.cu", 2, "one", "second()"},
                                              {"dir/a.cu", 3, "one", "third()"},
                                              {"b.cu", 9, "two", "other()"},
                                              {"b.cu", 12, "two", "last()"}};
    const struct trace_launch launches[] = {{"alpha", {1, 1, 1}, {64, 1, 1}, 0},
                                            {"ns::Beta", {1, 1, 1}, {32, 1, 1}, 0}};
    const struct trace_writer_options options = {.value_bytes = 4};
    struct trace_writer *writer;
    struct trace *trace;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    trace_writer_launch(writer, &launches[0]);
    trace_writer_launch(writer, &launches[1]);
    for (size_t i = 0; i < COUNT(sites); i++)
        trace_writer_site(writer, &sites[i]);
    for (uint32_t i = 0; i < count; i++)
        put(writer, &steps[i], i);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

static void look_for(struct replay *replay, const char *text) {
    replay->message[0] = '\0';
    assert_true(find_open(replay, 0));
    input_set(&replay->input, text);
    assert_true(find_accept(replay, 0));
    assert_int_equal(replay->input.prompt, PROMPT_NONE);
}

static void test_places(void **state) {
    static const struct {
        int from; /* the position in the first warp */
        const char *text;
        uint64_t step;
        int lane;
        enum phase phase;
        const char *message;
    } cases[] = {
        {0, "0", 0, 0, PHASE_BEFORE, ""},
        {0, "5", 0, 5, PHASE_BEFORE, ""},
        {0, "lane 7", 0, 7, PHASE_BEFORE, ""},
        {0, "31", 0, 31, PHASE_BEFORE, ""},
        {0, "32", 0, 2, PHASE_BEFORE,
         "32: lanes are 0 to 31; =32 finds a value, line 32 finds a line"},
        {0, "-1", 0, 2, PHASE_BEFORE,
         "-1: lanes are 0 to 31; =-1 finds a value, line -1 finds a line"},
        {0, "xor", 1, 2, PHASE_BEFORE, ""},
        {0, "XOR", 1, 2, PHASE_BEFORE, ""},
        {0, "line 2", 1, 2, PHASE_BEFORE, ""},
        {0, "LINE 3", 2, 2, PHASE_BEFORE, ""},
        {0, "Second", 1, 2, PHASE_BEFORE, ""},
        {0, "third()", 2, 2, PHASE_BEFORE, ""},
        {0, "down", 3, 2, PHASE_BEFORE, ""},
        {0, "one", 1, 2, PHASE_BEFORE, ""},
        {0, "dir/", 1, 2, PHASE_BEFORE, ""},
        {3, "down", 0, 2, PHASE_BEFORE, "down: continued from the start of this warp"},
        {1, "xor", 1, 2, PHASE_BEFORE, "xor: launch 0 (alpha), block 0, warp 0"},
        {0, "up", 4, 2, PHASE_BEFORE, "up: launch 0 (alpha), block 0, warp 1"},
        {0, "line 9", 4, 2, PHASE_BEFORE, "line 9: launch 0 (alpha), block 0, warp 1"},
        {0, "idx", 5, 2, PHASE_BEFORE, "idx: launch 1 (ns::Beta), block 0, warp 0"},
        {0, "beta", 5, 2, PHASE_BEFORE, "kernel ns::Beta"},
        {0, "alpha", 0, 2, PHASE_BEFORE, "alpha: nothing found in this recording"},
        {0, "line 99", 0, 2, PHASE_BEFORE, "line 99: nothing found in this recording"},
        {0, "line x", 0, 2, PHASE_BEFORE, "line x: nothing found in this recording"},
        {0, "undefined", 6, 8, PHASE_AFTER, "undefined: launch 1 (ns::Beta), block 0, warp 0"},
        /* values that lanes pass or get; the other lanes of this step are searched first */
        {0, "=7", 0, 7, PHASE_BEFORE, ""},
        {0, "=2004", 2, 4, PHASE_BEFORE, ""},
        {0, "value 2004", 2, 4, PHASE_BEFORE, ""},
        {0, "=  2031", 2, 31, PHASE_BEFORE, ""},
        {0, "=1000", 1, 0, PHASE_BEFORE, ""},
        {0, "=3005", 3, 4, PHASE_AFTER, ""}, /* lane 4 gets the value of lane 5 */
        {3, "=3009", 3, 8, PHASE_AFTER, ""},
        {3, "=3003", 3, 3, PHASE_BEFORE, ""}, /* lane 2 comes earlier */
        {3, "=1", 0, 1, PHASE_BEFORE, "=1: continued from the start of this warp"},
        {0, "=5004", 5, 4, PHASE_AFTER, "=5004: launch 1 (ns::Beta), block 0, warp 0"},
        /* Absent lanes do not count as 0. */
        {0, "=0", 0, 0, PHASE_AFTER, "=0: launch 0 (alpha), block 0, warp 0"},
        {0, "=99999", 0, 2, PHASE_BEFORE, "=99999: nothing found in this recording"},
    };
    struct trace *trace = recording(COUNT(steps));
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct replay replay;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        replay_apply(&replay, ACTION_OPERATION_GO, cases[i].from);
        replay.lane = 2;
        look_for(&replay, cases[i].text);
        if (strcmp(replay.message, cases[i].message) != 0 ||
            replay.cursor.step.number != cases[i].step || replay.lane != cases[i].lane ||
            replay.cursor.phase != cases[i].phase)
            fail_msg("%s from %d: step %d, lane %d, phase %d: %s", cases[i].text, cases[i].from,
                     (int)replay.cursor.step.number, replay.lane, (int)replay.cursor.phase,
                     replay.message);
    }
    trace_close(trace);
}

/* A repeated search goes through the warp, then through the other warps, and wraps around. */
static void test_again(void **state) {
    struct trace *trace = recording(COUNT(steps));
    struct replay replay;
    (void)state;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_false(find_next(&replay, 0));
    assert_string_equal(
        replay.message,
        "nothing to look for: / finds a lane, an op, any text, line N, =value, undefined");
    look_for(&replay, "down");
    assert_int_equal(replay.cursor.step.number, 3);
    look_for(&replay, ""); /* the same search once more */
    assert_int_equal(replay.cursor.step.number, 0);
    replay.message[0] = '\0';
    assert_true(find_next(&replay, 0));
    assert_int_equal(replay.cursor.step.number, 3);
    assert_false(find_tick(&replay)); /* no search is in progress */
    find_stop(&replay);
    assert_string_equal(replay.message, "");
    assert_false(find_accept(&replay, 0)); /* no prompt is open */
    trace_close(trace);
    /* A recording of one warp with one step. */
    trace = recording(1);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    look_for(&replay, "down");
    assert_string_equal(replay.message, "down: found only here");
    look_for(&replay, "xor");
    assert_string_equal(replay.message, "xor: nothing found in this recording");
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
