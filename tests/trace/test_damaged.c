/* A damaged file is told from a good one, and whatever it holds, looking at it is harmless. */
#include "sample.h"

#include "trace/file.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path_of_damaged(void) {
    return sample_path("damaged.svt");
}

/* Opens the bytes as a file and looks at all of it. Returns the steps there are; err->text is "" if
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
    expect(bytes, 4095, "all but its beginning is missing");
    for (size_t length = 4096; length < size; length += length < 4500 ? 1 : 61)
        expect(bytes, length, "is damaged");
    expect(bytes, size - 1, "its end is missing");
    expect_good(bytes, size);
    free(bytes);
}

/* No bit of the header can change unnoticed. */
static void test_every_header_bit(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    for (size_t bit = 0; bit < 8 * sizeof(struct trace_file_header); bit++) {
        struct error err;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (bit == 8 * offsetof(struct trace_file_header, flags))
            expect_good(bytes, size); /* reads as the recording of a killed run */
        else if (look_at(bytes, size, &err), !err.text[0])
            fail_msg("bit %zu of the header changed unnoticed", bit);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    free(bytes);
}

/* The same with a check that was made to fit: nothing in the header is trusted for its check. */
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
    for (size_t at = 8; at < offsetof(struct trace_file_header, check); at += 4)
        for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++)
            for (size_t width = 4; width <= 8; width += 4)
                for (int closed = 0; closed <= 1; closed++) {
                    struct error err;
                    memcpy(copy, bytes, size);
                    copy[offsetof(struct trace_file_header, flags)] = (unsigned char)closed;
                    memcpy(copy + at, &hostile[i], width);
                    walk_fix_check(copy, size);
                    assert_true(look_at(copy, size, &err) <= size / 512);
                }
    free(copy);
    free(bytes);
}

/* Every byte of the metadata, changed with a check that fits: it opens or it does not, harmlessly.
 */
static void test_hostile_metadata(void **state) {
    size_t size, used;
    unsigned char *bytes = good_file(&size);
    (void)state;
    memcpy(&used, bytes + offsetof(struct trace_file_header, front_bytes), 8);
    assert_true(used > 100);
    for (size_t at = 4096; at < 4096 + used; at++) {
        static const unsigned char values[] = {0, 1, 0x1b, 0x7f, 0x80, 0xff};
        unsigned char was = bytes[at];
        for (size_t i = 0; i < sizeof(values); i++) {
            struct error err;
            bytes[at] = values[i];
            walk_fix_check(bytes, size);
            look_at(bytes, size, &err);
        }
        bytes[at] = was;
    }
    free(bytes);
}

/* Changed metadata are noticed even where they make sense. */
static void test_changed_metadata(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    bytes[4096 + 8 + 36] ^= 0x20; /* the first letter of the kernel's name */
    expect(bytes, size, "header or metadata were changed");
    free(bytes);
}

/* Every byte of records and index, changed: no check covers them, so steps are refused one by one.
 */
static void test_hostile_records_and_index(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    for (size_t at = 32768; at < size; at += at % 512 < 64 || at > 32768 + 3 * 512 ? 1 : 37) {
        static const unsigned char values[] = {0, 1, 0x7f, 0xff};
        unsigned char was = bytes[at];
        for (size_t i = 0; i < sizeof(values); i++) {
            bytes[at] = values[i];
            expect_good(bytes, size);
        }
        bytes[at] = was;
    }
    free(bytes);
}

static void put_u32(unsigned char *bytes, size_t at, uint32_t value) {
    memcpy(bytes + at, &value, 4);
}

static void test_kinds_of_file(void **state) {
    size_t size;
    unsigned char *bytes = good_file(&size);
    (void)state;
    put_u32(bytes, offsetof(struct trace_file_header, version), 2);
    expect(bytes, size, "format is version 2, and this shflviz reads version 1");
    put_u32(bytes, offsetof(struct trace_file_header, version), 0);
    expect(bytes, size, "no such version");
    put_u32(bytes, offsetof(struct trace_file_header, version), 1);
    put_u32(bytes, offsetof(struct trace_file_header, byte_order), 0x04030201);
    expect(bytes, size, "byte order");
    put_u32(bytes, offsetof(struct trace_file_header, byte_order), 0x01020304);
    expect_good(bytes, size);
    bytes[1] = 's';
    expect(bytes, size, "no recording of shflviz");
    memset(bytes, 0, size);
    expect(bytes, size, "no recording of shflviz");
    memcpy(bytes,
           "\x7f"
           "ELF",
           4);
    expect(bytes, size, "no recording of shflviz");
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
        memcpy(bytes + 4096 + 8, sizes[i], sizeof(sizes[i]));
        walk_fix_check(bytes, size);
        expect(bytes, size, "a launch has an impossible size");
    }
    const uint32_t most[6] = {0x7fffffff, 0xffff, 0xffff, 1, 1, 1024};
    memcpy(bytes + 4096 + 8, most, sizeof(most));
    walk_fix_check(bytes, size);
    expect_good(bytes, size);
    free(bytes);
}

/* A tag of a later writer is passed over. */
static void test_unknown_entry(void **state) {
    size_t size;
    uint32_t payload;
    struct trace *trace;
    unsigned char *bytes = good_file(&size);
    (void)state;
    /* launch, site, source, note: make the source, the third, something new */
    size_t at = 4096;
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
        cmocka_unit_test(test_truncated),        cmocka_unit_test(test_every_header_bit),
        cmocka_unit_test(test_hostile_header),   cmocka_unit_test(test_hostile_metadata),
        cmocka_unit_test(test_changed_metadata), cmocka_unit_test(test_hostile_records_and_index),
        cmocka_unit_test(test_kinds_of_file),    cmocka_unit_test(test_impossible_launches),
        cmocka_unit_test(test_unknown_entry),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
