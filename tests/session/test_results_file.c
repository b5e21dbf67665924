/* A results file that cannot be written is reported, and no part of it is left. */
#include "session/results_file.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The result of fdopen() in this process: NULL, as if memory had run out. */
FILE *fdopen(int descriptor, const char *mode) {
    (void)descriptor, (void)mode;
    errno = ENOMEM;
    return NULL;
}

static int entries(const char *path) {
    int count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void test_nothing_is_left(void **state) {
    (void)state;
    char folder[] = "/tmp/shflviz-results-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mine.json", folder);
    const struct results_options opts = {.path = path};
    const struct results_heading heading = {.of = "quiz", .name = "xor"};
    const int open_before = entries("/dev/fd");
    for (int i = 0; i < 3; i++) {
        struct results_file file;
        struct error err = ERROR_INIT;
        assert_int_equal(results_file_begin(&file, &opts, &heading, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.text, path));
        assert_non_null(strstr(err.text, strerror(ENOMEM)));
    }
    assert_int_equal(entries("/dev/fd"), open_before);
    assert_int_equal(entries(folder), 2); /* . and .. */
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
