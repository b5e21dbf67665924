/* A call as in programs and articles, and the command for it. */
#include "launch/call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_shuffle_is_a_command(void **state) {
    (void)state;
    static const struct {
        const char *text, *line, *assumed;
    } cases[] = {
        {"__shfl_up_sync(0xFFFFFFFF, value, 2, 16)", "up --delta 2 --width 16", "value = lane"},
        {"int ret = __shfl_sync(0xFFFFFFFF, value, 17, 16);", "idx --src 17 --width 16",
         "value = lane"},
        {"__shfl_xor_sync(0xffffffff, x, 3)", "xor --mask 3", "x = lane"},
        {"sum += __shfl_down_sync(0xffff, sum, offset);", "down --delta 16 --members 0xffff",
         "offset = 16, sum = lane"},
        {"float v = __shfl_xor_sync(mask, a[i] * 2, i / 2, warpSize);",
         "xor --mask '16 / 2' --type float --in 'lane * 2'",
         "i = 16, mask = 0xffffffff, a[i] = lane"},
        {"__shfl_down(x * 2 + 1, 4u)", "down --delta 4 --in 'lane * 2 + 1'",
         "mask = 0xffffffff, x = lane"},
        {"__shfl_sync((1u << 16) - 1, laneId, (laneId + 1) % 16, 16)",
         "idx --src '(lane + 1) % 16' --width 16 --members 0xffff", ""},
        {"__shfl_xor_sync(~0u, 1.5f * threadIdx.x, 1)",
         "xor --mask 1 --type float --in '1.5 * thread'", ""},
        {"__shfl_sync(~0u, x, __ffs(m) - 1)", "idx --src 0", "__ffs(m) - 1 = 0, x = lane"},
        {"tile.shfl_down(x, 4)", "down --delta 4", "tile = a group of 32 lanes, x = lane"},
        {"tile16.shfl_down(x, 4)", "down --delta 4 --width 16",
         "tile16 = a group of 16 lanes, x = lane"},
        {"thread_block_tile<8> g = tiled_partition<8>(block); y = g.shfl(x, 0);",
         "idx --src 0 --width 8", "g = a group of 8 lanes, x = lane"},
        {"tile48.shfl(x, 0)", "idx --src 0", "tile48 = a group of 32 lanes, x = lane"},
        {"__shfl_down_sync(m, s->val[3].x * 2, 4)", "down --delta 4 --in 'lane * 2'",
         "m = 0xffffffff, s->val[3].x = lane"},
        {"shfl_sync(0xffffffff,x,2)", "idx --src 2", "x = lane"},
        {"__shfl_up_sync(0xFFFFFFFF, v\xef\xbc\x8c"
         "2\xef\xbc\x8c"
         "16\xef\xbc\x89",
         "up --delta 2 --width 16", "v = lane"},
        {"__shfl_up_sync(0xFFFFFFFF,\xc2\xa0value,\xe3\x80\x80"
         "2)",
         "up --delta 2", "value = lane"},
        {"## 3.1 __shfl_xor_sync(0xffffffff, x, 1)", "xor --mask 1", "x = lane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call call;
        struct error err = ERROR_INIT;
        assert_true(call_is_in(cases[i].text));
        if (call_read(&call, cases[i].text, NULL, NULL, &err) != 0)
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_int_equal(call.kind, CALL_COMMAND);
        assert_string_equal(call.line.data, cases[i].line);
        assert_string_equal(call.assumed.data, cases[i].assumed);
        call_release(&call);
    }
}

