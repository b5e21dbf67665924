/* A recording is read as it was written: every field, both value sizes, any number of steps. */
#include "sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct trace *close_and_open(struct trace_writer *writer) {
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    if (trace_writer_close(writer, &trace, &err) != 0)
        fail_msg("%s", err.text);
    assert_non_null(trace);
    return trace;
}

static struct trace_writer *bare_writer(unsigned value_bytes, uint64_t step_limit) {
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = value_bytes,
                                                 .step_limit = step_limit};
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    return writer;
}

/* One record, filled by hand as a device would, in the launch with the index 1. */
static struct trace *trace_of_record(unsigned value_bytes,
                                     const struct shflviz_record_header *header,
                                     const int16_t *width, const int32_t *arg, const void *in,
                                     const void *out) {
    size_t room;
    struct trace_writer *writer = bare_writer(value_bytes, 0);
    const struct trace_launch first = {"first", {1, 1, 1}, {32, 1, 1}, 0};
    const struct trace_launch second = {"second", {3, 4, 5}, {7, 5, 1}, 4096};
    const struct trace_site sites[2] = {{"a.cu", 3, "f", "__shfl_sync(m, v, 1)"},
                                        {"b.cuh", 0, "", "__shfl_up_sync(m, v, 1)"}};
    assert_int_equal(trace_writer_launch(writer, &first), 0);
    assert_int_equal(trace_writer_launch(writer, &second), 1);
    assert_int_equal(trace_writer_site(writer, &sites[0]), 0);
    assert_int_equal(trace_writer_site(writer, &sites[1]), 1);
    assert_int_equal(trace_writer_site(writer, &sites[0]), 0); /* equal sites have one index */
    assert_int_equal(trace_writer_next_sequence(writer), 1);

    unsigned char *record = trace_writer_reserve(writer, &room);
    assert_non_null(record);
    assert_true(room >= 1);
    for (size_t i = 0; i < SHFLVIZ_RECORD_SIZE(value_bytes); i++)
        assert_int_equal(record[i], 0);
    memcpy(record + 8, (const char *)header + 8, sizeof(*header) - 8);
    if (width)
        memcpy(record + SHFLVIZ_RECORD_OFFSET_WIDTH, width, 64);
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, arg, 128);
    memcpy(record + SHFLVIZ_RECORD_OFFSET_IN, in, 32 * value_bytes);
    memcpy(record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), out, 32 * value_bytes);
    assert_int_equal(trace_writer_next_sequence(writer), 1);
    record[0] = 1;
    assert_int_equal(trace_writer_next_sequence(writer), 2);
    return close_and_open(writer);
}

