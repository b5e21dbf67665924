/* The name that was probably meant by a mistyped one, and the form of messages that list what is
 * allowed. */
#include "base/complaint.h"
#include "base/text/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The definition: insert, delete or replace a letter, or swap two neighbours and then touch
 * neither. */
static size_t distance(const char *a, size_t i, const char *b, size_t j) {
    if (i == 0 || j == 0)
        return i + j;
    size_t found = least(distance(a, i - 1, b, j) + 1, distance(a, i, b, j - 1) + 1);
    found = least(found, distance(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]));
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        found = least(found, distance(a, i - 2, b, j - 2) + 1);
    return found;
}

/* The n-th word, from 0, in an alphabet of `letters` letters: "", a, b, aa, ba, ab, ... */
static void word(char text[8], unsigned n, unsigned letters) {
    size_t length = 0;
    for (; n > 0; n = (n - 1) / letters)
        text[length++] = (char)('a' + (n - 1) % letters);
    text[length] = '\0';
}

static void test_distance_of_all_short_names(void **state) {
    static const struct {
        unsigned letters, words; /* up to 5 and up to 3 letters long */
    } all[] = {{2, 63}, {3, 40}};
    char a[8], b[8];
    (void)state;
    for (size_t k = 0; k < COUNT(all); k++)
        for (unsigned i = 0; i < all[k].words; i++)
            for (unsigned j = 0; j < all[k].words; j++) {
                word(a, i, all[k].letters);
                word(b, j, all[k].letters);
                if (name_distance(a, b) != distance(a, strlen(a), b, strlen(b)))
                    fail_msg("%s, %s: %zu", a, b, name_distance(a, b));
            }
}

static void test_distance(void **state) {
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"kitten", "sitting", 3}, {"sunday", "saturday", 3}, {"flaw", "lawn", 2},
        {"shlf", "shfl", 1},      {"ca", "abc", 3},          {"abcdef", "badcfe", 3},
        {"reduce_add", "", 10},   {"", "reduce_add", 10},    {"reduce_add", "reduce_and", 1},
    };
    char forty[42], other[42];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(name_distance(cases[i].a, cases[i].b), cases[i].distance);
    /* Names of up to 40 letters are compared; longer names resemble no name. */
    memset(forty, 'a', sizeof forty);
    memcpy(other, forty, sizeof other);
    forty[40] = other[40] = '\0';
    other[39] = 'b';
    assert_int_equal(name_distance(forty, other), 1);
    other[40] = 'a';
    other[41] = '\0';
    assert_true(name_distance(forty, other) > 40);
    assert_true(name_distance(other, forty) > 40);
    assert_true(name_distance(other, other) > 40);
}

/* Names separated by blanks, in this order. NULL if none is near. */
static void test_nearest(void **state) {
    static const struct {
        const char *typed, *names, *nearest;
    } cases[] = {
        {"xr", "up xor", "xor"},
        {"xyz", "abc", NULL},
        {"abc", "axy", NULL}, /* 1 change in 1 to 3 letters, 2 in 4 to 7, 3 in 8 */
        {"abc", "abx", "abx"},
        {"abcd", "abxy", "abxy"},
        {"abcd", "axyz", NULL},
        {"abcdefg", "abcdexy", "abcdexy"},
        {"abcdefg", "abcdxyz", NULL},
        {"abcdefgh", "abcdexyz", "abcdexyz"},
        {"abcdefgh", "abcdwxyz", NULL},
        {"red", "reduce_and", "reduce_and"}, /* its beginning */
        {"re", "reduce_and", NULL},
        {"rex", "reduce_and", NULL},
        {"xor", "aor bor", "aor"}, /* the first of several equally near names */
        {"xor", "aor xor", "xor"},
        {"kern", "kernel kern", "kern"},
        {"kern", "kernel korn", "kernel"},
        {"kernel", "karnal kernal", "kernal"},
        {"", "a ab", "a"},
        {"", "ab", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char names[64], meant[SUGGESTION_TEXT], expected[SUGGESTION_TEXT] = "";
        struct suggestion near = {cases[i].typed, NULL, 0};
        snprintf(names, sizeof names, "%s", cases[i].names);
        for (char *name = strtok(names, " "); name; name = strtok(NULL, " "))
            suggestion_consider(&near, name);
        if (cases[i].nearest)
            snprintf(expected, sizeof expected, "; did you mean '%s'?", cases[i].nearest);
        memset(meant, 'x', sizeof meant);
        assert_string_equal(suggestion_format(&near, meant), expected);
    }
}

static void test_choice(void **state) {
    struct error err = ERROR_INIT;
    struct choice choice = CHOICE_INIT("dwon");
    (void)state;
    choice_add(&choice, "up");
    choice_add(&choice, "down");
    choice_add(&choice, "xor");
    assert_int_equal(choice_refuse(&choice, "%s: none%s\nallowed: %s", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, "dwon: none; did you mean 'down'?\nallowed: up down xor");
    assert_string_equal(choice.allowed.data, "");
    choice = (struct choice)CHOICE_INIT("");
    choice_add(&choice, "down");
    assert_int_equal(choice_refuse(&choice, "%s: none%s\nallowed: %s", &err), -1);
    assert_string_equal(err.text, "'': none\nallowed: down");
}

static void test_complaints(void **state) {
    static const struct {
        const char *option, *value, *wrong, *allowed, *attempt;
        const char *text;
    } cases[] = {
        {"width", NULL, "is wrong", NULL, NULL, "--width is wrong"},
        {"width", "12", "is wrong", NULL, NULL, "--width: '12' is wrong"},
        {"width", "", "is wrong", "1 2", NULL, "--width: '' is wrong\nallowed: 1 2"},
        {"width", NULL, "is wrong", NULL, "more", "--width is wrong\ntry: more"},
        {"width", "1", "is", "2", "3", "--width: '1' is\nallowed: 2\ntry: 3"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error err = ERROR_INIT;
        assert_int_equal(complain(&err, cases[i].option, cases[i].value, cases[i].wrong,
                                  cases[i].allowed, cases[i].attempt),
                         -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_string_equal(err.text, cases[i].text);
    }
}

static void test_prefix(void **state) {
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(error_prefix(NULL, "%s", "up"), -1);
    assert_int_equal(error_prefix(&err, "%s", "up"), -1);
    assert_string_equal(err.text, "");
    error_set(&err, ERROR_RUN, "it hangs");
    assert_int_equal(error_prefix(&err, "%s %d", "up", 3), -1);
    assert_string_equal(err.text, "up 3: it hangs");
    assert_int_equal(err.kind, ERROR_RUN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_of_all_short_names),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
