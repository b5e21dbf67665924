/*
 * test_api_fft.c - cuFFT where test_api_sparse.c does not look: in place, whose lines of real
 * numbers have room for n / 2 + 1 complex ones ("cuFFT Library", "Data Layout"), storage of three
 * dimensions, handles, and what is refused.
 */
#include "api_device.h"

#include <cufft.h>
#include <math.h>
#include <string.h>

#define UNTOUCHED 99.0F

static void *managed(size_t bytes) {
    void *memory;
    DONE(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal));
    memset(memory, 0, bytes);
    return memory;
}

/* How far x y z numbers' indices j and k turn. */
static double turns(const int n[3], int j, int k) {
    return (double)(j / n[2] / n[1] * (k / n[2] / n[1])) / n[0] +
           (double)(j / n[2] % n[1] * (k / n[2] % n[1])) / n[1] +
           (double)(j % n[2] * (k % n[2])) / n[2];
}

/* Real numbers in single precision, there and back, two of a batch: in place and not. */
static void test_real_in_place(void **state) {
    static const int sizes[][3] = {{1, 1, 1}, {1, 1, 7}, {1, 1, 8}, {1, 1, 67},
                                   {1, 4, 5}, {1, 3, 4}, {3, 2, 5}, {2, 3, 6}};
    float *real = managed(512 * sizeof *real), *half = managed(512 * sizeof *half);
    float *back = managed(512 * sizeof *back);
    (void)state;
    for (int i = 0; i < COUNT(sizes); i++)
        for (int in_place = 0; in_place < 2; in_place++) {
            int n[] = {sizes[i][0], sizes[i][1], sizes[i][2]};
            const int rank = n[0] > 1 ? 3 : n[1] > 1 ? 2 : 1, all = n[0] * n[1] * n[2];
            const int last = n[2] / 2 + 1, line = in_place ? 2 * last : n[2];
            const int lines = n[0] * n[1];
            float value[512];
            cufftHandle there, home;
            DONE(cufftPlanMany(&there, rank, n + 3 - rank, NULL, 1, 0, NULL, 1, 0, CUFFT_R2C, 2));
            DONE(cufftPlanMany(&home, rank, n + 3 - rank, NULL, 1, 0, NULL, 1, 0, CUFFT_C2R, 2));
            for (int k = 0; k < 512; k++)
                real[k] = half[k] = back[k] = UNTOUCHED;
            for (int k = 0; k < 2 * all; k++) {
                value[k] = (float)(k * 7 % 11 - 4);
                real[k / n[2] * line + k % n[2]] = value[k];
            }
            float *to = in_place ? real : half, *again = in_place ? real : back;
            DONE(cufftExecR2C(there, real, (cufftComplex *)(void *)to));
            for (int k = 0; k < 2 * lines * last; k++) {
                const int at = k / last % lines * n[2] + k % last;
                double re = 0, im = 0;
                for (int j = 0; j < all; j++) {
                    const double x = value[k / last / lines * all + j];
                    re += x * cos(2 * M_PI * turns(n, j, at));
                    im -= x * sin(2 * M_PI * turns(n, j, at));
                }
                if (hypot(to[(ptrdiff_t)2 * k] - re, to[2 * k + 1] - im) > 1e-4)
                    fail_msg("size %d, %d: number %d", i, in_place, k);
            }
            assert_true(to[(ptrdiff_t)4 * lines * last] == UNTOUCHED);
            DONE(cufftExecC2R(home, (cufftComplex *)(void *)to, again));
            for (int k = 0; k < 2 * all; k++)
                if (fabsf(again[k / n[2] * line + k % n[2]] - (float)all * value[k]) > 1e-3F)
                    fail_msg("size %d, %d: number %d back", i, in_place, k);
            assert_true(again[(ptrdiff_t)2 * lines * line] == UNTOUCHED);
            DONE(cufftDestroy(there));
            DONE(cufftDestroy(home));
        }
}

/* Element (x, y, z) of batch b is at b distance + ((x embed[1] + y) embed[2] + z) stride. */
static void test_storage(void **state) {
    enum { DISTANCE = 250, TO = 130, ROOM = 512 };
    int n[] = {2, 3, 2}, from[] = {9, 5, 4}, to[] = {1, 3, 3}; /* the first counts for nothing */
    cufftDoubleComplex *in = managed(ROOM * sizeof *in), *out = managed(ROOM * sizeof *out);
    cufftHandle plan;
    (void)state;
    DONE(cufftPlanMany(&plan, 3, n, from, 3, DISTANCE, to, 2, TO, CUFFT_Z2Z, 2));
    for (int k = 0; k < ROOM; k++) {
        in[k].x = k * 7 % 13, in[k].y = k * 5 % 17;
        out[k].x = out[k].y = UNTOUCHED;
    }
    DONE(cufftExecZ2Z(plan, in, out, CUFFT_INVERSE));
    int written = 0;
    for (int k = 0; k < 24; k++) {
        double re = 0, im = 0;
        for (int j = 0; j < 12; j++) {
            const cufftDoubleComplex x =
                in[k / 12 * DISTANCE + ((j / 6 * 5 + j / 2 % 3) * 4 + j % 2) * 3];
            const double angle = 2 * M_PI * turns(n, j, k % 12);
            re += x.x * cos(angle) - x.y * sin(angle);
            im += x.x * sin(angle) + x.y * cos(angle);
        }
        const int i = k % 12;
        const cufftDoubleComplex got = out[k / 12 * TO + ((i / 6 * 3 + i / 2 % 3) * 3 + i % 2) * 2];
        assert_true(hypot(got.x - re, got.y - im) < 1e-9);
    }
    for (int k = 0; k < ROOM; k++)
        written += out[k].x != UNTOUCHED;
    assert_int_equal(written, 24);
    DONE(cufftDestroy(plan));
}

