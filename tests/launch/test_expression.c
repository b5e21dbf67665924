/*
 * The language of --in, --src, --delta and --mask. Values are worked out by hand; messages are
 * spelled out; a random tree printed with as few parentheses as C needs must come back the same.
 */
#include "launch/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct expression_rules int_rules = {"--in", WARP_TYPE_INT, 32, 100};
static const struct expression_rules double_rules = {"--in", WARP_TYPE_DOUBLE, 32, 100};
static const struct expression_rules argument_rules = {"--src", WARP_TYPE_NONE, 32, 32};

static struct expression *compile(const char *text, const struct expression_rules *rules) {
    struct expression *expression;
    struct error err = ERROR_INIT;
    if (expression_compile(&expression, text, rules, &err) < 0)
        fail_msg("%s does not compile: %s", text, err.text);
    return expression;
}

static struct expression_value evaluate(const char *text, const struct expression_rules *rules,
                                        int lane, uint64_t thread) {
    struct expression *expression = compile(text, rules);
    struct expression_value value;
    struct error err = ERROR_INIT;
    if (expression_evaluate(expression, lane, thread, &value, &err) < 0)
        fail_msg("%s does not evaluate: %s", text, err.text);
    expression_free(expression);
    return value;
}

static void check_integer(const char *text, int lane, int64_t expected) {
    struct expression_value value = evaluate(text, &int_rules, lane, (uint64_t)lane);
    assert_false(value.is_real);
    if (value.integer != expected)
        fail_msg("%s in lane %d: %lld, expected %lld", text, lane, (long long)value.integer,
                 (long long)expected);
}

static void check_real(const char *text, int lane, double expected) {
    struct expression_value value = evaluate(text, &double_rules, lane, (uint64_t)lane);
    assert_true(value.is_real);
    if (memcmp(&value.real, &expected, sizeof expected) != 0)
        fail_msg("%s in lane %d: %.17g, expected %.17g", text, lane, value.real, expected);
}

/* ---- values ---- */

static void test_operands(void **state) {
    (void)state;
    check_integer("0", 0, 0);
    check_integer("42", 0, 42);
    check_integer("0x1F", 0, 31);
    check_integer("0b101", 0, 5);
    check_integer("lane", 0, 0);
    check_integer("lane", 31, 31);
    check_integer("(lane)", 7, 7);
    check_integer(" \t lane\n", 7, 7);
    check_integer("18446744073709551615", 0, -1);
    check_integer("0x8000000000000000", 0, INT64_MIN);
}

static void test_thread_counts_over_the_grid(void **state) {
    (void)state;
    const struct expression_rules rules = {"--in", WARP_TYPE_INT, 100, 100};
    assert_int_equal(evaluate("thread * 10 + lane", &rules, 3, 35).integer, 353);
    assert_int_equal(evaluate("thread / 32", &rules, 3, 99).integer, 3);
}

static void test_every_operator(void **state) {
    (void)state;
    check_integer("-lane", 5, -5);
    check_integer("+lane", 5, 5);
    check_integer("~lane", 5, -6);
    check_integer("!lane", 5, 0);
    check_integer("!lane", 0, 1);
    check_integer("7 * 6", 0, 42);
    check_integer("7 / 2", 0, 3);
    check_integer("-7 / 2", 0, -3);
    check_integer("7 / -2", 0, -3);
    check_integer("7 % 3", 0, 1);
    check_integer("-7 % 3", 0, -1);
    check_integer("7 % -3", 0, 1);
    check_integer("7 + 3", 0, 10);
    check_integer("7 - 10", 0, -3);
    check_integer("1 << 4", 0, 16);
    check_integer("256 >> 4", 0, 16);
    check_integer("-1 >> 1", 0, -1);
    check_integer("-9 >> 2", 0, -3);
    check_integer("3 < 4", 0, 1);
    check_integer("4 < 4", 0, 0);
    check_integer("4 <= 4", 0, 1);
    check_integer("5 <= 4", 0, 0);
    check_integer("5 > 4", 0, 1);
    check_integer("4 > 4", 0, 0);
    check_integer("4 >= 4", 0, 1);
    check_integer("3 >= 4", 0, 0);
    check_integer("-1 < 0", 0, 1);
    check_integer("4 == 4", 0, 1);
    check_integer("4 == 5", 0, 0);
    check_integer("4 != 5", 0, 1);
    check_integer("4 != 4", 0, 0);
    check_integer("12 & 10", 0, 8);
    check_integer("12 ^ 10", 0, 6);
    check_integer("12 | 10", 0, 14);
    check_integer("2 && 4", 0, 1);
    check_integer("2 && 0", 0, 0);
    check_integer("0 && 2", 0, 0);
    check_integer("0 || 4", 0, 1);
    check_integer("4 || 0", 0, 1);
    check_integer("0 || 0", 0, 0);
    check_integer("lane ? 10 : 20", 1, 10);
    check_integer("lane ? 10 : 20", 0, 20);
}

