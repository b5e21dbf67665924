/*
 * test_blas.c - cuBLAS: the sizes that each function accepts, and products compared with plain
 * loops, in all types and with gaps between matrices. "cuBLAS Library", each function's arguments
 * and return values.
 */
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <cublas_v2.h>
#include <stdlib.h>
#include <string.h>

enum { OK = CUBLAS_STATUS_SUCCESS, BAD = CUBLAS_STATUS_INVALID_VALUE };
enum function { GEMV, GER, GEMM, BATCHED, STRIDED, EX, GEAM, SYRK, TRSM, DGMM, FUNCTIONS };
#define OP(transposed) ((transposed) ? CUBLAS_OP_T : CUBLAS_OP_N)
#define ROOM           256 /* in numbers */

struct sizes {
    int m, n, k, lda, ldb, ldc, incx, incy, count;
    bool ta, tb; /* for trsm and dgmm, ta: from the right */
    bool has_alpha, has_beta;
};

static cublasHandle_t handle;
static char *room[4]; /* A, B, C, x and y */

static int begin(void **state) {
    api_begin_test(state);
    for (int i = 0; i < 4; i++) {
        DONE(cudaMallocManaged((void **)&room[i], ROOM * sizeof(double), cudaMemAttachGlobal));
        memset(room[i], 0, ROOM * sizeof(double));
    }
    return cublasCreate(&handle);
}
static int end(void **state) {
    cublasDestroy(handle);
    return api_end_test(state);
}

#define CALL(S, REAL)                                                                              \
    static int call_##S(enum function function, const struct sizes *s) {                           \
        static const REAL one = 1, zero = 0;                                                       \
        const REAL *alpha = s->has_alpha ? &one : NULL, *beta = s->has_beta ? &zero : NULL;        \
        REAL *A = (REAL *)room[0], *B = (REAL *)room[1], *C = (REAL *)room[2];                     \
        REAL *x = (REAL *)room[3], *y = x + 100;                                                   \
        const REAL *as[] = {A}, *bs[] = {B};                                                       \
        REAL *const cs[] = {C};                                                                    \
        const cudaDataType type = sizeof(REAL) == 8 ? CUDA_R_64F : CUDA_R_32F;                     \
        const cublasSideMode_t side = s->ta ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;                \
        for (int i = 0; i < 16; i++)                                                               \
            A[i * 17] = 1; /* trsm divides */                                                      \
        switch (function) {                                                                        \
        case GEMV:                                                                                 \
            return cublas##S##gemv(handle, OP(s->ta), s->m, s->n, alpha, A, s->lda, x, s->incx,    \
                                   beta, y, s->incy);                                              \
        case GER:                                                                                  \
            return cublas##S##ger(handle, s->m, s->n, alpha, x, s->incx, y, s->incy, C, s->lda);   \
        case GEMM:                                                                                 \
            return cublas##S##gemm(handle, OP(s->ta), OP(s->tb), s->m, s->n, s->k, alpha, A,       \
                                   s->lda, B, s->ldb, beta, C, s->ldc);                            \
        case BATCHED:                                                                              \
            return cublas##S##gemmBatched(handle, OP(s->ta), OP(s->tb), s->m, s->n, s->k, alpha,   \
                                          as, s->lda, bs, s->ldb, beta, cs, s->ldc, s->count);     \
        case STRIDED:                                                                              \
            return cublas##S##gemmStridedBatched(handle, OP(s->ta), OP(s->tb), s->m, s->n, s->k,   \
                                                 alpha, A, s->lda, 0, B, s->ldb, 0, beta, C,       \
                                                 s->ldc, 0, s->count);                             \
        case EX:                                                                                   \
            return cublasGemmStridedBatchedEx(                                                     \
                handle, OP(s->ta), OP(s->tb), s->m, s->n, s->k, alpha, A, type, s->lda, 0, B,      \
                type, s->ldb, 0, beta, C, type, s->ldc, 0, s->count,                               \
                sizeof(REAL) == 8 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT); \
        case GEAM:                                                                                 \
            return cublas##S##geam(handle, OP(s->ta), OP(s->tb), s->m, s->n, alpha, A, s->lda,     \
                                   beta, B, s->ldb, C, s->ldc);                                    \
        case SYRK:                                                                                 \
            return cublas##S##syrk(handle, CUBLAS_FILL_MODE_LOWER, OP(s->ta), s->n, s->k, alpha,   \
                                   A, s->lda, beta, C, s->ldc);                                    \
        case TRSM:                                                                                 \
            return cublas##S##trsm(handle, side, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,              \
                                   CUBLAS_DIAG_UNIT, s->m, s->n, alpha, A, s->lda, C, s->ldc);     \
        default:                                                                                   \
            return cublas##S##dgmm(handle, side, s->m, s->n, A, s->lda, x, s->incx, C, s->ldc);    \
        }                                                                                          \
    }
