/*
 * The course does not repeat itself. The rule behind a question is determined from its recording;
 * the whole course has only a few questions for each rule. A further question must use another
 * rule, or replace another question.
 */
#include "launch/course.h"
#include "oracle.h"
#include "teach/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ASKED_MOST 3

enum rule {
    OTHER,            /* a value or a source that has to be worked out */
    KEEPS_OWN,        /* out of range: its own value */
    WRAPS,            /* srcLane beyond the width wraps around */
    READS_NOBODY,     /* the result of a lane that reads an absent lane */
    WHO_READS_NOBODY, /* undefined lanes: they read a lane that does not call */
    NO_WIDTH,         /* the width is not a defined width */
    READ_BY_NONE,
    READ_BY_ALL,
    NOT_NAMED,   /* undefined lanes: a caller is not in its own mask */
    NOT_CALLING, /* undefined lanes: a named lane does not call */
    NO_MASK,     /* undefined lanes: the mask names no lane */
    IS_DEFINED,  /* undefined lanes: none */
    RULES
};
static const char *const names[RULES] = {"another",          "out of range keeps its own",
                                         "srcLane wraps",    "reads nobody",
                                         "who reads nobody", "no such width",
                                         "read by nobody",   "read by all",
                                         "not named",        "named and absent",
                                         "an empty mask",    "nothing is undefined"};

static enum rule rule_of_sets(const struct warp_operation *operation, const struct question *ask) {
    const uint32_t lanes = oracle_set(operation, ask);
    switch (ask->kind) {
    case QUESTION_OWN:
        return lanes ? KEEPS_OWN : OTHER;
    case QUESTION_READERS:
        return lanes == 0 ? READ_BY_NONE : lanes == operation->present ? READ_BY_ALL : OTHER;
    case QUESTION_UNDEFINED:
        return !lanes                                     ? IS_DEFINED
               : !operation->members                      ? NO_MASK
               : operation->present & ~operation->members ? NOT_NAMED
               : operation->members & ~operation->present ? NOT_CALLING
                                                          : WHO_READS_NOBODY;
    default:
        return OTHER;
    }
}

static enum rule rule_of(const struct warp_operation *operation, const struct question *ask) {
    struct oracle_lane lanes[32];
    if (question_is_code(ask) || !warp_op_info(operation->op)->is_shuffle)
        return OTHER;
    if (question_is_set(ask))
        return rule_of_sets(operation, ask);
    oracle_shuffle(operation, lanes);
    const int32_t wanted = operation->arg[ask->lane], width = operation->width[ask->lane];
    if (!warp_width_is_defined(width))
        return NO_WIDTH;
    if (lanes[ask->lane].undefined)
        return READS_NOBODY;
    if (lanes[ask->lane].own)
        return KEEPS_OWN;
    return operation->op == WARP_OP_IDX && (wanted < 0 || wanted >= width) ? WRAPS : OTHER;
}

static void no_rule_is_asked_for_too_often(void **state) {
    unsigned asked[RULES] = {0}, wrong = 0;
    (void)state;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        struct course_recordings recordings;
        struct error err = ERROR_INIT;
        if (course_record(lesson, NULL, &recordings, &err) != 0)
            fail_msg("%s: %s", lesson->name, err.text);
        for (size_t b = 0; b < lesson->beat_count; b++) {
            const struct lesson_beat *beat = &lesson->beats[b];
            struct replay replay;
            if (beat->ask.kind == QUESTION_NONE)
                continue;
            if (scene_open(&replay, recordings.traces[beat->show.run], &beat->show, &err) != 0)
                fail_msg("%s, beat '%s': %s", lesson->name, beat->id, err.text);
            const enum rule rule = rule_of(&replay.cursor.step.operation, &beat->ask);
            asked[rule]++;
            if (rule != OTHER)
                print_message("%s %u: %s, beat '%s'\n", names[rule], asked[rule], lesson->name,
                              beat->id);
            wrong += rule != OTHER && asked[rule] > ASKED_MOST;
        }
        course_release(&recordings);
    }
    /* All rules occur, so the test has recognised them. */
    assert_int_equal(asked[KEEPS_OWN], ASKED_MOST);
    for (int rule = 0; rule < RULES; rule++)
        assert_true(asked[rule] > 0);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_rule_is_asked_for_too_often)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
