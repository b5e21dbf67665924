/* A lesson's texts become a lesson, or a message that names the line and the remedy. */
#include "base/text.h"
#include "lesson/lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER "---\ntitle: T\nkernel: xor\n---\n"

static const char english[] = "---\n"                                        /* 1 */
                              "title: Xor swaps pairs\n"                     /* 2 */
                              "summary: laneMask 1 makes neighbours trade\n" /* 3 */
                              "chapter: Shuffles\n"                          /* 4 */
                              "kernel: xor\n"                                /* 5 */
                              "launch: --mask 1\n"                           /* 6 */
                              "launch wide: --mask 16 --width 16\n"          /* 7 */
                              "kernel mine: mine.cu\n"                       /* 8 */
                              "trace old: old.shflviz\n"                     /* 9 */
                              "needs: lanes-and-warps broadcast\n"           /* 10 */
                              "---\n"                                        /* 11 */
                              "\n"                                           /* 12 */
                              "## Everyone has a value {#start}\n"           /* 13 */
                              "\n"                                           /* 14 */
                              "```show\n"                                    /* 15 */
                              "phase: before\n"                              /* 16 */
                              "lane: 5\n"                                    /* 17 */
                              "```\n"                                        /* 18 */
                              "\n"                                           /* 19 */
                              "Each lane begins.\n"                          /* 20 */
                              "Lane 5 holds {{in 5}}.\n"                     /* 21 */
                              "\n"                                           /* 22 */
                              "A second paragraph.\n"                        /* 23 */
                              "\n"                                           /* 24 */
                              "### Notes\n"                                  /* 25 */
                              "\n"                                           /* 26 */
                              "Ask for the binary form.\n"                   /* 27 */
                              "\n"                                           /* 28 */
                              "## Who gives to lane 5? {#who}\n"             /* 29 */
                              "```show\n"                                    /* 30 */
                              "phase: before..after\n"                       /* 31 */
                              "mark: 0-3,8\n"                                /* 32 */
                              "hide: in out\n"                               /* 33 */
                              "```\n"                                        /* 34 */
                              "```ask\n"                                     /* 35 */
                              "source of lane 5\n"                           /* 36 */
                              "```\n"                                        /* 37 */
                              "The **laneMask** is 1.\n"                     /* 38 */
                              "### Question\n"                               /* 39 */
                              "Which lane?\n"                                /* 40 */
                              "### Hint\n"                                   /* 41 */
                              "5 is 101.\n"                                  /* 42 */
                              "### If 6\n"                                   /* 43 */
                              "6 is 5 + 1.\n"                                /* 44 */
                              "### Answer\n"                                 /* 45 */
                              "101 ^ 001 = 100.\n"                           /* 46 */
                              "## Then {#then}\n"                            /* 47 */
                              "Look.\n"                                      /* 48 */
                              "## Wide {#wide}\n"                            /* 49 */
                              "```show\n"                                    /* 50 */
                              "run: wide\n"                                  /* 51 */
                              "view: wires\n"                                /* 52 */
                              "step: last\n"                                 /* 53 */
                              "```\n"                                        /* 54 */
                              "Wide.\n";                                     /* 55 */

static const char chinese[] = "---\ntitle: 异或\nsummary: 摘要\nchapter: 洗牌\n---\n"
                              "## 每个通道都有值 {#start}\n"
                              "每个通道。\n"
                              "### 备注\n问学生。\n"
                              "## 谁给通道 5？ {#who}\n掩码是 1。\n"
                              "### 问题\n哪个通道？\n### 提示\n5 是 101。\n"
                              "### 若 6\n不是加法。\n### 解答\n是 4。\n"
                              "## 然后 {#then}\n看。\n## 宽 {#wide}\n宽。\n";

static struct lesson *parse(const char *base, const char *translation) {
    const struct lesson_source sources[] = {{"en", "en.md", base}, {"zh", "zh.md", translation}};
    struct lesson *lesson = NULL;
    struct error err = ERROR_INIT;
    if (lesson_parse(&lesson, "xor", sources, translation ? 2 : 1, &err) < 0)
        fail_msg("%s", err.text);
    return lesson;
}

static void refuse_both(const char *base, const char *translation, const char *message) {
    const struct lesson_source sources[] = {{"en", "en.md", base}, {"zh", "zh.md", translation}};
    struct lesson *lesson = (struct lesson *)(uintptr_t)1;
    struct error err = ERROR_INIT;
    assert_int_equal(lesson_parse(&lesson, "xor", sources, translation ? 2 : 1, &err), -1);
    assert_null(lesson);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, message);
}

