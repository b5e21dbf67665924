/* Looking at a recording without an index, whose warps are found while one looks. */
#include "replay/replay.h"

#include "sample.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = TRACE_STEPS_LISTED_FIRST + 4000 };

/* Three warps take turns in block 0; the last step of all is one of block 1. */
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
        replay_key(replay, *names);
}

static void test_lists_while_idle(void **state) {
    (void)state;
    struct replay replay;
    struct trace_writer *writer;
    struct trace *trace = open_unclosed(&writer);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_true(replay.cursor.listing);
    assert_int_equal(replay_wait(&replay), 0);

    /* What is known moves as ever, and its end is told as what it is. */
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

    /* Time brings the rest; the step looked at stays. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_while_idle),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