static void test_precedence_is_that_of_c(void **state) {
    (void)state;
    check_integer("1 + 2 * 3", 0, 7);
    check_integer("(1 + 2) * 3", 0, 9);
    check_integer("10 - 4 - 3", 0, 3);
    check_integer("100 / 10 / 5", 0, 2);
    check_integer("100 / 10 * 5", 0, 50);
    check_integer("2 * 7 % 4", 0, 2);
    check_integer("1 << 2 + 1", 0, 8);
    check_integer("1 << 2 << 1", 0, 8);
    check_integer("16 >> 2 >> 1", 0, 2);
    check_integer("8 >> 1 < 5", 0, 1);
    check_integer("3 > 2 > 1", 0, 0);
    check_integer("1 < 2 == 1", 0, 1);
    check_integer("4 & 6 == 6", 0, 0);    /* 4 & (6 == 6) is 4 & 1 */
    check_integer("1 | 2 ^ 3 & 2", 0, 1); /* 1 | (2 ^ (3 & 2)) is 1 | 0 */
    check_integer("6 ^ 3 | 8", 0, 13);
    check_integer("1 || 0 && 0", 0, 1);
    check_integer("2 | 1 && 0", 0, 0);
    check_integer("-2 * -3", 0, 6);
    check_integer("- - 5", 0, 5);
    check_integer("--5", 0, 5); /* two signs, since nothing here can be decremented */
    check_integer("~-1", 0, 0);
    check_integer("!0 + 1", 0, 2);
    check_integer("!!7", 0, 1);
    check_integer("1 ? 2 : 0 ? 3 : 4", 0, 2);
    check_integer("0 ? 2 : 0 ? 3 : 4", 0, 4);
    check_integer("1 ? 0 ? 5 : 6 : 7", 0, 6);
    check_integer("0 || 1 ? 8 : 9", 0, 8);
    check_integer("1 + 1 ? 8 : 9", 0, 8);
}

static void test_arithmetic_wraps_in_64_bits(void **state) {
    (void)state;
    check_integer("0x7fffffffffffffff + 1", 0, INT64_MIN);
    check_integer("-0x7fffffffffffffff - 2", 0, INT64_MAX);
    check_integer("-9223372036854775808", 0, INT64_MIN);
    check_integer("-(-9223372036854775808)", 0, INT64_MIN);
    check_integer("-9223372036854775808 / -1", 0, INT64_MIN);
    check_integer("-9223372036854775808 % -1", 0, 0);
    check_integer("0x100000000 * 0x100000000", 0, 0);
    check_integer("0x7fffffffffffffff * 2", 0, -2);
    check_integer("1 << 63", 0, INT64_MIN);
    check_integer("3 << 63", 0, INT64_MIN);
    check_integer("-1 << 1", 0, -2);
    check_integer("(1 << 63) >> 63", 0, -1);
    check_integer("1 >> 63", 0, 0);
    check_integer("7 >> 0", 0, 7);
}

static void test_what_c_skips_is_skipped(void **state) {
    (void)state;
    check_integer("lane && 10 / lane", 0, 0);
    check_integer("lane && 10 / lane", 5, 1);
    check_integer("!lane || 10 / lane", 0, 1);
    check_integer("lane == 0 ? 0 : 100 / lane", 0, 0);
    check_integer("lane == 0 ? 0 : 100 / lane", 4, 25);
    check_integer("1 || 1 << 64", 0, 1);
}

static void test_long_sums_need_no_stack(void **state) {
    (void)state;
    const size_t terms = 100000;
    char *text = malloc(2 * terms);
    for (size_t i = 0; i < terms; i++)
        memcpy(text + 2 * i, "1+", 2);
    text[2 * terms - 1] = '\0';
    check_integer(text, 0, 100000);
    free(text);
}

/* ---- real numbers ---- */

