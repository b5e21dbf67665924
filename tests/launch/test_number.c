/* Whole numbers on the command line. */
#include "launch/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_three_ways_to_write_a_number(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    uint64_t number = 0;
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {
        {"0", 0},
        {"7", 7},
        {"4294967295", 4294967295},
        {"18446744073709551615", UINT64_MAX},
        {"0xff", 255},
        {"0XfF", 255},
        {"0xffffffffffffffff", UINT64_MAX},
        {"0b0", 0},
        {"0b101", 5},
        {"0B11", 3},
        {"0x000f", 15}, /* zeros after a prefix are unambiguous */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(number_parse_u64("--n", cases[i].text, 0, UINT64_MAX, &number, &err), 0);
        assert_true(number == cases[i].value);
    }
}

static void check_refused(const char *text, const char *message) {
    struct error err = ERROR_INIT;
    uint32_t number = 77;
    assert_int_equal(number_parse_u32("--threads", text, 1, 1024, &number, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_int_equal(number, 77);
    char expected[256] = "--threads: ";
    strcat(expected, message);
    strcat(expected, "\nallowed: 1 to 1024, in decimal, 0x hexadecimal or 0b binary");
    assert_string_equal(err.text, expected);
}

static void test_invalid_numbers_are_refused(void **state) {
    (void)state;
    check_refused("", "'' is not a number");
    check_refused("many", "'many' is not a number");
    check_refused("-1", "'-1' is not a number");
    check_refused("+1", "'+1' is not a number");
    check_refused(" 1", "' 1' is not a number");
    check_refused("1 ", "'1 ' is not a number");
    check_refused("1k", "'1k' is not a number");
    check_refused("1.5", "'1.5' is not a number");
    check_refused("1,2", "'1,2' is not a number");
    check_refused("0x", "'0x' has no digits after its prefix");
    check_refused("0b2", "'0b2' has no digits after its prefix");
    check_refused("0xg", "'0xg' has no digits after its prefix");
    check_refused("010", "'010' begins with 0, which C reads as octal: leave the 0 out");
    check_refused("00", "'00' begins with 0, which C reads as octal: leave the 0 out");
    check_refused("18446744073709551616", "'18446744073709551616' is larger than 2^64-1");
    check_refused("0x10000000000000000", "'0x10000000000000000' is larger than 2^64-1");
    check_refused("0", "'0' is out of range");
    check_refused("1025", "'1025' is out of range");
    check_refused("4294967297", "'4294967297' is out of range"); /* 1 in 32 bits */
}

static void test_both_ends_of_a_range_are_in_it(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    uint32_t number = 0;
    assert_int_equal(number_parse_u32("--threads", "1", 1, 1024, &number, &err), 0);
    assert_int_equal(number, 1);
    assert_int_equal(number_parse_u32("--threads", "1024", 1, 1024, &number, &err), 0);
    assert_int_equal(number, 1024);
}

static void test_sizes_with_a_letter(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    static const struct {
        const char *text;
        uint64_t bytes;
    } fine[] = {
        {"1M", 1 << 20},
        {"2G", UINT64_C(2) << 30},
        {"1048576", 1 << 20},
        {"1024K", 1 << 20},
        {"17179869183G", UINT64_C(17179869183) << 30}, /* the last below 2^64 */
    };
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        uint64_t size = 0;
        assert_int_equal(number_parse_size("memory", fine[i].text, 1 << 20, &size, &err), 0);
        assert_true(size == fine[i].bytes);
    }
    static const char *const wrong[] = {"17179869184G", "1023K", "1048575", "1MM", "1T", "", "M"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint64_t size = 77;
        assert_int_equal(number_parse_size("memory", wrong[i], 1 << 20, &size, &err), -1);
        assert_true(size == 77);
    }
}

static void test_numbers_with_a_sign(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    int64_t number = 0;
    static const struct {
        const char *text;
        int64_t value;
    } fine[] = {
        {"0", 0},
        {"-0", 0},
        {"-1", -1},
        {"-0x10", -16},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
    };
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        assert_int_equal(number_parse_i64("--n", fine[i].text, INT64_MIN, INT64_MAX, &number, &err),
                         0);
        assert_true(number == fine[i].value);
    }
    static const char *const wrong[] = {
        "9223372036854775808", "-9223372036854775809", "--1", "-", "- 1", "-010"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(number_parse_i64("--n", wrong[i], INT64_MIN, INT64_MAX, &number, &err),
                         -1);
    assert_int_equal(number_parse_i64("--n", "-5", -4, 4, &number, &err), -1);
    assert_string_equal(
        err.text,
        "--n: '-5' is out of range\nallowed: -4 to 4, in decimal, 0x hexadecimal or 0b binary");
    assert_int_equal(number_parse_i64("--n", "5", -4, 4, &number, &err), -1);
    assert_int_equal(number_parse_i64("--n", "-4", -4, 4, &number, NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_ways_to_write_a_number),
        cmocka_unit_test(test_invalid_numbers_are_refused),
        cmocka_unit_test(test_both_ends_of_a_range_are_in_it),
        cmocka_unit_test(test_sizes_with_a_letter),
        cmocka_unit_test(test_numbers_with_a_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
