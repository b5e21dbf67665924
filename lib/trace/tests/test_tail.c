/* A recording that another process is making is complete at every look, and grows. */
#include "sample.h"
#include "trace/read/tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALL UINT64_MAX

/* The file that a writer named `name` records into. */
static int open_partial(const char *name) {
    const int from = open(sample_partial(name), O_RDONLY | O_CLOEXEC);
    assert_true(from >= 0);
    return from;
}

/* Appends further steps. */
static void append(struct trace_writer *writer, unsigned value_bytes, uint64_t count) {
    unsigned char *record = NULL;
    const uint64_t first = trace_writer_next_sequence(writer) - 1;
    size_t room = 0;
    for (uint64_t n = first; n < first + count; n++, room--) {
        if (room == 0)
            record = trace_writer_reserve(writer, &room);
        assert_non_null(record);
        sample_record(record, value_bytes, n, (struct sample_where){0, 0, n % 3});
        record += SHFLVIZ_RECORD_SIZE(value_bytes);
    }
}

static void check_steps(const struct trace *trace, uint64_t first) {
    for (uint64_t n = first; n < trace_step_count(trace); n++)
        sample_check_step(trace, n);
}

static struct trace *look(struct trace_tail *tail, uint64_t steps) {
    struct trace *trace = trace_tail_look(tail);
    assert_non_null(trace);
    assert_int_equal(trace_step_count(trace), steps);
    assert_false(trace_is_complete(trace));
    check_steps(trace, 0);
    return trace;
}

/* Each look sees everything recorded so far; a look without news returns nothing. */
static void every_look_sees_all_steps_so_far(void **state) {
    static const uint64_t more[] = {1, 1, 253, 1, 1, 600, 512 * 256, 3};
    (void)state;
    for (unsigned value_bytes = 4; value_bytes <= 8; value_bytes += 4) {
        struct trace_writer *writer = sample_writer(sample_path("tail.svt"), value_bytes);
        size_t room;
        uint64_t steps = 0;
        struct trace *before = NULL;
        trace_writer_reserve(writer, &room);
        const int from = open_partial("tail.svt");
        struct trace_tail *tail = trace_tail_begin(from, ALL);
        trace_close(look(tail, 0));
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
            append(writer, value_bytes, more[i]);
            steps += more[i];
            struct trace *trace = look(tail, steps);
            assert_null(trace_tail_look(tail));
            if (before) /* it is unchanged */
                assert_int_equal(trace_step_count(before), steps - more[i]);
            if (before)
                check_steps(before, 0);
            trace_close(before);
            before = trace;
        }
        trace_close(before);
        assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
        assert_null(trace_tail_look(tail)); /* it is complete now, for trace_open() */
        trace_tail_end(tail);
        close(from);
    }
}

/* Output and launches are seen without a step. */
static void output_is_seen_as_it_comes(void **state) {
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("said.svt"), 4);
    size_t room;
    trace_writer_reserve(writer, &room);
    const int from = open_partial("said.svt");
    struct trace_tail *tail = trace_tail_begin(from, ALL);
    trace_close(look(tail, 0));
    for (size_t said = 1; said <= 3; said++) {
        trace_writer_output(writer, 1, "said\n", 5);
        struct trace *trace = look(tail, 0);
        assert_int_equal(trace_output_count(trace), said);
        trace_close(trace);
    }
    trace_tail_end(tail);
    close(from);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
}

/* No block that begins beyond the limit is copied. */
static void copying_stops_at_the_limit(void **state) {
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("limit.svt"), 4);
    sample_steps(writer, 4, 100 * 256);
    const int from = open_partial("limit.svt");
    struct trace_tail *tail = trace_tail_begin(from, 4096);
    struct trace *trace = trace_tail_look(tail);
    assert_non_null(trace);
    assert_in_range(trace_step_count(trace), 1, 99 * 256);
    check_steps(trace, 0);
    trace_close(trace);
    append(writer, 4, 256);
    assert_null(trace_tail_look(tail));
    trace_tail_end(tail);
    close(from);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
}

/* Whatever the other process is doing, the visible part is complete and in order. */
static void a_recording_is_whole_at_every_look(void **state) {
    enum { STEPS = 300000 };
    const char *path = sample_path("race.svt");
    (void)state;
    struct trace_writer *writer = sample_writer(path, 8);
    size_t room;
    trace_writer_reserve(writer, &room);
    const int from = open_partial("race.svt");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sample_steps(writer, 8, STEPS);
        trace_writer_close(writer, NULL, NULL);
        _exit(0);
    }
    struct trace_tail *tail = trace_tail_begin(from, ALL);
    uint64_t seen = 0;
    int status, looks = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        struct trace *trace = trace_tail_look(tail);
        if (!trace)
            continue;
        assert_true(trace_step_count(trace) >= seen);
        check_steps(trace, seen);
        seen = trace_step_count(trace);
        looks++;
        trace_close(trace);
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(looks > 0 && seen <= STEPS);
    trace_tail_end(tail);
    close(from);
    trace_writer_close(writer, NULL, NULL); /* the other process has written all of it */
}

/* A file that is not a recording, or is truncated while it is read, shows nothing. */
static void an_invalid_recording_shows_nothing(void **state) {
    (void)state;
    sample_replace(sample_path("none"),
                   "this is not a recording, and long enough for one ........."
                   "..............................................................",
                   119);
    int from = open(sample_path("none"), O_RDONLY | O_CLOEXEC);
    struct trace_tail *tail = trace_tail_begin(from, ALL);
    assert_null(trace_tail_look(tail));
    trace_tail_end(tail);
    close(from);
    struct trace_writer *writer = sample_writer(sample_path("cut.svt"), 4);
    sample_steps(writer, 4, 1000);
    from = open_partial("cut.svt");
    tail = trace_tail_begin(from, ALL);
    struct trace *trace = look(tail, 1000);
    struct stat whole;
    assert_int_equal(fstat(from, &whole), 0);
    assert_int_equal(truncate(sample_partial("cut.svt"), 128), 0);
    assert_null(trace_tail_look(tail));
    check_steps(trace, 0);
    trace_close(trace);
    trace_tail_end(tail);
    close(from);
    /* The writer has it mapped. */
    assert_int_equal(truncate(sample_partial("cut.svt"), whole.st_size), 0);
    trace_writer_close(writer, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_look_sees_all_steps_so_far),
        cmocka_unit_test(output_is_seen_as_it_comes),
        cmocka_unit_test(copying_stops_at_the_limit),
        cmocka_unit_test(a_recording_is_whole_at_every_look),
        cmocka_unit_test(an_invalid_recording_shows_nothing),
    };
    return cmocka_run_group_tests_name("tail", tests, sample_folder_make, sample_folder_remove);
}
