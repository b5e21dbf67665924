/*
 * sparse.c - cuSPARSE's products of sparse matrices with vectors and dense matrices. Each
 * element of a result is summed in double precision and rounded once.
 *
 * A vector is a dense matrix of one column, so that there is one product. No handle is an invalid
 * value, as cuSPARSE of CUDA 13.0 has it.
 */
#include "cudacpu/libraries/library.h"

#include "base/memory.h"

#include <cusparse.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES 8 /* what a program may allocate and hand over, unused */

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t mode;
};
struct cusparseSpMatDescr {
    int64_t rows, columns, nonzeros;
    const void *row, *column; /* row: offsets of rows, or an index for each value */
    const void *values;
    cusparseIndexType_t row_type, column_type;
    int64_t base;
    cudaDataType type;
    bool is_coo;
};
struct cusparseDnMatDescr {
    int64_t rows, columns, leading;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
};
struct cusparseDnVecDescr {
    struct cusparseDnMatDescr as_matrix;
};

const char *cusparseGetErrorName(cusparseStatus_t status) {
    switch (status) {
#define CASE(name, number)                                                                         \
    case name:                                                                                     \
        return #name;
        SHFLVIZ_CUSPARSE_STATUS(CASE)
#undef CASE
    }
    return "unrecognized error code";
}

const char *cusparseGetErrorString(cusparseStatus_t status) {
    static const char *const words[] = {"success",
                                        "initialization error",
                                        "out of memory",
                                        "invalid value",
                                        "architecture mismatch",
                                        "mapping error",
                                        "kernel launch failure",
                                        "internal error",
                                        "matrix type not supported",
                                        "zero pivot",
                                        "operation not supported",
                                        "insufficient resources"};
    return (unsigned)status < sizeof words / sizeof words[0] ? words[status]
                                                             : "unrecognized error code";
}

/* ---- handles and descriptions ---- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
    if (!handle)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *handle = memory_zeroed(1, sizeof **handle);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
    free(handle);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
    if (!handle || !version)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

#define SET(declaration, assignment)                                                               \
    cusparseStatus_t declaration {                                                                 \
        if (!handle)                                                                               \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                  \
        assignment;                                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
SET(cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream), handle->stream = stream)
SET(cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream), *stream = handle->stream)
SET(cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode),
    handle->mode = mode)
SET(cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode),
    *mode = handle->mode)

static bool is_index(cusparseIndexType_t type) {
    return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

/* Whether all that a product reads is there, or is to be written. Only a product asks for it: seen
 * on an H200, cuSPARSE makes a matrix of nothing (CUDA 13.0). */
static bool has_arrays(const struct cusparseSpMatDescr *a) {
    return (!a->nonzeros || (a->column && a->values)) && (a->row || (a->is_coo && !a->nonzeros));
}
static bool has_values(const struct cusparseDnMatDescr *m) {
    return !m->rows || !m->columns || m->values;
}