static void test_refused(void **state) {
    cufftHandle plan, other;
    cufftComplex *data = managed(64 * sizeof *data);
    int n[] = {4, 4, 4}, zero[] = {4, 0}, version = 0;
    size_t size = 9;
    (void)state;
    DONE(cufftCreate(&plan));
    DONE(cufftCreate(&other));
    assert_int_not_equal(plan, other);
    GIVES(CUFFT_INVALID_PLAN, cufftExecC2C(plan, data, data, CUFFT_FORWARD)); /* not made yet */
    GIVES(CUFFT_INVALID_VALUE,
          cufftMakePlanMany(plan, 1, NULL, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 1, NULL));
    GIVES(CUFFT_INVALID_VALUE,
          cufftMakePlanMany(plan, 0, n, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 1, NULL));
    GIVES(CUFFT_INVALID_VALUE,
          cufftMakePlanMany(plan, 4, n, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 1, NULL));
    GIVES(CUFFT_INVALID_VALUE, cufftMakePlanMany(plan, 1, n, n, 0, 4, n, 1, 4, CUFFT_C2C, 1, NULL));
    GIVES(CUFFT_INVALID_VALUE, cufftMakePlanMany(plan, 1, n, n, 1, 4, n, 0, 4, CUFFT_C2C, 1, NULL));
    GIVES(CUFFT_INVALID_VALUE,
          cufftMakePlanMany(plan, 1, n, n, 1, -1, n, 1, 4, CUFFT_C2C, 1, NULL));
    GIVES(CUFFT_INVALID_SIZE,
          cufftMakePlanMany(plan, 2, zero, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 1, NULL));
    GIVES(CUFFT_INVALID_SIZE, cufftMakePlan1d(plan, 4, CUFFT_C2C, 0, NULL));
    GIVES(CUFFT_INVALID_TYPE, cufftMakePlan1d(plan, 4, (cufftType)1, 1, NULL));
    GIVES(CUFFT_SUCCESS, cufftMakePlan1d(plan, 4, CUFFT_C2C, 1, &size));
    assert_true(size != 9);
    GIVES(CUFFT_INVALID_PLAN, cufftMakePlan1d(plan, 4, CUFFT_C2C, 1, NULL)); /* made already */
    GIVES(CUFFT_INVALID_TYPE, cufftExecR2C(plan, (cufftReal *)data, data));
    GIVES(CUFFT_INVALID_VALUE, cufftExecC2C(plan, NULL, data, CUFFT_FORWARD));
    GIVES(CUFFT_INVALID_VALUE, cufftExecC2C(plan, data, NULL, CUFFT_FORWARD));
    GIVES(CUFFT_INVALID_VALUE, cufftExecC2C(plan, data, data, 0));
    GIVES(CUFFT_INVALID_VALUE, cufftExecC2C(plan, data, data, 2));
    data[0].x = 1;
    GIVES(CUFFT_SUCCESS, cufftExecC2C(plan, data, data, CUFFT_FORWARD));
    for (int k = 0; k < 5; k++) /* of one 1, in place, all are 1 */
        assert_true(data[k].x == (k < 4 ? 1 : 0) && data[k].y == 0);
    GIVES(CUFFT_SUCCESS, cufftDestroy(plan));
    GIVES(CUFFT_INVALID_PLAN, cufftExecC2C(plan, data, data, CUFFT_FORWARD));
    GIVES(CUFFT_INVALID_PLAN, cufftExecC2C(other, data, data, CUFFT_FORWARD));
    GIVES(CUFFT_SUCCESS, cufftDestroy(other));
    GIVES(CUFFT_INVALID_VALUE, cufftCreate(NULL));
    GIVES(CUFFT_SUCCESS, cufftGetProperty(MAJOR_VERSION, &version));
    assert_int_equal(version, CUFFT_VER_MAJOR);
    GIVES(CUFFT_SUCCESS, cufftGetProperty(PATCH_LEVEL, &version));
    assert_int_equal(version, CUFFT_VER_PATCH);
    GIVES(CUFFT_INVALID_VALUE, cufftGetProperty((libraryPropertyType)3, &version));
    GIVES(CUFFT_INVALID_VALUE, cufftGetProperty(MAJOR_VERSION, NULL));
    GIVES(CUFFT_SUCCESS, cufftGetVersion(&version));
    assert_int_equal(version, CUFFT_VERSION);
    GIVES(CUFFT_INVALID_VALUE, cufftGetVersion(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_real_in_place),
        API_TEST(test_storage),
        API_TEST(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
