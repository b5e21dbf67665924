/*
 * Rounds of a reduction, a scan, a sort: the shuffles that belong together, and the lanes that
 * contributed to a value. Expected sets are worked out by hand from the algorithms.
 */
#include "replay/pages/rounds.h"
#include "replay/replay.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct trace *open_at(const char *sample, uint64_t position, struct replay *replay,
                             struct rounds *rounds) {
    struct trace *trace = sample_open(sample);
    assert_non_null(trace);
    assert_int_equal(replay_init(replay, trace, NULL), 0);
    assert_true(replay_go_position(replay, 0, 0, 0, position));
    rounds_find(&replay->cursor, rounds);
    return trace;
}

/* xor 16, 8, 4, 2, 1: five rounds, and then the sum is watched. */
static void a_butterfly_gathers_all_lanes(void **state) {
    (void)state;
    for (uint64_t position = 0; position < 6; position++) {
        struct replay replay;
        struct rounds rounds;
        struct trace *trace = open_at("reduce", position, &replay, &rounds);
        assert_int_equal(rounds.count, 5);
        assert_int_equal(rounds.current, position < 5 ? (int)position : 4);
        assert_true(rounds.has_end);
        assert_true(replay.in_rounds);
        assert_true(replay.all_rounds);
        assert_int_equal(replay_view(&replay), VIEW_ROUNDS);
        for (int lane = 0; lane < WARP_LANES; lane++) {
            /* The last round joins two lanes, the last two join four, and so on up to all. */
            assert_int_equal(rounds_ancestors(&rounds, lane, 5, 5), 1u << lane);
            assert_int_equal(rounds_ancestors(&rounds, lane, 5, 4), 3u << (lane & ~1));
            assert_int_equal(rounds_ancestors(&rounds, lane, 5, 3), 0xfu << (lane & ~3));
            assert_int_equal(rounds_ancestors(&rounds, lane, 5, 0), 0xffffffffu);
            /* After the first round, the lane and the lane 16 away have contributed. */
            assert_int_equal(rounds_ancestors(&rounds, lane, 1, 0), 0x10001u << lane % 16);
        }
        trace_close(trace);
    }
}

/* down 16 to 1: a tree whose root is lane 0; lane 31 keeps its own value in every round. */
static void a_tree_leads_to_lane_0(void **state) {
    (void)state;
    struct replay replay;
    struct rounds rounds;
    struct trace *trace = open_at("tree", 2, &replay, &rounds);
    assert_int_equal(rounds.count, 5);
    assert_int_equal(rounds_ancestors(&rounds, 0, 5, 0), 0xffffffffu);
    assert_int_equal(rounds_ancestors(&rounds, 0, 5, 1), 0x0000ffffu);
    assert_int_equal(rounds_ancestors(&rounds, 0, 5, 4), 0x00000003u);
    assert_int_equal(rounds_ancestors(&rounds, 16, 5, 0), 0xffff0000u);
    assert_int_equal(rounds_ancestors(&rounds, 31, 5, 0), 0x80000000u);
    trace_close(trace);
}

