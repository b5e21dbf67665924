/*
 * small_float.h - 16-bit floating point, exactly rounded, for cuda_fp16.h and cuda_bf16.h.
 *
 * Values are computed in double and rounded once to nearest even. For sums, differences,
 * products, quotients and square roots that gives the correctly rounded result, because a
 * double has at least 2 p + 2 bits for a format of p bits (S. A. Figueroa, "When is double
 * rounding innocuous?"). A fused multiply-add is rounded to odd on the way, which makes it exact.
 */
#ifndef SHFLVIZ_CPU_SMALL_FLOAT_H
#define SHFLVIZ_CPU_SMALL_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "host_defines.h"

CUDACPU_BOTH_BEGIN

/* An integer as a double that rounds the same way: bits that do not fit are or-ed into the last
 * one that does. */
static inline double shflviz_odd(unsigned long long value) {
    return value >> 53 ? (double)(value >> 11 | ((value & 0x7ff) != 0)) * 2048.0 : (double)value;
}

/* Converts to a format with `exponent` and `mantissa` bits, rounded to nearest even. */
static inline uint16_t shflviz_narrow(double value, int exponent, int mantissa) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 63 << 15);
    int power = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int bias = (1 << (exponent - 1)) - 1;
    uint16_t infinity = (uint16_t)(((1 << exponent) - 1) << mantissa);
    if (power == 1024)
        return fraction ? 0x7fff : sign | infinity;
    if (power < -bias - mantissa) /* less than half of the smallest value; zero included */
        return sign;
    fraction |= UINT64_C(1) << 52;
    int shift = 52 - mantissa;
    int biased = power + bias;
    if (biased < 1) { /* subnormal: fewer bits are kept */
        shift += 1 - biased;
        biased = 1;
    }
    uint64_t kept = fraction >> shift;
    uint64_t lost = fraction & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    if (lost > half || (lost == half && (kept & 1)))
        kept++;
    /* A carry out of the fraction correctly increments the exponent. */
    uint64_t result = ((uint64_t)(biased - 1) << mantissa) + kept;
    return sign | (uint16_t)(result > infinity ? infinity : result);
}

static inline double shflviz_widen(uint16_t bits, int exponent, int mantissa) {
    const int bias = (1 << (exponent - 1)) - 1, most = (1 << exponent) - 1;
    const int biased = bits >> mantissa & most;
    const uint64_t fraction = bits & ((1u << mantissa) - 1), sign = (uint64_t)(bits >> 15) << 63;
    double value;
    if (biased == 0) { /* subnormal: exact, whichever way it is scaled */
        value = (double)fraction / (double)(UINT64_C(1) << mantissa);
        const uint64_t scale = (uint64_t)(1 - bias + 1023) << 52;
        double factor;
        memcpy(&factor, &scale, sizeof factor);
        value *= factor;
        return bits >> 15 ? -value : value;
    }
    if (biased == most && fraction)
        return bits >> 15 ? -(double)NAN : (double)NAN;
    const uint64_t power = biased == most ? 0x7ff : (uint64_t)(biased - bias + 1023);
    const uint64_t whole = sign | power << 52 | fraction << (52 - mantissa);
    memcpy(&value, &whole, sizeof value);
    return value;
}

/* a * b + c, rounded to odd: the last bit is set if something was lost, so that the next rounding
 * goes the right way. a * b is exact. */
static inline double shflviz_fma_to_odd(double a, double b, double c) {
    double product = a * b;
    double sum = product + c;
    double back = sum - product;
    double error = (product - (sum - back)) + (c - back);
    if (!(error > 0) && !(error < 0)) /* exact, or infinite, or not a number */
        return sum;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (!(bits & 1)) {
        bool away = (error > 0) == (sum > 0);
        bits = away ? bits + 1 : bits - 1;
        memcpy(&sum, &bits, sizeof sum);
    }
    return sum;
}

#define SHFLVIZ_SMALL_OPERATOR(T, sign)                                                            \
    static inline T operator sign(T a, T b) {                                                      \
        return T::of(a.as_double() sign b.as_double());                                            \
    }                                                                                              \
    static inline T &operator sign##=(T &a, T b) {                                                 \
        return a = a sign b;                                                                       \
    }
