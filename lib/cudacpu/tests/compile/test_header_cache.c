/*
 * The compiled header and its list of files, with a compiler that only logs its calls: when a
 * header is made and by which process, and when it is kept, made again or left alone.
 */
#include "cudacpu/compile/header_cache.h"
#include "cudacpu/compile/header_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SECONDS_MOST 120 /* the time limit for everything here */

static char folder[] = "/tmp/shflviz-header-XXXXXX";
static char compiler[64], header[64], other[64], calls[64], held[64], unable[64], cache[64];
static struct child_words device, host;
static char *const environment[] = {"PATH=/usr/bin:/bin", NULL}, *const none[] = {NULL};

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Prints the parts of clang's output that matter: the first bytes, and the rule. Fails while there
 * is a file `unable`. With a pipe `held` it then writes its process id there, and waits until the
 * other end is closed. */
static int set_up(void **state) {
    struct text script = TEXT_INIT;
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(compiler, sizeof compiler, "%s/compiler", folder);
    snprintf(header, sizeof header, "%s/record.cuh", folder);
    snprintf(other, sizeof other, "%s/a header.h", folder);
    snprintf(calls, sizeof calls, "%s/calls", folder);
    snprintf(held, sizeof held, "%s/held", folder);
    snprintf(unable, sizeof unable, "%s/unable", folder);
    snprintf(cache, sizeof cache, "%s/shflviz", folder);
    text_append_format(&script,
                       "#!/bin/sh\n"
                       "echo >>%s\n"
                       "[ ! -e %s ] || exit 1\n"
                       "while [ $# -gt 0 ]; do\n"
                       "    case $1 in -MF) rule=$2 ;; -o) to=$2 ;; esac\n"
                       "    shift\n"
                       "done\n"
                       "printf 'CPCH compiled' >\"$to\"\n"
                       "[ ! -p %s ] || { echo $PPID $$; cat /proc/$$/stat; } >%s\n"
                       "[ ! -p %s ] || read end <%s\n"
                       "printf 'x: %s \\\\\\n  %s/a\\\\ header.h\\n' >\"$rule\"\n",
                       calls, unable, held, held, held, held, header, folder);
    write_file(compiler, script.data);
    text_release(&script);
    write_file(header, "int x;\n");
    write_file(other, "int y;\n");
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("SHFLVIZ_HEADERS", "now", 1);
    child_words_add(&device, compiler, NULL);
    child_words_add(&device, "--device", NULL);
    child_words_add(&host, compiler, NULL);
    child_words_add(&host, "--host", NULL);
    alarm(SECONDS_MOST);
    return chmod(compiler, 0700);
}

static int tear_down(void **state) {
    char command[64];
    (void)state;
    child_words_release(&device);
    child_words_release(&host);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

/* The number of headers made; each takes two calls, one for either side. */
static long headers_made(void) {
    struct stat status;
    return stat(calls, &status) == 0 ? (long)(status.st_size + 1) / 2 : 0;
}

static const struct header_wanted *wanted(void) {
    static struct header_wanted wanted;
    wanted = (struct header_wanted){
        .device = &device, .host = &host, .header = header, .environment = environment};
    return &wanted;
}

/* True if a header is found; asserts that it is in the same folder each time. */
static bool is_found(char *const *folders) {
    static char first[128];
    char *found = header_cache_find(wanted(), folders);
    if (!found)
        return false;
    if (!*first)
        snprintf(first, sizeof first, "%s", found);
    assert_string_equal(found, first);
    assert_true(header_is_compiled(found));
    free(found);
    return true;
}

static void test_made_and_kept(void **state) {
    (void)state;
    assert_true(is_found(none));
    assert_int_equal(headers_made(), 1);
    assert_true(is_found(none));
    assert_true(is_found(none));
    assert_int_equal(headers_made(), 1);

    /* When a file from which it was made has changed, the header is made again, once. */
    write_file(other, "int y, z;\n");
    assert_true(is_found(none));
    assert_int_equal(headers_made(), 2);
    assert_true(is_found(none));
    assert_int_equal(headers_made(), 2);
}

/* If a folder that is searched earlier has a file of that name, the header is not used, but
 * stays. */
static void test_hidden(void **state) {
    char own[64], path[96];
    char *const folders[] = {own, NULL};
    (void)state;
    snprintf(own, sizeof own, "%s/own", folder);
    assert_int_equal(mkdir(own, 0700), 0);
    assert_true(is_found(folders));
    snprintf(path, sizeof path, "%s/a header.h", own);
    write_file(path, "int mine;\n");
    assert_false(is_found(folders));
    assert_true(is_found(none));
    assert_int_equal(headers_made(), 2);
}

/* A folder to which anybody may write is neither used nor removed. */
static void test_others_folders(void **state) {
    (void)state;
    char *found = header_cache_find(wanted(), none);
    assert_non_null(found);
    assert_int_equal(chmod(found, 0777), 0);
    assert_false(is_found(none));
    assert_int_equal(chmod(found, 0700), 0);
    assert_true(is_found(none));
    assert_int_equal(headers_made(), 2);
    free(found);
}

/* ---- in the background ---- */

/* Waits until no process is making a header. */
static void await_end(void) {
    char path[96];
    snprintf(path, sizeof path, "%s/making", cache);
    const int lock = open(path, O_RDWR | O_CLOEXEC);
    assert_true(lock >= 0);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    close(lock);
}

static unsigned headers_there(bool temporary) {
    unsigned count = 0;
    DIR *entries = opendir(cache);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));)
        count += strncmp(entry->d_name, "headers-", 8) == 0 &&
                 (strchr(entry->d_name, '.') != NULL) == temporary;
    closedir(entries);
    return count;
}