CALL(S, float)
CALL(D, double)

/* The arguments that each function checks: letters of the sizes, and the rows that a leading
 * dimension must hold, plain and transposed (or from the left and from the right). */
static const struct {
    const char *sizes, *lda, *ldb, *ldc;
    bool incx, incy, alpha, beta;
} rules[FUNCTIONS] = {
    [GEMV] = {"mn", "mm", NULL, NULL, true, true, true, true},
    [GER] = {"mn", "mm", NULL, NULL, true, true, true, false},
    [GEMM] = {"mnk", "mk", "kn", "mm", false, false, true, true},
    [BATCHED] = {"mnkc", "mk", "kn", "mm", false, false, true, true},
    [STRIDED] = {"mnkc", "mk", "kn", "mm", false, false, true, true},
    [EX] = {"mnkc", "mk", "kn", "mm", false, false, true, true},
    [GEAM] = {"mn", "mn", "mn", "mm", false, false, true, true},
    [SYRK] = {"nk", "nk", NULL, "nn", false, false, true, true},
    [TRSM] = {"mn", "mn", NULL, "mm", false, false, true, false},
    [DGMM] = {"mn", "mm", NULL, "mm", false, false, false, false},
};

static int *size_of(struct sizes *s, char letter) {
    return letter == 'm' ? &s->m : letter == 'n' ? &s->n : letter == 'k' ? &s->k : &s->count;
}

static void expect(enum function function, const struct sizes *s, int wanted, const char *what) {
    const int single = call_S(function, s), wide = call_D(function, s);
    if (single != wanted || wide != wanted)
        fail_msg("function %d, %s: %d and %d, not %d", function, what, single, wide, wanted);
}

/* The smallest valid leading dimensions. */
static void fit(struct sizes *s, enum function function) {
    int *const ld[] = {&s->lda, &s->ldb, &s->ldc};
    const char *const rows[] = {rules[function].lda, rules[function].ldb, rules[function].ldc};
    const bool turned[] = {s->ta, s->tb, false};
    for (int i = 0; i < 3; i++) {
        const int least = rows[i] ? *size_of(s, rows[i][turned[i]]) : 0;
        *ld[i] = least > 1 ? least : 1;
    }
}

