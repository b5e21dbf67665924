/* C's words, operators and integers, where the tests of their readers do not cover them. */
#include "base/text/c_expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void scans(const char *text, enum number_problem problem, uint64_t value, size_t length) {
    const char *end;
    uint64_t number;
    assert_int_equal(number_scan(text, &end, &number), problem);
    assert_int_equal(number, value);
    assert_ptr_equal(end, text + length);
}

static void scanning_stops_after_the_number(void **state) {
    (void)state;
    scans("0x1f+lane", NUMBER_FINE, 31, 4);
    scans("0b1012", NUMBER_FINE, 5, 5);
    scans("0", NUMBER_FINE, 0, 1);
    scans("lane", NUMBER_MISSING, 0, 0);
    scans("99999999999999999999+1", NUMBER_TOO_LARGE, UINT64_MAX, 20);
}

static void malformed_numbers_are_read_as_in_c(void **state) {
    (void)state;
    scans("0xg", NUMBER_NO_DIGITS, 0, 1);
    scans("0b2", NUMBER_NO_DIGITS, 0, 1);
    scans("010", NUMBER_LEADING_ZERO, 8, 3);
    scans("09", NUMBER_LEADING_ZERO, 0, 1);
}

static void the_longest_operator_is_taken(void **state) {
    (void)state;
    static const char *const signs[] = {"!=", "%", "&&", "&", "*",  "+",  "-", "/", "<<",
                                        "<=", "<", "==", ">", ">=", ">>", "^", "|", "||"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        assert_string_equal(c_operator_at(signs[i])->sign, signs[i]);
        assert_int_equal(c_operator_at(signs[i])->length, strlen(signs[i]));
    }
    static const char *const none[] = {"", "!", "=", "~", "(", "?", "a", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(c_operator_at(none[i]));
}

static void integers_wrap(void **state) {
    (void)state;
    assert_true(c_compute(C_ADD, INT64_MAX, 1) == INT64_MIN);
    assert_true(c_compute(C_DIVIDE, INT64_MIN, -1) == INT64_MIN);
    assert_true(c_compute(C_REMAINDER, INT64_MIN, -1) == 0);
    assert_true(c_compute(C_DIVIDE, 7, 0) == 0);
    assert_true(c_compute(C_REMAINDER, 7, 0) == 0);
    assert_true(c_compute(C_SHIFT_RIGHT, -8, 1) == -4);
    assert_true(c_compute_unary('-', INT64_MIN) == INT64_MIN);
    assert_false(c_comparison_holds(C_LESS_EQUAL, false, false, false));
    assert_true(c_comparison_holds(C_NOT_EQUAL, false, false, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scanning_stops_after_the_number),
        cmocka_unit_test(malformed_numbers_are_read_as_in_c),
        cmocka_unit_test(the_longest_operator_is_taken),
        cmocka_unit_test(integers_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
