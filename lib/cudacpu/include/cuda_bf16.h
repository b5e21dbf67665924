/*
 * cuda_bf16.h - bfloat16 for the CPU warp: __nv_bfloat16 and __nv_bfloat162, with the arithmetic
 * operators and the usual intrinsics of the toolkit's header, correctly rounded.
 */
#ifndef SHFLVIZ_CUDA_CUDA_BF16_H
#define SHFLVIZ_CUDA_CUDA_BF16_H

#include "cuda_runtime.h"
#include "cudacpu/small_float.h"
#include "cudacpu/small_math.h"

CUDACPU_BOTH_BEGIN

SHFLVIZ_SMALL_FLOAT(__nv_bfloat16, 8, 7)
SHFLVIZ_SMALL_PAIR(__nv_bfloat162, __nv_bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
SHFLVIZ_SMALL_MATH(__nv_bfloat16, __nv_bfloat162, bfloat16)

/* Only the bits, as in the toolkit's structs. */
struct __nv_bfloat16_raw {
    unsigned short x;
    operator __nv_bfloat16() const { return __nv_bfloat16::of_bits(x); }
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

static inline __nv_bfloat16 __float2bfloat16(float x) {
    return __nv_bfloat16(x);
}
static inline __nv_bfloat16 __double2bfloat16(double x) {
    return __nv_bfloat16(x);
}
static inline float __bfloat162float(__nv_bfloat16 x) {
    return (float)x;
}
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
    return x.bits;
}
static inline short __bfloat16_as_short(__nv_bfloat16 x) {
    return (short)x.bits;
}
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
    return __nv_bfloat16::of_bits(x);
}
static inline __nv_bfloat16 __short_as_bfloat16(short x) {
    return __nv_bfloat16::of_bits((unsigned short)x);
}

static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
    return {low, high};
}
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
    return {low, high};
}
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
    return {x, x};
}
static inline __nv_bfloat162 __float2bfloat162_rn(float x) {
    return {__nv_bfloat16(x), __nv_bfloat16(x)};
}
static inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
    return {__nv_bfloat16(low), __nv_bfloat16(high)};
}
static inline __nv_bfloat162 __float22bfloat162_rn(float2 x) {
    return {__nv_bfloat16(x.x), __nv_bfloat16(x.y)};
}
static inline float2 __bfloat1622float2(__nv_bfloat162 x) {
    return {(float)x.x, (float)x.y};
}
static inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) {
    return x.x;
}
static inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) {
    return x.y;
}
static inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 x) {
    return {x.x, x.x};
}
static inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 x) {
    return {x.y, x.y};
}
static inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return {a.x, b.x};
}
static inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return {a.y, b.y};
}
static inline __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 x) {
    return {x.y, x.x};
}
static inline float __low2float(__nv_bfloat162 x) {
    return (float)x.x;
}
static inline float __high2float(__nv_bfloat162 x) {
    return (float)x.y;
}

CUDACPU_BOTH_END
#endif
