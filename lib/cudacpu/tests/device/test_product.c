/*
 * test_product.c - products of small matrices that a warp holds: all shapes and types compared with
 * plain sums, and every half rounded as in IEEE 754: to nearest, ties to even.
 */
#include "cudacpu/product.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
enum { LANES = 32, MOST = 512, ABSENT = 5, UNTOUCHED = 0x5a };

static const int size_of[] = {
    [CPU_NUMBER_HALF] = 2,          [CPU_NUMBER_BFLOAT] = 2, [CPU_NUMBER_TF32] = 4,
    [CPU_NUMBER_FLOAT] = 4,         [CPU_NUMBER_DOUBLE] = 8, [CPU_NUMBER_SIGNED_CHAR] = 1,
    [CPU_NUMBER_UNSIGNED_CHAR] = 1, [CPU_NUMBER_INT] = 4};

static char a[MOST * 8], b[MOST * 8], c[MOST * 8], d[(MOST + 1) * 8];

/* Lane 5 may be absent. */
static void multiply(const struct cpu_product *p, bool is_absent) {
    struct cpu_product_part part[LANES];
    const struct cpu_product_part *parts[LANES];
    memset(d, UNTOUCHED, sizeof d);
    for (int lane = 0; lane < LANES; lane++) {
        part[lane] = (struct cpu_product_part){
            .a = a + (ptrdiff_t)lane * (p->m * p->k / LANES * size_of[p->factors]),
            .b = b + (ptrdiff_t)lane * (p->k * p->n / LANES * size_of[p->factors]),
            .c = c + (ptrdiff_t)lane * (p->m * p->n / LANES * size_of[p->addend]),
            .d = d + (ptrdiff_t)lane * (p->m * p->n / LANES * size_of[p->sum])};
        parts[lane] = is_absent && lane == ABSENT ? NULL : &part[lane];
    }
    cpu_multiply(p, parts);
}

