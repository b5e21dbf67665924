/*
 * test_grid_reduce.c - sums of n values by a grid, for every n, shape and schedule, against a plain
 * loop. The values are small integers of both signs, so that every partial sum is exact in a
 * float, too, in whatever order it is added up, and must be right to the last bit.
 */
#include "memory_sink.h"

#include "shflviz/reduction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <cuda_runtime_api.h>

extern const struct shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_warp);
extern const struct shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_block);
extern const struct shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_vector);
extern const struct shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_half);
extern const struct shflviz_reduction SHFLVIZ_REDUCTION(grid_reduce_bug);
extern const struct shflviz_reduction SHFLVIZ_REDUCTION(grid_allreduce);

/* Programs whose result is one sum of any type; grid_allreduce also gives it to every thread. */
static const struct shflviz_reduction *const reductions[] = {
    &SHFLVIZ_REDUCTION(grid_reduce_warp), &SHFLVIZ_REDUCTION(grid_reduce_block),
    &SHFLVIZ_REDUCTION(grid_reduce_vector), &SHFLVIZ_REDUCTION(grid_allreduce)};
#define REDUCTIONS (sizeof reductions / sizeof reductions[0])

static const enum warp_type types[] = {WARP_TYPE_INT, WARP_TYPE_FLOAT, WARP_TYPE_HALF};
static const size_t counts[] = {0, 1, 2, 31, 32, 33, 35, 1000, 4096 + 3};
static const struct shape {
    unsigned blocks, threads;
} shapes[] = {{1, 1}, {1, 32}, {1, 35}, {2, 64}, {3, 35}, {5, 7}, {2, 257}};
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define SEEDS         20

#define COUNT_MAX 4200
#define SUMS_MAX  (1 + 2 * 257)

/* ---- values ---- */

/* -3..3, with no period that a grid or a vector could have. */
static int value_at(size_t i) {
    uint32_t mixed = (uint32_t)i * 2654435761u;
    return (int)((mixed ^ mixed >> 15) % 7) - 3;
}

/* An integer of at most 2048 as a half: its magnitude's leading bit is the hidden bit. */
static uint16_t half_of(int value) {
    unsigned magnitude = (unsigned)abs(value), exponent = 10;
    if (magnitude == 0)
        return 0;
    for (; magnitude > 2047; exponent++)
        magnitude >>= 1;
    for (; magnitude < 1024; exponent--)
        magnitude <<= 1;
    return (uint16_t)((value < 0 ? 0x8000u : 0) | (exponent + 15) << 10 | (magnitude & 1023));
}

static size_t type_size(enum warp_type type) {
    return type == WARP_TYPE_HALF ? 2 : 4;
}

static void value_store(enum warp_type type, void *values, size_t i, int value) {
    uint16_t half = half_of(value);
    float real = (float)value;
    const void *bits = type == WARP_TYPE_HALF    ? (const void *)&half
                       : type == WARP_TYPE_FLOAT ? (const void *)&real
                                                 : (const void *)&value;
    memcpy((char *)values + i * type_size(type), bits, type_size(type));
}

static double sum_load(enum warp_type type, const void *sums, size_t i) {
    int whole;
    float real;
    memcpy(&whole, (const char *)sums + 4 * i, 4);
    memcpy(&real, (const char *)sums + 4 * i, 4);
    return type == WARP_TYPE_INT ? whole : (double)real;
}

static double expected_sum(size_t n) {
    long long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value_at(i);
    return (double)sum;
}

/* ---- running ---- */

/* A separate device for each run, with room for values and sums. */
struct run {
    struct cpu_device *device;
    void *in, *sums;
};

static void run_begin(struct run *run, uint64_t schedule, const struct cpu_sink *sink,
                      size_t in_bytes, size_t sums) {
    const struct cpu_options options = {
        .settings.schedule = schedule, .settings.poison = 0xbad, .sink = sink};
    run->device = cpu_device_create(&options);
    cpu_device_use(run->device);
    assert_int_equal(cudaMalloc(&run->in, in_bytes), 0);
    assert_int_equal(cudaMalloc(&run->sums, 4 * sums), 0);
    memset(run->sums, 0, 4 * sums);
}

static void run_end(struct run *run) {
    cpu_device_use(NULL);
    cpu_device_destroy(run->device);
}