static void refuse(const char *base, const char *message) {
    refuse_both(base, NULL, message);
}

static void a_lesson_is_read(void **state) {
    (void)state;
    struct lesson *lesson = parse(english, NULL);
    assert_string_equal(lesson->name, "xor");
    assert_string_equal(lesson_title(lesson, 0), "Xor swaps pairs");
    assert_string_equal(lesson_summary(lesson, 0), "laneMask 1 makes neighbours trade");
    assert_string_equal(lesson_chapter(lesson, 0), "Shuffles");
    assert_int_equal(lesson->needs_count, 2);
    assert_string_equal(lesson->needs[0], "lanes-and-warps");
    assert_string_equal(lesson->needs[1], "broadcast");

    assert_int_equal(lesson->run_count, 4);
    assert_string_equal(lesson->runs[0].name, "");
    assert_string_equal(lesson->runs[0].kernel, "xor");
    assert_string_equal(lesson->runs[0].launch, "--mask 1");
    assert_null(lesson->runs[0].trace);
    assert_string_equal(lesson->runs[1].name, "wide");
    assert_string_equal(lesson->runs[1].kernel, "xor");
    assert_string_equal(lesson->runs[1].launch, "--mask 16 --width 16");
    assert_int_equal(lesson->runs[1].line, 7);
    assert_string_equal(lesson->runs[2].kernel, "mine.cu");
    assert_string_equal(lesson->runs[2].launch, "");
    assert_string_equal(lesson->runs[3].trace, "old.shflviz");
    assert_null(lesson->runs[3].kernel);

    assert_int_equal(lesson->beat_count, 4);
    const struct lesson_beat *start = &lesson->beats[0], *who = &lesson->beats[1];
    assert_string_equal(start->id, "start");
    assert_int_equal(start->line, 13);
    assert_int_equal(start->show_line, 15);
    assert_int_equal(start->ask.kind, QUESTION_NONE);
    assert_string_equal(lesson_part(lesson, 0, 0, LESSON_TITLE), "Everyone has a value");
    assert_string_equal(lesson_part(lesson, 0, 0, LESSON_NARRATION),
                        "Each lane begins.\nLane 5 holds {{in 5}}.\n\nA second paragraph.");
    assert_int_equal(start->text[0].line[LESSON_NARRATION], 20);
    assert_string_equal(lesson_part(lesson, 0, 0, LESSON_NOTES), "Ask for the binary form.");
    assert_int_equal(start->text[0].line[LESSON_NOTES], 27);
    assert_null(lesson_part(lesson, 0, 0, LESSON_HINT));

    assert_int_equal(who->ask.kind, QUESTION_SOURCE);
    assert_int_equal(who->ask.lane, 5);
    assert_int_equal(who->ask_line, 36);
    assert_string_equal(lesson_part(lesson, 1, 0, LESSON_QUESTION), "Which lane?");
    assert_string_equal(lesson_part(lesson, 1, 0, LESSON_HINT), "5 is 101.");
    assert_string_equal(lesson_part(lesson, 1, 0, LESSON_ANSWER), "101 ^ 001 = 100.");
    assert_string_equal(lesson_belief(lesson, 1, 0, "6"), "6 is 5 + 1.");
    assert_int_equal(who->text[0].beliefs[0].line, 43);
    assert_null(lesson_belief(lesson, 1, 0, "7"));
    lesson_free(lesson);
}

/* Unlike a view, a matrix does not carry over to the next beat. */
static void a_matrix_belongs_to_one_beat(void **state) {
    (void)state;
    struct lesson *lesson =
        parse(HEADER "## A {#a}\n```show\nmatrix: C lanes\n```\nA.\n## B {#b}\nB.\n"
                     "## C {#c}\n```show\nmatrix: r banks\n```\nC.\n",
              NULL);
    assert_string_equal(lesson->beats[0].show.matrix, "C");
    assert_int_equal(lesson->beats[0].show.matrix_as, LESSON_MATRIX_LANES);
    assert_string_equal(lesson->beats[1].show.matrix, "");
    assert_string_equal(lesson->beats[2].show.matrix, "r");
    assert_int_equal(lesson->beats[2].show.matrix_as, LESSON_MATRIX_BANKS);
    lesson_free(lesson);
}

