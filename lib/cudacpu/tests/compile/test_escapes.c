/*
 * A lone % in inline PTX is doubled where clang complains about it, and nothing else is.
 */
#include "cudacpu/compile/escapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_double(void **state) {
    static const struct {
        const char *before;
        unsigned line, column;
        const char *after; /* NULL: it stays as it is */
    } cases[] = {
        {"\"mov %0, %tid.x;\"", 1, 12, "\"mov %0, %%tid.x;\""}, /* clang points at t or i */
        {"\"mov %0, %tid.x;\"", 1, 11, "\"mov %0, %%tid.x;\""},
        {"\"mov %0, %tid.x;\"", 1, 10, "\"mov %0, %%tid.x;\""},
        {"\"%a\"\n\"%b\" c % d", 2, 3, "\"%a\"\n\"%%b\" c % d"},
        /* The string's other percent signs are doubled, too, but not those that have a meaning. */
        {"\"%tid %0 %%laneid %clock %h1 %[x] %c[x] %= 1 % 2\" % \"%tid\"", 1, 3,
         "\"%%tid %0 %%laneid %%clock %h1 %[x] %c[x] %= 1 %% 2\" % \"%tid\""},
        {"\"%tid\n%tid", 1, 3, "\"%%tid\n%tid"},
        {"\"mov\"", 1, 3, NULL},
        {"\"%mov\"", 1, 0, NULL},
        {"\"%mov\"", 1, 7, NULL},
        {"\"%mov\"", 2, 1, NULL},
        {"", 1, 1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = TEXT_INIT;
        text_append(&text, cases[i].before);
        assert_int_equal(escapes_double(&text, cases[i].line, cases[i].column),
                         cases[i].after != NULL);
        assert_string_equal(text.data, cases[i].after ? cases[i].after : cases[i].before);
        text_release(&text);
    }
}

static void test_joined(void **state) {
    static const struct {
        const char *text, *wanted; /* NULL: as it was */
        unsigned line, column;
    } cases[] = {
        {"int x; k << <1, 2 >> > (x);\n", "int x; k <<< 1, 2 >>>  (x);\n", 1, 12},
        {"k<< \t<1,\n2>> >(a >> > b); c << <d\n", "k<<<\t 1,\n2>>> (a >>>  b); c << <d\n", 1, 6},
        {"k<<<1, 2>>>(x);\n", NULL, 1, 5},
        {"a << b;\n", NULL, 1, 4},
        {"a;\n", NULL, 2, 1},
        {"a << <b;\n", NULL, 1, 99},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = TEXT_INIT;
        text_append(&text, cases[i].text);
        assert_int_equal(escapes_join(&text, cases[i].line, cases[i].column),
                         cases[i].wanted != NULL);
        assert_string_equal(text.data, cases[i].wanted ? cases[i].wanted : cases[i].text);
        text_release(&text);
    }
}

static void test_typename(void **state) {
    struct text text = TEXT_INIT;
    (void)state;
    text_append(&text, "a\ntemplate <class T> M<T>::type f();\n");
    assert_false(escapes_type(&text, 2, 99));
    assert_false(escapes_type(&text, 9, 1));
    assert_false(escapes_type(&text, 2, 0));
    assert_true(escapes_type(&text, 2, 20));
    assert_string_equal(text.data, "a\ntemplate <class T> typename M<T>::type f();\n");
    text_release(&text);
}

static void test_pragma(void **state) {
    static const struct {
        const char *text, *wanted; /* NULL: as it was */
    } cases[] = {
        {"#define U #pragma unroll\nU\n", "#define U _Pragma(\"unroll\")\nU\n"},
        {"# define U(n) \\\n", NULL},
        {"  #define M #pragma  message \"a\\n\"\n",
         "  #define M _Pragma(\"message \\\"a\\\\n\\\"\")\n"},
        {"#pragma unroll\n", NULL},
        {"int x; // #pragma unroll\n", NULL},
        {"#define U\n#pragma unroll\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = TEXT_INIT;
        text_append(&text, cases[i].text);
        assert_int_equal(escapes_pragma(&text, 1), cases[i].wanted != NULL);
        assert_string_equal(text.data, cases[i].wanted ? cases[i].wanted : cases[i].text);
        text_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_typename),
                                       cmocka_unit_test(test_pragma), cmocka_unit_test(test_joined),
                                       cmocka_unit_test(test_double)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
