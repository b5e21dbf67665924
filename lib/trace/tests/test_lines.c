/* Lines and values of variables: encoded, written to a file, read back, stepped through in both
 * directions. */
#include "trace/lines/code.h"
#include "trace/lines/lines.h"

#include "sample.h"

#include <stdlib.h>
#include <string.h>

/* kernel: variables a, b, s of int, f of float; lines 10, 11, 12; s is in scope only on line 12.
 * inner: one variable. */
static const struct trace_variable variables[] = {{"a", WARP_TYPE_INT, 4},
                                                  {"b", WARP_TYPE_INT, 4},
                                                  {"s", WARP_TYPE_INT, 4},
                                                  {"f", WARP_TYPE_FLOAT, 4}};
static const uint32_t line_numbers[] = {10, 11, 12};
static const uint64_t scopes[] = {0xb, 0xb, 0xf};
static const struct trace_function kernel = {.file = "a.cu",
                                             .name = "kernel",
                                             .variable_count = 4,
                                             .line_count = 3,
                                             .variables = variables,
                                             .lines = line_numbers,
                                             .scope = scopes};
static const struct trace_function inner = {.file = "a.cu",
                                            .name = "inner",
                                            .variable_count = 1,
                                            .line_count = 1,
                                            .variables = variables,
                                            .lines = line_numbers,
                                            .scope = scopes};

struct given {
    struct line_code line;
    struct line_code_change changes[3];
};

static struct line_code_change row(uint32_t variable, uint32_t lanes, uint64_t begin,
                                   uint64_t each) {
    struct line_code_change change = {.variable = variable, .lanes = lanes};
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            change.value[lane] = (uint32_t)(begin + each * (uint64_t)lane);
    return change;
}

/* Values without a pattern, each of this many bits. */
static struct line_code_change noise(uint32_t variable, uint32_t lanes, unsigned bits,
                                     unsigned zeros) {
    struct line_code_change change = {.variable = variable, .lanes = lanes};
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            change.value[lane] = (((uint64_t)lane * 2654435761u >> 3) & ((UINT64_C(1) << bits) - 1))
                                 << zeros;
    return change;
}

static struct line_code_change sum(uint32_t variable, const struct line_code_change *a,
                                   const struct line_code_change *b) {
    struct line_code_change change = {.variable = variable, .lanes = a->lanes};
    for (int lane = 0; lane < WARP_LANES; lane++)
        change.value[lane] = (uint32_t)(a->value[lane] + b->value[lane]);
    return change;
}

#define ALL 0xffffffffu

/* The lines that the tests write: all ways in which a change is encoded. */
static size_t make_given(struct given *to) {
    const struct line_code_change a = row(0, ALL, 5, 3), b = noise(1, ALL, 9, 0);
    size_t n = 0;
    to[n++] = (struct given){{0, 0, ALL, 0, true, 0, 2}, {a, b}};
    to[n++] = (struct given){{0, 2, ALL, 0, false, 1, 1}, {sum(2, &a, &b)}};
    to[n++] = (struct given){{1, 0, 0xffff, 1, true, 1, 1}, {row(0, 0xffff, (uint64_t)-4, 1)}};
    to[n++] = (struct given){{0, 1, 0xffff, 0, false, 4, 1}, {noise(3, 0x00f0, 7, 20)}};
    to[n++] = (struct given){{0, 1, 0xffff0000, 0, false, 4, 0}, {{0}}};
    to[n++] = (struct given){
        {0, 2, ALL, 0, false, 4, 2},
        {{.variable = 0, .lanes = 0x80000001, .is_unset = true}, noise(1, ALL, 32, 0)}};
    return n;
}

static size_t code(struct text *bytes, const struct given *given, size_t count) {
    struct line_coder coder = {0};
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        const struct trace_function *function = given[i].line.function ? &inner : &kernel;
        const size_t before = bytes->length;
        line_code_put(&coder, bytes, &given[i].line);
        for (uint32_t k = 0; k < given[i].line.change_count; k++)
            line_code_put_change(&coder, bytes, &given[i].changes[k],
                                 variables[given[i].changes[k].variable].type,
                                 function->variable_count);
        longest = bytes->length - before > longest ? bytes->length - before : longest;
    }
    line_coder_release(&coder);
    return longest;
}

