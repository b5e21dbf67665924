/*
 * test_gpu_cells.c - reads cells of every form on the host: values, results by the rules, and
 * completeness while they are written.
 */
#include "cell_form.h"

#include "device/gpu/cells.h"
#include "trace/compact/prediction.h"
#include "trace/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct record {
    struct shflviz_record_header header;
    int16_t width[32];
    int32_t arg[32];
    uint64_t in[32], out[32];
};

static struct record record_of(const struct form *form, unsigned value_bytes) {
    uint64_t cells[32 * SHFLVIZ_CELLS_MOST] = {0};
    _Alignas(8) unsigned char bytes[SHFLVIZ_RECORD_SIZE(8)];
    struct record record = {.header = {0}};
    memset(bytes, 0xee, sizeof bytes);
    put_record(cells, form, 1);
    cells_record(cells, value_bytes, bytes);
    memcpy(&record.header, bytes, sizeof record.header);
    memcpy(record.width, bytes + SHFLVIZ_RECORD_OFFSET_WIDTH, sizeof record.width);
    memcpy(record.arg, bytes + SHFLVIZ_RECORD_OFFSET_ARG, sizeof record.arg);
    for (unsigned i = 0; i < 32; i++) {
        memcpy(&record.in[i], bytes + SHFLVIZ_RECORD_OFFSET_IN + i * value_bytes, value_bytes);
        memcpy(&record.out[i], bytes + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes) + i * value_bytes,
               value_bytes);
    }
    return record;
}

static void test_forms(void **state) {
    static const uint32_t kinds[] = {0,
                                     SHFLVIZ_KINDS_WIDE,
                                     SHFLVIZ_KINDS_ARGS,
                                     SHFLVIZ_KINDS_OUTS,
                                     SHFLVIZ_KINDS_WIDE | SHFLVIZ_KINDS_OUTS,
                                     SHFLVIZ_KINDS_ARGS | SHFLVIZ_KINDS_WIDTHS,
                                     SHFLVIZ_KINDS_SAME_OUT,
                                     SHFLVIZ_KINDS_LONG,
                                     SHFLVIZ_KINDS_LONG | SHFLVIZ_KINDS_SAME_OUT,
                                     SHFLVIZ_KINDS_WIDE | SHFLVIZ_KINDS_ARGS |
                                         SHFLVIZ_KINDS_WIDTHS | SHFLVIZ_KINDS_OUTS};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (unsigned value_bytes = 4; value_bytes <= 8; value_bytes += 4) {
            const struct form form = form_of(kinds[k]);
            const struct record record = record_of(&form, value_bytes);
            const bool is_long = kinds[k] & SHFLVIZ_KINDS_LONG,
                       args = kinds[k] & SHFLVIZ_KINDS_ARGS;
            const bool wide = kinds[k] & SHFLVIZ_KINDS_WIDE && value_bytes == 8;
            const bool widths = kinds[k] & SHFLVIZ_KINDS_WIDTHS;
            const bool same = kinds[k] & SHFLVIZ_KINDS_SAME_OUT;
            assert_int_equal(record.header.block, is_long ? UINT64_C(0x200000009) : 9);
            assert_int_equal(record.header.warp, 3);
            assert_int_equal(record.header.site, 7);
            assert_int_equal(record.header.type, 2);
            assert_int_equal(record.header.members, is_long ? 0xffff : 0xffffffff);
            assert_int_equal(record.header.present, is_long ? 0xff : 0xffffffff);
            assert_int_equal(record.header.width, !same ? 8 : is_long ? 4 : 0);
            assert_int_equal(record.header.flags, widths ? SHFLVIZ_RECORD_WIDTHS_DIFFER : 0);
            for (unsigned i = 0; i < 32; i++) {
                const uint64_t upper = wide ? (uint64_t)(200 + i) << 32 : 0;
                const bool present = !is_long || i < 8;
                assert_int_equal(record.in[i], upper | (100 + i));
                assert_int_equal(record.arg[i], args ? 300 + i : present ? 3 : 0);
                assert_int_equal(record.width[i], widths ? 1 + i : 0);
                if (same) /* the lanes' common result takes the width's place */
                    assert_int_equal(record.out[i], present ? 8 : 0);
                else if (kinds[k] & SHFLVIZ_KINDS_OUTS)
                    assert_int_equal(record.out[i],
                                     (wide ? (uint64_t)(500 + i) << 32 : 0) | (400 + i));
            }
        }
}

