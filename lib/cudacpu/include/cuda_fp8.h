/*
 * cuda_fp8.h - the storage types of 8-bit floats, and their conversions from float and to half and
 * float. Arithmetic and the other conversions of the types themselves are missing: a program that
 * uses one does not compile. Names, sizes and rules are those of NVIDIA's "CUDA Math API", "FP8
 * Intrinsics".
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
struct __nv_fp8_e4m3 {
    __nv_fp8_storage_t __x;
    inline __host__ __device__ explicit operator float() const;
};
struct __nv_fp8_e5m2 {
    __nv_fp8_storage_t __x;
    inline __host__ __device__ explicit operator float() const;
};
struct __nv_fp8x2_e4m3 {
    __nv_fp8x2_storage_t __x;
};
struct __nv_fp8x2_e5m2 {
    __nv_fp8x2_storage_t __x;
};
struct __nv_fp8x4_e4m3 {
    __nv_fp8x4_storage_t __x;
};
struct __nv_fp8x4_e5m2 {
    __nv_fp8x4_storage_t __x;
};

/* E4M3 has 4-bit exponents and no infinity, E5M2 has 5-bit exponents. Rounds to nearest even;
 * values above the largest number become that number with SATFINITE, else E5M2's infinity or E4M3's
 * NaN. */
static inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    const float x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
    const int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const unsigned largest = kind == __NV_E4M3 ? 0x7eu : 0x7bu;
    union {
        float value;
        unsigned bits;
    } in = {x};
    const unsigned sign = in.bits >> 24 & 0x80u, magnitude = in.bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return 0x7f;
    int exponent = (int)(magnitude >> 23) - 127 + bias, dropped = 23 - fraction;
    unsigned long long significand = magnitude >> 23 ? (magnitude & 0x7fffffu) | 0x800000u : 0;
    if (exponent <= 0) { /* exponents below the smallest share one step */
        dropped += 1 - exponent;
        exponent = 1;
    }
    if (dropped > 40)
        return (__nv_fp8_storage_t)sign;
    const unsigned long long half = 1ull << (dropped - 1), rest = significand & (2 * half - 1);
    unsigned long long kept = significand >> dropped;
    kept += rest > half || (rest == half && (kept & 1));
    const unsigned long long code =
        ((unsigned long long)(exponent - 1) << fraction) + kept; /* a carry is the next exponent */
    if (code > largest)
        return (__nv_fp8_storage_t)(sign | (saturate == __NV_SATFINITE ? largest
                                            : kind == __NV_E4M3        ? 0x7fu
                                                                       : 0x7cu));
    return (__nv_fp8_storage_t)(sign | (unsigned)code);
}

/* Exact; NaN is 0x7fff. */
static inline __host__ __device__ __half_raw
__nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
    __half_raw half;
    const unsigned sign = x & 0x80u, magnitude = x & 0x7fu;
    if (kind == __NV_E5M2) {
        half.x = (unsigned short)(magnitude > 0x7cu ? 0x7fffu : (unsigned)x << 8);
        return half;
    }
    unsigned fraction = magnitude & 7u, exponent = magnitude >> 3;
    if (magnitude == 0x7fu) {
        half.x = 0x7fff;
        return half;
    }
    if (exponent == 0 && fraction) { /* it is a normal number as a half */
        for (exponent = 1; !(fraction & 8u); exponent--)
            fraction <<= 1;
        exponent += 8;
    } else if (exponent) {
        exponent += 8; /* 15 - 7 */
    }
    half.x = (unsigned short)(sign << 8 | exponent << 10 | (fraction & 7u) << 7);
    return half;
}
inline __host__ __device__ __nv_fp8_e4m3::operator float() const {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(__x, __NV_E4M3)));
}
inline __host__ __device__ __nv_fp8_e5m2::operator float() const {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(__x, __NV_E5M2)));
}

/* E8M0 is the exponent alone: 2 to the power of x - 127, the lowest being subnormal; 0xff is
 * NaN. */
static inline __host__ __device__ __nv_bfloat16_raw
__nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
    __nv_bfloat16_raw value;
    value.x = (unsigned short)(x == 0xff ? 0x7fffu : x ? (unsigned)x << 7 : 0x40u);
    return value;
}
#endif

#endif
