/* The difference between two lane orders, from the output of two runs of each. */
#include "launch/program/orders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* Each order printed the same text when it was repeated. */
static struct orders_difference compare(const char *first, const char *other) {
    static char text[2][256];
    struct orders_difference difference;
    strcpy(text[0], first);
    strcpy(text[1], other);
    const struct orders_result one[2] = {{text[0], 0}, {text[0], 0}};
    const struct orders_result two[2] = {{text[1], 0}, {text[1], 0}};
    orders_compare(one, two, &difference);
    return difference;
}

static void test_kinds(void **state) {
    static const struct {
        const char *first, *other;
        enum orders_differ kind;
    } cases[] = {
        {"sum 77\n", "sum 77\n", ORDERS_ALIKE},
        {"sum 77\n", "sum  77", ORDERS_ALIKE},
        {"sum 77\n", "sum 3\n", ORDERS_VALUES},
        {"sum 1000.25\n", "sum 1000.26\n", ORDERS_ROUNDING},
        {"sum 1e3\n", "sum 1.0001e3\n", ORDERS_ROUNDING},
        {"sum 1000.25\n", "sum 1003.25\n", ORDERS_VALUES},
        {"sum 100000\n", "sum 100001\n", ORDERS_VALUES},
        {"[3, 1, 2]\n", "[1, 2, 3]\n", ORDERS_SEQUENCE},
        {"[3, 1, 2]\n", "[1, 2, 2]\n", ORDERS_VALUES},
        {"1 2\n", "1 2 3\n", ORDERS_VALUES},
        {"took 0.07 sec, sum 5\n", "took 0.08 sec, sum 5\n", ORDERS_ALIKE},
        {"took 0.001s\n", "took 0.000s\n", ORDERS_ALIKE},
        {"3 sums\n", "4 sums\n", ORDERS_VALUES},
        {"", "", ORDERS_ALIKE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(compare(cases[i].first, cases[i].other).kind, cases[i].kind);
}

static void test_words(void **state) {
    (void)state;
    const struct orders_difference found = compare("a 1.5 77", "a 1.5001 3");
    assert_string_equal(found.first_word, "77");
    assert_string_equal(found.other_word, "3");
}

static void test_status(void **state) {
    char text[] = "wrong";
    struct orders_difference difference;
    const struct orders_result one[2] = {{text, 0}, {text, 0}}, two[2] = {{text, 1}, {text, 1}};
    const struct orders_result odd[2] = {{text, 0}, {text, 1}};
    (void)state;
    orders_compare(one, two, &difference);
    assert_int_equal(difference.kind, ORDERS_VALUES);
    assert_string_equal(difference.first_word, "");
    orders_compare(one, odd, &difference); /* its status differs from run to run */
    assert_int_equal(difference.kind, ORDERS_ALIKE);
}

/* Times and addresses differ from run to run; everything else is still compared. */
static void test_what_a_repetition_changes(void **state) {
    char a[] = "7 in 0.51 ms", b[] = "7 in 0.62 ms", c[] = "7 in 0.73 ms", d[] = "8 in 0.73 ms";
    char longer[] = "7 in 0.73 ms more";
    struct orders_difference difference;
    const struct orders_result one[2] = {{a, 0}, {b, 0}}, two[2] = {{c, 0}, {c, 0}};
    const struct orders_result three[2] = {{d, 0}, {d, 0}}, four[2] = {{longer, 0}, {longer, 0}};
    (void)state;
    orders_compare(one, two, &difference);
    assert_int_equal(difference.kind, ORDERS_ALIKE);
    orders_compare(one, three, &difference);
    assert_int_equal(difference.kind, ORDERS_VALUES);
    assert_string_equal(difference.other_word, "8");
    orders_compare(one, four, &difference);
    assert_int_equal(difference.kind, ORDERS_ALIKE);
}

static void test_runs_that_are_not_known(void **state) {
    char text[] = "7";
    struct orders_difference difference;
    const struct orders_result one[2] = {{text, 0}, {text, 0}}, two[2] = {{NULL, 1}, {NULL, 1}};
    (void)state;
    orders_compare(one, two, &difference);
    assert_int_equal(difference.kind, ORDERS_ALIKE);
    assert_true(orders_same(&one[0], &two[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_what_a_repetition_changes),
        cmocka_unit_test(test_runs_that_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
