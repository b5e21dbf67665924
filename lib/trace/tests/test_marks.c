/* Marks: found by comparing recordings, kept in files, read back; older files have none. */
#include "trace/marks.h"

#include "sample.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define STEPS 700 /* more than two blocks of steps */

/* The sample's steps, of which `step` is changed as given. */
enum difference { SAME, OTHER_IN, OTHER_LANES, FEWER };

static struct trace *recording(const char *path, enum difference difference, uint64_t step) {
    struct trace_writer *writer = sample_writer(path, 4);
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    for (uint64_t done = 0; done < (difference == FEWER ? step : STEPS); done++) {
        const struct sample_where where = {0, 0, (uint32_t)(done % 3)};
        size_t room;
        unsigned char *record = trace_writer_reserve(writer, &room);
        assert_non_null(record);
        sample_record(record, 4, done, where);
        if (difference == OTHER_IN && done == step) {
            /* Lane 5 passes a different value, and lane 6 (xor 3) gets it. */
            record[SHFLVIZ_RECORD_OFFSET_IN + 4 * 5] ^= 0x40;
            record[SHFLVIZ_RECORD_OFFSET_OUT(4) + 4 * 6] ^= 0x40;
        }
        if (difference == OTHER_LANES && done == step)
            ((struct shflviz_record_header *)(void *)record)->members = 0x7fffffff;
    }
    if (trace_writer_close(writer, &trace, &err) != 0)
        fail_msg("%s", err.text);
    return trace;
}

static void assert_mark(const struct trace *trace, uint64_t step, uint32_t in, uint32_t out) {
    struct trace_step read;
    assert_int_equal(trace_step(trace, step, &read, NULL), 0);
    assert_int_equal(read.operation.doubtful_in, in);
    assert_int_equal(read.operation.doubtful_out, out);
}

static void test_values_that_differ(void **state) {
    (void)state;
    struct trace *one = recording(NULL, SAME, 0), *other = recording(NULL, OTHER_IN, 301);
    struct trace_marks marks;
    trace_marks_init(&marks, one);
    trace_marks_add(&marks, one, one);
    for (uint64_t i = 0; i < STEPS; i++)
        assert_int_equal(marks.of[i].in | marks.of[i].out, 0);
    trace_marks_add(&marks, one, other);
    for (uint64_t i = 0; i < STEPS; i++) {
        assert_int_equal(marks.of[i].in, i == 301 ? 1u << 5 : 0);
        assert_int_equal(marks.of[i].out, i == 301 ? 1u << 6 : 0);
    }
    trace_marks_subtract(&marks, one, other); /* it differs even without other undefined values */
    assert_int_equal(marks.of[301].in | marks.of[301].out, 0);
    trace_marks_release(&marks);
    trace_close(one);
    trace_close(other);
}

/* Steps 3n + 1 are warp 1's: from its divergence on, all of them are marked, and no others. If the
 * other recording ends early, all later steps are marked. */
static void test_diverged_warps(void **state) {
    (void)state;
    struct trace *one = recording(NULL, SAME, 0);
    struct trace *others[] = {recording(NULL, OTHER_LANES, 301), recording(NULL, FEWER, 301)};
    for (int i = 0; i < 2; i++) {
        struct trace_marks marks;
        trace_marks_init(&marks, one);
        trace_marks_add(&marks, one, others[i]);
        for (uint64_t step = 0; step < STEPS; step++) {
            const bool marked = step >= 301 && (i == 1 || step % 3 == 1);
            assert_int_equal(marks.of[step].in, marked ? 0xffffffff : 0);
            assert_int_equal(marks.of[step].out, marked ? 0xffffffff : 0);
        }
        trace_marks_release(&marks);
        trace_close(others[i]);
    }
    trace_close(one);
}

static void test_written_before_the_end(void **state) {
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("written.svt"), 4);
    struct trace *trace = NULL, *look = NULL;
    struct trace_marks marks;
    size_t room;
    sample_steps(writer, 4, STEPS);
    assert_int_equal(trace_writer_look(writer, &look, NULL), 0);
    assert_int_equal(trace_step_count(look), STEPS);
    sample_check_step(look, STEPS - 1);
    assert_null(trace_writer_reserve(writer, &room)); /* no more steps */
    trace_marks_init(&marks, look);
    marks.of[0].in = 1;
    marks.of[STEPS - 1].out = 0x80000000;
    trace_marks_write(&marks, writer);
    trace_marks_release(&marks);
    trace_close(look);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    assert_true(trace_is_complete(trace));
    assert_true(trace_is_followed(trace));
    assert_int_equal(trace_step_count(trace), STEPS);
    for (uint64_t i = 0; i < STEPS; i++) {
        sample_check_step(trace, i);
        assert_mark(trace, i, i == 0, i == STEPS - 1 ? 0x80000000 : 0);
    }
    trace_close(trace);
}

static void test_appended_to_a_closed_file(void **state) {
    (void)state;
    const char *path = sample_path("appended.svt");
    struct trace *trace = recording(path, SAME, 0), *reader = NULL;
    struct trace_marks marks;
    assert_false(trace_is_followed(trace));
    assert_int_equal(trace_open(&reader, path, NULL), 0); /* another process has it open */
    const int file = open(path, O_RDWR);
    trace_marks_init(&marks, trace);
    marks.of[17].out = 3;
    assert_int_equal(trace_marks_append(&marks, &trace, file, path, NULL), 0);
    trace_marks_release(&marks);
    close(file);
    assert_mark(trace, 17, 0, 3);
    trace_close(trace);
    for (uint64_t i = 0; i < STEPS; i++)
        sample_check_step(reader, i);
    assert_mark(reader, 17, 0, 0);
    trace_close(reader);
    assert_int_equal(trace_open(&trace, path, NULL), 0);
    assert_true(trace_is_complete(trace));
    assert_true(trace_is_followed(trace));
    for (uint64_t i = 0; i < STEPS; i++) {
        sample_check_step(trace, i);
        assert_mark(trace, i, 0, i == 17 ? 3 : 0);
    }
    assert_int_equal(trace_warp_count(trace), 3); /* the index is still there */
    trace_close(trace);
}

static void test_a_note_is_appended(void **state) {
    (void)state;
    const char *path = sample_path("noted.svt");
    struct trace *trace = recording(path, SAME, 0);
    const int file = open(path, O_RDWR);
    assert_null(trace_note(trace, TRACE_NOTE_UNUSED));
    assert_int_equal(trace_note_append(TRACE_NOTE_UNUSED, "yes", &trace, file, path, NULL), 0);
    assert_string_equal(trace_note(trace, TRACE_NOTE_UNUSED), "yes");
    struct trace_marks marks;
    trace_marks_init(&marks, trace);
    marks.of[17].out = 3;
    assert_int_equal(trace_marks_append(&marks, &trace, file, path, NULL), 0); /* both are kept */
    trace_marks_release(&marks);
    close(file);
    trace_close(trace);
    assert_int_equal(trace_open(&trace, path, NULL), 0);
    assert_true(trace_is_complete(trace));
    assert_string_equal(trace_note(trace, TRACE_NOTE_UNUSED), "yes");
    assert_true(trace_is_followed(trace));
    for (uint64_t i = 0; i < STEPS; i++) {
        sample_check_step(trace, i);
        assert_mark(trace, i, 0, i == 17 ? 3 : 0);
    }
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_that_differ),
        cmocka_unit_test(test_diverged_warps),
        cmocka_unit_test(test_written_before_the_end),
        cmocka_unit_test(test_appended_to_a_closed_file),
        cmocka_unit_test(test_a_note_is_appended),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
