/*
 * One compiled header on the disk (header_folder.h): when it is valid, for which programs, its
 * key, and its removal. No compiler is called.
 */
#include "cudacpu/compile/header_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char folder[] = "/tmp/shflviz-folder-XXXXXX";
static char *const none[] = {NULL};

/* A path in the folder, valid until four more have been requested. */
static char *in(const char *name) {
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % COUNT(paths)];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* All files have the same time, to the nanosecond. */
static void set_time(const char *path, long nanoseconds) {
    const struct timespec times[2] = {{1000000, nanoseconds}, {1000000, nanoseconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* h, a compiled header that was made from "one.h" and "two words.h" in folder src. */
static void make_header(void) {
    char rule[512];
    mkdir(in("src"), 0700);
    mkdir(in("h"), 0700);
    assert_int_equal(chmod(in("h"), 0700), 0);
    write_file(in("src/one.h"), "int x;\n");
    set_time(in("src/one.h"), 5);
    write_file(in("src/two words.h"), "int y;\n");
    write_file(in("h" HEADER_DEVICE), "CPCH");
    write_file(in("h" HEADER_HOST), "CPCH");
    snprintf(rule, sizeof rule, "x: %s\n", in("src/one.h"));
    write_file(in("h" HEADER_DEVICE_RULE), rule);
    snprintf(rule, sizeof rule, "x: %s \\\n  %s/src/two\\ words.h\n", in("src/one.h"), folder);
    write_file(in("h" HEADER_HOST_RULE), rule);
    assert_true(header_list_write(in("h")));
    assert_int_equal(header_state(in("h"), none), HEADER_GOOD);
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void test_list(void **state) {
    char line[3][256], number[17];
    (void)state;
    make_header();
    FILE *file = fopen(in("h" HEADER_FILES), "r");
    assert_non_null(file);
    for (size_t i = 0; i < COUNT(line); i++)
        assert_non_null(fgets(line[i], sizeof line[i], file));
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    assert_int_equal(sscanf(line[0], "%16[0-9a-f]", number), 1);
    assert_int_equal(strlen(number), 16);
    assert_string_equal(line[0] + 16, "\n");
    line[1][strcspn(line[1], "\n")] = line[2][strcspn(line[2], "\n")] = '\0';
    assert_string_equal(line[1], in("src/one.h"));
    assert_string_equal(line[2], in("src/two words.h"));
    assert_false(header_list_write(in("absent")));
    assert_int_equal(unlink(in("h" HEADER_DEVICE_RULE)), 0);
    assert_false(header_list_write(in("h")));
    make_header();
    assert_int_equal(unlink(in("h" HEADER_HOST_RULE)), 0);
    assert_false(header_list_write(in("h")));
}

static void test_state(void **state) {
    (void)state;
    assert_int_equal(header_state(in("absent"), none), HEADER_ABSENT);
    make_header();
    write_file(in("src/one.h"), "int xx;\n"); /* longer than before */
    set_time(in("src/one.h"), 5);
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    make_header();
    set_time(in("src/one.h"), 6);
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    set_time(in("src/one.h"), 5);
    assert_int_equal(header_state(in("h"), none), HEADER_GOOD);
    write_file(in("src/other"), "int z;\n"); /* another file takes its place */
    set_time(in("src/other"), 5);
    assert_int_equal(rename(in("src/other"), in("src/one.h")), 0);
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    make_header();
    assert_int_equal(unlink(in("src/two words.h")), 0);
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    make_header();
    write_file(in("h" HEADER_DEVICE), "CPCH more"); /* longer than recorded */
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    make_header();
    assert_int_equal(unlink(in("h" HEADER_HOST)), 0);
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    make_header();
    write_file(in("h" HEADER_FILES), "");
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    write_file(in("h" HEADER_FILES), "0123456789abcdef");
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
    assert_int_equal(unlink(in("h" HEADER_FILES)), 0);
    assert_int_equal(header_state(in("h"), none), HEADER_STALE);
}

/* Others may read it but not write to it. */
static void test_modes(void **state) {
    static const struct {
        mode_t mode;
        enum header_state state;
    } cases[] = {{0700, HEADER_GOOD},   {0755, HEADER_GOOD},   {0720, HEADER_HIDDEN},
                 {0702, HEADER_HIDDEN}, {0777, HEADER_HIDDEN}, {0750, HEADER_GOOD}};
    (void)state;
    make_header();
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(chmod(in("h"), cases[i].mode), 0);
        assert_int_equal(header_state(in("h"), none), cases[i].state);
    }
}

static void test_own_folders(void **state) {
    char source[64], own[64], empty[64];
    char *const folders[] = {empty, own, NULL}, *const its_own[] = {source, NULL};
    (void)state;
    snprintf(source, sizeof source, "%s/src", folder);
    snprintf(own, sizeof own, "%s/own", folder);
    snprintf(empty, sizeof empty, "%s/empty", folder);
    make_header();
    assert_int_equal(mkdir(own, 0700), 0);
    assert_int_equal(mkdir(empty, 0700), 0);
    assert_int_equal(header_state(in("h"), folders), HEADER_GOOD);
    assert_int_equal(header_state(in("h"), its_own), HEADER_GOOD);
    assert_int_equal(mkdir(in("own/one.h"), 0700), 0); /* not a regular file */
    assert_int_equal(header_state(in("h"), folders), HEADER_GOOD);
    assert_int_equal(link(in("src/two words.h"), in("own/two words.h")), 0); /* the same file */
    assert_int_equal(header_state(in("h"), folders), HEADER_GOOD);
    write_file(in("own/words.h"), "");
    assert_int_equal(header_state(in("h"), folders), HEADER_GOOD);
    assert_int_equal(rmdir(in("own/one.h")), 0);
    write_file(in("own/one.h"), "int x;\n");
    assert_int_equal(header_state(in("h"), folders), HEADER_HIDDEN);
    assert_int_equal(header_state(in("h"), folders + 1), HEADER_HIDDEN);
    assert_int_equal(header_state(in("h"), none), HEADER_GOOD);
}

/* The file's name may include folders. */
static void test_own_folders_below(void **state) {
    char below[64];
    char *const folders[] = {below, NULL};
    (void)state;
    snprintf(below, sizeof below, "%s/below", folder);
    make_header();
    assert_int_equal(mkdir(below, 0700), 0);
    assert_int_equal(mkdir(in("below/src"), 0700), 0);
    write_file(in("below/src/other.h"), "");
    assert_int_equal(header_state(in("h"), folders), HEADER_GOOD);
    write_file(in("below/src/two words.h"), "");
    assert_int_equal(header_state(in("h"), folders), HEADER_HIDDEN);
    assert_int_equal(unlink(in("below/src/two words.h")), 0);
    assert_int_equal(symlink(in("src/one.h"), in("below/src/one.h")), 0); /* the same file */
    assert_int_equal(header_state(in("h"), folders), HEADER_GOOD);
}

static void test_is_compiled(void **state) {
    static const struct {
        const char *bytes;
        bool is;
    } cases[] = {{"CPCH", true},  {"CPCHx", true},  {"CPC", false}, {"", false},
                 {"CPCh", false}, {"xCPCH", false}, {"gpch", false}};
    (void)state;
    make_header();
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_file(in("h" HEADER_DEVICE), cases[i].bytes);
        assert_int_equal(header_is_compiled(in("h")), cases[i].is);
        write_file(in("h" HEADER_DEVICE), "CPCH");
        write_file(in("h" HEADER_HOST), cases[i].bytes);
        assert_int_equal(header_is_compiled(in("h")), cases[i].is);
        write_file(in("h" HEADER_HOST), "CPCH");
    }
    assert_int_equal(unlink(in("h" HEADER_HOST)), 0);
    assert_false(header_is_compiled(in("h")));
    assert_false(header_is_compiled(in("absent")));
}

static uint64_t key(const char *first, const char *second, const char *variable) {
    struct child_words words = {0};
    char text[64] = "";
    if (variable)
        snprintf(text, sizeof text, "%s", variable);
    char *const environment[] = {text, NULL};
    child_words_add(&words, first, NULL);
    child_words_add(&words, second, NULL);
    const uint64_t found = header_key(&words, in("src/one.h"), environment);
    child_words_release(&words);
    return found;
}

/* A header that is found elsewhere has another key; everything else keeps the same key. */
static void test_key(void **state) {
    static const char *const others[] = {"CPATH=x", "C_INCLUDE_PATH=x", "CPLUS_INCLUDE_PATH=x",
                                         "COMPILER_PATH=x"};
    const char *path = getenv("PATH");
    char before[4096], search[256];
    (void)state;
    snprintf(before, sizeof before, "%s", path ? path : "");
    make_header();
    mkdir(in("bin1"), 0700);
    mkdir(in("bin2"), 0700);
    write_file(in("bin1/c"), "");
    assert_int_equal(chmod(in("bin1/c"), 0600), 0); /* nobody can run it */
    write_file(in("bin2/c"), "");
    assert_int_equal(chmod(in("bin2/c"), 0700), 0);
    snprintf(search, sizeof search, "%s/bin0:%s/bin1:%s/bin2", folder, folder, folder);
    setenv("PATH", search, 1);
    const uint64_t same = key("c", "-O1", "HOME=x");
    assert_true(same == key("c", "-O1", "HOME=y"));
    assert_true(same == key("c", "-O1", "XCPATH=x"));
    assert_true(same != key("c", "-O2", "HOME=x"));
    assert_true(key("c", "a", NULL) != key("c", "b", NULL));
    assert_true(key("c", "ab", NULL) != key("ca", "b", NULL));
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_true(same != key("c", "-O1", others[i]));
        for (size_t j = 0; j < i; j++)
            assert_true(key("c", "-O1", others[j]) != key("c", "-O1", others[i]));
    }
    write_file(in("bin1/c"), "123");
    assert_true(same == key("c", "-O1", NULL));
    write_file(in("bin2/c"), "123");
    assert_true(same != key("c", "-O1", NULL));
    const uint64_t second = key("c", "-O1", NULL);
    set_time(in("src/one.h"), 7);
    assert_true(second != key("c", "-O1", NULL));
    set_time(in("src/one.h"), 5);
    assert_true(second == key("c", "-O1", NULL));
    assert_int_equal(chmod(in("bin1/c"), 0700), 0); /* now it is found first */
    assert_true(second != key("c", "-O1", NULL));
    setenv("PATH", before, 1);
}

/* An incomplete header counts as absent. */
static void test_full(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        return;
    make_header();
    assert_int_equal(unlink(in("h" HEADER_FILES)), 0);
    assert_int_equal(symlink("/dev/full", in("h" HEADER_FILES)), 0);
    assert_false(header_list_write(in("h")));
    unlink(in("h" HEADER_FILES));
}

/* The header's files are removed, but not a folder. */
static void test_removed(void **state) {
    (void)state;
    make_header();
    write_file(in("h/left"), "");
    assert_int_equal(symlink(in("src"), in("h/link")), 0);
    header_remove(in("h"));
    assert_int_equal(access(in("h"), F_OK), -1);
    assert_int_equal(access(in("src/one.h"), F_OK), 0);
    make_header();
    assert_int_equal(mkdir(in("h/mine"), 0700), 0);
    write_file(in("h/mine/kept"), "");
    header_remove(in("h"));
    assert_int_equal(access(in("h/mine/kept"), F_OK), 0);
    assert_int_equal(access(in("h" HEADER_HOST), F_OK), -1);
    header_remove(in("absent"));
    assert_int_equal(symlink(in("src"), in("turned")), 0);
    header_remove(in("turned")); /* nothing that a link leads to */
    assert_int_equal(access(in("src/one.h"), F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_own_folders),
        cmocka_unit_test(test_own_folders_below),
        cmocka_unit_test(test_is_compiled),
        cmocka_unit_test(test_key),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_removed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
