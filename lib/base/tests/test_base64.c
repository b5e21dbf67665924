/* Base64: the test vectors of RFC 4648, section 10, and the two digits that are neither letters nor
 * numbers. */
#include "base/text/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check(const void *bytes, size_t count, const char *expected) {
    struct text text = TEXT_INIT;
    text_append(&text, ">");
    text_append_base64(&text, bytes, count);
    assert_string_equal(text.data + 1, expected);
    text_release(&text);
}

static void test_vectors_of_the_rfc(void **state) {
    static const char *const vectors[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        check(vectors[i][0], strlen(vectors[i][0]), vectors[i][1]);
}

static void test_any_byte(void **state) {
    (void)state;
    check("\0\0", 2, "AAA=");
    check("\xff\xff\xff", 3, "////");
    check("\xfb\xef\xbe", 3, "++++");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors_of_the_rfc),
        cmocka_unit_test(test_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
