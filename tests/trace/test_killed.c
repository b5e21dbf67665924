/* A run that ends without closing leaves a recording that opens up to its last whole step. */
#include "sample.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum moment { BETWEEN_RECORDS, WITHIN_A_RECORD, AFTER_A_HOLE };

/* In a process of its own: records `steps` steps and is killed. */
static void record_and_die(const char *path, unsigned value_bytes, uint64_t steps,
                           enum moment moment) {
    size_t room;
    struct trace_writer *writer = sample_writer(path, value_bytes);
    sample_steps(writer, value_bytes, steps);
    trace_writer_drop(writer, 5);
    unsigned char *record = trace_writer_reserve(writer, &room);
    const struct sample_where where = {0, 0, 0};
    if (moment == WITHIN_A_RECORD) /* all but the sequence is there */
        memset(record + 8, 0xff, SHFLVIZ_RECORD_SIZE(value_bytes) - 8);
    if (moment == AFTER_A_HOLE && room > 1) /* the next one is whole, this one is not */
        sample_record(record + SHFLVIZ_RECORD_SIZE(value_bytes), value_bytes, steps + 1, where);
    kill(getpid(), SIGKILL);
}

static struct trace *trace_of_killed(const char *name, unsigned value_bytes, uint64_t steps,
                                     enum moment moment) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        record_and_die(sample_path(name), value_bytes, steps, moment);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    if (trace_open(&trace, sample_partial(name), &err) != 0)
        fail_msg("%s", err.text);
    return trace;
}

static void check_killed(unsigned value_bytes, uint64_t steps, enum moment moment) {
    struct trace_step step;
    struct trace *trace = trace_of_killed("killed.svt", value_bytes, steps, moment);
    assert_int_equal(trace_step_count(trace), steps);
    assert_int_equal(trace_dropped(trace), 5);
    assert_false(trace_is_complete(trace));
    for (uint64_t n = 0; n < steps; n++)
        sample_check_step(trace, n);
    assert_int_equal(trace_step(trace, steps, &step, NULL), -1);
    assert_string_equal(trace_launch(trace, 0)->kernel, "sample");
    assert_string_equal(trace_site(trace, 0)->file, "sample.cu");
    assert_string_equal(trace_source(trace, "sample.cu"), "int a;\n\tint b;\n");
    assert_string_equal(trace_note(trace, TRACE_NOTE_TITLE), "sample");
    trace_close(trace);
}

/* The first window holds 128 records of 512 bytes and 85 of 768. */
static void test_killed(void **state) {
    static const uint64_t counts[] = {0, 1, 84, 85, 127, 128, 129, 1000};
    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        for (enum moment moment = BETWEEN_RECORDS; moment <= AFTER_A_HOLE; moment++) {
            check_killed(4, counts[i], moment);
            check_killed(8, counts[i], moment);
        }
}

/* What the writer last noted in the header is a hint: the records are what counts. */
static void test_stale_and_wrong_hints(void **state) {
    static const uint64_t hints[] = {0, 1, 299, 300, 301, 383, 1000, UINT64_MAX};
    const char *path = sample_partial("hint.svt");
    size_t size;
    (void)state;
    trace_close(trace_of_killed("hint.svt", 4, 300, WITHIN_A_RECORD));
    unsigned char *bytes = sample_read(path, &size);
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        struct trace *trace;
        memcpy(bytes + offsetof(struct trace_file_header, step_count), &hints[i], 8);
        sample_replace(path, bytes, size);
        assert_int_equal(trace_open(&trace, path, NULL), 0);
        assert_int_equal(trace_step_count(trace), 300);
        trace_close(trace);
    }
    free(bytes);
}

/* Cut anywhere behind the metadata it opens up to the last record that is whole. */
static void test_killed_and_cut(void **state) {
    const char *path = sample_partial("cut.svt");
    size_t size;
    (void)state;
    trace_close(trace_of_killed("cut.svt", 4, 10, BETWEEN_RECORDS));
    unsigned char *bytes = sample_read(path, &size);
    for (size_t length = 32768; length <= 32768 + 11 * 512; length += 64) {
        struct trace *trace;
        uint64_t whole = (length - 32768) / 512;
        sample_replace(path, bytes, length);
        assert_int_equal(trace_open(&trace, path, NULL), 0);
        assert_int_equal(trace_step_count(trace), whole < 10 ? whole : 10);
        trace_close(trace);
    }
    free(bytes);
}

/* A call site that had no room in the front is lost with a killed run; its steps are not. */
static void test_site_that_was_not_saved(void **state) {
    const char *path = sample_partial("site.svt");
    size_t size;
    const uint32_t site = 1;
    struct trace *trace;
    struct trace_step step;
    (void)state;
    trace_close(trace_of_killed("site.svt", 4, 1, BETWEEN_RECORDS));
    unsigned char *bytes = sample_read(path, &size);
    memcpy(bytes + 32768 + offsetof(struct shflviz_record_header, site), &site, 4);
    sample_replace(path, bytes, size);
    free(bytes);
    assert_int_equal(trace_open(&trace, path, NULL), 0);
    assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
    assert_int_equal(step.site, 1);
    assert_null(trace_site(trace, 1));
    trace_close(trace);
}

/* A recording can be looked at while it is made. */
static void test_open_while_recording(void **state) {
    size_t room;
    struct trace *trace;
    struct error err = ERROR_INIT;
    const char *path = sample_path("live.svt");
    struct trace_writer *writer = sample_writer(path, 4), *second;
    const struct trace_writer_options options = {.value_bytes = 4};
    (void)state;
    sample_steps(writer, 4, 140);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(trace_open(&trace, sample_partial("live.svt"), NULL), 0);
    assert_int_equal(trace_step_count(trace), 140);
    assert_false(trace_is_complete(trace));
    sample_record(trace_writer_reserve(writer, &room), 4, 140, (struct sample_where){0, 0, 0});
    assert_int_equal(trace_step_count(trace), 140);

    assert_int_equal(trace_writer_open(&second, path, &options, &err), -1);
    assert_null(second);
    assert_non_null(strstr(err.text, "another run is recording"));
    assert_int_equal(trace_writer_close(writer, NULL, &err), 0);

    /* Recording there again leaves what is open as it was. */
    sample_file(path, 4, 3);
    assert_int_equal(trace_step_count(trace), 140);
    sample_check_step(trace, 139);
    trace_close(trace);
    assert_int_equal(trace_open(&trace, path, NULL), 0);
    assert_int_equal(trace_step_count(trace), 3);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_stale_and_wrong_hints),
        cmocka_unit_test(test_killed_and_cut),
        cmocka_unit_test(test_site_that_was_not_saved),
        cmocka_unit_test(test_open_while_recording),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
