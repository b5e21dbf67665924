/* The subjects of a quiz: kernels with arguments that suit the level, a lesson's recordings in
 * turn, a user program's, a file. */
#include "launch/quiz_source.h"

#include "lesson/lesson.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static void questions_suit_the_level(void **state) {
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

/* At the highest level an argument is drawn for each lane, and whole kernels are drawn, too. */
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

/* From level 3 on, one launch in three has more threads than a warp, and one in three of the others
 * has its own mask, to within three standard deviations in 2700 draws. */
static void every_third_launch_is_partial(void **state) {
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
    /* A lesson's recordings come one after the other, then start over from the first. */
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
    source = source_of("./no-such-file.svt", 1); /* it is looked up when needed */
    assert_true(source.is_file);
    assert_false(quiz_source_has_more(&source));
    assert_int_equal(quiz_source_next(&source, 1, &trace, &err), -1);
    assert_non_null(strstr(err.text, "no-such-file.svt"));
}

/* ---- names ---- */

static void similar_names_are_suggested(void **state) {
    static const struct {
        const char *typed, *words;
    } cases[] = {
        {"xro", "xro: no kernel, lesson or file of that name; did you mean 'xor'?\n"},
        {"wave46", "wave46: no kernel, lesson or file of that name; did you mean 'wave64'?\n"},
        {"five-bit", "five-bit: no kernel, lesson or file of that name; "
                     "did you mean 'five-bits'?\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct quiz_source source;
        struct error err = ERROR_INIT;
        assert_int_equal(quiz_source_init(&source, cases[i].typed, 1, &err), -1);
        if (err.kind != ERROR_USAGE || strncmp(err.text, cases[i].words, strlen(cases[i].words)))
            fail_msg("%s", err.text);
    }
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        struct quiz_source source = source_of(lesson->name, 1);
        if (source.is_kernel) /* the file takes precedence: there is an xor of each kind */
            assert_null(source.lesson);
        else
            assert_ptr_equal(source.lesson, lesson);
        assert_int_equal(quiz_source_has_more(&source), source.is_kernel || lesson->run_count > 1);
    }
}

/* ---- missed questions ---- */

static size_t beat_of(const struct lesson *lesson, const char *id) {
    size_t beat = 0;
    while (strcmp(lesson->beats[beat].id, id) != 0)
        beat++;
    return beat;
}

/* Only missed questions count; the lesson counts, too, if an older file does not name them all. */
static void what_was_missed(void **state) {
    static const struct {
        unsigned asked, right;
        const char *questions;
        size_t missed;
        const char *beat; /* of the last missed question; NULL: not known */
    } cases[] = {{0, 0, NULL, 0, NULL},
                 {1, 0, "-first-partner", 1, "first-partner"},
                 {1, 0, "~first-partner", 0, NULL},
                 {1, 1, "+first-partner", 0, NULL},
                 {1, 0, "-start", 0, NULL},   /* which asks nothing */
                 {1, 0, "-no-such", 1, NULL}, /* no longer in the lesson */
                 {2, 1, "+first-partner", 1, NULL},
                 {2, 1, "", 1, NULL},
                 {2, 2, "", 0, NULL},
                 {3, 1, "-first-partner", 2, NULL}};
    const struct lesson *lesson = lesson_built_in_find("butterfly-max");
    char name[] = "butterfly-max", questions[80];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lesson_progress known = {
            .lesson = name, .asked = cases[i].asked, .right = cases[i].right};
        if (cases[i].questions)
            known.questions = strcpy(questions, cases[i].questions);
        const struct progress progress = {&known, 1, 0};
        struct quiz_source source = source_of(NULL, 1);
        quiz_source_prefer(&source, &progress);
        if (source.missed_count != cases[i].missed)
            fail_msg("%zu: %zu", i, source.missed_count);
        if (!cases[i].missed)
            continue;
        const struct quiz_missed *last = &source.missed[cases[i].missed - 1];
        assert_ptr_equal(last->lesson, lesson);
        assert_ptr_equal(last->beat,
                         cases[i].beat ? &lesson->beats[beat_of(lesson, cases[i].beat)] : NULL);
    }
}

