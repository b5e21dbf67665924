/*
 * Lessons on paper, and a quiz line by line: reviewed texts, in screens/paper-NAME.txt; and the
 * number of faults that a lesson's check counts.
 *
 *     UPDATE_SCREENS=1 ctest -R session_papers    rewrites them; read the diff before committing it
 */
#include "base/memory.h"
#include "base/text.h"
#include "launch/course.h"
#include "launch/request.h"
#include "session/lesson_check.h"
#include "session/lesson_text.h"
#include "session/screens/quiz_screen.h"
#include "session/worksheet.h"

#include "reviewed.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct course_terms refused = {.consent = COURSE_REFUSED};

/* ---- a lesson ---- */

static const char mine[] =
    "---\ntitle: A sum in rounds, which is a title too long for the fifty columns here\n"
    "summary: Every kind of paragraph and then some more words\nchapter: Tests\n"
    "kernel: xor\nlaunch: --mask 3 --width 8 --threads 8\n"
    "kernel sum: reduce-xor-sum\nlaunch sum: --width 4 --threads 4\n---\n\n"
    "## Words of all kinds {#words}\n\n```show\nlane: 5\n```\n\n```ask\nvalue of lane 5\n```\n\n"
    "Plain, **strong**, `code` and {{in 5}} in a paragraph that is longer than fifty are.\n\n"
    "- an item that is longer than fifty columns, so that its second line is indented\n\n"
    "```cuda\nif (lane < 4)\n    sum += 1;\n```\n\n"
    "## The same again {#again}\n\n```show\nlane: 4\n```\n\n```ask\nsource of lane 4\n```\n\n"
    "Lane 4 is 100 in binary.\n\n"
    "### Question\n\n```cuda\nzero\none\n    two\n```\n\nWhich lane does **lane 4** "
    "read?\n\n```cuda\nthree\n```\n\nThen write it down.\n\n"
    "### Answer\n\n100 ^ 011 = 111.\n\n"
    "## Rounds {#rounds}\n\n```show\nrun: sum\nview: history\nstep: 1\n```\n\n"
    "```ask\nvalue of lane 1\n```\n\nIt adds.\n\n"
    "## The same rounds {#same-rounds}\n\n```show\nrun: sum\nview: history\nstep: 2\n```\n\n"
    "The picture has been shown.\n\n"
    "## The second round {#second}\n\n```show\nrun: sum\nview: lanes\nstep: 2\n```\n\n"
    "```ask\nsource of lane 3\n```\n\nAnother operation.\n";

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

struct paper {
    struct lesson *lesson;
    struct course_recordings recordings;
    char *text;
    size_t size;
    FILE *out;
};

static void paper_open(struct paper *paper, const char *path) {
    struct error err = ERROR_INIT;
    *paper = (struct paper){.text = NULL};
    if (lesson_open(&paper->lesson, path, &err) != 0 ||
        course_record(paper->lesson, &refused, &paper->recordings, &err) != 0)
        fail_msg("%s", err.text);
    paper->out = open_memstream(&paper->text, &paper->size);
    assert_non_null(paper->out);
}

/* Returns the text, which the caller frees. */
static char *paper_close(struct paper *paper) {
    assert_int_equal(fclose(paper->out), 0);
    course_release(&paper->recordings);
    lesson_free(paper->lesson);
    return paper->text;
}

static void a_lesson_is_written(void **state) {
    (void)state;
    static const struct text_style style = {
        .palette = {COLOR_PLAIN, BACKGROUND_UNKNOWN}, .columns = 50, .ascii = true};
    struct error err = ERROR_INIT;
    struct paper paper;
    write_file("mine.md", mine);
    paper_open(&paper, "mine.md");
    assert_int_equal(
        lesson_text_write(paper.out, paper.lesson, paper.recordings.traces, "en", &style, &err), 0);
    reviewed_compare(SCREENS_FOLDER, "paper-lesson", paper_close(&paper));
}

