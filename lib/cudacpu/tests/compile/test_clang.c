/*
 * The clang that builds a user's program (clang.h): where it is looked for, which one is used, and
 * the message if there is none.
 */
#include "cudacpu/compile/clang.h"
#include "cudacpu/compile/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OTHER (CLANG_MAJOR + 1)

static char folder[] = "/tmp/shflviz-clang-XXXXXX";
static char plain[64], versioned[64];

/* Makes a program that prints this as its version. */
static void write_program(const char *path, const char *format, int number) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n[ \"$*\" = --version ] && echo '");
    fprintf(file, format, number);
    fprintf(file, "'\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(plain, sizeof plain, "%s/clang++", folder);
    snprintf(versioned, sizeof versioned, "%s/clang++-%d", folder, CLANG_MAJOR);
    return setenv("PATH", folder, 1);
}

static int tear_down(void **state) {
    (void)state;
    unlink(plain);
    unlink(versioned);
    return rmdir(folder);
}

/* Asserts which clang is found with this PATH or, if path is "", the message. */
static void assert_found(const char *path, const char *said) {
    struct text found = TEXT_INIT;
    struct error err = ERROR_INIT;
    const int status = clang_find_in_path(&found, &err);
    if (*path) {
        assert_int_equal(status, 0);
        assert_string_equal(found.data, path);
    } else {
        assert_int_equal(status, -1);
        assert_int_equal(err.kind, ERROR_MISSING);
        if (!strstr(err.text, said))
            fail_msg("no '%s' in: %s", said, err.text);
    }
    text_release(&found);
}

static void test_path(void **state) {
    char said[256];
    (void)state;
    snprintf(said, sizeof said, "no clang %d: shflviz needs it to build CUDA programs",
             CLANG_MAJOR);
    assert_found("", said);
    assert_found("", "apt install clang llvm-dev");
    assert_found("", "brew install llvm");
    write_program(plain, "gcc version %d", CLANG_MAJOR); /* not clang, whatever its version */
    assert_found("", said);
    write_program(plain, "Some clang version %d.0.6", CLANG_MAJOR);
    assert_found(plain, "");
    write_program(plain, "clang version %d.0.0", OTHER);
    snprintf(said, sizeof said, "no clang %d: %s is clang %d", CLANG_MAJOR, plain, OTHER);
    assert_found("", said);
    write_program(versioned, "%d", 0); /* its name is enough */
    assert_found(versioned, "");
}

static void test_named(void **state) {
    struct text found = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    write_program(versioned, "%d", 0);
    setenv("SHFLVIZ_CLANG", versioned, 1);
    assert_int_equal(clang_find(&found, &err), 0);
    assert_string_equal(found.data, versioned);
    setenv("SHFLVIZ_CLANG", strrchr(versioned, '/') + 1, 1);
    assert_int_equal(clang_find(&found, &err), 0);
    assert_string_equal(found.data, versioned);
    setenv("SHFLVIZ_CLANG", "/nowhere/clang++", 1);
    assert_int_equal(clang_find(&found, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "SHFLVIZ_CLANG: cannot run '/nowhere/clang++'"));
    setenv("SHFLVIZ_CLANG", "", 1); /* counts as not set */
    assert_int_equal(clang_find(&found, &err), 0);
    text_release(&found);
}

/* A clang++ whose table of strings says that it is linked with the library of that name. */
static void write_linked(const char *path, const char *library) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "libLLVM, and%clibclang-cpp.so%c%s%c", 0, 0, library, 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static void assert_llvm(const char *linked, int major) {
    struct text library = TEXT_INIT;
    write_linked(plain, linked);
    assert_int_equal(clang_llvm(plain, &library), major);
    assert_string_equal(library.data, major ? linked : "");
    text_release(&library);
}

/* Where LLVM is loaded late: Debian's names, old and new, and Fedora's. */
static void test_any(void **state) {
    struct text found = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    assert_llvm("libLLVM-14.so.1", 14);
    assert_llvm("libLLVM.so.19.1", 19);
    assert_llvm("libLLVM-16.so", 16);
    assert_llvm("libLLVM-13.so.1", 0);
    assert_llvm("libLLVM.so.21.1", 21);
    assert_llvm("libLLVM.so.23.1", 0);
    assert_llvm("libc.so.6", 0);
    unlink(versioned);
    snprintf(versioned, sizeof versioned, "%s/clang++-15", folder);
    assert_int_equal(clang_find_any(&found, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(
        strstr(err.text, "clang++ does not use a shared LLVM library of version 14 to 22"));
    write_linked(versioned, "libLLVM-15.so.1");
    assert_int_equal(clang_find_any(&found, &err), 0);
    assert_string_equal(found.data, versioned);
    unlink(plain);
    unlink(versioned);
    assert_int_equal(clang_find_any(&found, &err), -1);
    assert_non_null(
        strstr(err.text, "no clang: shflviz needs it to build CUDA programs for the CPU warp\n"));
    assert_non_null(strstr(err.text, "apt install clang\n"));
    text_release(&found);
}

static void test_without(void **state) {
    static char nowhere[] = "/nowhere/cudacpu-instrument";
    struct parts parts = {.instrument = {nowhere, sizeof nowhere - 1, 0}};
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(parts_find_clang(&parts, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "missing: /nowhere/cudacpu-instrument\ntry: cmake --install"));
    assert_int_equal(clang_missing_at_build(&err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "no clang or LLVM: "));
    assert_non_null(strstr(err.text, "pacman -S clang llvm"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_named),
        cmocka_unit_test(test_any),
        cmocka_unit_test(test_without),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
