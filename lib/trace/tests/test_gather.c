/* Gathering many records at once, with several threads, makes the same recording as writing them
 * one by one. */
#include "sample.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK 2048u /* the records that are passed at a time */

struct device {
    unsigned value_bytes;
    uint64_t step;                /* the step of the first record */
    uint64_t broken;              /* the incomplete step; UINT64_MAX for none */
    unsigned whole_asked, filled; /* counts of calls */
};

/* Sometimes warps alternate; at other times one warp makes many steps in a row. */
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

/* Fills a record, whose memory may hold anything. */
static bool fill(void *context, unsigned char *record, size_t number) {
    struct device *device = context;
    __atomic_fetch_add(&device->filled, 1, __ATOMIC_RELAXED);
    memset(record, 0, SHFLVIZ_RECORD_SIZE(device->value_bytes));
    sample_record(record, device->value_bytes, device->step + number,
                  where_of(device->step + number));
    /* never read */
    ((struct shflviz_record_header *)(void *)record)->sequence = 1;
    return false;
}

static void one_by_one(struct trace_writer *writer, unsigned value_bytes, uint64_t from,
                       uint64_t to) {
    size_t room = 0;
    unsigned char *record = NULL;
    for (uint64_t step = from; step < to; step++, room--) {
        if (room == 0)
            record = trace_writer_reserve(writer, &room);
        if (!record) /* the step limit is reached */
            return;
        sample_record(record, value_bytes, step, where_of(step));
        record += SHFLVIZ_RECORD_SIZE(value_bytes);
    }
}

/* Writes the records from `from` on, one by one if they are not gathered. Returns how many were
 * gathered. */
static uint64_t in_chunks(struct trace_writer *writer, struct device *device, uint64_t from,
                          uint64_t to) {
    uint64_t gathered = 0;
    for (uint64_t step = from; step < to; step += CHUNK) {
        const size_t count = to - step < CHUNK ? (size_t)(to - step) : CHUNK;
        struct trace_gather gather = {
            .count = count, .whole = are_whole, .fill = fill, .context = device};
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

/* The file is the same, byte for byte, with any number of threads, and across groups of blocks. */
static void check_same(unsigned value_bytes, uint64_t steps, unsigned threads) {
    struct device device = {.value_bytes = value_bytes, .broken = UINT64_MAX};
    struct trace_writer *writer = sample_writer(sample_path("one.svt"), value_bytes);
    one_by_one(writer, value_bytes, 0, steps);
    close_writer(writer);
    writer = sample_writer(sample_path("many.svt"), value_bytes);
    trace_writer_use_threads(writer, threads);
    assert_int_equal(in_chunks(writer, &device, 0, steps), steps - steps % TRACE_GATHER_STEPS);
    assert_int_equal(device.filled, steps - steps % TRACE_GATHER_STEPS);
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
    check_same(4, 110000, 4); /* an index sorted by several threads */
}

/* Incomplete records, or records of an unknown site, stop gathering before their block. */
static void test_incomplete(void **state) {
    struct device device = {.value_bytes = 4, .broken = 3 * TRACE_GATHER_STEPS + 17};
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("broken.svt"), 4);
    trace_writer_use_threads(writer, 4);
    /* Only gathering finds that record broken; its block and the rest of the chunk are written
       one by one. */
    assert_int_equal(in_chunks(writer, &device, 0, 2 * CHUNK), 3 * TRACE_GATHER_STEPS + CHUNK);
    close_writer(writer);
    writer = sample_writer(sample_path("one.svt"), 4);
    one_by_one(writer, 4, 0, 2 * CHUNK);
    close_writer(writer);
    assert_same_files(sample_path("one.svt"), sample_path("broken.svt"));
}

/* Nothing is gathered in the middle of a block, and gathering resumes at its end. */
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

/* Records that the compact encoding cannot represent are kept unchanged. */
static bool leave_garbage(void *context, unsigned char *record, size_t number) {
    fill(context, record, number);
    if (number == 0)
        ((struct shflviz_record_header *)(void *)record)->reserved[0] = 5;
    return false;
}

static void test_raw(void **state) {
    struct device device = {.value_bytes = 4, .broken = UINT64_MAX};
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("raw.svt"), 4);
    struct trace_gather gather = {
        .count = TRACE_GATHER_STEPS, .whole = are_whole, .fill = leave_garbage, .context = &device};
    assert_int_equal(trace_writer_gather(writer, &gather), TRACE_GATHER_STEPS);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    for (uint64_t step = 0; step < TRACE_GATHER_STEPS; step++)
        sample_check_step(trace, step);
    trace_close(trace);
}

/* Shuffles by all lanes, brief and in mixed order, with values of every kind: new, linear, the
 * warp's last input or output, the sum of both, or a mixture. */
struct shuffles {
    unsigned every; /* one in this many is not brief; 0: all are; 1: none is */
    uint8_t type;
    uint64_t step;
};

static uint32_t mixed(uint64_t number) {
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 29);
}

