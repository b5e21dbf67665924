/* Reading a learner's input generously: blanks, shortened words, rounded numbers. */
#include "explain/typed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void words_may_have_blanks_around_them(void **state) {
    (void)state;
    static const char *const own[] = {"own", "own ", " own", "  own   ", "o", "o ", "OW "};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!typed_is_own(own[i]) || typed_is_undefined(own[i]))
            fail_msg("'%s'", own[i]);
    static const char *const undefined[] = {"undefined ", " u ", "?", " ?"};
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
        if (!typed_is_undefined(undefined[i]) || typed_is_own(undefined[i]))
            fail_msg("'%s'", undefined[i]);
    static const char *const neither[] = {"", " ", "   ", "o w", "o x", "owned", "5"};
    for (size_t i = 0; i < sizeof neither / sizeof *neither; i++)
        if (typed_is_own(neither[i]) || typed_is_undefined(neither[i]))
            fail_msg("'%s'", neither[i]);
    assert_true(typed_is_blank("") && typed_is_blank("  "));
    assert_false(typed_is_blank(" 0"));
}

/* Rounding errs by at most half a unit in the last digit, up or down: 12345.65625 and
 * 2^-14 = 0.00006103515625 are each halfway between two numbers of nine digits. A nearer answer
 * is right, too, and an answer a unit away is wrong; three digits do not count as rounding. 2025
 * times the smallest double, 4.940656e-324, is 1.00048e-320. */
static void a_rounded_double_is_right(void **state) {
    (void)state;
    static const struct {
        double right;
        const char *typed;
        bool is_right;
    } expected[] = {
        {12345.65625, "12345.6563", true},
        {12345.65625, "12345.6562", true},
        {12345.65625, "12345.6564", false},
        {12345.65625, "12345.6561", false},
        {-12345.65625, "-12345.6563", true},
        {-12345.65625, "12345.6563", false},
        {0x1p-14, "0.0000610351563", true},
        {0x1p-14, "0.0000610351562", true},
        {0x1p-14, "0.0000610351564", false},
        {99999.96875, "99999.9688", true},
        {99999.96875, "99999.9689", false},
        {1.0 / 3, "0.3333", true},
        {1.0 / 3, "0.333", false},
        {2.0 / 3, "0.6667", true},
        {2.0 / 3, "0.6666", false},
        {0x7e9p-1074, "1.000e-320", true},
        {0x7e9p-1074, "1.002e-320", false},
        {0.0, "0.0001", false},
        {0.0, "0", true},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint64_t right, bits;
        memcpy(&right, &expected[i].right, sizeof right);
        assert_true(typed_value(WARP_TYPE_DOUBLE, expected[i].typed, right, &bits));
        if ((bits == right) != expected[i].is_right)
            fail_msg("%s for %.17g", expected[i].typed, expected[i].right);
    }
}

/* A third in each type: 0x3555 is 0.333251953125 in half, 0x3eab 0.333984375 in bfloat16,
 * 0x3eaaaaab 0.3333333432674408 in float. An answer within the type's precision (one part in 2^11,
 * 2^8, 2^24) is right, and so is one rounded to four digits or more. The next value below 1 is
 * exactly that far away, and is wrong; above 1 that is the midpoint of two values, which rounds
 * to the even one. */
