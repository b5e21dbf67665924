/*
 * simd_functions.h - two halves or four bytes of a word at a time (CUDA Math API, "SIMD
 * Intrinsics").
 */
#ifndef SHFLVIZ_CUDA_SIMD_FUNCTIONS_H
#define SHFLVIZ_CUDA_SIMD_FUNCTIONS_H

#include <stdint.h>

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

/* Applies `part` to each part of a and b, as 64-bit numbers, and truncates the result to a part. */
template <class T, class Part>
static inline unsigned int shflviz_parts(unsigned int a, unsigned int b, Part part) {
    const int bits = 8 * (int)sizeof(T);
    unsigned int result = 0;
    for (int at = 0; at < 32; at += bits) {
        const long long value = part((long long)(T)(a >> at), (long long)(T)(b >> at));
        result |= ((unsigned int)value & (bits == 8 ? 0xffu : 0xffffu)) << at;
    }
    return result;
}
/* A value clamped to the range of T. */
template <class T> static inline long long shflviz_clamped(long long x) {
    const long long least = (T)-1 < 0 ? -(1ll << (8 * sizeof(T) - 1)) : 0;
    const long long most = least + (1ll << 8 * sizeof(T)) - 1;
    return x < least ? least : x > most ? most : x;
}

template <class U> static inline unsigned int shflviz_sum(unsigned int a) {
    unsigned int sum = 0;
    for (int at = 0; at < 32; at += 8 * (int)sizeof(U))
        sum += (U)(a >> at);
    return sum;
}

#define SHFLVIZ_SIMD_1(name, T, expression)                                                        \
    static inline unsigned int name(unsigned int a_) {                                             \
        return shflviz_parts<T>(a_, 0,                                                             \
                                [](long long a, long long) -> long long { return expression; });   \
    }
#define SHFLVIZ_SIMD_2(name, T, expression)                                                        \
    static inline unsigned int name(unsigned int a_, unsigned int b_) {                            \
        return shflviz_parts<T>(a_, b_,                                                            \
                                [](long long a, long long b) -> long long { return expression; }); \
    }
