/*
 * blas.c - cuBLAS for real numbers, with plain loops (decision 16 says why no library does it).
 */
#include "cudacpu/libraries/library.h"

#include "base/memory.h"
#include "cudacpu/device/vector_target.h"
#include "warp/type.h"

#include <cublas_v2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows and columns that are multiplied at a time: two blocks fit in the cache. A multiple of the
 * rows of any panel and of COLUMNS. */
#define BLOCK     192
#define COLUMNS   4  /* of a panel of B */
#define ROWS_MOST 32 /* of a panel of A */

struct cublasContext {
    struct cublasContext *self; /* its own address while it is valid */
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math_mode;
};

struct blas_scalar {
    const void *at; /* read when the work is done; NULL if `value` is set */
    double value;
};

/* A call; dimensions, vectors and matrices have cuBLAS's names. */
struct blas_job {
    int m, n, k, incx, incy, lda, ldb, ldc;
    bool transa, transb, upper, unit, right;
    struct blas_scalar alpha, beta;
    void *x, *y, *result, *C;
    const void *A, *B;
    bool is_batched; /* A, B and C are arrays of matrices */
    int count;
    long long strideA, strideB, strideC;
    cudaDataType typeA, typeB, typeC; /* of gemm_mixed() */
};

static void vector_written(void *vector, int n, int stride, size_t size) {
    const size_t step = (size_t)(stride < 0 ? -(long long)stride : stride);
    if (n > 0)
        library_written(vector, ((size_t)(n - 1) * step + 1) * size);
}

static void matrix_written(void *matrix, int rows, int cols, int ld, size_t size) {
    for (int j = 0; j < cols; j++)
        library_written((char *)matrix + (size_t)j * (size_t)ld * size, (size_t)rows * size);
}

#define REAL       float
#define NAME(what) single_##what
#include "cudacpu/libraries/blas/blas_real.inc"
#undef REAL
#undef NAME
#define REAL       double
#define NAME(what) double_##what
#include "cudacpu/libraries/blas/blas_real.inc"
#undef REAL
#undef NAME

/* ---- handles ---- */

static bool is_handle(cublasHandle_t handle) {
    return handle && handle->self == handle;
}

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = memory_zeroed(1, sizeof **handle);
    (*handle)->self = *handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->self = NULL;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
    (void)handle;
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
    static const int values[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = values[type];
    return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define CASE(name, number)                                                                         \
    case name:                                                                                     \
        return #name;
        SHFLVIZ_CUBLAS_STATUSES(CASE)
#undef CASE
    }
    return "unknown";
}

const char *cublasGetStatusString(cublasStatus_t status) {
    switch (status) {
    case CUBLAS_STATUS_SUCCESS:
        return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
        return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED:
        return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE:
        return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_NOT_SUPPORTED:
        return "the requested functionality is not supported";
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return "the function failed to launch on the GPU";
    default:
        return cublasGetStatusName(status);
    }
}

