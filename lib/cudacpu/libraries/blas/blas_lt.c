/* blas_lt.c - functions of cublasLt.h for a program that includes it but computes no product. */
#include "cudacpu/libraries/library.h"

#include <cublasLt.h>

/* Most parameters describe a product, and there is none. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The content of a handle or a descriptor is never read, so all of them are the same object. */
struct cublasLtContext {
    char unused;
};
static struct cublasLtContext object;

static cublasStatus_t make(void *pointer) {
    if (!pointer)
        return CUBLAS_STATUS_INVALID_VALUE;
    *(void **)pointer = &object;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t use(const void *pointer) {
    return pointer ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
    return make(handle);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    return use(handle);
}
size_t cublasLtGetVersion(void) {
    return CUBLAS_VERSION;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *description,
                                        cublasComputeType_t compute, cudaDataType scale) {
    return make(description);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
    return use(description);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t size) {
    return description ? use(value) : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t leading) {
    return make(layout);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    return use(layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t size) {
    return layout ? use(value) : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
    return make(preference);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    return use(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *value, size_t size) {
    return preference ? use(value) : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *found) {
    if (wanted < 1 || !found)
        return CUBLAS_STATUS_INVALID_VALUE;
    *found = 0;
    library_absent("cublasLtMatmulAlgoGetHeuristic", "products of cuBLASLt");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t a,
                              const void *B, cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D,
                              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algorithm,
                              void *workspace, size_t size, cudaStream_t stream) {
    library_absent("cublasLtMatmul", "products of cuBLASLt");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
