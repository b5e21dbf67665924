/*
 * product.c - products of small matrices that a warp holds together (cudacpu/product.h).
 */
#include "cudacpu/product.h"

#include "cudacpu/device/vector_target.h"
#include "warp/type.h"

#include <stddef.h>
#include <string.h>

#define LANES 32
#define MOST  512 /* elements of a matrix */

/* ---- numbers ---- */

static const unsigned char size_of[] = {2, 2, 4, 4, 8, 1, 1, 4};

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Branch-free, unless the compiler adds branches: the multiplication handles subnormals, and the
 * replaced exponent infinities and NaNs. */
static float float_of_half(uint16_t bits) {
    const uint32_t magnitude = bits & 0x7fffu;
    const float value = float_of_bits(magnitude << 13) * 0x1p112f;
    uint32_t whole;
    memcpy(&whole, &value, sizeof whole);
    whole |= magnitude >= 0x7c00 ? 0x7f800000u : 0;
    return float_of_bits(whole | (uint32_t)(bits & 0x8000) << 16);
}

#define WIDEN(T, expression)                                                                       \
    for (int i = 0; i < count; i++) {                                                              \
        T x;                                                                                       \
        memcpy(&x, raw + (size_t)i * sizeof x, sizeof x);                                          \
        to[i] = (double)(expression);                                                              \
    }                                                                                              \
    break

static void widen(double *to, const char *raw, enum cpu_number number, int count) {
    switch (number) {
    case CPU_NUMBER_HALF:
        WIDEN(uint16_t, float_of_half(x));
    case CPU_NUMBER_BFLOAT:
        WIDEN(uint16_t, float_of_bits((uint32_t)x << 16));
    case CPU_NUMBER_TF32:
        WIDEN(uint32_t, float_of_bits(x & ~0x1fffu));
    case CPU_NUMBER_FLOAT:
        WIDEN(float, x);
    case CPU_NUMBER_DOUBLE:
        WIDEN(double, x);
    case CPU_NUMBER_SIGNED_CHAR:
        WIDEN(int8_t, x);
    case CPU_NUMBER_UNSIGNED_CHAR:
        WIDEN(uint8_t, x);
    case CPU_NUMBER_INT:
        WIDEN(int32_t, x);
    }
}
#undef WIDEN

static int32_t int_of(double value, bool saturates) {
    if (saturates)
        return value < -2147483648.0  ? INT32_MIN
               : value > 2147483647.0 ? INT32_MAX
                                      : (int32_t)value;
    return (int32_t)(uint32_t)(uint64_t)(int64_t)value;
}

static void narrow(char *to, const double *from, const struct cpu_product *product, int count) {
    for (int i = 0; i < count; i++) {
        const uint16_t half = from[i] != from[i] ? 0x7fff : half_from_double(from[i]);
        const float real = (float)from[i];
        const int32_t whole =
            product->sum == CPU_NUMBER_INT ? int_of(from[i], product->saturates) : 0;
        switch (product->sum) {
        case CPU_NUMBER_HALF:
            memcpy(to + (size_t)i * 2, &half, 2);
            break;
        case CPU_NUMBER_DOUBLE:
            memcpy(to + (size_t)i * 8, &from[i], 8);
            break;
        case CPU_NUMBER_INT:
            memcpy(to + (size_t)i * 4, &whole, 4);
            break;
        default:
            memcpy(to + (size_t)i * 4, &real, 4);
            break;
        }
    }
}

/* ---- the product ---- */

typedef double vector __attribute__((vector_size(64)));
#define WIDTH 8

/* sum += A B, four rows at a time. */
VECTOR_BODY void multiply_body(int m, int n, int k, const double *a, const vector *b, vector *sum) {
    const int columns = n / WIDTH;
    for (int i = 0; i < m; i += 4)
        for (int j = 0; j < columns; j++) {
            vector *const to = sum + (size_t)i * (size_t)columns + j;
            const double *const row = a + (size_t)i * (size_t)k;
            vector s0 = to[0], s1 = to[columns], s2 = to[2 * columns], s3 = to[3 * columns];
            for (int l = 0; l < k; l++) {
                const vector x = b[(size_t)l * (size_t)columns + (size_t)j];
                s0 += row[l] * x;
                s1 += row[k + l] * x;
                s2 += row[2 * k + l] * x;
                s3 += row[3 * k + l] * x;
            }
            to[0] = s0;
            to[columns] = s1;
            to[2 * columns] = s2;
            to[3 * columns] = s3;
        }
}
static void multiply_plain(int m, int n, int k, const double *a, const vector *b, vector *sum) {
    multiply_body(m, n, k, a, b, sum);
}
#if VECTOR_TARGETS
VECTOR_AVX512 static void multiply_avx512(int m, int n, int k, const double *a, const vector *b,
                                          vector *sum) {
    multiply_body(m, n, k, a, b, sum);
}
VECTOR_AVX2 static void multiply_avx2(int m, int n, int k, const double *a, const vector *b,
                                      vector *sum) {
    multiply_body(m, n, k, a, b, sum);
}
#endif

static void multiply(int m, int n, int k, const double *a, const vector *b, vector *sum) {
#if VECTOR_TARGETS
    const int level = vector_level();
    if (level) {
        (level == 2 ? multiply_avx512 : multiply_avx2)(m, n, k, a, b, sum);
        return;
    }
#endif
    multiply_plain(m, n, k, a, b, sum);
}

/* ---- lanes ---- */

enum matrix { MATRIX_A, MATRIX_B, MATRIX_C };

/* A row-major matrix, from the lanes' elements; `cells` as in struct cpu_product. */
static void gather(double *to, const struct cpu_product_part *const *parts, enum matrix which,
                   enum cpu_number number, int count, const unsigned short *cells) {
    char raw[MOST * 8];
    double held[MOST];
    const size_t bytes = (size_t)count / LANES * size_of[number];
    for (int lane = 0; lane < LANES; lane++) {
        const struct cpu_product_part *part = parts[lane];
        if (part)
            memcpy(raw + (size_t)lane * bytes,
                   which == MATRIX_A   ? part->a
                   : which == MATRIX_B ? part->b
                                       : part->c,
                   bytes);
        else
            memset(raw + (size_t)lane * bytes, 0, bytes);
    }
    widen(cells ? held : to, raw, number, count);
    for (int i = 0; cells && i < count; i++)
        to[cells[i]] = held[i];
}

void cpu_multiply(const struct cpu_product *product, const struct cpu_product_part *const *parts) {
    double a[MOST] __attribute__((aligned(64)));
    double b[MOST] __attribute__((aligned(64)));
    double sum[MOST] __attribute__((aligned(64)));
    double held[MOST];
    const int m = product->m, n = product->n, k = product->k;
    gather(a, parts, MATRIX_A, product->factors, m * k, product->a_cells);
    gather(b, parts, MATRIX_B, product->factors, k * n, product->b_cells);
    gather(sum, parts, MATRIX_C, product->addend, m * n, product->c_cells);
    multiply(m, n, k, a, (const vector *)b, (vector *)sum);
    const int each = m * n / LANES;
    for (int i = 0; product->c_cells && i < m * n; i++)
        held[i] = sum[product->c_cells[i]];
    const double *const from = product->c_cells ? held : sum;
    for (int lane = 0; lane < LANES; lane++)
        if (parts[lane])
            narrow(parts[lane]->d, from + (size_t)lane * (size_t)each, product, each);
}
