/*
 * test_api_sparse.c - cuSPARSE and cuFFT against plain sums: sparse matrices in all formats times
 * dense ones in both orders, transforms of one to three dimensions; and nothing beside the result
 * is written. "cuSPARSE Library" and "cuFFT Library" say what each argument means.
 */
#include "api_device.h"

#include <cufft.h>
#include <cusparse.h>
#include <math.h>
#include <string.h>

enum { OK = CUSPARSE_STATUS_SUCCESS, BAD = CUSPARSE_STATUS_INVALID_VALUE };
enum { ABSENT = CUSPARSE_STATUS_NOT_SUPPORTED };
#define UNTOUCHED 99.0
#define ROOM      64

/* 3 by 4: 2 0 0 1 / 0 0 3 0 / 0 4 0 5, by rows. */
enum { ROWS = 3, COLUMNS = 4, COUNT_OF = 5 };
static const int rows_of[] = {0, 0, 1, 2, 2}, columns_of[] = {0, 3, 2, 1, 3};
static const int offsets[] = {0, 2, 3, 5};
static const double values_of[] = {2, 1, 3, 4, 5};

static void *managed(size_t bytes) {
    void *memory;
    DONE(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal));
    memset(memory, 0, bytes);
    return memory;
}
static void put_index(void *memory, bool is_wide, int at, int value) {
    if (is_wide)
        ((int64_t *)memory)[at] = value;
    else
        ((int32_t *)memory)[at] = value;
}
static void put(void *memory, bool is_double, int at, double value) {
    if (is_double)
        ((double *)memory)[at] = value;
    else
        ((float *)memory)[at] = (float)value;
}
static double get(const void *memory, bool is_double, int at) {
    return is_double ? ((const double *)memory)[at] : (double)((const float *)memory)[at];
}

struct shape {
    bool is_coo, is_wide, from_one, is_double, turned_a, turned_b, rows_b, rows_c, of_device;
};

static cusparseSpMatDescr_t make_matrix(const struct shape *s) {
    cusparseSpMatDescr_t matrix;
    void *row = managed(64), *column = managed(64), *values = managed(64);
    const cusparseIndexType_t index = s->is_wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t base =
        s->from_one ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    const cudaDataType type = s->is_double ? CUDA_R_64F : CUDA_R_32F;
    for (int i = 0; i < COUNT_OF; i++) {
        put_index(column, s->is_wide, i, columns_of[i] + s->from_one);
        put(values, s->is_double, i, values_of[i]);
        if (s->is_coo)
            put_index(row, s->is_wide, i, rows_of[i] + s->from_one);
        else if (i <= ROWS)
            put_index(row, s->is_wide, i, offsets[i] + s->from_one);
    }
    GIVES(OK, s->is_coo ? cusparseCreateCoo(&matrix, ROWS, COLUMNS, COUNT_OF, row, column, values,
                                            index, base, type)
                        : cusparseCreateCsr(&matrix, ROWS, COLUMNS, COUNT_OF, row, column, values,
                                            index, index, base, type));
    return matrix;
}

