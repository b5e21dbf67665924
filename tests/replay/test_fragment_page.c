/*
 * The cursor over the fragments of an instruction, and where keys and clicks move it; the cursor's
 * lane is always the lane that holds the cell.
 */
#include "replay/pages/fragment_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static struct fragment_page open_page(const char *command, const char *text, size_t which,
                                      int lane) {
    struct fragment_page page;
    struct fragments fragments;
    struct error err = ERROR_INIT;
    if (fragments_read(&fragments, command, text, &err) != 0)
        fail_msg("%s", err.text);
    fragment_page_init(&page, &fragments, which, lane);
    return page;
}

static void press(struct fragment_page *page, const char *keys) {
    char key[16];
    for (int length; sscanf(keys, " %15s%n", key, &length) == 1; keys += length)
        fragment_page_apply(page, fragment_page_press(page, key).info->action, 0);
}

static void expect(const struct fragment_page *page, int matrix, int row, int column, int lane) {
    assert_int_equal(page->cursor.matrix, matrix);
    assert_int_equal(page->cursor.row, row);
    assert_int_equal(page->cursor.column, column);
    assert_int_equal(fragment_page_holder(page).lane, lane);
}

static void test_arrows(void **state) {
    (void)state;
    struct fragment_page page = open_page("mma", "m16n8k16", 2, 5);
    expect(&page, 0, 1, 2, 5);
    press(&page, "Right");
    expect(&page, 0, 1, 3, 5);
    press(&page, "l j");
    expect(&page, 0, 2, 4, 10);
    press(&page, "k k h h h h");
    expect(&page, 0, 0, 0, 0);
    press(&page, "Up Left"); /* stays at the edges */
    expect(&page, 0, 0, 0, 0);
    page = open_page("ldmatrix", "x2", 0, 3);
    expect(&page, 0, 0, 6, 3);
    press(&page, "Right Right"); /* into the next matrix */
    expect(&page, 1, 0, 0, 0);
    press(&page, "Left");
    expect(&page, 0, 0, 7, 3);
    press(&page, "Down Down Down Down Down Down Down Down");
    expect(&page, 0, 7, 7, 31);
}

static void test_lanes(void **state) {
    (void)state;
    struct fragment_page page = open_page("mma", "m16n8k16", 0, 31);
    press(&page, "Right"); /* a1 */
    press(&page, "n");
    expect(&page, 0, 0, 1, 0);
    press(&page, "N");
    expect(&page, 0, 7, 7, 31);
    press(&page, "Tab"); /* the lane stays */
    assert_int_equal(page.which, 1);
    expect(&page, 0, 6, 7, 31);
    press(&page, "BackTab BackTab");
    assert_int_equal(page.which, 2);
    expect(&page, 0, 7, 6, 31);
}

