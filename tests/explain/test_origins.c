/*
 * The origins of values, from graphs written by hand: counts are sums over all paths through the
 * graph, and terms that are not reached through sums have none.
 */
#include "explain/whose.h"

#include "sample.h"

#include <stdio.h>
#include <string.h>

/* Nodes of the graph that each test extends: texts 0 "in", 1 "n", 2 "s". */
enum { NONE, CONSTANT, IN_0, IN_1, IN_2, N, FIRST };

struct graph {
    struct text bytes;
    uint32_t count;
};

static uint32_t add(struct graph *graph, enum trace_origin_kind kind, uint32_t a, uint32_t b,
                    uint64_t extra) {
    const struct trace_origin node = {kind, a, b, 0, extra};
    trace_origin_put_node(&graph->bytes, &node);
    return graph->count++;
}

static void begin(struct graph *graph) {
    *graph = (struct graph){TEXT_INIT, 0};
    trace_origin_put_text(&graph->bytes, "in");
    trace_origin_put_text(&graph->bytes, "n");
    trace_origin_put_text(&graph->bytes, "s");
    add(graph, TRACE_ORIGIN_NONE, 0, 0, 0);
    add(graph, TRACE_ORIGIN_CONSTANT, 0, 0, 0);
    for (uint64_t i = 0; i < 3; i++)
        add(graph, TRACE_ORIGIN_ELEMENT, 0, 0, i);
    add(graph, TRACE_ORIGIN_ARGUMENT, 1, 0, 0);
    assert_int_equal(graph->count, FIRST);
}

/* Checks --whose's answer for s[0], which originates in that node. */
static void expect(struct graph *graph, uint32_t node, const char *expected) {
    const char *path = sample_path("origins.svt");
    const struct trace_origin_element element = {0, 2, 0, node};
    struct trace_writer *writer = sample_writer(path, 4);
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    struct trace *trace;
    trace_origin_put_element(&graph->bytes, &element);
    trace_writer_origins(writer, graph->bytes.data, graph->bytes.length);
    sample_steps(writer, 4, 1);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    assert_int_equal(trace_open(&trace, path, &err), 0);
    assert_int_equal(whose_answer(trace, "s[0]", &text, &err), 0);
    assert_string_equal(text.data, expected);
    trace_close(trace);
    text_release(&text);
    text_release(&graph->bytes);
}

/* in[0] + in[1], twice, less in[1]. */
static void test_counts(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    const uint32_t sum = add(&graph, TRACE_ORIGIN_SUM, IN_0, IN_1, 0);
    const uint32_t twice = add(&graph, TRACE_ORIGIN_SUM, sum, sum, 0);
    const uint32_t less = add(&graph, TRACE_ORIGIN_DIFFERENCE, twice, IN_1, 0);
    expect(&graph, less, "s[0] = in[0] twice, in[1].\n");
}

/* Terms that cancel are not in the value; the rest is a constant. */
static void test_cancelled(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    expect(&graph, add(&graph, TRACE_ORIGIN_DIFFERENCE, IN_2, IN_2, 0), "s[0] = a constant.\n");
}

/* in[2] counts 3 times; n chooses in[0], so in[0] and n are named without a count. */
static void test_scaled(void **state) {
    const double factor = 3;
    uint64_t bits;
    struct graph graph;
    (void)state;
    begin(&graph);
    memcpy(&bits, &factor, sizeof bits);
    const uint32_t times = add(&graph, TRACE_ORIGIN_SCALED, IN_2, NONE, bits);
    const uint32_t chosen = add(&graph, TRACE_ORIGIN_CHOSEN, IN_0, N, 0);
    expect(&graph, add(&graph, TRACE_ORIGIN_SUM, times, chosen, 0),
           "s[0] = in[2] 3 times; it also depends on in[0], n (count unknown).\n");
}

