/*
 * Questions drawn at random (draw.h): those of each level, and those asked if a level has none. The
 * generator is the 64-bit generator of Numerical Recipes; only its high bits are used.
 */
#include "teach/draw.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct drawn nothing = {{.kind = QUESTION_NONE}, 0, 0, 0};

static uint64_t below(uint64_t *random, uint64_t count) {
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*random >> 33) % count;
}

/* Questions about results draw a warp, one of its steps and a lane. The sixth step of the sum is
 * not a shuffle, so another step is drawn. */
static void equal_states_draw_equal_questions(void **state) {
    (void)state;
    struct trace *trace = sample_open("reduce");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct draw draw = {&replay, seed};
        struct drawn drawn;
        uint64_t random = seed, position, lane;
        assert_true(draw_question_of(&draw, 3, &nothing, &drawn));
        do {
            below(&random, 1);
            position = below(&random, 6);
            lane = below(&random, 32);
        } while (position == 5);
        assert_int_equal(drawn.question.kind, QUESTION_VALUE);
        assert_int_equal(drawn.question.lane, lane);
        assert_int_equal(drawn.position, position);
        assert_int_equal(drawn.warp, 0);
        assert_int_equal(drawn.hide, 0);
        assert_int_equal(draw.random, random);
        assert_int_equal(replay.cursor.position, position);
    }
    trace_close(trace);
}

/* Nothing is left to chance: the first kind, the first lane and the first step are drawn. */
static void the_first_possible_one_is_asked(void **state) {
    (void)state;
    static const struct {
        const char *sample;
        enum question_kind kind;
    } cases[] = {{"xor-3-w16", QUESTION_SOURCE},
                 {"threads-35", QUESTION_SOURCE},
                 {"any", QUESTION_VALUE},
                 {"match", QUESTION_VALUE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = sample_open(cases[i].sample);
        struct replay replay;
        struct drawn drawn, next;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        struct draw draw = {&replay, 1};
        assert_true(draw_exhaustive(&draw, &nothing, &drawn));
        assert_int_equal(drawn.question.kind, cases[i].kind);
        assert_int_equal(drawn.question.lane, 0);
        assert_int_equal(drawn.warp, 0);
        assert_int_equal(drawn.position, 0);
        assert_int_equal(drawn.hide, 0);
        assert_int_equal(draw.random, 1);
        assert_true(draw_exhaustive(&draw, &drawn, &next)); /* never the last question again */
        assert_int_equal(next.question.kind, cases[i].kind);
        assert_int_equal(next.question.lane, 1);
        trace_close(trace);
    }
}

/* How many of 600 consecutive draws are of each kind, hide something, have an empty set as their
 * answer, or are about a lane that reads itself. */
struct counted {
    unsigned kinds[16], hiding, empty, own;
};

static struct counted count(const char *sample, int level) {
    struct counted counted = {{0}, 0, 0, 0};
    struct trace *trace = sample_open(sample);
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    struct draw draw = {&replay, 42};
    struct drawn last = nothing, drawn;
    for (int i = 0; i < 600; i++) {
        struct answer answer;
        assert_true(draw_question_of(&draw, level, &last, &drawn));
        assert_false(drawn.question.kind == last.question.kind &&
                     drawn.question.lane == last.question.lane && drawn.warp == last.warp &&
                     drawn.position == last.position);
        assert_int_equal(answer_of(replay_subject(&replay), &drawn.question, &answer, NULL), 0);
        assert_in_range(drawn.question.lane, 0, 31);
        if (question_is_set(&drawn.question) && drawn.question.kind != QUESTION_READERS)
            assert_int_equal(drawn.question.lane, 0);
        counted.kinds[drawn.question.kind]++;
        counted.hiding += drawn.hide == REPLAY_HIDES_IN;
        assert_true(drawn.hide == 0 || drawn.hide == REPLAY_HIDES_IN);
        counted.empty += question_is_set(&drawn.question) && answer.lanes == 0;
        counted.own += drawn.question.kind == QUESTION_SOURCE &&
                       replay.cursor.outcome[drawn.question.lane].status != LANE_READ;
        last = drawn;
    }
    trace_close(trace);
    return counted;
}

static void each_level_has_its_questions(void **state) {
    (void)state;
    /* Level 1: lanes well in range. With down 3 at width 16, lanes 13 to 15 are out of range. */
    struct counted counted = count("down-3-w16", 1);
    assert_int_equal(counted.kinds[QUESTION_SOURCE], 600);
    assert_int_equal(counted.own, 0);
    /* Level 2: lanes that are not well in range. */
    counted = count("down-3-w16", 2);
    assert_int_equal(counted.kinds[QUESTION_SOURCE], 600);
    assert_int_equal(counted.own, 600);
    counted = count("down-3-w16", 3);
    assert_int_equal(counted.kinds[QUESTION_VALUE], 600);
    assert_int_equal(counted.hiding, 0);
    /* Level 4: sets. Readers are drawn twice as often as any other kind; three kinds are empty
     * here, and are kept once in six draws: the last term of 2/6 + 1/6 + 3/6 * 1/6 is a seventh of
     * the sum. But no question is asked twice in a row, and these three kinds and `changed` have
     * one question each. */
    counted = count("xor-3-w16", 4);
    assert_int_equal(counted.kinds[QUESTION_READERS] + counted.kinds[QUESTION_OWN] +
                         counted.kinds[QUESTION_UNDEFINED] + counted.kinds[QUESTION_CHANGED] +
                         counted.kinds[QUESTION_ABSENT],
                     600);
    assert_in_range(counted.empty, 50, 130);
    assert_in_range(counted.kinds[QUESTION_READERS], 300, 420);
    /* Level 5: values after several rounds, with the inputs hidden. */
    counted = count("reduce", 5);
    assert_true(counted.hiding > 300);
    assert_true(counted.kinds[QUESTION_VALUE] >= counted.hiding);
}

/* Instead of a level without questions, a lower level is used, or else a higher level. */
static void a_level_without_questions(void **state) {
    (void)state;
    struct counted counted = count("xor-3-w16", 2); /* all questions are plain */
    assert_int_equal(counted.kinds[QUESTION_SOURCE], 600);
    assert_int_equal(counted.own, 0);
    /* No question is plain: at width 1, odd lanes read an earlier group, even lanes themselves. */
    counted = count("width-1", 1);
    assert_int_equal(counted.kinds[QUESTION_SOURCE], 600);
    assert_in_range(counted.own, 250, 350);
    counted = count("xor-3-w16", 5); /* one round, one argument: sets, which are level 4 */
    assert_int_equal(counted.kinds[QUESTION_VALUE], 0);
    assert_int_equal(counted.kinds[QUESTION_SOURCE], 0);
    counted = count("any", 1); /* no shuffle at all */
    assert_int_equal(counted.kinds[QUESTION_SOURCE], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_states_draw_equal_questions),
        cmocka_unit_test(the_first_possible_one_is_asked),
        cmocka_unit_test(each_level_has_its_questions),
        cmocka_unit_test(a_level_without_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
