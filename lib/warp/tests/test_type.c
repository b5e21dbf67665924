/*
 * Values: their bits, their text, their conversions. Constants are from IEEE 754 and the formats'
 * definitions; the rounding oracle looks values up between neighbours instead of shifting bits.
 */
#include "warp/type.h"

#include "support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* 2 to the power of `exponent`, by multiplication. */
static double power_of_two(int exponent) {
    double power = 1;
    for (; exponent > 0; exponent--)
        power *= 2;
    for (; exponent < 0; exponent++)
        power /= 2;
    return power;
}

/* ---- the table of types ---- */

static void test_every_type_has_a_name_that_finds_it(void **state) {
    (void)state;
    for (int type = 0; type < WARP_TYPE_NONE; type++) {
        const struct warp_type_info *info = warp_type_info((enum warp_type)type);
        assert_non_null(info);
        assert_int_equal(warp_type_find(info->name), type);
    }
    assert_non_null(warp_type_info(WARP_TYPE_NONE));
    assert_null(warp_type_info(WARP_TYPE_COUNT));
    assert_null(warp_type_info((enum warp_type) - 1));
    assert_int_equal(warp_type_find("none"), -1);
    assert_int_equal(warp_type_find("unsigned long long"), -1);
    assert_int_equal(warp_type_find(""), -1);
}

static void test_types_have_the_sizes_of_cuda(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *cuda;
        unsigned bits, parts;
        bool is_signed, is_floating;
    } expected[] = {
        {"int", "int", 32, 1, true, false},
        {"unsigned", "unsigned", 32, 1, false, false},
        {"long", "long", 64, 1, true, false},
        {"unsigned-long", "unsigned long", 64, 1, false, false},
        {"long-long", "long long", 64, 1, true, false},
        {"unsigned-long-long", "unsigned long long", 64, 1, false, false},
        {"float", "float", 32, 1, false, true},
        {"double", "double", 64, 1, false, true},
        {"half", "__half", 16, 1, false, true},
        {"half2", "__half2", 32, 2, false, true},
        {"bfloat16", "__nv_bfloat16", 16, 1, false, true},
        {"bfloat162", "__nv_bfloat162", 32, 2, false, true},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        int type = warp_type_find(expected[i].name);
        assert_int_equal(type, i);
        const struct warp_type_info *info = warp_type_info((enum warp_type)type);
        assert_string_equal(info->cuda, expected[i].cuda);
        assert_int_equal(info->bits, expected[i].bits);
        assert_int_equal(info->parts, expected[i].parts);
        assert_int_equal(info->is_signed, expected[i].is_signed);
        assert_int_equal(info->is_floating, expected[i].is_floating);
    }
}

/* ---- 16-bit floats ---- */

struct format16 {
    int exponent_bits, fraction_bits;
    double (*to_double)(uint16_t);
    uint16_t (*from_double)(double);
};
static const struct format16 half = {5, 10, half_to_double, half_from_double};
static const struct format16 bfloat16 = {8, 7, bfloat16_to_double, bfloat16_from_double};

/* The value of a finite bit pattern, from the definition: fraction times a power of two. */
static double format16_value(const struct format16 *format, unsigned bits) {
    int bias = (1 << (format->exponent_bits - 1)) - 1;
    unsigned one = 1u << format->fraction_bits;
    unsigned field = (bits & 0x7fff) / one;
    unsigned fraction = bits % one;
    double magnitude =
        field == 0 ? fraction * power_of_two(1 - bias - format->fraction_bits)
                   : (one + fraction) * power_of_two((int)field - bias - format->fraction_bits);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static unsigned format16_infinity(const struct format16 *format) {
    return 0x8000u - (1u << format->fraction_bits);
}

static void check_all_patterns(const struct format16 *format) {
    unsigned infinity = format16_infinity(format);
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        double value = format->to_double((uint16_t)bits);
        unsigned magnitude = bits & 0x7fff;
        if (magnitude > infinity)
            assert_true(isnan(value));
        else if (magnitude == infinity)
            assert_true(isinf(value) && (value < 0) == (bits > 0x7fff));
        else
            assert_int_equal(bits_of_double(value), bits_of_double(format16_value(format, bits)));
        assert_int_equal(format->from_double(value),
                         bits); /* includes NaNs with sign and payload */
    }
}