static void a_beat_inherits_what_it_leaves_out(void **state) {
    (void)state;
    struct lesson *lesson = parse(english, NULL);
    const struct lesson_show *start = &lesson->beats[0].show, *who = &lesson->beats[1].show,
                             *then = &lesson->beats[2].show, *wide = &lesson->beats[3].show;
    assert_int_equal(start->run, 0);
    assert_int_equal(start->step, 0);
    assert_string_equal(start->phase_first, "before");
    assert_string_equal(start->phase_last, "before");
    assert_string_equal(start->view, "lanes");
    assert_int_equal(start->lane, 5);

    assert_int_equal(who->lane, 5);
    assert_string_equal(who->phase_first, "before");
    assert_string_equal(who->phase_last, "after");
    assert_int_equal(who->mark, 0x10f);
    assert_int_equal(who->hide, LESSON_HIDE_IN | LESSON_HIDE_OUT);

    /* The picture is that of the walk's end, without marks and hidden columns. */
    assert_string_equal(then->phase_first, "after");
    assert_string_equal(then->phase_last, "after");
    assert_int_equal(then->mark, 0);
    assert_int_equal(then->hide, 0);
    assert_int_equal(then->lane, 5);

    assert_int_equal(wide->run, 1);
    assert_true(wide->step == LESSON_STEP_LAST);
    assert_string_equal(wide->phase_first, "before");
    assert_string_equal(wide->view, "wires");
    lesson_free(lesson);
}

/* Errors in a kernel are reported at its own line, whatever the order of the header. */
static void a_run_has_the_line_of_its_kernel(void **state) {
    (void)state;
    struct lesson *lesson =
        parse("---\ntitle: T\nlaunch: --mask 1\nkernel: xor\n---\n\n## A {#a}\n\nText.\n", NULL);
    assert_int_equal(lesson->runs[0].line, 4);
    assert_int_equal(lesson->runs[0].launch_line, 3);
    lesson_free(lesson);
}

