/*
 * The content of a beat, and the values that its texts name: the words of each refusal, and both
 * sides of each boundary. The first run of the lesson is xor 3 in groups of 16, `sum` a sum in six
 * steps, `part` lanes 0 to 7 reading lane + 4.
 */
#include "teach/scene.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct trace *traces[4];
static struct lesson *lesson;

static int set_up(void **state) {
    static const struct lesson_source source = {
        "en", "en.md",
        "---\ntitle: T\nkernel: xor\nlaunch: --mask 3\nkernel sum: reduce\n"
        "kernel part: down\nlaunch part: --delta 4\nkernel none: up\n---\n"
        "## A {#a}\na\n## B {#b}\n```show\nrun: sum\nstep: 2\n```\nb\n"};
    static const char *const samples[] = {"xor-3-w16", "reduce", "partial-mask"};
    (void)state;
    for (int i = 0; i < 3; i++)
        traces[i] = sample_open(samples[i]); /* `none` has no recording */
    return lesson_parse(&lesson, "t", &source, 1, NULL);
}

static int tear_down(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        trace_close(traces[i]);
    lesson_free(lesson);
    return 0;
}

#define STEPS "allowed: @ 5, @ last, @ RUN:5, @ RUN:last"

static void placeholders_have_a_value_or_a_reason(void **state) {
    static const struct {
        const char *placeholder, *value, *reason; /* one of the two is NULL */
    } cases[] = {
        {"in 0", "0", NULL},
        {"in 31", "31", NULL},
        {"in 32", NULL, "'32' is not a lane: lanes are 0 to 31"},
        {"in -1", NULL, "'-1' is not a lane: lanes are 0 to 31"},
        {"in 5x", NULL, "'5x' is not a lane: lanes are 0 to 31"},
        {"in 9", "9", NULL},
        {"readers 32", NULL, "'32' is not a lane: lanes are 0 to 31"},
        {"readers 0", "3", NULL},
        {"  in   5  ", "5", NULL},
        {"in 5 6", NULL, "'in 5 6' is not a placeholder"},
        {"", NULL, "'' is not a placeholder; allowed: in, out, source"},
        {"widt", NULL, "'widt' is not a placeholder; did you mean 'width'?"},
        {"width 5", NULL, "'width 5' is not a placeholder"},
        {"lanes", NULL, "'lanes' is not a placeholder"},
        {"lanes own", "none", NULL},
        {"members", "0xffffffff", NULL},
        {"width", "16", NULL},
        {"steps", "1", NULL},
        {"steps @ sum:1", "6", NULL},
        {"device", "CPU warp", NULL},
        {"kernel @ sum:1", "warp_sum", NULL},
        {"out 0 @ sum:1", "16", NULL},
        {"out 0 @sum:1", "16", NULL},
        {"in 0 @ sum:6", "496", NULL},
        {"in 0 @ sum:last", "496", NULL},
        {"in 0 @ sum:7", NULL, "there is no step 7: the warp has 6"},
        {"in 0 @ sum:0", NULL, "'@ sum:0' does not name a step; " STEPS},
        {"in 0 @ sum:1x", NULL, "'@ sum:1x' does not name a step; " STEPS},
        {"in 0 @ sum:", NULL, "'@ sum:' does not name a step; " STEPS},
        {"in 0 @", NULL, "'@ ' does not name a step; " STEPS},
        {"in 0 @ 1", "0", NULL},
        {"in 0 @ 9", NULL, "there is no step 9: the warp has 1"},
        {"in 0 @ su:1", NULL, "there is no run 'su'"},
        {"in 0 @ sums:1", NULL, "there is no run 'sums'"},
        {"in 0 @ first:1", "0", NULL},
        {"in 0 @ none:1", NULL, "there is no recording of this run"},
        {"status 7 @ part:1", "undefined", NULL},
        {"status 8 @ part:1", "absent", NULL},
        {"group 8 @ part:1", "A", NULL},
        {"in 7 @ part:1", "7", NULL},
        {"in 8 @ part:1", NULL, "lane 8 makes no call at this step"},
        {"out 3 @ part:1", "7", NULL},
        {"out 4 @ part:1", NULL,
         "lane 4 gets an undefined value at this step: say so, and show no value"},
        {"lanes undefined @ part:1", "4-7", NULL},
        {"lanes absent @ part:1", "8-31", NULL},
        {"lanes changed @ part:1", "0-3", NULL},
        {"arg 0 @ sum:last", NULL, "watch has no argument"},
        {"group 0 @ sum:last", NULL, "lane 0 has no group at this step"},
        {"out 0 @ sum:last", NULL, "watch returns no value"},
        {"in 0 @ sum:last", "496", NULL},
    };
    (void)state;
    const struct scene scene = {lesson, traces, &lesson->beats[0].show};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text value = TEXT_INIT, begins = TEXT_INIT;
        struct error err = ERROR_INIT;
        const int status = scene_lookup((void *)&scene, cases[i].placeholder, &value, &err);
        text_append_format(&begins, "{{%s}}: %s", cases[i].placeholder,
                           cases[i].reason ? cases[i].reason : "");
        if (cases[i].value ? status != 0 || strcmp(value.data, cases[i].value) != 0
                           : status != -1 || strncmp(err.text, begins.data, begins.length) != 0)
            fail_msg("{{%s}}: %d, \"%s\", %s", cases[i].placeholder, status, value.data, err.text);
        text_release(&value);
        text_release(&begins);
    }
}

