/* Only a regular file is read, as a whole, and only if it is no larger than allowed. */
#include "base/file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/shflviz-test-XXXXXX", path[sizeof folder + 8];

static void refuse(size_t limit, enum file_status expected, const char *words) {
    char text[200];
    struct text read = TEXT_INIT;
    struct error err = ERROR_INIT;
    assert_int_equal(file_read(path, limit, &read, NULL), expected);
    assert_int_equal(file_read(path, limit, &read, &err), expected);
    assert_int_equal(err.kind, ERROR_USAGE);
    snprintf(text, sizeof text, words, path);
    assert_string_equal(err.text, text);
    text_release(&read);
}

static void write_bytes(size_t count) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++)
        fputc((int)(i % 251), file);
    assert_int_equal(fclose(file), 0);
}

static void test_bytes_are_appended(void **state) {
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    text_append(&text, "before");
    write_bytes(40000);
    assert_int_equal(file_read(path, 40000, &text, &err), FILE_READ);
    assert_int_equal(text.length, 6 + 40000);
    for (size_t i = 0; i < 40000; i++)
        assert_int_equal((unsigned char)text.data[6 + i], i % 251);
    assert_int_equal(file_read(path, SIZE_MAX, &text, &err), FILE_READ);
    assert_int_equal(text.length, 6 + 80000);
    write_bytes(0);
    assert_int_equal(file_read(path, 0, &text, &err), FILE_READ);
    assert_int_equal(text.length, 6 + 80000);
    assert_int_equal(err.kind, ERROR_NONE);
    text_release(&text);
}

static void test_too_large(void **state) {
    (void)state;
    write_bytes(40000);
    refuse(39999, FILE_TOO_LARGE, "%s has more than 39999 bytes");
    unlink(path);
    assert_int_equal(symlink("/proc/self/maps", path), 0); /* its length is not known in advance */
    if (access(path, R_OK) == 0)
        refuse(10, FILE_TOO_LARGE, "%s has more than 10 bytes");
    unlink(path);
}

static void test_other_kinds(void **state) {
    (void)state;
    refuse(10, FILE_UNREADABLE, "cannot read %s: No such file or directory");
    assert_int_equal(errno, ENOENT);
    assert_int_equal(mkdir(path, 0700), 0);
    refuse(10, FILE_IRREGULAR, "%s is not a regular file");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    refuse(10, FILE_IRREGULAR, "%s is not a regular file"); /* and is not waited for */
    unlink(path);
}

static void test_base_name(void **state) {
    (void)state;
    assert_string_equal(file_base_name("scan.cu"), "scan.cu");
    assert_string_equal(file_base_name("a/b/scan.cu"), "scan.cu");
    assert_string_equal(file_base_name("/scan.cu"), "scan.cu");
    assert_string_equal(file_base_name("a/"), "");
}

static int begin(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int end(void **state) {
    (void)state;
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_are_appended),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_base_name),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
