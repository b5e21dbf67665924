/*
 * test_small_float.c - half and bfloat16 on the CPU warp, against wider arithmetic.
 */
#include "device_kernels.h"
#include "warp/type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

struct format {
    unsigned short (*calculate)(int, unsigned short, unsigned short, unsigned short);
    unsigned short (*narrow)(double);
    double (*widen)(unsigned short);
    int mantissa;
};
static const struct format half = {test_half, test_half_of, test_half_to_double, 10};
static const struct format bfloat16 = {test_bfloat16, test_bfloat16_of, test_bfloat16_to_double, 7};
static const struct format *const formats[] = {&half, &bfloat16};

static bool is_nan(const struct format *format, unsigned short bits) {
    return isnan(format->widen(bits));
}

/*
 * `bits` is the value of the format that is nearest to `exact`, of which a long double keeps 64
 * bits: no neighbour is nearer, and if two are equally near, `bits` is the even one.
 */
static void assert_nearest(const struct format *format, unsigned short bits, long double exact) {
    double value = format->widen(bits);
    if (isnan(exact) || isinf(exact)) {
        assert_true(isnan(exact) ? is_nan(format, bits) : (long double)value == exact);
        return;
    }
    unsigned short magnitude = bits & 0x7fff;
    unsigned short infinity = (unsigned short)((0x7fff >> format->mantissa) << format->mantissa);
    if (magnitude == infinity) {
        /* At or beyond the midpoint between the largest value and the next power of two. */
        unsigned short largest = infinity - 1;
        long double edge = format->widen(largest);
        long double step = edge - (long double)format->widen((unsigned short)(largest - 1));
        assert_true(fabsl(exact) >= edge + step / 2);
        return;
    }
    long double error = fabsl((long double)value - exact);
    for (int way = -1; way <= 1; way += 2) {
        int neighbour = magnitude + way;
        if (neighbour < 0 || neighbour >= infinity)
            continue;
        unsigned short other = (unsigned short)(neighbour | (bits & 0x8000));
        long double distance = fabsl((long double)format->widen(other) - exact);
        assert_true(error < distance || (error == distance && bits % 2 == 0));
    }
}

static void test_every_value_survives(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++)
        for (unsigned bits = 0; bits < 0x10000; bits++) {
            double value = formats[f]->widen((unsigned short)bits);
            double expected =
                f ? bfloat16_to_double((uint16_t)bits) : half_to_double((uint16_t)bits);
            if (isnan(value)) {
                assert_true(isnan(expected));
                assert_true(is_nan(formats[f], formats[f]->narrow(value)));
            } else {
                assert_true(value == expected);
                assert_int_equal(formats[f]->narrow(value), bits);
            }
        }
}

static void test_values_by_hand(void **state) {
    (void)state;
    assert_int_equal(test_half_of(1.0), 0x3c00);
    assert_int_equal(test_half_of(-2.0), 0xc000);
    assert_int_equal(test_half_of(65504.0), 0x7bff); /* the largest */
    assert_int_equal(test_half_of(65519.996), 0x7bff);
    assert_int_equal(test_half_of(65520.0), 0x7c00);
    assert_int_equal(test_half_of(0x1p-24), 0x0001); /* the smallest */
    assert_int_equal(test_half_of(0x1p-25), 0x0000); /* half of it: to even */
    assert_int_equal(test_half_of(0x1.8p-25), 0x0001);
    assert_int_equal(test_half_of(2049.0), 0x6800); /* 2048: to even */
    assert_int_equal(test_half_of(2051.0), 0x6802); /* 2052 */
    assert_int_equal(test_half_of(-0.0), 0x8000);
    assert_int_equal(test_bfloat16_of(1.0), 0x3f80);
    assert_int_equal(test_bfloat16_of(257.0), 0x4380); /* 256: to even */
    assert_int_equal(test_bfloat16_of(259.0), 0x4382); /* 260 */
    assert_int_equal(test_half_of_integer(2049), 0x6800);
    assert_int_equal(test_half_of_integer(-1), 0xbc00);
    assert_int_equal(test_half_of_integer(INT64_MIN), 0xfc00);
}

/* A walk over pairs that visits all exponents and signs. */
static void test_arithmetic_rounds_to_nearest(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        const struct format *format = formats[f];
        uint32_t walk = 12345;
        for (int i = 0; i < 60000; i++) {
            walk = walk * 1664525 + 1013904223;
            unsigned short a = (unsigned short)(walk >> 16);
            walk = walk * 1664525 + 1013904223;
            /* Every other pair is close together, which is where sums need care. */
            unsigned short b = (unsigned short)(i % 2 ? walk >> 16 : a ^ (walk >> 20));
            long double x = format->widen(a), y = format->widen(b);
            assert_nearest(format, format->calculate('*', a, b, 0), x * y);
            assert_nearest(format, format->calculate('/', a, b, 0), x / y);
            if (fabsl(x) < 0x1p40L * fabsl(y) && fabsl(y) < 0x1p40L * fabsl(x)) {
                assert_nearest(format, format->calculate('+', a, b, 0), x + y);
                assert_nearest(format, format->calculate('-', a, b, 0), x - y);
            }
            assert_nearest(format, format->calculate('q', a & 0x7fff, 0, 0), sqrtl(fabsl(x)));
        }
    }
}

/* Where rounding to a double first would go wrong: a tiny addend decides a tie. */
static void test_fused_multiply_add_rounds_once(void **state) {
    (void)state;
    unsigned short a = test_half_of(1 + 0x1p-10), one = test_half_of(1.0);
    unsigned short tiny = test_half_of(0x1p-24), minus_tiny = test_half_of(-0x1p-24);
    /* 32768 * (1 + 2^-10) is exactly 32800; 16 more is a tie between 32800 and 32832 */
    unsigned short big = test_half_of(32768.0), tie = test_half_of(16.0);
    assert_int_equal(test_half('f', big, a, tie), test_half_of(32832.0)); /* even */
    assert_int_equal(test_half('f', a, one, tiny), a);
    assert_int_equal(test_half('f', a, one, minus_tiny), a);
    /* bfloat16: 1 + 2^-8 is a tie between 1 and 1 + 2^-7; 2^-100 more would round it up. */
    unsigned short b_one = test_bfloat16_of(1.0), b_sixteenth = test_bfloat16_of(0x1p-4);
    unsigned short step = test_bfloat16_of(0x1p-100), middle = test_bfloat16_of(0x1p-8);
    assert_int_equal(test_bfloat16('f', b_sixteenth, b_sixteenth, b_one), b_one);
    /* (1 + 2^-7) * (1 + 2^-7) = 1 + 2^-6 + 2^-14; minus its rounded square leaves 2^-14. */
    unsigned short near = test_bfloat16_of(1 + 0x1p-7), square = test_bfloat16_of(-(1 + 0x1p-6));
    assert_int_equal(test_bfloat16('f', near, near, square), test_bfloat16_of(0x1p-14));
    /* 2^-50 * 2^-50 + 2^-8 is not a tie in 8 bits, but loses its tail: the nearest is 2^-8. */
    unsigned short small = test_bfloat16_of(0x1p-50);
    assert_int_equal(test_bfloat16('f', small, small, middle), middle);
    assert_int_not_equal(step, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_survives),
        cmocka_unit_test(test_values_by_hand),
        cmocka_unit_test(test_arithmetic_rounds_to_nearest),
        cmocka_unit_test(test_fused_multiply_add_rounds_once),
    };
    return cmocka_run_group_tests_name("small_float", tests, NULL, NULL);
}