/* A placeholder is split into words and a position; another run begins at its first warp. */
static void placeholders_are_taken_apart(void **state) {
    (void)state;
    struct placeholder parts;
    struct error err = ERROR_INIT;
    struct lesson_show show = lesson->beats[1].show;
    show.warp = 3;
    show.block = 2;
    show.launch = 1;
    const struct scene scene = {lesson, traces, &show};
    assert_int_equal(scene_placeholder(&scene, "out 0 @ part:1", &parts, &err), 0);
    assert_string_equal(parts.word, "out");
    assert_string_equal(parts.argument, "0");
    assert_int_equal(parts.show.run, 2);
    assert_int_equal(parts.show.step, 0);
    assert_int_equal(parts.show.warp, 0);
    assert_int_equal(parts.show.block, 0);
    assert_int_equal(parts.show.launch, 0);
    assert_int_equal(scene_placeholder(&scene, "out 0 @ sum:last", &parts, &err), 0);
    assert_int_equal(parts.show.run, 1);
    assert_int_equal(parts.show.step, LESSON_STEP_LAST);
    assert_int_equal(parts.show.warp, 3); /* the same run: its position is kept */
    assert_int_equal(parts.show.block, 2);
    assert_int_equal(parts.show.launch, 1);
    assert_int_equal(scene_placeholder(&scene, "members", &parts, &err), 0);
    assert_string_equal(parts.argument, "");
    assert_int_equal(parts.show.run, 1);
    assert_int_equal(parts.show.step, 1);
    show.unread = LESSON_UNREAD_PLACE; /* the unknown part of the beat is named here */
    assert_int_equal(scene_placeholder(&scene, "in 0 @ sum:3", &parts, &err), 0);
    assert_int_equal(parts.show.unread, 0);
    assert_int_equal(parts.show.warp, 0);
    show.unread = LESSON_UNREAD_STEP;
    assert_int_equal(scene_placeholder(&scene, "in 0 @ 3", &parts, &err), 0);
    assert_int_equal(parts.show.unread, 0);
    assert_int_equal(parts.show.step, 2);
    /* 63 characters before the @ are the maximum: one more is too many. */
    assert_int_equal(scene_placeholder(&scene,
                                       "in 0                                                   "
                                       "        ",
                                       &parts, &err),
                     0);
    assert_int_equal(scene_placeholder(&scene,
                                       "in 0                                                   "
                                       "         ",
                                       &parts, &err),
                     -1);
}