/* 35 threads as 7 x 5: warp 1 has the three lanes 0, 1, 2. */
static void test_every_field(void **state) {
    int32_t arg[32] = {-1, 2, 0x7fffffff};
    uint32_t in[32] = {10, 0xffffffff, 30}, out[32] = {30, 10, 0x80000000};
    (void)state;
    arg[3] = 99; /* of an absent lane: to be ignored */
    in[3] = out[3] = 99;
    const struct shflviz_record_header header = {
        .block = 2 + 3 * 3 + 4 * 12, /* (2, 3, 4) in a grid of 3 x 4 x 5 */
        .launch = 1,
        .warp = 1,
        .site = 1,
        .op = WARP_OP_IDX,
        .type = WARP_TYPE_UNSIGNED,
        .flags = SHFLVIZ_RECORD_EXITED_KNOWN | SHFLVIZ_RECORD_MASK_DIVERGES,
        .members = 0x80000005,
        .present = 0x5,
        .width = 8,
        .exited = 0x2,
    };
    struct trace *trace = trace_of_record(4, &header, NULL, arg, in, out);
    struct trace_step step;
    assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
    assert_int_equal(step.number, 0);
    assert_int_equal(step.launch, 1);
    assert_int_equal(step.block, 59);
    assert_int_equal(step.block_index[0], 2);
    assert_int_equal(step.block_index[1], 3);
    assert_int_equal(step.block_index[2], 4);
    assert_int_equal(step.warp, 1);
    assert_int_equal(step.site, 1);
    assert_true(step.mask_diverges);
    assert_true(step.exited_known);
    assert_int_equal(step.operation.op, WARP_OP_IDX);
    assert_int_equal(step.operation.type, WARP_TYPE_UNSIGNED);
    assert_int_equal(step.operation.members, 0x80000005);
    assert_int_equal(step.operation.present, 0x5);
    assert_int_equal(step.operation.launched, 0x7);
    assert_int_equal(step.operation.exited, 0x2);
    const int32_t wanted_arg[3] = {-1, 0, 0x7fffffff};
    const uint64_t wanted_in[3] = {10, 0, 30}, wanted_out[3] = {30, 0, 0x80000000};
    for (int lane = 0; lane < 32; lane++) {
        assert_int_equal(step.operation.width[lane], 8);
        assert_int_equal(step.operation.arg[lane], lane < 3 ? wanted_arg[lane] : 0);
        assert_int_equal(step.operation.in[lane], lane < 3 ? wanted_in[lane] : 0);
        assert_int_equal(step.operation.out[lane], lane < 3 ? wanted_out[lane] : 0);
    }
    assert_int_equal(trace_value_bytes(trace), 4);
    assert_int_equal(trace_launch_count(trace), 2);
    assert_string_equal(trace_launch(trace, 1)->kernel, "second");
    assert_int_equal(trace_launch(trace, 1)->grid[2], 5);
    assert_int_equal(trace_launch(trace, 1)->block[0], 7);
    assert_int_equal(trace_launch(trace, 1)->shared, 4096);
    assert_null(trace_launch(trace, 2));
    assert_string_equal(trace_site(trace, 0)->file, "a.cu");
    assert_int_equal(trace_site(trace, 0)->line, 3);
    assert_string_equal(trace_site(trace, 0)->function, "f");
    assert_string_equal(trace_site(trace, 0)->text, "__shfl_sync(m, v, 1)");
    assert_string_equal(trace_site(trace, 1)->function, "");
    assert_null(trace_site(trace, 2));
    trace_close(trace);
}

static void test_wide_values_and_widths(void **state) {
    int32_t arg[32] = {0};
    uint64_t in[32] = {0}, out[32] = {0};
    int16_t width[32];
    (void)state;
    for (int lane = 0; lane < 32; lane++) {
        width[lane] = (int16_t)(lane % 2 ? -5 : lane);
        in[lane] = UINT64_C(0xfedcba9876543210) + (unsigned)lane;
        out[lane] = ~in[lane];
    }
    const struct shflviz_record_header header = {
        .op = WARP_OP_DOWN,
        .type = WARP_TYPE_DOUBLE,
        .flags = SHFLVIZ_RECORD_WIDTHS_DIFFER,
        .members = 0xffffffff,
        .present = 0xfffffffe,
        .width = 77,
    };
    struct trace *trace = trace_of_record(8, &header, width, arg, in, out);
    struct trace_step step;
    assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
    assert_false(step.mask_diverges);
    assert_false(step.exited_known);
    assert_int_equal(step.operation.launched, 0xffffffff);
    assert_int_equal(step.operation.width[0], 77); /* absent: the width of the record */
    for (int lane = 1; lane < 32; lane++) {
        assert_int_equal(step.operation.width[lane], lane % 2 ? -5 : lane);
        assert_int_equal(step.operation.in[lane], UINT64_C(0xfedcba9876543210) + (unsigned)lane);
        assert_int_equal(step.operation.out[lane],
                         ~(UINT64_C(0xfedcba9876543210) + (unsigned)lane));
    }
    trace_close(trace);
}