static void narrow_types_are_judged_by_their_precision(void **state) {
    (void)state;
    static const struct {
        enum warp_type type;
        uint64_t right;
        const char *typed;
        bool is_right;
    } expected[] = {
        {WARP_TYPE_HALF, 0x3555, "0.3333", true},
        {WARP_TYPE_HALF, 0x3555, "0.3334", true},
        {WARP_TYPE_HALF, 0x3555, "0.333", false},
        {WARP_TYPE_HALF, 0x3555, "0x3555", true},
        {WARP_TYPE_HALF, 0x3555, "0x3554", false},
        {WARP_TYPE_HALF, 0x3555, "-0.3333", false},
        {WARP_TYPE_HALF, 0x7e00, "nan", true},
        {WARP_TYPE_HALF, 0x7c00, "inf", true},
        {WARP_TYPE_HALF, 0x7c00, "-inf", false},
        {WARP_TYPE_HALF, 0x7c00, "nan", false},
        {WARP_TYPE_BFLOAT16, 0x3eab, "0.333", true},
        {WARP_TYPE_BFLOAT16, 0x3eab, "0.335", true},
        {WARP_TYPE_BFLOAT16, 0x3eab, "0.33", false},
        {WARP_TYPE_BFLOAT16, 0x3eab, "0.336", false},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0.3333", true},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0.33333334", true},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0.33333335", true},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0.3333334", false},
        {WARP_TYPE_FLOAT, 0x3eaaaaab, "0x3eaaaaab", true},
        {WARP_TYPE_HALF, 0x3c00, "0.99951171875", false},
        {WARP_TYPE_HALF, 0x3c00, "1.00048828125", true},
        {WARP_TYPE_BFLOAT16, 0x3f80, "0.99609375", false},
        {WARP_TYPE_FLOAT, 0x3f800000, "0.999999940395355224609375", false},
        /* Packed: the low part first. */
        {WARP_TYPE_HALF2, 0x35553e00, "1.5,0.3333", true},
        {WARP_TYPE_HALF2, 0x35553e00, " 1.5 , 0.3333 ", true},
        {WARP_TYPE_HALF2, 0x35553e00, "0.3333,1.5", false},
        {WARP_TYPE_HALF2, 0x35553e00, "1.5,0.33", false},
        {WARP_TYPE_HALF2, 0x35553e00, "0x35553e00", true},
        {WARP_TYPE_BFLOAT162, 0x3eab4040, "3,0.333", true},
        {WARP_TYPE_BFLOAT162, 0x3eab4040, "3.1,0.333", false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint64_t bits = 0;
        if (!typed_value(expected[i].type, expected[i].typed, expected[i].right, &bits))
            fail_msg("%s is not read", expected[i].typed);
        if ((bits == expected[i].right) != expected[i].is_right)
            fail_msg("%s for 0x%llx: 0x%llx", expected[i].typed,
                     (unsigned long long)expected[i].right, (unsigned long long)bits);
    }
}

static void invalid_values_of_a_type_are_refused(void **state) {
    (void)state;
    static const struct {
        enum warp_type type;
        const char *typed;
    } wrong[] = {
        {WARP_TYPE_HALF, ""},           {WARP_TYPE_HALF, "1,2"},    {WARP_TYPE_HALF, "0x355"},
        {WARP_TYPE_HALF, "0x35555"},    {WARP_TYPE_HALF, "0x355g"}, {WARP_TYPE_HALF, "a third"},
        {WARP_TYPE_HALF2, "1.5"},       {WARP_TYPE_HALF2, "1.5,"},  {WARP_TYPE_HALF2, ",1.5"},
        {WARP_TYPE_HALF2, "1,2,3"},     {WARP_TYPE_FLOAT, "1e"},    {WARP_TYPE_FLOAT, "0x1p3"},
        {WARP_TYPE_FLOAT, "1.5.2"},     {WARP_TYPE_INT, "1.5"},     {WARP_TYPE_INT, "-"},
        {WARP_TYPE_INT, "0x"},          {WARP_TYPE_INT, "0b12"},    {WARP_TYPE_INT, "4294967296"},
        {WARP_TYPE_INT, "-2147483649"}, {WARP_TYPE_NONE, "1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t bits;
        if (typed_value(wrong[i].type, wrong[i].typed, 0x3555, &bits))
            fail_msg("'%s' is read", wrong[i].typed);
    }
    uint64_t bits;
    assert_true(typed_value(WARP_TYPE_INT, "4294967295", 0, &bits));
    assert_int_equal(bits, 0xffffffff);
    assert_true(typed_value(WARP_TYPE_INT, "-2147483648", 0, &bits));
    assert_int_equal(bits, 0x80000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_may_have_blanks_around_them),
        cmocka_unit_test(a_rounded_double_is_right),
        cmocka_unit_test(narrow_types_are_judged_by_their_precision),
        cmocka_unit_test(invalid_values_of_a_type_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