/* Prose takes at most a hundred columns, however wide the terminal. */
static void prose_is_not_too_wide(void **state) {
    (void)state;
    static const struct {
        int columns, widest;
    } cases[] = {{60, 60}, {99, 99}, {100, 100}, {101, 100}, {300, 100}};
    struct text text = TEXT_INIT;
    text_append(&text, "---\ntitle: T\nchapter: C\nkernel: xor\nlaunch: --mask 1\n---\n\n"
                       "## One {#one}\n\n");
    for (int i = 0; i < 200; i++)
        text_append(&text, "a ");
    text_append(&text, "\n");
    write_file("wide.md", text.data);
    text_release(&text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct text_style style = {.palette = {COLOR_PLAIN, BACKGROUND_UNKNOWN},
                                         .columns = cases[i].columns,
                                         .ascii = true};
        struct error err = ERROR_INIT;
        struct paper paper;
        size_t widest = 0;
        paper_open(&paper, "wide.md");
        assert_int_equal(
            lesson_text_write(paper.out, paper.lesson, paper.recordings.traces, "en", &style, &err),
            0);
        char *written = paper_close(&paper);
        for (const char *line = written; *line; line += strcspn(line, "\n") + 1)
            if (strncmp(line, "a a", 3) == 0 && strcspn(line, "\n") > widest)
                widest = strcspn(line, "\n");
        assert_in_range(widest, cases[i].widest - 2, cases[i].widest);
        free(written);
    }
}

static void questions_are_written(void **state) {
    (void)state;
    static const char *const names[] = {"paper-worksheet", "paper-answers"};
    for (int answers = 0; answers < 2; answers++) {
        struct error err = ERROR_INIT;
        struct paper paper;
        write_file("mine.md", mine);
        paper_open(&paper, "mine.md");
        assert_int_equal(worksheet_write(paper.out, paper.lesson, paper.recordings.traces, "en",
                                         answers, true, &err),
                         0);
        reviewed_compare(SCREENS_FOLDER, names[answers], paper_close(&paper));
    }
}

static void a_lesson_that_asks_nothing(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct paper paper;
    write_file("tells.md", "---\ntitle: T\nchapter: C\nkernel: xor\nlaunch: --mask 1\n---\n\n"
                           "## One {#one}\n\nText.\n");
    paper_open(&paper, "tells.md");
    assert_int_equal(
        worksheet_write(paper.out, paper.lesson, paper.recordings.traces, "en", false, true, &err),
        -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, "tells asks nothing, so there is no worksheet for it");
    free(paper_close(&paper));
}

/* ---- the list ---- */

static void lessons_are_listed(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"a-long-name", "title: Second\nchapter: One"}, {"aa", "title: First\nchapter: One"},
        {"bb", "title: Third\nchapter: Two"},           {"cc", "title: Fourth\nchapter: Two"},
        {"dd", "title: Fifth\nchapter: One"},
    };
    enum { COUNT = sizeof texts / sizeof *texts };
    struct lesson *lessons[COUNT];
    char *text = NULL;
    size_t size;
    for (int i = 0; i < COUNT; i++) {
        char lesson[256], path[64];
        struct error err = ERROR_INIT;
        snprintf(lesson, sizeof lesson,
                 "---\n%s\nkernel: xor\nlaunch: --mask 1\n---\n\n## One {#one}\n\nText.\n",
                 texts[i][1]);
        mkdir(texts[i][0], 0700);
        snprintf(path, sizeof path, "%s/en.md", texts[i][0]);
        write_file(path, lesson);
        if (lesson_open(&lessons[i], texts[i][0], &err) != 0)
            fail_msg("%s", err.text);
    }
    struct lesson_progress known[] = {
        {.lesson = (char *)"aa", .finished = true, .beats = 8, .seen = 8, .asked = 5, .right = 4},
        {.lesson = (char *)"a-long-name", .beats = 8, .seen = 3},
        {.lesson = (char *)"bb", .beats = 9, .seen = 7, .asked = 1},
        {.lesson = (char *)"cc", .finished = true, .beats = 1, .seen = 1},
        {.lesson = (char *)"dd", .finished = true, .asked = 2},
    };
    const struct progress progress = {.lessons = known, .count = COUNT};
    FILE *out = open_memstream(&text, &size);
    lesson_text_list(out, (const struct lesson *const *)lessons, COUNT, &progress, "en");
    fclose(out);
    assert_string_equal(text, "One\n"
                              "  a-long-name  Second  3 of 8\n"
                              "  aa           First  done, 4 of 5 right\n"
                              "\n"
                              "Two\n"
                              "  bb           Third  7 of 9, 0 of 1 right\n"
                              "  cc           Fourth  done\n"
                              "\n"
                              "One\n"
                              "  dd           Fifth\n");
    free(text);
    text = NULL;
    out = open_memstream(&text, &size);
    lesson_text_list(out, (const struct lesson *const *)lessons, 0, &progress, "en");
    fclose(out);
    assert_int_equal(size, 0);
    free(text);
    for (int i = 0; i < COUNT; i++)
        lesson_free(lessons[i]);
}