/* Records with one impossible field each; `wrong` is what the message has to name. */
static void expect_damaged(const struct shflviz_record_header *header, uint64_t in0, uint64_t out0,
                           const char *wrong) {
    int32_t arg[32] = {0};
    uint64_t in[32] = {in0}, out[32] = {out0};
    struct trace *trace = trace_of_record(8, header, NULL, arg, in, out);
    struct trace_step step;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_step_count(trace), 1);
    int result = trace_step(trace, 0, &step, &err);
    if (!wrong) {
        assert_int_equal(result, 0);
    } else {
        assert_int_equal(result, -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        if (!strstr(err.text, wrong))
            fail_msg("expected '%s' in: %s", wrong, err.text);
    }
    trace_close(trace);
}

static void test_damaged_records(void **state) {
    (void)state;
    const struct shflviz_record_header good = {
        .op = WARP_OP_XOR, .members = 1, .present = 1, .width = 32};
    struct shflviz_record_header bad;
    expect_damaged(&good, 0xffffffff, 0xffffffff, NULL);
    expect_damaged(&good, UINT64_C(0x100000000), 0, "value does not fit");
    expect_damaged(&good, 0, UINT64_C(1) << 63, "value does not fit");
    bad = good, bad.op = WARP_OP_COUNT, expect_damaged(&bad, 0, 0, "no such operation");
    bad = good, bad.type = WARP_TYPE_COUNT, expect_damaged(&bad, 0, 0, "no such type");
    bad = good, bad.launch = 2, expect_damaged(&bad, 0, 0, "no such launch");
    bad = good, bad.site = 2, expect_damaged(&bad, 0, 0, "no such call site");
    bad = good, bad.block = 1, expect_damaged(&bad, 0, 0, "no such warp");
    bad = good, bad.warp = 1, expect_damaged(&bad, 0, 0, "no such warp");
    bad = good, bad.present = 0, expect_damaged(&bad, 0, 0, "its set of lanes is invalid");
    bad = good, bad.exited = 1, expect_damaged(&bad, 0, 0, "lanes marked as exited make the call");
    bad = good, bad.launch = 1, bad.block = 59, expect_damaged(&bad, 0, 0, NULL);
    bad = good, bad.launch = 1, bad.block = 60, expect_damaged(&bad, 0, 0, "no such warp");
    bad = good, bad.launch = 1, bad.warp = 2, expect_damaged(&bad, 0, 0, "no such warp");
    bad = good, bad.launch = bad.warp = 1, bad.present = 8;
    expect_damaged(&bad, 0, 0, "its set of lanes is invalid"); /* lane 35 of 35 threads */
    bad = good, bad.launch = bad.warp = 1, bad.exited = 8;
    expect_damaged(&bad, 0, 0, "lanes marked as exited make the call");
    bad = good, bad.type = WARP_TYPE_HALF, expect_damaged(&bad, 0x10000, 0, "value does not fit");
    bad = good, bad.type = WARP_TYPE_HALF, expect_damaged(&bad, 0xffff, 0xffff, NULL);
    /* A match returns a mask of 32 bits, whatever the type that is compared. */
    bad = good, bad.op = WARP_OP_MATCH_ANY, bad.type = WARP_TYPE_HALF;
    expect_damaged(&bad, 0, 0xffffffff, NULL);
    bad.type = WARP_TYPE_LONG;
    expect_damaged(&bad, UINT64_MAX, UINT64_C(1) << 32, "value does not fit");
}

static void test_no_such_step(void **state) {
    struct trace_step step;
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(NULL, 4);
    (void)state;
    sample_steps(writer, 4, 2);
    struct trace *trace = close_and_open(writer);
    assert_int_equal(trace_step(trace, 2, &step, &err), -1);
    assert_non_null(strstr(err.text, "no step 2"));
    assert_int_equal(trace_step(trace, UINT64_MAX, &step, &err), -1);
    trace_close(trace);
}