static void test_real_numbers_follow_c(void **state) {
    (void)state;
    check_real("0.5", 0, 0.5);
    check_real(".5", 0, 0.5);
    check_real("2.", 0, 2.0);
    check_real("1e3", 0, 1000.0);
    check_real("1.5E-1", 0, 0.15);
    check_real("0.1", 0, 0.1);
    check_real("lane * 0.5", 3, 1.5);
    check_real("0.5 * lane", 3, 1.5);
    check_real("lane / 2.0", 3, 1.5);
    check_real("lane / 2 + 0.0", 3, 1.0); /* a whole number is divided first */
    check_real("1.5 - lane", 3, -1.5);
    check_real("-0.0", 0, -0.0);
    check_real("+1.5", 0, 1.5);
    check_real("1 / 3.0", 0, 1.0 / 3.0);
    check_real("lane ? 1 : 0.5", 1, 1.0);
    check_real("(lane ? 1 : 0.5) / 2", 1, 0.5); /* both branches are doubles, as in C */
    check_real("(lane ? 0.5 : 1) / 2", 0, 0.5);
    check_real("1 / 0.0", 0, (double)INFINITY);
    check_real("-1 / 0.0", 0, -(double)INFINITY);
    check_real("1e308 * 10", 0, (double)INFINITY);
}

static void test_conditions_on_reals_are_integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"lane < 1.5", 1},  {"1.5 < lane", 0},       {"lane <= 1.0", 1},        {"lane > 0.5", 1},
        {"1.0 >= 2.0", 0},  {"lane == 1.0", 1},      {"lane != 1.0", 0},        {"!0.5", 0},
        {"!0.0", 1},        {"0.5 && lane", 1},      {"0.0 || 0", 0},           {"0.0 || 0.25", 1},
        {"0.5 ? 3 : 4", 3}, {"(lane < 1.5) / 2", 0}, {"0.0 / 0 == 0.0 / 0", 0}, {"-0.0 ? 3 : 4", 4},
        {"-0.0 || 0", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct expression_value value = evaluate(cases[i].text, &double_rules, 1, 1);
        assert_false(value.is_real);
        assert_int_equal(value.integer, cases[i].value);
    }
}

static void test_every_nan_is_the_same(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    static const char *const texts[] = {"0.0 / 0", "-(0.0 / 0)", "1 / 0.0 - 1 / 0.0"};
    for (int i = 0; i < 3; i++) {
        struct expression *expression = compile(texts[i], &double_rules);
        uint64_t bits;
        assert_int_equal(expression_bits(expression, 0, 0, &bits, &err), 0);
        assert_true(bits == UINT64_C(0x7ff8000000000000));
        expression_free(expression);
    }
}

/* ---- lists ---- */

static void test_a_list_gives_lanes_in_order(void **state) {
    (void)state;
    const struct expression_rules rules = {"--in", WARP_TYPE_INT, 4, 100};
    static const int64_t expected[] = {10, -2, 3, 23};
    for (int lane = 0; lane < 4; lane++)
        assert_int_equal(evaluate("10, -2, 1 + 2, lane + 20", &rules, lane, (uint64_t)lane).integer,
                         expected[lane]);
}

static void test_a_list_may_mix_reals_and_integers(void **state) {
    (void)state;
    const struct expression_rules rules = {"--in", WARP_TYPE_FLOAT, 3, 100};
    struct expression *expression = compile("0.5,1,-2.25", &rules);
    static const uint64_t expected[] = {0x3f000000, 0x3f800000, 0xc0100000};
    struct error err = ERROR_INIT;
    for (int lane = 0; lane < 3; lane++) {
        uint64_t bits;
        assert_int_equal(expression_bits(expression, lane, (uint64_t)lane, &bits, &err), 0);
        assert_int_equal(bits, expected[lane]);
    }
    expression_free(expression);
}

/* "3,4,5,...": `count` numbers, each 3 more than its position. */
static char *make_list(int count) {
    char *list = malloc((size_t)count * 4 + 1);
    size_t used = 0;
    for (int i = 0; i < count; i++)
        used += (size_t)sprintf(list + used, "%s%d", i ? "," : "", i + 3);
    return list;
}

static void test_32_items_serve_every_warp(void **state) {
    (void)state;
    const struct expression_rules rules = {"--in", WARP_TYPE_INT, 70, 100};
    char *list = make_list(32);
    assert_int_equal(evaluate(list, &rules, 5, 69).integer, 8);
    free(list);
    list = make_list(70);
    assert_int_equal(evaluate(list, &rules, 5, 69).integer, 72);
    free(list);
}

static void check_refused(const char *text, const struct expression_rules *rules,
                          const char *message) {
    struct error err = ERROR_INIT;
    struct expression *expression = (struct expression *)&err;
    assert_int_equal(expression_compile(&expression, text, rules, &err), -1);
    assert_null(expression);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, message);
    assert_int_equal(expression_compile(&expression, text, rules, NULL), -1);
}