static void test_sizes(void **state) {
    const int given[] = {2, 3, 4, 1, 0};
    (void)state;
    for (enum function f = GEMV; f < FUNCTIONS; f++)
        for (int shape = 0; shape < 5 * 4; shape++) {
            struct sizes s = {
                .incx = 1, .incy = 1, .count = 1, .has_alpha = true, .has_beta = true};
            s.m = given[shape / 4], s.n = given[(shape / 4 + 1) % 5],
            s.k = given[(shape / 4 + 2) % 5];
            s.ta = shape & 1, s.tb = shape & 2;
            fit(&s, f);
            const struct sizes right = s;
            expect(f, &s, OK, "all right");
            for (const char *at = rules[f].sizes; *at; at++) {
                *size_of(&s, *at) = 0; /* there is nothing to do */
                expect(f, &s, OK, "0");
                *size_of(&s, *at) = -1;
                expect(f, &s, BAD, "-1");
                s = right;
            }
            int *const ld[] = {&s.lda, &s.ldb, &s.ldc};
            const bool looks[] = {true, rules[f].ldb, rules[f].ldc};
            for (int i = 0; i < 3; i++) {
                ++*ld[i];
                expect(f, &s, OK, "more rows");
                *ld[i] -= 2;
                expect(f, &s, looks[i] ? BAD : OK, "fewer rows");
                s = right;
            }
            s.incx = 0;
            if (rules[f].incx)
                expect(f, &s, BAD, "a stride of 0 in x");
            s = right, s.incy = 0;
            if (rules[f].incy)
                expect(f, &s, BAD, "a stride of 0 in y");
            s = right, s.has_alpha = false;
            if (rules[f].alpha)
                expect(f, &s, BAD, "no alpha");
            s = right, s.has_beta = false;
            if (rules[f].beta)
                expect(f, &s, BAD, "no beta");
            s = right;
            cublasHandle_t kept = handle;
            handle = NULL;
            expect(f, &s, CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
            handle = kept;
        }
}

/* ---- products ---- */

static const struct {
    cudaDataType type;
    cublasComputeType_t compute;
    size_t size;
} types[] = {{CUDA_R_64F, CUBLAS_COMPUTE_64F, 8},
             {CUDA_R_32F, CUBLAS_COMPUTE_32F, 4},
             {CUDA_R_16F, CUBLAS_COMPUTE_32F, 2},
             {CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2},
             {CUDA_R_16F, CUBLAS_COMPUTE_16F, 2}};

/* Stores whole numbers from -32 to 32, which all types can represent, and reads them back. */
static void put(void *matrix, int type, int at, int value) {
    const double wide = value;
    const float single = (float)value;
    uint32_t bits;
    uint16_t half = 0;
    memcpy(&bits, &single, 4);
    if (type == 3)
        half = (uint16_t)(bits >> 16);
    else if (bits << 1) /* changes the exponent's bias from 127 to 15 */
        half = (uint16_t)(bits >> 16 & 0x8000) | (uint16_t)(((bits & 0x7fffffff) >> 13) - 0x1c000);
    const void *const from[] = {&wide, &single, &half, &half, &half};
    memcpy((char *)matrix + (size_t)at * types[type].size, from[type], types[type].size);
}
static int get(const void *matrix, int type, int at) {
    char wanted[8], found[8];
    memcpy(found, (const char *)matrix + (size_t)at * types[type].size, types[type].size);
    for (int value = -2000; value <= 2000; value++) {
        put(wanted, type, 0, value);
        if (memcmp(wanted, found, types[type].size) == 0)
            return value;
    }
    return 9999;
}

/* op(A) op(B) of 2 by 3 and 3 by 2, twice, with gaps between columns and between matrices, which
 * stay unchanged. */
static void test_products(void **state) {
    enum { M = 2, N = 2, K = 3, LD = 5, STEP = 25, UNTOUCHED = 31 };
    static const double alpha = 2, beta = -1;
    static const float single_alpha = 2, single_beta = -1;
    static const uint16_t half_alpha = 0x4000, half_beta = 0xbc00;
    (void)state;
    for (int type = 0; type < COUNT(types); type++)
        for (int turned = 0; turned < 4; turned++) {
            const bool ta = turned & 1, tb = turned & 2;
            const void *const scalars[][2] = {
                {&alpha, &beta}, {&single_alpha, &single_beta}, {&half_alpha, &half_beta}};
            const void *const *scalar = scalars[type == 0 ? 0 : type < 4 ? 1 : 2];
            for (int i = 0; i < 2 * STEP; i++) {
                put(room[0], type, i, i % 7 - 3);
                put(room[1], type, i, i % 5 - 2);
                put(room[2], type, i, UNTOUCHED);
            }
            for (int b = 0; b < 2; b++)
                for (int i = 0; i < M * N; i++)
                    put(room[2], type, b * STEP + i % M + i / M * LD, i - 1);
            GIVES(OK, cublasGemmStridedBatchedEx(
                          handle, OP(ta), OP(tb), M, N, K, scalar[0], room[0], types[type].type, LD,
                          STEP, room[1], types[type].type, LD, STEP, scalar[1], room[2],
                          types[type].type, LD, STEP, 2, types[type].compute, CUBLAS_GEMM_DEFAULT));
            for (int b = 0; b < 2; b++)
                for (int at = 0; at < STEP; at++) {
                    const int i = at % LD, j = at / LD;
                    int wanted = UNTOUCHED;
                    if (i < M && j < N) {
                        wanted = -(i + j * M - 1);
                        for (int l = 0; l < K; l++)
                            wanted += 2 * ((b * STEP + (ta ? l + i * LD : i + l * LD)) % 7 - 3) *
                                      ((b * STEP + (tb ? j + l * LD : l + j * LD)) % 5 - 2);
                    }
                    if (get(room[2], type, b * STEP + at) != wanted)
                        fail_msg("type %d, %d: (%d, %d) of %d: %d, not %d", type, turned, i, j, b,
                                 get(room[2], type, b * STEP + at), wanted);
                }
        }
}

/* The same with the plain functions: one product, and two whose matrices are given by address. */
static void test_batches(void **state) {
    enum { M = 2, N = 2, K = 3, LD = 3, UNTOUCHED = 31 };
    static const double one = 1, zero = 0;
    double *A = (double *)room[0], *B = (double *)room[1], *C = (double *)room[2];
    double **lists;
    (void)state;
    DONE(cudaMallocManaged((void **)&lists, 6 * sizeof *lists, cudaMemAttachGlobal));
    for (int i = 0; i < 50; i++)
        A[i] = i % 7 - 3, B[i] = i % 5 - 2;
    for (int i = 0; i < 2; i++)
        lists[i] = A + 20 * i, lists[2 + i] = B + 25 * i, lists[4 + i] = C + 10 * i;
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < ROOM; i++)
            C[i] = UNTOUCHED;
        if (way)
            GIVES(OK, cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, A, LD, B, LD,
                                  &zero, C, LD));
        else
            GIVES(OK, cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one,
                                         (const double *const *)lists, LD,
                                         (const double *const *)lists + 2, LD, &zero, lists + 4, LD,
                                         2));
        for (int at = 0; at < 40; at++) {
            const int b = at / 10, i = at % 10 % LD, j = at % 10 / LD;
            double wanted = UNTOUCHED;
            if (b < 2 - way && i < M && j < N) {
                wanted = 0;
                for (int l = 0; l < K; l++)
                    wanted += A[20 * b + i + l * LD] * B[25 * b + l + j * LD];
            }
            assert_true(C[at] == wanted);
        }
    }
}

