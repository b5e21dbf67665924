/* Expressions over local variables: values worked out by hand, as in C++. */
#include "explain/variable_expression.h"

#include "trace/lines/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a is the lane, b is 3 and not set in lane 9, u is 4000000000, f is 1.5, m[1] is -7. */
static const struct trace_variable variables[] = {
    {"a", WARP_TYPE_INT, 4},   {"b", WARP_TYPE_INT, 4},    {"u", WARP_TYPE_UNSIGNED, 4},
    {"f", WARP_TYPE_FLOAT, 4}, {"m[1]", WARP_TYPE_INT, 4}, {"hidden", WARP_TYPE_INT, 4}};
static const uint32_t numbers[] = {15};
static const uint64_t scopes[] = {0x1f};

static struct trace *trace;
static struct trace_lines *lines;
static struct trace_line_state state;

static void put(struct line_coder *coder, struct text *bytes, uint32_t variable, uint32_t lanes,
                uint64_t begin, uint64_t each) {
    struct line_code_change change = {.variable = variable, .lanes = lanes};
    for (int lane = 0; lane < WARP_LANES; lane++)
        change.value[lane] = (uint32_t)(begin + each * (uint64_t)lane);
    line_code_put_change(coder, bytes, &change, variables[variable].type, 6);
}

static int begin(void **context) {
    (void)context;
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {"k", {1, 1, 1}, {32, 1, 1}, 0};
    const struct trace_function function = {"a.cu", "k", 6, 1, variables, numbers, scopes, NULL, 0};
    const struct line_code line = {0, 0, 0xffffffff, 0, true, 0, 6};
    struct trace_writer *writer;
    struct line_coder coder = {0};
    struct text bytes = TEXT_INIT;
    if (trace_writer_open(&writer, NULL, &options, NULL) != 0)
        return -1;
    trace_writer_launch(writer, &launch);
    trace_writer_function(writer, &function);
    line_code_put(&coder, &bytes, &line);
    put(&coder, &bytes, 0, 0xffffffff, 0, 1);
    put(&coder, &bytes, 1, 0xfffffdff, 3, 0);
    put(&coder, &bytes, 2, 0xffffffff, 4000000000u, 0);
    put(&coder, &bytes, 3, 0xffffffff, 0x3fc00000, 0);
    put(&coder, &bytes, 4, 0xffffffff, (uint32_t)-7, 0);
    put(&coder, &bytes, 5, 0xffffffff, 1, 0);
    const struct trace_line_chunk chunk = {0, 0, 0, 1, bytes.data, bytes.length};
    trace_writer_lines(writer, &chunk);
    line_coder_release(&coder);
    text_release(&bytes);
    if (trace_writer_close(writer, &trace, NULL) != 0 ||
        trace_lines_open(trace, 0, 0, 0, &lines, NULL) != 0)
        return -1;
    trace_line_state_init(&state, trace);
    trace_lines_state(lines, 1, &state);
    return 0;
}

static int end(void **context) {
    (void)context;
    trace_line_state_release(&state);
    trace_lines_release(lines);
    trace_close(trace);
    return 0;
}

static const char *worked_out(const char *text, int lane) {
    static char shown[WARP_VALUE_TEXT + 32];
    char value_text[WARP_VALUE_TEXT];
    struct expression expression;
    if (expression_parse(&expression, text, NULL) != 0) {
        expression_release(&expression);
        return "no expression";
    }
    const struct expression_value value =
        expression_value(&expression, lines, &lines->lines[0], &state, lane);
    expression_release(&expression);
    if (value.status != EXPRESSION_VALUE)
        return value.status == EXPRESSION_UNSET ? "unset" : "unknown";
    snprintf(shown, sizeof shown, "%s %s", warp_type_info(value.type)->name,
             warp_value_format(value.type, value.bits, value_text));
    return shown;
}

