/* The elements of code over a warp: operators, numbers, casts, assignments; and the errors for
 * everything else. Values are C's, worked out by hand. */
#include "explain/snippet/snippet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Lanes 0 to 31, each with the value lane + 1, at a down by 3 in groups of 16. */
static struct warp_operation start(void) {
    struct warp_operation operation = {.op = WARP_OP_DOWN,
                                       .type = WARP_TYPE_INT,
                                       .members = WARP_FULL_MASK,
                                       .present = WARP_FULL_MASK,
                                       .launched = WARP_FULL_MASK};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.arg[lane] = 3;
        operation.width[lane] = 16;
        operation.in[lane] = (uint64_t)lane + 1;
    }
    return operation;
}

static void values(void **state) {
    (void)state;
    static const struct {
        const char *code;
        int of_5, of_30; /* lanes that pass 6 and 31 */
    } expected[] = {
        {"v = ~v;", -7, -32},
        {"v = -v;", -6, -31},
        {"v = +v;", 6, 31},
        {"v = !v;", 0, 0},
        {"v = !(v - 6);", 1, 0},
        {"v++;", 7, 32},
        {"v--;", 5, 30},
        {"v += 4;", 10, 35},
        {"v -= 4;", 2, 27},
        {"v *= 3;", 18, 93},
        {"v /= 4;", 1, 7},
        {"v %= 4;", 2, 3},
        {"v <<= 2;", 24, 124},
        {"v >>= 1;", 3, 15},
        {"v &= 12;", 4, 12},
        {"v |= 8;", 14, 31},
        {"v ^= 1;", 7, 30},
        {"v = v * 2 + 1;", 13, 63},
        {"v = 1 + v * 2;", 13, 63},
        {"v = (1 + v) * 2;", 14, 64},
        {"v = v > 6 ? 1 : 2;", 2, 1},
        {"v = v >= 6 && v < 31;", 1, 0},
        {"v = v <= 5 || v == 31;", 0, 1},
        {"v = (v < 6) + 2 * (v<7) + 4 * (v>5) + 8 * (v>6);", 6, 12},
        {"v=v==6;", 1, 0},
        {"v=v!=-6;", 1, 1},
        {"v = v != 6;", 0, 1},
        {"v = 5u + 1U;", 6, 6},
        {"v = 5ul + 0x10L;", 21, 21},
        {"v = (int)v + (unsigned)1;", 7, 32},
        {"int w = v; v = w - 1;", 5, 30},
        {"if (v > 10) v = 0; else v = 1;", 1, 0},
        {"v = min(v, 10);", 6, 10},
        {"v = max(v, 10);", 10, 31},
        {"v = lane & 3;", 1, 2},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct warp_operation operation = start();
        struct snippet_result result;
        struct error err = ERROR_INIT;
        if (snippet_run(expected[i].code, &operation, &result, &err) != 0)
            fail_msg("%s: %s", expected[i].code, err.text);
        if ((int)result.value.of[5] != expected[i].of_5 ||
            (int)result.value.of[30] != expected[i].of_30)
            fail_msg("%s: %d and %d", expected[i].code, (int)result.value.of[5],
                     (int)result.value.of[30]);
        assert_int_equal(result.value.undefined, 0);
    }
}

static void refusals(void **state) {
    (void)state;
    static const char *const codes[] = {
        "v = ",
        "v = (1;",
        "v = 1 2;",
        "v = foo(1);",
        "v = max(1);",
        "v = max(1, 2, 3);",
        "v = max(1 2);",
        "v = __shfl_sync(0xffffffff);",
        "v = __shfl_sync(0xffffffff, v, 1, 16, 5);",
        "v = w;",
        "= 3;",
        "v = 3 +;",
        "v = v === 3;",
        "v = v <== 3;",
        "v = v += 3;",
        "v = v ? 1;",
        "v = v ? 1 : ;",
        "for (int i = 0; i < 4; i++ v = 1;",
        "if v > 3 v = 1;",
        "if (v > 3",
        "{ v = 1;",
        "v = @;",
        "v = a_name_that_is_so_long_that_no_variable_of_such_code_can_have_it_at_all;",
        "v = v[0;",
        "while (1) v = 1;",
        "",
    };
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        const struct warp_operation operation = start();
        struct snippet_result result;
        struct error err = ERROR_INIT;
        if (snippet_run(codes[i], &operation, &result, &err) != -1)
            fail_msg("\"%s\" is taken", codes[i]);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_true(err.text[0]);
    }
}

/* Variables, loops and nesting are limited. */
static void too_much(void **state) {
    (void)state;
    char code[4000] = "";
    const struct warp_operation operation = start();
    struct snippet_result result;
    struct error err = ERROR_INIT;
    int made = 0;
    for (; made < 100; made++) {
        snprintf(code + strlen(code), sizeof code - strlen(code), "int x%d = %d; ", made, made);
        if (snippet_run(code, &operation, &result, &err) != 0)
            break;
        assert_int_equal(result.value.of[0], made);
    }
    assert_in_range(made, 3, 99);
    assert_non_null(strstr(err.text, "fewer variables"));
    for (int braces = 1;; braces *= 2) {
        memset(code, '(', (size_t)braces);
        snprintf(code + braces, sizeof code - (size_t)braces, "1");
        memset(code + braces + 1, ')', (size_t)braces);
        code[2 * braces + 1] = '\0';
        char whole[4100];
        snprintf(whole, sizeof whole, "v = %s;", code);
        if (snippet_run(whole, &operation, &result, &err) != 0)
            break;
        assert_int_equal(result.value.of[0], 1);
        assert_in_range(braces, 1, 1000);
    }
    assert_int_equal(snippet_run("for (int i = 0; i < 2; i += 0) v++;", &operation, &result, &err),
                     -1); /* it does not end */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(refusals),
                                       cmocka_unit_test(too_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