/* Results that are in no cell follow the rules for CUDA's four shuffles. If the width is not
 * defined or the operation is not one of the four, they are the lane's own value. */
static void test_results_of_rules(void **state) {
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 0, 5, 33, 64};
    (void)state;
    for (uint32_t op = 0; op < 6; op++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
            for (uint32_t arg = 0; arg < 32; arg++) {
                struct form form = form_of(0);
                const uint32_t width = widths[w];
                form.kinds = SHFLVIZ_KINDS(0, 0, op, 0);
                form.head[SHFLVIZ_HEAD_ARG] = arg;
                form.head[SHFLVIZ_HEAD_WIDTH] = width;
                const struct record narrow = record_of(&form, 4), wide = record_of(&form, 8);
                for (uint32_t lane = 0; lane < 32; lane++) {
                    uint32_t from = lane;
                    if (w < 6 && op == 0)
                        from = lane / width * width + arg % width;
                    else if (w < 6 && op == 1 && lane % width >= arg)
                        from = lane - arg;
                    else if (w < 6 && op == 2 && lane % width + arg < width)
                        from = lane + arg;
                    else if (w < 6 && op == 3 && (lane ^ arg) / width <= lane / width)
                        from =
                            lane ^ arg; /* earlier groups' values are read, later groups' are not */
                    assert_int_equal(narrow.out[lane], 100 + from);
                    assert_int_equal(wide.out[lane], 100 + from);
                }
            }
}

/* A record has an equivalent brief form if it is a shuffle by all lanes with a defined width and
 * no part of it has a cell of its own; any other record is refused. */
static void check_brief(const struct form *form, bool brief) {
    uint64_t cells[32 * SHFLVIZ_CELLS_MOST] = {0};
    _Alignas(8) unsigned char bytes[SHFLVIZ_RECORD_SIZE(4)], whole[SHFLVIZ_RECORD_SIZE(4)],
        loaded[SHFLVIZ_RECORD_SIZE(4)];
    struct prediction_step step;
    memset(bytes, 0xee, sizeof bytes);
    memset(whole, 0xee, sizeof whole);
    put_record(cells, form, 1);
    assert_int_equal(cells_brief(cells, bytes), brief);
    if (!brief)
        return;
    cells_record(cells, 4, whole);
    prediction_load_brief(&step, bytes);
    prediction_store(&step, loaded, 4);
    assert_memory_equal(whole, loaded, sizeof whole);
}

static void test_brief(void **state) {
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 0, 5, 33, 64};
    (void)state;
    for (uint32_t op = 0; op < 6; op++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
            for (uint32_t arg = 0; arg < 34; arg++) {
                struct form form = form_of(0);
                form.kinds = SHFLVIZ_KINDS(3, 7, op, 0);
                form.head[SHFLVIZ_HEAD_ARG] = arg;
                form.head[SHFLVIZ_HEAD_WIDTH] = widths[w];
                check_brief(&form, op < 4 && w < 6);
            }
    for (unsigned bit = 24; bit < 30; bit++) {
        const struct form form = form_of(UINT32_C(1) << bit);
        check_brief(&form, false);
    }
}