static void test_values(void **context) {
    (void)context;
    static const struct {
        const char *text;
        int lane;
        const char *value;
    } rows[] = {
        {"a", 5, "int 5"},
        {" a + b * 2 ", 5, "int 11"},
        {"(a + b) * 2", 5, "int 16"},
        {"a - b", 1, "int -2"},
        {"a-b-1", 1, "int -3"},
        {"-m[1] / 2", 0, "int 3"},
        {"m[1] / 2", 0, "int -3"},
        {"m[1] % 4", 0, "int -3"},
        {"m[1] >> 1", 0, "int -4"},
        {"u + u", 0, "unsigned 3705032704"},
        {"u > m[1]", 0, "int 0"}, /* -7 becomes 4294967289 */
        {"u + 1", 0, "unsigned 4000000001"},
        {"f * 2", 0, "float 3"},
        {"f + 0.25", 0, "double 1.75"},
        {"f < 2 && a == 3", 3, "int 1"},
        {"a == 3 || f > 2", 4, "int 0"},
        {"a & 1 | 4", 3, "int 5"},
        {"a ^ 3", 6, "int 5"},
        {"~a", 0, "int -1"},
        {"!a", 0, "int 1"},
        {"0x10 << 1", 0, "int 32"},
        {"3000000000", 0, "long-long 3000000000"},
        {"b", 9, "unset"},
        {"b + 1", 9, "unset"},
        {"a / 0", 0, "unknown"},
        {"a << 32", 0, "unknown"},
        {"f & 1", 0, "unknown"},
        {"hidden", 0, "unknown"},
        {"c", 0, "unknown"},
        {"a +", 0, "no expression"},
        {"(a", 0, "no expression"},
        {"a b", 0, "no expression"},
        {"m[", 0, "no expression"},
        {"m[1", 0, "no expression"},
        {"", 0, "no expression"},
        {"a@", 0, "no expression"},
        {"a@0", 0, "no expression"},
        {"12x", 0, "no expression"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(worked_out(rows[i].text, rows[i].lane), rows[i].value) != 0)
            fail_msg("%s in lane %d: %s, not %s", rows[i].text, rows[i].lane,
                     worked_out(rows[i].text, rows[i].lane), rows[i].value);
}

static uint32_t holds(const char *text) {
    struct expression expression;
    uint32_t lanes = 0;
    if (expression_parse(&expression, text, NULL) == 0)
        lanes = expression_holds(&expression, lines, &lines->lines[0], &state);
    expression_release(&expression);
    return lanes;
}

static void test_conditions(void **context) {
    (void)context;
    assert_int_equal(holds("a > 28"), 0xe0000000);
    assert_int_equal(holds("a > 28@15"), 0xe0000000);
    assert_int_equal(holds("a > 28@16"), 0);
    assert_int_equal(holds("a differs"), 0xffffffff);
    assert_int_equal(holds("u differs"), 0);
    assert_int_equal(holds("b == 3"), 0xfffffdff);
}

static void test_lists(void **context) {
    (void)context;
    struct expression_list list;
    assert_int_equal(expression_list_parse(&list, "a, a+b @15,m[1]", NULL), 0);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.item[1].text, "a+b");
    assert_int_equal(list.item[1].line, 15);
    assert_null(expression_unknown_name(&list.item[2], trace));
    expression_list_release(&list);
    assert_int_equal(expression_list_parse(&list, "all", NULL), 0);
    assert_int_equal(list.count, 0);
    struct error err = ERROR_INIT;
    assert_int_equal(expression_list_parse(&list, "a,,b", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    expression_list_release(&list);
    struct expression expression;
    assert_int_equal(expression_parse(&expression, "a + nobody", NULL), 0);
    char *name = expression_unknown_name(&expression, trace);
    assert_string_equal(name, "nobody");
    free(name);
    expression_release(&expression);
}

/* The limits on parts and brackets are beyond anything that users type. */
static void test_sizes(void **context) {
    (void)context;
    char text[2048];
    memset(text, '(', 100);
    strcpy(text + 100, "a");
    assert_string_equal(worked_out(text, 0), "no expression");
    strcpy(text, "a");
    for (int i = 0; i < 200; i++)
        strcat(text, "+a");
    assert_string_equal(worked_out(text, 0), "no expression");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_conditions),
                                       cmocka_unit_test(test_lists), cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, begin, end);
}