/* op(A) op(B) with two columns, 2 times that and -1 times what was there; and A itself. */
static void test_products(void **state) {
    (void)state;
    for (int bits = 0; bits < 512; bits += bits < 32 ? 1 : 7) {
        const struct shape s = {bits & 1,  bits & 2,  bits & 4,   bits & 8,  bits & 16,
                                bits & 32, bits & 64, bits & 128, bits & 256};
        const cudaDataType type = s.is_double ? CUDA_R_64F : CUDA_R_32F;
        const int rows = s.turned_a ? COLUMNS : ROWS, inner = s.turned_a ? ROWS : COLUMNS;
        const int rows_b = s.turned_b ? 2 : inner, columns_b = s.turned_b ? inner : 2, ld = 6;
        cusparseHandle_t handle;
        cusparseDnMatDescr_t b, c, dense;
        void *b_values = managed(ROOM * 8), *c_values = managed(ROOM * 8), *all = managed(ROOM * 8),
             *scalars = managed(16);
        const cusparseSpMatDescr_t a = make_matrix(&s);
        GIVES(OK, cusparseCreate(&handle));
        put(scalars, s.is_double, 0, 2);
        put(scalars, s.is_double, 1, -1);
        GIVES(OK, cusparseSetPointerMode(handle, s.of_device ? CUSPARSE_POINTER_MODE_DEVICE
                                                             : CUSPARSE_POINTER_MODE_HOST));
        for (int i = 0; i < ROOM; i++) {
            put(b_values, s.is_double, i, i % 7 - 3);
            put(c_values, s.is_double, i, UNTOUCHED);
            put(all, s.is_double, i, UNTOUCHED);
        }
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < 2; j++)
                put(c_values, s.is_double, s.rows_c ? i * ld + j : j * ld + i, i + 10 * j);
        GIVES(OK, cusparseCreateDnMat(&b, rows_b, columns_b, ld, b_values, type,
                                      s.rows_b ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
        GIVES(OK, cusparseCreateDnMat(&c, rows, 2, ld, c_values, type,
                                      s.rows_c ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
        GIVES(OK, cusparseCreateDnMat(&dense, ROWS, COLUMNS, ld, all, type,
                                      s.rows_c ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
        const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
        const cusparseOperation_t turned = CUSPARSE_OPERATION_TRANSPOSE;
        GIVES(OK, cusparseSpMM(handle, s.turned_a ? turned : plain, s.turned_b ? turned : plain,
                               scalars, a, b, (char *)scalars + (s.is_double ? 8 : 4), c, type,
                               CUSPARSE_SPMM_ALG_DEFAULT, NULL));
        GIVES(OK,
              cusparseSparseToDense(handle, a, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
        for (int at = 0; at < ROOM; at++) {
            const int i = s.rows_c ? at / ld : at % ld, j = s.rows_c ? at % ld : at / ld;
            double wanted = UNTOUCHED, element = UNTOUCHED;
            if (i < rows && j < 2) {
                wanted = -(i + 10 * j);
                for (int n = 0; n < COUNT_OF; n++) {
                    const int row = s.turned_a ? columns_of[n] : rows_of[n];
                    const int from = s.turned_a ? rows_of[n] : columns_of[n];
                    const int r = s.turned_b ? j : from, k = s.turned_b ? from : j;
                    if (row == i)
                        wanted += 2 * values_of[n] * ((s.rows_b ? r * ld + k : k * ld + r) % 7 - 3);
                }
            }
            if (get(c_values, s.is_double, at) != wanted)
                fail_msg("%d: (%d, %d): %g, not %g", bits, i, j, get(c_values, s.is_double, at),
                         wanted);
            if (i < ROWS && j < COLUMNS) {
                element = 0;
                for (int n = 0; n < COUNT_OF; n++)
                    element += rows_of[n] == i && columns_of[n] == j ? values_of[n] : 0;
            }
            assert_true(get(all, s.is_double, at) == element);
        }
        cusparseDestroySpMat(a);
        cusparseDestroyDnMat(b);
        cusparseDestroyDnMat(c);
        cusparseDestroyDnMat(dense);
        GIVES(OK, cusparseDestroy(handle));
    }
}

/* By vectors; what beta, 0, multiplies is not read. */
static void test_vectors(void **state) {
    const struct shape s = {.is_double = true};
    const double one = 1, zero = 0;
    double *x = managed(64), *y = managed(64);
    cusparseHandle_t handle;
    cusparseDnVecDescr_t from, to;
    (void)state;
    const cusparseSpMatDescr_t a = make_matrix(&s);
    GIVES(OK, cusparseCreate(&handle));
    for (int i = 0; i < 4; i++)
        x[i] = i + 1, y[i] = NAN;
    GIVES(OK, cusparseCreateDnVec(&from, COLUMNS, x, CUDA_R_64F));
    GIVES(OK, cusparseCreateDnVec(&to, ROWS, y, CUDA_R_64F));
    GIVES(OK, cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, from, &zero, to,
                           CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    assert_true(y[0] == 6 && y[1] == 9 && y[2] == 28); /* 2 + 4, 3 * 3, 4 * 2 + 5 * 4 */
    assert_true(isnan(y[3]));
    GIVES(BAD, cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &one, a, from, &zero, to,
                            CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    GIVES(BAD, cusparseSpMV(NULL, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, from, &zero, to,
                            CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    GIVES(BAD, cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, NULL, a, from, &zero, to,
                            CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    GIVES(BAD, cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, from, NULL, to,
                            CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    GIVES(ABSENT, cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, from, &zero, to,
                               CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    /* A matrix may be made before its arrays are there; a product wants them. */
    static int three[3];
    static double two[2];
    for (int i = 0; i < 4; i++) {
        cusparseSpMatDescr_t half;
        cusparseDnVecDescr_t none;
        GIVES(OK, cusparseCreateCsr(&half, ROWS, COLUMNS, 2, i == 0 ? NULL : three,
                                    i == 1 ? NULL : three, i == 2 ? NULL : two, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
        GIVES(OK, cusparseCreateDnVec(&none, COLUMNS, NULL, CUDA_R_64F));
        GIVES(BAD, cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, half,
                                i == 3 ? none : from, &zero, to, CUDA_R_64F,
                                CUSPARSE_SPMV_ALG_DEFAULT, NULL));
        cusparseDestroySpMat(half);
        cusparseDestroyDnVec(none);
    }
    cusparseSpMatDescr_t odd;
    GIVES(OK, cusparseCreateCsr(&odd, 0, 3, 0, three, three, two, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    cusparseDestroySpMat(odd);
    GIVES(BAD, cusparseCreateCsr(&odd, 3, 3, 10, three, three, two, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    GIVES(ABSENT, cusparseCreateCsr(&odd, 3, 3, 2, three, three, two, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    /* Dense matrices: as many numbers from one line to the next as a line has. */
    cusparseDnMatDescr_t dense;
    static const struct {
        int64_t rows, columns, ld;
        cusparseOrder_t order;
        int wanted;
    } cases[] = {{3, 2, 3, CUSPARSE_ORDER_COL, OK},  {3, 2, 2, CUSPARSE_ORDER_COL, BAD},
                 {3, 2, 2, CUSPARSE_ORDER_ROW, OK},  {3, 2, 1, CUSPARSE_ORDER_ROW, BAD},
                 {0, 2, 0, CUSPARSE_ORDER_COL, OK},  {-1, 2, 3, CUSPARSE_ORDER_ROW, BAD},
                 {3, -1, 3, CUSPARSE_ORDER_COL, BAD}};
    for (int i = 0; i < COUNT(cases); i++) {
        GIVES(cases[i].wanted, cusparseCreateDnMat(&dense, cases[i].rows, cases[i].columns,
                                                   cases[i].ld, x, CUDA_R_64F, cases[i].order));
        if (cases[i].wanted == OK)
            cusparseDestroyDnMat(dense);
    }
    GIVES(ABSENT, cusparseCreateDnMat(&dense, 2, 2, 2, x, CUDA_R_16F, CUSPARSE_ORDER_COL));
    GIVES(BAD, cusparseCreateDnMat(NULL, 2, 2, 2, x, CUDA_R_64F, CUSPARSE_ORDER_COL));
    GIVES(OK, cusparseCreateDnMat(&dense, 2, 2, 2, NULL, CUDA_R_64F, CUSPARSE_ORDER_COL));
    cusparseDestroyDnMat(dense);
    GIVES(OK, cusparseCreateDnMat(&dense, 2, 0, 2, NULL, CUDA_R_64F, CUSPARSE_ORDER_COL));
    cusparseDestroyDnMat(dense);
    size_t bytes = 0;
    int version = 0;
    GIVES(OK, cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, from, &one,
                                      to, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    assert_true(bytes > 0); /* a program may allocate it */
    GIVES(BAD, cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, from,
                                       &one, to, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    GIVES(OK, cusparseGetVersion(handle, &version));
    assert_int_equal(version, CUSPARSE_VERSION);
    GIVES(BAD, cusparseGetVersion(handle, NULL));
    GIVES(BAD, cusparseGetVersion(NULL, &version));
    GIVES(BAD, cusparseCreate(NULL));
    GIVES(BAD, cusparseSetStream(NULL, NULL));
    assert_string_equal(cusparseGetErrorName(CUSPARSE_STATUS_INVALID_VALUE),
                        "CUSPARSE_STATUS_INVALID_VALUE");
    assert_string_equal(cusparseGetErrorString(CUSPARSE_STATUS_INVALID_VALUE), "invalid value");
    assert_string_equal(cusparseGetErrorString(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES),
                        "insufficient resources");
    assert_string_equal(cusparseGetErrorString((cusparseStatus_t)12), "unrecognized error code");
    cusparseDestroySpMat(a);
    cusparseDestroyDnVec(from);
    cusparseDestroyDnVec(to);
    cusparseDestroy(handle);
}

/* ---- transforms ---- */

/* Of one, two or three dimensions, complex to complex, there and back. */
static void test_transforms(void **state) {
    static const int sizes[][3] = {{1, 0, 0},  {2, 0, 0}, {7, 0, 0},  {12, 0, 0}, {61, 0, 0},
                                   {67, 0, 0}, {4, 3, 0}, {1, 67, 0}, {2, 3, 4},  {5, 1, 2}};
    cufftDoubleComplex *in = managed(256 * sizeof *in), *out = managed(256 * sizeof *out);
    (void)state;
    for (int i = 0; i < COUNT(sizes); i++)
        for (int way = 0; way < 4; way++) {
            const int *n = sizes[i], rank = n[2] ? 3 : n[1] ? 2 : 1, sign = way & 1 ? 1 : -1;
            const int x = n[0], y = rank > 1 ? n[1] : 1, z = rank > 2 ? n[2] : 1, all = x * y * z;
            cufftHandle plan;
            if (way & 2) {
                DONE(cufftCreate(&plan));
                DONE(rank == 1   ? cufftMakePlan1d(plan, x, CUFFT_Z2Z, 1, NULL)
                     : rank == 2 ? cufftMakePlan2d(plan, x, y, CUFFT_Z2Z, NULL)
                                 : cufftMakePlan3d(plan, x, y, z, CUFFT_Z2Z, NULL));
            } else {
                DONE(rank == 1   ? cufftPlan1d(&plan, x, CUFFT_Z2Z, 1)
                     : rank == 2 ? cufftPlan2d(&plan, x, y, CUFFT_Z2Z)
                                 : cufftPlan3d(&plan, x, y, z, CUFFT_Z2Z));
            }
            for (int k = 0; k < 256; k++) {
                in[k].x = k * 7 % 11 - 5, in[k].y = k * k % 13 - 6;
                out[k].x = out[k].y = UNTOUCHED;
            }
            DONE(cufftExecZ2Z(plan, in, out, sign == 1 ? CUFFT_INVERSE : CUFFT_FORWARD));
            for (int k = 0; k < 256; k++) {
                double re = 0, im = 0;
                for (int j = 0; j < all; j++) {
                    const double turns = (double)(j / z / y * (k / z / y)) / x +
                                         (double)(j / z % y * (k / z % y)) / y +
                                         (double)(j % z * (k % z)) / z;
                    const double c = cos(2 * M_PI * turns), s = sign * sin(2 * M_PI * turns);
                    re += in[j].x * c - in[j].y * s;
                    im += in[j].x * s + in[j].y * c;
                }
                if (k >= all)
                    re = im = UNTOUCHED; /* one transform, no more */
                if (hypot(out[k].x - re, out[k].y - im) > 1e-9)
                    fail_msg("size %d, %d: number %d", i, way, k);
            }
            DONE(cufftDestroy(plan));
        }
}

/* Numbers that are apart, with room between lines and transforms, in single precision; sizes of the
 * storage count only if both sides have them. */
static void test_layouts(void **state) {
    cufftComplex *in = managed(256 * sizeof *in), *out = managed(256 * sizeof *out);
    int n[] = {2, 3}, from[] = {4, 5}, to[] = {3, 4};
    (void)state;
    for (int given = 0; given < 4; given++) {
        cufftHandle plan;
        const bool both = given == 3;
        DONE(cufftPlanMany(&plan, 2, n, given & 1 ? from : NULL, 2, 50, given & 2 ? to : NULL, 3,
                           40, CUFFT_C2C, 2));
        for (int k = 0; k < 256; k++) {
            in[k].x = (float)(k % 11), in[k].y = (float)(k % 5);
            out[k].x = out[k].y = (float)UNTOUCHED;
        }
        DONE(cufftExecC2C(plan, in, out, CUFFT_FORWARD));
        int written = 0;
        for (int batch = 0; batch < 2; batch++)
            for (int k = 0; k < 6; k++) {
                double re = 0, im = 0;
                for (int j = 0; j < 6; j++) {
                    const double angle =
                        -2 * M_PI * ((double)(j / 3 * (k / 3)) / 2 + (double)(j % 3 * (k % 3)) / 3);
                    const cufftComplex x =
                        in[both ? (j / 3 * 5 + j % 3) * 2 + batch * 50 : j + batch * 6];
                    re += x.x * cos(angle) - x.y * sin(angle);
                    im += x.x * sin(angle) + x.y * cos(angle);
                }
                const cufftComplex got =
                    out[both ? (k / 3 * 4 + k % 3) * 3 + batch * 40 : k + batch * 6];
                if (hypot(got.x - re, got.y - im) > 1e-4)
                    fail_msg("given %d, batch %d, number %d", given, batch, k);
            }
        for (int k = 0; k < 256; k++)
            written += out[k].x != (float)UNTOUCHED;
        assert_int_equal(written, 12);
        DONE(cufftDestroy(plan));
    }
}

/* Of real numbers the first half of the last dimension, rounded up, is there. */
static void test_real(void **state) {
    static const int sizes[][2] = {{1, 1}, {1, 2}, {1, 7}, {1, 8}, {3, 4}, {2, 5}};
    double *real = managed(256 * sizeof *real), *back = managed(256 * sizeof *back);
    cufftDoubleComplex *half = managed(256 * sizeof *half);
    (void)state;
    for (int i = 0; i < COUNT(sizes); i++) {
        const int x = sizes[i][0], y = sizes[i][1], last = y / 2 + 1;
        cufftHandle there, home;
        DONE(cufftPlan2d(&there, x, y, CUFFT_D2Z));
        DONE(cufftPlan2d(&home, x, y, CUFFT_Z2D));
        for (int k = 0; k < 256; k++)
            real[k] = k * 7 % 11 - 4, back[k] = half[k].x = UNTOUCHED;
        DONE(cufftExecD2Z(there, real, half));
        for (int k = 0; k < x * last; k++) {
            double re = 0, im = 0;
            for (int j = 0; j < x * y; j++) {
                const double turns =
                    (double)(j / y * (k / last)) / x + (double)(j % y * (k % last)) / y;
                re += real[j] * cos(2 * M_PI * turns);
                im -= real[j] * sin(2 * M_PI * turns);
            }
            assert_true(hypot(half[k].x - re, half[k].y - im) < 1e-9);
        }
        assert_true(half[x * last].x == UNTOUCHED);
        DONE(cufftExecZ2D(home, half, back));
        for (int k = 0; k < x * y; k++)
            assert_true(fabs(back[k] - x * y * real[k]) < 1e-9);
        assert_true(back[x * y] == UNTOUCHED);
        DONE(cufftDestroy(there));
        GIVES(CUFFT_INVALID_PLAN, cufftDestroy(there));
        DONE(cufftDestroy(home));
    }
    GIVES(CUFFT_INVALID_PLAN, cufftDestroy(0));
    GIVES(CUFFT_INVALID_PLAN, cufftSetStream(0, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_products), API_TEST(test_vectors), API_TEST(test_transforms),
        API_TEST(test_layouts),  API_TEST(test_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
