/* A launch's options as a shell would split them. */
#include "launch/word_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void splits(const char *line, int count, const char *const *words) {
    struct word_list list;
    struct error err = ERROR_INIT;
    assert_int_equal(words_split(&list, line, &err), 0);
    assert_int_equal(list.count, count);
    for (int i = 0; i < count; i++)
        assert_string_equal(list.word[i], words[i]);
    assert_true(count == 0 || !list.word[count]);
    words_release(&list);
}
#define SPLITS(line, ...)                                                                          \
    splits(line, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                    \
           (const char *[]){__VA_ARGS__})

static void test_words(void **state) {
    (void)state;
    splits("", 0, NULL);
    splits("  \t ", 0, NULL);
    SPLITS("--mask 3 --width 16", "--mask", "3", "--width", "16");
    SPLITS(" a  b ", "a", "b");
    SPLITS("--in 'lane * 2' x", "--in", "lane * 2", "x");
    SPLITS("\"a b\"c'd e'", "a bcd e");
    SPLITS("a\\ b '\\' \"\\\"\"", "a b", "\\", "\"");
    SPLITS("''", "");
    SPLITS("a\\b \\c", "ab",
           "c");          /* a backslash before the character that it quotes, even the last */
    SPLITS("a\\", "a\\"); /* unless nothing follows */
    SPLITS("$(rm) `x` * ~ ;", "$(rm)", "`x`", "*", "~", ";"); /* nothing is expanded */
}

static void test_open_quotes(void **state) {
    (void)state;
    static const char *const lines[] = {"'a", "a \"b c", "'"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct word_list list;
        struct error err = ERROR_INIT;
        assert_int_equal(words_split(&list, lines[i], &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.text, "not closed"));
        words_release(&list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_open_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