static void test_lists_of_the_wrong_length(void **state) {
    (void)state;
    check_refused("1,2,3", &int_rules,
                  "--in: 3 values are given\n"
                  "allowed: 1 for all lanes, or 32 (one for each lane)\n"
                  "try: an expression in lane, such as --in 'lane * 2'");
    const struct expression_rules one = {"--delta", WARP_TYPE_NONE, 1, 32};
    check_refused("1,2", &one,
                  "--delta: 2 values are given\n"
                  "allowed: 1, for the only lane\n"
                  "try: more lanes: --threads 2");
    const struct expression_rules many = {"--in", WARP_TYPE_INT, 70, 100};
    char *list = make_list(33);
    check_refused(list, &many,
                  "--in: 33 values are given\n"
                  "allowed: 1 for all threads, 70 (one for each thread), or 32 (one for each lane "
                  "of every warp)\n"
                  "try: an expression in lane or thread, such as --in 'lane * 2'");
    free(list);
    const struct expression_rules few = {"--in", WARP_TYPE_INT, 8, 100};
    list = make_list(32); /* 32 lanes, but only 8 threads */
    struct expression *expression;
    assert_int_equal(expression_compile(&expression, list, &few, NULL), -1);
    free(list);
}

/* ---- random ---- */

static void test_random_is_splitmix64(void **state) {
    (void)state;
    /* The generator's first five numbers for the seed 1234567, as published with it, are
     * 6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431 and
     * 16408922859458223821: in thousandths of 2^64, */
    static const int64_t expected[] = {350, 173, 532, 249, 889};
    const struct expression_rules rules = {"--in", WARP_TYPE_INT, 32, 1000};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(evaluate("random:1234567", &rules, i, (uint64_t)i).integer, expected[i]);
        assert_int_equal(evaluate(" random:0x12d687 ", &rules, 0, (uint64_t)i).integer,
                         expected[i]);
    }
}

static void test_random_stays_below_its_limit(void **state) {
    (void)state;
    struct expression *expression = compile("random:0", &argument_rules);
    uint32_t seen = 0;
    struct error err = ERROR_INIT;
    for (uint64_t thread = 0; thread < 1000; thread++) {
        int32_t argument;
        assert_int_equal(expression_argument(expression, 0, thread, &argument, &err), 0);
        assert_in_range(argument, 0, 31);
        seen |= 1u << argument;
    }
    assert_int_equal(seen, 0xffffffff);
    expression_free(expression);
    expression = compile("random:18446744073709551615", &argument_rules);
    expression_free(expression);
}

/* ---- values as bits ---- */

static void test_values_convert_to_the_type(void **state) {
    (void)state;
    static const struct {
        enum warp_type type;
        const char *text;
        uint64_t bits;
    } cases[] = {
        {WARP_TYPE_INT, "-1", 0xffffffff},
        {WARP_TYPE_INT, "0x100000007", 7},
        {WARP_TYPE_UNSIGNED_LONG_LONG, "0xffffffffffffffff", UINT64_MAX},
        {WARP_TYPE_FLOAT, "3", 0x40400000},
        {WARP_TYPE_FLOAT, "0.1", 0x3dcccccd},
        {WARP_TYPE_DOUBLE, "0.1", UINT64_C(0x3fb999999999999a)},
        {WARP_TYPE_HALF, "0.1", 0x2e66},
        {WARP_TYPE_HALF2, "1.5", 0x3e003e00},
        {WARP_TYPE_BFLOAT16, "lane", 0x4000},
    };
    struct error err = ERROR_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct expression_rules rules = {"--in", cases[i].type, 32, 100};
        struct expression *expression = compile(cases[i].text, &rules);
        uint64_t bits;
        assert_int_equal(expression_bits(expression, 2, 2, &bits, &err), 0);
        assert_true(bits == cases[i].bits);
        expression_free(expression);
    }
}

static void test_arguments_fit_int_or_unsigned(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int32_t argument;
    } fine[] = {{"-1", -1},
                {"-2147483648", INT32_MIN},
                {"4294967295", -1},
                {"0x80000000", INT32_MIN},
                {"33", 33}};
    struct error err = ERROR_INIT;
    int32_t argument;
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        struct expression *expression = compile(fine[i].text, &argument_rules);
        assert_int_equal(expression_argument(expression, 0, 0, &argument, &err), 0);
        assert_int_equal(argument, fine[i].argument);
        expression_free(expression);
    }
    struct expression *expression = compile("4294967292 + lane", &argument_rules);
    assert_int_equal(expression_argument(expression, 3, 3, &argument, &err), 0);
    assert_int_equal(expression_argument(expression, 4, 4, &argument, &err), -1);
    assert_string_equal(err.text,
                        "--src: lane 4 gets 4294967296\n"
                        "allowed: -2147483648 to 4294967295; only the low five bits are used\n"
                        "try: --src '(lane * 2) & 31'");
    expression_free(expression);
    expression = compile("-2147483649", &argument_rules);
    assert_int_equal(expression_argument(expression, 4, 4, &argument, &err), -1);
    expression_free(expression);
}