static uint32_t sum_of(uint8_t type, uint32_t a, uint32_t b) {
    float x, y;
    if (type != WARP_TYPE_FLOAT)
        return a + b;
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    x += y;
    memcpy(&b, &x, sizeof(b));
    return x == x ? b : a;
}

/* The result of a shuffle: CUDA C++ Programming Guide, warp shuffle functions. */
static uint32_t read_lane(unsigned op, uint32_t lane, uint32_t arg, uint32_t width) {
    const uint32_t base = lane / width * width, end = base + width;
    switch (op) {
    case WARP_OP_IDX:
        return base + arg % width;
    case WARP_OP_UP:
        return lane - base >= arg ? lane - arg : lane;
    case WARP_OP_DOWN:
        return arg < end - lane ? lane + arg : lane;
    default:
        return (lane ^ arg) < end ? lane ^ arg : lane;
    }
}

static struct shflviz_record_header shuffle_head(uint64_t step, uint8_t type) {
    static const int32_t widths[] = {32, 16, 8, 4, 2, 1};
    return (struct shflviz_record_header){.block = step / 4 % 3,
                                          .warp = (uint32_t)(step % 2),
                                          .op = (uint8_t)(mixed(step / 8) % 4),
                                          .type = step % 50 < 40 ? type : WARP_TYPE_UNSIGNED,
                                          .members = 0xffffffff,
                                          .present = 0xffffffff,
                                          .width = widths[mixed(step / 16) % 6]};
}

static uint32_t shuffle_arg(uint64_t step) {
    static const uint32_t args[] = {0, 1, 2, 3, 5, 16, 31, 32, 33, 70};
    return args[mixed(step / 12) % 10];
}

static void shuffle_values(uint64_t step, uint8_t type, uint32_t in[32]) {
    const uint64_t before = step >= 12 ? step - 12 : 0; /* the last step of the same warp */
    uint32_t last[32];
    const unsigned kind = step < 12 ? 0 : mixed(step) % 9;
    const struct shflviz_record_header head = shuffle_head(before, type);
    if (kind >= 3)
        shuffle_values(before, type, last);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t got =
            kind >= 3 ? last[read_lane(head.op, i, shuffle_arg(before), (uint32_t)head.width)] : 0;
        const uint32_t value = mixed(64 * step + i);
        switch (kind) {
        case 0:
            in[i] = value >> step % 4 * 8;
            break;
        case 1:
            in[i] = 0x7fffffffu * (uint32_t)step + i * (uint32_t)(step % 5 - 2);
            break;
        case 2:
            in[i] = i < 2 || i > 29 ? 7 : (uint32_t)(step % 3);
            break;
        case 3:
            in[i] = last[i];
            break;
        case 4:
            in[i] = got;
            break;
        case 5:
            in[i] = sum_of(shuffle_head(step, type).type, last[i], got);
            break;
        case 6:
            in[i] = i % 4 == 1 ? value : i % 2 ? got : last[i];
            break;
        case 7:
            in[i] = i == 9 ? last[i] : value; /* the first lane that is never read */
            break;
        default:
            in[i] = i == 8 ? last[i] : value;
        }
    }
}

static bool fill_shuffle(void *context, unsigned char *record, size_t number) {
    const struct shuffles *shuffles = context;
    const uint64_t step = shuffles->step + number;
    const bool brief = shuffles->every == 0 || step % shuffles->every != 0;
    const struct shflviz_record_header head = shuffle_head(step, shuffles->type);
    uint32_t in[32], out[32], args[32];
    shuffle_values(step, shuffles->type, in);
    for (uint32_t i = 0; i < 32; i++) {
        args[i] = shuffle_arg(step);
        out[i] = in[read_lane(head.op, i, args[i], (uint32_t)head.width)];
    }
    memset(record, brief ? 0xa5 : 0, SHFLVIZ_RECORD_SIZE(4));
    memcpy(record, &head, sizeof(head));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, args, brief ? sizeof(args[0]) : sizeof(args));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_IN, in, sizeof(in));
    if (!brief)
        memcpy(record + SHFLVIZ_RECORD_OFFSET_OUT(4), out, sizeof(out));
    return brief;
}

static void shuffle_recording(const char *path, unsigned every, uint8_t type) {
    struct shuffles shuffles = {.every = every, .type = type};
    struct trace_gather gather = {
        .count = 40u * TRACE_GATHER_STEPS, .fill = fill_shuffle, .context = &shuffles};
    struct trace_writer *writer = sample_writer(path, 4);
    assert_int_equal(trace_writer_gather(writer, &gather), gather.count);
    close_writer(writer);
}

