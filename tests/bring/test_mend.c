/* Text that a page or a chat has changed, and the program that was meant. */
#include "bring/mend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void common_typos_are_fixed(void **state) {
    (void)state;
    static const struct {
        const char *was, *now, *said; /* of the first change */
    } cases[] = {
        {"int\xc2\xa0x;", "int x;", "f:1:4: U+00A0"},
        {"int x;\n\xe3\x80\x80\xe3\x80\x80y\xef\xbc\x88z\xef\xbc\x8c"
         "2\xef\xbc\x89\xef\xbc\x9b",
         "int x;\n  y(z,2);", "f:2:1: U+3000"},
        {"printf(\xe2\x80\x9c%d\\n\xe2\x80\x9d, x);", "printf(\"%d\\n\", x);", "f:1:8: U+201C"},
        {"a \xe2\x88\x92 b", "a - b", "f:1:3: U+2212"},
        {"a;\xef\xbb\xbf"
         "b;",
         "a;b;", "f:1:3: U+FEFF"},
        {"_global__ void k();", "__global__ void k();", "f:1:1: _global__"},
        {"x = _shfl_down_sync(m, x, 1);", "x = __shfl_down_sync(m, x, 1);", "f:1:5: _shfl"},
        {"CHECK(f(a, b);", "CHECK(f(a, b));", "f:1:6: "},
        {"```cuda\nint x;\n```\n", "       \nint x;\n   \n", "f:1:1: "},
        {"prose\n```\nint x;\n```\nmore\n", "     \n   \nint x;\n   \n    \n", "f:2:1: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mend mend;
        struct text said = TEXT_INIT;
        mend_text(&mend, cases[i].was);
        assert_string_equal(mend.text.data, cases[i].now);
        assert_true(mend.count > 0);
        mend_describe(&mend, "f", 1, &said);
        if (strncmp(said.data, cases[i].said, strlen(cases[i].said)) != 0)
            fail_msg("%s", said.data);
        text_release(&said);
        mend_release(&mend);
    }
}

static void a_program_keeps_its_text(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "// a\xc2\xa0 b \xef\xbc\x88\n/* \xe2\x80\x9c ``` */",
        "\xef\xbb\xbfint x;", /* a byte-order mark at the beginning marks UTF-8 */
        "const char *s = \"\xef\xbc\x8c\xe2\x80\x9c\xc2\xa0\\\"\";",
        "char c = '\"'; int n = 1'000; auto r = R\"(\" _global__ )\";",
        "for (int i = 0; i < n; i++) f([&](int x) { g(x); h(x); });",
        "#define CHECK(x) do { f(x \\\n  ;\nint y;",
        "int \xe9\x80\x9a\xe9\x81\x93 = 3;",
        "#define S(x) #x\nint a = 3; // #include",
        "__global__ void k(int *__restrict x); int __my_global; int _x;",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mend mend;
        mend_text(&mend, texts[i]);
        if (mend.count > 0 && i != 2)
            fail_msg("%s: line %lu, '%s'", texts[i], mend.changes[0].position.line,
                     mend.changes[0].was);
        assert_int_equal(mend.count, 0);
        if (i != 2)
            assert_string_equal(mend.text.data, texts[i]);
        mend_release(&mend);
    }
}

/* The second copy keeps its position, so that its line numbers match the file's. */
static void a_program_pasted_twice(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"#include <a>\nint x;\nf();#include <a>\nint x;\nf();\ng();\n\ng();\n",
         "            \n      \n    #include <a>\nint x;\nf();\ng();\n\n    \n"},
        {"#include <a>\nint x;\n}#include <a>\nint x;\n}\n", NULL},
        {"int x; #include <b>\nint y;\n", NULL}, /* one change, but not a copy */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mend mend;
        mend_text(&mend, cases[i][0]);
        assert_int_equal(mend.count, 1);
        assert_int_equal(mend.changes[0].kind, MEND_TWICE);
        if (cases[i][1])
            assert_string_equal(mend.text.data, cases[i][1]);
        mend_release(&mend);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_typos_are_fixed),
        cmocka_unit_test(a_program_keeps_its_text),
        cmocka_unit_test(a_program_pasted_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
