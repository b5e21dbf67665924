/* What a learner types, read generously: blanks, shortened words, rounded numbers. */
#include "explain/typed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void words_may_have_blanks_around_them(void **state) {
    (void)state;
    static const char *const own[] = {"own", "own ", " own", "  own   ", "o", "o ", "OW "};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!typed_is_own(own[i]) || typed_is_undefined(own[i]))
            fail_msg("'%s'", own[i]);
    static const char *const undefined[] = {"undefined ", " u ", "?", " ?"};
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
        if (!typed_is_undefined(undefined[i]) || typed_is_own(undefined[i]))
            fail_msg("'%s'", undefined[i]);
    static const char *const neither[] = {"", " ", "   ", "o w", "o x", "owned", "5"};
    for (size_t i = 0; i < sizeof neither / sizeof *neither; i++)
        if (typed_is_own(neither[i]) || typed_is_undefined(neither[i]))
            fail_msg("'%s'", neither[i]);
    assert_true(typed_is_blank("") && typed_is_blank("  "));
    assert_false(typed_is_blank(" 0"));
}

/* Half a unit of the last digit is as near as rounding comes, up and down: 12345.65625 lies in the
 * middle of two numbers of nine digits, 2^-14 = 0.00006103515625 of nine. Nearer is right, too, and
 * a unit away is wrong; three digits do not count as rounding. */
static void a_rounded_double_is_right(void **state) {
    (void)state;
    static const struct {
        double right;
        const char *typed;
        bool is_right;
    } expected[] = {
        {12345.65625, "12345.6563", true},
        {12345.65625, "12345.6562", true},
        {12345.65625, "12345.6564", false},
        {12345.65625, "12345.6561", false},
        {-12345.65625, "-12345.6563", true},
        {-12345.65625, "12345.6563", false},
        {0x1p-14, "0.0000610351563", true},
        {0x1p-14, "0.0000610351562", true},
        {0x1p-14, "0.0000610351564", false},
        {99999.96875, "99999.9688", true},
        {99999.96875, "99999.9689", false},
        {1.0 / 3, "0.3333", true},
        {1.0 / 3, "0.333", false},
        {2.0 / 3, "0.6667", true},
        {2.0 / 3, "0.6666", false},
        {0.0, "0.0001", false},
        {0.0, "0", true},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint64_t right, bits;
        memcpy(&right, &expected[i].right, sizeof right);
        assert_true(typed_value(WARP_TYPE_DOUBLE, expected[i].typed, right, &bits));
        if ((bits == right) != expected[i].is_right)
            fail_msg("%s for %.17g", expected[i].typed, expected[i].right);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_may_have_blanks_around_them),
                                       cmocka_unit_test(a_rounded_double_is_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
