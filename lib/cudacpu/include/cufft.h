/*
 * cufft.h - cuFFT: plans of one, two and three dimensions and of many, on one device. What is not
 * declared is not supported; the bodies are in cudacpu/libraries/fft.c.
 */
#ifndef _CUFFT_H_
#define _CUFFT_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION   (CUFFT_VER_MAJOR * 1000 + CUFFT_VER_MINOR * 100 + CUFFT_VER_PATCH)
#define CUFFTAPI
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_PARSE_ERROR = 12,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_LICENSE_ERROR = 15,
    CUFFT_NOT_SUPPORTED = 16,
    CUFFT_MISSING_DEPENDENCY = 17,
    CUFFT_NVRTC_FAILURE = 18,
    CUFFT_NVJITLINK_FAILURE = 19,
    CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

typedef enum cufftType_t {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
} cufftType;

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cuFFT ---- */

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
    SHFLVIZ_RUNTIME(cufftPlan1d);
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
    SHFLVIZ_RUNTIME(cufftPlan2d);
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
    SHFLVIZ_RUNTIME(cufftPlan3d);
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch)
    SHFLVIZ_RUNTIME(cufftPlanMany);
cufftResult cufftCreate(cufftHandle *plan) SHFLVIZ_RUNTIME(cufftCreate);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *size)
    SHFLVIZ_RUNTIME(cufftMakePlan1d);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *size)
    SHFLVIZ_RUNTIME(cufftMakePlan2d);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *size)
    SHFLVIZ_RUNTIME(cufftMakePlan3d);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *size) SHFLVIZ_RUNTIME(cufftMakePlanMany);
cufftResult cufftDestroy(cufftHandle plan) SHFLVIZ_RUNTIME(cufftDestroy);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) SHFLVIZ_RUNTIME(cufftSetStream);
cufftResult cufftGetSize(cufftHandle plan, size_t *size) SHFLVIZ_RUNTIME(cufftGetSize);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic)
    SHFLVIZ_RUNTIME(cufftSetAutoAllocation);
cufftResult cufftSetWorkArea(cufftHandle plan, void *area) SHFLVIZ_RUNTIME(cufftSetWorkArea);
cufftResult cufftGetVersion(int *version) SHFLVIZ_RUNTIME(cufftGetVersion);
cufftResult cufftGetProperty(libraryPropertyType type, int *value)
    SHFLVIZ_RUNTIME(cufftGetProperty);
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
    SHFLVIZ_RUNTIME(cufftExecC2C);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
    SHFLVIZ_RUNTIME(cufftExecR2C);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
    SHFLVIZ_RUNTIME(cufftExecC2R);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) SHFLVIZ_RUNTIME(cufftExecZ2Z);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
    SHFLVIZ_RUNTIME(cufftExecD2Z);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
    SHFLVIZ_RUNTIME(cufftExecZ2D);

#ifdef __cplusplus
}
#endif

#endif
