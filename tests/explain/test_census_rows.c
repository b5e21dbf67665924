/* The content of a recording, row by row: each column of the census of a few steps. */
#include "explain/findings/census.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define NEVER        UINT64_MAX

enum { RECORD = 768, KERNELS = 200 };

/* A step of these lanes with this mask: lane l passes l * each as its argument, or just `each` if
 * the operation is down. */
struct made {
    int op, launch, block, warp, site, flags, each, width;
    uint32_t members, present;
};

static void put(struct trace_writer *writer, const struct made *made) {
    unsigned char record[RECORD] = {0};
    const struct shflviz_record_header header = {.sequence = trace_writer_next_sequence(writer),
                                                 .block = (uint64_t)made->block,
                                                 .launch = (uint32_t)made->launch,
                                                 .warp = (uint32_t)made->warp,
                                                 .site = (uint32_t)made->site,
                                                 .op = (uint8_t)made->op,
                                                 .type = WARP_TYPE_UNSIGNED,
                                                 .flags = (uint16_t)made->flags,
                                                 .members = made->members,
                                                 .present = made->present,
                                                 .width = made->width};
    size_t room = 1;
    memcpy(record, &header, sizeof header);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const int32_t arg = made->op == WARP_OP_DOWN ? made->each : lane * made->each;
        if (made->present >> lane & 1)
            memcpy(record + 128 + 4 * lane, &arg, 4);
    }
    void *to = trace_writer_reserve(writer, &room);
    assert_non_null(to);
    memcpy(to, record, RECORD);
}

static void print(struct trace_writer *writer, const char *text) {
    trace_writer_output(writer, 1, text, strlen(text));
}

static void launch(struct trace_writer *writer, const char *kernel) {
    const struct trace_launch launch = {kernel, {4, 1, 1}, {96, 1, 1}, 0};
    trace_writer_launch(writer, &launch);
}

static struct trace_writer *begin(void) {
    static const char *const texts[] = {"a()", "s[i]", "g[i]", "never()"};
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 8};
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    for (uint32_t i = 0; i < COUNT(texts); i++) {
        const struct trace_site site = {"a.cu", i + 1, "f", texts[i]};
        trace_writer_site(writer, &site);
    }
    return writer;
}

#define FULL UINT32_MAX
#define LOW  0xffffu

/* down by 0: each lane reads itself. down by 16 of 16 lanes: all of them read absent lanes. */
static const struct made steps[] = {
    {WARP_OP_DOWN, 0, 0, 0, 0, 0, 0, 32, FULL, FULL},
    {WARP_OP_DOWN, 0, 1, 0, 0, 0, 16, 32, LOW, LOW},
    {WARP_OP_SHARED_WRITE, 1, 0, 0, 1, 0, 4, 4, FULL, FULL}, /* a bank for each lane */
    {WARP_OP_SHARED_WRITE, 1, 0, 0, 1, 0, 8, 4, FULL, FULL}, /* two lanes per bank */
    {WARP_OP_SHARED_READ, 1, 0, 0, 1, 0, 4, 4, FULL, FULL},
    {WARP_OP_GLOBAL_READ, 2, 0, 2, 2, 0, 4, 4, FULL, FULL},  /* 128 bytes: 4 sectors */
    {WARP_OP_GLOBAL_READ, 2, 0, 2, 2, 0, 32, 4, FULL, FULL}, /* a sector each */
    {WARP_OP_GLOBAL_READ, 2, 0, 2, 2, 0, 4, 4, FULL, FULL},
    {WARP_OP_DOWN, 2, 3, 1, 0, 4, 0, 32, FULL, FULL}, /* another mask overlaps */
    {WARP_OP_DOWN, 2, 3, 1, 0, 4, 0, 32, 0xff, 0xff},
};

