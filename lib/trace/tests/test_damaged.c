/* A damaged file is not taken for a good file, and reading it is harmless whatever it holds. */
#include "sample.h"

#include "trace/file.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path_of_damaged(void) {
    return sample_path("damaged.svt");
}

/* Opens the bytes as a file and reads all of it. Returns the number of steps; err->text is "" if
 * it opened. */
static uint64_t look_at(const unsigned char *bytes, size_t size, struct error *err) {
    struct trace *trace;
    int descriptor = file_in_memory(); /* thousands of files: too many for a disk */
    assert_int_equal(file_write(descriptor, 0, bytes, size), 0);
    *err = (struct error)ERROR_INIT;
    int failed = trace_open_descriptor(&trace, descriptor, "damaged", err);
    close(descriptor);
    if (failed) {
        assert_null(trace);
        assert_int_equal(err->kind, ERROR_USAGE);
        assert_non_null(strstr(err->text, "'damaged'"));
        return 0;
    }
    uint64_t steps = trace_step_count(trace);
    walk_trace(trace);
    trace_close(trace);
    return steps;
}

static void expect(const unsigned char *bytes, size_t size, const char *words) {
    struct error err;
    look_at(bytes, size, &err);
    if (!strstr(err.text, words))
        fail_msg("expected '%s' in: '%s'", words, err.text);
}

/* A recording that opens, with all its steps. */
static void expect_good(const unsigned char *bytes, size_t size) {
    struct error err;
    assert_int_equal(look_at(bytes, size, &err), 3);
    assert_string_equal(err.text, "");
}

/* A good recording of 3 steps in memory, to be freed. */
static unsigned char *good_file(size_t *size) {
    unlink(path_of_damaged());
    sample_file(path_of_damaged(), 4, 3);
    return sample_read(path_of_damaged(), size);
}

/* A closed recording that lost its end is damaged, wherever it was cut. */
static void test_truncated(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    expect(bytes, 0, "is empty");
    expect(bytes, 1, "all but its beginning is missing");
    expect(bytes, 127, "all but its beginning is missing");
    for (size_t length = 128; length < size; length++)
        expect(bytes, length, "is damaged");
    expect(bytes, size - 1, "its end is missing");
    expect_good(bytes, size);
    free(bytes);
}

/* ---- single bits ---- */

/* Compares every step, and the way through every warp, with the original. Returns true if damage
 * was reported. */
static bool read_all(const struct trace *trace, const struct trace *good) {
    bool told = false;
    assert_int_equal(trace_step_count(trace), trace_step_count(good));
    assert_int_equal(trace_dropped(trace), trace_dropped(good));
    assert_int_equal(trace_is_complete(trace), trace_is_complete(good));
    assert_string_equal(trace_note(trace, TRACE_NOTE_TITLE), trace_note(good, TRACE_NOTE_TITLE));
    for (uint64_t n = 0; n < trace_step_count(good); n++) {
        struct trace_step step, wanted;
        struct error err = ERROR_INIT;
        memset(&step, 0, sizeof(step));
        memset(&wanted, 0, sizeof(wanted));
        assert_int_equal(trace_step(good, n, &wanted, NULL), 0);
        if (trace_step(trace, n, &step, &err) == 0) {
            assert_memory_equal(&step.operation, &wanted.operation, sizeof(step.operation));
            assert_int_equal(step.block, wanted.block);
            assert_int_equal(step.site, wanted.site);
        } else {
            assert_non_null(strstr(err.text, "damaged"));
            assert_non_null(strstr(err.text, "Steps "));
            told = true;
        }
    }
    for (uint64_t i = 0; i < trace_warp_count(good); i++) {
        struct trace_warp warp, wanted;
        assert_true(trace_warp(good, i, &wanted));
        if (!trace_warp(trace, i, &warp)) {
            assert_true(told);
            continue;
        }
        if (!told)
            assert_int_equal(warp.steps, wanted.steps);
        for (uint64_t position = 0; !told && position < wanted.steps; position++)
            assert_int_equal(trace_warp_step(trace, &warp, position),
                             trace_warp_step(good, &wanted, position));
    }
    return told;
}

static void flip(unsigned char *bytes, size_t size, uint64_t bit, const struct trace *good,
                 unsigned said[2]) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    int descriptor = file_in_memory();
    assert_int_equal(file_write(descriptor, 0, bytes, size), 0);
    if (trace_open_descriptor(&trace, descriptor, "flipped", &err) == 0) {
        said[read_all(trace, good)]++;
        trace_close(trace);
    } else if (!strstr(err.text, "damaged")) {
        fail_msg("bit %llu: %s", (unsigned long long)bit, err.text);
    } else {
        said[1]++;
    }
    close(descriptor);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
}

/* Whichever bit of a recording is changed, either what is shown stays the same, or an error is
 * reported. Changes each bit of a short recording, and as many bits of a long one as SHFLVIZ_FLIPS
 * says. */