/* More steps than the first windows of 128, 256, 512, ... records have room for. */
static void test_many_windows(void **state) {
    (void)state;
    for (unsigned value_bytes = 4; value_bytes <= 8; value_bytes += 4) {
        struct trace_writer *writer = sample_writer(sample_path("many.svt"), value_bytes);
        sample_steps(writer, value_bytes, 5000);
        struct trace *trace = close_and_open(writer);
        assert_int_equal(trace_step_count(trace), 5000);
        assert_true(trace_is_complete(trace));
        for (uint64_t n = 0; n < 5000; n++)
            sample_check_step(trace, n);
        trace_close(trace);

        assert_int_equal(trace_open(&trace, sample_path("many.svt"), NULL), 0);
        assert_int_equal(trace_step_count(trace), 5000);
        sample_check_step(trace, 4999);
        trace_close(trace);
    }
}

/* A recording of one step is small: it is truncated to its content. */
static void test_size_on_disk(void **state) {
    struct stat status;
    (void)state;
    sample_file(sample_path("one.svt"), 4, 1);
    assert_int_equal(stat(sample_path("one.svt"), &status), 0);
    /* a header, 208 bytes of metadata, blocks of one element each for steps, runs, warps and their
     * groups, and the end */
    assert_int_equal(status.st_size, 128 + (64 + 256) + 3 * (64 + 64) + 3 * (64 + 64) + (64 + 64));
}

static void test_no_steps(void **state) {
    struct trace_warp warp;
    uint64_t position;
    struct trace *trace = close_and_open(sample_writer(NULL, 8));
    (void)state;
    assert_int_equal(trace_step_count(trace), 0);
    assert_int_equal(trace_warp_count(trace), 0);
    assert_true(trace_is_complete(trace));
    assert_false(trace_warp(trace, 0, &warp));
    assert_false(trace_warp_of_step(trace, 0, &warp, &position));
    trace_close(trace);
}

static void test_step_limit_and_drops(void **state) {
    size_t room;
    uint64_t written = 0;
    struct trace_writer *writer = bare_writer(4, 200);
    const struct trace_launch launch = {"k", {1, 1, 1}, {96, 1, 1}, 0};
    const struct trace_site site = {"k.cu", 1, "", ""};
    (void)state;
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    for (unsigned char *record; (record = trace_writer_reserve(writer, &room));) {
        assert_true(written + room <= 200);
        for (size_t i = 0; i < room; i++, written++)
            sample_record(record + 512 * i, 4, written, (struct sample_where){0, 0, 0});
    }
    assert_int_equal(room, 0);
    assert_int_equal(written, 200);
    assert_false(trace_writer_failed(writer, NULL));
    trace_writer_drop(writer, 30);
    trace_writer_drop(writer, 4);
    struct trace *trace = close_and_open(writer);
    assert_int_equal(trace_step_count(trace), 200);
    assert_int_equal(trace_dropped(trace), 34);
    trace_close(trace);
}

/* A device may use less space than it was given, and abandon a record that it began. */
static void test_partial_use(void **state) {
    size_t room, again;
    struct trace_writer *writer = sample_writer(NULL, 4);
    const struct sample_where where = {0, 0, 0};
    (void)state;
    unsigned char *record = trace_writer_reserve(writer, &room);
    sample_record(record, 4, 0, where);
    sample_record(record + 512, 4, 1, where);
    memset(record + 1024 + 8, 0xab, 504); /* begun: everything but its sequence */
    unsigned char *next = trace_writer_reserve(writer, &again);
    assert_ptr_equal(next, record + 1024);
    assert_int_equal(again, room - 2);
    for (size_t i = 0; i < 1024; i++)
        assert_int_equal(next[i], 0);
    assert_int_equal(trace_writer_next_sequence(writer), 3);
    sample_record(next, 4, 2, where);
    memset(next + 512 + 8, 0xab, 504);
    struct trace *trace = close_and_open(writer);
    assert_int_equal(trace_step_count(trace), 3);
    for (uint64_t n = 0; n < 3; n++)
        sample_check_step(trace, n);
    trace_close(trace);
}