/* A click on any cell selects the lane and the register that hold it. */
static void test_clicks(void **state) {
    static const char *const all[][2] = {{"mma", "m16n8k32"},
                                         {"mma", "m8n8k4"},
                                         {"mma", "m8n8k4.f32.f16.f16.f16"},
                                         {"stmatrix", "x4"},
                                         {"movmatrix", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fragment_page page = open_page(all[i][0], all[i][1], 0, 0);
        for (size_t which = 0; which < page.fragments.count; which++) {
            const struct fragment *fragment = &page.fragments.list[which];
            for (int lane = 0; lane < 32; lane++)
                for (int element = 0; element < fragment_elements(fragment); element++) {
                    const struct fragment_cell cell = fragment_cell(fragment, lane, element);
                    assert_true(fragment_page_apply(&page, ACTION_CELL_GO,
                                                    fragment_page_cell(which, cell)));
                    assert_int_equal(page.which, which);
                    assert_int_equal(fragment_page_holder(&page).lane, lane);
                    assert_int_equal(fragment_page_holder(&page).element, element);
                }
        }
        const struct fragment_cell outside = {0, 200, 0};
        assert_false(fragment_page_apply(&page, ACTION_CELL_GO, fragment_page_cell(0, outside)));
        assert_false(fragment_page_apply(&page, ACTION_CELL_GO, -1));
        assert_false(fragment_page_apply(&page, ACTION_CELL_GO,
                                         fragment_page_cell(page.fragments.count, outside)));
    }
}

/* Keys change the distance between the rows of an ldmatrix from 128 bytes to 144, and back to 128
 * with a swizzle. */
static void test_rows(void **state) {
    struct fragment_page page = open_page("ldmatrix", "x4", 0, 0);
    (void)state;
    assert_false(page.fragments.has_rows);
    press(&page, "+");
    assert_int_equal(page.fragments.rows.offset[17], 128 + 16);
    press(&page, "+");
    assert_int_equal(page.fragments.rows.offset[17], 144 + 16);
    press(&page, "- s");
    assert_int_equal(page.fragments.rows.offset[17], 128); /* 16 ^ 16 */
    press(&page, "s s s");
    assert_int_equal(page.fragments.rows.offset[17], 128 + 16);
    for (int i = 0; i < 20; i++)
        press(&page, "-");
    assert_int_equal(page.tile.pitch, 16);
    page = open_page("movmatrix", "", 0, 0);
    press(&page, "+ s");
    assert_false(page.fragments.has_rows);
}

/* A recorded m8n8k4 of f64: elements of A are 1 + their row, elements of B 10 + their column; all
 * elements of C are 100, and all elements of D are 7. Sums of k products are
 * 100 + k (1 + row) (10 + column); the sum of all products is D as recorded. */
static void test_recorded(void **state) {
    double a[32], b[32], c[64], d[64];
    char text[WARP_VALUE_TEXT], wanted[32];
    struct fragment_page page;
    (void)state;
    for (int lane = 0; lane < 32; lane++) {
        a[lane] = 1 + lane / 4;  /* row lane / 4, column lane % 4 */
        b[lane] = 10 + lane / 4; /* row lane % 4, column lane / 4 */
        for (int i = 0; i < 2; i++) {
            c[i * 32 + lane] = 100;
            d[i * 32 + lane] = 7;
        }
    }
    struct trace_registers registers = {
        .lanes = 0xffffffff,
        .instruction = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        .count = 4,
        .operands = {{'a', 1, 8, a}, {'b', 1, 8, b}, {'c', 2, 8, c}, {'d', 2, 8, d}}};
    assert_true(fragment_page_recorded(&page, &registers, 9));
    expect(&page, 0, 2, 2, 9);
    assert_int_equal(page.fragments.count, 3);
    press(&page, "]"); /* there are no more products */
    assert_int_equal(page.k, 4);
    for (int k = 4; k >= 0; k--) {
        assert_int_equal(page.k, k);
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++) {
                const int sum = k == 4 ? 7 : 100 + k * (1 + row) * (10 + column);
                snprintf(wanted, sizeof wanted, "%d", sum);
                assert_string_equal(fragments_sum(&page.fragments, &registers,
                                                  (struct fragment_cell){0, row, column}, k, text),
                                    wanted);
            }
        press(&page, "[");
    }
    assert_int_equal(page.k, 0);
    registers.operands[1].registers = 2; /* B does not have 2 registers */
    assert_false(fragment_page_recorded(&page, &registers, 9));
    registers.operands[1].registers = 1;
    registers.instruction = "wgmma.mma_async";
    assert_false(fragment_page_recorded(&page, &registers, 9));
    assert_false(fragment_page_recorded(&page, NULL, 9));
}

static void test_leaving(void **state) {
    (void)state;
    struct fragment_page page = open_page("mma", "m16n8k8.tf32", 0, 0);
    press(&page, "?");
    assert_true(page.help);
    press(&page, "Escape");
    assert_false(page.help);
    assert_false(page.left);
    press(&page, "q");
    assert_true(page.left);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrows),   cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_clicks),   cmocka_unit_test(test_rows),
        cmocka_unit_test(test_recorded), cmocka_unit_test(test_leaving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
