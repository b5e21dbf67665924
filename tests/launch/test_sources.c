/* Lessons, their programs, and recordings by name: lookups, and refusals before anything is built.
 * Messages are written by hand. */
#include "launch/course.h"
#include "launch/program/program_file.h"
#include "launch/program/user_run.h"
#include "launch/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char folder[] = "/tmp/shflviz-sources-XXXXXX";

static void write_bytes(const char *name, const char *bytes, size_t size) {
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static void write_file(const char *name, const char *text) {
    write_bytes(name, text, strlen(text));
}

/* True if the error is of this kind and begins with the text. */
static void complains(const struct error *err, enum error_kind kind, const char *begin) {
    if (err->kind != kind || strncmp(err->text, begin, strlen(begin)) != 0)
        fail_msg("kind %d: %s\nexpected: %s", err->kind, err->text, begin);
}

/* ---- names ---- */

static void the_ending_gives_the_kind(void **state) {
    static const struct {
        const char *name;
        bool is_cuda, is_source;
    } cases[] = {{"a.cu", true, true},     {".cu", false, false},   {"cu", false, false},
                 {"acu", false, false},    {"a.cuh", false, false}, {"a.cpp", false, true},
                 {"a.cc", false, true},    {"a.cxx", false, true},  {"a.c", false, true},
                 {".c", false, false},     {"a.h", false, false},   {"a.cu.bak", false, false},
                 {"xor", false, false},    {"", false, false},      {"a.b.cu", true, true},
                 {"f.cu/x", false, false}, {"a.hpp", false, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (course_is_file(cases[i].name) != cases[i].is_cuda ||
            is_cuda_source(cases[i].name) != cases[i].is_cuda ||
            can_be_compiled(cases[i].name) != cases[i].is_source)
            fail_msg("'%s'", cases[i].name);
    write_file("a-file", "");
    assert_true(is_source_folder("."));
    assert_true(is_source_folder(folder));
    assert_false(is_source_folder("a-file"));
    assert_false(is_source_folder("nothing"));
}

/* ---- sources ---- */

static void refused(struct user_request *request, const char *begin, enum error_kind kind) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    int status = 7;
    assert_int_equal(user_record(request, &trace, &status, &err), -1);
    assert_null(trace);
    assert_int_equal(status, 0);
    complains(&err, kind, begin);
}

static void sources_that_cannot_be_read(void **state) {
    static const struct {
        const char *first, *second, *begin;
    } cases[] = {
        {"x.py", NULL,
         "x.py is not a source file\nallowed: .cu .cuh .cpp .cc .cxx .c, or a folder"},
        {"none.cu", NULL, "cannot read none.cu: "},
        {"empty", NULL, "empty: no source files in this folder\nallowed: .cu .cpp .cc .cxx .c"},
        {"zeros", NULL, "zeros/a.cu is not text: it has a 0 byte"}, /* the first of three */
        {"zeros/", NULL, "zeros/a.cu is not text"},                 /* with one slash */
        {"zeros/c.cu", "x.py", "zeros/c.cu is not text"},
        {"fine.cu", "x.py", "x.py is not a source file"}};
    (void)state;
    assert_int_equal(mkdir("empty", 0700), 0);
    write_file("empty/README.md", "");
    assert_int_equal(mkdir("zeros", 0700), 0);
    write_bytes("zeros/c.cu", "\0", 1);
    write_bytes("zeros/a.cu", "\0", 1);
    write_bytes("zeros/b.cpp", "\0", 1);
    write_file("fine.cu", "int main() {}\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *files[] = {(char *)cases[i].first, (char *)cases[i].second};
        struct user_request request = {.files = files, .file_count = cases[i].second ? 2 : 1};
        refused(&request, cases[i].begin, ERROR_USAGE);
    }
}

/* Options that a GPU does not support are reported before its driver is needed. */
static void a_gpu_cannot_be_confined(void **state) {
    char *files[] = {(char *)"none.cu"};
    struct user_request request = {.files = files, .file_count = 1, .run.settings.confined = true};
    (void)state;
    request.device = DEVICE_GPU;
    refused(&request, "--sandbox: a program on a GPU cannot be confined", ERROR_USAGE);
    request.run.settings.confined = false;
    request.run.settings.limits.memory = 1;
    refused(&request, "--memory-limit: CUDA reserves more address space", ERROR_USAGE);
    request.run.settings.confined = true;
    request.device = DEVICE_CPU;
    refused(&request, "cannot read none.cu: ", ERROR_USAGE);
}

/* ---- a lesson's programs ---- */

static void replace_stdin(const char *bytes, size_t size) {
    write_bytes("input", bytes, size);
    assert_non_null(freopen("input", "r", stdin));
}

/* Nothing is built from a missing or oversized file, or without consent. */
static void programs_that_are_not_built(void **state) {
    static const struct course_terms agreed = {.consent = COURSE_AGREED, .settings.confined = true},
                                     asks = {.consent = COURSE_ASK},
                                     refuses = {.consent = COURSE_REFUSED};
    static const struct {
        const char *path, *launch;
        const struct course_terms *terms;
        enum error_kind kind;
        const char *begin;
    } cases[] = {
        {"none.cu", "", &agreed, ERROR_USAGE,
         "en.md:5: none.cu: no such file\nallowed: a .cu file beside the lesson"},
        {".", "", &agreed, ERROR_USAGE, "en.md:5: . is not a regular file"},
        {"large.cu", "", &refuses, ERROR_USAGE,
         "en.md:5: large.cu is larger than a lesson's program may be (1 MiB)"},
        {"most.cu", "", &refuses, ERROR_MISSING,
         "en.md:5: most.cu is a program: it is not built and run without your consent\n"
         "try: read it, then say yes when asked on a terminal, or give --trust"},
        {"most.cu", "", NULL, ERROR_MISSING, "en.md:5: most.cu is a program: "},
        {"most.cu", "", &asks, ERROR_MISSING, "en.md:5: most.cu is a program: "},
        {"most.cu", "", &agreed, ERROR_USAGE, "en.md:5: most.cu is not text: it has a 0 byte"},
        {"most.cu", "'", &agreed, ERROR_USAGE, "en.md:5: "}};
    (void)state;
    replace_stdin("yes\n", 4); /* which is not a terminal */
    write_file("most.cu", "");
    assert_int_equal(truncate("most.cu", 1 << 20), 0);
    write_file("large.cu", "");
    assert_int_equal(truncate("large.cu", (1 << 20) + 1), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct program_files files = {cases[i].terms, NULL, 0};
        struct trace *trace = (struct trace *)&files;
        struct error err = ERROR_INIT;
        assert_int_equal(
            program_file_record(&files, cases[i].path, cases[i].launch, "en.md:5", &trace, &err),
            -1);
        assert_null(trace);
        complains(&err, cases[i].kind, cases[i].begin);
        assert_int_equal(files.count, 0);
        program_files_release(&files);
    }
    struct program_files files = {NULL, NULL, 0};
    struct trace *trace;
    struct error err = ERROR_INIT;
    assert_int_equal(program_file_record(&files, "none.cu", "", NULL, &trace, &err), -1);
    complains(&err, ERROR_USAGE, "none.cu: no such file"); /* nothing before it */
}

/* ---- lessons ---- */

#define HEAD "---\ntitle: T\n"
#define BEAT "---\n## A {#a}\na\n"

static void lessons_by_name(void **state) {
    const struct lesson *lesson;
    struct lesson *opened;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(course_find("xor", &lesson, &opened, &err), 0);
    assert_ptr_equal(lesson, lesson_built_in_find("xor"));
    assert_null(opened);
    char *name = course_progress_name(lesson);
    assert_string_equal(name, "xor");
    free(name);
    assert_int_equal(course_find("butterfly-mix", &lesson, &opened, &err), -1);
    complains(&err, ERROR_USAGE,
              "butterfly-mix: no lesson and no file of that name; did you mean 'butterfly-max'?\n"
              "allowed: lanes-and-warps broadcast ");
    assert_int_equal(course_find("./xor", &lesson, &opened, &err), -1); /* a file's name */
    assert_null(opened);
    assert_int_equal(course_find("xor.md", &lesson, &opened, &err), -1);
    /* A folder needs neither ./ nor .md if the program has no lesson of that name. */
    assert_int_equal(mkdir("mine", 0700), 0);
    write_file("mine/en.md", HEAD "kernel: xor\n" BEAT);
    write_file("one.md", HEAD "kernel: xor\n" BEAT);
    static const char *const names[] = {"mine", "./mine", "mine/../mine", "one.md"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char expected[200];
        assert_int_equal(course_find(names[i], &lesson, &opened, &err), 0);
        assert_non_null(opened);
        assert_ptr_equal(lesson, opened);
        name = course_progress_name(lesson);
        char *here = realpath(i == 3 ? "one.md" : "mine", NULL);
        snprintf(expected, sizeof expected, "%s", here);
        assert_string_equal(name, expected);
        free(here);
        free(name);
        lesson_free(opened);
    }
}

static void a_lesson_is_recorded_whole(void **state) {
    struct course_recordings recordings;
    struct error err = ERROR_INIT;
    (void)state;
    const struct lesson *lesson = lesson_built_in_find("xor");
    assert_true(lesson->run_count > 1);
    assert_int_equal(course_record(lesson, NULL, &recordings, &err), 0);
    assert_int_equal(recordings.count, lesson->run_count);
    for (size_t i = 0; i < recordings.count; i++)
        assert_int_equal(trace_step_count(recordings.traces[i]), 1);
    course_release(&recordings);
    assert_null(recordings.traces);
    assert_int_equal(recordings.count, 0);
}

/* Each message names the line at fault: the kernel's, or the launch's if the kernel exists. */
static void runs_that_cannot_be_recorded(void **state) {
    static const struct {
        const char *header, *begin;
        enum error_kind kind;
    } cases[] = {
        {"kernel: xro\nlaunch: --mask 1\n", "own/en.md:3: kernel: xro: no kernel of that name",
         ERROR_USAGE},
        {"kernel: xor\nlaunch: --mask\n", "own/en.md:4: ", ERROR_USAGE},
        {"kernel: xor\nsummary: S\nlaunch: --mask\n", "own/en.md:5: ", ERROR_USAGE},
        {"trace: none.svt\n", "own/en.md:3: cannot open 'own/none.svt': there is no such file",
         ERROR_USAGE},
        {"kernel: none.cu\nlaunch: 1\n", "own/en.md:3: own/none.cu: no such file", ERROR_USAGE},
        {"kernel: some.cu\n", "own/en.md:3: own/some.cu is a program: ", ERROR_MISSING}};
    (void)state;
    assert_int_equal(mkdir("own", 0700), 0);
    write_file("own/some.cu", "int main() {}\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct course_recordings recordings;
        struct lesson *lesson;
        struct error err = ERROR_INIT;
        char text[200];
        snprintf(text, sizeof text, HEAD "%s" BEAT, cases[i].header);
        write_file("own/en.md", text);
        if (lesson_open(&lesson, "own", &err) != 0)
            fail_msg("%s", err.text);
        assert_int_equal(course_record(lesson, NULL, &recordings, &err), -1);
        complains(&err, cases[i].kind, cases[i].begin);
        assert_int_equal(recordings.count, 0);
        lesson_free(lesson);
    }
}

/* A recording beside the lesson, else a built-in one. */
static void a_lesson_of_recordings(void **state) {
    struct program_files files = {NULL, NULL, 0};
    struct lesson *lesson;
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(mkdir("seen", 0700), 0);
    write_file("seen/en.md", HEAD "trace: h200/xor\n" BEAT);
    assert_int_equal(lesson_open(&lesson, "seen", &err), 0);
    assert_int_equal(course_record_run(lesson, 0, &files, &trace, &err), 0);
    assert_true(trace_step_count(trace) > 0);
    trace_close(trace);
    assert_int_equal(mkdir("seen/h200", 0700), 0);
    write_file("seen/h200/xor", "no recording");
    assert_int_equal(course_record_run(lesson, 0, &files, &trace, &err), -1);
    assert_null(trace);
    complains(&err, err.kind, "seen/en.md:3: ");
    assert_non_null(strstr(err.text, "seen/h200/xor"));
    lesson_free(lesson);
}

/* ---- recordings ---- */

static void recordings_by_name(void **state) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    size_t count = 0, lines = 0;
    int widest = 0;
    char *list, *at;
    (void)state;
    for (const struct recording *each = shflviz_recordings; each->name; each++, count++) {
        assert_ptr_equal(recording_find(each->name), each);
        if ((int)strlen(each->name) > widest)
            widest = (int)strlen(each->name);
    }
    assert_true(count > 1);
    assert_null(recording_find("h200"));
    assert_null(recording_find(""));
    assert_int_equal(recording_or_file_open("h200/idx", &trace, &err), 0);
    assert_true(trace_step_count(trace) > 0);
    trace_close(trace);
    assert_int_equal(recording_or_file_open("h200/none", &trace, &err), -1);
    assert_null(trace);
    /* A line for each recording: the name, in a column as wide as the longest, and the device. */
    size_t size;
    FILE *out = open_memstream(&list, &size);
    assert_int_equal(recordings_list(out, &err), 0);
    assert_int_equal(fclose(out), 0);
    for (at = list; *at; at += strcspn(at, "\n") + 1, lines++) {
        char begin[80];
        assert_true(lines < count);
        snprintf(begin, sizeof begin, "%-*s  ", widest, shflviz_recordings[lines].name);
        assert_memory_equal(at, begin, strlen(begin));
        assert_true(at[strlen(begin)] != ' ');
        assert_memory_equal(at + strcspn(at, "\n") - 1, ")\n", 2);
    }
    assert_int_equal(lines, count);
    free(list);
    /* A file of the same name takes precedence. */
    assert_int_equal(mkdir("h200", 0700), 0);
    write_file("h200/idx", "no recording");
    assert_int_equal(recording_or_file_open("h200/idx", &trace, &err), -1);
    assert_null(trace);
}

static void standard_input(void **state) {
    const struct recording *whole = recording_find("h200/down");
    struct trace *trace, *piped;
    struct error err = ERROR_INIT;
    char line[200], expected[400];
    (void)state;
    assert_int_equal(recording_open(whole, &trace, &err), 0);
    replace_stdin(whole->bytes, whole->size);
    assert_int_equal(recording_or_file_open("-", &piped, &err), 0);
    assert_int_equal(trace_step_count(piped), trace_step_count(trace));
    trace_close(piped);
    trace_close(trace);
    replace_stdin("", 0);
    assert_int_equal(recording_or_file_open("-", &piped, &err), -1);
    assert_null(piped);
    complains(&err, ERROR_USAGE, "-: nothing arrived on standard input\ntry: ");
    replace_stdin("welcome\nto this host\n", 21);
    assert_int_equal(recording_or_file_open("-", &piped, &err), -1);
    complains(&err, ERROR_USAGE, "-: standard input is not a recording; it begins: welcome\ntry: ");
    for (size_t length = 119; length <= 200; length += length < 121 ? 1 : 79) {
        memset(line, 'x', length);
        replace_stdin(line, length);
        assert_int_equal(recording_or_file_open("-", &piped, &err), -1);
        snprintf(expected, sizeof expected,
                 "-: standard input is not a recording; it begins: %.*s\ntry: ",
                 length < 120 ? (int)length : 120, line);
        complains(&err, ERROR_USAGE, expected);
    }
    replace_stdin("\1\2\3", 3); /* not text: refused as if it did not exist */
    assert_int_equal(recording_or_file_open("-", &piped, &err), -1);
    assert_null(piped);
    assert_null(strstr(err.text, "it begins"));
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ending_gives_the_kind),
        cmocka_unit_test(sources_that_cannot_be_read),
        cmocka_unit_test(a_gpu_cannot_be_confined),
        cmocka_unit_test(programs_that_are_not_built),
        cmocka_unit_test(lessons_by_name),
        cmocka_unit_test(a_lesson_is_recorded_whole),
        cmocka_unit_test(runs_that_cannot_be_recorded),
        cmocka_unit_test(a_lesson_of_recordings),
        cmocka_unit_test(recordings_by_name),
        cmocka_unit_test(standard_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
