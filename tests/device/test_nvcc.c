/*
 * The calls to nvcc, and which nvcc is used. A script that replaces nvcc logs its arguments. The
 * real nvcc's results are tested by test_own_gpu.c.
 */
#include "base/memory.h"
#include "cudacpu/process/user_program.h"

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

static char folder[] = "/tmp/shflviz-test-XXXXXX";

static char *path_in(const char *name) {
    static char path[4][200];
    static unsigned next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(path_in(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path_in(name), 0700), 0);
}

/* Makes an empty output file, unless `fails` names something in its arguments. */
static void write_script(void) {
    char text[600];
    snprintf(text, sizeof text,
             "#!/bin/sh\n"
             "echo \"$*\" >>%s/said\n"
             "case $* in *\"$SHFLVIZ_TEST_FAILS\"*) echo no; exit 1 ;; esac\n"
             "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && : >\"$2\"; shift; done\n",
             folder);
    write_file("bin/nvcc", text);
}

static int build(struct error *err) {
    struct user_program program;
    struct text text = TEXT_INIT;
    text_append(&text, "int main() {}\n");
    const struct user_source source = {path_in("a.cu"), "a.cu", &text};
    const struct user_build asked = {.sources = &source, .source_count = 1, .gpu = true};
    unlink(path_in("said"));
    *err = (struct error)ERROR_INIT;
    const int status = user_program_build(&program, &asked, err);
    user_program_release(&program);
    text_release(&text);
    return status;
}

/* Reads the logged arguments, one line per call; returns the number of calls. */
static unsigned read_said(char *said, size_t size) {
    FILE *file = fopen(path_in("said"), "r");
    unsigned lines = 0;
    size_t length = 0;
    if (file) {
        length = fread(said, 1, size - 1, file);
        fclose(file);
    }
    said[length] = '\0';
    for (const char *at = said; (at = strchr(at, '\n')); at++)
        lines++;
    return lines;
}

/* Three calls: for the file, for the file that intercepts launches, and for the link. */
static void test_calls(void **state) {
    struct error err;
    char said[8000];
    (void)state;
    setenv("NVCC", path_in("bin/nvcc"), 1);
    setenv("SHFLVIZ_TEST_FAILS", "nothing of that", 1);
    if (build(&err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(read_said(said, sizeof said), 3);
    const char *second = strchr(said, '\n') + 1, *third = strchr(second, '\n') + 1;
    const char *file = strstr(said, "/0.cu"), *launches = strstr(said, "launches.cc");
    const char *library = strstr(said, "libshflviz_watched_gpu.a");
    assert_true(file && file < second);
    assert_true(launches > second && launches < third);
    assert_true(library > third);
    assert_non_null(strstr(third, "/0.o"));
    assert_non_null(strstr(third, "launches.o"));
}

/* After a call that fails, nvcc is not called again. */
static void test_calls_that_fail(void **state) {
    static const char *const fails[] = {"/0.cu", "launches.cc", "watched_gpu"};
    struct error err;
    char said[8000];
    (void)state;
    setenv("NVCC", path_in("bin/nvcc"), 1);
    for (unsigned i = 0; i < 3; i++) {
        setenv("SHFLVIZ_TEST_FAILS", fails[i], 1);
        assert_int_equal(build(&err), -1);
        assert_int_equal(read_said(said, sizeof said), i + 1);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

/* $NVCC, PATH, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda, in this order. */
static void test_which(void **state) {
    char *path = memory_string(getenv("PATH")), said[8000];
    struct error err;
    (void)state;
    setenv("SHFLVIZ_TEST_FAILS", "/0.cu", 1);
    setenv("NVCC", "", 1);
    setenv("PATH", path_in("bin"), 1);
    setenv("CUDA_HOME", "/nowhere", 1);
    setenv("CUDA_PATH", "/nowhere", 1);
    assert_int_equal(build(&err), -1);
    assert_int_equal(read_said(said, sizeof said), 1);
    setenv("PATH", "/nowhere", 1);
    setenv("CUDA_HOME", folder, 1);
    assert_int_equal(build(&err), -1);
    assert_int_equal(read_said(said, sizeof said), 1);
    unsetenv("CUDA_HOME");
    setenv("CUDA_PATH", folder, 1);
    assert_int_equal(build(&err), -1);
    assert_int_equal(read_said(said, sizeof said), 1);
    unsetenv("CUDA_PATH"); /* either nvcc finds no compiler on this PATH, or no nvcc is installed */
    assert_int_equal(build(&err), -1);
    assert_int_equal(read_said(said, sizeof said), 0);
    const bool installed = access("/usr/local/cuda/bin/nvcc", X_OK) == 0;
    assert_int_equal(err.kind, installed ? ERROR_USAGE : ERROR_MISSING);
    setenv("PATH", path, 1);
    free(path);
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder) || mkdir(path_in("bin"), 0700) != 0)
        return -1;
    write_script();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path_in("said"));
    unlink(path_in("bin/nvcc"));
    rmdir(path_in("bin"));
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_calls_that_fail),
        cmocka_unit_test(test_which),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
