/*
 * Runs that do not finish. No built-in kernel deadlocks, so device_run() is wrapped (ld --wrap):
 * the real function records, and then the run is reported as failed.
 */
#include "cli/command.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __real_device_run(const struct program *program, const struct program_parameters *parameters,
                      const struct device_options *options, struct trace_writer *writer,
                      uint64_t *output, struct error *err);
int __wrap_device_run(const struct program *program, const struct program_parameters *parameters,
                      const struct device_options *options, struct trace_writer *writer,
                      uint64_t *output, struct error *err);

static enum error_kind wanted_failure;
static struct program_parameters parameters_seen;

int __wrap_device_run(const struct program *program, const struct program_parameters *parameters,
                      const struct device_options *options, struct trace_writer *writer,
                      uint64_t *output, struct error *err) {
    parameters_seen = *parameters;
    if (__real_device_run(program, parameters, options, writer, output, err) != 0)
        return -1;
    if (wanted_failure == ERROR_NONE)
        return 0;
    trace_writer_note(writer, TRACE_NOTE_FAILURE, "lane 3 waits for lane 4");
    return error_set(err, wanted_failure, "lane 3 waits for lane 4");
}

/* A folder for a recording, and for the program's output. */
struct test_folder {
    char folder[256];
    char recording[300];
    char printed[300];
};

static void make_folder(struct test_folder *test) {
    const char *temporary = getenv("TMPDIR");
    snprintf(test->folder, sizeof(test->folder), "%s/shflviz-test-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(test->folder));
    snprintf(test->recording, sizeof(test->recording), "%s/a", test->folder);
    snprintf(test->printed, sizeof(test->printed), "%s/out", test->folder);
}

static void remove_folder(const struct test_folder *test) {
    unlink(test->recording);
    unlink(test->printed);
    rmdir(test->folder);
}

/* Runs `shflviz WORDS` with standard output in test->printed. */
static int run_words(const struct test_folder *test, const char *name, char **words,
                     struct error *err) {
    const struct command *command = command_find(name);
    struct options options;
    int count = 0;
    while (words[count])
        count++;
    assert_int_equal(options_parse(&options, command, count, words, err), 0);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    int file = open(test->printed, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDOUT_FILENO);
    close(file);
    int status = command->run(command, &options, err);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    options_release(&options);
    return status;
}

static long printed_bytes(const struct test_folder *test) {
    FILE *file = fopen(test->printed, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void a_run_that_does_not_finish_is_saved_and_shown(void **state) {
    (void)state;
    struct test_folder test;
    struct trace *trace;
    struct error err = ERROR_INIT, opening = ERROR_INIT;
    make_folder(&test);
    wanted_failure = ERROR_RUN;
    char *words[] = {"--mask", "3", "-o", test.recording, "--format", "jsonl", NULL};
    assert_int_equal(run_words(&test, "xor", words, &err), -1);
    assert_int_equal(err.kind, ERROR_RUN);
    assert_string_equal(err.text, "lane 3 waits for lane 4");
    assert_true(printed_bytes(&test) > 1000);
    assert_int_equal(trace_open(&trace, test.recording, &opening), 0);
    assert_int_equal(trace_step_count(trace), 1);
    assert_string_equal(trace_note(trace, TRACE_NOTE_FAILURE), "lane 3 waits for lane 4");
    trace_close(trace);
    remove_folder(&test);
}

static void a_device_that_is_missing_shows_nothing(void **state) {
    (void)state;
    struct test_folder test;
    struct error err = ERROR_INIT;
    make_folder(&test);
    wanted_failure = ERROR_MISSING;
    char *words[] = {"--mask", "3", "--format", "text", NULL};
    assert_int_equal(run_words(&test, "xor", words, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_int_equal(printed_bytes(&test), 0);
    remove_folder(&test);
}

static void what_was_typed_reaches_the_device(void **state) {
    (void)state;
    struct test_folder test;
    struct error err = ERROR_INIT;
    make_folder(&test);
    wanted_failure = ERROR_NONE;
    char *words[] = {"--mask", "lane & 1",  "--threads", "40",       "--blocks", "2", "--width",
                     "8",      "--members", "0xff",      "--format", "text",     NULL};
    assert_int_equal(run_words(&test, "xor", words, &err), 0);
    assert_int_equal(parameters_seen.threads, 40);
    assert_int_equal(parameters_seen.blocks, 2);
    assert_int_equal(parameters_seen.width, 8);
    assert_int_equal(parameters_seen.members, 0xff);
    remove_folder(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_does_not_finish_is_saved_and_shown),
        cmocka_unit_test(a_device_that_is_missing_shows_nothing),
        cmocka_unit_test(what_was_typed_reaches_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