/* ---- messages ---- */

#define ADVICE                                                                                     \
    "\nallowed: integers (10, 0x1f, 0b101), lane (0 to 31), thread, C's operators,\n"              \
    "         parentheses, a list such as 1,2,3, or random:SEED\n"                                 \
    "try: --in '(lane + 1) * 2'"

static void test_messages_point_at_the_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "--in: expected a number, lane, thread or '(', found the end\n    \n    ^"},
        {"lane + * 2", "--in: expected a number, lane, thread or '(', found '*'\n"
                       "    lane + * 2\n"
                       "           ^"},
        {"lane 2", "--in: expected an operator, ',' or the end, found '2'\n"
                   "    lane 2\n"
                   "         ^"},
        {"(lane + 1", "--in: expected an operator or ')', found the end\n"
                      "    (lane + 1\n"
                      "             ^"},
        {"(1, 2)", "--in: expected an operator or ')', found ','\n"
                   "    (1, 2)\n"
                   "      ^"},
        {"lane + 1)", "--in: this ')' closes nothing\n"
                      "    lane + 1)\n"
                      "            ^"},
        {"1 ? 2", "--in: expected an operator or the ':' of '?', found the end\n"
                  "    1 ? 2\n"
                  "         ^"},
        {"1,,2", "--in: expected a number, lane, thread or '(', found ','\n"
                 "    1,,2\n"
                 "      ^"},
        {"1,2,", "--in: expected a number, lane, thread or '(', found the end\n"
                 "    1,2,\n"
                 "        ^"},
        {"laneId * 2",
         "--in: unknown name 'laneId': the names that can be used are lane and thread\n"
         "    laneId * 2\n"
         "    ^"},
        {"lane = 3", "--in: nothing can be assigned here; == compares, = does not\n"
                     "    lane = 3\n"
                     "         ^"},
        {"lane @ 3", "--in: expected an operator, ',' or the end, found '@'\n"
                     "    lane @ 3\n"
                     "         ^"},
        {"3 + 010", "--in: '010' begins with 0, which C reads as octal: leave the 0 out\n"
                    "    3 + 010\n"
                    "        ^"},
        {"0x", "--in: '0x' has no digits after its prefix\n    0x\n    ^"},
        {"99999999999999999999", "--in: '99999999999999999999' is larger than 2^64-1\n"
                                 "    99999999999999999999\n"
                                 "    ^"},
        {"12u", "--in: '12u' is not a number: numbers take no suffix\n    12u\n      ^"},
        {"1.5.2", "--in: '1.5.2' is not a number: numbers take no suffix\n    1.5.2\n       ^"},
        {"2 * random:3", "--in: random takes a seed and nothing else: random:1\n"
                         "    2 * random:3\n"
                         "        ^"},
        {"random:", "--in: random: takes a seed, a number from 0 to 2^64-1: random:1\n"
                    "    random:\n"
                    "           ^"},
        {"random:1 + 1", "--in: random: takes a seed, a number from 0 to 2^64-1: random:1\n"
                         "    random:1 + 1\n"
                         "             ^"},
        {"lane * 0.5", "--in: 0.5 is a real number, and --type int takes integers; float, double, "
                       "half and bfloat16 take real numbers\n"
                       "    lane * 0.5\n"
                       "           ^"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[1024];
        snprintf(message, sizeof message, "%s" ADVICE, cases[i].message);
        check_refused(cases[i].text, &int_rules, message);
    }
}

static void test_messages_about_reals(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct expression *expression;
    check_refused("0.5", &argument_rules,
                  "--src: 0.5 is a real number, and --src takes integers\n"
                  "    0.5\n"
                  "    ^\n"
                  "allowed: integers (10, 0x1f, 0b101), lane (0 to 31), thread, C's operators,\n"
                  "         parentheses, a list such as 1,2,3, or random:SEED\n"
                  "try: --src '(lane + 1) * 2'");
    check_refused(
        "lane % 0.5", &double_rules,
        "--in: '%' takes integers, not real numbers\n"
        "    lane % 0.5\n"
        "         ^\n"
        "allowed: numbers (10, 0x1f, 0b101, 0.5), lane (0 to 31), thread, C's operators,\n"
        "         parentheses, a list such as 1,2,3, or random:SEED\n"
        "try: --in '(lane + 1) * 2'");
    static const char *const integers_only[] = {"0.5 << 1", "1 >> 0.5", "0.5 & 1", "1 | 0.5",
                                                "0.5 ^ 1",  "~0.5",     "1e999",   "0.5f"};
    for (size_t i = 0; i < sizeof integers_only / sizeof integers_only[0]; i++)
        assert_int_equal(expression_compile(&expression, integers_only[i], &double_rules, &err),
                         -1);
}

