/*
 * test_bench.c - measurements add up, and the tables show all of them.
 *
 * Runs small sizes on the CPU warp; times are not checked.
 */
#include "measure/bench.h"
#include "measure/clock.h"
#include "measure/measure.h"
#include "measure/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define COLUMNS_MAX   100

static void assert_contains(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void assert_narrow(const char *text) {
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > COLUMNS_MAX)
            fail_msg("more than %d columns: %s", COLUMNS_MAX, line);
}

/* ---- the values ---- */

/* Values are small integers, of either sign equally often; partial sums stay exact in a float. */
static void test_values(void **state) {
    (void)state;
    size_t seen[7] = {0};
    long long sum = 0, farthest = 0;
    for (unsigned long long i = 0; i < 1u << 20; i++) {
        int value = bench_value(i);
        assert_true(value == -3 || value == -1 || value == 1 || value == 3);
        seen[value + 3]++;
        sum += value;
        farthest = llabs(sum) > farthest ? llabs(sum) : farthest;
    }
    for (int value = -3; value <= 3; value += 2)
        assert_in_range(seen[value + 3], (1u << 18) * 99 / 100, (1u << 18) * 101 / 100);
    assert_true(farthest < 1 << 16);
    /* Values whose numbers exceed 32 bits do not repeat the first values. */
    size_t same = 0;
    for (unsigned long long i = 0; i < 1000; i++)
        same += bench_value(i) == bench_value(i + (1ull << 32));
    assert_in_range(same, 150, 350);
}

/* ---- bench reduce ---- */

static void test_sums(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum warp_type type;
        unsigned bytes;
        bool is_sum;
    } rows[] = {
        {"read, 4 loads per thread", WARP_TYPE_FLOAT, 4, false},
        {"read, 8 loads per thread", WARP_TYPE_FLOAT, 4, false},
        {"grid-reduce-warp", WARP_TYPE_FLOAT, 4, true},
        {"grid-reduce-block", WARP_TYPE_FLOAT, 4, true},
        {"grid-reduce-vector", WARP_TYPE_FLOAT, 4, true},
        {"grid-reduce-vector", WARP_TYPE_INT, 4, true},
        {"grid-allreduce", WARP_TYPE_INT, 4, true},
        {"grid-reduce-vector", WARP_TYPE_HALF, 2, true},
        {"a plain loop in C", WARP_TYPE_FLOAT, 4, true},
    };
    static const uint64_t counts[] = {1, 2, 3, 7, 1000, 4096 + 3, 100000};
    for (size_t c = 0; c < LENGTH(counts); c++) {
        struct bench_reduce_report report;
        struct error err = ERROR_INIT;
        const struct bench_options options = {
            .device = DEVICE_CPU, .count = counts[c], .repeats = 1 + (unsigned)c};
        assert_int_equal(bench_reduce(&options, &report, &err), 0);
        assert_int_equal(report.count, counts[c]);
        assert_int_equal(report.repeats, 1 + c);
        assert_int_equal(report.device.kind, DEVICE_CPU);
        assert_true(bench_reduce_correct(&report));
        assert_int_equal(report.row_count, LENGTH(rows));
        for (size_t r = 0; r < LENGTH(rows); r++) {
            const struct bench_reduce_row *row = &report.rows[r];
            assert_string_equal(row->name, rows[r].name);
            assert_int_equal(row->type, rows[r].type);
            assert_int_equal(row->is_sum, rows[r].is_sum);
            /* Plain reads are 16 bytes at a time. */
            uint64_t read = rows[r].is_sum ? counts[c] : counts[c] / 4 * 4;
            assert_true(row->bytes == (double)(read * rows[r].bytes));
            assert_true(row->additions == (rows[r].is_sum ? (double)(counts[c] - 1) : 0));
            assert_true(row->seconds >= 0);
        }
    }
}

/* 3.6 GB in 1 ms is 3600 GB/s: 90 % of 4000 and 75 % of 4800. 899999999 additions for 3.6 GB are
 * 0.250 per byte. */
