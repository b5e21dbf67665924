/*
 * cublas_v2.h - cuBLAS for real numbers: the functions of levels 1 to 3 that are declared here; the
 * rest is not supported. The bodies are in cudacpu/libraries/blas/blas.c.
 */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_fp16.h"
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION   (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#define CUBLASAPI
#define CUBLASWINAPI

/* Statuses: name, number. */
#define SHFLVIZ_CUBLAS_STATUSES(X)                                                                 \
    X(CUBLAS_STATUS_SUCCESS, 0)                                                                    \
    X(CUBLAS_STATUS_NOT_INITIALIZED, 1)                                                            \
    X(CUBLAS_STATUS_ALLOC_FAILED, 3)                                                               \
    X(CUBLAS_STATUS_INVALID_VALUE, 7)                                                              \
    X(CUBLAS_STATUS_ARCH_MISMATCH, 8)                                                              \
    X(CUBLAS_STATUS_MAPPING_ERROR, 11)                                                             \
    X(CUBLAS_STATUS_EXECUTION_FAILED, 13)                                                          \
    X(CUBLAS_STATUS_INTERNAL_ERROR, 14)                                                            \
    X(CUBLAS_STATUS_NOT_SUPPORTED, 15)                                                             \
    X(CUBLAS_STATUS_LICENSE_ERROR, 16)
typedef enum {
#define SHFLVIZ_STATUS(name, number) name = number,
    SHFLVIZ_CUBLAS_STATUSES(SHFLVIZ_STATUS)
#undef SHFLVIZ_STATUS
} cublasStatus_t;

typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_HERMITAN = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cuBLAS ---- */

cublasStatus_t cublasCreate(cublasHandle_t *handle) SHFLVIZ_RUNTIME(cublasCreate);
cublasStatus_t cublasDestroy(cublasHandle_t handle) SHFLVIZ_RUNTIME(cublasDestroy);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
    SHFLVIZ_RUNTIME(cublasGetVersion);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
    SHFLVIZ_RUNTIME(cublasGetProperty);
const char *cublasGetStatusName(cublasStatus_t status) SHFLVIZ_RUNTIME(cublasGetStatusName);
const char *cublasGetStatusString(cublasStatus_t status) SHFLVIZ_RUNTIME(cublasGetStatusString);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cublasSetStream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
    SHFLVIZ_RUNTIME(cublasGetStream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes)
    SHFLVIZ_RUNTIME(cublasSetWorkspace);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
    SHFLVIZ_RUNTIME(cublasSetPointerMode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode)
    SHFLVIZ_RUNTIME(cublasGetPointerMode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
    SHFLVIZ_RUNTIME(cublasSetMathMode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
    SHFLVIZ_RUNTIME(cublasGetMathMode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode)
    SHFLVIZ_RUNTIME(cublasSetAtomicsMode);

/* n elements of `size` bytes; strides count elements. */
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *device, int incy)
    SHFLVIZ_RUNTIME(cublasSetVector);
cublasStatus_t cublasGetVector(int n, int size, const void *device, int incx, void *y, int incy)
    SHFLVIZ_RUNTIME(cublasGetVector);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *A, int lda, void *device,
                               int ldb) SHFLVIZ_RUNTIME(cublasSetMatrix);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *device, int lda, void *B,
                               int ldb) SHFLVIZ_RUNTIME(cublasGetMatrix);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *device,
                                    int incy, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cublasSetVectorAsync);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *device, int incx, void *y,
                                    int incy, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cublasGetVectorAsync);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *A, int lda,
                                    void *device, int ldb, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cublasSetMatrixAsync);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *device, int lda,
                                    void *B, int ldb, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cublasGetMatrixAsync);