static void test_every_half_goes_to_double_and_back(void **state) {
    (void)state;
    check_all_patterns(&half);
}

static void test_every_bfloat16_goes_to_double_and_back(void **state) {
    (void)state;
    check_all_patterns(&bfloat16);
}

/* The nearest pattern, found between neighbours; the even one of two that are equally near. */
static unsigned format16_nearest(const struct format16 *format, double value) {
    unsigned sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    unsigned low = 0, high = format16_infinity(format);
    /* Infinity begins half a step above the largest number. */
    double largest = format16_value(format, high - 1);
    double step = largest - format16_value(format, high - 2);
    if (magnitude >= largest + step / 2)
        return sign | high;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (format16_value(format, middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    double below = format16_value(format, low);
    double above =
        high == format16_infinity(format) ? largest + step : format16_value(format, high);
    double tie = below + (above - below) / 2; /* exact: it has one bit more than the format */
    if (magnitude > tie || (magnitude == tie && low % 2 == 1))
        return sign | high;
    return sign | low;
}

static void check_rounding(const struct format16 *format, int lowest_exponent,
                           int highest_exponent) {
    uint64_t random = 0x5eed;
    int span = highest_exponent - lowest_exponent + 1;
    for (int i = 0; i < 20000; i++) {
        uint64_t fraction = next_random(&random) >> 12;
        if (i % 2) /* only the upper 11 bits: often a tie */
            fraction &= UINT64_C(0xffe0000000000);
        if (i % 4 == 1) /* a little above one */
            fraction |= 1;
        int exponent = lowest_exponent + (int)(next_random(&random) % (unsigned)span);
        uint64_t sign = next_random(&random) & UINT64_C(1) << 63;
        double value = double_of_bits(sign | (uint64_t)(exponent + 1023) << 52 | fraction);
        assert_int_equal(format->from_double(value), format16_nearest(format, value));
    }
    /* Every tie between neighbours, and the doubles next to it on both sides. */
    for (unsigned bits = 0; bits + 1 < format16_infinity(format); bits += 7) {
        double below = format16_value(format, bits), above = format16_value(format, bits + 1);
        double tie = below + (above - below) / 2;
        assert_int_equal(format->from_double(tie), bits % 2 ? bits + 1 : bits);
        assert_int_equal(format->from_double(nextafter(tie, 0)), bits);
        assert_int_equal(format->from_double(nextafter(tie, INFINITY)), bits + 1);
    }
}

static void test_doubles_round_to_the_nearest_half(void **state) {
    (void)state;
    check_rounding(&half, -30, 18);
}

static void test_doubles_round_to_the_nearest_bfloat16(void **state) {
    (void)state;
    check_rounding(&bfloat16, -140, 129);
}

static void test_known_halves(void **state) {
    (void)state;
    assert_int_equal(half_from_double(0.0), 0x0000);
    assert_int_equal(half_from_double(-0.0), 0x8000);
    assert_int_equal(half_from_double(1.0), 0x3c00);
    assert_int_equal(half_from_double(-2.0), 0xc000);
    assert_int_equal(half_from_double(0.1), 0x2e66);
    assert_int_equal(half_from_double(65504.0), 0x7bff);
    assert_int_equal(half_from_double(65519.999), 0x7bff);
    assert_int_equal(half_from_double(65520.0), 0x7c00);
    assert_int_equal(half_from_double(-1e300), 0xfc00);
    assert_int_equal(half_from_double(INFINITY), 0x7c00);
    assert_int_equal(half_from_double((double)NAN), 0x7e00);
    assert_int_equal(half_from_double(2049), 0x6800); /* 2048 and 2050 are equally near: even */
    assert_int_equal(half_from_double(2051), 0x6802);
    assert_int_equal(half_from_double(0x1p-14), 0x0400);
    assert_int_equal(half_from_double(0x1p-24), 0x0001);
    assert_int_equal(half_from_double(0x1p-25), 0x0000);
    assert_int_equal(half_from_double(0x1.8p-25), 0x0001);
    assert_int_equal(half_from_double(0x1.8p-24), 0x0002);
    assert_int_equal(half_from_double(0x1p-1074), 0x0000);
    /* A step through float would round to 1 + 2^-11 first, and then down. */
    assert_int_equal(half_from_double(1 + 0x1p-11 + 0x1p-40), 0x3c01);
    /* A signalling NaN whose payload does not fit must not become infinity. */
    assert_int_equal(half_from_double(double_of_bits(UINT64_C(0x7ff0000000000001))), 0x7e00);
}

static void test_known_bfloat16s(void **state) {
    (void)state;
    assert_int_equal(bfloat16_from_double(1.0), 0x3f80);
    assert_int_equal(bfloat16_from_double(3.140625), 0x4049);
    assert_int_equal(bfloat16_from_double(257), 0x4380);
    assert_int_equal(bfloat16_from_double(259), 0x4382);
    assert_int_equal(bfloat16_from_double(3.4e38), 0x7f80);
    assert_int_equal(bfloat16_from_double(0x1.fep127), 0x7f7f);
    assert_int_equal(bfloat16_from_double(0x1p-133), 0x0001);
    assert_int_equal(bfloat16_from_double(0x1p-134), 0x0000);
    assert_int_equal(bfloat16_from_double(-(double)INFINITY), 0xff80);
    assert_int_equal(bfloat16_from_double((double)NAN), 0x7fc0);
}

/* ---- conversions ---- */

static void test_integers_convert_as_in_cpp(void **state) {
    (void)state;
    static const struct {
        enum warp_type type;
        int64_t integer;
        uint64_t bits;
    } cases[] = {
        {WARP_TYPE_INT, -1, 0xffffffff},
        {WARP_TYPE_INT, INT64_C(0x100000005), 5},
        {WARP_TYPE_UNSIGNED, -1, 0xffffffff},
        {WARP_TYPE_LONG, -1, UINT64_MAX},
        {WARP_TYPE_UNSIGNED_LONG_LONG, INT64_MIN, UINT64_C(1) << 63},
        {WARP_TYPE_FLOAT, 1, 0x3f800000},
        {WARP_TYPE_FLOAT, -3, 0xc0400000},
        {WARP_TYPE_FLOAT, 16777217, 0x4b800000}, /* 2^24 + 1: to even */
        {WARP_TYPE_FLOAT, 16777219, 0x4b800002},
        {WARP_TYPE_FLOAT, (INT64_C(1) << 62) + (INT64_C(1) << 38) + 1, 0x5e800001},
        {WARP_TYPE_DOUBLE, 1, UINT64_C(0x3ff0000000000000)},
        {WARP_TYPE_DOUBLE, (INT64_C(1) << 53) + 1, UINT64_C(0x4340000000000000)},
        {WARP_TYPE_HALF, 31, 0x4fc0},
        {WARP_TYPE_HALF, -31, 0xcfc0},
        {WARP_TYPE_HALF, 100000, 0x7c00},
        {WARP_TYPE_HALF, INT64_MIN, 0xfc00},
        {WARP_TYPE_HALF2, 1, 0x3c003c00},
        {WARP_TYPE_BFLOAT16, 1, 0x3f80},
        {WARP_TYPE_BFLOAT162, -1, 0xbf80bf80},
        {WARP_TYPE_BFLOAT16, INT64_MIN, 0xdf00},
        /* 2^62 + 2^54 is halfway between two bfloat16s; 1 more is nearer to the larger. */
        {WARP_TYPE_BFLOAT16, (INT64_C(1) << 62) + (INT64_C(1) << 54), 0x5e80},
        {WARP_TYPE_BFLOAT16, (INT64_C(1) << 62) + (INT64_C(1) << 54) + 1, 0x5e81},
        {WARP_TYPE_BFLOAT16, (INT64_C(1) << 62) + (INT64_C(1) << 54) - 1, 0x5e80},
        {WARP_TYPE_BFLOAT16, (INT64_C(1) << 62) + (INT64_C(3) << 54) - 1, 0x5e81},
        {WARP_TYPE_BFLOAT16, -(INT64_C(1) << 62) - (INT64_C(1) << 54) - 1, 0xde81},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(warp_value_from_integer(cases[i].type, cases[i].integer), cases[i].bits);
}

static void test_values_as_doubles(void **state) {
    (void)state;
    assert_true(warp_value_to_double(WARP_TYPE_INT, 0xffffffff, 0) == -1);
    assert_true(warp_value_to_double(WARP_TYPE_UNSIGNED, 0xffffffff, 0) == 4294967295.0);
    assert_true(warp_value_to_double(WARP_TYPE_LONG_LONG, UINT64_MAX, 0) == -1);
    assert_true(warp_value_to_double(WARP_TYPE_FLOAT, 0x40490fdb, 0) == (double)3.14159274f);
    assert_true(warp_value_to_double(WARP_TYPE_DOUBLE, UINT64_C(0x4000000000000000), 0) == 2);
    assert_true(warp_value_to_double(WARP_TYPE_HALF2, 0x40003e00, 0) == 1.5);
    assert_true(warp_value_to_double(WARP_TYPE_HALF2, 0x40003e00, 1) == 2);
    assert_true(warp_value_to_double(WARP_TYPE_BFLOAT162, 0x40003fc0, 1) == 2);
    assert_int_equal(warp_value_from_double(WARP_TYPE_FLOAT, 0.1), 0x3dcccccd);
    assert_int_equal(warp_value_from_double(WARP_TYPE_HALF2, 1.5), 0x3e003e00);
    assert_int_equal(warp_value_from_double(WARP_TYPE_BFLOAT16, 1.5), 0x3fc0);
}

static void test_bits_beyond_the_type_are_cut(void **state) {
    (void)state;
    assert_int_equal(warp_value_mask(WARP_TYPE_HALF, 0x12345), 0x2345);
    assert_int_equal(warp_value_mask(WARP_TYPE_INT, UINT64_C(0x123456789a)), 0x3456789a);
    assert_true(warp_value_mask(WARP_TYPE_DOUBLE, UINT64_MAX) == UINT64_MAX);
    assert_int_equal(warp_value_mask(WARP_TYPE_NONE, UINT64_MAX), 0);
}

/* ---- text ---- */

static void test_values_read_as_people_write_them(void **state) {
    (void)state;
    static const struct {
        enum warp_type type;
        uint64_t bits;
        const char *text;
    } cases[] = {
        {WARP_TYPE_INT, 0, "0"},
        {WARP_TYPE_INT, 0x7fffffff, "2147483647"},
        {WARP_TYPE_INT, 0x80000000, "-2147483648"},
        {WARP_TYPE_INT, UINT64_C(0xffffffff00000005), "5"}, /* higher bits are ignored */
        {WARP_TYPE_UNSIGNED, 0xffffffff, "4294967295"},
        {WARP_TYPE_LONG, UINT64_C(0x8000000000000000), "-9223372036854775808"},
        {WARP_TYPE_LONG_LONG, UINT64_C(0x7fffffffffffffff), "9223372036854775807"},
        {WARP_TYPE_UNSIGNED_LONG, UINT64_MAX, "18446744073709551615"},
        {WARP_TYPE_UNSIGNED_LONG_LONG, UINT64_MAX, "18446744073709551615"},
        {WARP_TYPE_FLOAT, 0x00000000, "0"},
        {WARP_TYPE_FLOAT, 0x80000000, "-0"},
        {WARP_TYPE_FLOAT, 0x40400000, "3"},
        {WARP_TYPE_FLOAT, 0x41f00000, "30"},
        {WARP_TYPE_FLOAT, 0x47c35000, "100000"},
        {WARP_TYPE_FLOAT, 0x3dcccccd, "0.1"},
        {WARP_TYPE_FLOAT, 0xbdcccccd, "-0.1"},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0.33333334"},
        {WARP_TYPE_FLOAT, 0x40490fdb, "3.1415927"},
        {WARP_TYPE_FLOAT, 0x4b800000, "16777216"},
        {WARP_TYPE_FLOAT, 0x4e800000, "1073741824"},
        {WARP_TYPE_FLOAT, 0x501502f9, "1e+10"},
        {WARP_TYPE_FLOAT, 0x7149f2ca, "1e+30"},
        {WARP_TYPE_FLOAT, 0x7f7fffff, "3.4028235e+38"},
        {WARP_TYPE_FLOAT, 0xff7fffff, "-3.4028235e+38"},
        {WARP_TYPE_FLOAT, 0x00800000, "1.1754944e-38"},
        {WARP_TYPE_FLOAT, 0x00000001, "1e-45"},
        {WARP_TYPE_FLOAT, 0x38d1b717, "0.0001"},
        {WARP_TYPE_FLOAT, 0x3727c5ac, "1e-05"},
        {WARP_TYPE_FLOAT, 0x7f800000, "inf"},
        {WARP_TYPE_FLOAT, 0xff800000, "-inf"},
        {WARP_TYPE_FLOAT, 0x7fc00000, "nan"},
        {WARP_TYPE_FLOAT, 0xffc00000, "nan"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x3fb999999999999a), "0.1"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x3fd3333333333334), "0.30000000000000004"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x3fd5555555555555), "0.3333333333333333"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x7fefffffffffffff), "1.7976931348623157e+308"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x0010000000000000), "2.2250738585072014e-308"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x0000000000000001), "5e-324"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x42374876e8000000), "1e+11"},
        {WARP_TYPE_DOUBLE, UINT64_C(0x42374876e8100000), "100000000016"},
        {WARP_TYPE_HALF, 0x2e66, "0.1"},
        {WARP_TYPE_HALF, 0x3555, "0.3333"},
        {WARP_TYPE_HALF, 0x7bff, "65504"},
        {WARP_TYPE_HALF, 0xfbff, "-65504"},
        {WARP_TYPE_HALF, 0x70e2, "10000"},
        {WARP_TYPE_HALF, 0x70e3, "10008"},
        {WARP_TYPE_HALF, 0x0400, "6.104e-05"},
        {WARP_TYPE_HALF, 0x0001, "6e-08"},
        {WARP_TYPE_HALF, 0x7c00, "inf"},
        {WARP_TYPE_HALF, 0x7e00, "nan"},
        {WARP_TYPE_HALF2, 0x40003e00, "1.5,2"},
        {WARP_TYPE_HALF2, 0xfc0004ff, "7.623e-05,-inf"},
        {WARP_TYPE_BFLOAT16, 0x3dcd, "0.1"},
        {WARP_TYPE_BFLOAT16, 0x7f7f, "3.39e+38"},
        {WARP_TYPE_BFLOAT16, 0x0001, "9e-41"},
        {WARP_TYPE_BFLOAT162, 0xbf803f80, "1,-1"},
        {WARP_TYPE_NONE, 7, ""},
    };
    char text[WARP_VALUE_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(warp_value_format(cases[i].type, cases[i].bits, text), cases[i].text);
}