static void assert_sum(const struct shflviz_reduction *reduction, enum warp_type type, size_t n,
                       struct shape shape, uint64_t schedule, const void *sums) {
    size_t copies =
        reduction == &SHFLVIZ_REDUCTION(grid_allreduce) ? (size_t)shape.blocks * shape.threads : 0;
    for (size_t i = 0; i <= copies; i++)
        if (sum_load(type, sums, i) != expected_sum(n))
            fail_msg("%s: sum %zu of %zu values of type %s by %u blocks of %u threads, schedule "
                     "%u: %g, not %g",
                     reduction->name, i, n, warp_type_info(type)->name, shape.blocks, shape.threads,
                     (unsigned)schedule, sum_load(type, sums, i), expected_sum(n));
}

/* One sum of n values that begin `offset` values after an address that is a multiple of 16. */
static void check(const struct run *run, uint64_t schedule,
                  const struct shflviz_reduction *reduction, enum warp_type type, size_t n,
                  size_t offset, struct shape shape) {
    char *first = (char *)run->in + offset * type_size(type);
    for (size_t i = 0; i < n; i++)
        value_store(type, first, i, value_at(i));
    memset(run->sums, 0, 4 * SUMS_MAX);
    assert_int_equal(reduction->launch(type, first, n, run->sums, shape.blocks, shape.threads), 0);
    assert_sum(reduction, type, n, shape, schedule, run->sums);
}

static void test_any_number_by_any_shape(void **state) {
    (void)state;
    struct run run;
    run_begin(&run, 0, NULL, 4 * COUNT_MAX, SUMS_MAX);
    for (size_t r = 0; r < REDUCTIONS; r++)
        for (size_t t = 0; t < LENGTH(types); t++)
            for (size_t c = 0; c < LENGTH(counts); c++)
                for (size_t s = 0; s < LENGTH(shapes); s++)
                    check(&run, 0, reductions[r], types[t], counts[c], 0, shapes[s]);
    run_end(&run);
}

static void test_any_schedule(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct run run;
        run_begin(&run, seed, NULL, 4 * COUNT_MAX, SUMS_MAX);
        for (size_t r = 0; r < REDUCTIONS; r++)
            for (size_t c = 0; c < LENGTH(counts); c++)
                for (size_t s = 1; s < LENGTH(shapes); s++)
                    check(&run, seed, reductions[r], types[(c + s + seed) % LENGTH(types)],
                          counts[c], 0, shapes[s]);
        run_end(&run);
    }
}

/* Values before the first multiple of 16, values after the last whole vector, both, neither, and no
 * whole vector in between. */
static void test_values_at_any_address(void **state) {
    (void)state;
    static const struct shape shape = {2, 33};
    struct run run;
    run_begin(&run, 0, NULL, 4 * COUNT_MAX, SUMS_MAX);
    for (size_t r = 0; r < REDUCTIONS; r++)
        for (size_t t = 0; t < LENGTH(types); t++)
            for (size_t offset = 0; offset < 16 / type_size(types[t]); offset++)
                for (size_t n = 0; n < 40; n += n < 20 ? 1 : 7)
                    check(&run, 0, reductions[r], types[t], n, offset, shape);
    run_end(&run);
}

static void test_sums_are_added_to_what_is_there(void **state) {
    (void)state;
    struct run run;
    for (size_t r = 0; r < REDUCTIONS; r++) {
        run_begin(&run, 0, NULL, 4 * 35, SUMS_MAX);
        for (size_t i = 0; i < 35; i++)
            value_store(WARP_TYPE_INT, run.in, i, (int)i); /* 34 * 35 / 2 = 595 */
        value_store(WARP_TYPE_INT, run.sums, 0, 1000);
        assert_int_equal(reductions[r]->launch(WARP_TYPE_INT, run.in, 35, run.sums, 1, 35), 0);
        assert_int_equal(sum_load(WARP_TYPE_INT, run.sums, 0), 1595);
        run_end(&run);
    }
}

/* i % 100 for i below 2^20: 10485 times 0..99, which add up to 4950, and 0..75 once more:
 * 10485 * 4950 + 75 * 76 / 2 = 51900750 + 2850. */
static void test_a_million_ints(void **state) {
    (void)state;
    const size_t n = (size_t)1 << 20;
    for (size_t r = 0; r < REDUCTIONS; r++) {
        struct run run;
        run_begin(&run, r, NULL, 4 * n, 1 + 3 * 96);
        for (size_t i = 0; i < n; i++)
            value_store(WARP_TYPE_INT, run.in, i, (int)(i % 100));
        assert_int_equal(reductions[r]->launch(WARP_TYPE_INT, run.in, n, run.sums, 3, 96), 0);
        assert_int_equal(sum_load(WARP_TYPE_INT, run.sums, 0), 51903600);
        for (size_t t = 1; t <= 3 * 96 && reductions[r] == &SHFLVIZ_REDUCTION(grid_allreduce); t++)
            assert_int_equal(sum_load(WARP_TYPE_INT, run.sums, t), 51903600);
        run_end(&run);
    }
}

