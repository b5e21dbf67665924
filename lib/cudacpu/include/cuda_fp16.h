/*
 * cuda_fp16.h - IEEE binary16 for the CPU warp: __half and __half2, with the arithmetic operators
 * and the usual intrinsics of the toolkit's header, correctly rounded.
 */
#ifndef SHFLVIZ_CUDA_CUDA_FP16_H
#define SHFLVIZ_CUDA_CUDA_FP16_H

#include "cuda_runtime.h"
#include "cudacpu/small_float.h"
#include "cudacpu/small_math.h"

CUDACPU_BOTH_BEGIN

SHFLVIZ_SMALL_FLOAT(__half, 5, 10)
SHFLVIZ_SMALL_PAIR(__half2, __half)
typedef __half half;
typedef __half2 half2;
SHFLVIZ_SMALL_MATH(__half, __half2, half)

/* Only the bits, as in the toolkit's structs. */
struct __half_raw {
    unsigned short x;
    operator __half() const { return __half::of_bits(x); }
};
struct __half2_raw {
    unsigned short x, y;
};

static inline __half __float2half(float x) {
    return __half(x);
}
static inline __half __double2half(double x) {
    return __half(x);
}
static inline float __half2float(__half x) {
    return (float)x;
}
static inline unsigned short __half_as_ushort(__half x) {
    return x.bits;
}
static inline short __half_as_short(__half x) {
    return (short)x.bits;
}
static inline __half __ushort_as_half(unsigned short x) {
    return __half::of_bits(x);
}
static inline __half __short_as_half(short x) {
    return __half::of_bits((unsigned short)x);
}

static inline __half2 __halves2half2(__half low, __half high) {
    return {low, high};
}
static inline __half2 make_half2(__half low, __half high) {
    return {low, high};
}
static inline __half2 __half2half2(__half x) {
    return {x, x};
}
static inline __half2 __float2half2_rn(float x) {
    return {__half(x), __half(x)};
}
static inline __half2 __floats2half2_rn(float low, float high) {
    return {__half(low), __half(high)};
}
static inline __half2 __float22half2_rn(float2 x) {
    return {__half(x.x), __half(x.y)};
}
static inline float2 __half22float2(__half2 x) {
    return {(float)x.x, (float)x.y};
}
static inline __half __low2half(__half2 x) {
    return x.x;
}
static inline __half __high2half(__half2 x) {
    return x.y;
}
static inline float __low2float(__half2 x) {
    return (float)x.x;
}
static inline float __high2float(__half2 x) {
    return (float)x.y;
}
static inline __half2 __lowhigh2highlow(__half2 x) {
    return {x.y, x.x};
}
static inline __half2 __low2half2(__half2 x) {
    return {x.x, x.x};
}
static inline __half2 __high2half2(__half2 x) {
    return {x.y, x.y};
}
static inline __half2 __lows2half2(__half2 a, __half2 b) {
    return {a.x, b.x};
}
static inline __half2 __highs2half2(__half2 a, __half2 b) {
    return {a.y, b.y};
}

#define CUDART_INF_FP16        __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16        __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16       __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16        __ushort_as_half((unsigned short)0x3c00u)

CUDACPU_BOTH_END
#endif
