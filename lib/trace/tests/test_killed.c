/* A run that ends without closing leaves a recording that opens up to its last complete step. */
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
    if (moment == AFTER_A_HOLE && room > 1) /* the next one is complete, this one is not */
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

static void test_killed(void **state) {
    static const uint64_t counts[] = {0, 1, 84, 85, 127, 128, 129, 1000};
    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        for (enum moment moment = BETWEEN_RECORDS; moment <= AFTER_A_HOLE; moment++) {
            check_killed(4, counts[i], moment);
            check_killed(8, counts[i], moment);
        }
}

/* Steps in complete blocks, and in groups of blocks, are found again. */
static void test_killed_after_groups(void **state) {
    static const uint64_t counts[] = {255, 256, 257, 512, 512 * 256, 512 * 256 + 300};
    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        check_killed(4, counts[i], WITHIN_A_RECORD);
}

/* The offset of the records that a killed run was filling. */
static size_t open_records(const unsigned char *bytes, size_t size) {
    struct trace_file_block head;
    for (size_t at = TRACE_FILE_HEADER_BYTES; at + sizeof(head) <= size;
         at += sizeof(head) + (size_t)trace_file_align(head.bytes)) {
        memcpy(&head, bytes + at, sizeof(head));
        assert_int_equal(head.mark, TRACE_FILE_BLOCK_MARK);
        if (head.kind == TRACE_FILE_OPEN)
            return at + sizeof(head);
    }
    fail_msg("no block is open");
    return 0;
}

/* Truncated within the records, it still opens and shows no incomplete step. */
static void test_killed_and_cut(void **state) {
    const char *path = sample_partial("cut.svt");
    size_t size;
    (void)state;
    trace_close(trace_of_killed("cut.svt", 4, 10, BETWEEN_RECORDS));
    unsigned char *bytes = sample_read(path, &size);
    size_t records = open_records(bytes, size);
    for (size_t length = records; length <= records + 11 * 512; length += 64) {
        struct trace *trace;
        uint64_t whole = (length - records) / 512;
        sample_replace(path, bytes, length);
        assert_int_equal(trace_open(&trace, path, NULL), 0);
        assert_true(trace_step_count(trace) == 0 || trace_step_count(trace) <= whole);
        trace_close(trace);
    }
    free(bytes);
}

/* Truncated anywhere, at the end of a block or within one, it has the steps of all earlier
 * blocks. */
static void test_cut_at_every_block(void **state) {
    const char *path = sample_partial("blocks.svt");
    size_t size, records;
    uint64_t whole = 0, cuts = 0;
    struct trace_file_block head;
    (void)state;
    trace_close(trace_of_killed("blocks.svt", 4, 5 * TRACE_FILE_BLOCK_STEPS + 10, BETWEEN_RECORDS));
    unsigned char *bytes = sample_read(path, &size);
    records = open_records(bytes, size);
    for (size_t at = TRACE_FILE_HEADER_BYTES, end; at < records; at = end, whole += head.count) {
        memcpy(&head, bytes + at, sizeof(head));
        end = at + sizeof(head) + (size_t)trace_file_align(head.bytes);
        if (head.kind != TRACE_FILE_STEPS)
            head.count = 0;
        for (size_t length = at; length < (end < records ? end : records); length += 8, cuts++) {
            struct trace *trace;
            sample_replace(path, bytes, length);
            if (trace_open(&trace, path, NULL) != 0) {
                assert_int_equal(whole, 0); /* the metadata are incomplete */
                continue;
            }
            assert_int_equal(trace_step_count(trace), whole);
            if (whole > 0)
                sample_check_step(trace, whole - 1);
            trace_close(trace);
        }
    }
    assert_int_equal(whole, 5 * TRACE_FILE_BLOCK_STEPS);
    assert_true(cuts > 1000);
    free(bytes);
}

/* A call site that did not fit in the front is lost with a killed run; its steps are not. */
static void test_site_that_was_not_saved(void **state) {
    const char *path = sample_partial("site.svt");
    size_t size;
    const uint32_t site = 1;
    struct trace *trace;
    struct trace_step step;
    (void)state;
    trace_close(trace_of_killed("site.svt", 4, 1, BETWEEN_RECORDS));
    unsigned char *bytes = sample_read(path, &size);
    memcpy(bytes + open_records(bytes, size) + offsetof(struct shflviz_record_header, site), &site,
           4);
    sample_replace(path, bytes, size);
    free(bytes);
    assert_int_equal(trace_open(&trace, path, NULL), 0);
    assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
    assert_int_equal(step.site, 1);
    assert_null(trace_site(trace, 1));
    trace_close(trace);
}

/* A recording can be read while it is made. */
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

    /* Another recording at the same path leaves an open recording unchanged. */
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
        cmocka_unit_test(test_killed_after_groups),
        cmocka_unit_test(test_killed_and_cut),
        cmocka_unit_test(test_cut_at_every_block),
        cmocka_unit_test(test_site_that_was_not_saved),
        cmocka_unit_test(test_open_while_recording),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