static void test_bits_have_the_digits_of_the_type(void **state) {
    (void)state;
    char text[WARP_VALUE_TEXT];
    assert_string_equal(warp_value_format_bits(WARP_TYPE_HALF, 0x5, text), "0x0005");
    assert_string_equal(warp_value_format_bits(WARP_TYPE_INT, UINT64_MAX, text), "0xffffffff");
    assert_string_equal(warp_value_format_bits(WARP_TYPE_HALF2, 0x40003e00, text), "0x40003e00");
    assert_string_equal(warp_value_format_bits(WARP_TYPE_DOUBLE, 1, text), "0x0000000000000001");
    assert_string_equal(warp_value_format_bits(WARP_TYPE_NONE, 1, text), "");
}

static int count_digits(const char *text) {
    int count = 0;
    while (*text && strchr("-0.", *text))
        text++;
    for (; *text && *text != 'e'; text++)
        count += *text != '.';
    return count;
}

/* True for a string that has all the digits of a whole number, as the header promises. */
static bool is_plain_integer(const char *text) {
    return strpbrk(text, ".e") == NULL;
}

static void test_floats_read_back_with_no_digit_too_many(void **state) {
    (void)state;
    uint64_t random = 0xf10a7;
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)(next_random(&random) >> 32);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isnan(value) || isinf(value))
            continue;
        char text[WARP_VALUE_TEXT], shorter[64];
        warp_value_format(WARP_TYPE_FLOAT, bits, text);
        assert_int_equal(bits_of_float(strtof(text, NULL)), bits);
        int digits = count_digits(text);
        if (is_plain_integer(text) || digits == 1)
            continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, (double)value);
        assert_true(bits_of_float(strtof(shorter, NULL)) != bits);
    }
}

