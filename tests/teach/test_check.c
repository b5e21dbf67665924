/* A lesson's statements are compared with its recordings. */
#include "sample.h"
#include "teach/check.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void collect(void *context, const char *text) {
    text_append_format(context, "%s\n", text);
}

static void expect_lesson(const struct lesson *lesson, struct trace *const *traces,
                          const char *expected) {
    struct text text = TEXT_INIT;
    size_t lines = 0, count = check_lesson(lesson, traces, collect, &text);
    for (const char *c = expected; *c; c++)
        lines += *c == '\n';
    assert_string_equal(text.data, expected);
    assert_int_equal(count, lines);
    text_release(&text);
}

/* Checks a lesson with one run, whose recording is the sample of that name. */
static void expect_both(const char *sample, const char *base, const char *translation,
                        const char *expected) {
    const struct lesson_source sources[] = {{"en", "en.md", base}, {"zh", "zh.md", translation}};
    struct trace *trace = sample ? sample_open(sample) : NULL;
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    if (lesson_parse(&lesson, "t", sources, translation ? 2 : 1, &err) < 0)
        fail_msg("%s", err.text);
    expect_lesson(lesson, &trace, expected);
    lesson_free(lesson);
    trace_close(trace);
}

/* The header has four lines: the beats begin on line 5. */
#define HEADER "---\ntitle: T\nkernel: down\n---\n"
#define BEAT   HEADER "## A {#a}\n"

static void expect(const char *sample, const char *base, const char *expected) {
    expect_both(sample, base, NULL, expected);
}

/* down, delta 3, width 16: lanes 13-15 and 29-31 keep their own values. */
#define DOWN "down-3-w16"

static void accepted_answers_are_checked(void **state) {
    (void)state;
    expect(DOWN, BEAT "```ask\nvalue of lane 5\naccept undefined\n```\n", "");
    expect(DOWN, BEAT "```ask\nvalue of lane 5\naccept 8\n```\n",
           "en.md:7: part 'a': 'accept 8' repeats the answer: delete the line\n");
    expect(DOWN, BEAT "```ask\nvalue of lane 5\naccept x\n```\n",
           "en.md:7: part 'a': 'accept x' is in the wrong form: write it as the program writes an "
           "answer\n");
}

static void a_matrix_must_belong_to_the_step(void **state) {
    (void)state;
    expect(DOWN, BEAT "```show\nmatrix: C\n```\n",
           "en.md:6: part 'a': the step has no matrix 'C': mma.sync has A, B and C, ldmatrix r\n");
}

static void a_good_lesson_has_no_faults(void **state) {
    (void)state;
    expect(DOWN,
           BEAT "```show\nphase: before..after\n```\n```ask\nsource of lane 5\n```\n"
                "Lane 5 holds {{in 5}}, width {{width}}.\n"
                "### Hint\n5 + {{arg 5}}\n### If 2\nDown reads upwards.\n### If own\nNo.\n"
                "### Answer\nLane {{source 5}}: {{out 5}}.\n"
                "## B {#b}\n```ask\nlanes own\n```\n### If 12-15, 28-31\nno\n### If none\nno\n",
           "");
}

static void a_question_is_about_the_lane_asked_for(void **state) {
    (void)state;
    expect_both(DOWN,
                BEAT "```ask\nsource of lane 5\n```\na\n### Question\nWhom does lane 6 read?\n",
                "---\ntitle: T\n---\n## A {#a}\n一\n### 问题\n通道 6 读谁？\n",
                "en.md:11: part 'a': the question does not mention lane 5, which the ask block "
                "names: change the question or the block\nzh.md:7: part 'a': the question does not "
                "mention lane 5, which the ask block names: change the question or the block\n");
    /* The text may name other lanes besides the question's lane, or no lane; a set has no single
     * lane. */
    expect(DOWN,
           BEAT "```ask\nreaders of lane 5\n```\na\n### Question\nLane 5, or lane 6?\n"
                "Who does?\n",
           "");
    expect(DOWN,
           BEAT "```ask\nvalue of lane 5\n```\na\n### Question\nHow much is it, with srcLane 8?\n",
           "");
    expect(DOWN, BEAT "```ask\nlanes own\n```\na\n### Question\nWho is like lane 14?\n", "");
}

