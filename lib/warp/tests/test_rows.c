/*
 * Rows of ldmatrix: offsets and banks by hand. A row of 16 bytes is in four banks, a line of 128
 * bytes in all 32, so rows whose offsets agree in bits 4 to 6 conflict. The swizzle repeats the
 * definition in CuTe: bits M to M + B - 1 are XORed with the bits S higher.
 */
#include "warp/rows.h"

#include "support.h"

static int passes_of(uint32_t pitch, const char *swizzle, int matrix) {
    struct swizzle read = {0, 0, 0};
    struct matrix_rows rows;
    struct bank_use use;
    if (swizzle)
        assert_true(swizzle_read(&read, swizzle));
    matrix_rows_in_tile(&rows, 4, pitch, &read);
    matrix_rows_use(&rows, matrix, &use);
    assert_int_equal(use.least, 1);
    return use.passes;
}

static void test_tiles(void **state) {
    (void)state;
    for (int matrix = 0; matrix < 4; matrix++) {
        assert_int_equal(passes_of(16, NULL, matrix), 1);  /* one after the other */
        assert_int_equal(passes_of(32, NULL, matrix), 2);  /* four rows per line */
        assert_int_equal(passes_of(64, NULL, matrix), 4);  /* two rows per line */
        assert_int_equal(passes_of(128, NULL, matrix), 8); /* all rows in the same four banks */
        assert_int_equal(passes_of(256, NULL, matrix), 8);
        assert_int_equal(passes_of(144, NULL, matrix), 1); /* padding of one row */
        assert_int_equal(passes_of(160, NULL, matrix), 2);
        assert_int_equal(passes_of(128, "128B", matrix), 1);
        assert_int_equal(passes_of(128, "3,4,3", matrix), 1);
        assert_int_equal(passes_of(128, "64B", matrix), 2); /* four places for eight rows */
        assert_int_equal(passes_of(64, "64B", matrix), 1);  /* bit 6 is the row's, 4 and 5 XORed */
        assert_int_equal(passes_of(32, "32B", matrix), 1);
        assert_int_equal(passes_of(256, "128B", matrix), 2); /* bit 7 is always 0 */
        assert_int_equal(passes_of(256, "3,4,4", matrix), 1);
    }
}

static void test_offsets(void **state) {
    static const struct swizzle none = {0, 0, 0}, whole = {3, 4, 3};
    struct matrix_rows rows;
    struct bank_use use;
    (void)state;
    matrix_rows_in_tile(&rows, 4, 144, &none);
    assert_int_equal(rows.lanes, WARP_FULL_MASK);
    assert_int_equal(rows.offset[15], 15 * 144);
    assert_int_equal(rows.offset[16], 16);
    assert_int_equal(rows.offset[31], 15 * 144 + 16);
    matrix_rows_in_tile(&rows, 4, 128, &whole);
    assert_int_equal(rows.offset[3], 3 * 128 + 3 * 16);
    assert_int_equal(rows.offset[16 + 3], 3 * 128 + (1 ^ 3) * 16);
    matrix_rows_in_tile(&rows, 1, 128, &none);
    assert_int_equal(rows.lanes, 0xff);
    matrix_rows_use(&rows, 0, &use);
    assert_int_equal(use.passes, 8);
    assert_int_equal(use.bank, 0);
    assert_int_equal(use.lanes, 0xff);
    assert_int_equal(use.count[3], 8);
    assert_int_equal(use.count[4], 0);
    matrix_rows_use(&rows, 1, &use);
    assert_int_equal(use.least, 0); /* no lane passes one of its rows */
    for (int lane = 0; lane < 8; lane++)
        rows.offset[lane] = 0;
    matrix_rows_use(&rows, 0, &use);
    assert_int_equal(use.passes, 1); /* one row for all is no conflict */
}

static void test_words(void **state) {
    static const char *const wrong[] = {"",      "96B",    "128b",  "3",      "3,4",
                                        "3,3,3", "0,4,3",  "3,4,2", "-1,4,3", "3,4,3,",
                                        "3,4,x", "3,4,30", "9,4,9"};
    struct swizzle swizzle;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(swizzle_read(&swizzle, wrong[i]));
    assert_true(swizzle_read(&swizzle, "64B"));
    for (uint32_t offset = 0; offset < 4096; offset++) {
        const uint32_t by_hand = offset ^ (offset >> 7 & 3) << 4;
        assert_int_equal(swizzle_apply(&swizzle, offset), by_hand);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiles), cmocka_unit_test(test_offsets),
                                       cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