/* ---- the check ---- */

static void collect(void *context, const char *complaint) {
    struct text *text = context;
    text_append_format(text, "%s\n", complaint);
}

static void every_fault_is_reported(void **state) {
    (void)state;
#define LESSON(kernel, rest)                                                                       \
    "---\ntitle: T\nsummary: S\nchapter: C\nkernel: " kernel                                       \
    "\nlaunch: --mask 1\n---\n\n## One {#one}\n\n" rest
    static const struct {
        const char *text;
        size_t faults;
        bool read, playable;
        const char *says[3];
    } cases[] = {
        {LESSON("xor", "Text.\n"), 0, true, true, {NULL}},
        {LESSON("xorx", "Text.\n"), 1, true, false, {"check.md:5: kernel: xorx: no kernel"}},
        {LESSON("mine.cu", "Text.\n"), 1, true, false, {"mine.cu"}},
        /* An error in the text does not prevent other checks. */
        {LESSON("xorx", "Text.\n\n## Two {#two}\n\n```show\nlane: 40\n```\n\nText.\n"),
         2,
         true,
         false,
         {"check.md:16: ", "kernel: xorx: no kernel"}},
        {LESSON("xor", "Text.\n\n## Two {#two}\n\n```show\nlane: 40\n```\n\nText.\n"),
         1,
         true,
         false,
         {"check.md:16: "}},
        /* The lesson's statements about its recordings are wrong, but the lesson can be played. */
        {LESSON("xor", "```ask\nsource of lane 5\n```\n\nText.\n\n### If 4\n\nRight.\n"),
         1,
         true,
         true,
         {"check.md:"}},
        {NULL, 1, false, false, {"no-such.md"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lesson_checked checked;
        struct text said = TEXT_INIT;
        if (cases[i].text)
            write_file("check.md", cases[i].text);
        text_append(&said, "");
        lesson_check(&checked, NULL, cases[i].text ? "check.md" : "no-such.md", &refused, collect,
                     &said);
        if (checked.faults != cases[i].faults || checked.playable != cases[i].playable ||
            (checked.lesson != NULL) != cases[i].read)
            fail_msg("case %zu: %zu faults, %d: %s", i, checked.faults, checked.playable,
                     said.data);
        assert_ptr_equal(checked.lesson, checked.opened);
        for (int k = 0; k < 3 && cases[i].says[k]; k++)
            if (!strstr(said.data, cases[i].says[k]))
                fail_msg("case %zu: %s", i, said.data);
        if (cases[i].faults == 0)
            assert_string_equal(said.data, "");
        lesson_checked_release(&checked);
        assert_null(checked.lesson);
        text_release(&said);
    }
    struct lesson_checked checked;
    struct text said = TEXT_INIT;
    const struct lesson * xor = lesson_built_in_find("xor");
    lesson_check(&checked, xor, NULL, &refused, collect, &said);
    assert_ptr_equal(checked.lesson, xor);
    assert_null(checked.opened);
    assert_true(checked.playable);
    assert_int_equal(checked.faults, 0);
    assert_int_equal(checked.recordings.count, xor->run_count);
    lesson_checked_release(&checked);
    text_release(&said);
}

/* ---- a quiz line by line ---- */

static char *quiz(const char *lines, unsigned questions, const char *results, int columns) {
    const struct text_style style = {
        .palette = {COLOR_PLAIN, BACKGROUND_UNKNOWN}, .columns = columns, .ascii = true};
    const struct results_options opts = {.path = results, .questions = questions};
    struct quiz_source source;
    struct error err = ERROR_INIT;
    write_file("lines", lines);
    struct request request;
    struct trace *trace;
    assert_int_equal(request_read(&request, "xor --mask 3 --width 16", DEVICE_CPU, &err), 0);
    launch_record(&request.launch, &trace, &err);
    assert_non_null(trace);
    request_release(&request);
    quiz_source_init_program(&source, trace);
    fflush(stdout);
    const int out = dup(1), in = open("lines", O_RDONLY),
              file = open("asked", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(in, 0);
    clearerr(stdin);
    dup2(file, 1);
    const int status = quiz_text_run(&source, 3, 1, &opts, &style, &err);
    fflush(stdout);
    dup2(out, 1);
    close(out);
    close(in);
    close(file);
    if (status != 0)
        fail_msg("%s", err.text);
    char *text = memory_zeroed(1, 1 << 18);
    FILE *asked = fopen("asked", "r");
    assert_non_null(asked);
    text[fread(text, 1, (1 << 18) - 1, asked)] = '\0';
    fclose(asked);
    return text;
}

static void a_quiz_is_asked_line_by_line(void **state) {
    (void)state;
    reviewed_compare(SCREENS_FOLDER, "paper-quiz",
                     quiz("hint\nx\n99\n\n\n0\n\r\n  \n", 0, NULL, 70));
}

/* The first question is which lane lane 3 reads: 3 ^ 3 is lane 0. */
static void a_quiz_ends(void **state) {
    (void)state;
    static const struct {
        const char *lines;
        unsigned questions;
        int columns, wide;
        const char *score, *not ;
    } cases[] = {
        {"0\n", 1, 80, 80, "\n1 of 1 right on the first try, level 1\n", "0 of 1 right"},
        {"0\n26\n", 1, 60, 60, "\n1 of 1 right on the first try", "lane 25"},
        {"0\r\n26\n", 2, 59, 60, "\n2 of 2 right on the first try", "lane 18"},
        {"1\n0\n", 1, 119, 119, "\n0 of 1 right on the first try", "1 of 1 right"},
        {"hint\n0\n", 1, 120, 120, "\n0 of 1 right on the first try", "1 of 1 right"},
        {"0", 1, 121, 120, "\n1 of 1 right on the first try", "lane 25"},
        {"", 3, 1, 60, "> \n0 of 0 right on the first try, level 1\n", "lane 25"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unlink("results.json");
        char *text = quiz(cases[i].lines, cases[i].questions, i % 2 ? "results.json" : NULL,
                          cases[i].columns);
        const char *rule = strstr(text, "---");
        assert_non_null(rule);
        assert_int_equal(strspn(rule, "-"), cases[i].wide);
        if (!strstr(text, cases[i].score) || strstr(text, cases[i].not ))
            fail_msg("%s: %s", cases[i].lines, text);
        assert_int_equal(access("results.json", R_OK), i % 2 ? 0 : -1);
        free(text);
    }
    /* A line too long to be an answer counts as one answer. */
    char *line = memory_zeroed(1, 5000);
    memset(line, '9', 4000);
    strcat(line, "\n0\n");
    char *text = quiz(line, 1, NULL, 80);
    int complaints = 0;
    for (const char *at = text; (at = strstr(at, "answer with a lane")) != NULL; at++)
        complaints++;
    assert_int_equal(complaints, 1);
    assert_non_null(strstr(text, "1 of 1 right"));
    free(text);
    free(line);
}

int main(void) {
    char folder[] = "/tmp/shflviz-papers-XXXXXX";
    setenv("LC_ALL", "C", 1);
    setvbuf(stdin, NULL, _IONBF, 0); /* stdin is a different file for each quiz */
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lesson_is_written),
        cmocka_unit_test(prose_is_not_too_wide),
        cmocka_unit_test(questions_are_written),
        cmocka_unit_test(a_lesson_that_asks_nothing),
        cmocka_unit_test(lessons_are_listed),
        cmocka_unit_test(every_fault_is_reported),
        cmocka_unit_test(a_quiz_is_asked_line_by_line),
        cmocka_unit_test(a_quiz_ends),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") != 0 || system(command) != 0 ? 1 : failed;
}