static void sets_are_known_by_their_words(void **state) {
    static const struct {
        struct placeholder parts;
        enum question_kind kind;
    } cases[] = {
        {{"readers", "5", {0}}, QUESTION_READERS},
        {{"lanes", "own", {0}}, QUESTION_OWN},
        {{"lanes", "undefined", {0}}, QUESTION_UNDEFINED},
        {{"lanes", "absent", {0}}, QUESTION_ABSENT},
        {{"lanes", "changed", {0}}, QUESTION_CHANGED},
        {{"lanes", "odd", {0}}, QUESTION_NONE},
        {{"own", "own", {0}}, QUESTION_NONE},
        {{"in", "5", {0}}, QUESTION_NONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(scene_set_kind(&cases[i].parts), cases[i].kind);
}

static void phases_have_names(void **state) {
    static const char *const names[] = {"before", "address", "range", "move", "after"};
    (void)state;
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        struct lesson_show show = {.phase_first = "before", .phase_last = "before"};
        strcpy(show.phase_last, names[phase]);
        assert_int_equal(scene_phase_first(&show), PHASE_BEFORE);
        assert_int_equal(scene_phase_last(&show), phase);
        strcpy(show.phase_first, names[phase]);
        assert_int_equal(scene_phase_first(&show), phase);
    }
}

static void views_have_names(void **state) {
    static const char *const names[] = {"lanes", "wires", "history", "source", "explain"};
    (void)state;
    for (int view = 0; view < 5; view++) {
        struct replay replay;
        struct lesson_show show = lesson->beats[0].show;
        strcpy(show.view, names[view]);
        assert_int_equal(scene_open(&replay, traces[0], &show, NULL), 0);
        assert_int_equal(replay.view, view);
    }
}

/* The last block, warp and launch, and the first that does not exist. */
static void places_end_where_the_launch_does(void **state) {
    static const struct {
        uint32_t launch;
        uint64_t block;
        uint32_t warp;
        const char *reason; /* NULL if the place exists */
    } cases[] = {
        {0, 0, 0, NULL},
        {0, 0, 1, NULL},
        {0, 1, 0, "no block 1: the launch has 1, counted from 0"},
        {0, 0, 2, "no warp 2: a block has 2, counted from 0"},
        {1, 1, 0, NULL},
        {1, 2, 0, "no block 2: the launch has 2, counted from 0"},
        {2, 0, 1, "warp 1 of block 0 has no warp operation"},
        {3, 0, 0, "warp 0 of block 0 has no warp operation"},
        {3, 15, 7, "warp 7 of block 15 has no warp operation"},
        {3, 15, 8, "no warp 8: a block has 8, counted from 0"},
        {3, 16, 0, "no block 16: the launch has 16, counted from 0"},
        {4, 0, 0, "no launch 4: the recording has 4, counted from 0"},
    };
    (void)state;
    struct trace *trace = sample_open("program");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct replay replay;
        struct error err = ERROR_INIT;
        struct lesson_show show = lesson->beats[0].show;
        show.launch = cases[i].launch;
        show.block = cases[i].block;
        show.warp = cases[i].warp;
        const int status = scene_open(&replay, trace, &show, &err);
        assert_int_equal(status, cases[i].reason ? -1 : 0);
        if (cases[i].reason)
            assert_string_equal(err.text, cases[i].reason);
    }
    trace_close(trace);
}

static void the_command_shows_the_picture(void **state) {
    static const struct {
        const char *kernel, *trace, *launch, *command;
    } cases[] = {
        {"xor", NULL, "--mask 3", "shflviz xor --mask 3"},
        {"idx", NULL, NULL, "shflviz idx"},
        {"up", NULL, NULL, "shflviz up"},
        {"down", NULL, "--delta 4", "shflviz down --delta 4"},
        {"reduce", NULL, "--width 8", "shflviz kernel reduce --width 8"},
        {"mine.cu", NULL, "--threads 64", "shflviz run mine.cu --threads 64"},
        {NULL, "h200/sum", NULL, "shflviz replay h200/sum"},
        {NULL, NULL, NULL, "shflviz replay "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[SCENE_COMMAND];
        struct lesson_run run = {0};
        run.kernel = (char *)cases[i].kernel;
        run.trace = (char *)cases[i].trace;
        run.launch = (char *)cases[i].launch;
        struct lesson made = {0};
        made.runs = &run;
        made.run_count = 1;
        const struct lesson_show show = {.run = 0};
        assert_string_equal(scene_command(&made, &show, command), cases[i].command);
    }
}

static void code_is_written_as_code(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    struct question question = {.kind = QUESTION_SOURCE};
    scene_append_code(&question, &text);
    assert_string_equal(text.data, "");
    question.kind = QUESTION_BLANK;
    question.code[0] = "x = ___;";
    scene_append_code(&question, &text);
    assert_string_equal(text.data, "```\nx = ___;\n```\n");
    text_clear(&text);
    question.kind = QUESTION_WHICH;
    question.code[1] = "y";
    question.code[2] = "z";
    scene_append_code(&question, &text);
    assert_string_equal(text.data, "```\na  x = ___;\nb  y\nc  z\n```\n");
    text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_have_a_value_or_a_reason),
        cmocka_unit_test(placeholders_are_taken_apart),
        cmocka_unit_test(sets_are_known_by_their_words),
        cmocka_unit_test(phases_have_names),
        cmocka_unit_test(views_have_names),
        cmocka_unit_test(places_end_where_the_launch_does),
        cmocka_unit_test(the_command_shows_the_picture),
        cmocka_unit_test(code_is_written_as_code),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
