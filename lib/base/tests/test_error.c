#include "base/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_set_formats_and_fails(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    assert_int_equal(error_set(&err, ERROR_USAGE, "%d is no width", 12), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, "12 is no width");
}

static void test_null_error(void **state) {
    (void)state;
    assert_int_equal(error_set(NULL, ERROR_RUN, "lost"), -1);
    assert_int_equal(error_set_errno(NULL, ERROR_RUN, EACCES, "lost"), -1);
}

static void test_errno_in_words(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    assert_int_equal(error_set_errno(&err, ERROR_USAGE, ENOENT, "cannot open \"%s\"", "x.svt"), -1);
    char expected[200] = "cannot open \"x.svt\": ";
    strcat(expected, strerror(ENOENT));
    assert_string_equal(err.text, expected);
}

/* A text that fits exactly stays whole; one byte more ends in "...", and nothing is written
 * beyond. */
static void test_too_long(void **state) {
    (void)state;
    struct {
        struct error err;
        char after[8];
    } guarded = {.after = "untouch"};
    char text[ERROR_TEXT_SIZE + 1];
    memset(text, 'x', sizeof text);
    text[ERROR_TEXT_SIZE - 1] = '\0';
    error_set(&guarded.err, ERROR_USAGE, "%s", text);
    assert_string_equal(guarded.err.text, text);

    text[ERROR_TEXT_SIZE - 1] = 'x';
    text[ERROR_TEXT_SIZE] = '\0';
    error_set(&guarded.err, ERROR_USAGE, "%s", text);
    assert_int_equal(strlen(guarded.err.text), ERROR_TEXT_SIZE - 1);
    assert_string_equal(guarded.err.text + ERROR_TEXT_SIZE - 4, "...");

    error_set_errno(&guarded.err, ERROR_USAGE, ENOENT, "%s", text);
    assert_string_equal(guarded.err.text + ERROR_TEXT_SIZE - 4, "...");
    assert_string_equal(guarded.after, "untouch");
}

/* The kinds are exit codes that scripts rely on. */
static void test_exit_codes(void **state) {
    (void)state;
    assert_int_equal(ERROR_NONE, 0);
    assert_int_equal(ERROR_FOUND, 1);
    assert_int_equal(ERROR_USAGE, 2);
    assert_int_equal(ERROR_MISSING, 3);
    assert_int_equal(ERROR_RUN, 4);
}

/* A silent error stays empty when a prefix is added. */
static void test_silent_and_signals(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    assert_int_equal(error_set_silent(&err, ERROR_FOUND), -1);
    assert_int_equal(err.kind, ERROR_FOUND);
    error_prefix(&err, "check");
    assert_string_equal(err.text, "");
    assert_int_equal(error_set_signal(&err, 13), -1);
    assert_int_equal(err.kind, ERROR_SIGNAL);
    assert_int_equal(err.signal, 13);
    assert_int_equal(error_set_signal(NULL, 13), -1);
}

static void test_prefix(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    error_set(&err, ERROR_MISSING, "no GPU");
    error_prefix(&err, "%s %d", "lesson", 3);
    assert_string_equal(err.text, "lesson 3: no GPU");
    assert_int_equal(err.kind, ERROR_MISSING);
    error_prefix(NULL, "nobody");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_formats_and_fails),
        cmocka_unit_test(test_null_error),
        cmocka_unit_test(test_errno_in_words),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_silent_and_signals),
        cmocka_unit_test(test_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
