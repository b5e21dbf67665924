/*
 * cuda_fp4.h - the storage types of 4-bit floats. Conversions are missing: a program that uses one
 * does not compile. Names and sizes are those of NVIDIA's "CUDA Math API", "FP4 Intrinsics".
 */
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#include <cuda_fp8.h>

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;

typedef enum { __NV_E2M1 } __nv_fp4_interpretation_t;

#ifdef __cplusplus
struct __nv_fp4_e2m1 {
    __nv_fp4_storage_t __x;
};
struct __nv_fp4x2_e2m1 {
    __nv_fp4x2_storage_t __x;
};
struct __nv_fp4x4_e2m1 {
    __nv_fp4x4_storage_t __x;
};
#endif

#endif