static void test_as_many_blocks_as_there_is_room_for(void **state) {
    (void)state;
    struct run run;
    run_begin(&run, 0, NULL, 4 * COUNT_MAX, SUMS_MAX);
    for (size_t r = 0; r < REDUCTIONS; r++)
        if (reductions[r] != &SHFLVIZ_REDUCTION(grid_allreduce))
            check(&run, 0, reductions[r], WARP_TYPE_FLOAT, 4099, 1, (struct shape){0, 96});
    run_end(&run);
}

static void test_other_types_are_refused(void **state) {
    (void)state;
    struct run run;
    run_begin(&run, 0, NULL, 64, SUMS_MAX);
    for (size_t r = 0; r < REDUCTIONS; r++)
        assert_int_equal(reductions[r]->launch(WARP_TYPE_DOUBLE, run.in, 1, run.sums, 1, 32),
                         cudaErrorInvalidValue);
    /* The threads' copies need memory, so their number must be known. */
    assert_int_equal(
        SHFLVIZ_REDUCTION(grid_allreduce).launch(WARP_TYPE_INT, run.in, 1, run.sums, 0, 32),
        cudaErrorInvalidValue);
    run_end(&run);
}

/* ---- the recording ---- */

/* No lane's result is undefined, in partial warps or not, and all agree with lib/warp. */
static void test_every_read_is_defined(void **state) {
    (void)state;
    for (size_t r = 0; r < REDUCTIONS; r++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            struct memory_sink sink;
            struct run run;
            memory_sink_init(&sink, 4, 512);
            run_begin(&run, seed, &sink.sink, 4 * 100, SUMS_MAX);
            for (size_t i = 0; i < 100; i++)
                value_store(WARP_TYPE_INT, run.in, i, value_at(i));
            assert_int_equal(reductions[r]->launch(WARP_TYPE_INT, run.in, 100, run.sums, 2, 35), 0);
            assert_int_equal(sink.dropped, 0);
            /* At least five rounds in each of the 4 warps. */
            assert_true(memory_sink_steps(&sink) >= 20);
            for (size_t s = 0; s < memory_sink_steps(&sink); s++) {
                struct sink_step step = memory_sink_step(&sink, s);
                struct lane_outcome outcome[WARP_LANES];
                warp_outcome(&step.operation, outcome);
                assert_int_equal(warp_disagreement(&step.operation, outcome), 0);
                for (int lane = 0; lane < WARP_LANES; lane++)
                    assert_int_not_equal(outcome[lane].status, LANE_UNDEFINED);
            }
            run_end(&run);
            memory_sink_release(&sink);
        }
}

/* ---- the loop that begins at threadIdx.x ---- */

static void run_bug(enum warp_type type, size_t n, struct shape shape, uint64_t schedule,
                    int (*value)(size_t i), double *wrong, double *right) {
    struct run run;
    run_begin(&run, schedule, NULL, (n + 1) * 4, 2);
    for (size_t i = 0; i < n; i++)
        value_store(type, run.in, i, value(i));
    assert_int_equal(SHFLVIZ_REDUCTION(grid_reduce_bug)
                         .launch(type, run.in, n, run.sums, shape.blocks, shape.threads),
                     0);
    *wrong = sum_load(type, run.sums, 0);
    *right = sum_load(type, run.sums, 1);
    run_end(&run);
}

static int value_index(size_t i) {
    return (int)i;
}
static int value_one(size_t i) {
    (void)i;
    return 1;
}

static void test_the_bug_by_hand(void **state) {
    (void)state;
    double wrong, right;
    /* The figure in grid_reduce_bug.cu: 2 * (0+1+2+3 + 8+9+10+11) = 88; 15 * 16 / 2 = 120. */
    run_bug(WARP_TYPE_INT, 16, (struct shape){2, 4}, 0, value_index, &wrong, &right);
    assert_int_equal(wrong, 88);
    assert_int_equal(right, 120);
    /* The first block is enough for all values, so each of the three counts them: 3 * 45. */
    run_bug(WARP_TYPE_INT, 10, (struct shape){3, 35}, 0, value_index, &wrong, &right);
    assert_int_equal(wrong, 135);
    assert_int_equal(right, 45);
    /* One block: right. */
    run_bug(WARP_TYPE_FLOAT, 1000, (struct shape){1, 64}, 0, value_index, &wrong, &right);
    assert_int_equal(wrong, 499500);
    assert_int_equal(right, 499500);
    /* Equal values hide the bug if n is a multiple of the grid's size: 4 times (1024 / 4). */
    run_bug(WARP_TYPE_HALF, 1024, (struct shape){4, 64}, 0, value_one, &wrong, &right);
    assert_int_equal(wrong, 1024);
    assert_int_equal(right, 1024);
    /* One more value, and every block counts it: 1024 + 4. */
    run_bug(WARP_TYPE_INT, 1025, (struct shape){4, 64}, 0, value_one, &wrong, &right);
    assert_int_equal(wrong, 1028);
    assert_int_equal(right, 1025);
}