static struct bench_reduce_report made_up(void) {
    return (struct bench_reduce_report){.device = {.kind = DEVICE_GPU,
                                                   .name = "Some GPU",
                                                   .versions = "driver 1.2",
                                                   .peak = 4.8e12},
                                        .count = 900000000,
                                        .repeats = 20,
                                        .read = 4e12,
                                        .rows = {{.name = "read only",
                                                  .type = WARP_TYPE_FLOAT,
                                                  .blocks = 1056,
                                                  .threads = 256,
                                                  .seconds = 0.9e-3,
                                                  .bytes = 3.6e9,
                                                  .correct = true},
                                                 {.name = "some kernel",
                                                  .type = WARP_TYPE_FLOAT,
                                                  .blocks = 16896,
                                                  .threads = 256,
                                                  .seconds = 1e-3,
                                                  .bytes = 3.6e9,
                                                  .additions = 899999999,
                                                  .is_sum = true,
                                                  .correct = true}},
                                        .row_count = 2};
}

static void test_table_of_sums(void **state) {
    (void)state;
    struct bench_reduce_report report = made_up();
    struct text text = TEXT_INIT;
    bench_reduce_text(&report, &text);
    assert_contains(text.data, "The sum of 900000000 values; the median of 20 runs.\n"
                               "measured on Some GPU, driver 1.2\n");
    assert_contains(text.data, "                         type           grid         ms      "
                               "GB/s  of read  of peak adds/byte  sum\n");
    assert_contains(text.data, "\nread only                float    1056 x 256      0.900   "
                               "4000.00  100.0 %   83.3 %         -\n");
    assert_contains(text.data, "\nsome kernel              float   16896 x 256      1.000   "
                               "3600.00   90.0 %   75.0 %     0.250  right\n");
    assert_narrow(text.data);

    report.rows[1].correct = false;
    report.rows[1].blocks = 0;
    report.device.peak = 0;
    assert_false(bench_reduce_correct(&report));
    text_clear(&text);
    bench_reduce_text(&report, &text);
    assert_contains(text.data, "\nsome kernel              float             -      1.000   "
                               "3600.00   90.0 %        -     0.250  WRONG\n");
    text_release(&text);
}

static void test_table_says_what_is_emulated(void **state) {
    (void)state;
    struct bench_reduce_report report = made_up();
    struct text text = TEXT_INIT;
    report.device.kind = DEVICE_CPU;
    bench_reduce_text(&report, &text);
    assert_contains(text.data, "\nemulated on the CPU warp");
    assert_null(strstr(text.data, "measured on"));
    text_release(&text);
}

/* ---- bench shuffle ---- */

static void test_warp_sums(void **state) {
    (void)state;
    static const char *const names[] = {"shuffles, a butterfly", "shared memory, a tree",
                                        "__reduce_add_sync"};
    struct bench_shuffle_report report;
    struct error err = ERROR_INIT;
    struct text text = TEXT_INIT;
    const struct bench_options options = {.device = DEVICE_CPU, .repeats = 2};
    assert_int_equal(bench_shuffle(&options, &report, &err), 0);
    assert_true(bench_shuffle_correct(&report));
    assert_true(report.rounds > 1);
    assert_int_equal(report.row_count, LENGTH(names));
    bench_shuffle_text(&report, &text);
    assert_contains(text.data, "\nemulated on the CPU warp");
    for (size_t r = 0; r < LENGTH(names); r++) {
        assert_string_equal(report.rows[r].name, names[r]);
        assert_true(report.rows[r].cycles >= 0);
        assert_contains(text.data, names[r]);
    }
    assert_narrow(text.data);
    text_release(&text);
}

static void test_table_of_warp_sums(void **state) {
    (void)state;
    struct bench_shuffle_report report = {
        .device = {.kind = DEVICE_GPU, .name = "Some GPU", .versions = "driver 1.2"},
        .repeats = 20,
        .rounds = 4096,
        .rows = {{.name = "one way", .cycles = 130, .rate = 2e11, .correct = true},
                 {.name = "another", .cycles = 260.04, .rate = 5e10, .correct = false}},
        .row_count = 2};
    struct text text = TEXT_INIT;
    bench_shuffle_text(&report, &text);
    assert_contains(text.data, "measured on Some GPU, driver 1.2\n");
    assert_contains(text.data,
                    "\none way                         130.0      2.000e+11     1.00  right\n"
                    "another                         260.0      5.000e+10     0.25  WRONG\n");
    assert_contains(text.data, "4096 dependent sums");
    assert_false(bench_shuffle_correct(&report));
    text_release(&text);
}

/* ---- bench record ---- */