/* Equal values hide that one element counts twice, or that an element in between is missing. */
static void test_alike(void **state) {
#define ALIKE                                                                                      \
    "s[0] = %s.\nThe %d elements of in all hold the same value: with such data an element that "   \
    "counts twice makes up for one that is missing. Try data that differ: 0, 1, 2, 3, ...\n"
    struct graph graph;
    char wanted[512];
    uint32_t one[4];
    (void)state;
    for (int how = 0; how < 5; how++) {
        begin(&graph);
        for (uint64_t i = 0; i < 4; i++)
            one[i] = add(&graph, TRACE_ORIGIN_ELEMENT, 0, how == 2 && i == 3 ? 16 : 14, 10 + i);
        uint32_t sum = add(&graph, TRACE_ORIGIN_SUM, one[0], one[how == 1 || how == 4 ? 0 : 1], 0);
        if (how != 3)
            sum = add(&graph, TRACE_ORIGIN_SUM, sum, one[how == 4 ? 0 : 3], 0);
        snprintf(wanted, sizeof wanted, ALIKE,
                 how == 1 ? "in[10] twice, in[13]" : "in[10..11], in[13]", how == 1 ? 2 : 3);
        expect(&graph, sum,
               how == 2   ? "s[0] = in[10..11], in[13].\n" /* one differs */
               : how == 3 ? "s[0] = in[10..11].\n"         /* each once, none missing in between */
               : how == 4 ? "s[0] = in[10] 3 times.\n"     /* one element is not a sum */
                          : wanted);
    }
}

/* 5 7 7 9: in[11] twice makes up for in[12], in a sum of all four or of the last three. */
static void test_symmetric(void **state) {
#define SYMMETRIC                                                                                  \
    "s[0] = %s.\nin[11] counts more than once and in[12] not at all, but both hold the same "      \
    "value: "                                                                                      \
    "with such data the sum is that of in[%d..13]. Try data that differ: 0, 1, 2, 3, ...\n"
    static const uint32_t values[] = {10, 14, 14, 18};
    struct graph graph;
    char wanted[512];
    uint32_t one[4];
    (void)state;
    for (int how = 0; how < 4; how++) {
        begin(&graph);
        for (uint64_t i = 0; i < 4; i++)
            one[i] = add(&graph, TRACE_ORIGIN_ELEMENT, 0, values[i] + (how == 3 && i == 2 ? 2 : 0),
                         10 + i);
        uint32_t sum = add(&graph, TRACE_ORIGIN_SUM, one[1], one[how == 1 ? 3 : 1], 0);
        if (how == 0 || how == 3)
            sum = add(&graph, TRACE_ORIGIN_SUM, sum, one[0], 0);
        sum = add(&graph, TRACE_ORIGIN_SUM, sum, one[3], 0);
        snprintf(wanted, sizeof wanted, SYMMETRIC,
                 how == 0 ? "in[10], in[11] twice, in[13]" : "in[11] twice, in[13]",
                 how == 0 ? 10 : 11);
        expect(&graph, sum,
               how == 1   ? "s[0] = in[11], in[13] twice.\n" /* no term has the value of in[13] */
               : how == 3 ? "s[0] = in[10], in[11] twice, in[13].\n" /* 5 7 8 9: values differ */
                          : wanted);
    }
}

/* A shuffle and a cell of shared memory pass values on, and are not origins. */
static void test_path(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    const uint32_t moved = add(&graph, TRACE_ORIGIN_MOVED, IN_1, 5 << 8 | 6, 0);
    const uint32_t cell = add(&graph, TRACE_ORIGIN_CELL, moved, 2, 0);
    expect(&graph, cell, "s[0] = in[1].\nthrough step 0\nthrough shared memory\n");
}

/* Each level doubles the number of paths: 2^60 paths, in 60 nodes. */
static void test_many_paths(void **state) {
    struct graph graph;
    (void)state;
    begin(&graph);
    uint32_t node = IN_0;
    for (int i = 0; i < 60; i++)
        node = add(&graph, TRACE_ORIGIN_SUM, node, node, 0);
    expect(&graph, node, "s[0] = in[0] 1.1529215e+18 times.\n");
}

static void test_unanswerable(void **state) {
    struct trace *trace;
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    sample_file(sample_path("none.svt"), 4, 1);
    assert_int_equal(trace_open(&trace, sample_path("none.svt"), &err), 0);
    assert_int_not_equal(whose_answer(trace, "s[0]", &text, &err), 0);
    assert_int_equal(err.kind, ERROR_USAGE);
    trace_close(trace);
    text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),     cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_scaled),     cmocka_unit_test(test_alike),
        cmocka_unit_test(test_symmetric),  cmocka_unit_test(test_path),
        cmocka_unit_test(test_many_paths), cmocka_unit_test(test_unanswerable),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