static void test_strings_are_harmless(void **state) {
    struct trace_writer *writer = bare_writer(4, 0);
    const struct trace_launch launch = {"k\x1b[2Jx", {1, 1, 1}, {32, 1, 1}, 0};
    const struct trace_site site = {"\xe2\x82\xac.cu", 1, "a\xffz", "f(a,\n\tb)\x7f"};
    (void)state;
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    trace_writer_source(writer, "s",
                        "a\r\n\tb\x1b]0;x\x07\n\xc2\x9b"
                        "31m\rc");
    trace_writer_source(writer, "s", "a second text for the same file");
    trace_writer_note(writer, "n",
                      "\xe2\x80\xae"
                      "abc"); /* right-to-left override */
    trace_writer_note(writer, "bad", "\xc0\xaf|\xed\xa0\x80|\xf5|\xe2\x82"); /* not UTF-8 */
    trace_writer_note(writer, "n2", "first");
    trace_writer_note(writer, "n2", "\xf0\x9f\x98\x80\nlast"); /* a note is one line, */
    trace_writer_note(writer, TRACE_NOTE_WAITING, "a\nb");     /* except for lists */
    struct trace *trace = close_and_open(writer);
    assert_string_equal(trace_launch(trace, 0)->kernel, "k?[2Jx");
    assert_string_equal(trace_site(trace, 0)->file, "\xe2\x82\xac.cu");
    assert_string_equal(trace_site(trace, 0)->function, "a?z");
    assert_string_equal(trace_site(trace, 0)->text, "f(a,  b)?");
    assert_string_equal(trace_source(trace, "s"), "a\n\tb?]0;x?\n?31m\nc");
    assert_null(trace_source(trace, "t"));
    assert_string_equal(trace_note(trace, "n"), "?abc");
    assert_string_equal(trace_note(trace, "bad"), "??|???|?|??");
    assert_string_equal(trace_note(trace, "n2"), "\xf0\x9f\x98\x80 last");
    assert_string_equal(trace_note(trace, TRACE_NOTE_WAITING), "a\nb");
    assert_null(trace_note(trace, "none"));
    trace_close(trace);
}

/* Launches, sites and texts that exceed the front keep their order and their contents. */
static void test_large_metadata(void **state) {
    enum { SITES = 600, LAUNCHES = 700, TEXT = 100000 };
    char *text = malloc(TEXT + 1), name[32];
    struct trace_writer *writer = bare_writer(4, 0);
    (void)state;
    memset(text, 'x', TEXT);
    text[TEXT] = '\0';
    trace_writer_source(writer, "big.cu", text);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        snprintf(name, sizeof(name), "kernel%u", i);
        const struct trace_launch launch = {name, {i + 1, 1, 1}, {32, 1, 1}, i};
        assert_int_equal(trace_writer_launch(writer, &launch), i);
        if (i < SITES) {
            const struct trace_site site = {"big.cu", i + 1, "", name};
            assert_int_equal(trace_writer_site(writer, &site), i);
            assert_int_equal(trace_writer_site(writer, &site), i);
        }
    }
    trace_writer_note(writer, "late", "note");
    struct trace *trace = close_and_open(writer);
    assert_string_equal(trace_source(trace, "big.cu"), text);
    assert_int_equal(trace_launch_count(trace), LAUNCHES);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        snprintf(name, sizeof(name), "kernel%u", i);
        assert_string_equal(trace_launch(trace, i)->kernel, name);
        assert_int_equal(trace_launch(trace, i)->grid[0], i + 1);
        if (i < SITES) {
            assert_string_equal(trace_site(trace, i)->text, name);
            assert_int_equal(trace_site(trace, i)->line, i + 1);
        }
    }
    assert_null(trace_site(trace, SITES));
    assert_string_equal(trace_note(trace, "late"), "note");
    trace_close(trace);
    free(text);
}

