/* A lesson's text becomes paragraphs, and its placeholders become values of a recording. */
#include "sample.h"
#include "teach/prose.h"
#include "teach/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One paragraph per line, items after "- "; *strong*, `code`, <value>. */
static void flatten(const struct prose *prose, struct text *text) {
    static const char *const before[] = {"", "*", "`", "<"}, *const after[] = {"", "*", "`", ">"};
    for (size_t i = 0; i < prose->count; i++) {
        text_append(text, i ? "\n" : "");
        text_append(text, prose->paragraphs[i].item ? "- " : "");
        for (size_t k = 0; k < prose->paragraphs[i].span_count; k++) {
            const struct span *span = &prose->paragraphs[i].spans[k];
            text_append_format(text, "%s%s%s", before[span->kind], span->text, after[span->kind]);
        }
    }
}

static int look_up_five(void *context, const char *placeholder, struct text *value,
                        struct error *err) {
    assert_null(context);
    if (strcmp(placeholder, "five") != 0)
        return error_set(err, ERROR_USAGE, "no %s", placeholder);
    text_append(value, "5");
    return 0;
}

static void expect(const char *markdown, const char *expected) {
    struct prose prose;
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (prose_make(&prose, markdown, look_up_five, NULL, &err) < 0)
        fail_msg("%s", err.text);
    flatten(&prose, &text);
    assert_string_equal(text.data, expected);
    text_release(&text);
    prose_release(&prose);
    assert_int_equal(prose.count, 0);
}

static void lines_are_joined_to_paragraphs(void **state) {
    (void)state;
    expect(NULL, "");
    expect("\n \n", "");
    expect("one\ntwo  \n  three\n\n\nfour\n", "one two three\nfour");
    expect("a\r\nb\r\n\r\nc\td", "a b\nc d");
}

static void chinese_lines_are_joined_without_blanks(void **state) {
    (void)state;
    expect("每个通道\n都有值。", "每个通道都有值。");
    expect("通道\n5 读取\nlane 6", "通道 5 读取 lane 6");
    expect("掩码是 1，\n通道 5", "掩码是 1，通道 5");
    expect("width 16\n（宽度）", "width 16（宽度）");
    expect("他说\n“对”", "他说“对”");
    expect("he said\n“yes”", "he said “yes”");
}

/* The first and last character of each range that is written without blanks, and the characters
 * beside it: CJK from U+2E80 to U+9FFF, compatibility forms, full-width forms, the planes of rare
 * characters; dashes, dots and quotes are shared with English. */