static struct trace *recording(const struct text *bytes, uint32_t count) {
    struct trace_writer *writer = sample_writer(NULL, 4);
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_function(writer, &kernel), 0);
    assert_int_equal(trace_writer_function(writer, &inner), 1);
    const struct trace_line_chunk chunk = {.block = 2,
                                           .launch = 0,
                                           .warp = 1,
                                           .count = count,
                                           .bytes = bytes->data,
                                           .size = bytes->length};
    trace_writer_lines(writer, &chunk);
    sample_steps(writer, 4, 3);
    if (trace_writer_close(writer, &trace, &err) != 0)
        fail_msg("%s", err.text);
    return trace;
}

static void assert_holds(const struct trace_line_state *state, uint32_t variable, int lane,
                         bool is_set, uint64_t value) {
    assert_int_equal(state->set[variable] >> lane & 1, is_set);
    assert_int_equal(state->value[variable][lane], value);
}

static void test_lines_are_read_back(void **state) {
    (void)state;
    struct given given[8];
    struct text bytes = TEXT_INIT;
    struct trace_lines *lines;
    const size_t count = make_given(given);
    code(&bytes, given, count);
    struct trace *trace = recording(&bytes, (uint32_t)count);
    assert_true(trace_has_lines(trace));
    assert_int_equal(trace_function_count(trace), 2);
    assert_string_equal(trace_function(trace, 0)->variables[2].name, "s");
    assert_int_equal(trace_function(trace, 1)->first, 4);
    assert_int_equal(trace_lines_open(trace, 0, 2, 1, &lines, NULL), 0);
    assert_int_equal(lines->count, count);
    for (size_t i = 0; i < count; i++) {
        const struct trace_line *line = &lines->lines[i];
        assert_int_equal(line->function, given[i].line.function);
        assert_int_equal(line->line, given[i].line.line);
        assert_int_equal(line->lanes, given[i].line.lanes);
        assert_int_equal(line->depth, given[i].line.depth);
        assert_int_equal(line->enters, given[i].line.enters);
        assert_int_equal(line->step, given[i].line.step);
        assert_int_equal(line->change_count, given[i].line.change_count);
        for (uint32_t k = 0; k < line->change_count; k++) {
            const struct trace_line_change *change = &lines->changes[line->change + k];
            const uint64_t *value = lines->values + change->values;
            assert_int_equal(change->lanes, given[i].changes[k].lanes);
            assert_int_equal(change->is_unset, given[i].changes[k].is_unset);
            for (int lane = 0; lane < WARP_LANES && !change->is_unset; lane++)
                if (change->lanes >> lane & 1)
                    assert_int_equal(*value++, given[i].changes[k].value[lane]);
        }
    }
    trace_lines_release(lines);
    trace_close(trace);
    text_release(&bytes);
}

/* The variables' values, worked out by hand, are the same stepping forwards and back. */
static void test_states(void **state) {
    (void)state;
    struct given given[8];
    struct text bytes = TEXT_INIT;
    struct trace_lines *lines;
    struct trace_line_state now;
    const size_t count = make_given(given);
    code(&bytes, given, count);
    struct trace *trace = recording(&bytes, (uint32_t)count);
    assert_int_equal(trace_lines_open(trace, 0, 2, 1, &lines, NULL), 0);
    trace_line_state_init(&now, trace);
    assert_int_equal(now.count, 5);
    trace_lines_state(lines, 0, &now);
    assert_holds(&now, 0, 7, false, 0);
    trace_lines_state(lines, 1, &now);
    assert_holds(&now, 0, 7, true, 5 + 3 * 7);
    trace_lines_state(lines, 2, &now);
    assert_holds(&now, 2, 7, true, 5 + 3 * 7 + given[0].changes[1].value[7]);
    trace_lines_state(lines, 3, &now);
    assert_holds(&now, 4, 1, true, (uint32_t)-3);
    assert_holds(&now, 4, 16, false, 0);
    trace_lines_state(lines, 4, &now); /* s is out of scope on line 11, so unset in lane 7 */
    assert_holds(&now, 2, 7, false, 0);
    assert_holds(&now, 2, 16, true, 5 + 3 * 16 + given[0].changes[1].value[16]); /* but not
                                                                                  * in lane 16 */
    trace_lines_state(lines, 6, &now);
    assert_holds(&now, 0, 0, false, 0);
    assert_holds(&now, 0, 31, false, 0);
    assert_holds(&now, 0, 1, true, 8);
    trace_lines_state(lines, 1, &now);
    assert_holds(&now, 0, 0, true, 5);
    assert_holds(&now, 2, 7, false, 0);
    trace_line_state_release(&now);
    trace_lines_release(lines);
    trace_close(trace);
    text_release(&bytes);
}