static void check_flips(const char *name, unsigned value_bytes, uint64_t steps, uint64_t flips) {
    const char *path = sample_path(name);
    struct trace *good;
    uint64_t seed = 1;
    unsigned said[2] = {0, 0};
    size_t size;
    sample_file(path, value_bytes, steps);
    unsigned char *bytes = sample_read(path, &size);
    assert_int_equal(trace_open(&good, path, NULL), 0);
    if (flips == 0)
        flips = size * 8;
    bool all = flips == size * 8;
    for (uint64_t i = 0; i < flips; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        flip(bytes, size, all ? i : (seed >> 20) % (size * 8), good, said);
    }
    print_message("%s: %llu bits, %u told, %u in what is not shown\n", name,
                  (unsigned long long)flips, said[1], said[0]);
    trace_close(good);
    free(bytes);
}

static void test_every_bit_of_a_short_file(void **state) {
    (void)state;
    check_flips("short.svt", 4, 3, 0);
}

static void test_bits_of_a_long_file(void **state) {
    const char *flips = getenv("SHFLVIZ_FLIPS");
    (void)state;
    check_flips("long.svt", 8, 600, flips ? strtoull(flips, NULL, 10) : 1000);
}

/* Everything outside the damaged block is still shown. */
static void test_other_blocks_are_shown(void **state) {
    size_t size;
    struct trace *trace;
    struct trace_step step;
    struct error err = ERROR_INIT;
    (void)state;
    sample_file(path_of_damaged(), 4, 600);
    unsigned char *bytes = sample_read(path_of_damaged(), &size);
    size_t at = 128;
    struct trace_file_block head;
    for (memcpy(&head, bytes + at, 64); head.kind != TRACE_FILE_STEPS || head.number != 1;
         memcpy(&head, bytes + at, 64))
        at += 64 + (size_t)trace_file_align(head.bytes);
    bytes[at + 100] ^= 1;
    sample_replace(path_of_damaged(), bytes, size);
    free(bytes);
    assert_int_equal(trace_open(&trace, path_of_damaged(), NULL), 0);
    sample_check_step(trace, 255);
    sample_check_step(trace, 512);
    assert_int_equal(trace_step(trace, 300, &step, &err), -1);
    assert_non_null(strstr(err.text, "Steps 256 to 511 cannot be shown"));
    trace_close(trace);
}

/* ---- correct checks ---- */

/* Even with a correct check, nothing in the header is trusted. */
static void test_hostile_header(void **state) {
    static const uint64_t hostile[] = {0,
                                       1,
                                       7,
                                       4,
                                       4096,
                                       32768,
                                       0x7fffffff,
                                       0xffffffff,
                                       UINT64_C(0x100000000),
                                       UINT64_C(0x7fffffffffffffff),
                                       UINT64_C(0x8000000000000000),
                                       UINT64_C(0xfffffffffffff000),
                                       UINT64_C(0xffffffffffffffc0),
                                       UINT64_MAX};
    size_t size;
    unsigned char *bytes = good_file(&size), *copy = malloc(size);
    (void)state;
    for (size_t at = 8; at < sizeof(struct trace_file_header); at += 4)
        for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++)
            for (size_t width = 4; width <= 8; width += 4)
                for (int closed = 0; closed <= 1; closed++) {
                    struct error err;
                    memcpy(copy, bytes, size);
                    copy[offsetof(struct trace_file_header, flags)] = (unsigned char)closed;
                    memcpy(copy + at, &hostile[i], width);
                    walk_fix_check(copy, size);
                    look_at(copy, size, &err);
                }
    free(copy);
    free(bytes);
}

/* Every byte of every block, changed with a correct check: whether the recording opens or not, no
 * harm is done. */
static void test_hostile_blocks(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size), *copy = malloc(size);
    (void)state;
    for (size_t at = 128; at < size; at++) {
        static const unsigned char values[] = {0, 1, 0x1b, 0x7f, 0x80, 0xff};
        for (size_t i = 0; i < sizeof(values); i++) {
            struct error err;
            memcpy(copy, bytes, size);
            copy[at] = values[i];
            walk_fix_check(copy, size);
            look_at(copy, size, &err);
        }
    }
    free(copy);
    free(bytes);
}

#define METADATA (128 + 64) /* offset of the first block's payload */

/* Changed metadata is noticed even if it makes sense. */
static void test_changed_metadata(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    bytes[METADATA + 8 + 36] ^= 0x20; /* the first letter of the kernel's name */
    expect(bytes, size, "its metadata were changed");
    free(bytes);
}

static void put_u32(unsigned char *bytes, size_t at, uint32_t value) {
    memcpy(bytes + at, &value, 4);
}

