/* Lessons in files and folders, and built-in ones. */
#include "base/text.h"
#include "lesson/lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define OWN   "---\ntitle: T\nkernel: xor\n---\n## A {#a}\na\n"
#define OTHER "---\ntitle: 题\n---\n## 甲 {#a}\n甲\n"

static char folder[] = "/tmp/shflviz-open-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[4][160];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void write_bytes(const char *name, const char *bytes, size_t size) {
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_file(const char *name, const char *text) {
    write_bytes(name, text, strlen(text));
}

static void make_folder(const char *name) {
    assert_int_equal(mkdir(in_folder(name), 0700), 0);
}

static struct lesson *open_lesson(const char *name) {
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    if (lesson_open(&lesson, in_folder(name), &err) < 0)
        fail_msg("%s", err.text);
    return lesson;
}

/* The message begins with the expected text, in which %s is the path. */
static void refuse(const char *name, const char *expected) {
    struct lesson *lesson = (struct lesson *)(uintptr_t)1;
    struct error err = ERROR_INIT;
    struct text text = TEXT_INIT;
    assert_int_equal(lesson_open(&lesson, in_folder(name), &err), -1);
    assert_null(lesson);
    assert_int_equal(err.kind, ERROR_USAGE);
    for (const char *c = expected; *c; c++)
        if (*c == '@')
            text_append(&text, in_folder(name));
        else
            text_append_char(&text, *c);
    err.text[text.length < sizeof err.text ? text.length : 0] = '\0';
    assert_string_equal(err.text, text.data);
    text_release(&text);
}

static void a_folder_is_a_lesson_in_languages(void **state) {
    (void)state;
    make_folder("both");
    write_file("both/zh.md", OTHER);
    write_file("both/en.md", OWN);
    write_file("both/notes.md", "no lesson");
    write_file("both/mine.cu", "// a kernel");
    static const char *const names[] = {"both", "both/", "both/zh.md", "both/en.md"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lesson *lesson = open_lesson(names[i]);
        assert_string_equal(lesson->name, "both");
        assert_int_equal(lesson->language_count, 2);
        assert_string_equal(lesson->languages[0].code, "en");
        assert_string_equal(lesson->languages[0].path, in_folder("both/en.md"));
        assert_string_equal(lesson->languages[1].code, "zh");
        assert_string_equal(lesson_title(lesson, 1), "题");
        lesson_free(lesson);
    }
}

static void a_folder_may_hold_one_language_alone(void **state) {
    (void)state;
    make_folder("chinese");
    write_file("chinese/zh.md", OWN);
    struct lesson *lesson = open_lesson("chinese");
    assert_int_equal(lesson->language_count, 1);
    assert_string_equal(lesson->languages[0].code, "zh");
    lesson_free(lesson);
    make_folder("script"); /* a name of 15 bytes is the longest that is kept */
    write_file("script/zh-Hant-TW-x-ab.md", OWN);
    lesson = open_lesson("script");
    assert_string_equal(lesson->languages[0].code, "zh-Hant-TW-x-ab");
    lesson_free(lesson);
    make_folder("region");
    write_file("region/zh_TW.md", OWN);
    lesson = open_lesson("region");
    assert_string_equal(lesson->languages[0].code, "zh_TW");
    lesson_free(lesson);
    make_folder("longer"); /* and a longer one is not a language */
    write_file("longer/zh-Hant-TW-x-abc.md", OWN);
    refuse("longer", "@ holds no lesson\n");
}

static void a_file_is_a_lesson(void **state) {
    (void)state;
    write_file("my lesson.md", OWN);
    struct lesson *lesson = open_lesson("my lesson.md");
    assert_string_equal(lesson->name, "my lesson");
    assert_string_equal(lesson->path, in_folder("my lesson.md"));
    assert_int_equal(lesson->language_count, 1);
    lesson_free(lesson);
    write_file("no-ending", OWN);
    lesson = open_lesson("no-ending");
    assert_string_equal(lesson->name, "no-ending");
    lesson_free(lesson);
}

