/* Records that are taken many at once, by several threads, make the recording that they make one by
 * one. */
#include "sample.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK 2048u /* records that are handed over together */

struct device {
    unsigned value_bytes;
    uint64_t step;                /* of the first record */
    uint64_t broken;              /* the step that is not whole; UINT64_MAX: none */
    unsigned whole_asked, filled; /* calls */
};

/* Warps take turns at times, and at others one makes many steps. */
static struct sample_where where_of(uint64_t step) {
    return step / 100 % 3 == 2 ? (struct sample_where){0, 3, 0}
                               : (struct sample_where){0, step / 300 % 4, (uint32_t)(step % 3)};
}

static bool are_whole(void *context, size_t first) {
    struct device *device = context;
    const uint64_t step = device->step + first;
    __atomic_fetch_add(&device->whole_asked, 1, __ATOMIC_RELAXED);
    return device->broken < step || device->broken >= step + TRACE_GATHER_STEPS;
}

/* Into room that may hold anything. */
static void fill(void *context, unsigned char *records, size_t first) {
    struct device *device = context;
    __atomic_fetch_add(&device->filled, 1, __ATOMIC_RELAXED);
    memset(records, 0xa5, TRACE_GATHER_STEPS * SHFLVIZ_RECORD_SIZE(device->value_bytes));
    for (size_t i = 0; i < TRACE_GATHER_STEPS; i++) {
        const uint64_t step = device->step + first + i;
        unsigned char *record = records + i * SHFLVIZ_RECORD_SIZE(device->value_bytes);
        memset(record, 0, SHFLVIZ_RECORD_SIZE(device->value_bytes));
        sample_record(record, device->value_bytes, step, where_of(step));
        /* which nobody looks at */
        ((struct shflviz_record_header *)(void *)record)->sequence = 1;
    }
}

static void one_by_one(struct trace_writer *writer, unsigned value_bytes, uint64_t from,
                       uint64_t to) {
    size_t room = 0;
    unsigned char *record = NULL;
    for (uint64_t step = from; step < to; step++, room--) {
        if (room == 0)
            record = trace_writer_reserve(writer, &room);
        if (!record) /* the limit */
            return;
        sample_record(record, value_bytes, step, where_of(step));
        record += SHFLVIZ_RECORD_SIZE(value_bytes);
    }
}

/* Chunks from `from` on, what is not gathered one by one. Returns how many were gathered. */
static uint64_t in_chunks(struct trace_writer *writer, struct device *device, uint64_t from,
                          uint64_t to) {
    uint64_t gathered = 0;
    for (uint64_t step = from; step < to; step += CHUNK) {
        const size_t count = to - step < CHUNK ? (size_t)(to - step) : CHUNK;
        const struct trace_gather gather = {count, are_whole, fill, device};
        device->step = step;
        size_t taken = trace_writer_gather(writer, &gather);
        assert_int_equal(taken % TRACE_GATHER_STEPS, 0);
        assert_true(taken <= count);
        gathered += taken;
        one_by_one(writer, device->value_bytes, step + taken, step + count);
    }
    return gathered;
}

static void close_writer(struct trace_writer *writer) {
    struct error err = ERROR_INIT;
    if (trace_writer_close(writer, NULL, &err) != 0)
        fail_msg("%s", err.text);
}

static void assert_same_files(const char *name, const char *other) {
    size_t size, other_size;
    unsigned char *bytes = sample_read(name, &size), *others = sample_read(other, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, others, size);
    free(bytes);
    free(others);
}

/* The file is the same, byte for byte, with however many threads, and across groups of blocks. */
static void check_same(unsigned value_bytes, uint64_t steps, unsigned threads) {
    struct device device = {.value_bytes = value_bytes, .broken = UINT64_MAX};
    struct trace_writer *writer = sample_writer(sample_path("one.svt"), value_bytes);
    one_by_one(writer, value_bytes, 0, steps);
    close_writer(writer);
    writer = sample_writer(sample_path("many.svt"), value_bytes);
    trace_writer_use_threads(writer, threads);
    assert_int_equal(in_chunks(writer, &device, 0, steps), steps - steps % TRACE_GATHER_STEPS);
    assert_int_equal(device.filled, steps / TRACE_GATHER_STEPS);
    assert_int_equal(trace_writer_next_sequence(writer), steps + 1);
    close_writer(writer);
    assert_same_files(sample_path("one.svt"), sample_path("many.svt"));
}

static void test_the_same_recording(void **state) {
    (void)state;
    check_same(4, 3 * CHUNK, 1);
    check_same(4, 10 * CHUNK + 700, 4);
    check_same(8, 4 * CHUNK + 255, 3);
    check_same(4, 520u * TRACE_GATHER_STEPS + 5, 2);
    check_same(4, 110000, 4); /* an index that several threads put in order */
}