#define SHFLVIZ_SMALL_COMPARISON(T, sign, name)                                                    \
    static inline bool operator sign(T a, T b) {                                                   \
        return a.as_double() sign b.as_double();                                                   \
    }                                                                                              \
    static inline bool name(T a, T b) {                                                            \
        return a sign b;                                                                           \
    }

#define SHFLVIZ_SMALL_FLOAT(T, exponent, mantissa)                                                 \
    struct alignas(2) T {                                                                          \
        unsigned short bits;                                                                       \
        T() = default;                                                                             \
        T(float value) : bits(shflviz_narrow(value, exponent, mantissa)) {}                        \
        T(double value) : bits(shflviz_narrow(value, exponent, mantissa)) {}                       \
        T(int value) : bits(shflviz_narrow(value, exponent, mantissa)) {}                          \
        T(unsigned int value) : bits(shflviz_narrow(value, exponent, mantissa)) {}                 \
        T(short value) : bits(shflviz_narrow(value, exponent, mantissa)) {}                        \
        T(unsigned short value) : bits(shflviz_narrow(value, exponent, mantissa)) {}               \
        T(long value) : T((long long)value) {}                                                     \
        T(unsigned long value) : T((unsigned long long)value) {}                                   \
        /* Bits that do not fit in a double's 53 are kept as a last odd bit (shflviz_odd()). */    \
        T(long long value)                                                                         \
            : bits(shflviz_narrow(shflviz_odd(value < 0 ? 0ull - (unsigned long long)value         \
                                                        : (unsigned long long)value) *             \
                                      (value < 0 ? -1 : 1),                                        \
                                  exponent, mantissa)) {}                                          \
        T(unsigned long long value)                                                                \
            : bits(shflviz_narrow(shflviz_odd(value), exponent, mantissa)) {}                      \
        static T of(double value) { return T(value); }                                             \
        static T of_bits(unsigned short bits) {                                                    \
            T result;                                                                              \
            result.bits = bits;                                                                    \
            return result;                                                                         \
        }                                                                                          \
        double as_double() const { return shflviz_widen(bits, exponent, mantissa); }               \
        operator float() const { return (float)as_double(); }                                      \
    };                                                                                             \
    SHFLVIZ_SMALL_OPERATOR(T, +)                                                                   \
    SHFLVIZ_SMALL_OPERATOR(T, -)                                                                   \
    SHFLVIZ_SMALL_OPERATOR(T, *)                                                                   \
    SHFLVIZ_SMALL_OPERATOR(T, /)                                                                   \
    SHFLVIZ_SMALL_COMPARISON(T, ==, __heq)                                                         \
    SHFLVIZ_SMALL_COMPARISON(T, !=, __hneu)                                                        \
    SHFLVIZ_SMALL_COMPARISON(T, <, __hlt)                                                          \
    SHFLVIZ_SMALL_COMPARISON(T, <=, __hle)                                                         \
    SHFLVIZ_SMALL_COMPARISON(T, >, __hgt)                                                          \
    SHFLVIZ_SMALL_COMPARISON(T, >=, __hge)                                                         \
    static inline bool __hne(T a, T b) { /* false for a NaN, unlike the operator */                \
        return a < b || a > b;                                                                     \
    }                                                                                              \
    static inline T operator+(T a) {                                                               \
        return a;                                                                                  \
    }                                                                                              \
    static inline T operator-(T a) {                                                               \
        return T::of_bits(a.bits ^ 0x8000);                                                        \
    }                                                                                              \
    static inline T &operator++(T &a) {                                                            \
        return a += T(1);                                                                          \
    }                                                                                              \
    static inline T &operator--(T &a) {                                                            \
        return a -= T(1);                                                                          \
    }                                                                                              \
    static inline T __hadd(T a, T b) {                                                             \
        return a + b;                                                                              \
    }                                                                                              \
    static inline T __hsub(T a, T b) {                                                             \
        return a - b;                                                                              \
    }                                                                                              \
    static inline T __hmul(T a, T b) {                                                             \
        return a * b;                                                                              \
    }                                                                                              \
    static inline T __hdiv(T a, T b) {                                                             \
        return a / b;                                                                              \
    }                                                                                              \
    static inline T __hfma(T a, T b, T c) {                                                        \
        return T::of(shflviz_fma_to_odd(a.as_double(), b.as_double(), c.as_double()));             \
    }                                                                                              \
    static inline T __hneg(T a) {                                                                  \
        return -a;                                                                                 \
    }                                                                                              \
    static inline T __habs(T a) {                                                                  \
        return T::of_bits(a.bits & 0x7fff);                                                        \
    }                                                                                              \
    static inline bool __hisnan(T a) {                                                             \
        return a != a;                                                                             \
    }                                                                                              \
    static inline int __hisinf(T a) {                                                              \
        return isinf(a.as_double()) ? (a.bits >> 15 ? -1 : 1) : 0;                                 \
    }                                                                                              \
    /* A number is preferred to a NaN; -0 is less than +0. */                                      \
    static inline T __hmin(T a, T b) {                                                             \
        if (__hisnan(a) || __hisnan(b))                                                            \
            return __hisnan(a) ? b : a;                                                            \
        return a < b || (a == b && a.bits >> 15) ? a : b;                                          \
    }                                                                                              \
    static inline T __hmax(T a, T b) {                                                             \
        if (__hisnan(a) || __hisnan(b))                                                            \
            return __hisnan(a) ? b : a;                                                            \
        return a > b || (a == b && !(a.bits >> 15)) ? a : b;                                       \
    }                                                                                              \
    static inline T hsqrt(T a) {                                                                   \
        return T::of(sqrt(a.as_double()));                                                         \
    }                                                                                              \
    static inline T atomicAdd(T *address, T value) {                                               \
        return shflviz_atomic(address, [value](T old) -> T { return old + value; });               \
    }

