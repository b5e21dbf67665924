/* What a quiz asks about: kernels with arguments that suit the level, a lesson's recordings in
 * turn, a program's own, a file. */
#include "launch/quiz_source.h"

#include "lesson/lesson.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct quiz_source source_of(const char *name, uint64_t seed) {
    struct quiz_source source;
    struct error err = ERROR_INIT;
    if (quiz_source_init(&source, name, seed, &err) != 0)
        fail_msg("%s: %s", name ? name : "anything", err.text);
    return source;
}

static struct trace *next(struct quiz_source *source, int level) {
    struct error err = ERROR_INIT;
    struct trace *trace = NULL;
    if (quiz_source_next(source, level, &trace, &err) != 0)
        fail_msg("level %d: %s", level, err.text);
    assert_true(trace_step_count(trace) > 0);
    return trace;
}

/* The first step's arguments and width are within these bounds. */
static void anything_suits_the_level(void **state) {
    (void)state;
    static const struct {
        int level;
        int32_t most; /* of an argument */
        bool only_full_warps;
    } levels[] = {{1, 31, true}, {2, 31, true}, {3, 39, false}, {4, 39, false}};
    for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
        struct quiz_source source = source_of(NULL, 7 + l);
        unsigned narrow = 0, partial = 0, operations = 0;
        assert_true(quiz_source_has_more(&source));
        for (int i = 0; i < 60; i++) {
            struct trace *trace = next(&source, levels[l].level);
            struct trace_step step;
            assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
            const struct warp_operation *operation = &step.operation;
            assert_true(operation->op <= WARP_OP_XOR);
            operations |= 1u << operation->op;
            assert_in_range(operation->arg[0], 1, levels[l].most);
            if (levels[l].level == 1) /* within a group */
                assert_true(operation->width[0] >= 16 && operation->arg[0] < operation->width[0]);
            narrow += operation->width[0] < 16;
            partial +=
                operation->members != WARP_FULL_MASK || trace_launch(trace, 0)->block[0] > 32;
            trace_close(trace);
        }
        assert_int_equal(operations, 0xf); /* each of the four shuffles */
        assert_int_equal(narrow > 0, levels[l].level > 1);
        assert_int_equal(partial > 0, !levels[l].only_full_warps);
    }
}

/* At the highest level an argument is drawn for each lane, and whole kernels come, too. */
static void the_highest_level(void **state) {
    (void)state;
    struct quiz_source source = source_of(NULL, 3);
    unsigned differ = 0, several = 0;
    for (int i = 0; i < 40; i++) {
        struct trace *trace = next(&source, 5);
        struct trace_step step;
        int32_t agreed;
        assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
        differ += !warp_agree(step.operation.arg, step.operation.present, &agreed);
        several += trace_step_count(trace) > 3;
        trace_close(trace);
    }
    assert_true(differ > 0 && several > 0);
}

/* From level 3 on every third launch has more than a warp of threads, and of the others every third
 * a mask of its own; within three standard deviations of 2700 draws. */
static void every_third_launch_is_not_whole(void **state) {
    (void)state;
    struct quiz_source source = source_of("xor", 11);
    int threads = 0, members = 0;
    for (int i = 0; i < 2700; i++) {
        struct trace *trace = next(&source, 3);
        const char *command = trace_note(trace, TRACE_NOTE_COMMAND);
        threads += strstr(command, " --threads ") != NULL;
        members += strstr(command, " --members ") != NULL;
        trace_close(trace);
    }
    assert_in_range(threads, 900 - 73, 900 + 73);
    assert_in_range(members, 600 - 64, 600 + 64);
}

static void the_same_seed_gives_the_same(void **state) {
    (void)state;
    struct quiz_source one = source_of("down", 5), other = source_of("down", 5);
    for (int i = 0; i < 5; i++) {
        struct trace *a = next(&one, 3), *b = next(&other, 3);
        assert_string_equal(trace_note(a, TRACE_NOTE_COMMAND), trace_note(b, TRACE_NOTE_COMMAND));
        assert_non_null(strstr(trace_note(a, TRACE_NOTE_COMMAND), "shflviz down "));
        trace_close(a);
        trace_close(b);
    }
}

static void kernels_and_lessons(void **state) {
    (void)state;
    struct quiz_source kernel = source_of("reduce-xor-sum", 1);
    assert_true(kernel.is_kernel && quiz_source_has_more(&kernel));
    struct trace *trace = next(&kernel, 2);
    assert_non_null(strstr(trace_note(trace, TRACE_NOTE_COMMAND), "--in random:"));
    trace_close(trace);
    /* A lesson's recordings come one after the other, and again from the first. */
    struct quiz_source lesson = source_of("butterfly-max", 1);
    assert_non_null(lesson.lesson);
    assert_int_equal(quiz_source_has_more(&lesson), lesson.lesson->run_count > 1);
    char *first = NULL;
    for (size_t i = 0; i <= lesson.lesson->run_count; i++) {
        trace = next(&lesson, 1);
        if (i == 0)
            first = strdup(trace_note(trace, TRACE_NOTE_COMMAND));
        else if (i == lesson.lesson->run_count)
            assert_string_equal(trace_note(trace, TRACE_NOTE_COMMAND), first);
        trace_close(trace);
    }
    free(first);
}

static void programs_and_files(void **state) {
    (void)state;
    struct quiz_source source, kernel = source_of("xor", 1);
    struct error err = ERROR_INIT;
    struct trace *made = next(&kernel, 1), *trace = NULL;
    quiz_source_init_program(&source, made);
    assert_false(quiz_source_has_more(&source));
    assert_int_equal(quiz_source_next(&source, 1, &trace, &err), 0);
    assert_ptr_equal(trace, made);
    trace_close(trace);
    assert_int_equal(quiz_source_init(&source, "no-such-thing", 1, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "no-such-thing"));
    source = source_of("./no-such-file.svt", 1); /* it is looked for when it is wanted */
    assert_true(source.is_file);
    assert_false(quiz_source_has_more(&source));
    assert_int_equal(quiz_source_next(&source, 1, &trace, &err), -1);
    assert_non_null(strstr(err.text, "no-such-file.svt"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anything_suits_the_level),
        cmocka_unit_test(the_highest_level),
        cmocka_unit_test(every_third_launch_is_not_whole),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(kernels_and_lessons),
        cmocka_unit_test(programs_and_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