static void a_new_place_begins_at_its_first_step(void **state) {
    (void)state;
    struct lesson *lesson = parse("---\ntitle: T\nkernel: xor\nlaunch b: --mask 2\n---\n"
                                  "## A {#a}\n```show\nblock: 3\nwarp: 2\nstep: 4\nphase: after\n"
                                  "```\na\n"
                                  "## B {#b}\n```show\nwarp: 1\n```\nb\n"
                                  "## C {#c}\n```show\nstep: 4\n```\nc\n"
                                  "## D {#d}\n```show\nstep: 5\n```\nd\n"
                                  "## E {#e}\n```show\nphase: move\nlaunch: 1\n```\ne\n"
                                  "## F {#f}\n```show\nrun: b\nwarp: 1\nphase: range\n```\nf\n"
                                  "## G {#g}\n```show\nrun: first\n```\ng\n",
                                  NULL);
    static const struct {
        size_t run;
        uint32_t launch;
        uint64_t block;
        uint32_t warp;
        uint64_t step;
        const char *phase;
    } expected[] = {
        {0, 0, 3, 2, 3, "after"},  {0, 0, 3, 1, 3, "after"}, {0, 0, 3, 1, 3, "after"},
        {0, 0, 3, 1, 4, "before"}, {0, 1, 0, 0, 0, "move"},  {1, 0, 0, 1, 0, "range"},
        {0, 0, 0, 0, 0, "before"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct lesson_show *show = &lesson->beats[i].show;
        assert_int_equal(show->run, expected[i].run);
        assert_int_equal(show->launch, expected[i].launch);
        assert_int_equal(show->block, expected[i].block);
        assert_int_equal(show->warp, expected[i].warp);
        assert_int_equal(show->step, expected[i].step);
        assert_string_equal(show->phase_first, expected[i].phase);
        assert_string_equal(show->phase_last, expected[i].phase);
    }
    lesson_free(lesson);
}

static void translations_hold_texts(void **state) {
    (void)state;
    struct lesson *lesson = parse(english, chinese);
    assert_string_equal(lesson_title(lesson, 1), "异或");
    assert_string_equal(lesson_part(lesson, 0, 1, LESSON_NARRATION), "每个通道。");
    assert_string_equal(lesson_part(lesson, 0, 1, LESSON_NOTES), "问学生。");
    assert_string_equal(lesson_part(lesson, 1, 1, LESSON_QUESTION), "哪个通道？");
    assert_string_equal(lesson_part(lesson, 1, 1, LESSON_HINT), "5 是 101。");
    assert_string_equal(lesson_part(lesson, 1, 1, LESSON_ANSWER), "是 4。");
    assert_string_equal(lesson_belief(lesson, 1, 1, "6"), "不是加法。");
    assert_int_equal(lesson->beats[1].text[1].line[LESSON_TITLE], 10);
    lesson_free(lesson);
}

static void missing_translations_fall_back_to_the_base(void **state) {
    (void)state;
    struct lesson *lesson = parse(HEADER "## A {#a}\nalpha\n### Notes\nn\n"
                                         "## B {#b}\n```ask\nlanes own\n```\nbeta\n"
                                         "### If 0-3,8\nno\n",
                                  "---\ntitle: 题\n---\n## 甲 {#a}\n阿\n");
    assert_string_equal(lesson_part(lesson, 0, 1, LESSON_NARRATION), "阿");
    assert_string_equal(lesson_part(lesson, 0, 1, LESSON_NOTES), "n");
    assert_string_equal(lesson_part(lesson, 1, 1, LESSON_TITLE), "B");
    assert_string_equal(lesson_belief(lesson, 1, 1, "0-3, 8"), "no");
    assert_string_equal(lesson_summary(lesson, 1), "");
    assert_int_equal(lesson_language_find(lesson, "zh_CN.UTF-8"), 1);
    assert_int_equal(lesson_language_find(lesson, "zh"), 1);
    assert_int_equal(lesson_language_find(lesson, "en_GB"), 0);
    assert_int_equal(lesson_language_find(lesson, "fr"), 0);
    assert_int_equal(lesson_language_find(lesson, ""), 0);
    lesson_free(lesson);
}

static void any_line_ending_is_accepted(void **state) {
    (void)state;
    struct lesson *lesson = parse("\xef\xbb\xbf---\r\ntitle： 宽冒号\r\nkernel: xor\r\n---\r\n"
                                  "##  A  { }  {# a } \r\n#pragma is text\r\nalpha  \r\n\r\n",
                                  NULL);
    assert_string_equal(lesson_title(lesson, 0), "宽冒号");
    assert_string_equal(lesson->beats[0].id, "a");
    assert_string_equal(lesson_part(lesson, 0, 0, LESSON_TITLE), "A  { }");
    assert_string_equal(lesson_part(lesson, 0, 0, LESSON_NARRATION), "#pragma is text\nalpha");
    lesson_free(lesson);
}

static void no_blank_is_needed_after_a_colon(void **state) {
    (void)state;
    struct lesson *lesson = parse("---\ntitle:T\nkernel:xor\nlaunch:--mask 1\n---\n\n"
                                  "## A {#a}\n\n```show\nlane:7\n```\n\nText.\n",
                                  NULL);
    assert_string_equal(lesson_title(lesson, 0), "T");
    assert_int_equal(lesson->beats[0].show.lane, 7);
    lesson_free(lesson);
}

static void a_header_is_refused_with_its_line(void **state) {
    (void)state;
    refuse("", "en.md:1: found '' where the header should begin\n"
               "allowed: a line '---', lines KEY: VALUE, a line '---'\n"
               "try: ---\n     title: ...\n     ---");
    refuse("---\ntitle: T\n", "en.md:1: the header that begins here has no end\n"
                              "allowed: a line '---' after its last key\ntry: add it");
    refuse("---\ntitle: T\nkernl: xor\n---\n",
           "en.md:3: 'kernl' is not a key of a lesson's header\nallowed: title, summary, chapter, "
           "keywords, kernel, launch, trace, needs, exercises; for further runs: kernel NAME, "
           "launch NAME, "
           "trace NAME\n"
           "did you mean 'kernel'?");
    refuse("---\nkernel: xor\n---\n", "en.md:3: the header has no title\nallowed: title: TEXT\n"
                                      "try: title: Xor swaps pairs");
    refuse("---\ntitle: T\n---\n", "en.md:3: the header names no kernel\nallowed: kernel: NAME, "
                                   "kernel: FILE.cu or trace: FILE\ntry: kernel: xor");
    refuse("---\ntitle: T\ntitle: U\n", "en.md:3: 'title' is given a second time\n"
                                        "allowed: each key once\ntry: delete one of the two lines");
    refuse("---\ntitle: T\nkernel: ../../etc/passwd\n",
           "en.md:3: kernel '../../etc/passwd' is not a file beside the lesson\n"
           "allowed: a name without a folder\ntry: copy the file into the lesson's folder");
    static const char *const outside[] = {"/a", "../a", "a/../b", "a//b",
                                          "a/", "./a",  "a/.b",   "a\\b"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        char text[64], expected[256];
        snprintf(text, sizeof text, "---\ntitle: T\ntrace: %s\n---\n", outside[i]);
        snprintf(
            expected, sizeof expected,
            "en.md:3: trace '%s' is outside the lesson's folder\n"
            "allowed: a file in that folder or in a folder inside it\ntry: copy the file there",
            outside[i]);
        refuse(text, expected);
    }
    refuse("---\ntitle: T\nkernel: xor\ntrace: a\n---\n",
           "en.md:3: run 'first' has a kernel and a trace\nallowed: a kernel or a trace\ntry: "
           "delete one of the two, or give the trace its own run name");
    refuse(
        "---\ntitle: T\ntrace: a\nlaunch b: --mask 1\n---\n",
        "en.md:4: run 'b' has launch options and no kernel\nallowed: launch together with kernel\n"
        "try: add a line 'kernel b: NAME'");
}

static void a_show_block_is_refused_with_its_line(void **state) {
    (void)state;
    refuse(HEADER "## A {#a}\n```show\nphse: before\n```\n",
           "en.md:7: 'phse' is not a key of a show block\nallowed: run, launch, block, warp, step, "
           "phase, view, lane, hide, mark, matrix\ndid you mean 'phase'?");
    refuse(
        HEADER "## A {#a}\n```show\nphase: befor..after\n```\n",
        "en.md:7: 'befor' is not a value for phase\nallowed: before, address, range, move, after, "
        "or two of them in this order: before..after\ndid you mean 'before'?");
    refuse(HEADER "## A {#a}\n```show\nphase: after..before\n```\n",
           "en.md:7: 'after..before' goes backwards\nallowed: before, address, range, move, "
           "after, or two of them in this order: before..after\ntry: before..after");
    refuse(HEADER "## A {#a}\n```show\nlane: 32\n```\n",
           "en.md:7: '32' is not a value for lane\nallowed: a lane, 0 to 31");
    refuse(HEADER "## A {#a}\n```show\nstep: 0\n```\n",
           "en.md:7: '0' is not a value for step\n"
           "allowed: an operation of the warp, counted from 1, or last");
    refuse(HEADER "## A {#a}\n```show\nrun: wide\n```\n",
           "en.md:7: 'wide' is not a value for run\nallowed: first");
    refuse(HEADER "## A {#a}\n```show\nview: wire\n```\n",
           "en.md:7: 'wire' is not a value for view\nallowed: lanes, wires, history, source, "
           "explain, rounds\ndid you mean 'wires'?");
    refuse(HEADER "## A {#a}\n```show\nmark: 3-1\n```\n",
           "en.md:7: '3-1' is not a value for mark\nallowed: lanes such as 0-3,8 or all");
    refuse(HEADER "## A {#a}\n```show\nhide: outs\n```\n",
           "en.md:7: 'outs' is not a value for hide\nallowed: one or more of in, reads, out, call\n"
           "did you mean 'out'?");
    refuse(HEADER "## A {#a}\n```show\nmatrix: C all\n```\n",
           "en.md:7: 'C all' is not a value for matrix\n"
           "allowed: A, B, C, or r for ldmatrix; lanes or banks may follow, as in C lanes");
    refuse(HEADER "## A {#a}\n```show\nlane: 1\n",
           "en.md:6: the block that begins here has no end\n"
           "allowed: a line '```' after its last key\ntry: add it");
    refuse(HEADER "## A {#a}\n```show\nlane: 1\nlane: 2\n```\n",
           "en.md:8: 'lane' is given a second time\nallowed: each key once in a show block\ntry: "
           "delete one of them");
}

static void a_beat_is_refused_with_its_line(void **state) {
    (void)state;
    refuse(HEADER, "en.md:4: the lesson has no parts\nallowed: at least one part\n"
                   "try: ## The first thing {#first}");
    refuse(HEADER "text\n", "en.md:5: 'text' comes before the first part\n"
                            "allowed: ## TITLE {#ID} first\ntry: ## The first thing {#first}");
    refuse(HEADER "## A\n",
           "en.md:5: '## A' has no id\nallowed: ## TITLE {#ID}; the id has letters, digits and "
           "'-', and is the same in all languages\ntry: ## A {#start}");
    refuse(HEADER "## A {#a b}\n",
           "en.md:5: 'a b' cannot be the id of a part\nallowed: letters, digits and "
           "'-'\ntry: {#start}");
    refuse(HEADER "## A {#a}\nx\n## B {#a}\n",
           "en.md:7: part 'a' is also on line 5\nallowed: each id once\n"
           "try: give this part another id");
    refuse(HEADER "## A {#a}\n### Hnt\n",
           "en.md:6: '### Hnt' is not a section of a part\nallowed: ### Question, ### Hint, ### "
           "Answer, "
           "### Notes, ### If ANSWER (or 问题, 提示, 解答, 备注, 若)\ndid you mean 'Hint'?");
    refuse(HEADER "## A {#a}\n### Hint\n\n## B {#b}\n",
           "en.md:6: '### Hint' has no text\nallowed: text below the heading\n"
           "try: write it, or delete the heading");
    refuse(HEADER "## A {#a}\n### Hint\na\n### 提示\nb\n",
           "en.md:8: '### 提示' appears a second time\nallowed: each heading once in a part\n"
           "try: join the two");
    refuse(HEADER "## A {#a}\n### If 6\na\n### 若 6\nb\n",
           "en.md:8: '### If 6' is also on line 6\nallowed: each answer once in a part\n"
           "try: join the two");
    refuse(HEADER "## A {#a}\n```ask\nsource of lane 32\n```\n",
           "en.md:7: 'source of lane 32' is not a question\nallowed: source of lane N, value of "
           "lane N, readers of lane N (N is 0 to 31), lanes own, lanes undefined, lanes changed, "
           "lanes absent, call, wrong line; blank AIM, which AIM, where AIM is picture, result, "
           "number N, or sum, max, argmax, scan or exclusive scan in lane 0 or in all lanes, "
           "followed by 'of 8' for groups of 8");
    refuse(HEADER "## A {#a}\n```ask\n```\n",
           "en.md:6: the ask block has no question\nallowed: one question\n"
           "try: source of lane 5");
    refuse(HEADER "## A {#a}\n```sho\n```\n",
           "en.md:6: '```sho' is not a block of a lesson\nallowed: ```show, ```ask, ```cuda for "
           "lines of code; code within a "
           "line goes between single backticks\ndid you mean 'show'?");
    refuse(HEADER "# A\n",
           "en.md:5: '# A' is not a heading of a lesson\nallowed: ## TITLE {#ID} for a "
           "part, ### for a section of it; the lesson's title is in the header");
    refuse(HEADER "## A {#a}\n\x1b[2Jx\n",
           "en.md:6: control character 0x1b\nallowed: text, tabs and line ends\ntry: delete it");
    refuse(HEADER "## A {#a}\nx\xff\n", "en.md:6: byte 0xff is not UTF-8\nallowed: text in UTF-8\n"
                                        "try: save the file as UTF-8");
}

static void a_translation_is_refused_with_its_line(void **state) {
    (void)state;
    refuse_both(
        HEADER "## A {#a}\na\n", "---\ntitle: T\nkernel: xor\n---\n",
        "zh.md:3: 'kernel' is not a key of a translation's header\nallowed: title, summary, "
        "chapter, keywords (everything else is in the lesson's own file)");
    refuse_both(HEADER "## A {#a}\na\n", "---\ntitle: T\n---\n## 甲 {#a}\n```show\n",
                "zh.md:5: '```show' is in a translation\nallowed: text; ```show and ```ask belong "
                "only in en.md\ntry: delete the block");
    refuse_both(HEADER "## A {#a}\na\n", "---\ntitle: T\n---\n## 甲 {#a}\na\n## 甲 {#a}\n",
                "zh.md:6: part 'a' is also on line 4\nallowed: each id once\n"
                "try: delete one of the two");
}

static void collect_line(void *context, const char *text) {
    text_append_format(context, "%.*s\n", (int)strcspn(text, ":\n"), text);
}

/* Every language is read, whatever the errors in the previous one, and each fault is reported, for
 * a file or for one of its lines. */
static void faults_of_one_language_do_not_hide_those_of_another(void **state) {
    (void)state;
    static const char *const wrong[] = {HEADER, "no header", "",
                                        HEADER "## A {#a}\na\n## B {#a}\nb\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct lesson_source sources[] = {
            {"en", "en.md", wrong[i]},
            {"zh", "zh.md", "---\ntitle: T\nkernel: xor\n---\n"},
            {"de", "de.md", "---\ntitle: T\nkernel: xor\n---\n"}};
        struct text text = TEXT_INIT;
        struct lesson *lesson;
        struct error err = ERROR_INIT;
        size_t faults = 0;
        assert_int_equal(
            lesson_parse_all(&lesson, "mine", sources, 3, collect_line, &text, &faults, &err), -1);
        lesson_free(lesson); /* as far as it could be read */
        static const char *const files[] = {"en.md", "zh.md", "de.md"};
        for (size_t k = 0; k < 3; k++)
            if (!strstr(text.data, files[k]))
                fail_msg("%d: %s", (int)i, text.data);
        size_t lines = 0;
        for (const char *c = text.data; *c; c++)
            lines += *c == '\n';
        assert_int_equal(faults, lines);
        text_release(&text);
    }
}