static void what_is_shown_must_exist(void **state) {
    (void)state;
    expect(DOWN, BEAT "```show\nstep: 2\n```\na {{in 5}}\n",
           "en.md:6: part 'a': there is no step 2: the warp has 1\n");
    expect(DOWN, BEAT "```show\nblock: 1\n```\na\n",
           "en.md:6: part 'a': no block 1: the launch has 1, counted from 0\n");
    expect(DOWN, BEAT "```show\nwarp: 1\n```\na\n",
           "en.md:6: part 'a': no warp 1: a block has 1, counted from 0\n");
    expect(DOWN, BEAT "```show\nlaunch: 1\n```\na\n",
           "en.md:6: part 'a': no launch 1: the recording has 1, counted from 0\n");
    expect("threads-35", BEAT "```show\nblock: 1\nwarp: 1\nstep: last\n```\na {{arg 2}}\n", "");
    expect("votes", BEAT "```show\nphase: before..range\n```\na\n",
           "en.md:6: part 'a': phase 'range' means nothing for ballot; allowed: before, move, "
           "after\n");
    expect(DOWN, BEAT "```show\nview: source\n```\na\n", "");
    expect("votes", BEAT "```show\nview: source\n```\na\n",
           "en.md:6: part 'a': the recording holds no source text: choose another view, or record "
           "it again\n");
}

static void questions_must_have_an_answer(void **state) {
    (void)state;
    expect(
        "partial-mask", BEAT "a\n```ask\nsource of lane 9\n```\n",
        "en.md:8: part 'a': 'source of lane 9' has no answer at this step: lane 9 makes no call: "
        "choose another lane\n");
    expect(
        "votes", BEAT "a\n```ask\nlanes own\n```\n",
        "en.md:8: part 'a': 'lanes own' has no answer at this step: ballot does not read from one "
        "particular lane: only "
        "a shuffle does\n");
}

static void placeholders_resolve_in_every_language(void **state) {
    (void)state;
    expect_both(
        DOWN, BEAT "a {{in 5}}\n\nb\nand {{in 40}}\n### Notes\n{{oout 5}}\n",
        "---\ntitle: 题\n---\n## 甲 {#a}\n\n甲\n{{in 5}} {{in x}}\n### 备注\n{{in 5\n",
        "en.md:9: part 'a': {{in 40}}: '40' is not a lane: lanes are 0 to 31\n"
        "en.md:11: part 'a': {{oout 5}}: 'oout 5' is not a placeholder; did you mean 'out'?\n"
        "zh.md:7: part 'a': {{in x}}: 'x' is not a lane: lanes are 0 to 31\n"
        "zh.md:9: part 'a': '{{' has no '}}' after it: add it, or write \\{{ for the "
        "braces themselves\n");
    expect(DOWN, HEADER "## A {{in 5}} {#a}\na\n",
           "en.md:5: part 'a': a title cannot have a placeholder: move it into the text below\n");
    expect(DOWN, BEAT "fine `a ** b` \\** 2 * 3\n", "");
    expect(DOWN, BEAT "a **strong\n\nb** c\n",
           "en.md:6: part 'a': a ` or ** is opened but not closed in the same paragraph: close it, "
           "or write \\` or \\** for the marks themselves\n");
}

#define TELLS(line, name)                                                                          \
    "en.md:" line ": part 'a': {{" name                                                            \
    "}} gives the answer away before it is asked for: move it to ### Answer\n"

static void nothing_gives_the_answer_away(void **state) {
    (void)state;
    expect(DOWN,
           BEAT "```ask\nsource of lane 5\n```\n{{source 5}} {{source 4}}\n### Hint\n"
                "{{out 5 @ last}}\n### If 2\n{{readers 8}} {{readers 7}}\n"
                "### Answer\n{{source 5}}\n### Notes\n{{source 5}}\n",
           TELLS("9", "source 5") TELLS("11", "out 5 @ last") TELLS("13", "readers 8"));
    expect(DOWN, BEAT "```ask\nsource of lane 13\n```\n{{lanes own}} {{status 13}}\n",
           TELLS("9", "lanes own") TELLS("9", "status 13"));
    expect(DOWN, BEAT "```ask\nsource of lane 5\n```\n{{lanes own}} {{status 5}}\n", "");
    expect(DOWN, BEAT "```ask\nvalue of lane 5\n```\n{{out 5}} {{in 8}} {{out 6}}\n",
           TELLS("9", "out 5"));
    expect(DOWN, BEAT "```ask\nreaders of lane 5\n```\n{{readers 5}}\n", TELLS("9", "readers 5"));
    expect(DOWN, BEAT "```ask\nlanes changed\n```\n{{lanes changed}} {{lanes own}}\n",
           TELLS("9", "lanes changed"));
    /* Another step's value does not answer this step's question. */
    expect("reduce", BEAT "```show\nstep: 2\n```\n```ask\nvalue of lane 5\n```\n{{out 5 @ 1}}\n",
           "");
}