/* The caller may choose values that do not look like lanes. Only a shuffle moves them. */
static void a_name_that_moves_has_the_chosen_value(void **state) {
    (void)state;
    static const struct {
        const char *text, *line, *assumed;
    } cases[] = {
        {"__shfl_xor_sync(~0u, v, 3)", "xor --mask 3 --in 100+lane", "v = 100+lane"},
        {"tile16.shfl_down(a[i], o)", "down --delta 16 --width 16 --in 100+lane",
         "o = 16, tile16 = a group of 16 lanes, a[i] = 100+lane"},
        {"__shfl_up_sync(~0u, v * 2, 1)", "up --delta 1 --in '(100+lane) * 2'", "v = 100+lane"},
        {"__shfl_sync(~0u, (v), 5)", "idx --src 5 --in '((100+lane))'", "v = 100+lane"},
        {"float y = __shfl_sync(~0u, f(x), 0);", "idx --src 0 --type float --in 100+lane",
         "f(x) = 100+lane"},
        {"__shfl_xor_sync(~0u, lane, 3)", "xor --mask 3", ""},
        {"__shfl_xor_sync(~0u, 7, 3)", "xor --mask 3 --in 7", ""},
        {"__ballot_sync(~0u, v)", "kernel ballot-sync --in lane", "v = lane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call call;
        struct error err = ERROR_INIT;
        if (call_read(&call, cases[i].text, NULL, "100+lane", &err) != 0)
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_string_equal(call.line.data, cases[i].line);
        assert_string_equal(call.assumed.data, cases[i].assumed);
        call_release(&call);
    }
}

static void other_functions_are_kernels(void **state) {
    (void)state;
    static const struct {
        const char *text, *line, *assumed;
    } cases[] = {
        {"unsigned b = __ballot_sync(mask, pred);", "kernel ballot-sync --in lane",
         "mask = 0xffffffff, pred = lane"},
        {"__ballot_sync(0xffff, lane < 5)", "kernel ballot-sync --members 0xffff", ""},
        {"while (__any_sync(m, a[i] > 3))", "kernel any-sync --in 'lane > 3'",
         "m = 0xffffffff, a[i] = lane"},
        {"if (tile.all(x < 3))", "kernel all-sync --in 'lane < 3'",
         "tile = a group of 32 lanes, x = lane"},
        {"__match_any_sync(~0u, 0.5f)", "kernel match-any-sync --type float --in 0.5", ""},
        {"__match_all_sync(0xff, v, &p)", "kernel match-all-sync --members 0xff --in lane",
         "v = lane"},
        {"__reduce_add_sync(~0u, x)", "kernel reduce-add-sync", "x = lane"},
        {"__reduce_and_sync(~0u, x | 16)", "kernel reduce-and-sync", "x = lane"},
        {"s = cg::reduce(tile, v, cg::plus<int>());", "kernel reduce-add-sync",
         "tile = a group of 32 lanes, v = lane"},
        {"cooperative_groups::reduce(warp, lane, cg::greater<int>())", "kernel reduce-max-sync",
         "warp = a group of 32 lanes"},
        {"__syncwarp();", "kernel syncwarp", ""},
        {"__syncwarp(0xff);", "kernel syncwarp --members 0xff", ""},
        {"__activemask()", "kernel activemask-call", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call call;
        struct error err = ERROR_INIT;
        if (call_read(&call, cases[i].text, NULL, NULL, &err) != 0)
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_int_equal(call.kind, CALL_COMMAND);
        assert_string_equal(call.line.data, cases[i].line);
        assert_string_equal(call.assumed.data, cases[i].assumed);
        call_release(&call);
    }
}

/* Expressions beyond our grammar go to a compiler. */
static void more_of_cpp_is_an_expression(void **state) {
    (void)state;
    static const struct {
        const char *text, *expression, *names;
    } cases[] = {
        {"if (tile16.any(x > 3))", "tile16.any(x > 3)", "x=lane\n"},
        {"auto t = tiled_partition<4>(b); t.any(x > 3)", "t_4.any(x > 3)", "x=lane\n"},
        {"__any_sync(mask, x > 1.5)", "__any_sync(mask, x > 1.5)", "mask=0xffffffff\nx=lane\n"},
        {"__reduce_max_sync(~0u, __popc(v))", "__reduce_max_sync(~0u, __popc(v))", "v=lane\n"},
        {"__match_all_sync(0xff, (char)v, &p)", "__match_all_sync(0xff, (char)v, &p)",
         "v=lane\np=0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call call;
        struct error err = ERROR_INIT;
        assert_int_equal(call_read(&call, cases[i].text, NULL, NULL, &err), 0);
        assert_int_equal(call.kind, CALL_EXPRESSION);
        assert_string_equal(call.expression.data, cases[i].expression);
        assert_string_equal(call.names.data, cases[i].names);
        call_release(&call);
    }
}

static void a_declaration_is_not_a_call(void **state) {
    (void)state;
    static const char *const texts[] = {
        "T __shfl_sync(unsigned mask, T var, int srcLane, int width=warpSize);",
        "unsigned __ballot_sync(unsigned mask, int predicate);",
        "T __match_all_sync(unsigned mask, T value, int *pred);"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct call call;
        struct error err = ERROR_INIT;
        assert_int_equal(call_read(&call, texts[i], NULL, NULL, &err), 0);
        assert_int_equal(call.kind, CALL_DECLARATION);
        call_release(&call);
    }
}

/* The caret is below the error: its column is checked. */
static void a_wrong_call_has_a_caret(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"__shfl_xor_sync(~0, x, 1 +)", "\n    __shfl_xor_sync(~0, x, 1 +)\n"
                                        "                              ^\n"},
        {"__shfl_xor_sync(~0, x", "\n    __shfl_xor_sync(~0, x\n                         ^\n"},
        {"__shfl_xor_sync(~0, x)", "\n    __shfl_xor_sync(~0, x)\n                         ^\n"},
        {"__shfl_sync(~0,, 3)", "\n    __shfl_sync(~0,, 3)\n                   ^\n"},
        {"__shfl_sync(~0, x], 3)", "\n    __shfl_sync(~0, x], 3)\n                     ^\n"},
        {"cg::reduce(tile16, v, cg::plus<int>())",
         "\n    cg::reduce(tile16, v, cg::plus<int>())\n               ^\n"},
        {"cg::reduce(t, v, cg::plus<float>())",
         "\n    cg::reduce(t, v, cg::plus<float>())\n                     ^\n"},
        {"cg::reduce(t, v, f)", "\n    cg::reduce(t, v, f)\n                     ^\n"},
        {"__activemask(3)", "\n    __activemask(3)\n                 ^\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call call;
        struct error err = ERROR_INIT;
        assert_int_equal(call_read(&call, cases[i].text, NULL, NULL, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        if (!strstr(err.text, cases[i].said))
            fail_msg("%s", err.text);
        call_release(&call);
    }
}

static void other_text_calls_nothing(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "xor",
                                        "kernel scan-8",
                                        "src (lane + 7) % 32",
                                        "any(x)",
                                        "shfl(x, 3)",
                                        "\"__shfl_sync(1, 2, 3)\"",
                                        "__shfl_sync",
                                        "f(x)",
                                        "grid.sync()",
                                        "block.sync()",
                                        "reduce(out, in, n)",
                                        "mask.x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(call_is_in(texts[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shuffle_is_a_command),
        cmocka_unit_test(a_name_that_moves_has_the_chosen_value),
        cmocka_unit_test(other_functions_are_kernels),
        cmocka_unit_test(more_of_cpp_is_an_expression),
        cmocka_unit_test(a_declaration_is_not_a_call),
        cmocka_unit_test(a_wrong_call_has_a_caret),
        cmocka_unit_test(other_text_calls_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