#define SHFLVIZ_SMALL_PAIR_OPERATOR(P, sign, name)                                                 \
    static inline P operator sign(P a, P b) {                                                      \
        return {a.x sign b.x, a.y sign b.y};                                                       \
    }                                                                                              \
    static inline P &operator sign##=(P &a, P b) {                                                 \
        return a = a sign b;                                                                       \
    }                                                                                              \
    static inline P name(P a, P b) {                                                               \
        return a sign b;                                                                           \
    }

#define SHFLVIZ_SMALL_PAIR(P, T)                                                                   \
    struct alignas(4) P {                                                                          \
        T x, y;                                                                                    \
        P() = default;                                                                             \
        P(T low, T high) : x(low), y(high) {}                                                      \
    };                                                                                             \
    SHFLVIZ_SMALL_PAIR_OPERATOR(P, +, __hadd2)                                                     \
    SHFLVIZ_SMALL_PAIR_OPERATOR(P, -, __hsub2)                                                     \
    SHFLVIZ_SMALL_PAIR_OPERATOR(P, *, __hmul2)                                                     \
    SHFLVIZ_SMALL_PAIR_OPERATOR(P, /, __h2div)                                                     \
    static inline P operator-(P a) {                                                               \
        return {-a.x, -a.y};                                                                       \
    }                                                                                              \
    static inline bool operator==(P a, P b) {                                                      \
        return a.x == b.x && a.y == b.y;                                                           \
    }                                                                                              \
    static inline bool operator!=(P a, P b) {                                                      \
        return a.x != b.x && a.y != b.y;                                                           \
    }                                                                                              \
    static inline P __hfma2(P a, P b, P c) {                                                       \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                     \
    }                                                                                              \
    static inline P __hneg2(P a) {                                                                 \
        return -a;                                                                                 \
    }                                                                                              \
    static inline P __habs2(P a) {                                                                 \
        return {__habs(a.x), __habs(a.y)};                                                         \
    }                                                                                              \
    static inline P __hmin2(P a, P b) {                                                            \
        return {__hmin(a.x, b.x), __hmin(a.y, b.y)};                                               \
    }                                                                                              \
    static inline P __hmax2(P a, P b) {                                                            \
        return {__hmax(a.x, b.x), __hmax(a.y, b.y)};                                               \
    }                                                                                              \
    static inline P atomicAdd(P *address, P value) {                                               \
        return shflviz_atomic(address, [value](P old) -> P { return old + value; });               \
    }

CUDACPU_BOTH_END
#endif