static void an_invalid_lesson_is_refused(void **state) {
    (void)state;
    refuse("nothing", "cannot read @: No such file or directory");
    make_folder("empty");
    refuse("empty", "@ holds no lesson\nallowed: a folder with en.md, or with a single file in "
                    "another language, such as zh.md");
    make_folder("two");
    write_file("two/zh.md", OWN);
    write_file("two/fr.md", OTHER);
    refuse("two", "@ has fr and zh but no en.md\nallowed: a single file, or en.md and its "
                  "translations\ntry: name the lesson's own file en.md");
    write_file("bad.md", "---\ntitle: T\nkernl: xor\n---\n");
    refuse("bad.md", "@:3: 'kernl' is not a key of a lesson's header\n");
    write_bytes("zero.md", "---\n\0---\n", 9);
    refuse("zero.md", "@ is not text: it contains NUL bytes");
    char *large = malloc(1200000);
    assert_non_null(large);
    memset(large, 'x', 1200000);
    write_bytes("large.md", large, 1200000);
    free(large);
    refuse("large.md", "@ has more than 1048576 bytes\n");
    make_folder("odd");
    make_folder("odd/en.md");
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    assert_int_equal(lesson_open(&lesson, in_folder("odd"), &err), -1);
    assert_non_null(strstr(err.text, "odd/en.md: it is not a regular file"));
    assert_int_equal(mkfifo(in_folder("pipe.md"), 0600), 0);
    refuse("pipe.md", "cannot read @: it is not a regular file"); /* and is not waited for */
}

/* Opens a folder of lessons/: a built-in lesson's files. */
static struct lesson *open_source(const char *name) {
    char path[512];
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s", SHFLVIZ_LESSONS, name);
    if (lesson_open(&lesson, path, &err) < 0)
        fail_msg("%s", err.text);
    return lesson;
}

static void print_complaint(void *context, const char *text) {
    (void)context;
    print_error("%s\n", text);
}

static void the_course_is_built_in_as_listed_in_order(void **state) {
    (void)state;
    FILE *order = fopen(SHFLVIZ_LESSONS "/order", "r");
    assert_non_null(order);
    char line[128];
    size_t count = 0;
    while (fgets(line, sizeof line, order)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line == '#' || !*line)
            continue;
        struct lesson *lesson = open_source(line); /* says what is wrong with it */
        const struct lesson *built_in = lesson_built_in(count++);
        assert_non_null(built_in);
        assert_string_equal(built_in->name, line);
        assert_ptr_equal(lesson_built_in_find(line), built_in);
        assert_string_equal(built_in->path, "");
        assert_int_equal(built_in->beat_count, lesson->beat_count);
        assert_int_equal(built_in->language_count, lesson->language_count);
        assert_int_equal(lesson_language_find(built_in, "zh"), 1);
        assert_string_equal(built_in->languages[1].code, "zh");
        assert_int_equal(lesson_complaints(built_in, print_complaint, NULL), 0);
        lesson_free(lesson);
    }
    fclose(order);
    assert_int_equal(lesson_built_in_count(), count);
    assert_null(lesson_built_in(count));
    assert_null(lesson_built_in_find("no-such-lesson"));
}

/* A learner who takes the course from the beginning never needs a later lesson. */
static void what_a_lesson_needs_comes_before_it(void **state) {
    (void)state;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        for (size_t k = 0; k < lesson->needs_count; k++) {
            size_t before = 0;
            while (before < i && strcmp(lesson_built_in(before)->name, lesson->needs[k]) != 0)
                before++;
            if (before == i)
                fail_msg("%s needs %s, which does not come before it", lesson->name,
                         lesson->needs[k]);
        }
    }
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_a_lesson_in_languages),
        cmocka_unit_test(a_folder_may_hold_one_language_alone),
        cmocka_unit_test(a_file_is_a_lesson),
        cmocka_unit_test(an_invalid_lesson_is_refused),
        cmocka_unit_test(the_course_is_built_in_as_listed_in_order),
        cmocka_unit_test(what_a_lesson_needs_comes_before_it),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
