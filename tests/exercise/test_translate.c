/* An exercise's case names and comments in another language. */
#include "exercise/translate.h"

#include "base/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void case_is(const char *name, const char *expected) {
    char *translated = translate_case(name);
    assert_string_equal(translated, expected);
    free(translated);
}

static void numbers_of_a_case_stay(void **state) {
    (void)state;
    message_language_use("zh");
    case_is("random values", "随机值");
    case_is("n = 1000, 3 blocks of 64 threads", "n = 1000，3 个线程块，每块 64 个线程");
    case_is("1 << 27 among small values", "1 << 27 与一些小的值");
    case_is("values from -5 to 5", "从 -5 到 5 的值");
    case_is("values between -1e+30 and 0.5", "-1e+30 到 0.5 之间的值");
    /* A teacher's exercise. */
    case_is("100 % of v2, 3 times", "100 % of v2, 3 times");
    case_is("1 2 3 4 5 6 7 8 9 10", "1 2 3 4 5 6 7 8 9 10");
    case_is("", "");
    message_language_use("en");
    case_is("n = 5, 64 threads", "n = 5, 64 threads");
}

static void comments_are(const char *source, const char *expected) {
    char *translated = translate_comments(source);
    assert_string_equal(translated, expected);
    free(translated);
}

static void comments_change_and_code_stays(void **state) {
    static const char source[] =
        "// Returns, in lane 0, the sum of the values of all 32 lanes. The others' results are\n"
        "// not used.\n"
        "int f(int value) {\n"
        "    // and then?\n"
        "    return value / 2; // write it here: five rounds\n"
        "}\n";
    (void)state;
    message_language_use("zh");
    comments_are(source, "// 通道 0 返回全部 32 个通道的值之和。其余通道的返回值不使用。\n"
                         "int f(int value) {\n"
                         "    // 然后呢？\n"
                         "    return value / 2; // 写在这里：五轮\n"
                         "}\n");
    comments_are("int a; // a teacher's own\n// and\n// more\nint b;",
                 "int a; // a teacher's own\n// and\n// more\nint b;");
    comments_are("a // write it here", "a // 写在这里\n");
    comments_are("", "");
    message_language_use("en");
    comments_are(source, source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_case_stay),
        cmocka_unit_test(comments_change_and_code_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