/* Common changes take few bytes. */
static void test_few_bytes(void **state) {
    (void)state;
    struct text bytes = TEXT_INIT;
    struct given given[8];
    make_given(given);
    code(&bytes, given, 1);
    const size_t first = bytes.length;
    text_clear(&bytes);
    code(&bytes, given, 2);
    assert_true(bytes.length - first <= 8); /* a sum of two variables */
    text_clear(&bytes);
    const struct given counter = {{0, 0, ALL, 0, false, 0, 1}, {row(0, ALL, 16, 0)}};
    assert_true(code(&bytes, &counter, 1) <= 10);
    text_release(&bytes);
}

static void test_another_warp_has_none(void **state) {
    (void)state;
    struct given given[8];
    struct text bytes = TEXT_INIT;
    struct trace_lines *lines;
    struct trace_line_warp warp;
    size_t at = 0;
    code(&bytes, given, make_given(given));
    struct trace *trace = recording(&bytes, (uint32_t)make_given(given));
    assert_int_equal(trace_lines_open(trace, 0, 2, 0, &lines, NULL), 0);
    assert_null(lines);
    assert_true(trace_lines_next_warp(trace, &at, &warp));
    assert_int_equal(warp.block, 2);
    assert_int_equal(warp.warp, 1);
    assert_false(trace_lines_next_warp(trace, &at, &warp));
    trace_close(trace);
    text_release(&bytes);
}

/* Cut anywhere, they are refused; with any byte changed, they give lines or an error. */
static void test_damage(void **state) {
    (void)state;
    struct given given[8];
    struct text bytes = TEXT_INIT;
    const uint32_t count = (uint32_t)make_given(given);
    code(&bytes, given, count);
    for (size_t i = 0; i < 2 * bytes.length; i++) {
        struct text changed = TEXT_INIT;
        struct trace_lines *lines = NULL;
        struct error err = ERROR_INIT;
        text_append_bytes(&changed, bytes.data, i < bytes.length ? i : bytes.length);
        if (i >= bytes.length)
            changed.data[i - bytes.length] ^= (char)0x41;
        struct trace *trace = recording(&changed, count);
        const int status = trace_lines_open(trace, 0, 2, 1, &lines, &err);
        assert_true(status == 0 ? lines != NULL : err.kind == ERROR_USAGE && !lines);
        if (i < bytes.length)
            assert_int_not_equal(status, 0);
        trace_lines_release(lines);
        trace_close(trace);
        text_release(&changed);
    }
    text_release(&bytes);
}

/* Beyond the limit, lines are only counted. */
static void test_too_many(void **state) {
    (void)state;
    struct trace_writer *writer = sample_writer(NULL, 4);
    struct trace *trace = NULL;
    const size_t size = (size_t)1 << 20;
    char *bytes = calloc(1, size);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < 10; i++) {
        const struct trace_line_chunk chunk = {
            .warp = i, .count = 100, .bytes = bytes, .size = size};
        trace_writer_lines(writer, &chunk);
    }
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    assert_string_equal(trace_note(trace, TRACE_NOTE_LINES_CUT), "300");
    trace_close(trace);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_read_back),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_few_bytes),
        cmocka_unit_test(test_another_warp_has_none),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
