#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void test_starts_empty(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    assert_string_equal(text.data, "");
    assert_int_equal(text.length, 0);
    text_append_bytes(&text, "unused", 0);
    assert_ptr_equal(text.data, text_empty);
    text_release(&text);
    assert_string_equal(text.data, "");
}

static void test_ends_with(void **state) {
    (void)state;
    assert_true(string_ends_with("scan.cu", ".cu"));
    assert_true(string_ends_with(".cu", ".cu"));
    assert_true(string_ends_with("scan.cu", ""));
    assert_false(string_ends_with("cu", ".cu"));
    assert_false(string_ends_with("scan.cuh", ".cu"));
    assert_false(string_ends_with("scan.CU", ".cu"));
}

static void test_grows(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    for (int i = 0; i < 1000; i++) {
        text_append(&text, "ab");
        text_append_char(&text, 'c');
    }
    assert_int_equal(text.length, 3000);
    assert_int_equal(strlen(text.data), 3000);
    for (int i = 0; i < 1000; i++)
        assert_memory_equal(text.data + 3 * i, "abc", 3);
    text_release(&text);
}

static void test_format_at_the_edge_of_the_buffer(void **state) {
    (void)state;
    for (int before = 55; before < 70; before++) { /* around the first allocation */
        struct text text = TEXT_INIT;
        for (int i = 0; i < before; i++)
            text_append_char(&text, '.');
        text_append_format(&text, "%d-%s", -5, "end");
        assert_int_equal(text.length, before + 6);
        assert_string_equal(text.data + before, "-5-end");
        text_release(&text);
    }
}

static void test_keeps_nul_bytes(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    text_append_bytes(&text, "a\0b", 3);
    assert_int_equal(text.length, 3);
    assert_memory_equal(text.data, "a\0b", 4);
    text_release(&text);
}

static void test_clear_keeps_the_memory(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    text_clear(&text); /* not into the shared empty string */
    text_append(&text, "something");
    const size_t capacity = text.capacity;
    text_clear(&text);
    assert_string_equal(text.data, "");
    assert_int_equal(text.length, 0);
    assert_int_equal(text.capacity, capacity);
    text_release(&text);
}

static void test_detach_hands_over(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    text_append(&text, "mine");
    char *string = text_detach(&text);
    assert_string_equal(string, "mine");
    assert_string_equal(text.data, "");
    free(string);

    string = text_detach(&text); /* of an empty text: still the caller's to free */
    assert_non_null(string);
    assert_string_equal(string, "");
    free(string);
}

/* A size that does not fit a size_t ends the program with a message on stderr. */
static void test_no_memory_is_reported(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        memory_grow(NULL, SIZE_MAX / 2, 4);
        _exit(0);
    }
    close(ends[1]);
    char said[200] = "";
    size_t length = 0;
    ssize_t count;
    while ((count = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)count;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3); /* this machine lacks what was asked for */
    assert_ptr_equal(strstr(said, "shflviz: no memory left for "), said);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_empty),
        cmocka_unit_test(test_grows),
        cmocka_unit_test(test_ends_with),
        cmocka_unit_test(test_format_at_the_edge_of_the_buffer),
        cmocka_unit_test(test_keeps_nul_bytes),
        cmocka_unit_test(test_clear_keeps_the_memory),
        cmocka_unit_test(test_detach_hands_over),
        cmocka_unit_test(test_no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
