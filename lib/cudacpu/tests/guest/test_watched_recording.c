/*
 * The recording of a watched program with its settings (watched_recording.h), and the program's
 * output in it (output.h).
 */
#include "cudacpu/guest/output.h"
#include "cudacpu/guest/watched_recording.h"
#include "cudacpu/process/user_program.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char folder[] = "/tmp/shflviz-test-watched-XXXXXX";
static char recording[64], list[64], copy[64], progress[64];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static struct settings_file file;

static void start_over(void) {
    file = (struct settings_file){.text[SETTINGS_TRACE] = recording};
    unlink(recording);
}

static struct trace *read_back(void) {
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_open(&trace, recording, &err), 0);
    return trace;
}

static void test_notes_and_sources(void **state) {
    char text[256];
    (void)state;
    start_over();
    file.text[SETTINGS_TITLE] = "a title";
    file.text[SETTINGS_COMMAND] = "a command";
    /* The first line of a copy is ours; nothing is known about a file that does not exist. */
    write_file(copy, "#line 1 \"mine.cu\"\nint x;\n\nint y;\n");
    snprintf(text, sizeof text, "gone.cu\n/nowhere/at/all\nmine.cu\n%s\nodd.cu\n", copy);
    write_file(list, text);
    file.text[SETTINGS_SOURCES] = list;
    struct trace_writer *writer = watched_recording_begin(&file);
    assert_non_null(writer);
    watched_recording_end(writer, NULL);
    struct trace *trace = read_back();
    assert_true(trace_is_complete(trace));
    assert_int_equal(trace_value_bytes(trace), 8);
    assert_string_equal(trace_note(trace, TRACE_NOTE_TITLE), "a title");
    assert_string_equal(trace_note(trace, TRACE_NOTE_COMMAND), "a command");
    assert_null(trace_note(trace, TRACE_NOTE_FAILURE));
    assert_string_equal(trace_source(trace, "mine.cu"), "int x;\n\nint y;\n");
    assert_null(trace_source(trace, "gone.cu"));
    assert_null(trace_source(trace, "odd.cu"));
    trace_close(trace);
}

static void test_without(void **state) {
    (void)state;
    start_over();
    file.text[SETTINGS_TRACE] = NULL;
    assert_null(watched_recording_begin(&file)); /* no recording is wanted */
    watched_recording_end(NULL, NULL);
    watched_recording_end(NULL, "why");
    file.text[SETTINGS_TRACE] = recording;
    file.text[SETTINGS_SOURCES] = "/nowhere/at/all";
    file.text[SETTINGS_PROGRESS] = "/nowhere/at/all";
    struct trace_writer *writer = watched_recording_begin(&file);
    assert_non_null(writer);
    watched_progress(1, 2); /* nobody asked for it */
    watched_recording_end(writer, "it went wrong");
    struct trace *trace = read_back();
    assert_null(trace_note(trace, TRACE_NOTE_TITLE));
    assert_null(trace_note(trace, TRACE_NOTE_COMMAND));
    assert_string_equal(trace_note(trace, TRACE_NOTE_FAILURE), "it went wrong");
    trace_close(trace);
}

/* Errors in the recording's path are reported on standard error, and the program continues. */
static void test_refused(void **state) {
    char told[512] = "";
    int ends[2];
    (void)state;
    start_over();
    file.text[SETTINGS_TRACE] = "/nowhere/at/all.svt";
    assert_int_equal(pipe(ends), 0);
    const int before = dup(2);
    dup2(ends[1], 2);
    assert_null(watched_recording_begin(&file));
    fflush(stderr);
    dup2(before, 2);
    close(before);
    close(ends[1]);
    assert_true(read(ends[0], told, sizeof told - 1) > 0);
    close(ends[0]);
    assert_non_null(strstr(told, "/nowhere/at/all.svt"));
    assert_int_equal(told[strlen(told) - 1], '\n');
}

/* The recording is renamed when it is closed, and has a step limit. */
static void test_place(void **state) {
    struct stat status;
    size_t room;
    (void)state;
    for (unsigned replaces = 0; replaces < 2; replaces++) {
        start_over();
        file.settings.replaces = file.settings.durable = replaces;
        file.settings.step_limit = replaces ? 0 : 7;
        struct trace_writer *writer = watched_recording_begin(&file);
        assert_non_null(writer);
        const bool is_there = stat(recording, &status) == 0;
        trace_writer_reserve(writer, &room);
        watched_recording_end(writer, NULL);
        assert_int_equal(is_there, !replaces);
        if (replaces)
            assert_true(room > 7);
        else
            assert_int_equal(room, 7);
        assert_int_equal(stat(recording, &status), 0);
    }
}