static void test_whole(void **state) {
    uint64_t cells[32 * 8] = {0};
    const struct form three = form_of(SHFLVIZ_KINDS_ARGS | SHFLVIZ_KINDS_OUTS), one = form_of(0);
    uint32_t first[8];
    size_t from = 0, end = 8;
    (void)state;
    assert_int_equal(put_record(cells, &three, 5), 3);
    assert_int_equal(put_record(cells + 32 * 3, &one, 5), 1);
    assert_int_equal(put_record(cells + 32 * 4, &three, 5), 3);
    assert_int_equal(put_record(cells + 32 * 7, &one, 5), 1);
    assert_int_equal(cells_whole(cells, 8, 5), 8);
    assert_int_equal(cells_whole(cells, 6, 5), 4); /* the record at cell 4 needs a seventh cell */
    assert_int_equal(cells_whole(cells, 8, 6), 0);
    assert_true(cells_all_whole(cells, 5, &from, &end));
    assert_int_equal(cells_index(cells, 0, 8, NULL), 4);
    assert_int_equal(cells_index(cells, 0, 8, first), 4);
    assert_int_equal(first[2], 4);
    assert_int_equal(cells_index(cells, 0, 6, first), 3);
    assert_int_equal(cells_within(cells, 6, first, 3), 2); /* the record at cell 4 is left out */
    assert_int_equal(cells_index(cells, 1, 8, first), 3);
    assert_int_equal(first[1], 4);
    cells[32 * 5 + 31] = 0; /* one lane has not written its word yet */
    from = 0, end = 8;
    assert_false(cells_all_whole(cells, 5, &from, &end));
    assert_int_equal(from, 5);
    assert_int_equal(end, 6);
    assert_int_equal(cells_whole(cells, 8, 5), 4);
}

/* Incomplete cells, and all cells of their records, become cells without a record. */
static void test_settle(void **state) {
    static const struct {
        unsigned missing[3];       /* cells of the eight, as above; 9: none */
        size_t count;              /* cells that are passed */
        uint64_t rows;             /* that are not whole */
        unsigned records, left[4]; /* the starts of the remaining records */
    } cases[] = {
        {{9, 9, 9}, 8, 0, 4, {0, 3, 4, 7}}, {{1, 9, 9}, 8, 1, 3, {3, 4, 7}},
        {{0, 9, 9}, 8, 1, 3, {3, 4, 7}},    {{2, 3, 9}, 8, 1, 2, {4, 7}},
        {{1, 5, 9}, 8, 2, 2, {3, 7}},       {{7, 9, 9}, 8, 1, 3, {0, 3, 4}},
        {{6, 7, 9}, 8, 1, 2, {0, 3}},       {{9, 9, 9}, 6, 0, 2, {0, 3}},
        {{5, 9, 9}, 6, 1, 2, {0, 3}},       {{3, 4, 5}, 8, 1, 2, {0, 7}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint64_t cells[32 * 8] = {0};
        uint32_t first[8];
        const struct form three = form_of(SHFLVIZ_KINDS_ARGS | SHFLVIZ_KINDS_OUTS);
        const struct form one = form_of(0);
        put_record(cells, &three, 5);
        put_record(cells + 32 * 3, &one, 5);
        put_record(cells + 32 * 4, &three, 5);
        put_record(cells + 32 * 7, &one, 5);
        for (unsigned i = 0; i < 3 && cases[c].missing[i] < 9; i++)
            memset(cells + 32 * cases[c].missing[i], 0, SHFLVIZ_CELL_BYTES);
        assert_int_equal(cells_settle(cells, cases[c].count, 5), cases[c].rows);
        const size_t records = cells_index(cells, 0, cases[c].count, first);
        assert_int_equal(cells_within(cells, cases[c].count, first, records), cases[c].records);
        for (unsigned i = 0; i < cases[c].records; i++)
            assert_int_equal(first[i], cases[c].left[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),  cmocka_unit_test(test_results_of_rules),
        cmocka_unit_test(test_brief),  cmocka_unit_test(test_whole),
        cmocka_unit_test(test_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
