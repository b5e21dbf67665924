/* Each form in which lanes and values may be typed, and invalid ones. */
#include "explain/typed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define NOT          -1

static void test_lane(void **state) {
    static const struct {
        const char *typed;
        int lane;
    } cases[] = {{"0", 0},
                 {"31", 31},
                 {" 5 ", 5},
                 {"lane 5", 5},
                 {" lane  7 ", 7},
                 {"lanes 31", 31},
                 {"Lane5", 5},
                 {"LANES 0", 0},
                 {"32", NOT},
                 {"-1", NOT},
                 {"5 6", NOT},
                 {"lane", NOT},
                 {"", NOT},
                 {"5x", NOT},
                 {"x", NOT},
                 {"lane x", NOT},
                 {"lanex 5", NOT},
                 {"5-6", NOT},
                 {"99999999999999999999", NOT}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int lane = NOT;
        const bool is_lane = typed_lane(cases[i].typed, &lane);
        if (is_lane != (cases[i].lane != NOT) || (is_lane && lane != cases[i].lane))
            fail_msg("'%s': %d", cases[i].typed, lane);
    }
}

static void test_lanes(void **state) {
    static const struct {
        const char *typed;
        uint32_t lanes;
    } cases[] = {
        {"5", 1 << 5},     {"0-3,8", 0x10f}, {"0 1 2", 7},          {"lanes 4 to 7", 0xf0},
        {"Lane 3", 8},     {"0x00ff", 0xff}, {"0XFFFFFFFF", ~0u},   {"0x0", 0},
        {" 0x10 ", 0x10},  {"all", 0xff00},  {"a", 0xff00},         {" ALL ", 0xff00},
        {"none", 0},       {"n", 0},         {"4..7", 0xf0},        {"4~7", 0xf0},
        {"4–7", 0xf0},     {"4—7", 0xf0},    {"4到7", 0xf0},        {"4 至 7", 0xf0},
        {"4 - 7", 0xf0},   {"0-31", ~0u},    {"31", 1u << 31},      {"3-3", 8},
        {"5 and 6", 0x60}, {"5;6", 0x60},    {"5，6、7和8", 0x1e0}, {"30, 31", 3u << 30},
        {"1,1-2, 2", 6},   {"3,1", 10},
    };
    static const char *const others[] = {
        "",    " ",  "lanes", "x",           "32", "4-",  "4-32",   "7-4",  ",5",
        "0xg", "0x", "5x",    "0x100000000", "-1", "4-x", "5 or 6", "1,32", "lane x"};
    uint32_t lanes;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        lanes = 0xabcdef;
        if (!typed_lanes(cases[i].typed, 0xff00, &lanes) || lanes != cases[i].lanes)
            fail_msg("'%s': %08x", cases[i].typed, (unsigned)lanes);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        if (typed_lanes(others[i], 0xff00, &lanes))
            fail_msg("'%s' is %08x", others[i], (unsigned)lanes);
}