static void check_output(const struct trace *trace, size_t index, uint64_t step, unsigned stream,
                         const char *text) {
    const struct trace_output *output = trace_output(trace, index);
    assert_non_null(output);
    assert_int_equal(output->step, step);
    assert_int_equal(output->launches, 1);
    assert_int_equal(output->stream, stream);
    assert_string_equal(output->text, text);
}

static void add_step(struct trace_writer *writer) {
    size_t room;
    void *record = trace_writer_reserve(writer, &room);
    assert_non_null(record);
    sample_record(record, 4, trace_writer_next_sequence(writer) - 1,
                  (struct sample_where){0, 0, 0});
}

/* Output has the number of the next step, and is cleaned like other texts. */
static void test_output(void **state) {
    struct trace_writer *writer = sample_writer(NULL, 4);
    (void)state;
    trace_writer_output(writer, 1, "first, and cut off", 5);
    sample_steps(writer, 4, 300);
    trace_writer_output(writer, 2, "a\tb\n\x1b[2J\xff", 9);
    trace_writer_output(writer, 1, "", 0);
    add_step(writer);
    trace_writer_output(writer, 1, "last\n", 5);
    struct trace *trace = close_and_open(writer);
    assert_int_equal(trace_output_count(trace), 3);
    check_output(trace, 0, 0, 1, "first");
    check_output(trace, 1, 300, 2, "a\tb\n?[2J?");
    check_output(trace, 2, 301, 1, "last\n");
    assert_null(trace_output(trace, 3));
    assert_null(trace_note(trace, TRACE_NOTE_OUTPUT_CUT));
    trace_close(trace);
}

/* Output beyond the limit is counted; launches and sites keep their room, and the order is kept. */
static void test_excess_output(void **state) {
    enum { PIECE = 1000, PIECES = 2000 };
    static char piece[PIECE];
    struct trace_writer *writer = sample_writer(sample_path("output.svt"), 4);
    uint64_t kept = 0;
    (void)state;
    memset(piece, 'x', PIECE);
    for (uint32_t i = 0; i < PIECES; i++) {
        if (i % 7 == 0)
            add_step(writer);
        piece[0] = (char)('a' + i % 26);
        trace_writer_output(writer, 1, piece, i % 3 == 0 ? 1 : PIECE);
    }
    struct trace *trace = close_and_open(writer);
    const size_t count = trace_output_count(trace);
    assert_true(count > 1000 && count < PIECES);
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_output *output = trace_output(trace, i);
        assert_int_equal(output->text[0], 'a' + i % 26);
        assert_int_equal(output->step, i / 7 + 1);
        kept += strlen(output->text);
    }
    /* Each piece counts 32 bytes more than its text. */
    assert_true(kept + count * 32 <= TRACE_OUTPUT_MOST);
    assert_true(kept + (count + 2) * 32 + PIECE >= TRACE_OUTPUT_MOST);
    const uint64_t printed = (PIECES + 2) / 3 + (PIECES - (PIECES + 2) / 3) * (uint64_t)PIECE;
    assert_int_equal(strtoull(trace_note(trace, TRACE_NOTE_OUTPUT_CUT), NULL, 10), printed - kept);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),     cmocka_unit_test(test_wide_values_and_widths),
        cmocka_unit_test(test_damaged_records), cmocka_unit_test(test_no_such_step),
        cmocka_unit_test(test_many_windows),    cmocka_unit_test(test_size_on_disk),
        cmocka_unit_test(test_no_steps),        cmocka_unit_test(test_step_limit_and_drops),
        cmocka_unit_test(test_partial_use),     cmocka_unit_test(test_strings_are_harmless),
        cmocka_unit_test(test_large_metadata),  cmocka_unit_test(test_output),
        cmocka_unit_test(test_excess_output),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
