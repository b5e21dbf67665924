/*
 * simd_functions.h - two halves or four bytes of a word at a time (CUDA Math API, "SIMD
 * Intrinsics").
 */
#ifndef SHFLVIZ_CUDA_SIMD_FUNCTIONS_H
#define SHFLVIZ_CUDA_SIMD_FUNCTIONS_H

#include <stdint.h>

/* Each part of a and b, as numbers of 64 bits, through `part`; what it gives is cut to the part. */
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
/* A value kept inside the range of T. */
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

/* Of three, and of sums (those that newer GPUs have instructions for). */
static inline int __vimax_s32_relu(int a, int b) {
    int most = a > b ? a : b;
    return most > 0 ? most : 0;
}
static inline int __vimin_s32_relu(int a, int b) {
    int least = a < b ? a : b;
    return least > 0 ? least : 0;
}
static inline int __vimax3_s32(int a, int b, int c) {
    int most = a > b ? a : b;
    return most > c ? most : c;
}
static inline int __vimin3_s32(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}
static inline unsigned int __vimax3_u32(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int most = a > b ? a : b;
    return most > c ? most : c;
}
static inline unsigned int __vimin3_u32(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int least = a < b ? a : b;
    return least < c ? least : c;
}
static inline int __viaddmax_s32(int a, int b, int c) {
    int sum = (int)((unsigned int)a + (unsigned int)b);
    return sum > c ? sum : c;
}
static inline int __viaddmin_s32(int a, int b, int c) {
    int sum = (int)((unsigned int)a + (unsigned int)b);
    return sum < c ? sum : c;
}
#undef SHFLVIZ_SIMD_1
#undef SHFLVIZ_SIMD_2

#endif
