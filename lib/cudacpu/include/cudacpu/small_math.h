/*
 * small_math.h - intrinsics of 16-bit floats that small_float.h does not have: for a type T and
 * its pairs P.
 *
 * Functions are computed in double and rounded once, so they are as exact as the type allows.
 */
#ifndef SHFLVIZ_CPU_SMALL_MATH_H
#define SHFLVIZ_CPU_SMALL_MATH_H

#include "cudacpu/small_float.h"
#include "math_functions.h"

#include "host_defines.h"

CUDACPU_BOTH_BEGIN

/* The neighbour of `near` (which is x rounded to nearest) in the direction of a rounding mode. */
template <class T> static inline T shflviz_step(T near, double x, int mode) {
    const double value = near.as_double();
    if (value == x || x != x)
        return near;
    const bool up = mode > 0 || (mode == 0 && x < 0);
    if (up ? value > x : value < x)
        return near;
    const bool grows = up == (value > 0 || (value == 0 && up));
    if (value == 0)
        return T::of_bits(up ? 1 : 0x8001);
    return T::of_bits((unsigned short)(near.bits + (grows ? 1 : -1)));
}

#define SHFLVIZ_SMALL_FUNCTIONS(T, P)                                                              \
    static inline T hceil(T a) {                                                                   \
        const double x = a.as_double();                                                            \
        return T::of(ceil(x));                                                                     \
    }                                                                                              \
    static inline P h2ceil(P a) {                                                                  \
        return {hceil(a.x), hceil(a.y)};                                                           \
    }                                                                                              \
    static inline T hfloor(T a) {                                                                  \
        const double x = a.as_double();                                                            \
        return T::of(floor(x));                                                                    \
    }                                                                                              \
    static inline P h2floor(P a) {                                                                 \
        return {hfloor(a.x), hfloor(a.y)};                                                         \
    }                                                                                              \
    static inline T htrunc(T a) {                                                                  \
        const double x = a.as_double();                                                            \
        return T::of(trunc(x));                                                                    \
    }                                                                                              \
    static inline P h2trunc(P a) {                                                                 \
        return {htrunc(a.x), htrunc(a.y)};                                                         \
    }                                                                                              \
    static inline T hrint(T a) {                                                                   \
        const double x = a.as_double();                                                            \
        return T::of(rint(x));                                                                     \
    }                                                                                              \
    static inline P h2rint(P a) {                                                                  \
        return {hrint(a.x), hrint(a.y)};                                                           \
    }                                                                                              \
    static inline T hrcp(T a) {                                                                    \
        const double x = a.as_double();                                                            \
        return T::of(1 / x);                                                                       \
    }                                                                                              \
    static inline P h2rcp(P a) {                                                                   \
        return {hrcp(a.x), hrcp(a.y)};                                                             \
    }                                                                                              \
    static inline T hrsqrt(T a) {                                                                  \
        const double x = a.as_double();                                                            \
        return T::of(1 / sqrt(x));                                                                 \
    }                                                                                              \
    static inline P h2rsqrt(P a) {                                                                 \
        return {hrsqrt(a.x), hrsqrt(a.y)};                                                         \
    }                                                                                              \
    static inline T hsin(T a) {                                                                    \
        const double x = a.as_double();                                                            \
        return T::of(sin(x));                                                                      \
    }                                                                                              \
    static inline P h2sin(P a) {                                                                   \
        return {hsin(a.x), hsin(a.y)};                                                             \
    }                                                                                              \
    static inline T hcos(T a) {                                                                    \
        const double x = a.as_double();                                                            \
        return T::of(cos(x));                                                                      \
    }                                                                                              \
    static inline P h2cos(P a) {                                                                   \
        return {hcos(a.x), hcos(a.y)};                                                             \
    }                                                                                              \
    static inline T hexp(T a) {                                                                    \
        const double x = a.as_double();                                                            \
        return T::of(exp(x));                                                                      \
    }                                                                                              \
    static inline P h2exp(P a) {                                                                   \
        return {hexp(a.x), hexp(a.y)};                                                             \
    }                                                                                              \
    static inline T hexp2(T a) {                                                                   \
        const double x = a.as_double();                                                            \
        return T::of(exp2(x));                                                                     \
    }                                                                                              \
    static inline P h2exp2(P a) {                                                                  \
        return {hexp2(a.x), hexp2(a.y)};                                                           \
    }                                                                                              \
    static inline T hexp10(T a) {                                                                  \
        const double x = a.as_double();                                                            \
        return T::of(pow(10.0, x));                                                                \
    }                                                                                              \
    static inline P h2exp10(P a) {                                                                 \
        return {hexp10(a.x), hexp10(a.y)};                                                         \
    }                                                                                              \
    static inline T hlog(T a) {                                                                    \
        const double x = a.as_double();                                                            \
        return T::of(log(x));                                                                      \
    }                                                                                              \
    static inline P h2log(P a) {                                                                   \
        return {hlog(a.x), hlog(a.y)};                                                             \
    }                                                                                              \
    static inline T hlog2(T a) {                                                                   \
        const double x = a.as_double();                                                            \
        return T::of(log2(x));                                                                     \
    }                                                                                              \
    static inline P h2log2(P a) {                                                                  \
        return {hlog2(a.x), hlog2(a.y)};                                                           \
    }                                                                                              \
    static inline T hlog10(T a) {                                                                  \
        const double x = a.as_double();                                                            \
        return T::of(log10(x));                                                                    \
    }                                                                                              \
    static inline P h2log10(P a) {                                                                 \
        return {hlog10(a.x), hlog10(a.y)};                                                         \
    }                                                                                              \
    static inline T htanh(T a) {                                                                   \
        const double x = a.as_double();                                                            \
        return T::of(tanh(x));                                                                     \
    }                                                                                              \
    static inline P h2tanh(P a) {                                                                  \
        return {htanh(a.x), htanh(a.y)};                                                           \
    }                                                                                              \
    static inline T htanh_approx(T a) {                                                            \
        const double x = a.as_double();                                                            \
        return T::of(tanh(x));                                                                     \
    }                                                                                              \
    static inline P h2tanh_approx(P a) {                                                           \
        return {htanh_approx(a.x), htanh_approx(a.y)};                                             \
    }                                                                                              \
    static inline P h2sqrt(P a) {                                                                  \
        return {hsqrt(a.x), hsqrt(a.y)};                                                           \
    }