static void test_control_characters_are_not_repeated(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct expression *expression;
    assert_int_equal(expression_compile(&expression, "lane\t\x1b[31m", &int_rules, &err), -1);
    assert_non_null(strstr(err.text, "found '?'\n    lane ?[31m\n         ^\n"));
    /* A character of two bytes takes one column; a stray byte and a C1 control are shown as a
     * question mark each. */
    assert_int_equal(expression_compile(&expression, "lane \xc3\x97 2", &int_rules, &err), -1);
    assert_non_null(strstr(err.text, "found '\xc3\x97'\n    lane \xc3\x97 2\n         ^\n"));
    assert_int_equal(expression_compile(&expression, "\xff", &int_rules, &err), -1);
    assert_non_null(strstr(err.text, "found '?'\n    ?\n    ^\n"));
    assert_int_equal(expression_compile(&expression, "\xc2\x9b", &int_rules, &err), -1);
    assert_non_null(strstr(err.text, "\n    ?\n    ^\n"));
    assert_int_equal(expression_compile(&expression, "1 \xc3+ 1", &int_rules, &err), -1);
    assert_non_null(strstr(err.text, "found '?'\n    1 ?+ 1\n      ^\n"));
}

static void test_a_long_expression_is_shown_around_the_place(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct expression *expression;
    char text[400];
    memset(text, ' ', sizeof text);
    for (int i = 0; i < 198; i += 2)
        memcpy(text + i, "1+", 2);
    text[198] = '*';
    text[399] = '\0';
    assert_int_equal(expression_compile(&expression, text, &int_rules, &err), -1);
    /* 40 characters before the position, 30 from it on, dots for the rest. */
    assert_non_null(strstr(err.text, "\n    ...1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+*"));
    assert_non_null(strstr(err.text, "...\n                                               ^\n"));
}

static void check_too_deep(const char *unit, size_t count) {
    struct error err = ERROR_INIT;
    struct expression *expression;
    size_t length = strlen(unit);
    char *text = malloc(length * count + 2);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * length, unit, length);
    strcpy(text + length * count, "1");
    assert_int_equal(expression_compile(&expression, text, &int_rules, &err), -1);
    assert_non_null(strstr(err.text, "--in: the expression is nested too deeply"));
    free(text);
}

static void test_nesting_is_bounded(void **state) {
    (void)state;
    check_too_deep("(", 100000);
    check_too_deep("-", 100000);
    check_too_deep("1?", 100000);
    /* Consecutive operators are not nested. */
    char chain[5 * 1000 + 2] = "1";
    for (size_t i = 0; i < 1000; i++)
        memcpy(chain + 1 + 5 * i, " && 1", 6);
    check_integer(chain, 0, 1);
    check_too_deep("1?1:", 100000);
    check_too_deep("1|1^1&1==1<1<<1+1*(", 100000); /* eight levels of operators each */
}

static void test_nesting_of_a_hundred_is_fine(void **state) {
    (void)state;
    char text[256];
    memset(text, '(', 100);
    text[100] = '7';
    memset(text + 101, ')', 100);
    text[201] = '\0';
    check_integer(text, 0, 7);
    char *choice = malloc(20 * 100 + 2); /* a hundred cases, each with its value */
    size_t used = 0;
    for (int i = 0; i < 100; i++)
        used += (size_t)sprintf(choice + used, "lane==%d?%d:", i, i * 7);
    strcpy(choice + used, "1");
    check_integer(choice, 31, 217);
    free(choice);
}