/* up 1, 2, 4 in groups of 8: a lane has the values of all smaller lanes in its group. */
static void a_scan_gathers_the_smaller_lanes(void **state) {
    (void)state;
    struct replay replay;
    struct rounds rounds;
    struct trace *trace = open_at("scan", 0, &replay, &rounds);
    assert_int_equal(rounds.count, 3);
    for (int lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(rounds_ancestors(&rounds, lane, 3, 0), ((2u << lane % 8) - 1)
                                                                    << lane / 8 * 8);
    trace_close(trace);
}

/* Pairs are sorted, then groups of four: each value has a single path. */
static void values_that_change_places_have_one_path(void **state) {
    (void)state;
    struct replay replay;
    struct rounds rounds;
    struct trace *trace = open_at("sort", 0, &replay, &rounds);
    assert_int_equal(rounds.count, 3);
    for (int round = 0; round < 3; round++)
        assert_true(rounds.round[round].is_exchange);
    /* 3 2 1 0 -> 2 3 | 1 0 -> with xor 2: 1 0 | 2 3 -> 0 1 2 3. */
    assert_int_equal(rounds_ancestors(&rounds, 0, 3, 0), 1u << 3);
    assert_int_equal(rounds_ancestors(&rounds, 1, 3, 0), 1u << 2);
    assert_int_equal(rounds_ancestors(&rounds, 2, 3, 0), 1u << 1);
    assert_int_equal(rounds_ancestors(&rounds, 3, 3, 0), 1u << 0);
    assert_int_equal(rounds_ancestors(&rounds, 3, 3, 1), 1u << 1);
    trace_close(trace);
}

/* A value and its index: two shuffles of the same distance are one round. */
static void pairs_travel_in_one_round(void **state) {
    (void)state;
    struct replay replay;
    struct rounds rounds;
    struct trace *trace = open_at("pairs", 3, &replay, &rounds);
    assert_int_equal(rounds.count, 2);
    assert_int_equal(rounds.current, 1);
    assert_int_equal(rounds.round[1].first, 2);
    assert_int_equal(rounds.round[1].last, 3);
    /* The values at the cursor are shown: indices, which begin at 100. */
    assert_int_equal(rounds.round[1].operation.in[0], 100);
    trace_close(trace);
}

struct call {
    enum warp_op op;
    int32_t arg, width, arg_of_3; /* lane 3 passes a different argument */
    uint32_t present;
};

/* A recording of these calls, one after the other on the same line. */
static struct trace *made_of(const struct call *calls, size_t count) {
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {"made", {1, 1, 1}, {32, 1, 1}, 0};
    struct trace_writer *writer;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_site(
        writer, &(struct trace_site){.file = "made.cu", .line = 1, .function = "", .text = ""});
    for (size_t i = 0; i < count; i++) {
        size_t room = 1;
        unsigned char *record = trace_writer_reserve(writer, &room);
        const struct shflviz_record_header header = {.op = (uint8_t)calls[i].op,
                                                     .type = WARP_TYPE_INT,
                                                     .members = calls[i].present,
                                                     .present = calls[i].present,
                                                     .width = (int16_t)calls[i].width,
                                                     .sequence =
                                                         trace_writer_next_sequence(writer)};
        for (int lane = 0; lane < WARP_LANES; lane++)
            memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane,
                   lane == 3 ? &calls[i].arg_of_3 : &calls[i].arg, 4);
        memcpy(record, &header, sizeof header);
    }
    struct trace *trace;
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    return trace;
}

/* The rounds at the first step. */
static struct rounds rounds_of(const struct call *calls, size_t count) {
    struct trace *trace = made_of(calls, count);
    struct replay replay;
    struct rounds rounds;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_true(replay_go_position(&replay, 0, 0, 0, 0));
    rounds_find(&replay.cursor, &rounds);
    trace_close(trace);
    return rounds;
}