/* Records that are not whole, or of a site that is not known, stop it before their block. */
static void test_not_whole(void **state) {
    struct device device = {.value_bytes = 4, .broken = 3 * TRACE_GATHER_STEPS + 17};
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("broken.svt"), 4);
    trace_writer_use_threads(writer, 4);
    /* Here the record is good for all others: its block and the rest of the chunk come one by one.
     */
    assert_int_equal(in_chunks(writer, &device, 0, 2 * CHUNK), 3 * TRACE_GATHER_STEPS + CHUNK);
    close_writer(writer);
    writer = sample_writer(sample_path("one.svt"), 4);
    one_by_one(writer, 4, 0, 2 * CHUNK);
    close_writer(writer);
    assert_same_files(sample_path("one.svt"), sample_path("broken.svt"));
}

/* In the middle of a block nothing is gathered, and again from its end on. */
static void test_in_the_middle(void **state) {
    struct device device = {.value_bytes = 4, .broken = UINT64_MAX};
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("middle.svt"), 4);
    one_by_one(writer, 4, 0, 10);
    assert_int_equal(in_chunks(writer, &device, 10, 10 + CHUNK), 0);
    assert_int_equal(device.whole_asked, 0);
    one_by_one(writer, 4, 10 + CHUNK, CHUNK + TRACE_GATHER_STEPS);
    assert_int_equal(
        in_chunks(writer, &device, CHUNK + TRACE_GATHER_STEPS, 2 * CHUNK + TRACE_GATHER_STEPS),
        CHUNK);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(trace_step_count(trace), 2 * CHUNK + TRACE_GATHER_STEPS);
    for (uint64_t step = 0; step < trace_step_count(trace); step++)
        sample_check_step(trace, step);
    trace_close(trace);
}

static void test_limit(void **state) {
    struct device device = {.value_bytes = 4, .broken = UINT64_MAX};
    const struct trace_writer_options options = {.value_bytes = 4, .step_limit = 1000};
    const struct trace_launch launch = {"sample", {4, 1, 1}, {96, 1, 1}, 0};
    const struct trace_site site = {"sample.cu", 7, "sample", "call"};
    struct trace_writer *writer;
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    assert_int_equal(in_chunks(writer, &device, 0, 2 * CHUNK), 3 * TRACE_GATHER_STEPS);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(trace_step_count(trace), 1000);
    sample_check_step(trace, 999);
    trace_close(trace);
}

/* What the compact encoding has no place for is kept as it is. */
static void leave_garbage(void *context, unsigned char *records, size_t first) {
    fill(context, records, first);
    ((struct shflviz_record_header *)(void *)records)->reserved[0] = 5;
}

static void test_raw(void **state) {
    struct device device = {.value_bytes = 4, .broken = UINT64_MAX};
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("raw.svt"), 4);
    const struct trace_gather gather = {TRACE_GATHER_STEPS, are_whole, leave_garbage, &device};
    assert_int_equal(trace_writer_gather(writer, &gather), TRACE_GATHER_STEPS);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    for (uint64_t step = 0; step < TRACE_GATHER_STEPS; step++)
        sample_check_step(trace, step);
    trace_close(trace);
}

/* A run that is killed after it gathered leaves what it gathered. */
static void test_left_open(void **state) {
    struct device device = {.value_bytes = 4, .broken = UINT64_MAX};
    size_t size;
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("open.svt"), 4);
    in_chunks(writer, &device, 0, 520u * TRACE_GATHER_STEPS + 20);
    unsigned char *bytes = sample_read(sample_partial("open.svt"), &size);
    close_writer(writer);
    sample_replace(sample_path("copy.svt"), bytes, size);
    free(bytes);
    if (trace_open(&trace, sample_path("copy.svt"), &err) != 0)
        fail_msg("%s", err.text);
    assert_false(trace_is_complete(trace));
    assert_int_equal(trace_step_count(trace), 520u * TRACE_GATHER_STEPS + 20);
    for (uint64_t step = 0; step < trace_step_count(trace); step += 37)
        sample_check_step(trace, step);
    trace_close(trace);
}

/* On a full disk what was gathered before is there, and nothing is said to be that is not. */
static void on_a_full_disk(void) {
    const struct rlimit limit = {400000, 400000};
    struct device device = {.value_bytes = 4, .broken = UINT64_MAX};
    struct trace *trace;
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(sample_path("full.svt"), 4);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const uint64_t gathered = in_chunks(writer, &device, 0, 100 * CHUNK);
    assert_in_range(gathered, CHUNK, 50 * CHUNK);
    assert_true(trace_writer_failed(writer, &err));
    assert_int_equal(trace_writer_close(writer, NULL, &err), -1);
    if (trace_open(&trace, sample_partial("full.svt"), &err) != 0)
        fail_msg("%s", err.text);
    assert_in_range(trace_step_count(trace), gathered, gathered + CHUNK);
    for (uint64_t step = 0; step < trace_step_count(trace); step += 41)
        sample_check_step(trace, step);
    trace_close(trace);
}

static void test_full_disk(void **state) {
    int status;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        on_a_full_disk();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_recording),
        cmocka_unit_test(test_not_whole),
        cmocka_unit_test(test_in_the_middle),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_left_open),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