static void test_progress(void **state) {
    static const struct user_progress none;
    struct user_progress found = none;
    (void)state;
    start_over();
    file.text[SETTINGS_PROGRESS] = progress;
    FILE *shared = fopen(progress, "w+");
    assert_non_null(shared);
    assert_int_equal(fwrite(&none, sizeof none, 1, shared), 1);
    fflush(shared);
    struct trace_writer *writer = watched_recording_begin(&file);
    watched_progress(UINT64_C(0x100000002), UINT64_C(0x300000004));
    rewind(shared);
    assert_int_equal(fread(&found, sizeof found, 1, shared), 1);
    watched_recording_end(writer, NULL);
    assert_true(found.launches == UINT64_C(0x100000002));
    assert_true(found.steps == UINT64_C(0x300000004));
    fclose(shared);
}

/* ---- output ---- */

static void *print(void *text) {
    fputs(text, stdout);
    fflush(stdout);
    return NULL;
}

/* Runs with standard output and standard error in a pipe; returns its content. */
static void print_all(char *out, size_t size) {
    int ends[2], kept[2] = {dup(1), dup(2)};
    pthread_t thread;
    fflush(stdout);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    printf("before\n");
    struct trace_writer *writer = watched_recording_begin(&file);
    printf("one line\n");
    fprintf(stderr, "to the other");
    trace_writer_launch(
        writer, &(struct trace_launch){.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}});
    pthread_create(&thread, NULL, print, (char[]){"by another thread\n"});
    pthread_join(thread, NULL);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        printf("by a child\n");
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    printf("no line's end");
    watched_recording_end(writer, NULL);
    printf("\nafter\n");
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        dup2(kept[i], i + 1);
        close(kept[i]);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t more; (more = read(ends[0], out + length, size - 1 - length)) > 0;)
        length += (size_t)more;
    out[length] = '\0';
    close(ends[0]);
}

static void test_printed(void **state) {
    static const struct trace_output expected[] = {
        {0, 0, 1, "one line\n"}, {0, 0, 2, "to the other"}, {0, 1, 1, "no line's end"}};
    char out[512];
    (void)state;
    start_over();
    print_all(out, sizeof out);
    /* Everything is printed, in the original order. */
    assert_string_equal(out, "before\none line\nto the otherby another thread\nby a child\n"
                             "no line's end\nafter\n");
    struct trace *trace = read_back();
    assert_int_equal(trace_output_count(trace), COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const struct trace_output *output = trace_output(trace, i);
        assert_int_equal(output->step, expected[i].step);
        assert_int_equal(output->launches, expected[i].launches);
        assert_int_equal(output->stream, expected[i].stream);
        assert_string_equal(output->text, expected[i].text);
    }
    assert_string_equal(trace_note(trace, TRACE_NOTE_OUTPUT_CUT), "18"); /* bytes, by the thread */
    trace_close(trace);
}

/* A program may query its streams' descriptors. */
static void test_descriptors(void **state) {
    FILE *another = tmpfile();
    (void)state;
    assert_int_equal(fileno(stdout), 1);
    assert_int_equal(fileno(stderr), 2);
    assert_int_equal(fileno(stdin), 0);
    assert_true(fileno(another) > 2);
    fclose(another);
}

static int begin(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(recording, sizeof recording, "%s/run.svt", folder);
    snprintf(list, sizeof list, "%s/sources", folder);
    snprintf(copy, sizeof copy, "%s/0.cu", folder);
    snprintf(progress, sizeof progress, "%s/progress", folder);
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(recording);
    unlink(list);
    unlink(copy);
    unlink(progress);
    return rmdir(folder); /* nothing else is left */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes_and_sources), cmocka_unit_test(test_without),
        cmocka_unit_test(test_refused),           cmocka_unit_test(test_place),
        cmocka_unit_test(test_progress),
#ifdef __GLIBC__
        cmocka_unit_test(test_printed),           cmocka_unit_test(test_descriptors),
#endif
    };
    return cmocka_run_group_tests(tests, begin, end);
}
