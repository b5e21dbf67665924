/* Requests of --watch-... compared with the run: refusals, and the alternatives that they list. */
#include "launch/program/watching.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Blocks of 64 threads are 2 warps. */
static struct trace *trace_of(const struct trace_launch *launches, size_t count) {
    const struct trace_writer_options options = {.value_bytes = 4};
    struct trace_writer *writer;
    struct trace *trace;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(trace_writer_launch(writer, &launches[i]), i);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    return trace;
}

/* `words` is NULL if the request is valid. */
static void says(const struct trace *trace, const struct shflviz_filter *watch, const char *words) {
    struct error err = ERROR_INIT;
    const int status = watching_check(watch, trace, &err);
    assert_int_equal(status, words ? -1 : 0);
    if (words) {
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_string_equal(err.text, words);
    }
}

static struct shflviz_filter kernel(const char *name) {
    struct shflviz_filter watch = {.parts = SHFLVIZ_FILTER_KERNEL};
    strncpy(watch.kernel, name, SHFLVIZ_FILTER_KERNEL_MOST);
    return watch;
}

/* Each name is listed once, even one that is the beginning or the end of another. */
static void kernels_are_named_once(void **state) {
    (void)state;
    static const char *const names[] = {"block_sum", "sum",        "block_sum", "sum_block",
                                        "sum",       "mine::scan", "sum_block", "s"};
    struct trace_launch launches[8];
    for (size_t i = 0; i < 8; i++)
        launches[i] = (struct trace_launch){(char *)names[i], {1, 1, 1}, {32, 1, 1}, 0};
    struct trace *trace = trace_of(launches, 8);
    for (size_t i = 0; i < 8; i++)
        says(trace, &(struct shflviz_filter){0}, NULL);
    static const char *const fine[] = {"sum", "block_sum", "scan", "mine::scan", "s"};
    for (size_t i = 0; i < 5; i++) {
        const struct shflviz_filter watch = kernel(fine[i]);
        says(trace, &watch, NULL);
    }
    const struct shflviz_filter watch = kernel("histogram");
    says(trace, &watch,
         "--watch-kernel: 'histogram' is not a kernel that this program launched\n"
         "allowed: block_sum sum sum_block mine::scan s");
    trace_close(trace);
}

/* Every number up to the last one, in the largest watched launch. */
static void numbers_end_where_the_launches_do(void **state) {
    (void)state;
    static const struct trace_launch launches[] = {{"sum", {2, 3, 4}, {64, 1, 1}, 0},
                                                   {"vote", {5, 1, 1}, {33, 1, 1}, 0}};
    struct trace *trace = trace_of(launches, 2);
    static const struct {
        struct shflviz_filter watch;
        const char *words;
    } expected[] = {
        {{.parts = SHFLVIZ_FILTER_LAUNCHES, .launch_first = 1, .launch_last = 9}, NULL},
        {{.parts = SHFLVIZ_FILTER_LAUNCHES, .launch_first = 2, .launch_last = 9},
         "--watch-launch: '2' is not a launch of this program\nallowed: 0 to 1"},
        {{.parts = SHFLVIZ_FILTER_BLOCKS, .block_first = 23, .block_last = 99}, NULL},
        {{.parts = SHFLVIZ_FILTER_BLOCKS, .block_first = 24, .block_last = 99},
         "--watch-block: '24' is not in any watched launch\nallowed: 0 to 23"},
        {{.parts = SHFLVIZ_FILTER_BLOCKS | SHFLVIZ_FILTER_KERNEL,
          .block_first = 4,
          .block_last = 4,
          .kernel = "vote"},
         NULL},
        {{.parts = SHFLVIZ_FILTER_BLOCKS | SHFLVIZ_FILTER_KERNEL,
          .block_first = 5,
          .block_last = 5,
          .kernel = "vote"},
         "--watch-block: '5' is not in any watched launch\nallowed: 0 to 4"},
        {{.parts = SHFLVIZ_FILTER_WARPS, .warp_first = 1, .warp_last = 7}, NULL},
        {{.parts = SHFLVIZ_FILTER_WARPS, .warp_first = 2, .warp_last = 7},
         "--watch-warp: '2' is not in any watched block\nallowed: 0 to 1"},
        /* Indices are within every dimension of one grid. */
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {1, 2, 3}}, NULL},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {4, 0, 0}}, NULL},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {0, 0, 0}}, NULL},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {1, 2, 4}},
         "--watch-block: '1,2,4' is not in any watched grid"},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {1, 3, 3}},
         "--watch-block: '1,3,3' is not in any watched grid"},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {2, 2, 3}},
         "--watch-block: '2,2,3' is not in any watched grid"},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {4, 1, 0}},
         "--watch-block: '4,1,0' is not in any watched grid"},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {5, 0, 0}},
         "--watch-block: '5,0,0' is not in any watched grid"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        says(trace, &expected[i].watch, expected[i].words);
    trace_close(trace);
}

static void nothing_ran(void **state) {
    (void)state;
    struct trace *trace = trace_of(NULL, 0);
    const struct shflviz_filter sum = kernel("sum"), launch = {.parts = SHFLVIZ_FILTER_LAUNCHES};
    says(trace, &sum, NULL);
    says(trace, &launch, "--watch-launch: '0' is not a launch of this program");
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_are_named_once),
                                       cmocka_unit_test(numbers_end_where_the_launches_do),
                                       cmocka_unit_test(nothing_ran)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