static void test_values(void **state) {
    static const struct {
        enum warp_type type;
        const char *typed;
        uint64_t bits;
    } cases[] = {
        {WARP_TYPE_INT, "31", 31},
        {WARP_TYPE_INT, " +31 ", 31},
        {WARP_TYPE_INT, "0x1f", 31},
        {WARP_TYPE_INT, "0X1F", 31},
        {WARP_TYPE_INT, "0b11111", 31},
        {WARP_TYPE_INT, "0o37", 31},
        {WARP_TYPE_INT, "-0x1f", 0xffffffe1},
        {WARP_TYPE_INT, "-1", 0xffffffff},
        {WARP_TYPE_INT, "4294967295", 0xffffffff},
        {WARP_TYPE_INT, "-2147483648", 0x80000000},
        {WARP_TYPE_INT, "007", 7},
        {WARP_TYPE_UNSIGNED, "-1", 0xffffffff},
        {WARP_TYPE_LONG_LONG, "-9223372036854775808", UINT64_C(1) << 63},
        {WARP_TYPE_UNSIGNED_LONG_LONG, "18446744073709551615", UINT64_MAX},
        {WARP_TYPE_FLOAT, "1000", 0x447a0000},
        {WARP_TYPE_FLOAT, "1e3", 0x447a0000},
        {WARP_TYPE_FLOAT, "-0.5", 0xbf000000},
        {WARP_TYPE_FLOAT, ".5", 0x3f000000},
        {WARP_TYPE_FLOAT, "0x3f800000", 0x3f800000},
        {WARP_TYPE_FLOAT, "inf", 0x7f800000},
        {WARP_TYPE_FLOAT, "-inf", 0xff800000},
        {WARP_TYPE_DOUBLE, "2", UINT64_C(0x4000000000000000)},
        {WARP_TYPE_DOUBLE, "0x4000000000000001", UINT64_C(0x4000000000000001)},
        {WARP_TYPE_HALF, "1", 0x3c00},
        {WARP_TYPE_HALF, "0x3c01", 0x3c01},
        {WARP_TYPE_BFLOAT16, "1", 0x3f80},
        {WARP_TYPE_HALF2, "1.5,2", 0x40003e00},
        {WARP_TYPE_HALF2, "1.5 , 2", 0x40003e00},
        {WARP_TYPE_HALF2, "0x40003e00", 0x40003e00},
        {WARP_TYPE_BFLOAT162, "1,-1", 0xbf803f80},
    };
    static const struct {
        enum warp_type type;
        const char *typed;
    } others[] = {
        {WARP_TYPE_INT, ""},
        {WARP_TYPE_INT, "-"},
        {WARP_TYPE_INT, "0x"},
        {WARP_TYPE_INT, "0b2"},
        {WARP_TYPE_INT, "0o8"},
        {WARP_TYPE_INT, "1.5"},
        {WARP_TYPE_INT, "1a"},
        {WARP_TYPE_INT, "0xg"},
        {WARP_TYPE_INT, "1 2"},
        {WARP_TYPE_INT, "4294967296"},
        {WARP_TYPE_INT, "-2147483649"},
        {WARP_TYPE_INT, "--1"},
        {WARP_TYPE_LONG_LONG, "-9223372036854775809"},
        {WARP_TYPE_UNSIGNED_LONG_LONG, "18446744073709551616"},
        {WARP_TYPE_FLOAT, ""},
        {WARP_TYPE_FLOAT, "x"},
        {WARP_TYPE_FLOAT, "1,2"},
        {WARP_TYPE_FLOAT, "0x3f8"},
        {WARP_TYPE_FLOAT, "0x3f8000000"},
        {WARP_TYPE_FLOAT, "0x3f80000g"},
        {WARP_TYPE_FLOAT, "1p3"},
        {WARP_TYPE_HALF, "0x3c000"},
        {WARP_TYPE_HALF2, "1.5"},
        {WARP_TYPE_HALF2, "1,2,3"},
        {WARP_TYPE_HALF2, "1,"},
        {WARP_TYPE_HALF2, ",1"},
        {WARP_TYPE_NONE, "1"},
    };
    uint64_t bits;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        bits = 0x1234;
        if (!typed_value(cases[i].type, cases[i].typed, 0, &bits) || bits != cases[i].bits)
            fail_msg("'%s': %llx", cases[i].typed, (unsigned long long)bits);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        if (typed_value(others[i].type, others[i].typed, 0, &bits))
            fail_msg("'%s' is %llx", others[i].typed, (unsigned long long)bits);
    /* Typed NaNs do not say which NaN is meant. */
    assert_true(typed_value(WARP_TYPE_FLOAT, "nan", 0x7fc12345, &bits));
    assert_int_equal(bits, 0x7fc12345);
    assert_true(typed_value(WARP_TYPE_HALF2, "nan,1", 0x3c007e01, &bits));
    assert_int_equal(bits, 0x3c007e01);
}

/* At most 63 characters, not counting leading blanks. */
static void test_length(void **state) {
    char typed[80] = "    ";
    uint64_t bits = 0;
    (void)state;
    memset(typed + 4, '0', 62);
    strcpy(typed + 66, "7");
    assert_true(typed_value(WARP_TYPE_INT, typed, 0, &bits));
    assert_int_equal(bits, 7);
    strcpy(typed + 66, "07");
    assert_false(typed_value(WARP_TYPE_INT, typed, 0, &bits));
}

/* Rounding is judged by the type's precision: for each type, an answer that counts as 1/3
 * and one that does not. */
static void test_precision(void **state) {
    static const struct {
        enum warp_type type;
        uint64_t right;
        const char *near, *far;
    } cases[] = {
        {WARP_TYPE_HALF, 0x3555, "0.33325", "0.335"},
        {WARP_TYPE_BFLOAT16, 0x3eab, "0.334", "0.337"},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0.3333", "0.333"},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0.33333333", "0.3334"},
    };
    uint64_t bits;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(typed_value(cases[i].type, cases[i].near, cases[i].right, &bits));
        assert_int_equal(bits, cases[i].right);
        assert_true(typed_value(cases[i].type, cases[i].far, cases[i].right, &bits));
        assert_int_not_equal(bits, cases[i].right);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lane), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_values), cmocka_unit_test(test_length),
                                       cmocka_unit_test(test_precision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