static void test_doubles_read_back_with_no_digit_too_many(void **state) {
    (void)state;
    uint64_t random = 0xd0b1e;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&random);
        double value = double_of_bits(bits);
        if (isnan(value) || isinf(value))
            continue;
        char text[WARP_VALUE_TEXT], shorter[64];
        warp_value_format(WARP_TYPE_DOUBLE, bits, text);
        assert_true(bits_of_double(strtod(text, NULL)) == bits);
        int digits = count_digits(text);
        if (is_plain_integer(text) || digits == 1)
            continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        assert_true(bits_of_double(strtod(shorter, NULL)) != bits);
    }
}

static void check_all_texts(enum warp_type type, const struct format16 *format) {
    char text[WARP_VALUE_TEXT], shorter[64];
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        double value = format->to_double((uint16_t)bits);
        warp_value_format(type, bits, text);
        if (isnan(value)) {
            assert_string_equal(text, "nan");
            continue;
        }
        assert_int_equal(format->from_double(strtod(text, NULL)), bits);
        int digits = count_digits(text);
        if (isinf(value) || is_plain_integer(text) || digits == 1)
            continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        assert_true(format->from_double(strtod(shorter, NULL)) != bits);
    }
}

static void test_every_half_reads_back(void **state) {
    (void)state;
    check_all_texts(WARP_TYPE_HALF, &half);
}