static void blanks_depend_on_the_ranges(void **state) {
    static const struct {
        uint32_t code;
        bool blank_after_a, blank_after_chinese;
    } expected[] = {
        {0x2013, true, true},   {0x2014, true, false},  {0x2015, true, true},
        {0x2017, true, true},   {0x2018, true, false},  {0x201d, true, false},
        {0x201e, true, true},   {0x2025, true, true},   {0x2026, true, false},
        {0x2027, true, true},   {0x2e7f, true, true},   {0x2e80, true, false},
        {0x2fff, true, false},  {0x3000, false, false}, {0x303f, false, false},
        {0x3040, true, false},  {0x9fff, true, false},  {0xa000, true, true},
        {0xf8ff, true, true},   {0xf900, true, false},  {0xfaff, true, false},
        {0xfb00, true, true},   {0xff00, true, true},   {0xff01, false, false},
        {0xff60, false, false}, {0xff65, false, false}, {0xff66, true, true},
        {0x1ffff, true, true},  {0x20000, true, false}, {0x3ffff, true, false},
        {0x40000, true, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        for (int chinese = 0; chinese < 2; chinese++) {
            const bool blank =
                chinese ? expected[i].blank_after_chinese : expected[i].blank_after_a;
            struct text lines = TEXT_INIT, joined = TEXT_INIT;
            text_append(&lines, chinese ? "\xe5\x85\xb1\n" : "a\n");
            text_append_utf8(&lines, expected[i].code);
            text_append(&joined, chinese ? "\xe5\x85\xb1" : "a");
            text_append(&joined, blank ? " " : "");
            text_append_utf8(&joined, expected[i].code);
            expect(lines.data, joined.data);
            text_release(&lines);
            text_release(&joined);
        }
    /* A dash followed by Chinese needs no blank either. */
    expect("a\xe2\x80\x94\n\xe5\x85\xb1", "a\xe2\x80\x94\xe5\x85\xb1");
    expect("a\xe2\x80\x94\nb", "a\xe2\x80\x94 b");
}

static void items_are_paragraphs_of_their_own(void **state) {
    (void)state;
    expect("two ways:\n- one\n  goes on\n-   two\n\nafter",
           "two ways:\n- one goes on\n- two\nafter");
    expect("a - b\n-c", "a - b -c");
}

static void marks_make_spans(void **state) {
    (void)state;
    expect("a **b c** d `e**f**` g", "a *b c* d `e**f**` g");
    /* In code a backslash is an ordinary character. */
    expect("`a\\*b \\\\`", "`a\\*b \\\\`");
    expect("**x `y` z**", "*x *`y`* z*");
    expect("a ** b", "a ** b");
    expect("a ` b", "a ` b");
    expect("2 * 3 * 4", "2 * 3 * 4");
    expect("\\*\\*no\\*\\* \\`no\\` \\{{five}} \\\\ \\n", "**no** `no` {{five}} \\ \\n");
}

static void placeholders_are_looked_up(void **state) {
    (void)state;
    expect("lane {{five}}, {{ five }}.", "lane <5>, <5>.");
    expect("**a {{five}} b** `{{five}}`", "*a *<5>* b* <5>");
    expect("{{five", "{{five");
    expect("{{\n five\n}} {{five\n}}", "<5> <5>");
    expect("{{five}} {{five", "<5> {{five");
    expect("}} {{five}}", "}} <5>");

    struct prose prose;
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    assert_int_equal(prose_make(&prose, "a {{six}} {{five}} {{seven}}", look_up_five, NULL, &err),
                     -1);
    assert_string_equal(err.text, "no six");
    flatten(&prose, &text);
    assert_string_equal(text.data, "a {{six}} <5> {{seven}}");
    text_release(&text);
    prose_release(&prose);
}

static void code_is_found_anywhere(void **state) {
    (void)state;
    static const struct {
        const char *markdown;
        bool has_code;
    } expected[] = {{NULL, false},
                    {"one\n\ntwo `in line`\n", false},
                    {"```\nfirst\n```\n\nlast\n", true},
                    {"first\n\n```\nmiddle\n```\n\nlast\n", true},
                    {"first\n\nsecond\n\n```\nlast\n```\n", true}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct prose prose;
        assert_int_equal(prose_make(&prose, expected[i].markdown, look_up_five, NULL, NULL), 0);
        assert_int_equal(prose_has_code(&prose), expected[i].has_code);
        prose_release(&prose);
    }
}

/* ---- values of a recording ---- */

static struct trace *traces[3];
static struct lesson *lesson;

/* The lesson's first run is a down with delta 3 and width 16, where lane i holds i. */
static int open_lesson(void **state) {
    static const struct lesson_source source = {
        "en", "en.md",
        "---\ntitle: T\nkernel: down\nlaunch part: --members 0xff\nkernel sum: allreduce\n---\n"
        "## A {#a}\na\n## B {#b}\n```show\nrun: part\n```\nb\n"
        "## C {#c}\n```show\nrun: sum\nstep: 2\n```\nc\n"};
    static const char *const samples[] = {"down-3-w16", "partial-mask", "reduce"};
    (void)state;
    for (int i = 0; i < 3; i++)
        traces[i] = sample_open(samples[i]);
    return lesson_parse(&lesson, "t", &source, 1, NULL);
}

static int close_lesson(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        trace_close(traces[i]);
    lesson_free(lesson);
    return 0;
}

static void expect_looked_up(size_t beat, const char *placeholder, const char *expected) {
    struct scene scene = {lesson, traces, &lesson->beats[beat].show};
    struct text value = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (scene_lookup(&scene, placeholder, &value, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(value.data, expected);
    text_release(&value);
}

static void expect_none(size_t beat, const char *placeholder, const char *expected) {
    struct scene scene = {lesson, traces, &lesson->beats[beat].show};
    struct text value = TEXT_INIT;
    struct error err = ERROR_INIT;
    assert_int_equal(scene_lookup(&scene, placeholder, &value, &err), -1);
    assert_string_equal(err.text, expected);
    assert_int_equal(value.length, 0);
    text_release(&value);
}

static void values_come_from_the_recording(void **state) {
    (void)state;
    expect_looked_up(0, "in 5", "5");
    expect_looked_up(0, "out 5", "8");
    expect_looked_up(0, "out 13", "13"); /* 13 + 3 is beyond 15: its own value */
    expect_looked_up(0, "source 5", "8");
    expect_looked_up(0, "source 13", "13");
    expect_looked_up(0, "arg 5", "3");
    expect_looked_up(0, "group 15", "A");
    expect_looked_up(0, "group 16", "B");
    expect_looked_up(0, "status 5", "read");
    expect_looked_up(0, "status 13", "own");
    expect_looked_up(0, "lanes own", "13-15,29-31");
    expect_looked_up(0, "lanes changed", "0-12,16-28");
    expect_looked_up(0, "lanes undefined", "none");
    expect_looked_up(0, "lanes absent", "none");
    expect_looked_up(0, "readers 5", "2");
    expect_looked_up(0, "readers 18", "none"); /* 15 + 3 = 18, but 15 ends its group */
    expect_looked_up(0, "members", "0xffffffff");
    expect_looked_up(0, "width", "16");
    expect_looked_up(0, "steps", "1");
    expect_looked_up(0, "kernel", "shuffle_xor");
    expect_looked_up(0, "device", "CPU warp");
}

static void other_steps_and_runs_can_be_named(void **state) {
    (void)state;
    /* A butterfly sum of 0..31: after the round of 16 lane 5 holds 5 + 21. */
    expect_looked_up(2, "in 5", "26");
    expect_looked_up(2, "in 5 @ 1", "5");
    expect_looked_up(2, "out 5 @ 1", "21");
    expect_looked_up(2, "in 5@last", "496");
    expect_looked_up(0, "in 0 @ sum:last", "496");
    expect_looked_up(0, "lanes absent @ part:1", "8-31");
    expect_looked_up(2, "out 5 @ first:1", "8");
    expect_looked_up(1, "steps", "1");
    expect_looked_up(2, "steps", "6");
}

static void missing_values_have_a_reason(void **state) {
    (void)state;
    expect_none(0, "in 32", "{{in 32}}: '32' is not a lane: lanes are 0 to 31");
    expect_none(0, "in", "{{in}}: '' is not a lane: lanes are 0 to 31");
    expect_none(0, "sorce 5",
                "{{sorce 5}}: 'sorce 5' is not a placeholder; did you mean 'source'?");
    expect_none(0, "in 5 @ 2", "{{in 5 @ 2}}: there is no step 2: the warp has 1");
    expect_none(0, "in 5 @ x:1", "{{in 5 @ x:1}}: there is no run 'x'");
    expect_none(0, "in 5 @ part",
                "{{in 5 @ part}}: '@ part' does not name a step; allowed: @ 5, "
                "@ last, @ RUN:5, @ RUN:last");
    expect_none(
        1, "out 4",
        "{{out 4}}: lane 4 gets an undefined value at this step: say so, and show no value");
    expect_none(1, "in 9", "{{in 9}}: lane 9 makes no call at this step");
    expect_none(2, "out 5 @ last", "{{out 5 @ last}}: watch returns no value");
    expect_none(2, "width @ last", "{{width @ last}}: watch has no width");
    expect_none(2, "source 5 @ last",
                "{{source 5 @ last}}: watch does not read from one particular lane");
    expect_none(0, "lanes odd",
                "{{lanes odd}}: 'lanes odd' is not a placeholder; allowed: in, out, source, arg, "
                "group, status and readers with a lane; lanes own, lanes undefined, lanes absent, "
                "lanes changed; members, width, device, kernel, steps");
}

static void a_scene_opens_where_the_beat_is(void **state) {
    (void)state;
    struct trace *trace = sample_open("threads-35"); /* 2 blocks of 2 warps of 2 steps */
    struct replay replay;
    struct error err = ERROR_INIT;
    struct lesson_show show = {.block = 1,
                               .warp = 1,
                               .step = LESSON_STEP_LAST,
                               .phase_first = "range",
                               .phase_last = "after",
                               .view = "wires",
                               .lane = 2,
                               .hide = LESSON_HIDE_OUT,
                               .mark = 6};
    assert_int_equal(scene_open(&replay, trace, &show, &err), 0);
    assert_int_equal(replay.cursor.warp.block, 1);
    assert_int_equal(replay.cursor.warp.warp, 1);
    assert_int_equal(replay.cursor.position, 1);
    assert_int_equal(replay.cursor.phase, PHASE_RANGE);
    assert_int_equal(scene_phase_last(&show), PHASE_AFTER);
    assert_int_equal(replay.view, VIEW_WIRES);
    assert_int_equal(replay.lane, 2);
    assert_int_equal(replay.hide, LESSON_HIDE_OUT);
    assert_int_equal(replay.points, 6);
    assert_string_equal(replay.message, "");

    show.step = 2;
    assert_int_equal(scene_open(&replay, trace, &show, &err), -1);
    assert_string_equal(err.text, "there is no step 3: the warp has 2");
    show.warp = 2;
    assert_int_equal(scene_open(&replay, trace, &show, &err), -1);
    assert_string_equal(err.text, "no warp 2: a block has 2, counted from 0");
    show.block = 2;
    assert_int_equal(scene_open(&replay, trace, &show, &err), -1);
    assert_string_equal(err.text, "no block 2: the launch has 2, counted from 0");
    show.launch = 1;
    assert_int_equal(scene_open(&replay, trace, &show, &err), -1);
    assert_string_equal(err.text, "no launch 1: the recording has 1, counted from 0");
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_joined_to_paragraphs),
        cmocka_unit_test(chinese_lines_are_joined_without_blanks),
        cmocka_unit_test(blanks_depend_on_the_ranges),
        cmocka_unit_test(items_are_paragraphs_of_their_own),
        cmocka_unit_test(marks_make_spans),
        cmocka_unit_test(placeholders_are_looked_up),
        cmocka_unit_test(code_is_found_anywhere),
        cmocka_unit_test(values_come_from_the_recording),
        cmocka_unit_test(other_steps_and_runs_can_be_named),
        cmocka_unit_test(missing_values_have_a_reason),
        cmocka_unit_test(a_scene_opens_where_the_beat_is),
    };
    return cmocka_run_group_tests(tests, open_lesson, close_lesson);
}