/* A compiler that has started but not finished. */
struct held_compiler {
    long parent, id;
    char stat[512];
};

static long parent_of(long process) {
    char path[64];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d (%*[^)]) %*c %d", &parent), 1);
    fclose(file);
    return parent;
}

static struct held_compiler begin_held(void) {
    struct held_compiler begun;
    setenv("SHFLVIZ_HEADERS", "", 1);
    assert_int_equal(mkfifo(held, 0600), 0);
    write_file(other, "int changed;\n");
    write_file(other, "int changed, again;\n"); /* a new size, too: file times are coarse */
    header_cache_make(wanted());
    FILE *said = fopen(held, "r"); /* waits for the compiler */
    assert_non_null(said);
    assert_int_equal(fscanf(said, "%ld %ld\n", &begun.parent, &begun.id), 2);
    assert_non_null(fgets(begun.stat, sizeof begun.stat, said));
    fclose(said);
    return begun;
}

static void release_held(void) {
    const int end = open(held, O_WRONLY);
    assert_true(end >= 0);
    assert_int_equal(unlink(held), 0);
    close(end);
    await_end();
}

/* The build does not wait for the compiler, which runs in a session of its own without a terminal,
 * with the lowest priority, is not our child, and inherits nothing of ours. A program that is built
 * meanwhile does not use the header; only one header is made. */
static void test_in_background(void **state) {
    (void)state;
    const long before = headers_made();
    int pipes[2];
    char byte;
    assert_int_equal(pipe(pipes), 0);
    const struct held_compiler begun = begin_held();
    assert_int_equal(close(pipes[1]), 0);
    assert_int_equal(read(pipes[0], &byte, 1), 0); /* no other process has the pipe open */
    close(pipes[0]);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    int parent, group, session, terminal, priority;
    const char *behind_name = strrchr(begun.stat, ')');
    assert_non_null(behind_name);
    assert_int_equal(sscanf(behind_name,
                            ") %*c %d %d %d %d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %d",
                            &parent, &group, &session, &terminal, &priority),
                     5);
    assert_int_equal(terminal, 0);
    assert_int_equal(priority, 19);
    assert_int_not_equal(session, getsid(0));
    assert_int_not_equal(parent_of(parent_of(begun.parent)), getpid());

    assert_false(is_found(none));
    header_cache_make(wanted());
    header_cache_make(wanted());
    assert_int_equal(headers_made(), before + 1);
    release_held();
    assert_true(is_found(none));
    assert_int_equal(headers_made(), before + 1);
    header_cache_make(wanted());
    await_end();
    assert_int_equal(headers_made(), before + 1);
    assert_int_equal(headers_there(true), 0);
    assert_int_equal(headers_there(false), 1);
}