#define SHFLVIZ_SMALL_MORE(T, P)                                                                   \
    static inline T shflviz_saturated(T a) {                                                       \
        const double x = a.as_double();                                                            \
        return x > 0 ? (x < 1 ? a : T(1)) : T(0);                                                  \
    }                                                                                              \
    static inline T __hadd_rn(T a, T b) {                                                          \
        return a + b;                                                                              \
    }                                                                                              \
    static inline T __hadd_sat(T a, T b) {                                                         \
        return shflviz_saturated(a + b);                                                           \
    }                                                                                              \
    static inline P __hadd2_rn(P a, P b) {                                                         \
        return a + b;                                                                              \
    }                                                                                              \
    static inline P __hadd2_sat(P a, P b) {                                                        \
        return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)};                                       \
    }                                                                                              \
    static inline T __hsub_rn(T a, T b) {                                                          \
        return a - b;                                                                              \
    }                                                                                              \
    static inline T __hsub_sat(T a, T b) {                                                         \
        return shflviz_saturated(a - b);                                                           \
    }                                                                                              \
    static inline P __hsub2_rn(P a, P b) {                                                         \
        return a - b;                                                                              \
    }                                                                                              \
    static inline P __hsub2_sat(P a, P b) {                                                        \
        return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)};                                       \
    }                                                                                              \
    static inline T __hmul_rn(T a, T b) {                                                          \
        return a * b;                                                                              \
    }                                                                                              \
    static inline T __hmul_sat(T a, T b) {                                                         \
        return shflviz_saturated(a * b);                                                           \
    }                                                                                              \
    static inline P __hmul2_rn(P a, P b) {                                                         \
        return a * b;                                                                              \
    }                                                                                              \
    static inline P __hmul2_sat(P a, P b) {                                                        \
        return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)};                                       \
    }                                                                                              \
    static inline T __hfma_sat(T a, T b, T c) {                                                    \
        return shflviz_saturated(__hfma(a, b, c));                                                 \
    }                                                                                              \
    static inline T __hfma_relu(T a, T b, T c) {                                                   \
        T sum = __hfma(a, b, c);                                                                   \
        return sum < T(0) ? T(0) : sum;                                                            \
    }                                                                                              \
    static inline P __hfma2_sat(P a, P b, P c) {                                                   \
        return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};                             \
    }                                                                                              \
    static inline P __hfma2_relu(P a, P b, P c) {                                                  \
        return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};                           \
    }                                                                                              \
    /* a times b plus c, of complex numbers. */                                                    \
    static inline P __hcmadd(P a, P b, P c) {                                                      \
        return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)),                                          \
                __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};                                          \
    }                                                                                              \
    static inline T __hmax_nan(T a, T b) {                                                         \
        return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);                                   \
    }                                                                                              \
    static inline T __hmin_nan(T a, T b) {                                                         \
        return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);                                   \
    }                                                                                              \
    static inline P __hmax2_nan(P a, P b) {                                                        \
        return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)};                                       \
    }                                                                                              \
    static inline P __hmin2_nan(P a, P b) {                                                        \
        return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)};                                       \
    }                                                                                              \
    static inline P __hisnan2(P a) {                                                               \
        return {T(__hisnan(a.x) ? 1 : 0), T(__hisnan(a.y) ? 1 : 0)};                               \
    }                                                                                              \
    static inline P operator+(P a) {                                                               \
        return a;                                                                                  \
    }                                                                                              \
    static inline P &operator++(P &a) {                                                            \
        return a += P(T(1), T(1));                                                                 \
    }                                                                                              \
    static inline P &operator--(P &a) {                                                            \
        return a -= P(T(1), T(1));                                                                 \
    }                                                                                              \
    static inline T atomicAdd_block(T *address, T value) {                                         \
        cpu_access_next(CPU_ACCESS_IN_BLOCK);                                                      \
        return atomicAdd(address, value);                                                          \
    }                                                                                              \
    static inline T atomicAdd_system(T *address, T value) {                                        \
        return atomicAdd(address, value);                                                          \
    }                                                                                              \
    static inline P atomicAdd_block(P *address, P value) {                                         \
        cpu_access_next(CPU_ACCESS_IN_BLOCK);                                                      \
        return atomicAdd(address, value);                                                          \
    }                                                                                              \
    static inline P atomicAdd_system(P *address, P value) {                                        \
        return atomicAdd(address, value);                                                          \
    }

