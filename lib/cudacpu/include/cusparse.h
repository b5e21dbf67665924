/*
 * cusparse.h - cuSPARSE's generic functions, as far as they are declared here: sparse matrices as
 * CSR and COO, times vectors and dense matrices, in single and double precision. What is not
 * declared is not supported; the bodies are in cudacpu/libraries/sparse.c.
 */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#include <stdint.h>

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VER_BUILD 3
#define CUSPARSE_VERSION   (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)
#define CUSPARSEAPI

#define SHFLVIZ_CUSPARSE_STATUS(X)                                                                 \
    X(CUSPARSE_STATUS_SUCCESS, 0)                                                                  \
    X(CUSPARSE_STATUS_NOT_INITIALIZED, 1)                                                          \
    X(CUSPARSE_STATUS_ALLOC_FAILED, 2)                                                             \
    X(CUSPARSE_STATUS_INVALID_VALUE, 3)                                                            \
    X(CUSPARSE_STATUS_ARCH_MISMATCH, 4)                                                            \
    X(CUSPARSE_STATUS_MAPPING_ERROR, 5)                                                            \
    X(CUSPARSE_STATUS_EXECUTION_FAILED, 6)                                                         \
    X(CUSPARSE_STATUS_INTERNAL_ERROR, 7)                                                           \
    X(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, 8)                                                \
    X(CUSPARSE_STATUS_ZERO_PIVOT, 9)                                                               \
    X(CUSPARSE_STATUS_NOT_SUPPORTED, 10)                                                           \
    X(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, 11)
typedef enum {
#define SHFLVIZ_STATUS(name, number) name = number,
    SHFLVIZ_CUSPARSE_STATUS(SHFLVIZ_STATUS)
#undef SHFLVIZ_STATUS
} cusparseStatus_t;

typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE,
    CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
    CUSPARSE_INDEX_16U = 1,
    CUSPARSE_INDEX_32I = 2,
    CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
/* Every algorithm is the same here. */
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cuSPARSE ---- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) SHFLVIZ_RUNTIME(cusparseCreate);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) SHFLVIZ_RUNTIME(cusparseDestroy);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
    SHFLVIZ_RUNTIME(cusparseGetVersion);
const char *cusparseGetErrorName(cusparseStatus_t status) SHFLVIZ_RUNTIME(cusparseGetErrorName);
const char *cusparseGetErrorString(cusparseStatus_t status) SHFLVIZ_RUNTIME(cusparseGetErrorString);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cusparseSetStream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
    SHFLVIZ_RUNTIME(cusparseGetStream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
    SHFLVIZ_RUNTIME(cusparseSetPointerMode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
    SHFLVIZ_RUNTIME(cusparseGetPointerMode);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nonzeros, void *rowOffsets, void *columnIndices,
                                   void *values, cusparseIndexType_t offsetType,
                                   cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                   cudaDataType type) SHFLVIZ_RUNTIME(cusparseCreateCsr);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nonzeros, void *rowIndices, void *columnIndices,
                                   void *values, cusparseIndexType_t indexType,
                                   cusparseIndexBase_t base, cudaDataType type)
    SHFLVIZ_RUNTIME(cusparseCreateCoo);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
    SHFLVIZ_RUNTIME(cusparseDestroySpMat);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *nonzeros)
    SHFLVIZ_RUNTIME(cusparseSpMatGetSize);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type) SHFLVIZ_RUNTIME(cusparseCreateDnVec);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
    SHFLVIZ_RUNTIME(cusparseDestroyDnVec);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
    SHFLVIZ_RUNTIME(cusparseDnVecSetValues);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t leading, void *values, cudaDataType type,
                                     cusparseOrder_t order) SHFLVIZ_RUNTIME(cusparseCreateDnMat);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
    SHFLVIZ_RUNTIME(cusparseDestroyDnMat);

/* y = alpha op(A) x + beta y. The buffer is not used; its size is a few bytes. */
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, size_t *bytes)
    SHFLVIZ_RUNTIME(cusparseSpMV_bufferSize);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void *buffer)
    SHFLVIZ_RUNTIME(cusparseSpMV_preprocess);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void *alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t algorithm, void *buffer)
    SHFLVIZ_RUNTIME(cusparseSpMV);
/* C = alpha op(A) op(B) + beta C. */
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t operationA,
                                         cusparseOperation_t operationB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType type, cusparseSpMMAlg_t algorithm,
                                         size_t *bytes) SHFLVIZ_RUNTIME(cusparseSpMM_bufferSize);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t operationA,
                                         cusparseOperation_t operationB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType type, cusparseSpMMAlg_t algorithm,
                                         void *buffer) SHFLVIZ_RUNTIME(cusparseSpMM_preprocess);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t operationA,
                              cusparseOperation_t operationB, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpMMAlg_t algorithm, void *buffer)
    SHFLVIZ_RUNTIME(cusparseSpMM);
cusparseStatus_t
cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t from,
                                 cusparseDnMatDescr_t to, cusparseSparseToDenseAlg_t algorithm,
                                 size_t *bytes) SHFLVIZ_RUNTIME(cusparseSparseToDense_bufferSize);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t from,
                                       cusparseDnMatDescr_t to,
                                       cusparseSparseToDenseAlg_t algorithm, void *buffer)
    SHFLVIZ_RUNTIME(cusparseSparseToDense);

#ifdef __cplusplus
}
#endif

#endif