static void check_evaluation_fails(const char *text, int lane, uint64_t thread,
                                   const char *message) {
    const struct expression_rules rules = {"--in", WARP_TYPE_INT, 100, 100};
    struct expression *expression = compile(text, &rules);
    struct expression_value value;
    struct error err = ERROR_INIT;
    assert_int_equal(expression_evaluate(expression, lane, thread, &value, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    char expected[512];
    snprintf(expected, sizeof expected,
             "%s\nallowed: an expression whose value C defines in every lane\n"
             "try: a condition for the other lanes, such as 'lane == 0 ? 0 : 100 / lane'",
             message);
    assert_string_equal(err.text, expected);
    expression_free(expression);
}

static void test_undefined_arithmetic_names_the_lane(void **state) {
    (void)state;
    check_evaluation_fails("10 / (lane - 3)", 3, 3,
                           "--in: division by zero in lane 3\n"
                           "    10 / (lane - 3)\n"
                           "       ^");
    check_evaluation_fails("10 % (lane - 3)", 3, 35,
                           "--in: remainder of a division by zero in lane 3 (thread 35)\n"
                           "    10 % (lane - 3)\n"
                           "       ^");
    check_evaluation_fails("1 << 64", 0, 0,
                           "--in: shift by a count outside 0 to 63 in lane 0\n"
                           "    1 << 64\n"
                           "      ^");
    check_evaluation_fails("1 >> -lane", 1, 1,
                           "--in: shift by a count outside 0 to 63 in lane 1\n"
                           "    1 >> -lane\n"
                           "      ^");
}

/* ---- a random tree, printed and read back ---- */

static uint64_t random_state;

static unsigned random_below(unsigned limit) {
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ z >> 31) >> 33) % limit;
}

struct printed {
    char text[4000];
    size_t used;
};

static void print(struct printed *out, const char *text) {
    size_t length = strlen(text);
    assert_true(out->used + length < sizeof out->text);
    memcpy(out->text + out->used, text, length + 1);
    out->used += length;
}

/* The levels of C's grammar, loosest first, and the operators of each. */
static const char *const levels[][5] = {
    {"?"},        {"||"},     {"&&"},          {"|"},
    {"^"},        {"&"},      {"==", "!="},    {"<", "<=", ">", ">="},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}, {"-", "~", "!"},
};
#define LEVEL_UNARY   11
#define LEVEL_OPERAND 12

static __int128 wrap(__int128 value) {
    return (int64_t)(uint64_t)value;
}

static bool is(const char *op, const char *name) {
    return strcmp(op, name) == 0;
}

/* 128-bit arithmetic, cut to 64 bits, so that it does not rely on C's rules. */
static int64_t apply(const char *op, __int128 a, __int128 b, bool *defined) {
    if ((is(op, "/") || is(op, "%")) && b == 0)
        *defined = false;
    else if ((is(op, "<<") || is(op, ">>")) && (b < 0 || b > 63))
        *defined = false;
    if (!*defined)
        return 0;
    __int128 power = 1;
    for (__int128 i = 0; (is(op, "<<") || is(op, ">>")) && i < b; i++)
        power *= 2;
    __int128 result = is(op, "+")    ? a + b
                      : is(op, "-")  ? a - b
                      : is(op, "*")  ? a * b
                      : is(op, "/")  ? a / b
                      : is(op, "%")  ? a % b
                      : is(op, "<<") ? wrap(a * power)
                      : is(op, ">>") ? (a - ((a % power + power) % power)) / power
                      : is(op, "<")  ? a < b
                      : is(op, "<=") ? a <= b
                      : is(op, ">")  ? a > b
                      : is(op, ">=") ? a >= b
                      : is(op, "==") ? a == b
                      : is(op, "!=") ? a != b
                      : is(op, "&")  ? (a & b)
                      : is(op, "^")  ? (a ^ b)
                                     : (a | b);
    return (int64_t)wrap(result);
}

/*
 * Prints a random expression that is allowed where an expression of at least `level` is wanted, and
 * returns its value. *defined becomes false if its computation includes an operation that the
 * language refuses.
 */
static int64_t grow(struct printed *out, int level, int depth, int lane, bool *defined);

static int64_t grow_operand(struct printed *out, int lane) {
    static const char *const texts[] = {
        "0", "1", "2", "3", "0x1f", "63", "9223372036854775807", "0b1011", "18446744073709551615",
        "7"};
    static const int64_t values[] = {0, 1, 2, 3, 31, 63, INT64_MAX, 11, -1, 7};
    unsigned which = random_below(14);
    print(out, which < 10 ? texts[which] : "lane");
    return which < 10 ? values[which] : lane;
}

static int64_t grow_choice(struct printed *out, int depth, int lane, bool *defined) {
    bool fine[3] = {true, true, true};
    int64_t condition = grow(out, 1, depth - 1, lane, &fine[0]);
    print(out, " ? ");
    int64_t yes = grow(out, 0, depth - 1, lane, &fine[1]);
    print(out, ":");
    int64_t no = grow(out, 0, depth - 1, lane, &fine[2]);
    *defined = *defined && fine[0] && fine[condition ? 1 : 2];
    return condition ? yes : no;
}