#define SHFLVIZ_SMALL_UNORDERED(T, name)                                                           \
    static inline bool __h##name##u(T a, T b) {                                                    \
        return __hisnan(a) || __hisnan(b) || __h##name(a, b);                                      \
    }

#define SHFLVIZ_SMALL_PAIR_ORDER(T, P, name)                                                       \
    static inline P __h##name##2(P a, P b) {                                                       \
        return {T(__h##name(a.x, b.x) ? 1 : 0), T(__h##name(a.y, b.y) ? 1 : 0)};                   \
    }                                                                                              \
    static inline P __h##name##u2(P a, P b) {                                                      \
        return {T(__h##name##u(a.x, b.x) ? 1 : 0), T(__h##name##u(a.y, b.y) ? 1 : 0)};             \
    }                                                                                              \
    static inline bool __hb##name##2(P a, P b) {                                                   \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    static inline bool __hb##name##u2(P a, P b) {                                                  \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                   \
    }                                                                                              \
    static inline unsigned int __h##name##2_mask(P a, P b) {                                       \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    static inline unsigned int __h##name##u2_mask(P a, P b) {                                      \
        return (__h##name##u(a.x, b.x) ? 0xffffu : 0) |                                            \
               (__h##name##u(a.y, b.y) ? 0xffff0000u : 0);                                         \
    }

#define SHFLVIZ_SMALL_PAIR_ORDERS(T, P)                                                            \
    SHFLVIZ_SMALL_UNORDERED(T, eq)                                                                 \
    SHFLVIZ_SMALL_UNORDERED(T, lt)                                                                 \
    SHFLVIZ_SMALL_UNORDERED(T, le)                                                                 \
    SHFLVIZ_SMALL_UNORDERED(T, gt)                                                                 \
    SHFLVIZ_SMALL_UNORDERED(T, ge)                                                                 \
    SHFLVIZ_SMALL_PAIR_ORDER(T, P, eq)                                                             \
    SHFLVIZ_SMALL_PAIR_ORDER(T, P, ne)                                                             \
    SHFLVIZ_SMALL_PAIR_ORDER(T, P, lt)                                                             \
    SHFLVIZ_SMALL_PAIR_ORDER(T, P, le)                                                             \
    SHFLVIZ_SMALL_PAIR_ORDER(T, P, gt)                                                             \
    SHFLVIZ_SMALL_PAIR_ORDER(T, P, ge)                                                             \
    static inline bool operator<(P a, P b) {                                                       \
        return a.x < b.x && a.y < b.y;                                                             \
    }                                                                                              \
    static inline bool operator<=(P a, P b) {                                                      \
        return a.x <= b.x && a.y <= b.y;                                                           \
    }                                                                                              \
    static inline bool operator>(P a, P b) {                                                       \
        return a.x > b.x && a.y > b.y;                                                             \
    }                                                                                              \
    static inline bool operator>=(P a, P b) {                                                      \
        return a.x >= b.x && a.y >= b.y;                                                           \
    }

#define SHFLVIZ_SMALL_TO_INTEGER(T, name, to, To)                                                  \
    static inline To __##name##2##to##_rn(T x) {                                                   \
        return shflviz_to_integer<To>(nearbyint(x.as_double()));                                   \
    }                                                                                              \
    static inline To __##name##2##to##_rz(T x) {                                                   \
        return shflviz_to_integer<To>(trunc(x.as_double()));                                       \
    }                                                                                              \
    static inline To __##name##2##to##_ru(T x) {                                                   \
        return shflviz_to_integer<To>(ceil(x.as_double()));                                        \
    }                                                                                              \
    static inline To __##name##2##to##_rd(T x) {                                                   \
        return shflviz_to_integer<To>(floor(x.as_double()));                                       \
    }