/* Two calls belong to one round if the same lanes pass the same values. */
static void another_call_is_another_round(void **state) {
    (void)state;
    static const struct call first = {WARP_OP_DOWN, 8, 32, 8, 0xffff};
    static const struct {
        struct call second;
        int rounds;
    } expected[] = {
        {{WARP_OP_DOWN, 8, 32, 8, 0xffff}, 1}, {{WARP_OP_DOWN, 4, 32, 4, 0xffff}, 2},
        {{WARP_OP_DOWN, 8, 16, 8, 0xffff}, 2}, {{WARP_OP_DOWN, 8, 32, 9, 0xffff}, 2},
        {{WARP_OP_DOWN, 8, 32, 8, 0x00ff}, 2}, {{WARP_OP_DOWN, 8, 32, 8, 0x1ffff}, 2},
        {{WARP_OP_UP, 8, 32, 8, 0xffff}, 1},   {{WARP_OP_DOWN, 8, 32, 8, 0xff0000}, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct call calls[] = {first, expected[i].second};
        const struct rounds rounds = rounds_of(calls, 2);
        if (rounds.count != expected[i].rounds)
            fail_msg("%d: %d rounds", (int)i, rounds.count);
        const bool same = i == 0;
        assert_int_equal(rounds.round[0].last, same ? 1 : 0);
    }
}

/* A tree in which half as many lanes continue each time; they pass the same values. */
static void fewer_lanes_are_another_round(void **state) {
    (void)state;
    static const struct call calls[] = {{WARP_OP_DOWN, 1, 32, 1, 0xffffffff},
                                        {WARP_OP_DOWN, 1, 32, 1, 0x0000ffff},
                                        {WARP_OP_DOWN, 1, 32, 1, 0x000000ff},
                                        {WARP_OP_DOWN, 1, 32, 1, 0x0000000f}};
    for (size_t count = 1; count <= 4; count++) {
        const struct rounds rounds = rounds_of(calls, count);
        assert_int_equal(rounds.count, count);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(rounds.round[i].operation.present, calls[i].present);
        assert_false(rounds.has_end);
    }
}

/* A recording that has only three rounds, recognised by their distances, or two rounds and then
 * several watched values. */
static void some_recordings_are_only_rounds(void **state) {
    (void)state;
    const enum warp_op X = WARP_OP_XOR, W = WARP_OP_WATCH;
    const struct {
        struct call calls[4];
        size_t count;
        bool all;
    } expected[] = {
        {{{X, 4, 32, 4, ~0u}}, 1, false},
        {{{X, 4, 32, 4, ~0u}, {X, 2, 32, 2, ~0u}}, 2, false},
        {{{X, 4, 32, 4, ~0u}, {X, 2, 32, 2, ~0u}, {X, 1, 32, 1, ~0u}}, 3, true},
        {{{X, 4, 32, 4, ~0u}, {X, 2, 32, 2, ~0u}, {W, 0, 32, 0, ~0u}}, 3, false},
        {{{X, 4, 32, 4, ~0u}, {X, 2, 32, 2, ~0u}, {W, 0, 32, 0, ~0u}, {W, 0, 32, 0, ~0u}}, 4, true},
        {{{X, 4, 32, 4, ~0u}, {W, 0, 32, 0, ~0u}, {W, 0, 32, 0, ~0u}}, 3, false},
        {{{X, 4, 32, 4, ~0u},
          {X, 2, 32, 2, ~0u},
          {X, 1, 32, 1, ~0u},
          {WARP_OP_DOWN, 8, 32, 8, ~0u}},
         4,
         false},
        {{{WARP_OP_IDX, 4, 32, 4, ~0u}, {X, 4, 32, 4, ~0u}, {X, 2, 32, 2, ~0u}, {X, 1, 32, 1, ~0u}},
         4,
         false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct trace *trace = made_of(expected[i].calls, expected[i].count);
        struct replay replay;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        if (rounds_only(&replay.cursor) != expected[i].all)
            fail_msg("%d", (int)i);
        trace_close(trace);
    }
}

/* Neither a single shuffle nor two unrelated shuffles are rounds. */
static void unrelated_shuffles_are_not_rounds(void **state) {
    (void)state;
    static const char *const samples[] = {"xor-3-w16", "ballot", "barrier", "parted", NULL};
    for (int i = 0; samples[i]; i++) {
        struct replay replay;
        struct rounds rounds;
        struct trace *trace = open_at(samples[i], 0, &replay, &rounds);
        assert_true(rounds.count <= 1);
        assert_false(replay.in_rounds);
        assert_int_equal(replay_view(&replay), VIEW_LANES);
        trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_butterfly_gathers_all_lanes),
        cmocka_unit_test(a_tree_leads_to_lane_0),
        cmocka_unit_test(a_scan_gathers_the_smaller_lanes),
        cmocka_unit_test(values_that_change_places_have_one_path),
        cmocka_unit_test(pairs_travel_in_one_round),
        cmocka_unit_test(another_call_is_another_round),
        cmocka_unit_test(fewer_lanes_are_another_round),
        cmocka_unit_test(some_recordings_are_only_rounds),
        cmocka_unit_test(unrelated_shuffles_are_not_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