static int64_t grow_logical(struct printed *out, int level, int depth, int lane, bool *defined) {
    bool is_or = level == 1, right_defined = true;
    int64_t left = grow(out, level, depth - 1, lane, defined);
    print(out, levels[level][0]);
    int64_t right = grow(out, level + 1, depth - 1, lane, &right_defined);
    if (is_or ? left != 0 : left == 0)
        return is_or;
    *defined = *defined && right_defined;
    return right != 0;
}

static int64_t grow(struct printed *out, int level, int depth, int lane, bool *defined) {
    if (depth <= 0)
        return grow_operand(out, lane);
    int chosen = (int)random_below(LEVEL_OPERAND);
    if (chosen < level)
        print(out, "(");
    int64_t value;
    if (chosen == 0) {
        value = grow_choice(out, depth, lane, defined);
    } else if (chosen <= 2) {
        value = grow_logical(out, chosen, depth, lane, defined);
    } else if (chosen == LEVEL_UNARY) {
        const char *op = levels[chosen][random_below(3)];
        print(out, op);
        int64_t operand = grow(out, LEVEL_UNARY, depth - 1, lane, defined);
        value = is(op, "-")   ? (int64_t)wrap(-(__int128)operand)
                : is(op, "~") ? (int64_t)wrap(-(__int128)operand - 1)
                              : operand == 0;
    } else {
        unsigned count = 0;
        while (levels[chosen][count])
            count++;
        const char *op = levels[chosen][random_below(count)];
        int64_t left = grow(out, chosen, depth - 1, lane, defined);
        print(out, random_below(2) ? " " : "");
        print(out, op);
        print(out, " ");
        int64_t right = grow(out, chosen + 1, depth - 1, lane, defined);
        value = apply(op, left, right, defined);
    }
    if (chosen < level)
        print(out, ")");
    return value;
}

static void test_random_expressions_read_back(void **state) {
    (void)state;
    int defined_count = 0, undefined_count = 0;
    random_state = 0xe49;
    for (int round = 0; round < 20000; round++) {
        struct printed out = {.used = 0};
        int lane = (int)random_below(32);
        bool defined = true;
        int64_t expected = grow(&out, 0, 1 + (int)random_below(5), lane, &defined);
        struct expression *expression = compile(out.text, &int_rules);
        struct expression_value value;
        int status = expression_evaluate(expression, lane, (uint64_t)lane, &value, NULL);
        if ((status == 0) != defined || (defined && value.integer != expected))
            fail_msg("%s in lane %d: %lld, expected %lld", out.text, lane, (long long)value.integer,
                     (long long)expected);
        expression_free(expression);
        defined_count += defined;
        undefined_count += !defined;
    }
    assert_true(defined_count > 5000 && undefined_count > 500);
}

static void test_null_can_be_freed(void **state) {
    (void)state;
    expression_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_thread_counts_over_the_grid),
        cmocka_unit_test(test_every_operator),
        cmocka_unit_test(test_precedence_is_that_of_c),
        cmocka_unit_test(test_arithmetic_wraps_in_64_bits),
        cmocka_unit_test(test_what_c_skips_is_skipped),
        cmocka_unit_test(test_long_sums_need_no_stack),
        cmocka_unit_test(test_real_numbers_follow_c),
        cmocka_unit_test(test_conditions_on_reals_are_integers),
        cmocka_unit_test(test_every_nan_is_the_same),
        cmocka_unit_test(test_a_list_gives_lanes_in_order),
        cmocka_unit_test(test_a_list_may_mix_reals_and_integers),
        cmocka_unit_test(test_32_items_serve_every_warp),
        cmocka_unit_test(test_lists_of_the_wrong_length),
        cmocka_unit_test(test_random_is_splitmix64),
        cmocka_unit_test(test_random_stays_below_its_limit),
        cmocka_unit_test(test_values_convert_to_the_type),
        cmocka_unit_test(test_arguments_fit_int_or_unsigned),
        cmocka_unit_test(test_messages_point_at_the_place),
        cmocka_unit_test(test_messages_about_reals),
        cmocka_unit_test(test_control_characters_are_not_repeated),
        cmocka_unit_test(test_a_long_expression_is_shown_around_the_place),
        cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_nesting_of_a_hundred_is_fine),
        cmocka_unit_test(test_undefined_arithmetic_names_the_lane),
        cmocka_unit_test(test_random_expressions_read_back),
        cmocka_unit_test(test_null_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
