/* Long recordings are listed while they are shown. */
#include "replay/pages/rounds.h"
#include "replay/replay.h"

#include "sample.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = TRACE_STEPS_LISTED_FIRST + 4000 };

/* Three warps take turns in block 0; the very last step belongs to block 1. */
static struct trace *open_unclosed(struct trace_writer **writer) {
    struct trace *trace;
    const char *path = sample_path("unclosed.svt");
    struct sample_where *where = malloc(STEPS * sizeof(*where));
    for (uint32_t n = 0; n < STEPS; n++)
        where[n] = (struct sample_where){0, 0, n % 3};
    where[STEPS - 1] = (struct sample_where){0, 1, 0};
    *writer = sample_writer(path, 4);
    sample_steps_at(*writer, 4, where, STEPS);
    free(where);
    assert_int_equal(trace_open(&trace, sample_partial("unclosed.svt"), NULL), 0);
    return trace;
}

static void keys(struct replay *replay, const char *names[]) {
    for (; *names; names++)
        replay_key(replay, replay_press(replay, *names));
}

static void test_lists_while_idle(void **state) {
    (void)state;
    struct replay replay;
    struct trace_writer *writer;
    struct trace *trace = open_unclosed(&writer);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_true(replay.cursor.listing);
    assert_int_equal(replay_wait(&replay), 0);

    /* Movement in the known part works as usual, and the end of this part is named correctly. */
    keys(&replay, (const char *[]){"w", "G", "n", NULL});
    assert_string_equal(replay.message,
                        "last operation of this warp so far: w shows the next warp");
    assert_int_equal(replay.cursor.step.warp, 1);
    assert_int_equal(replay.cursor.position + 1, replay.cursor.warp.steps);
    assert_in_range(replay.cursor.step.number, TRACE_STEPS_LISTED_FIRST - 3,
                    TRACE_STEPS_LISTED_FIRST);
    keys(&replay, (const char *[]){"B", NULL});
    assert_string_equal(replay.message, "first block of this recording");
    keys(&replay, (const char *[]){"b", NULL});
    assert_string_equal(replay.message, "last block of this recording so far");

    /* Ticks list the rest; the current step does not change. */
    uint64_t number = replay.cursor.step.number, position = replay.cursor.position;
    uint64_t ticks = 0, known = replay.cursor.warp.steps;
    while (replay.cursor.listing) {
        replay_tick(&replay, 0);
        assert_true(++ticks < 100);
    }
    assert_true(ticks > 1);
    assert_int_equal(replay_wait(&replay), -1);
    assert_int_equal(replay.cursor.step.number, number);
    assert_int_equal(replay.cursor.position, position);
    assert_true(replay.cursor.warp.steps > known);
    keys(&replay, (const char *[]){"b", NULL});
    assert_int_equal(replay.cursor.step.number, STEPS - 1);
    keys(&replay, (const char *[]){"n", NULL});
    assert_string_equal(replay.message, "last operation of this warp");
    trace_close(trace);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
}

static void look_for(struct replay *replay, const char *text) {
    replay_key(replay, replay_press(replay, "/"));
    for (; *text; text++)
        replay_key(replay, replay_press(replay, (char[]){*text, '\0'}));
    replay_key(replay, replay_press(replay, "Enter"));
}

/* Continues until the search is finished; returns the number of ticks. */
static int tick_until_done(struct replay *replay) {
    int ticks = 0;
    for (; replay_wait(replay) == 0; ticks++) {
        replay_tick(replay, 0);
        assert_true(ticks < 100);
    }
    return ticks;
}

static void test_searches_while_idle(void **state) {
    (void)state;
    struct replay replay;
    struct trace *trace;
    sample_file(sample_path("long.svt"), 4, 60003);
    assert_int_equal(trace_open(&trace, sample_path("long.svt"), NULL), 0);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);

    /* Lane 5 passes this value in step 50000; 20000 steps are searched at a time. */
    look_for(&replay, "=5000005");
    assert_string_equal(replay.message,
                        "=5000005: 33% of the steps searched so far; any key stops the search");
    assert_int_equal(replay.cursor.step.number, 0);
    keys(&replay, (const char *[]){"Escape", NULL});
    assert_string_equal(replay.message,
                        "=5000005: not found in the next 20000 steps; press ; to continue");
    assert_int_equal(replay_wait(&replay), -1);
    keys(&replay, (const char *[]){";", NULL});
    assert_string_equal(replay.message,
                        "=5000005: 66% of the steps searched so far; any key stops the search");
    assert_int_equal(tick_until_done(&replay), 1);
    assert_int_equal(replay.cursor.step.number, 50000);
    assert_int_equal(replay.lane, 5);
    assert_string_equal(replay.message, "=5000005: launch 0 (sample), block 0, warp 2");

    /* The search wraps around to where it started, and goes no further. */
    look_for(&replay, "=6000301");
    assert_int_equal(tick_until_done(&replay), 3);
    assert_int_equal(replay.cursor.step.number, 50000);
    assert_string_equal(replay.message, "=6000301: nothing found in this recording");
    trace_close(trace);
}

/* 100 rounds in one loop, xor 1 and xor 2 in turn: the rounds up to the current one are shown. */
static void test_a_long_series_shows_the_current_round(void **state) {
    (void)state;
    enum { SERIES = 100 };
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(sample_path("series.svt"), 4);
    size_t room = 0;
    unsigned char *record = NULL;
    for (uint32_t n = 0; n < SERIES; n++, room--, record += SHFLVIZ_RECORD_SIZE(4)) {
        if (room == 0)
            record = trace_writer_reserve(writer, &room);
        sample_record(record, 4, n, (struct sample_where){0, 0, 0});
        for (int lane = 0; lane < WARP_LANES; lane++) {
            const int32_t mask = n % 2 ? 2 : 1;
            memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, &mask, 4);
        }
    }
    assert_int_equal(trace_writer_close(writer, NULL, &err), 0);
    struct trace *trace;
    assert_int_equal(trace_open(&trace, sample_path("series.svt"), &err), 0);
    for (uint64_t position = 0; position < SERIES; position++) {
        struct replay replay;
        struct rounds rounds;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        assert_true(replay_go_position(&replay, 0, 0, 0, position));
        rounds_find(&replay.cursor, &rounds);
        const uint64_t first = position < ROUNDS_MAX ? 0 : position - (ROUNDS_MAX - 1);
        assert_int_equal(rounds.count, ROUNDS_MAX);
        assert_int_equal(rounds.round[0].first, first);
        assert_int_equal(rounds.round[rounds.current].first, position);
        assert_int_equal(rounds.before, first > 0);
        assert_int_equal(rounds.after, first + ROUNDS_MAX < SERIES);
    }
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_while_idle),
        cmocka_unit_test(test_searches_while_idle),
        cmocka_unit_test(test_a_long_series_shows_the_current_round),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