#define SHFLVIZ_SMALL_FROM(T, name, from, From)                                                    \
    static inline T __##from##2##name##_rn(From x) {                                               \
        return T(x);                                                                               \
    }                                                                                              \
    static inline T __##from##2##name##_rz(From x) {                                               \
        return shflviz_step(T(x), (double)x, 0);                                                   \
    }                                                                                              \
    static inline T __##from##2##name##_ru(From x) {                                               \
        return shflviz_step(T(x), (double)x, 1);                                                   \
    }                                                                                              \
    static inline T __##from##2##name##_rd(From x) {                                               \
        return shflviz_step(T(x), (double)x, -1);                                                  \
    }

#define SHFLVIZ_SMALL_CONVERSIONS(T, name)                                                         \
    SHFLVIZ_SMALL_TO_INTEGER(T, name, int, int)                                                    \
    SHFLVIZ_SMALL_TO_INTEGER(T, name, uint, unsigned int)                                          \
    SHFLVIZ_SMALL_TO_INTEGER(T, name, short, short)                                                \
    SHFLVIZ_SMALL_TO_INTEGER(T, name, ushort, unsigned short)                                      \
    SHFLVIZ_SMALL_TO_INTEGER(T, name, ll, long long)                                               \
    SHFLVIZ_SMALL_TO_INTEGER(T, name, ull, unsigned long long)                                     \
    SHFLVIZ_SMALL_FROM(T, name, int, int)                                                          \
    SHFLVIZ_SMALL_FROM(T, name, uint, unsigned int)                                                \
    SHFLVIZ_SMALL_FROM(T, name, short, short)                                                      \
    SHFLVIZ_SMALL_FROM(T, name, ushort, unsigned short)                                            \
    SHFLVIZ_SMALL_FROM(T, name, ll, long long)                                                     \
    SHFLVIZ_SMALL_FROM(T, name, ull, unsigned long long)                                           \
    SHFLVIZ_SMALL_FROM(T, name, float, float)

#define SHFLVIZ_SMALL_MATH(T, P, name)                                                             \
    SHFLVIZ_SMALL_CONVERSIONS(T, name)                                                             \
    CUDACPU_BOTH_END CUDACPU_DEVICE_BEGIN SHFLVIZ_SMALL_FUNCTIONS(T, P)                            \
    CUDACPU_DEVICE_END CUDACPU_BOTH_BEGIN SHFLVIZ_SMALL_MORE(T, P) SHFLVIZ_SMALL_PAIR_ORDERS(T, P)

CUDACPU_BOTH_END
#endif