static struct trace *sample(void) {
    struct trace *trace;
    struct trace_writer *writer = begin();
    print(writer, "early\n");
    launch(writer, "a");
    print(writer, "of a\n");
    put(writer, &steps[0]);
    put(writer, &steps[1]);
    launch(writer, "b");
    print(writer, "one\ntwo\n");
    launch(writer, "a");
    for (size_t i = 2; i < COUNT(steps); i++)
        put(writer, &steps[i]);
    print(writer, "late");
    trace_writer_output_cut(writer, 9);
    trace_writer_note(writer, TRACE_NOTE_FAILURE, "it hangs");
    trace_writer_note(writer, TRACE_NOTE_FAILURE_KIND, "deadlock");
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

static void are_rows(const struct census *census, enum census_kind kind,
                     const struct census_row *expected, size_t count) {
    assert_int_equal(census->count[kind], count);
    for (size_t i = 0; i < count; i++) {
        const struct census_row *row = &census->rows[kind][i], *want = &expected[i];
        assert_int_equal(row->launch, want->launch);
        assert_int_equal(row->launches, want->launches);
        assert_int_equal(row->site, want->site);
        assert_int_equal(row->op, want->op);
        assert_int_equal(row->ways, want->ways);
        assert_int_equal(row->sectors, want->sectors);
        assert_int_equal(row->least, want->least);
        assert_string_equal(row->rule ? row->rule : "", want->rule ? want->rule : "");
        assert_int_equal(row->lanes, want->lanes);
        assert_int_equal(row->warps, want->warps);
        assert_int_equal(row->steps, want->steps);
        assert_int_equal(row->findings, want->findings);
        assert_int_equal(row->undefined, want->undefined);
        assert_int_equal(row->first, want->first);
    }
}

static void test_rows(void **state) {
    static const struct census_row launches[] = {
        {.launch = 0, .site = CENSUS_NONE, .warps = 2, .steps = 2, .findings = 1, .undefined = 16},
        {.launch = 1, .site = CENSUS_NONE, .warps = 1, .steps = 3, .first = 2},
        {.launch = 2, .site = CENSUS_NONE, .warps = 2, .steps = 5, .findings = 2, .first = 5},
    };
    static const struct census_row kernels[] = {
        {.launch = 0,
         .launches = 2,
         .site = CENSUS_NONE,
         .warps = 4,
         .steps = 7,
         .findings = 3,
         .undefined = 16},
        {.launch = 1, .launches = 1, .site = CENSUS_NONE, .warps = 1, .steps = 3, .first = 2},
    };
    static const struct census_row lines[] = {
        {.launch = CENSUS_NONE,
         .site = 0,
         .op = WARP_OP_DOWN,
         .steps = 4,
         .findings = 3,
         .undefined = 16},
        {.launch = CENSUS_NONE,
         .site = 1,
         .op = WARP_OP_SHARED_WRITE,
         .ways = 2,
         .steps = 3,
         .first = 2},
        {.launch = CENSUS_NONE,
         .site = 2,
         .op = WARP_OP_GLOBAL_READ,
         .sectors = 32,
         .least = 4,
         .steps = 3,
         .first = 5},
        {.launch = CENSUS_NONE, .site = 3, .first = NEVER},
    };
    static const struct census_row findings[] = {
        {.launch = CENSUS_NONE,
         .site = 0,
         .rule = "source_lane_not_in_mask",
         .lanes = LOW,
         .steps = 1,
         .first = 1},
        {.launch = CENSUS_NONE,
         .site = 0,
         .rule = "divergent_mask",
         .lanes = FULL,
         .steps = 2,
         .first = 8},
        {.launch = CENSUS_NONE, .site = CENSUS_NONE, .rule = "deadlock", .steps = 1, .first = 9},
    };
    static const struct census_row output[] = {
        {.launch = CENSUS_NONE, .site = CENSUS_NONE},
        {.launch = 0, .site = CENSUS_NONE},
        {.launch = 1, .site = CENSUS_NONE, .steps = 2, .first = 1},
        {.launch = 1, .site = CENSUS_NONE, .steps = 2, .first = 1},
        {.launch = 2, .site = CENSUS_NONE, .steps = 10, .first = 9},
        {.launch = CENSUS_NONE,
         .site = CENSUS_NONE,
         .first = NEVER}, /* the part that was not kept */
    };
    struct trace *trace = sample();
    (void)state;
    for (uint64_t piece = 1; piece <= 16; piece++) {
        struct census census;
        census_init(&census, trace);
        assert_false(census.done);
        assert_false(census.has_access);
        while (census_count(&census, piece))
            assert_in_range(census_percent(&census), 0, 98);
        assert_int_equal(census_percent(&census), 100);
        are_rows(&census, CENSUS_LAUNCHES, launches, COUNT(launches));
        are_rows(&census, CENSUS_KERNELS, kernels, COUNT(kernels));
        are_rows(&census, CENSUS_LINES, lines, COUNT(lines));
        are_rows(&census, CENSUS_FINDINGS, findings, COUNT(findings));
        are_rows(&census, CENSUS_OUTPUT, output, COUNT(output));
        assert_null(census.rows[CENSUS_OUTPUT][5].printed.piece);
        assert_int_equal(census.rows[CENSUS_OUTPUT][4].printed.length, 4);
        assert_true(census.has_access);
        assert_true(census.done);
        assert_int_equal(census.steps, 10);
        assert_int_equal(census.warps, 5);
        assert_false(census_count(&census, piece));
        assert_int_equal(census.count[CENSUS_FINDINGS], COUNT(findings));
        census_release(&census);
    }
    trace_close(trace);
}

/* Counting two warps of the index is as much work as counting one step. */
static void test_progress(void **state) {
    struct trace *trace = sample();
    struct census census;
    (void)state;
    census_init(&census, trace);
    assert_int_equal(census_percent(&census), 0);
    assert_true(census_count(&census, 1));
    assert_int_equal(census.warps, 2);
    assert_true(census_count(&census, 1));
    assert_int_equal(census.warps, 4);
    assert_int_equal(census.steps, 0);
    assert_true(census_count(&census, 1));
    assert_int_equal(census.warps, 5);
    assert_int_equal(census.steps, 1);
    assert_int_equal(census_percent(&census), 9); /* not 100 until everything is done */
    assert_true(census_count(&census, 8));
    assert_int_equal(census_percent(&census), 89);
    assert_false(census_count(&census, 1));
    assert_int_equal(census_percent(&census), 100);
    census_release(&census);
    trace_close(trace);
}

/* A recording of very many kernels without steps: each name has a row, in the order of the first
 * launches. */
static void test_many_kernels(void **state) {
    struct trace_writer *writer = begin();
    struct trace *trace;
    struct census census;
    (void)state;
    for (int i = 0; i < 2 * KERNELS; i++) {
        char name[24];
        snprintf(name, sizeof name, "kernel%d", i % KERNELS);
        launch(writer, name);
    }
    print(writer, "x\n");
    trace_writer_note(writer, TRACE_NOTE_FAILURE, "it crashed");
    trace_writer_note(writer, TRACE_NOTE_FAILURE_KIND, "crashed");
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    census_init(&census, trace);
    assert_int_equal(census_percent(&census), 100);
    assert_false(census_count_shared(&census, 10));
    assert_int_equal(census.count[CENSUS_LAUNCHES], 2 * KERNELS);
    assert_int_equal(census.count[CENSUS_KERNELS], KERNELS);
    for (uint32_t i = 0; i < KERNELS; i++) {
        const struct census_row *row = &census.rows[CENSUS_KERNELS][i];
        assert_int_equal(row->launch, i);
        assert_int_equal(row->launches, 2);
        assert_int_equal(row->first, NEVER);
        assert_int_equal(census.kernel_of[i], i);
        assert_int_equal(census.kernel_of[i + KERNELS], i);
    }
    assert_int_equal(census.count[CENSUS_FINDINGS], 1);
    assert_string_equal(census.rows[CENSUS_FINDINGS][0].rule, "crashed");
    assert_int_equal(census.rows[CENSUS_FINDINGS][0].first, NEVER);
    assert_int_equal(census.count[CENSUS_OUTPUT], 1);
    assert_int_equal(census.rows[CENSUS_OUTPUT][0].launch, 2 * KERNELS - 1);
    assert_int_equal(census.rows[CENSUS_OUTPUT][0].first, NEVER);
    assert_false(census.has_access);
    census_release(&census);
    assert_null(census.rows[CENSUS_LAUNCHES]);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_progress),
                                       cmocka_unit_test(test_many_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
