/*
 * The compiled header and its list of files, with a compiler that does nothing but write down that
 * it was called: when one is made, kept, made again and left alone.
 */
#include "device/own/header_cache.h"

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

static char folder[] = "/tmp/shflviz-header-XXXXXX";
static char compiler[64], header[64], other[64], calls[64];
static struct child_words compile;

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* What gcc writes, as far as anybody looks at it: the first bytes, and the rule. */
static int set_up(void **state) {
    struct text script = TEXT_INIT;
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(compiler, sizeof compiler, "%s/compiler", folder);
    snprintf(header, sizeof header, "%s/record.cuh", folder);
    snprintf(other, sizeof other, "%s/a header.h", folder);
    snprintf(calls, sizeof calls, "%s/calls", folder);
    text_append_format(&script,
                       "#!/bin/sh\n"
                       "echo >>%s\n"
                       "while [ $# -gt 0 ]; do\n"
                       "    case $1 in -MF) rule=$2 ;; -o) to=$2 ;; esac\n"
                       "    shift\n"
                       "done\n"
                       "printf 'gpch.013 compiled' >\"$to\"\n"
                       "printf 'x: %s \\\\\\n  %s/a\\\\ header.h\\n' >\"$rule\"\n",
                       calls, header, folder);
    write_file(compiler, script.data);
    text_release(&script);
    write_file(header, "int x;\n");
    write_file(other, "int y;\n");
    setenv("XDG_CACHE_HOME", folder, 1);
    child_words_add(&compile, compiler, NULL);
    return chmod(compiler, 0700);
}

static int tear_down(void **state) {
    char command[64];
    (void)state;
    child_words_release(&compile);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static long called(void) {
    struct stat status;
    return stat(calls, &status) == 0 ? (long)status.st_size : 0;
}

/* The folder that is to be searched, which is the same each time; whether there is one. */
static bool is_found(char *const *folders) {
    static char first[128];
    static char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    char *found = header_cache_find(&compile, header, folders, environment);
    if (!found)
        return false;
    if (!*first)
        snprintf(first, sizeof first, "%s", found);
    assert_string_equal(found, first);
    char path[256], start[8] = "";
    snprintf(path, sizeof path, "%s/shflviz/record.cuh.gch", found);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(start, 1, 4, file), 4);
    fclose(file);
    assert_string_equal(start, "gpch");
    free(found);
    return true;
}

static void test_made_and_kept(void **state) {
    char *const none[] = {NULL};
    (void)state;
    assert_false(is_found(none)); /* one program does not pay for it */
    assert_int_equal(called(), 0);
    assert_true(is_found(none));
    assert_int_equal(called(), 1);
    assert_true(is_found(none));
    assert_true(is_found(none));
    assert_int_equal(called(), 1);

    /* A file that it was made of has changed: it is made again, once. */
    write_file(other, "int y, z;\n");
    assert_true(is_found(none));
    assert_int_equal(called(), 2);
    assert_true(is_found(none));
    assert_int_equal(called(), 2);
}

/* A file of that name in a folder that is searched before: it is not used, and stays. */
static void test_hidden(void **state) {
    char own[64], path[96];
    char *const none[] = {NULL}, *const folders[] = {own, NULL};
    (void)state;
    snprintf(own, sizeof own, "%s/own", folder);
    assert_int_equal(mkdir(own, 0700), 0);
    assert_true(is_found(folders));
    snprintf(path, sizeof path, "%s/a header.h", own);
    write_file(path, "int mine;\n");
    assert_false(is_found(folders));
    assert_true(is_found(none));
    assert_int_equal(called(), 2);
}

/* One that anybody may write to is neither used nor removed. */
static void test_of_others(void **state) {
    char *const none[] = {NULL};
    static char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    (void)state;
    char *found = header_cache_find(&compile, header, none, environment);
    assert_non_null(found);
    assert_int_equal(chmod(found, 0777), 0);
    assert_false(is_found(none));
    assert_int_equal(chmod(found, 0700), 0);
    assert_true(is_found(none));
    assert_int_equal(called(), 2);
    free(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_and_kept),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_of_others),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