/* ---- copies, and the state of a handle ---- */

static void test_copies(void **state) {
    float host[24], back[24];
    float *device = (float *)room[0];
    (void)state;
    for (int i = 0; i < 24; i++)
        host[i] = (float)i;
    for (int late = 0; late < 2; late++) {
        memset(device, 0, 96);
        memset(back, 0, sizeof back);
        GIVES(OK, late ? cublasSetVectorAsync(4, 4, host, 2, device, 3, NULL)
                       : cublasSetVector(4, 4, host, 2, device, 3));
        for (int i = 0; i < 12; i++)
            assert_true(device[i] == (i % 3 ? 0 : (float)(i / 3 * 2)));
        GIVES(OK, late ? cublasGetVectorAsync(4, 4, device, 3, back, 1, NULL)
                       : cublasGetVector(4, 4, device, 3, back, 1));
        for (int i = 0; i < 5; i++)
            assert_true(back[i] == (i < 4 ? (float)(2 * i) : 0));
        memset(device, 0, 96);
        GIVES(OK, late ? cublasSetMatrixAsync(2, 3, 4, host, 4, device, 3, NULL)
                       : cublasSetMatrix(2, 3, 4, host, 4, device, 3));
        for (int i = 0; i < 12; i++)
            assert_true(device[i] == (i < 9 && i % 3 < 2 ? (float)(i / 3 * 4 + i % 3) : 0));
        GIVES(OK, late ? cublasGetMatrixAsync(2, 3, 4, device, 3, back, 2, NULL)
                       : cublasGetMatrix(2, 3, 4, device, 3, back, 2));
        for (int i = 0; i < 6; i++)
            assert_true(back[i] == (float)(i / 2 * 4 + i % 2));
    }
    GIVES(OK, cublasSetVector(0, 4, host, 1, device, 1));
    GIVES(BAD, cublasSetVector(-1, 4, host, 1, device, 1));
    GIVES(BAD, cublasSetVector(1, 0, host, 1, device, 1));
    GIVES(BAD, cublasSetVector(1, 4, host, 0, device, 1));
    GIVES(BAD, cublasGetVector(1, 4, device, 1, back, 0));
}