static void a_belief_is_wrong_and_can_be_typed(void **state) {
    (void)state;
    expect(
        DOWN,
        BEAT "a\n```ask\nsource of lane 5\n```\n### If 8\na\n### If lane 2\nb\n### If 32\nc\n"
             "### If own\nd\n",
        "en.md:10: part 'a': '8' is right, but ### If is for wrong answers: move its text to ### "
        "Answer\nen.md:12: part 'a': the program writes 'lane 2' as '2': write ### If 2\nen.md:14: "
        "part 'a': '32' cannot be typed as an answer; allowed: 0 to 31 · own · undefined\n");
    expect(DOWN, BEAT "a\n```ask\nlanes own\n```\n### If 0-31\na\n### If 13-15,29-31\nb\n",
           "en.md:10: part 'a': the program writes '0-31' as 'all': write ### If all\nen.md:12: "
           "part 'a': '13-15,29-31' is right, but ### If is for wrong answers: move its text to "
           "### Answer\n");
}

static void unused_runs_are_reported(void **state) {
    (void)state;
    static const struct lesson_source source = {
        "en", "en.md",
        "---\ntitle: T\nkernel: down\nlaunch b: --delta 1\nlaunch c: --delta 2\n"
        "launch d: --delta 4\n---\n"
        "## A {#a}\n{{in 5 @ b:1}}\n## B {#b}\n```show\nrun: c\n```\nb\n"};
    struct trace *trace = sample_open(DOWN), *traces[] = {trace, trace, trace, trace};
    struct lesson *lesson;
    assert_int_equal(lesson_parse(&lesson, "t", &source, 1, NULL), 0);
    expect_lesson(lesson, traces,
                  "en.md:6: no part shows run 'd': delete it, or show it with run: d\n");
    /* A missing run has been reported; the rest is checked nevertheless. */
    traces[1] = traces[3] = NULL;
    expect_lesson(lesson, traces,
                  "en.md:6: no part shows run 'd': delete it, or show it with run: d\n");
    lesson_free(lesson);
    trace_close(trace);
    expect(NULL, BEAT "{{in 5}} and {{in 40}} in `code\n",
           "en.md:6: part 'a': {{in 40}}: '40' is not a lane: lanes are 0 to 31\n"
           "en.md:6: part 'a': a ` or ** is opened but not closed in the same paragraph: close it, "
           "or write \\` or \\** for the marks themselves\n");
}

static void required_lessons_must_exist(void **state) {
    (void)state;
    expect(DOWN, "---\ntitle: T\nkernel: down\nneeds: t no-such-lesson\n---\n## A {#a}\na\n",
           "en.md:4: the lesson lists itself under needs\nen.md:4: the lesson needs "
           "'no-such-lesson', which is neither built in nor beside this lesson: `shflviz lesson` "
           "lists the built-in ones\n");

    char folder[] = "/tmp/shflviz-check-XXXXXX", path[64], command[96];
    assert_non_null(mkdtemp(folder));
    static const char *const names[] = {"own.md", "other.md", "third/en.md"};
    snprintf(path, sizeof path, "%s/third", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs("---\ntitle: T\nkernel: down\nneeds: other third fourth\n---\n## A {#a}\na\n", file);
        fclose(file);
    }
    snprintf(path, sizeof path, "%s/own.md", folder);
    struct lesson *lesson;
    struct trace *trace = sample_open(DOWN);
    struct error err = ERROR_INIT;
    assert_int_equal(lesson_open(&lesson, path, &err), 0);
    struct text expected = TEXT_INIT;
    text_append_format(&expected,
                       "%s:4: the lesson needs 'fourth', which is neither built in nor beside this "
                       "lesson: `shflviz lesson` lists the built-in ones\n",
                       path);
    expect_lesson(lesson, &trace, expected.data);
    text_release(&expected);
    lesson_free(lesson);
    trace_close(trace);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_answers_are_checked),
        cmocka_unit_test(a_matrix_must_belong_to_the_step),
        cmocka_unit_test(a_good_lesson_has_no_faults),
        cmocka_unit_test(a_question_is_about_the_lane_asked_for),
        cmocka_unit_test(what_is_shown_must_exist),
        cmocka_unit_test(questions_must_have_an_answer),
        cmocka_unit_test(placeholders_resolve_in_every_language),
        cmocka_unit_test(nothing_gives_the_answer_away),
        cmocka_unit_test(a_belief_is_wrong_and_can_be_typed),
        cmocka_unit_test(unused_runs_are_reported),
        cmocka_unit_test(required_lessons_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