static void test_recording(void **state) {
    (void)state;
    static const char *const names[] = {"memset of the same size", "bare", "recorded",
                                        "printf in each lane"};
    struct bench_record_report report;
    struct error err = ERROR_INIT;
    const struct bench_options options = {.device = DEVICE_CPU, .repeats = 1};
    assert_int_equal(bench_record(&options, &report, &err), 0);
    assert_int_equal(report.row_count, LENGTH(names));
    for (size_t r = 0; r < LENGTH(names); r++)
        assert_string_equal(report.rows[r].name, names[r]);
    /* 8 blocks of 4 warps, each 256 times five shuffles. */
    assert_int_equal(report.records, 8 * 4 * 256 * 5);
    assert_int_equal(report.dropped, 0);
    assert_true(report.rows[2].bytes == (double)report.records * SHFLVIZ_RECORD_SIZE(4));
    assert_true(report.rows[0].bytes == report.rows[2].bytes);
    assert_true(bench_record_correct(&report));
    report.records--; /* one is lost */
    assert_false(bench_record_correct(&report));
    report.records++;
    report.dropped = 1;
    assert_false(bench_record_correct(&report));
}

/* 2 us for 10 operations is 200 ns each, twice 100; 3000 bytes in 1 us is 3 GB/s. The printed run
 * takes 4 us per operation, 20 times 200 ns. */
static void test_table_of_recording(void **state) {
    (void)state;
    const struct bench_record_report report = {
        .device = {.kind = DEVICE_CPU, .name = "CPU warp"},
        .repeats = 3,
        .records = 10,
        .rows = {{.name = "memset of the same size", .seconds = 1e-6, .bytes = 3000},
                 {.name = "bare", .seconds = 1e-6, .operations = 10},
                 {.name = "recorded", .seconds = 2e-6, .operations = 10, .bytes = 3000},
                 {.name = "printf in each lane", .seconds = 8e-6, .operations = 2}},
        .row_count = 4};
    struct text text = TEXT_INIT;
    bench_record_text(&report, &text);
    assert_contains(text.data, "10 records, 0 dropped; the median of 3 runs.\n");
    assert_contains(text.data,
                    "\nmemset of the same size             -          -     3.00        -\n"
                    "bare                        1.000e+07      100.0        -     1.00\n"
                    "recorded                    5.000e+06      200.0     1.50     2.00\n"
                    "printf in each lane         2.500e+05     4000.0        -    40.00\n");
    assert_contains(text.data, "at 50.0 % of memset's rate and is 20.0 times as fast as printf.\n");
    assert_narrow(text.data);
    text_release(&text);
}

/* Runs that were too quick for the clock, or were not measured, have no rate, and there is no
 * division by zero. */
static void test_tables_without_times(void **state) {
    (void)state;
    struct bench_reduce_report reduce = {
        .device = {.kind = DEVICE_CPU, .peak = 1e9},
        .rows =
            {{.name = "quick", .type = WARP_TYPE_INT, .bytes = 64, .additions = 15, .is_sum = 1},
             {.name = "empty", .type = WARP_TYPE_INT, .seconds = 1e-3, .is_sum = 1}},
        .row_count = 2};
    const struct bench_shuffle_report shuffle = {
        .device = {.kind = DEVICE_CPU}, .rows = {{.name = "quick", .rate = 0}}, .row_count = 1};
    struct bench_record_report record = {
        .device = {.kind = DEVICE_CPU},
        .rows = {{.name = "bare", .operations = 10},
                 {.name = "recorded", .operations = 10, .bytes = 3000},
                 {.name = "memset of the same size", .seconds = 1e-6, .bytes = 3000},
                 {.name = "printf in each lane", .seconds = 1e-6, .operations = 2}},
        .row_count = 4};
    struct text text = TEXT_INIT;
    bench_reduce_text(&reduce, &text);
    assert_contains(text.data, "\nquick                    int               -      0.000      "
                               "0.00        -        -     0.234  WRONG\n"); /* 15 / 64 */
    assert_contains(text.data, "\nempty                    int               -      1.000      "
                               "0.00        -        -     0.000  WRONG\n");
    text_clear(&text);
    bench_shuffle_text(&shuffle, &text);
    assert_contains(text.data,
                    "\nquick                             0.0      0.000e+00     0.00  WRONG\n");
    for (unsigned rows = 4; rows > 0; rows--) { /* rows that are missing are not compared */
        text_clear(&text);
        record.row_count = rows;
        bench_record_text(&record, &text);
        assert_contains(text.data,
                        "\nbare                                -          -        -        -\n");
        assert_null(strstr(text.data, "Recording writes"));
        record.rows[1].seconds = 1e-6;
    }
    text_release(&text);
}