static void test_handle(void **state) {
    static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    cublasHandle_t other;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math;
    cudaStream_t stream, told;
    int value = 0;
    (void)state;
    GIVES(BAD, cublasCreate(NULL));
    GIVES(OK, cublasCreate(&other));
    DONE(cudaStreamCreate(&stream));
    GIVES(OK, cublasSetStream(other, stream));
    GIVES(OK, cublasGetStream(other, &told));
    assert_ptr_equal(told, stream);
    GIVES(OK, cublasGetStream(handle, &told)); /* each has its own */
    assert_null(told);
    GIVES(OK, cublasSetPointerMode(other, CUBLAS_POINTER_MODE_DEVICE));
    GIVES(OK, cublasGetPointerMode(other, &pointer_mode));
    assert_int_equal(pointer_mode, CUBLAS_POINTER_MODE_DEVICE);
    GIVES(OK, cublasSetMathMode(other, CUBLAS_PEDANTIC_MATH));
    GIVES(OK, cublasGetMathMode(other, &math));
    assert_int_equal(math, CUBLAS_PEDANTIC_MATH);
    GIVES(BAD, cublasGetStream(other, NULL));
    GIVES(BAD, cublasGetMathMode(other, NULL));
    GIVES(OK, cublasDestroy(other));
    GIVES(CUBLAS_STATUS_NOT_INITIALIZED, cublasDestroy(NULL));
    GIVES(CUBLAS_STATUS_NOT_INITIALIZED, cublasSetStream(NULL, stream));
    GIVES(CUBLAS_STATUS_NOT_INITIALIZED, cublasGetStream(NULL, &told));
    GIVES(CUBLAS_STATUS_NOT_INITIALIZED, cublasSetWorkspace(NULL, NULL, 0));
    GIVES(CUBLAS_STATUS_NOT_INITIALIZED, cublasSetAtomicsMode(NULL, CUBLAS_ATOMICS_ALLOWED));
    GIVES(OK, cublasSetWorkspace(handle, NULL, 0));
    GIVES(OK, cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
    GIVES(OK, cublasGetVersion(handle, &value));
    assert_int_equal(value, CUBLAS_VERSION);
    for (int i = 0; i < 3; i++) {
        GIVES(OK, cublasGetProperty((libraryPropertyType)i, &value));
        assert_int_equal(value, parts[i]);
    }
    GIVES(BAD, cublasGetProperty((libraryPropertyType)3, &value));
    GIVES(BAD, cublasGetProperty(MAJOR_VERSION, NULL));
    GIVES(BAD, cublasGetVersion(handle, NULL));
    assert_string_equal(cublasGetStatusName(CUBLAS_STATUS_SUCCESS), "CUBLAS_STATUS_SUCCESS");
    assert_string_equal(cublasGetStatusString(CUBLAS_STATUS_SUCCESS), "success");
}

#define BLAS_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        BLAS_TEST(test_sizes),  BLAS_TEST(test_products), BLAS_TEST(test_batches),
        BLAS_TEST(test_copies), BLAS_TEST(test_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