/* S and U: the signed and the unsigned type of the parts; n: how many there are. */
#define SHFLVIZ_SIMD(n, S, U)                                                                      \
    SHFLVIZ_SIMD_2(__vadd##n, U, a + b)                                                            \
    SHFLVIZ_SIMD_2(__vsub##n, U, a - b)                                                            \
    SHFLVIZ_SIMD_2(__vaddss##n, S, shflviz_clamped<S>(a + b))                                      \
    SHFLVIZ_SIMD_2(__vaddus##n, U, shflviz_clamped<U>(a + b))                                      \
    SHFLVIZ_SIMD_2(__vsubss##n, S, shflviz_clamped<S>(a - b))                                      \
    SHFLVIZ_SIMD_2(__vsubus##n, U, shflviz_clamped<U>(a - b))                                      \
    SHFLVIZ_SIMD_1(__vabs##n, S, a < 0 ? -a : a)                                                   \
    SHFLVIZ_SIMD_1(__vabsss##n, S, shflviz_clamped<S>(a < 0 ? -a : a))                             \
    SHFLVIZ_SIMD_2(__vabsdiffs##n, S, a > b ? a - b : b - a)                                       \
    SHFLVIZ_SIMD_2(__vabsdiffu##n, U, a > b ? a - b : b - a)                                       \
    SHFLVIZ_SIMD_2(__vavgs##n, S, (a + b + (a + b >= 0)) >> 1)                                     \
    SHFLVIZ_SIMD_2(__vavgu##n, U, (a + b + 1) >> 1)                                                \
    SHFLVIZ_SIMD_2(__vhaddu##n, U, (a + b) >> 1)                                                   \
    SHFLVIZ_SIMD_1(__vneg##n, S, -a)                                                               \
    SHFLVIZ_SIMD_1(__vnegss##n, S, shflviz_clamped<S>(-a))                                         \
    SHFLVIZ_SIMD_2(__vmaxs##n, S, a > b ? a : b)                                                   \
    SHFLVIZ_SIMD_2(__vmaxu##n, U, a > b ? a : b)                                                   \
    SHFLVIZ_SIMD_2(__vmins##n, S, a < b ? a : b)                                                   \
    SHFLVIZ_SIMD_2(__vminu##n, U, a < b ? a : b)                                                   \
    SHFLVIZ_SIMD_COMPARE(n, S, U, eq, ==, U)                                                       \
    SHFLVIZ_SIMD_COMPARE(n, S, U, ne, !=, U)                                                       \
    SHFLVIZ_SIMD_COMPARE(n, S, U, ges, >=, S)                                                      \
    SHFLVIZ_SIMD_COMPARE(n, S, U, geu, >=, U)                                                      \
    SHFLVIZ_SIMD_COMPARE(n, S, U, gts, >, S)                                                       \
    SHFLVIZ_SIMD_COMPARE(n, S, U, gtu, >, U)                                                       \
    SHFLVIZ_SIMD_COMPARE(n, S, U, les, <=, S)                                                      \
    SHFLVIZ_SIMD_COMPARE(n, S, U, leu, <=, U)                                                      \
    SHFLVIZ_SIMD_COMPARE(n, S, U, lts, <, S)                                                       \
    SHFLVIZ_SIMD_COMPARE(n, S, U, ltu, <, U)                                                       \
    static inline unsigned int __vsads##n(unsigned int a, unsigned int b) {                        \
        return shflviz_sum<U>(shflviz_parts<S>(                                                    \
            a, b, [](long long x, long long y) { return x > y ? x - y : y - x; }));                \
    }                                                                                              \
    static inline unsigned int __vsadu##n(unsigned int a, unsigned int b) {                        \
        return shflviz_sum<U>(__vabsdiffu##n(a, b));                                               \
    }
#define SHFLVIZ_SIMD_COMPARE(n, S, U, name, sign, T)                                               \
    SHFLVIZ_SIMD_2(__vcmp##name##n, T, a sign b ? -1 : 0)                                          \
    SHFLVIZ_SIMD_2(__vset##name##n, T, a sign b ? 1 : 0)
SHFLVIZ_SIMD(2, int16_t, uint16_t)
SHFLVIZ_SIMD(4, int8_t, uint8_t)
#undef SHFLVIZ_SIMD
#undef SHFLVIZ_SIMD_COMPARE

/* Minimum and maximum of three values, of sums, and with a floor of 0 (newer GPUs have instructions
 * for these), on a whole word and on its halves. */
template <class T, class F> static inline T shflviz_each(T a, T b, T c, F f) {
    return f(a, b, c);
}
template <class T, class F>
static inline unsigned int shflviz_halves(unsigned int a, unsigned int b, unsigned int c, F f) {
    return (unsigned int)(uint16_t)f((T)a, (T)b, (T)c) |
           (unsigned int)(uint16_t)f((T)(a >> 16), (T)(b >> 16), (T)(c >> 16)) << 16;
}
template <class T> static inline T shflviz_most(T a, T b) {
    return a > b ? a : b;
}
template <class T> static inline T shflviz_least(T a, T b) {
    return a < b ? a : b;
}
/* The sum wraps. */
template <class T> static inline T shflviz_sum_of(T a, T b) {
    return (T)((unsigned int)a + (unsigned int)b);
}
#define SHFLVIZ_EACH(name, T, W, expression)                                                       \
    static inline W name(W a_, W b_, W c_) {                                                       \
        return shflviz_each<T>(a_, b_, c_, [](T a, T b, T c) -> T { return expression; });         \
    }
#define SHFLVIZ_HALVES(name, T, expression)                                                        \
    static inline unsigned int name(unsigned int a_, unsigned int b_, unsigned int c_) {           \
        return shflviz_halves<T>(a_, b_, c_, [](T a, T b, T c) -> T { return expression; });       \
    }
#define SHFLVIZ_THREE(name, both, other)                                                           \
    SHFLVIZ_EACH(__vi##name##_s32, int, int, both(other(a, b), c))                                 \
    SHFLVIZ_EACH(__vi##name##_u32, unsigned int, unsigned int, both(other(a, b), c))               \
    SHFLVIZ_EACH(__vi##name##_s32_relu, int, int, shflviz_most(both(other(a, b), c), 0))           \
    SHFLVIZ_HALVES(__vi##name##_s16x2, int16_t, both(other(a, b), c))                              \
    SHFLVIZ_HALVES(__vi##name##_u16x2, uint16_t, both(other(a, b), c))                             \
    SHFLVIZ_HALVES(__vi##name##_s16x2_relu, int16_t, shflviz_most<int16_t>(both(other(a, b), c), 0))
SHFLVIZ_THREE(max3, shflviz_most, shflviz_most)
SHFLVIZ_THREE(min3, shflviz_least, shflviz_least)
SHFLVIZ_THREE(addmax, shflviz_most, shflviz_sum_of)
SHFLVIZ_THREE(addmin, shflviz_least, shflviz_sum_of)
#undef SHFLVIZ_THREE
#undef SHFLVIZ_EACH
#undef SHFLVIZ_HALVES
static inline int __vimax_s32_relu(int a, int b) {
    return __vimax3_s32(a, b, 0);
}
static inline int __vimin_s32_relu(int a, int b) {
    return __vimin3_s32_relu(a, b, b);
}
static inline unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) {
    return __vimax3_s16x2(a, b, 0);
}
static inline unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) {
    return __vimin3_s16x2_relu(a, b, b);
}
/* Also reports which of the two was chosen; if they are equal, the first. */
#define SHFLVIZ_WHICH(name, sign)                                                                  \
    static inline int __vib##name##_s32(int a, int b, bool *first) {                               \
        return (*first = a sign b) ? a : b;                                                        \
    }                                                                                              \
    static inline unsigned int __vib##name##_u32(unsigned int a, unsigned int b, bool *first) {    \
        return (*first = a sign b) ? a : b;                                                        \
    }                                                                                              \
    static inline unsigned int __vib##name##_s16x2(unsigned int a, unsigned int b, bool *high,     \
                                                   bool *low) {                                    \
        *low = (int16_t)a sign(int16_t) b;                                                         \
        *high = (int16_t)(a >> 16) sign(int16_t)(b >> 16);                                         \
        return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                       \
    }                                                                                              \
    static inline unsigned int __vib##name##_u16x2(unsigned int a, unsigned int b, bool *high,     \
                                                   bool *low) {                                    \
        *low = (uint16_t)a sign(uint16_t) b;                                                       \
        *high = (uint16_t)(a >> 16) sign(uint16_t)(b >> 16);                                       \
        return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                       \
    }
SHFLVIZ_WHICH(max, >=)
SHFLVIZ_WHICH(min, <=)
#undef SHFLVIZ_WHICH
#undef SHFLVIZ_SIMD_1
#undef SHFLVIZ_SIMD_2

CUDACPU_DEVICE_END
#endif
