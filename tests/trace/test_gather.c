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

/* Records as a device leaves them: their site is another number, and sequences are of the device.
 */
#define DEVICE_SITE 77

struct device {
    unsigned value_bytes;
    uint64_t step;                   /* of the first */
    uint64_t broken;                 /* the step that is not whole; UINT64_MAX: none */
    unsigned whole_asked, corrected; /* calls */
};

static bool are_whole(void *context, const unsigned char *records, size_t first) {
    struct device *device = context;
    __atomic_fetch_add(&device->whole_asked, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < TRACE_GATHER_STEPS; i++) {
        const struct shflviz_record_header *head =
            (const void *)(records + i * SHFLVIZ_RECORD_SIZE(device->value_bytes));
        assert_int_equal(head->site, DEVICE_SITE); /* nobody has corrected it yet */
        if (device->step + first + i == device->broken)
            return false;
    }
    return true;
}

static void correct(void *context, unsigned char *records, size_t first) {
    struct device *device = context;
    (void)first;
    __atomic_fetch_add(&device->corrected, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < TRACE_GATHER_STEPS; i++) {
        struct shflviz_record_header *head =
            (void *)(records + i * SHFLVIZ_RECORD_SIZE(device->value_bytes));
        assert_int_equal(head->site, DEVICE_SITE);
        head->site = 0;
        head->sequence = 1; /* which nobody looks at */
    }
}

/* Warps take turns at times, and at others one makes many steps. */
static struct sample_where where_of(uint64_t step) {
    return step / 100 % 3 == 2 ? (struct sample_where){0, 3, 0}
                               : (struct sample_where){0, step / 300 % 4, (uint32_t)(step % 3)};
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
    const size_t bytes = SHFLVIZ_RECORD_SIZE(device->value_bytes);
    unsigned char *chunk = aligned_alloc(64, CHUNK * bytes);
    uint64_t gathered = 0;
    assert_non_null(chunk);
    memset(chunk, 0, CHUNK * bytes);
    for (uint64_t step = from; step < to; step += CHUNK) {
        const size_t count = to - step < CHUNK ? (size_t)(to - step) : CHUNK;
        for (size_t i = 0; i < count; i++) {
            sample_record(chunk + i * bytes, device->value_bytes, step + i, where_of(step + i));
            ((struct shflviz_record_header *)(void *)(chunk + i * bytes))->site = DEVICE_SITE;
        }
        const struct trace_gather gather = {chunk, count, are_whole, correct, device};
        device->step = step;
        size_t taken = trace_writer_gather(writer, &gather);
        assert_int_equal(taken % TRACE_GATHER_STEPS, 0);
        assert_true(taken <= count);
        const bool failed = trace_writer_failed(writer, NULL);
        for (size_t i = taken; !failed && i < count; i++) /* the others are as they were */
            assert_int_equal(((struct shflviz_record_header *)(void *)(chunk + i * bytes))->site,
                             DEVICE_SITE);
        gathered += taken;
        one_by_one(writer, device->value_bytes, step + taken, step + count);
    }
    free(chunk);
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
    assert_int_equal(device.corrected, steps / TRACE_GATHER_STEPS);
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
    correct(context, records, first);
    ((struct shflviz_record_header *)(void *)records)->reserved[0] = 5;
}

static void test_raw(void **state) {
    static unsigned char chunk[TRACE_GATHER_STEPS * SHFLVIZ_RECORD_SIZE(4)]
        __attribute__((aligned(64)));
    struct device device = {.value_bytes = 4, .broken = UINT64_MAX};
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("raw.svt"), 4);
    for (size_t i = 0; i < TRACE_GATHER_STEPS; i++) {
        unsigned char *record = chunk + i * SHFLVIZ_RECORD_SIZE(4);
        sample_record(record, 4, i, where_of(i));
        ((struct shflviz_record_header *)(void *)record)->site = DEVICE_SITE;
    }
    const struct trace_gather gather = {chunk, TRACE_GATHER_STEPS, are_whole, leave_garbage,
                                        &device};
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