/* Sets or gets one member of a handle. */
#define MEMBER(Set, Get, T, member)                                                                \
    cublasStatus_t Set(cublasHandle_t handle, T value) {                                           \
        if (!is_handle(handle))                                                                    \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->member = value;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t Get(cublasHandle_t handle, T *value) {                                          \
        if (!is_handle(handle))                                                                    \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!value)                                                                                \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        *value = handle->member;                                                                   \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
MEMBER(cublasSetStream, cublasGetStream, cudaStream_t, stream)
MEMBER(cublasSetPointerMode, cublasGetPointerMode, cublasPointerMode_t, pointer_mode)
MEMBER(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math_mode)
#undef MEMBER

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes) {
    (void)workspace, (void)bytes;
    return is_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
    (void)mode;
    return is_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* ---- copies ---- */

static cublasStatus_t copy_status(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_rows(int rows, int cols, int size, const void *from, int lda, void *to,
                                int ldb, enum cudaMemcpyKind kind, const cudaStream_t *stream) {
    if (rows < 0 || cols < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || cols == 0)
        return CUBLAS_STATUS_SUCCESS;
    const size_t bytes = (size_t)size;
    return copy_status(stream
                           ? cudaMemcpy2DAsync(to, bytes * (size_t)ldb, from, bytes * (size_t)lda,
                                               bytes * (size_t)rows, (size_t)cols, kind, *stream)
                           : cudaMemcpy2D(to, bytes * (size_t)ldb, from, bytes * (size_t)lda,
                                          bytes * (size_t)rows, (size_t)cols, kind));
}

/* A vector is a matrix of one row. */
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *device, int incy) {
    return copy_rows(1, n, size, x, incx, device, incy, cudaMemcpyHostToDevice, NULL);
}
cublasStatus_t cublasGetVector(int n, int size, const void *device, int incx, void *y, int incy) {
    return copy_rows(1, n, size, device, incx, y, incy, cudaMemcpyDeviceToHost, NULL);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *device,
                                    int incy, cudaStream_t stream) {
    return copy_rows(1, n, size, x, incx, device, incy, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *device, int incx, void *y,
                                    int incy, cudaStream_t stream) {
    return copy_rows(1, n, size, device, incx, y, incy, cudaMemcpyDeviceToHost, &stream);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *A, int lda, void *device,
                               int ldb) {
    return copy_rows(rows, cols, size, A, lda, device, ldb, cudaMemcpyHostToDevice, NULL);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *device, int lda, void *B,
                               int ldb) {
    return copy_rows(rows, cols, size, device, lda, B, ldb, cudaMemcpyDeviceToHost, NULL);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *A, int lda,
                                    void *device, int ldb, cudaStream_t stream) {
    return copy_rows(rows, cols, size, A, lda, device, ldb, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *device, int lda,
                                    void *B, int ldb, cudaStream_t stream) {
    return copy_rows(rows, cols, size, device, lda, B, ldb, cudaMemcpyDeviceToHost, &stream);
}

/* ---- calls ---- */

/* A scalar of a call: the host's is read now, the device's when the work is done. */
static struct blas_scalar scalar_of(cublasHandle_t handle, const void *at, bool wide) {
    if (!at || !is_handle(handle) || handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return (struct blas_scalar){.at = at};
    return (struct blas_scalar){.value = wide ? *(const double *)at : *(const float *)at};
}

static cublasStatus_t run(cublasHandle_t handle, bool valid, void (*work)(void *),
                          const struct blas_job *job) {
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid)
        return CUBLAS_STATUS_INVALID_VALUE;
    return library_submit(handle->stream, work, job, sizeof *job) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* True if a matrix with that many rows may have columns that far apart. */
static bool fits(int ld, int rows) {
    return ld >= (rows > 1 ? rows : 1);
}
static bool sizes_of_product(const struct blas_job *job) {
    return job->m >= 0 && job->n >= 0 && job->k >= 0 && job->count >= 0 &&
           fits(job->lda, job->transa ? job->k : job->m) &&
           fits(job->ldb, job->transb ? job->n : job->k) && fits(job->ldc, job->m);
}

/* A job on vectors of n values each; the cast removes const from the input. */
static struct blas_job vector_job(int n, const void *x, int incx, const void *y, int incy) {
    return (struct blas_job){
        .n = n, .x = (void *)(uintptr_t)x, .incx = incx, .y = (void *)(uintptr_t)y, .incy = incy};
}

/* C has m rows and n columns. */
static struct blas_job matrix_job(int m, int n, const void *A, int lda, const void *B, int ldb,
                                  const void *C, int ldc) {
    return (struct blas_job){.m = m,
                             .n = n,
                             .A = A,
                             .lda = lda,
                             .B = B,
                             .ldb = ldb,
                             .C = (void *)(uintptr_t)C,
                             .ldc = ldc,
                             .count = 1};
}

static void transpose(struct blas_job *job, cublasOperation_t a, cublasOperation_t b) {
    job->transa = a != CUBLAS_OP_N;
    job->transb = b != CUBLAS_OP_N;
}

/* Observed on an H200 (cuBLAS of CUDA 13.0): a non-positive increment is not an error in functions
 * with a scalar result; the vector is then empty. */
#define REDUCTION(function, work, REAL, RESULT)                                                    \
    cublasStatus_t function(cublasHandle_t handle, int n, const REAL *x, int incx,                 \
                            RESULT *result) {                                                      \
        struct blas_job job = vector_job(incx > 0 ? n : 0, x, incx, NULL, 0);                      \
        job.result = result;                                                                       \
        return run(handle, result != NULL, work, &job);                                            \
    }

#define CALLS(S, s, REAL, NAME, WIDE)                                                              \
    REDUCTION(cublasI##s##amax, NAME##amax, REAL, int)                                             \
    REDUCTION(cublasI##s##amin, NAME##amin, REAL, int)                                             \
    REDUCTION(cublas##S##asum, NAME##asum, REAL, REAL)                                             \
    REDUCTION(cublas##S##nrm2, NAME##nrm2, REAL, REAL)                                             \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const REAL *x, int incx,           \
                                  const REAL *y, int incy, REAL *result) {                         \
        struct blas_job job = vector_job(n, x, incx, y, incy);                                     \
        job.result = result;                                                                       \
        if (is_handle(handle) && !result) /* as on an H200, for this function alone */             \
            return CUBLAS_STATUS_MAPPING_ERROR;                                                    \
        return run(handle, true, NAME##dot, &job);                                                 \
    }                                                                                              \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const REAL *alpha, const REAL *x, \
                                   int incx, REAL *y, int incy) {                                  \
        struct blas_job job = vector_job(n, x, incx, y, incy);                                     \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        return run(handle, alpha != NULL, NAME##axpy, &job);                                       \
    }                                                                                              \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const REAL *x, int incx, REAL *y, \
                                   int incy) {                                                     \
        const struct blas_job job = vector_job(n, x, incx, y, incy);                               \
        return run(handle, true, NAME##copy, &job);                                                \
    }                                                                                              \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, REAL *x, int incx, REAL *y,       \
                                   int incy) {                                                     \
        const struct blas_job job = vector_job(n, x, incx, y, incy);                               \
        return run(handle, true, NAME##swap, &job);                                                \
    }                                                                                              \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const REAL *alpha, REAL *x,       \
                                   int incx) {                                                     \
        struct blas_job job = vector_job(n, x, incx, NULL, 0);                                     \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        return run(handle, alpha != NULL, NAME##scal, &job);                                       \
    }                                                                                              \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const REAL *alpha, const REAL *A, int lda, const REAL *x,       \
                                   int incx, const REAL *beta, REAL *y, int incy) {                \
        struct blas_job job = vector_job(n, x, incx, y, incy);                                     \
        job.m = m;                                                                                 \
        job.A = A;                                                                                 \
        job.lda = lda;                                                                             \
        job.transa = trans != CUBLAS_OP_N;                                                         \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        job.beta = scalar_of(handle, beta, WIDE);                                                  \
        return run(handle, m >= 0 && n >= 0 && fits(lda, m) && incx && incy && alpha && beta,      \
                   NAME##gemv, &job);                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const REAL *alpha,          \
                                  const REAL *x, int incx, const REAL *y, int incy, REAL *A,       \
                                  int lda) {                                                       \
        struct blas_job job = vector_job(n, x, incx, y, incy);                                     \
        job.m = m;                                                                                 \
        job.C = A;                                                                                 \
        job.ldc = lda;                                                                             \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        return run(handle, m >= 0 && n >= 0 && fits(lda, m) && incx && incy && alpha, NAME##ger,   \
                   &job);                                                                          \
    }                                                                                              \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k,                  \
                                   const REAL *alpha, const REAL *A, int lda, const REAL *B,       \
                                   int ldb, const REAL *beta, REAL *C, int ldc) {                  \
        return cublas##S##gemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, \
                                             ldb, 0, beta, C, ldc, 0, 1);                          \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const REAL *alpha, const REAL *const A[], int lda, const REAL *const B[], int ldb,  \
        const REAL *beta, REAL *const C[], int ldc, int count) {                                   \
        struct blas_job job = matrix_job(m, n, A, lda, B, ldb, C, ldc);                            \
        job.k = k;                                                                                 \
        job.is_batched = true;                                                                     \
        job.count = count;                                                                         \
        transpose(&job, transa, transb);                                                           \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        job.beta = scalar_of(handle, beta, WIDE);                                                  \
        return run(handle, sizes_of_product(&job) && alpha && beta, NAME##gemm, &job);             \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const REAL *alpha, const REAL *A, int lda, long long strideA, const REAL *B,        \
        int ldb, long long strideB, const REAL *beta, REAL *C, int ldc, long long strideC,         \
        int count) {                                                                               \
        struct blas_job job = matrix_job(m, n, A, lda, B, ldb, C, ldc);                            \
        job.k = k;                                                                                 \
        job.strideA = strideA;                                                                     \
        job.strideB = strideB;                                                                     \
        job.strideC = strideC;                                                                     \
        job.count = count;                                                                         \
        transpose(&job, transa, transb);                                                           \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        job.beta = scalar_of(handle, beta, WIDE);                                                  \
        return run(handle, sizes_of_product(&job) && alpha && beta, NAME##gemm, &job);             \
    }                                                                                              \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, const REAL *alpha,      \
                                   const REAL *A, int lda, const REAL *beta, const REAL *B,        \
                                   int ldb, REAL *C, int ldc) {                                    \
        struct blas_job job = matrix_job(m, n, A, lda, B, ldb, C, ldc);                            \
        transpose(&job, transa, transb);                                                           \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        job.beta = scalar_of(handle, beta, WIDE);                                                  \
        return run(handle,                                                                         \
                   m >= 0 && n >= 0 && fits(lda, job.transa ? n : m) &&                            \
                       fits(ldb, job.transb ? n : m) && fits(ldc, m) && alpha && beta,             \
                   NAME##geam, &job);                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo,                   \
                                   cublasOperation_t trans, int n, int k, const REAL *alpha,       \
                                   const REAL *A, int lda, const REAL *beta, REAL *C, int ldc) {   \
        struct blas_job job = matrix_job(n, n, A, lda, NULL, 0, C, ldc);                           \
        job.k = k;                                                                                 \
        job.transa = trans != CUBLAS_OP_N;                                                         \
        job.upper = uplo == CUBLAS_FILL_MODE_UPPER;                                                \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        job.beta = scalar_of(handle, beta, WIDE);                                                  \
        return run(handle,                                                                         \
                   n >= 0 && k >= 0 && fits(lda, job.transa ? k : n) && fits(ldc, n) && alpha &&   \
                       beta,                                                                       \
                   NAME##syrk, &job);                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, cublasOperation_t trans,                 \
                                   cublasDiagType_t diag, int m, int n, const REAL *alpha,         \
                                   const REAL *A, int lda, REAL *B, int ldb) {                     \
        struct blas_job job = matrix_job(m, n, A, lda, NULL, 0, B, ldb);                           \
        job.transa = trans != CUBLAS_OP_N;                                                         \
        job.right = side == CUBLAS_SIDE_RIGHT;                                                     \
        job.upper = uplo == CUBLAS_FILL_MODE_UPPER;                                                \
        job.unit = diag == CUBLAS_DIAG_UNIT;                                                       \
        job.alpha = scalar_of(handle, alpha, WIDE);                                                \
        return run(handle,                                                                         \
                   m >= 0 && n >= 0 && fits(lda, job.right ? n : m) && fits(ldb, m) && alpha,      \
                   NAME##trsm, &job);                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,     \
                                   const REAL *A, int lda, const REAL *x, int incx, REAL *C,       \
                                   int ldc) {                                                      \
        struct blas_job job = matrix_job(m, n, A, lda, NULL, 0, C, ldc);                           \
        job.right = side == CUBLAS_SIDE_RIGHT;                                                     \
        job.x = (void *)(uintptr_t)x;                                                              \
        job.incx = incx;                                                                           \
        return run(handle, m >= 0 && n >= 0 && fits(lda, m) && fits(ldc, m), NAME##dgmm, &job);    \
    }
CALLS(S, s, float, single_, false)
CALLS(D, d, double, double_, true)
#undef CALLS

/* ---- products of other types ---- */

static double read_number(const void *matrix, cudaDataType type, size_t at) {
    switch (type) {
    case CUDA_R_16F:
        return half_to_double(((const uint16_t *)matrix)[at]);
    case CUDA_R_16BF:
        return bfloat16_to_double(((const uint16_t *)matrix)[at]);
    case CUDA_R_64F:
        return ((const double *)matrix)[at];
    default:
        return ((const float *)matrix)[at];
    }
}

static void write_number(void *matrix, cudaDataType type, size_t at, double number) {
    switch (type) {
    case CUDA_R_16F: /* a GPU produces only one NaN */
        ((uint16_t *)matrix)[at] = isnan(number) ? 0x7fff : half_from_double(number);
        break;
    case CUDA_R_16BF:
        ((uint16_t *)matrix)[at] = bfloat16_from_double(number);
        break;
    case CUDA_R_64F:
        ((double *)matrix)[at] = number;
        break;
    default:
        ((float *)matrix)[at] = (float)number;
        break;
    }
}

static size_t size_of(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}
static bool is_real(cudaDataType type) {
    return type == CUDA_R_64F || type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}

/* A matrix converted to the precision of the computation, its columns contiguous. */
static void *widened(const void *matrix, cudaDataType type, int rows, int cols, int ld,
                     bool to_double) {
    void *wide = memory_zeroed((size_t)rows * (size_t)cols + 1, to_double ? 8 : 4);
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            write_number(wide, to_double ? CUDA_R_64F : CUDA_R_32F,
                         (size_t)i + (size_t)j * (size_t)rows,
                         read_number(matrix, type, (size_t)i + (size_t)j * (size_t)ld));
    return wide;
}

static void gemm_mixed(void *context) {
    const struct blas_job *job = context;
    const bool wide = job->typeC == CUDA_R_64F;
    for (int b = 0; b < job->count; b++) {
        const char *A = (const char *)job->A + b * job->strideA * (long long)size_of(job->typeA);
        const char *B = (const char *)job->B + b * job->strideB * (long long)size_of(job->typeB);
        char *C = (char *)job->C + b * job->strideC * (long long)size_of(job->typeC);
        const int rowsA = job->transa ? job->k : job->m, rowsB = job->transb ? job->n : job->k;
        struct blas_job one = *job;
        void *a = widened(A, job->typeA, rowsA, job->transa ? job->m : job->k, job->lda, wide);
        void *bb = widened(B, job->typeB, rowsB, job->transb ? job->k : job->n, job->ldb, wide);
        void *c = widened(C, job->typeC, job->m, job->n, job->ldc, wide);
        one.lda = rowsA;
        one.ldb = rowsB;
        one.ldc = job->m;
        if (wide)
            double_gemm_one(&one, a, bb, c);
        else
            single_gemm_one(&one, a, bb, c);
        for (int j = 0; j < job->n; j++)
            for (int i = 0; i < job->m; i++)
                write_number(C, job->typeC, (size_t)i + (size_t)j * (size_t)job->ldc,
                             read_number(c, wide ? CUDA_R_64F : CUDA_R_32F,
                                         (size_t)i + (size_t)j * (size_t)job->m));
        matrix_written(C, job->m, job->n, job->ldc, size_of(job->typeC));
        free(a);
        free(bb);
        free(c);
    }
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, long long strideA, const void *B,
                                          cudaDataType Btype, int ldb, long long strideB,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          long long strideC, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm) {
    (void)algorithm;
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const bool wide = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    const bool half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    if (!is_real(Atype) || !is_real(Btype) || !is_real(Ctype) || compute == CUBLAS_COMPUTE_32I ||
        wide != (Ctype == CUDA_R_64F) || wide != (Atype == CUDA_R_64F) || Atype != Btype ||
        (half && handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)) {
        library_absent("cublasGemmEx", "this combination of types");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (!alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    struct blas_job job = matrix_job(m, n, A, lda, B, ldb, C, ldc);
    job.k = k;
    job.strideA = strideA;
    job.strideB = strideB;
    job.strideC = strideC;
    job.count = count;
    job.typeA = Atype;
    job.typeB = Btype;
    job.typeC = Ctype;
    transpose(&job, transa, transb);
    job.alpha = scalar_of(handle, half ? NULL : alpha, wide);
    job.beta = scalar_of(handle, half ? NULL : beta, wide);
    if (half) {
        job.alpha.value = half_to_double(*(const uint16_t *)alpha);
        job.beta.value = half_to_double(*(const uint16_t *)beta);
    }
    return run(handle, sizes_of_product(&job), gemm_mixed, &job);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta, void *C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, 0, B,
                                      Btype, ldb, 0, beta, C, Ctype, ldc, 0, 1, compute, algorithm);
}
