/*
 * Folders of temporary files: creating and removing them, and removing those that another shflviz
 * left behind (folder.h).
 */
#include "cudacpu/compile/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char temporary[] = "/tmp/shflviz-test-folder-XXXXXX";

static char *below(const char *name) {
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % COUNT(paths)];
    snprintf(path, sizeof paths[0], "%s/%s", temporary, name);
    return path;
}

static bool is_there(const char *name) {
    struct stat status;
    return lstat(below(name), &status) == 0;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_reads(const char *path, const char *text) {
    char found[256] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found - 1, file), strlen(text));
    fclose(file);
    assert_string_equal(found, text);
}

/* The lowest free descriptor: as long as it stays the same, none was left open. */
static int lowest_free(void) {
    const int lowest = dup(0);
    close(lowest);
    return lowest;
}

/* ---- a folder of our own ---- */

static void test_made(void **state) {
    const int lowest = lowest_free();
    struct private_folder folder = {.lock = -1};
    struct error err = ERROR_INIT;
    struct stat status;
    char start[sizeof temporary + 16];
    (void)state;
    assert_int_equal(private_folder_make(&folder, &err), 0);
    snprintf(start, sizeof start, "%s/shflviz-", temporary);
    assert_int_equal(strncmp(folder.path, start, strlen(start)), 0);
    assert_int_equal(strlen(folder.path), strlen(start) + 6);
    assert_int_equal(stat(folder.path, &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_int_equal(status.st_mode & 0777, 0700);
    /* Its lock is held. */
    char *lock = private_folder_path(&folder, ".in-use");
    assert_int_equal(fcntl(folder.lock, F_GETFD), FD_CLOEXEC);
    const int other = open(lock, O_RDWR);
    assert_true(other >= 0);
    assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
    close(other);
    free(lock);
    char *path = private_folder_path(&folder, "a b.cu");
    assert_int_equal(strlen(path), strlen(folder.path) + 7);
    assert_string_equal(path + strlen(folder.path), "/a b.cu");
    free(path);
    char *made = strdup(folder.path);
    private_folder_remove(&folder);
    assert_null(folder.path);
    assert_int_equal(access(made, F_OK), -1);
    free(made);
    private_folder_remove(&folder); /* nothing happens */
    assert_int_equal(lowest_free(), lowest);
}

/* In $TMPDIR if that is set, by its absolute path. */
static void test_where(void **state) {
    struct private_folder folder = {.lock = -1};
    struct error err = ERROR_INIT;
    char before[256];
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(temporary), 0);
    setenv("TMPDIR", ".", 1);
    assert_int_equal(private_folder_make(&folder, &err), 0);
    assert_int_equal(strncmp(folder.path, temporary, strlen(temporary)), 0);
    assert_null(strstr(folder.path, "/./"));
    private_folder_remove(&folder);
    assert_int_equal(chdir(before), 0);
    setenv("TMPDIR", "", 1);
    assert_int_equal(private_folder_make(&folder, &err), 0);
    assert_int_equal(strncmp(folder.path, "/tmp/shflviz-", 13), 0);
    private_folder_remove(&folder);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(private_folder_make(&folder, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "cannot create directory /nowhere/at/all/shflviz-"));
    assert_non_null(strstr(err.text, "No such file or directory"));
    assert_null(folder.path);
    setenv("TMPDIR", temporary, 1);
}

static void test_written(void **state) {
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    text_append(&text, "int x;\n");
    assert_int_equal(private_file_write(below("a.c"), "#line 1 \"b.c\"\n", &text, &err), 0);
    assert_reads(below("a.c"), "#line 1 \"b.c\"\nint x;\n");
    text_clear(&text);
    assert_int_equal(private_file_write(below("a.c"), "", &text, &err), 0); /* it is replaced */
    assert_reads(below("a.c"), "");
    unlink(below("a.c"));
    assert_int_equal(private_file_write("/nowhere/at/all.c", "", &text, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, "cannot write /nowhere/at/all.c: No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        text_append(&text, "x");
        assert_int_equal(private_file_write("/dev/full", "", &text, &err), -1);
        assert_string_equal(err.text, "cannot write /dev/full\nthe disk is full; try: TMPDIR=DIR, "
                                      "a folder with more room");
    }
    text_release(&text);
}

/* ---- removing a program's leftovers ---- */

/* Folders within folders, each with a file. */
static void nest(const char *path, unsigned depth) {
    char before[256];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(path), 0);
    for (unsigned i = 0; i < depth; i++) {
        write_file("file", "text");
        assert_int_equal(mkdir("d", 0700), 0);
        assert_int_equal(chdir("d"), 0);
    }
    assert_int_equal(chdir(before), 0);
}

static void test_removed(void **state) {
    static const unsigned depths[] = {0, 1, 63, 64, 65, 130};
    const int lowest = lowest_free();
    struct private_folder folder = {.lock = -1};
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(mkdir(below("outside"), 0700), 0);
    write_file(below("outside/kept"), "mine");
    for (size_t i = 0; i < COUNT(depths); i++) {
        assert_int_equal(private_folder_make(&folder, &err), 0);
        nest(folder.path, depths[i]);
        char *made = strdup(folder.path);
        private_folder_remove(&folder);
        assert_int_equal(access(made, F_OK), -1);
        free(made);
    }
    /* Links are not followed, and a folder that cannot be opened is made accessible while it is
     * removed. */
    assert_int_equal(private_folder_make(&folder, &err), 0);
    char *link = private_folder_path(&folder, "link"),
         *closed = private_folder_path(&folder, "closed"),
         *within = private_folder_path(&folder, "closed/d"),
         *fifo = private_folder_path(&folder, "fifo"),
         *hidden = private_folder_path(&folder, ".hidden"),
         *dots = private_folder_path(&folder, "...");
    assert_int_equal(symlink(below("outside"), link), 0);
    assert_int_equal(mkdir(closed, 0700), 0);
    assert_int_equal(mkdir(within, 0700), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    write_file(hidden, "");
    write_file(dots, "");
    assert_int_equal(chmod(within, 0), 0);
    assert_int_equal(chmod(closed, 0), 0);
    char *made = strdup(folder.path);
    private_folder_remove(&folder);
    assert_int_equal(access(made, F_OK), -1);
    assert_int_equal(lowest_free(), lowest);
    assert_reads(below("outside/kept"), "mine");
    char *const all[] = {link, closed, within, fifo, hidden, dots, made};
    for (size_t i = 0; i < COUNT(all); i++)
        free(all[i]);
    unlink(below("outside/kept"));
    rmdir(below("outside"));
}

/* ---- leftovers of a killed shflviz ---- */

enum lock { NONE, FREE, HELD, LINKED };

/* Makes a folder that is this many seconds old; returns its lock's descriptor, or -1. */
static int leave_folder(const char *name, enum lock lock, unsigned seconds) {
    char path[256];
    int held = -1;
    assert_int_equal(mkdir(below(name), 0700), 0);
    snprintf(path, sizeof path, "%s/.in-use", below(name));
    if (lock == FREE || lock == HELD)
        write_file(path, "");
    if (lock == LINKED)
        assert_int_equal(symlink(below("target"), path), 0);
    if (lock == HELD) {
        held = open(path, O_RDWR);
        assert_int_equal(flock(held, LOCK_EX), 0);
    }
    snprintf(path, sizeof path, "%s/left", below(name));
    write_file(path, "text");
    const struct timespec times[2] = {{.tv_sec = time(NULL) - (time_t)seconds},
                                      {.tv_sec = time(NULL) - (time_t)seconds}};
    assert_int_equal(utimensat(AT_FDCWD, below(name), times, 0), 0);
    return held;
}

static void test_swept(void **state) {
    static const struct {
        const char *name;
        enum lock lock;
        unsigned seconds;
        bool stays;
    } cases[] = {
        {"shflviz-abcdef", FREE, 60, false},  {"shflviz-ABC123", FREE, 10, false},
        {"shflviz-aaaaaa", FREE, 0, true},    {"shflviz-bbbbbb", FREE, 5, true},
        {"shflviz-cccccc", NONE, 60, true},   {"shflviz-dddddd", HELD, 60, true},
        {"shflviz-eeeeee", LINKED, 60, true}, {"shflviz-abcde", FREE, 60, true},
        {"shflviz-abcdefg", FREE, 60, true},  {"shflvis-abcdef", FREE, 60, true},
        {"xhflviz-abcdef", FREE, 60, true},   {"shflviz_abcdef", FREE, 60, true},
    };
    struct private_folder folder = {.lock = -1};
    struct error err = ERROR_INIT;
    int held[COUNT(cases)];
    (void)state;
    write_file(below("target"), "");
    write_file(below("shflviz-isfile"), "");
    for (size_t i = 0; i < COUNT(cases); i++)
        held[i] = leave_folder(cases[i].name, cases[i].lock, cases[i].seconds);
    assert_int_equal(symlink(below("shflviz_abcdef"), below("shflviz-linked")), 0);
    const int lowest = lowest_free();
    assert_int_equal(private_folder_make(&folder, &err), 0);
    assert_int_equal(folder.lock, lowest); /* the other descriptors have been closed */
    assert_int_equal(access(folder.path, F_OK), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char left[64];
        snprintf(left, sizeof left, "%s/left", cases[i].name);
        if (is_there(cases[i].name) != cases[i].stays || is_there(left) != cases[i].stays)
            fail_msg("%s %s", cases[i].name, cases[i].stays ? "is gone" : "stays");
    }
    assert_true(is_there("shflviz-isfile"));
    assert_true(is_there("shflviz-linked"));
    assert_true(is_there("target"));
    private_folder_remove(&folder);
    assert_int_equal(lowest_free(), lowest);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char command[256];
        if (held[i] >= 0)
            close(held[i]);
        snprintf(command, sizeof command, "rm -rf '%s'", below(cases[i].name));
        assert_int_equal(system(command), 0);
    }
    unlink(below("target"));
    unlink(below("shflviz-isfile"));
    unlink(below("shflviz-linked"));
}

/* ---- a link instead of a folder ---- */

/* Replaces the C library's function: a folder that may not be read becomes a link before its mode
 * is changed, as if a program had been quick. */
static bool swaps;
static char dark[256];

static void swap_for_link(void) {
    if (!swaps)
        return;
    swaps = false;
    if (rmdir(dark) != 0 || symlink(below("victim"), dark) != 0)
        _exit(9);
}

int fchmodat(int folder, const char *name, mode_t mode, int flags) {
    swap_for_link();
    (void)flags;
    return (int)syscall(SYS_fchmodat, folder, name, mode);
}

int chmod(const char *path, mode_t mode) {
    swap_for_link();
    return (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

static void remove_as_nobody(void) {
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        _exit(2);
    mkdir(below("mine"), 0700);
    setenv("TMPDIR", below("mine"), 1);
    struct private_folder made;
    write_file(below("victim"), "x");
    if (syscall(SYS_fchmodat, AT_FDCWD, below("victim"), 0600) != 0 ||
        private_folder_make(&made, NULL) != 0)
        _exit(3);
    snprintf(dark, sizeof dark, "%s/dark", made.path);
    mkdir(dark, 0);
    swaps = true;
    private_folder_remove(&made);
    unlink(dark); /* the link was made too late to fool the removal */
    *strrchr(dark, '/') = '\0';
    rmdir(dark);
    struct stat status;
    _exit(stat(below("victim"), &status) != 0 ? 5 : (status.st_mode & 0777) == 0600 ? 0 : 1);
}

static void test_a_link_is_not_followed_where_a_folder_was(void **state) {
    int status;
    (void)state;
    assert_int_equal(syscall(SYS_fchmodat, AT_FDCWD, temporary, 0777), 0);
    const pid_t child = fork();
    if (child == 0)
        remove_as_nobody();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
    assert_int_equal(unlink(below("victim")), 0);
    assert_int_equal(rmdir(below("mine")), 0);
}

static int begin(void **state) {
    (void)state;
    return mkdtemp(temporary) ? setenv("TMPDIR", temporary, 1) : -1;
}

static int end(void **state) {
    (void)state;
    return rmdir(temporary); /* nothing else is left */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_removed),
        cmocka_unit_test(test_swept),
        cmocka_unit_test(test_a_link_is_not_followed_where_a_folder_was),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