/* ---- a GPU ---- */

static int status_wanted;
static int return_status(void *report) {
    (void)report;
    return status_wanted;
}

/* How a kernel's status is reported; 2 is CUDA's cudaErrorMemoryAllocation, 700 its
 * cudaErrorIllegalAddress. */
static void test_ends(void **state) {
    (void)state;
    static const struct {
        int status, result;
        enum error_kind kind;
        const char *says;
    } ends[] = {{0, 0, ERROR_NONE, NULL},
                {2, -1, ERROR_MISSING, "Some device has too little memory for the values: "},
                {700, -1, ERROR_RUN, "a kernel did not run on Some device: "}};
    for (enum device_kind kind = DEVICE_CPU; kind <= DEVICE_GPU; kind++)
        for (size_t i = 0; i < LENGTH(ends); i++) {
            const struct bench_device device = {.kind = kind, .name = "Some device"};
            struct error err = ERROR_INIT;
            status_wanted = ends[i].status;
            assert_int_equal(bench_device_run(&device, return_status, return_status, NULL, &err),
                             ends[i].result);
            assert_int_equal(err.kind, ends[i].kind);
            if (ends[i].says)
                assert_contains(err.text, ends[i].says);
        }
    const struct bench_device gpu = {.kind = DEVICE_GPU, .name = "Some GPU"};
    struct error err = ERROR_INIT;
    assert_int_equal(bench_device_run(&gpu, return_status, NULL, NULL, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_string_equal(err.text, "Some GPU cannot be measured");
}

/* The default device is a GPU if there is one, else the CPU warp; the number of repetitions is
 * given or a constant. */
static void test_choosing(void **state) {
    (void)state;
    for (unsigned repeats = 0; repeats < 3; repeats++)
        for (enum device_kind kind = DEVICE_AUTO; kind <= DEVICE_CPU; kind++) {
            const struct bench_options options = {.device = kind, .repeats = repeats};
            struct bench_device device;
            struct error err = ERROR_INIT;
            unsigned times;
            assert_int_equal(bench_device_choose(&options, &device, &times, &err), 0);
            assert_int_equal(times, repeats ? repeats : device.kind == DEVICE_GPU ? 20 : 5);
            if (kind == DEVICE_CPU)
                assert_string_equal(device.name, "CPU warp");
        }
}

/* If there is a GPU, the sums must be right; if there is none, the missing part is named. */
static void test_gpu(void **state) {
    (void)state;
    const struct bench_options options = {.device = DEVICE_GPU, .count = 100003, .repeats = 2};
    static struct bench_reduce_report reduce;
    static struct bench_shuffle_report shuffle;
    static struct bench_record_report record;
    struct error err = ERROR_INIT;
    if (bench_reduce(&options, &reduce, &err) == 0) {
        assert_true(bench_reduce_correct(&reduce));
        assert_int_equal(bench_shuffle(&options, &shuffle, &err), 0);
        assert_true(bench_shuffle_correct(&shuffle));
        assert_int_equal(bench_record(&options, &record, &err), 0);
        assert_true(bench_record_correct(&record));
        return;
    }
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_contains(err.text, "GPU");
    assert_contains(err.text, "--device cpu");
    assert_int_equal(bench_shuffle(&options, &shuffle, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_int_equal(bench_record(&options, &record, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
}

/* For an even count, the median is the upper of the two in the middle. */
static void test_median(void **state) {
    (void)state;
    double one[] = {7}, four[] = {4, 1, 3, 2}, seven[] = {9, 0.5, 3, 1e9, 2, -1, 4};
    assert_true(clock_median(one, 1) == 7);
    assert_true(clock_median(four, 4) == 3);
    assert_true(clock_median(seven, 7) == 3);
    const double before = clock_seconds();
    assert_true(clock_seconds() >= before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_table_of_sums), cmocka_unit_test(test_table_says_what_is_emulated),
        cmocka_unit_test(test_warp_sums),     cmocka_unit_test(test_table_of_warp_sums),
        cmocka_unit_test(test_recording),     cmocka_unit_test(test_table_of_recording),
        cmocka_unit_test(test_gpu),           cmocka_unit_test(test_tables_without_times),
        cmocka_unit_test(test_ends),          cmocka_unit_test(test_choosing),
        cmocka_unit_test(test_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