static char *all_missed(const struct lesson *lesson, size_t *count) {
    struct text questions = TEXT_INIT;
    for (size_t k = 0; k < lesson->beat_count; k++)
        if (lesson->beats[k].ask.kind != QUESTION_NONE) {
            progress_note(&questions, lesson->beats[k].id, BEAT_REVEALED);
            ++*count;
        }
    return text_detach(&questions);
}

/* There is room for QUIZ_SOURCE_WEAK questions; the others wait. */
static void more_missed_than_there_is_room_for(void **state) {
    struct lesson_progress known[40] = {{0}};
    const size_t lessons = lesson_built_in_count();
    size_t count = 0;
    (void)state;
    assert_in_range(lessons, 1, 40);
    for (size_t i = 0; i < lessons; i++) {
        known[i].lesson = lesson_built_in(i)->name;
        known[i].questions = all_missed(lesson_built_in(i), &count);
    }
    const struct progress progress = {known, lessons, 0};
    struct quiz_source source = source_of(NULL, 1);
    assert_true(count > QUIZ_SOURCE_WEAK);
    quiz_source_prefer(&source, &progress);
    assert_int_equal(source.missed_count, QUIZ_SOURCE_WEAK);
    for (size_t i = 0; i < QUIZ_SOURCE_WEAK; i++) {
        assert_non_null(source.missed[i].beat);
        assert_int_not_equal(source.missed[i].beat->ask.kind, QUESTION_NONE);
        for (size_t k = 0; k < i; k++)
            assert_ptr_not_equal(source.missed[i].beat, source.missed[k].beat);
    }
    for (size_t i = 0; i < lessons; i++)
        free(known[i].questions);
}

/* Every other recording is that of a missed question; each of these is drawn once. */
static void missed_questions_come_in_turn(void **state) {
    const struct lesson *lesson = lesson_built_in_find("butterfly-max");
    size_t count = 0;
    unsigned seen = 0;
    struct lesson_progress known = {.lesson = lesson->name,
                                    .questions = all_missed(lesson, &count)};
    const struct progress progress = {&known, 1, 0};
    struct quiz_source source = source_of(NULL, 9);
    (void)state;
    assert_in_range(count, 2, 30);
    quiz_source_prefer(&source, &progress);
    assert_int_equal(source.missed_count, count);
    for (size_t i = 0; i < 2 * count + 4; i++) {
        struct trace *trace = next(&source, 1);
        const bool is_missed = i % 2 == 0 && i < 2 * count;
        assert_int_equal(source.wanted.beat != NULL, is_missed);
        if (is_missed) {
            const struct lesson_beat *beat = source.wanted.beat;
            assert_ptr_equal(source.wanted.lesson, lesson);
            const unsigned bit = 1u << (beat - lesson->beats);
            assert_int_equal(seen & bit, 0);
            seen |= bit;
            const char *kernel = lesson->runs[beat->show.run].kernel;
            assert_non_null(strstr(trace_note(trace, TRACE_NOTE_COMMAND), kernel));
            if (lesson->runs[beat->show.run].launch[0])
                assert_non_null(strstr(trace_note(trace, TRACE_NOTE_COMMAND),
                                       lesson->runs[beat->show.run].launch));
        }
        trace_close(trace);
    }
    assert_int_equal(__builtin_popcount(seen), count);
    free(known.questions);
    /* If the question is not known, the lesson is used every other time. */
    known = (struct lesson_progress){.lesson = lesson->name, .asked = 2, .right = 1};
    source = source_of(NULL, 9);
    quiz_source_prefer(&source, &progress);
    for (size_t i = 0; i < 6; i++) {
        trace_close(next(&source, 1));
        assert_null(source.wanted.beat);
        assert_ptr_equal(source.wanted.lesson, i % 2 == 0 ? lesson : NULL);
    }
}