/* A brief record is the same in the file, byte for byte. */
static void test_brief(void **state) {
    static const uint8_t types[] = {WARP_TYPE_INT, WARP_TYPE_UNSIGNED, WARP_TYPE_FLOAT,
                                    WARP_TYPE_HALF2};
    static const unsigned every[] = {0, 2, 3, 7};
    (void)state;
    for (size_t type = 0; type < sizeof(types); type++) {
        shuffle_recording(sample_path("whole.svt"), 1, types[type]);
        for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++) {
            shuffle_recording(sample_path("brief.svt"), every[i], types[type]);
            assert_same_files(sample_path("whole.svt"), sample_path("brief.svt"));
        }
    }
}

/* If one record of a block has no compact form, its brief records become full records. */
static bool leave_shuffle_garbage(void *context, unsigned char *record, size_t number) {
    const bool brief = fill_shuffle(context, record, number);
    if (number == 1)
        ((struct shflviz_record_header *)(void *)record)->reserved[1] = 1;
    return brief;
}

static void test_brief_raw(void **state) {
    struct shuffles shuffles = {.every = 2, .type = WARP_TYPE_INT};
    struct trace_gather gather = {
        .count = TRACE_GATHER_STEPS, .fill = leave_shuffle_garbage, .context = &shuffles};
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace_writer *writer = sample_writer(sample_path("raw.svt"), 4);
    shuffles.every = 5; /* step 0 is not brief, nor is the one with garbage */
    shuffles.step = 4;
    assert_int_equal(trace_writer_gather(writer, &gather), TRACE_GATHER_STEPS);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    for (uint64_t i = 0; i < TRACE_GATHER_STEPS; i++) {
        struct trace_step step;
        uint32_t in[32];
        if (trace_step(trace, i, &step, &err) != 0)
            fail_msg("%s", err.text);
        shuffle_values(4 + i, WARP_TYPE_INT, in);
        for (uint32_t lane = 0; lane < 32; lane++) {
            const struct shflviz_record_header head = shuffle_head(4 + i, WARP_TYPE_INT);
            const uint32_t arg = shuffle_arg(4 + i);
            assert_int_equal(step.operation.in[lane], in[lane]);
            assert_int_equal((uint32_t)step.operation.arg[lane], arg);
            assert_int_equal(step.operation.out[lane],
                             in[read_lane(head.op, lane, arg, (uint32_t)head.width)]);
        }
    }
    trace_close(trace);
}

/* The number of records is decided by looking at them, in the same threads. */
struct looked {
    struct device device;
    size_t count, looks, settled;
    bool not_whole;
};

static void look_at(void *context, size_t number) {
    struct looked *looked = context;
    assert_in_range(number, 0, 9);
    __atomic_fetch_add(&looked->looks, 1, __ATOMIC_RELAXED);
}

static void settle(void *context, struct trace_gather *gather) {
    struct looked *looked = context;
    assert_int_equal(looked->looks, 10);
    looked->settled++;
    gather->count = looked->count;
    gather->whole = looked->not_whole ? are_whole : NULL;
}

static void check_looked(size_t most, size_t count, unsigned threads, size_t taken,
                         bool not_whole) {
    struct looked looked = {.device = {.value_bytes = 4, .broken = 2 * TRACE_GATHER_STEPS + 1},
                            .count = count,
                            .not_whole = not_whole};
    struct trace_gather gather = {.count = most,
                                  .fill = fill,
                                  .context = &looked,
                                  .looks = 10,
                                  .look = look_at,
                                  .settle = settle};
    struct trace *trace;
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(sample_path("looked.svt"), 4);
    trace_writer_use_threads(writer, threads);
    assert_int_equal(trace_writer_gather(writer, &gather), taken);
    assert_int_equal(looked.settled, 1);
    one_by_one(writer, 4, taken, taken + 20);
    looked.looks = 0;
    assert_int_equal(trace_writer_gather(writer, &gather), 0); /* in the middle of a block */
    assert_int_equal(looked.settled, 2);
    one_by_one(writer, 4, taken + 20, taken + TRACE_GATHER_STEPS);
    looked.looks = looked.count = 0;
    assert_int_equal(trace_writer_gather(writer, &gather), 0); /* no records are there */
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(trace_step_count(trace), taken + TRACE_GATHER_STEPS);
    for (uint64_t step = 0; step < trace_step_count(trace); step += 3)
        sample_check_step(trace, step);
    trace_close(trace);
}

static void test_looks(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        check_looked(2048, 2048, threads, 2048, false);
        check_looked(2048, 1500, threads, 1280, false);
        check_looked(2048, 255, threads, 0, false);
        check_looked(100, 0, threads, 0, false);
        check_looked(300u * TRACE_GATHER_STEPS, 299u * TRACE_GATHER_STEPS, threads,
                     299u * TRACE_GATHER_STEPS, false);
        check_looked(2048, 2000, threads, 2 * TRACE_GATHER_STEPS, true);
    }
}

/* A run that is killed after gathering keeps what it gathered. */
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

/* On a full disk, earlier records are kept, and no lost record is reported as gathered. */
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
        cmocka_unit_test(test_incomplete),
        cmocka_unit_test(test_in_the_middle),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_brief),
        cmocka_unit_test(test_brief_raw),
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_left_open),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