static cusparseStatus_t make_sparse(cusparseSpMatDescr_t *matrix, struct cusparseSpMatDescr made) {
    int64_t most;
    if (!matrix || made.rows < 0 || made.columns < 0 || made.nonzeros < 0 ||
        (!__builtin_mul_overflow(made.rows, made.columns, &most) && made.nonzeros > most))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!is_index(made.row_type) || made.column_type != made.row_type ||
        (made.type != CUDA_R_32F && made.type != CUDA_R_64F))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    *matrix = memory_zeroed(1, sizeof **matrix);
    **matrix = made;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nonzeros, void *rowOffsets, void *columnIndices,
                                   void *values, cusparseIndexType_t offsetType,
                                   cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                   cudaDataType type) {
    return make_sparse(matrix,
                       (struct cusparseSpMatDescr){rows, columns, nonzeros, rowOffsets,
                                                   columnIndices, values, offsetType, indexType,
                                                   base == CUSPARSE_INDEX_BASE_ONE, type, false});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nonzeros, void *rowIndices, void *columnIndices,
                                   void *values, cusparseIndexType_t indexType,
                                   cusparseIndexBase_t base, cudaDataType type) {
    return make_sparse(matrix,
                       (struct cusparseSpMatDescr){rows, columns, nonzeros, rowIndices,
                                                   columnIndices, values, indexType, indexType,
                                                   base == CUSPARSE_INDEX_BASE_ONE, type, true});
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
    free((void *)(uintptr_t)matrix);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *nonzeros) {
    if (!matrix || !rows || !columns || !nonzeros)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *rows = matrix->rows;
    *columns = matrix->columns;
    *nonzeros = matrix->nonzeros;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t check_dense(const struct cusparseDnMatDescr *made) {
    const int64_t least = made->order == CUSPARSE_ORDER_ROW ? made->columns : made->rows;
    if (made->rows < 0 || made->columns < 0 || made->leading < least)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return made->type == CUDA_R_32F || made->type == CUDA_R_64F ? CUSPARSE_STATUS_SUCCESS
                                                                : CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type) {
    const struct cusparseDnVecDescr made = {{size, 1, size, values, type, CUSPARSE_ORDER_COL}};
    const cusparseStatus_t status =
        vector ? check_dense(&made.as_matrix) : CUSPARSE_STATUS_INVALID_VALUE;
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    *vector = memory_zeroed(1, sizeof **vector);
    **vector = made;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
    free((void *)(uintptr_t)vector);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values) {
    if (!vector || !values)
        return CUSPARSE_STATUS_INVALID_VALUE;
    vector->as_matrix.values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t leading, void *values, cudaDataType type,
                                     cusparseOrder_t order) {
    const struct cusparseDnMatDescr made = {rows, columns, leading, values, type, order};
    const cusparseStatus_t status = matrix ? check_dense(&made) : CUSPARSE_STATUS_INVALID_VALUE;
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    *matrix = memory_zeroed(1, sizeof **matrix);
    **matrix = made;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
    free((void *)(uintptr_t)matrix);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- elements ---- */

static int64_t index_at(const void *indices, cusparseIndexType_t type, int64_t i) {
    return type == CUSPARSE_INDEX_64I ? ((const int64_t *)indices)[i]
                                      : ((const int32_t *)indices)[i];
}
static double value_at(const void *values, cudaDataType type, int64_t i) {
    return type == CUDA_R_64F ? ((const double *)values)[i] : (double)((const float *)values)[i];
}
static int64_t place_of(const struct cusparseDnMatDescr *m, int64_t row, int64_t column) {
    return m->order == CUSPARSE_ORDER_ROW ? row * m->leading + column : column * m->leading + row;
}
static double element(const struct cusparseDnMatDescr *m, int64_t row, int64_t column) {
    return value_at(m->values, m->type, place_of(m, row, column));
}
static void set_element(const struct cusparseDnMatDescr *m, int64_t row, int64_t column,
                        double value) {
    const int64_t at = place_of(m, row, column);
    if (m->type == CUDA_R_64F) {
        ((double *)m->values)[at] = value;
        library_written((double *)m->values + at, sizeof value);
    } else {
        ((float *)m->values)[at] = (float)value;
        library_written((float *)m->values + at, sizeof(float));
    }
}

/* Calls visit() for each stored element. */
static void each(const struct cusparseSpMatDescr *a,
                 void (*visit)(void *context, int64_t row, int64_t column, double value),
                 void *context) {
    const int64_t rows = a->is_coo ? 1 : a->rows;
    for (int64_t r = 0; r < rows; r++) {
        const int64_t from = a->is_coo ? 0 : index_at(a->row, a->row_type, r) - a->base;
        const int64_t to = a->is_coo ? a->nonzeros : index_at(a->row, a->row_type, r + 1) - a->base;
        for (int64_t i = from; i < to; i++)
            visit(context, a->is_coo ? index_at(a->row, a->row_type, i) - a->base : r,
                  index_at(a->column, a->column_type, i) - a->base,
                  value_at(a->values, a->type, i));
    }
}

/* ---- products ---- */

struct product {
    struct cusparseSpMatDescr a;
    struct cusparseDnMatDescr b, c;
    bool turned_a, turned_b;
    const void *alpha, *beta; /* the device's; NULL: the numbers */
    double alpha_value, beta_value;
    cudaDataType type;
    double *sum; /* of c, row by row */
};

static void add_product(void *context, int64_t row, int64_t column, double value) {
    struct product *p = context;
    const int64_t to = p->turned_a ? column : row, from = p->turned_a ? row : column;
    for (int64_t j = 0; j < p->c.columns; j++)
        p->sum[to * p->c.columns + j] +=
            value * (p->turned_b ? element(&p->b, j, from) : element(&p->b, from, j));
}

static void multiply(void *job) {
    struct product *p = job;
    const double alpha = p->alpha ? value_at(p->alpha, p->type, 0) : p->alpha_value;
    const double beta = p->beta ? value_at(p->beta, p->type, 0) : p->beta_value;
    const size_t count = (size_t)(p->c.rows * p->c.columns);
    p->sum = memory_zeroed(count + 1, sizeof *p->sum);
    each(&p->a, add_product, p);
    for (int64_t i = 0; i < p->c.rows; i++)
        for (int64_t j = 0; j < p->c.columns; j++) {
            const double sum = alpha * p->sum[i * p->c.columns + j];
            /* What is multiplied by 0 is not read. */
            set_element(&p->c, i, j, beta != 0 ? sum + beta * element(&p->c, i, j) : sum);
        }
    free(p->sum);
}

static cusparseStatus_t status_of(cudaError_t error) {
    return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

static cusparseStatus_t check_product(const struct product *p) {
    const int64_t rows = p->turned_a ? p->a.columns : p->a.rows;
    const int64_t inner = p->turned_a ? p->a.rows : p->a.columns;
    const int64_t inner_b = p->turned_b ? p->b.columns : p->b.rows;
    const int64_t columns = p->turned_b ? p->b.rows : p->b.columns;
    if (inner != inner_b || p->c.rows != rows || p->c.columns != columns || !has_arrays(&p->a) ||
        !has_values(&p->b) || !has_values(&p->c))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (p->a.type != p->type || p->b.type != p->type || p->c.type != p->type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t operationA,
                              cusparseOperation_t operationB, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpMMAlg_t algorithm, void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle || !alpha || !beta || !a || !b || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct product p = {.a = *a,
                        .b = *b,
                        .c = *c,
                        .turned_a = operationA != CUSPARSE_OPERATION_NON_TRANSPOSE,
                        .turned_b = operationB != CUSPARSE_OPERATION_NON_TRANSPOSE,
                        .type = type};
    const cusparseStatus_t status = check_product(&p);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE) {
        p.alpha = alpha;
        p.beta = beta;
    } else {
        p.alpha_value = value_at(alpha, type, 0);
        p.beta_value = value_at(beta, type, 0);
    }
    return status_of(library_do(handle->stream, multiply, &p, sizeof p));
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void *alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t algorithm, void *buffer) {
    (void)algorithm;
    return cusparseSpMM(handle, operation, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a,
                        x ? &x->as_matrix : NULL, beta, y ? &y->as_matrix : NULL, type,
                        CUSPARSE_SPMM_ALG_DEFAULT, buffer);
}

static void put_dense(void *context, int64_t row, int64_t column, double value) {
    set_element(context, row, column, value);
}
static void spread(void *job) {
    struct product *p = job;
    for (int64_t i = 0; i < p->c.rows; i++)
        for (int64_t j = 0; j < p->c.columns; j++)
            set_element(&p->c, i, j, 0);
    each(&p->a, put_dense, &p->c);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t from,
                                       cusparseDnMatDescr_t to,
                                       cusparseSparseToDenseAlg_t algorithm, void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle || !from || !to || from->rows != to->rows || from->columns != to->columns ||
        !has_arrays(from) || !has_values(to))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (from->type != to->type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    const struct product p = {.a = *from, .c = *to};
    return status_of(library_do(handle->stream, spread, &p, sizeof p));
}

/* ---- buffers, which are not needed ---- */

static cusparseStatus_t no_buffer(cusparseHandle_t handle, size_t *bytes) {
    if (!handle || !bytes)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, size_t *bytes) {
    (void)operation, (void)alpha, (void)a, (void)x, (void)beta, (void)y, (void)type,
        (void)algorithm;
    return no_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void *buffer) {
    (void)operation, (void)alpha, (void)a, (void)x, (void)beta, (void)y, (void)type,
        (void)algorithm, (void)buffer;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t operationA,
                                         cusparseOperation_t operationB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType type, cusparseSpMMAlg_t algorithm,
                                         size_t *bytes) {
    (void)operationA, (void)operationB, (void)alpha, (void)a, (void)b, (void)beta, (void)c,
        (void)type, (void)algorithm;
    return no_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t operationA,
                                         cusparseOperation_t operationB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType type, cusparseSpMMAlg_t algorithm,
                                         void *buffer) {
    (void)operationA, (void)operationB, (void)alpha, (void)a, (void)b, (void)beta, (void)c,
        (void)type, (void)algorithm, (void)buffer;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t from,
                                                  cusparseDnMatDescr_t to,
                                                  cusparseSparseToDenseAlg_t algorithm,
                                                  size_t *bytes) {
    (void)from, (void)to, (void)algorithm;
    return no_buffer(handle, bytes);
}