static void collect(void *context, const char *text) {
    text_append_format(context, "%s\n", text);
}

static void complain(const char *base, const char *translation, size_t count,
                     const char *expected) {
    struct lesson *lesson = parse(base, translation);
    struct text text = TEXT_INIT;
    assert_int_equal(lesson_complaints(lesson, collect, &text), count);
    assert_string_equal(text.data, expected);
    text_release(&text);
    lesson_free(lesson);
}

static void complaints_name_file_and_line(void **state) {
    (void)state;
    complain(english, chinese, 0, "");
    complain(
        HEADER "## A {#a}\n\n## B {#b}\n```show\n```\nb\n### Hint\nh\n### If 3\nx\n", NULL, 3,
        "en.md:5: part 'a' says nothing and asks nothing: write some text below its heading\n"
        "en.md:12: part 'b' has ### Hint but asks nothing: add an ```ask, or delete the section\n"
        "en.md:13: part 'b' has ### If 3 but asks nothing: add an ```ask, or delete the section\n");
    complain(
        "---\ntitle: T\nsummary: S\nkernel: xor\n---\n"
        "## A {#a}\na\n### Notes\nn\n## B {#b}\nb\n"
        "## C {#c}\n```ask\nlanes own\n```\nc\n### If 3\nx\n",
        "---\ntitle: 题\n---\n## 丙 {#c}\n丙\n### 若 4\n四\n## 甲 {#a}\n甲\n### 提示\n示\n"
        "## 丁 {#bb}\n丁\n",
        8,
        "zh.md:8: part 'a' comes after 'c', unlike in en.md: move it\n"
        "zh.md:12: part 'bb' is not in en.md\ndid you mean 'b'?\n"
        "zh.md: the header lacks the summary that en.md has: translate it\n"
        "zh.md:11: part 'a' has ### Hint, which en.md does not have: delete it, or add it there\n"
        "zh.md:8: part 'a' lacks ### Notes from en.md:9: translate it\n"
        "zh.md: part 'b' from en.md:10 is missing: translate it\n"
        "zh.md:4: part 'c' lacks ### If 3 from en.md:17: translate it\n"
        "zh.md:6: part 'c' has ### If 4, which en.md does not have: delete it, or add it there\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lesson_is_read),
        cmocka_unit_test(a_matrix_belongs_to_one_beat),
        cmocka_unit_test(a_beat_inherits_what_it_leaves_out),
        cmocka_unit_test(a_run_has_the_line_of_its_kernel),
        cmocka_unit_test(a_new_place_begins_at_its_first_step),
        cmocka_unit_test(translations_hold_texts),
        cmocka_unit_test(missing_translations_fall_back_to_the_base),
        cmocka_unit_test(any_line_ending_is_accepted),
        cmocka_unit_test(no_blank_is_needed_after_a_colon),
        cmocka_unit_test(a_header_is_refused_with_its_line),
        cmocka_unit_test(a_show_block_is_refused_with_its_line),
        cmocka_unit_test(a_beat_is_refused_with_its_line),
        cmocka_unit_test(a_translation_is_refused_with_its_line),
        cmocka_unit_test(faults_of_one_language_do_not_hide_those_of_another),
        cmocka_unit_test(complaints_name_file_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