/* In single and in double precision. */
#define SHFLVIZ_CUBLAS(S, s, REAL)                                                                 \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const REAL *x, int incx,         \
                                    int *result) SHFLVIZ_RUNTIME(cublasI##s##amax);                \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const REAL *x, int incx,         \
                                    int *result) SHFLVIZ_RUNTIME(cublasI##s##amin);                \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const REAL *x, int incx,          \
                                   REAL *result) SHFLVIZ_RUNTIME(cublas##S##asum);                 \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const REAL *x, int incx,          \
                                   REAL *result) SHFLVIZ_RUNTIME(cublas##S##nrm2);                 \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const REAL *x, int incx,           \
                                  const REAL *y, int incy, REAL *result)                           \
        SHFLVIZ_RUNTIME(cublas##S##dot);                                                           \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const REAL *alpha, const REAL *x, \
                                   int incx, REAL *y, int incy) SHFLVIZ_RUNTIME(cublas##S##axpy);  \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const REAL *x, int incx, REAL *y, \
                                   int incy) SHFLVIZ_RUNTIME(cublas##S##copy);                     \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, REAL *x, int incx, REAL *y,       \
                                   int incy) SHFLVIZ_RUNTIME(cublas##S##swap);                     \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const REAL *alpha, REAL *x,       \
                                   int incx) SHFLVIZ_RUNTIME(cublas##S##scal);                     \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const REAL *alpha, const REAL *A, int lda, const REAL *x,       \
                                   int incx, const REAL *beta, REAL *y, int incy)                  \
        SHFLVIZ_RUNTIME(cublas##S##gemv);                                                          \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const REAL *alpha,          \
                                  const REAL *x, int incx, const REAL *y, int incy, REAL *A,       \
                                  int lda) SHFLVIZ_RUNTIME(cublas##S##ger);                        \
    cublasStatus_t cublas##S##gemm(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const REAL *alpha, const REAL *A, int lda, const REAL *B, int ldb,                  \
        const REAL *beta, REAL *C, int ldc) SHFLVIZ_RUNTIME(cublas##S##gemm);                      \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const REAL *alpha, const REAL *const A[], int lda, const REAL *const B[], int ldb,  \
        const REAL *beta, REAL *const C[], int ldc, int count)                                     \
        SHFLVIZ_RUNTIME(cublas##S##gemmBatched);                                                   \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const REAL *alpha, const REAL *A, int lda, long long strideA, const REAL *B,        \
        int ldb, long long strideB, const REAL *beta, REAL *C, int ldc, long long strideC,         \
        int count) SHFLVIZ_RUNTIME(cublas##S##gemmStridedBatched);                                 \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, const REAL *alpha,      \
                                   const REAL *A, int lda, const REAL *beta, const REAL *B,        \
                                   int ldb, REAL *C, int ldc) SHFLVIZ_RUNTIME(cublas##S##geam);    \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo,                   \
                                   cublasOperation_t trans, int n, int k, const REAL *alpha,       \
                                   const REAL *A, int lda, const REAL *beta, REAL *C, int ldc)     \
        SHFLVIZ_RUNTIME(cublas##S##syrk);                                                          \
    cublasStatus_t cublas##S##trsm(                                                                \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const REAL *alpha,           \
        const REAL *A, int lda, REAL *B, int ldb) SHFLVIZ_RUNTIME(cublas##S##trsm);                \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,     \
                                   const REAL *A, int lda, const REAL *x, int incx, REAL *C,       \
                                   int ldc) SHFLVIZ_RUNTIME(cublas##S##dgmm);
SHFLVIZ_CUBLAS(S, s, float)
SHFLVIZ_CUBLAS(D, d, double)
#undef SHFLVIZ_CUBLAS

/* Matrices of CUDA_R_16F, 16BF, 32F or 64F; alpha and beta have the type given by `compute`. */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta, void *C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) SHFLVIZ_RUNTIME(cublasGemmEx);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType Atype, int lda, long long strideA, const void *B,
    cudaDataType Btype, int ldb, long long strideB, const void *beta, void *C, cudaDataType Ctype,
    int ldc, long long strideC, int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
    SHFLVIZ_RUNTIME(cublasGemmStridedBatchedEx);

#ifdef __cplusplus
}

/* The form until CUDA 10, where a data type selected the computation. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, const void *B, cudaDataType Btype, int ldb,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta,
                        C, Ctype, ldc,
                        compute == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
                        : compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                                : CUBLAS_COMPUTE_32F,
                        algorithm);
}

static inline cublasStatus_t
cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                          int m, int n, int k, const __half *alpha, const __half *A, int lda,
                          long long strideA, const __half *B, int ldb, long long strideB,
                          const __half *beta, __half *C, int ldc, long long strideC, int count) {
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda,
                                      strideA, B, CUDA_R_16F, ldb, strideB, beta, C, CUDA_R_16F,
                                      ldc, strideC, count, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
static inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half *alpha, const __half *A, int lda,
                                         const __half *B, int ldb, const __half *beta, __half *C,
                                         int ldc) {
    return cublasHgemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0,
                                     beta, C, ldc, 0, 1);
}
#endif

#endif