static double half_value(unsigned bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double value = exponent == 31 ? fraction ? NAN : INFINITY
                         : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                        : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

/* Integers from -16 to 16, which every type can represent. */
static void put(char *to, enum cpu_number number, int at, int value) {
    const float real = (float)value;
    const double wide = value;
    uint32_t bits;
    uint16_t half = 0;
    memcpy(&bits, &real, sizeof bits);
    if (number == CPU_NUMBER_HALF) {
        const int size = abs(value), exponent = size ? ilogb(size) : 0;
        if (size)
            half = (uint16_t)((exponent + 14) * 1024 + (size << 10 >> exponent));
        half |= value < 0 ? 0x8000 : 0;
    } else {
        half = (uint16_t)(bits >> 16);
    }
    const void *from = size_of[number] == 2          ? (const void *)&half
                       : number == CPU_NUMBER_DOUBLE ? (const void *)&wide
                       : number <= CPU_NUMBER_FLOAT  ? (const void *)&real
                                                     : (const void *)&value;
    memcpy(to + (ptrdiff_t)at * size_of[number], from, (size_t)size_of[number]);
}
static double get(enum cpu_number number, int at) {
    uint16_t half;
    int32_t whole;
    float real;
    double wide;
    memcpy(&half, d + (ptrdiff_t)at * 2, sizeof half);
    memcpy(&whole, d + (ptrdiff_t)at * 4, sizeof whole);
    memcpy(&real, d + (ptrdiff_t)at * 4, sizeof real);
    memcpy(&wide, d + (ptrdiff_t)at * 8, sizeof wide);
    return number == CPU_NUMBER_HALF     ? half_value(half)
           : number == CPU_NUMBER_DOUBLE ? wide
           : number == CPU_NUMBER_INT    ? whole
                                         : (double)real;
}

static void test_shapes(void **state) {
    static const struct cpu_product products[] = {
        {16, 16, 16, CPU_NUMBER_HALF, CPU_NUMBER_HALF, CPU_NUMBER_HALF, false, NULL, NULL, NULL},
        {32, 8, 16, CPU_NUMBER_HALF, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, false, NULL, NULL, NULL},
        {8, 32, 16, CPU_NUMBER_HALF, CPU_NUMBER_HALF, CPU_NUMBER_FLOAT, false, NULL, NULL, NULL},
        {16, 16, 16, CPU_NUMBER_HALF, CPU_NUMBER_FLOAT, CPU_NUMBER_HALF, false, NULL, NULL, NULL},
        {32, 8, 16, CPU_NUMBER_BFLOAT, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, false, NULL, NULL, NULL},
        {16, 16, 8, CPU_NUMBER_TF32, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, false, NULL, NULL, NULL},
        {8, 8, 4, CPU_NUMBER_DOUBLE, CPU_NUMBER_DOUBLE, CPU_NUMBER_DOUBLE, false, NULL, NULL, NULL},
        {16, 16, 32, CPU_NUMBER_SIGNED_CHAR, CPU_NUMBER_INT, CPU_NUMBER_INT, false, NULL, NULL,
         NULL},
        {8, 32, 16, CPU_NUMBER_UNSIGNED_CHAR, CPU_NUMBER_INT, CPU_NUMBER_INT, true, NULL, NULL,
         NULL},
        {16, 32, 16, CPU_NUMBER_DOUBLE, CPU_NUMBER_DOUBLE, CPU_NUMBER_DOUBLE, false, NULL, NULL,
         NULL},
        {4, 8, 8, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, false, NULL, NULL, NULL}};
    (void)state;
    for (int i = 0; i < COUNT(products); i++)
        for (int absent = 0; absent < 2; absent++) {
            const struct cpu_product *p = &products[i];
            const int least = p->factors == CPU_NUMBER_UNSIGNED_CHAR ? 0 : -4;
            int left[MOST], right[MOST], added[MOST];
            for (int at = 0; at < MOST; at++) {
                left[at] = at < p->m * p->k ? at * 7 % 9 + least : 0;
                right[at] = at < p->k * p->n ? at * at % 11 + least : 0;
                added[at] = at < p->m * p->n ? at % 17 - 8 : 0;
                if (at < p->m * p->k)
                    put(a, p->factors, at, left[at]);
                if (at < p->k * p->n)
                    put(b, p->factors, at, right[at]);
                if (at < p->m * p->n)
                    put(c, p->addend, at, added[at]);
                if (absent && at / (p->m * p->k / LANES) == ABSENT)
                    left[at] = 0;
                if (absent && at / (p->k * p->n / LANES) == ABSENT)
                    right[at] = 0;
                if (absent && at / (p->m * p->n / LANES) == ABSENT)
                    added[at] = 0;
            }
            multiply(p, absent);
            const int each = p->m * p->n / LANES, size = size_of[p->sum];
            for (int at = 0; at < p->m * p->n; at++) {
                int sum = added[at];
                for (int l = 0; l < p->k; l++)
                    sum += left[at / p->n * p->k + l] * right[l * p->n + at % p->n];
                if (absent && at / each == ABSENT)
                    assert_int_equal(d[at * size], UNTOUCHED);
                else if (get(p->sum, at) != sum)
                    fail_msg("product %d: element %d is %g, not %d", i, at, get(p->sum, at), sum);
            }
            for (int at = p->m * p->n * size; at < COUNT(d); at++)
                assert_int_equal(d[at], UNTOUCHED);
        }
}

/* A times the identity matrix is A, for every value that an element of A can have. */
static void test_factors(void **state) {
    struct cpu_product p = {
        64, 8, 8, CPU_NUMBER_HALF, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, false, NULL, NULL, NULL};
    static const enum cpu_number numbers[] = {CPU_NUMBER_HALF, CPU_NUMBER_BFLOAT, CPU_NUMBER_TF32};
    (void)state;
    for (int kind = 0; kind < COUNT(numbers); kind++) {
        p.factors = numbers[kind];
        memset(c, 0, sizeof c);
        memset(b, 0, sizeof b);
        /* Each row has only one nonzero number, since 0 times NaN or infinity is NaN. */
        put(b, p.factors, 0, 1);
        memset(a, 0, sizeof a);
        for (unsigned bits = 0; bits < 0x10000; bits += 64) {
            for (unsigned row = 0; row < 64; row++) {
                const uint16_t half = (uint16_t)(bits + row);
                const uint32_t single = (uint32_t)half << 16 | (kind == 2 ? 0x3fffu : 0);
                if (kind == 2)
                    memcpy(a + (ptrdiff_t)row * 8 * 4, &single, sizeof single);
                else
                    memcpy(a + (ptrdiff_t)row * 8 * 2, &half, sizeof half);
            }
            multiply(&p, false);
            for (unsigned row = 0; row < 64; row++) {
                /* Only the first of the last 14 bits of a tf32 number counts. */
                const uint32_t single = (bits + row) << 16 | (kind == 2 ? 0x2000u : 0);
                float right;
                memcpy(&right, &single, sizeof right);
                if (kind == 0)
                    right = (float)half_value(bits + row);
                const double got = get(CPU_NUMBER_FLOAT, (int)row * 8);
                if (isnan(right) ? !isnan(got) : got != (double)right)
                    fail_msg("kind %d, %x: %g, not %g", kind, bits + row, got, (double)right);
            }
        }
    }
}

/* A value between two halves is rounded to the nearer one; halfway between them, to the even
 * one. */
static void test_halves(void **state) {
    enum { EACH = 256, VALUES = 0x7c00 * 4 };
    const struct cpu_product p = {
        16, 16, 16, CPU_NUMBER_HALF, CPU_NUMBER_DOUBLE, CPU_NUMBER_HALF, false, NULL, NULL, NULL};
    (void)state;
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    for (int sign = 0; sign < 2; sign++)
        for (unsigned first = 0; first < VALUES; first += EACH) {
            uint16_t right[EACH];
            for (unsigned i = 0; i < EACH; i++) {
                const unsigned half = (first + i) / 4, which = (first + i) % 4;
                const double low = half_value(half);
                const double high = half == 0x7bff ? 65536 : half_value(half + 1);
                const double middle = (low + high) / 2;
                const double value = which == 0   ? low
                                     : which == 1 ? nextafter(middle, 0)
                                     : which == 2 ? middle
                                                  : nextafter(middle, 1e9);
                const double given = sign ? -value : value;
                memcpy(c + (ptrdiff_t)i * 8, &given, sizeof given);
                right[i] = (uint16_t)(half + (which == 3 || (which == 2 && half % 2)));
                right[i] |= sign ? 0x8000 : 0;
                if (value == 0) /* -0 + 0 is 0 */
                    right[i] = 0;
            }
            multiply(&p, false);
            for (unsigned i = 0; i < EACH; i++) {
                uint16_t got;
                memcpy(&got, d + (ptrdiff_t)i * 2, sizeof got);
                if (got != right[i])
                    fail_msg("half %x, %u: %x, not %x", (first + i) / 4, i % 4, got, right[i]);
            }
        }
    static const struct {
        double value;
        uint16_t half;
    } edges[] = {{INFINITY, 0x7c00}, {-INFINITY, 0xfc00}, {NAN, 0x7fff},
                 {1e300, 0x7c00},    {-1e300, 0xfc00},    {1e-300, 0},
                 {-1e-300, 0x8000},  {0x1p-14, 0x0400},   {65520, 0x7c00}};
    for (int i = 0; i < COUNT(edges); i++) {
        uint16_t got;
        memcpy(c, &edges[i].value, sizeof edges[i].value);
        multiply(&p, false);
        memcpy(&got, d, sizeof got);
        assert_int_equal(got, edges[i].half);
    }
}

/* Integers that exceed 32 bits are clamped to the range, or wrap. */
static void test_integers(void **state) {
    static const struct {
        int32_t c;
        int8_t a, b;
        int32_t saturated, wrapped;
    } cases[] = {{INT32_MAX, 1, 1, INT32_MAX, INT32_MIN},
                 {INT32_MAX - 1, 1, 1, INT32_MAX, INT32_MAX},
                 {INT32_MIN, 1, -1, INT32_MIN, INT32_MAX},
                 {INT32_MIN + 1, 1, -1, INT32_MIN, INT32_MIN},
                 {INT32_MAX, -128, -128, INT32_MAX, INT32_MIN + 16383},
                 {INT32_MIN, 127, -128, INT32_MIN, INT32_MAX - 16255},
                 {-5, 2, 3, 1, 1},
                 {0, -1, 1, -1, -1}};
    (void)state;
    for (int i = 0; i < COUNT(cases); i++)
        for (int saturates = 0; saturates < 2; saturates++) {
            const struct cpu_product p = {
                16,   16,   16,  CPU_NUMBER_SIGNED_CHAR, CPU_NUMBER_INT, CPU_NUMBER_INT, saturates,
                NULL, NULL, NULL};
            memset(a, 0, sizeof a);
            memset(b, 0, sizeof b);
            memset(c, 0, sizeof c);
            memcpy(a, &cases[i].a, 1);
            memcpy(b, &cases[i].b, 1);
            memcpy(c, &cases[i].c, 4);
            multiply(&p, false);
            assert_int_equal((int)get(CPU_NUMBER_INT, 0),
                             saturates ? cases[i].saturated : cases[i].wrapped);
            assert_int_equal((int)get(CPU_NUMBER_INT, 1), 0);
        }
    const struct cpu_product bytes = {
        16,   16,   16,  CPU_NUMBER_UNSIGNED_CHAR, CPU_NUMBER_INT, CPU_NUMBER_INT, false,
        NULL, NULL, NULL};
    memset(a, 0xff, sizeof a);
    memset(b, 0xff, sizeof b);
    memset(c, 0, sizeof c);
    multiply(&bytes, false);
    for (int i = 0; i < 256; i++)
        assert_int_equal((int)get(CPU_NUMBER_INT, i), 16 * 255 * 255);
}

/* 2^24 + 16 times 1/16: floats would lose each 1/16; 2^24 + 1 itself is a tie, rounded to 2^24. */
static void test_rounded_once(void **state) {
    const struct cpu_product p = {
        16, 16, 16, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, CPU_NUMBER_FLOAT, false, NULL, NULL, NULL};
    (void)state;
    for (int units = 1; units < 4; units++) {
        for (int i = 0; i < 256; i++) {
            const float left = (float)units / 16, right = 1, added = 0x1p24f;
            memcpy(a + (ptrdiff_t)i * 4, &left, sizeof left);
            memcpy(b + (ptrdiff_t)i * 4, &right, sizeof right);
            memcpy(c + (ptrdiff_t)i * 4, &added, sizeof added);
        }
        multiply(&p, false);
        assert_true(get(CPU_NUMBER_FLOAT, 17) == 0x1p24 + (units == 1 ? 0 : units == 2 ? 2 : 4));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_factors),
        cmocka_unit_test(test_halves),       cmocka_unit_test(test_integers),
        cmocka_unit_test(test_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