/* A missed question, once answered, counts as answered with help. */
static void an_answer_is_recorded(void **state) {
    char folder[] = "/tmp/shflviz-mended-XXXXXX", name[] = "butterfly-max", beat[] = "",
         questions[] = "-first-partner";
    const struct lesson *lesson = lesson_built_in_find(name);
    const struct lesson_progress known = {
        .lesson = name, .beat = beat, .beats = 9, .asked = 1, .questions = questions};
    struct progress progress;
    struct error err = ERROR_INIT;
    (void)state;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_STATE_HOME", folder, 1);
    char *path = progress_path();
    assert_int_equal(progress_make_folders(path, &err), 0);
    assert_int_equal(progress_store(path, &known, &err), 0);
    struct quiz_source source = source_of(NULL, 1);
    for (int answered = 0; answered < 2; answered++) {
        assert_int_equal(quiz_source_mark_solved(&source, &err), 0);
        assert_int_equal(progress_load(&progress, path, &err), 0);
        assert_int_equal(progress_result(progress_find(&progress, name), "first-partner"),
                         answered ? BEAT_HINTED : BEAT_REVEALED);
        progress_release(&progress);
        source.wanted =
            (struct quiz_missed){lesson, &lesson->beats[beat_of(lesson, "first-partner")]};
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* which cannot be written */
    assert_int_equal(quiz_source_mark_solved(&source, &err), -1);
    free(path);
    char command[80];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* Everything that a level may contain occurs: groups, arguments, members, whole kernels. */
static void everything_occurs(void **state) {
    struct quiz_source source = source_of("xor", 5);
    (void)state;
    for (int level = 1; level <= 3; level++) {
        uint64_t arguments = 0, widths = 0, threads = 0;
        for (int i = 0; i < (level < 3 ? 200 : 600); i++) {
            struct trace *trace = next(&source, level);
            struct trace_step step;
            assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
            arguments |= UINT64_C(1) << step.operation.arg[0];
            widths |= step.operation.width[0];
            threads |= UINT64_C(1) << (trace_launch(trace, 0)->block[0] - 1);
            if (level < 3 || strstr(trace_note(trace, TRACE_NOTE_COMMAND), " --members "))
                assert_true(step.operation.members & 1); /* lane 0 is always there */
            trace_close(trace);
        }
        assert_int_equal(widths, level == 1 ? 32 | 16 : 32 | 16 | 8 | 4);
        assert_true(arguments == (level < 3 ? UINT64_C(0xfffffffe) : UINT64_C(0xfffffffffe)));
        /* 32, and from level 3 on 33 to 63 */
        assert_true(threads == (level < 3 ? UINT64_C(1) << 31 : UINT64_C(0x7fffffff80000000)));
    }
    static const char *const kernels[] = {
        "idx",           "up", "down", "xor", "scan-8", "reduce-down-sum", "reduce-xor-max",
        "reduce-xor-sum"};
    unsigned seen = 0;
    source = source_of(NULL, 2);
    for (int i = 0; i < 60; i++) {
        struct trace *trace = next(&source, 5);
        const char *command = trace_note(trace, TRACE_NOTE_COMMAND);
        for (size_t k = 0; k < 8; k++) {
            const char *at = strstr(command, kernels[k]);
            if (at && at[-1] == ' ' && at[strlen(kernels[k])] == ' ')
                seen |= 1u << k;
        }
        trace_close(trace);
    }
    assert_int_equal(seen, 0xff);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_suit_the_level),
        cmocka_unit_test(the_highest_level),
        cmocka_unit_test(every_third_launch_is_partial),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(kernels_and_lessons),
        cmocka_unit_test(programs_and_files),
        cmocka_unit_test(similar_names_are_suggested),
        cmocka_unit_test(what_was_missed),
        cmocka_unit_test(more_missed_than_there_is_room_for),
        cmocka_unit_test(missed_questions_come_in_turn),
        cmocka_unit_test(an_answer_is_recorded),
        cmocka_unit_test(everything_occurs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