/* A killed compiler's unfinished work is never used as complete, and is removed by the next
 * compiler at the latest. */
static void test_cut_off(void **state) {
    static const int ways[] = {SIGTERM, SIGKILL};
    (void)state;
    for (int i = 0; i < 2; i++) {
        write_file(header, i ? "int x, x1;\n" : "int x, x1, x2;\n"); /* another key */
        const struct held_compiler begun = begin_held();
        assert_int_equal(headers_there(true), 1);
        assert_int_equal(kill((pid_t)parent_of(begun.parent), ways[i]), 0);
        await_end();
        assert_int_equal(unlink(held), 0);
        assert_int_equal(headers_there(true), i);
        char *found = header_cache_find(wanted(), none);
        assert_null(found);
        header_cache_make(wanted());
        await_end();
        found = header_cache_find(wanted(), none);
        assert_non_null(found);
        free(found);
        assert_int_equal(headers_there(true), 0);
    }
}

/* Where no header can be kept, nothing fails. */
static void test_nowhere(void **state) {
    (void)state;
    const long before = headers_made();
    write_file(header, "int x, x1, x2, x3;\n");
    for (int now = 0; now < 2; now++) {
        setenv("SHFLVIZ_HEADERS", now ? "now" : "", 1);
        setenv("XDG_CACHE_HOME", "/dev/null", 1);
        header_cache_make(wanted());
        assert_null(header_cache_find(wanted(), none));
        setenv("XDG_CACHE_HOME", folder, 1);
        if (geteuid() == 0)
            assert_int_equal(seteuid(65534), 0);
        assert_int_equal(geteuid() == 65534 || chmod(cache, 0500) == 0, true);
        header_cache_make(wanted());
        assert_null(header_cache_find(wanted(), none));
        assert_int_equal(getuid() == 0 ? seteuid(0) : chmod(cache, 0700), 0);
    }
    assert_int_equal(headers_made(), before);
}

/* There are too many headers, and the oldest cannot be removed because it contains another user's
 * folder: all headers stay, and removal is not retried forever. */
static void test_stays(void **state) {
    static const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    char path[128], within[160];
    struct stat status;
    (void)state;
    setenv("SHFLVIZ_HEADERS", "now", 1);
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/headers-%d", cache, i);
        snprintf(within, sizeof within, "%s/folder", path);
        assert_int_equal(mkdir(path, 0700), 0);
        assert_int_equal(mkdir(within, 0700), 0);
        assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
    }
    write_file(header, "int x, x1, x2, x3, x4;\n"); /* another key */
    char *found = header_cache_find(wanted(), none);
    assert_non_null(found);
    free(found);
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/headers-%d/folder", cache, i);
        assert_int_equal(stat(path, &status), 0);
    }
}

/* A header that the compiler cannot make, or refuses, is not made again for a day. */
static void test_refused(void **state) {
    static const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    char mark[160];
    (void)state;
    write_file(header, "int x, x1, x2, x3, x4, x5;\n"); /* another key */
    write_file(unable, "");
    const long before = headers_made();
    assert_null(header_cache_find(wanted(), none));
    assert_int_equal(headers_made(),
                     before + 1); /* only the device's side, half a header, is made */
    assert_int_equal(unlink(unable), 0);
    assert_null(header_cache_find(wanted(), none));
    assert_int_equal(headers_made(), before + 1);

    write_file(header, "int x, x1, x2, x3, x4, x5, x6;\n");
    char *found = header_cache_find(wanted(), none);
    assert_non_null(found);
    header_cache_reject(found);
    assert_int_equal(access(found, F_OK), -1);
    assert_null(header_cache_find(wanted(), none));
    snprintf(mark, sizeof mark, "%s.unable", found);
    free(found);
    assert_int_equal(utimensat(AT_FDCWD, mark, long_ago, 0), 0);
    found = header_cache_find(wanted(), none);
    assert_non_null(found);
    assert_int_equal(access(mark, F_OK), -1);
    free(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_and_kept),  cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_others_folders),
#ifdef __linux__ /* /proc identifies processes */
        cmocka_unit_test(test_in_background),  cmocka_unit_test(test_cut_off),
#endif
        cmocka_unit_test(test_nowhere),        cmocka_unit_test(test_stays),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