static void test_kinds_of_file(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    put_u32(bytes, offsetof(struct trace_file_header, version), 3);
    expect(bytes, size, "format is version 3, and this shflviz reads version 2");
    put_u32(bytes, offsetof(struct trace_file_header, version), 0);
    expect(bytes, size, "no such version");
    put_u32(bytes, offsetof(struct trace_file_header, version), 2);
    put_u32(bytes, offsetof(struct trace_file_header, byte_order), 0x04030201);
    expect(bytes, size, "byte order");
    put_u32(bytes, offsetof(struct trace_file_header, byte_order), 0x01020304);
    expect_good(bytes, size);
    bytes[1] ^= 3;
    expect(bytes, size, "is not a shflviz recording");
    memset(bytes, 0, size);
    expect(bytes, size, "is not a shflviz recording");
    memcpy(bytes,
           "\x7f"
           "ELF",
           4);
    expect(bytes, size, "is not a shflviz recording");
    free(bytes);
}

/* An END that is valid but claims more steps than its file could hold is refused immediately:
 * looking for each of them would take hours. */
static void test_more_steps_than_fit(void **state) {
    size_t size;
    struct trace_file_header header;
    struct trace_file_block *end;
    struct trace_file_end *totals;
    unsigned char *bytes = good_file(&size);
    (void)state;
    memcpy(&header, bytes, sizeof header);
    const size_t groups = 64, payload = sizeof *totals + groups * sizeof(uint64_t);
    const size_t whole = (size_t)trace_file_align(header.end_offset + sizeof *end + payload);
    bytes = realloc(bytes, whole);
    assert_non_null(bytes);
    memset(bytes + size, 0, whole - size);
    end = (void *)(bytes + header.end_offset);
    totals = (void *)(end + 1);
    end->bytes = (uint32_t)payload;
    totals->step_count = groups * TRACE_FILE_GROUP * TRACE_FILE_BLOCK_STEPS;
    totals->run_count = totals->warp_count = 0;
    memset(totals + 1, 0, groups * sizeof(uint64_t));
    walk_fix_check(bytes, whole);
    expect(bytes, whole, "it is shorter than its header says");
    free(bytes);
}

/* Impossible launches are refused when the file is opened. */
static void test_impossible_launches(void **state) {
    static const uint32_t sizes[][6] = {
        {0, 1, 1, 32, 1, 1},                            /* no blocks */
        {1, 1, 1, 0, 1, 1},                             /* no threads */
        {1, 1, 1, 1025, 1, 1},                          /* more than a block holds */
        {1, 1, 1, 32, 33, 1},                           /* 1056 threads */
        {1, 1, 1, 0x10000, 0x10000, 1},                 /* 2^32 threads, 0 in 32 bits */
        {0xffffffff, 0xffffffff, 0xffffffff, 32, 1, 1}, /* blocks beyond 64 bits */
        {0x80000000, 0x80000000, 4, 32, 1, 1},          /* 2^64 blocks, 0 in 64 bits */
    };
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        memcpy(bytes + METADATA + 8, sizes[i], sizeof(sizes[i]));
        walk_fix_check(bytes, size);
        expect(bytes, size, "a launch has an invalid size");
    }
    const uint32_t most[6] = {0x7fffffff, 0xffff, 0xffff, 1, 1, 1024};
    memcpy(bytes + METADATA + 8, most, sizeof(most));
    walk_fix_check(bytes, size);
    expect_good(bytes, size);
    free(bytes);
}

/* A tag from a later writer is skipped. */
static void test_unknown_entry(void **state) {
    size_t size;
    uint32_t payload;
    struct trace *trace;
    unsigned char *bytes = good_file(&size);
    (void)state;
    /* launch, site, source, note: the third, the source, becomes something new */
    size_t at = METADATA;
    for (int i = 0; i < 2; i++) {
        memcpy(&payload, bytes + at + 4, 4);
        at += 8 + (payload + 7) / 8 * 8;
    }
    put_u32(bytes, at, 0x12345);
    walk_fix_check(bytes, size);
    sample_replace(path_of_damaged(), bytes, size);
    assert_int_equal(trace_open(&trace, path_of_damaged(), NULL), 0);
    assert_null(trace_source(trace, "sample.cu"));
    assert_string_equal(trace_note(trace, TRACE_NOTE_TITLE), "sample");
    trace_close(trace);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_every_bit_of_a_short_file),
        cmocka_unit_test(test_bits_of_a_long_file),
        cmocka_unit_test(test_other_blocks_are_shown),
        cmocka_unit_test(test_hostile_header),
        cmocka_unit_test(test_hostile_blocks),
        cmocka_unit_test(test_changed_metadata),
        cmocka_unit_test(test_kinds_of_file),
        cmocka_unit_test(test_more_steps_than_fit),
        cmocka_unit_test(test_impossible_launches),
        cmocka_unit_test(test_unknown_entry),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
