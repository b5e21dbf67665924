/* A block at one moment of the recording: a warp of 32 lanes that each take one element. The values
 * are those of sample_lines.h, worked out by hand: `mine` is 3 * lane, plus 100 in lanes 0 to 15;
 * then the `mine` of lane ^ 16 is added. */
#include "replay/pages/block.h"

#include "sample_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct trace *trace;

static int begin(void **state) {
    (void)state;
    trace = sample_whose_open();
    return trace ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    trace_close(trace);
    return 0;
}

static void read_at(struct block *block, uint64_t steps, size_t lines) {
    const struct block_time time = {.steps = steps, .lines = lines};
    block_read(block, trace, &time);
}

static void test_takes(void **state) {
    (void)state;
    struct block block;
    struct text all = TEXT_INIT, lane = TEXT_INIT;
    read_at(&block, 0, 0);
    assert_non_null(block.origins);
    assert_int_equal(block.warp_count, 1);
    assert_true(block_takes(&block, 0, -1, &all));
    assert_string_equal(all.data, "in[0..31]");
    assert_true(block_takes(&block, 0, 5, &lane));
    assert_string_equal(lane.data, "in[5]");
    assert_int_equal(block.element_count, 32);
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(block.owner[i], 0);
    text_release(&all);
    text_release(&lane);
    block_release(&block);
}

/* Before the shuffle, line 6, no value has arrived; line 7 adds the value received. */
static void test_values_come_with_their_lines(void **state) {
    (void)state;
    static const struct {
        size_t lines;
        uint64_t steps;
        bool brought, after;
    } rows[] = {
        {0, 0, false, false}, {5, 0, false, false}, {6, 1, true, false}, {7, 1, true, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct block block;
        read_at(&block, rows[i].steps, rows[i].lines);
        const struct block_value brought = block_input(&block, 0, 0, 5);
        const struct block_value after = block_after(&block, 0, 0, 5);
        assert_true(brought.is_known && after.is_known);
        assert_int_equal(brought.has_come, rows[i].brought);
        assert_int_equal(after.has_come, rows[i].after);
        assert_int_equal(brought.bits, 3 * 5 + 100);
        assert_int_equal(after.bits, 3 * 5 + 100 + 3 * 21);
        block_release(&block);
    }
}

/* A kernel with one series of shuffles and no shared memory has no second stage. */
static void test_one_stage(void **state) {
    (void)state;
    struct block block;
    read_at(&block, UINT64_MAX, SIZE_MAX);
    assert_int_equal(block_second_warp(&block), -1);
    assert_int_equal(block.cell_count, 0);
    assert_int_equal(block.warp[0].done, 1);
    block_release(&block);
}

/* Without origins, the operations are still shown, but elements are not mentioned. */
static void test_without_origins(void **state) {
    (void)state;
    struct trace *plain = sample_lines_open();
    const struct block_time time = {.steps = UINT64_MAX, .lines = SIZE_MAX};
    struct block block;
    struct text text = TEXT_INIT;
    block_read(&block, plain, &time);
    assert_null(block.origins);
    assert_false(block_takes(&block, 0, -1, &text));
    assert_int_equal(block_input(&block, 0, 0, 20).bits, 3 * 20);
    assert_false(block_after(&block, 0, 0, 20).is_known);
    block_release(&block);
    text_release(&text);
    trace_close(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes),
        cmocka_unit_test(test_values_come_with_their_lines),
        cmocka_unit_test(test_one_stage),
        cmocka_unit_test(test_without_origins),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