static void test_every_bfloat16_reads_back(void **state) {
    (void)state;
    check_all_texts(WARP_TYPE_BFLOAT16, &bfloat16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_has_a_name_that_finds_it),
        cmocka_unit_test(test_types_have_the_sizes_of_cuda),
        cmocka_unit_test(test_every_half_goes_to_double_and_back),
        cmocka_unit_test(test_every_bfloat16_goes_to_double_and_back),
        cmocka_unit_test(test_doubles_round_to_the_nearest_half),
        cmocka_unit_test(test_doubles_round_to_the_nearest_bfloat16),
        cmocka_unit_test(test_known_halves),
        cmocka_unit_test(test_known_bfloat16s),
        cmocka_unit_test(test_integers_convert_as_in_cpp),
        cmocka_unit_test(test_values_as_doubles),
        cmocka_unit_test(test_bits_beyond_the_type_are_cut),
        cmocka_unit_test(test_values_read_as_people_write_them),
        cmocka_unit_test(test_bits_have_the_digits_of_the_type),
        cmocka_unit_test(test_floats_read_back_with_no_digit_too_many),
        cmocka_unit_test(test_doubles_read_back_with_no_digit_too_many),
        cmocka_unit_test(test_every_half_reads_back),
        cmocka_unit_test(test_every_bfloat16_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