static void test_the_bug_is_exact(void **state) {
    (void)state;
    for (size_t c = 0; c < LENGTH(counts); c++)
        for (size_t s = 0; s < LENGTH(shapes); s++)
            for (uint64_t seed = 0; seed <= SEEDS; seed += 5) {
                struct shape shape = shapes[s];
                long long share = 0; /* of block 0 */
                for (size_t i = 0; i < counts[c]; i++)
                    if (i % (shape.blocks * shape.threads) < shape.threads)
                        share += value_at(i);
                double wrong, right;
                run_bug(types[(c + s) % LENGTH(types)], counts[c], shape, seed, value_at, &wrong,
                        &right);
                assert_true(wrong == (double)(shape.blocks * share));
                assert_true(right == expected_sum(counts[c]));
            }
}

/* ---- sums of halves, computed in half ---- */

static void run_half(size_t n, struct shape shape, int (*value)(size_t i), uint16_t *narrow,
                     float *wide) {
    struct run run;
    run_begin(&run, 0, NULL, (n + 1) * 2, 2);
    for (size_t i = 0; i < n; i++)
        value_store(WARP_TYPE_HALF, run.in, i, value(i));
    assert_int_equal(SHFLVIZ_REDUCTION(grid_reduce_half)
                         .launch(WARP_TYPE_HALF, run.in, n, run.sums, shape.blocks, shape.threads),
                     0);
    memcpy(narrow, run.sums, 2);
    memcpy(wide, (char *)run.sums + 4, 4);
    run_end(&run);
}

static int value_2047_2046(size_t i) {
    return 2047 - (int)(i % 2);
}

static void test_half_sums_saturate(void **state) {
    (void)state;
    uint16_t narrow;
    float wide;
    /* A thread that counts ones stops at 2048. */
    run_half(2048, (struct shape){1, 1}, value_one, &narrow, &wide);
    assert_int_equal(narrow, half_of(2048));
    assert_true(wide == 2048);
    run_half(5000, (struct shape){1, 1}, value_one, &narrow, &wide);
    assert_int_equal(narrow, half_of(2048));
    assert_true(wide == 5000);
    /* Four threads, 2500 ones each, stop at 2048 each; the tree is exact. */
    run_half(10000, (struct shape){1, 4}, value_one, &narrow, &wide);
    assert_int_equal(narrow, half_of(8192));
    assert_true(wide == 10000);
    /* 32 lanes, 100 ones each: every sum of the tree is a half. */
    run_half(3200, (struct shape){1, 32}, value_one, &narrow, &wide);
    assert_int_equal(narrow, half_of(3200));
    assert_true(wide == 3200);
    /* 16 times 2047 is 32752, 16 times 2046 is 32736, both halves. Their sum, 65488, is halfway
     * between 65472 (2046 * 32) and 65504 (2047 * 32) and is rounded to the even 2046 * 32. */
    run_half(32, (struct shape){1, 32}, value_2047_2046, &narrow, &wide);
    assert_int_equal(narrow, half_of(65472));
    assert_true(wide == 65488);
    /* A half beyond 65504 is infinite, as 2 * 65472 is. */
    run_half(64, (struct shape){2, 32}, value_2047_2046, &narrow, &wide);
    assert_int_equal(narrow, 0x7c00);
    assert_true(wide == 2 * 65488);
    run_half(0, (struct shape){2, 35}, value_one, &narrow, &wide);
    assert_int_equal(narrow, 0);
    assert_true(wide == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_by_any_shape),
        cmocka_unit_test(test_any_schedule),
        cmocka_unit_test(test_values_at_any_address),
        cmocka_unit_test(test_sums_are_added_to_what_is_there),
        cmocka_unit_test(test_a_million_ints),
        cmocka_unit_test(test_as_many_blocks_as_there_is_room_for),
        cmocka_unit_test(test_other_types_are_refused),
        cmocka_unit_test(test_every_read_is_defined),
        cmocka_unit_test(test_the_bug_by_hand),
        cmocka_unit_test(test_the_bug_is_exact),
        cmocka_unit_test(test_half_sums_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
