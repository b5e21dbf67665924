/* Where recordings may be written and read, and the messages if they may not. */
#include "sample.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/mount.h>
#endif

/* Asserts that no recording can be made at path, and that the message has the words. */
static void refuse_write(const char *path, const char *words) {
    struct trace_writer *writer;
    struct error err = ERROR_INIT;
    const struct trace_writer_options options = {.value_bytes = 4};
    assert_int_equal(trace_writer_open(&writer, path, &options, &err), -1);
    assert_null(writer);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (!strstr(err.text, words) || !strstr(err.text, path) || !strchr(err.text, '\n'))
        fail_msg("expected '%s', '%s' and a way out in: %s", words, path, err.text);
}

static void refuse_read(const char *path, const char *words) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_open(&trace, path, &err), -1);
    assert_null(trace);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (!strstr(err.text, words) || !strstr(err.text, path))
        fail_msg("expected '%s' and '%s' in: %s", words, path, err.text);
}

static void refuse_both(const char *path, const char *words) {
    refuse_write(path, words);
    refuse_read(path, words);
}

static void test_not_a_file(void **state) {
    (void)state;
    assert_int_equal(mkdir(sample_path("folder"), 0777), 0);
    refuse_both(sample_path("folder"), "it is a folder");
    assert_int_equal(mkfifo(sample_path("pipe"), 0666), 0);
    refuse_both(sample_path("pipe"), "it is a pipe");
    refuse_both("/dev/full", "it is a device");
    refuse_both("/dev/null", "it is a device");
}

static void test_no_such_place(void **state) {
    (void)state;
    refuse_write(sample_path("none/run.svt"), "there is no folder");
    refuse_read(sample_path("none/run.svt"), "there is no such file");
    sample_file(sample_path("file.svt"), 4, 1);
    refuse_write(sample_path("file.svt/run.svt"), "is not a folder");
    assert_int_equal(symlink(sample_path("none/there.svt"), sample_path("lost.svt")), 0);
    refuse_write(sample_path("lost.svt"), "it is a link to a missing file");
#ifdef __linux__
    refuse_write("/proc/run.svt", "the folder '/proc' accepts no new files");
#endif
    char name[301];
    memset(name, 'a', 300);
    name[300] = '\0';
    refuse_write(name, "too long");
    struct error err = ERROR_INIT;
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4};
    assert_int_equal(trace_writer_open(&writer, "", &options, &err), -1);
    assert_non_null(strstr(err.text, "the name is empty"));
}

/* Runs in a process that is not root, since permissions mean nothing to root. A failed assertion
 * inside ends it with a nonzero status. */
static void in_child(void (*body)(void), bool as_nobody) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (as_nobody && geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        body();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void without_permission(void) {
    refuse_write(sample_path("read-only.svt"), "no permission");
    refuse_read(sample_path("secret.svt"), "no permission");
    refuse_write(sample_path("closed/run.svt"), "no permission");
}

static void test_no_permission(void **state) {
    (void)state;
    assert_int_equal(chmod(sample_path(""), 0755), 0);
    sample_file(sample_path("read-only.svt"), 4, 1);
    assert_int_equal(chmod(sample_path("read-only.svt"), 0444), 0);
    sample_file(sample_path("secret.svt"), 4, 1);
    assert_int_equal(chmod(sample_path("secret.svt"), 0), 0);
    assert_int_equal(mkdir(sample_path("closed"), 0555), 0);
    in_child(without_permission, true);
}

static void test_foreign_files_are_kept(void **state) {
    static const char text[] = "a letter to my aunt, much longer than a magic number";
    const char *path = sample_path("letter.txt");
    size_t size;
    (void)state;
    for (size_t length = 1; length < sizeof(text); length += 7) {
        sample_replace(path, text, length);
        refuse_write(path, "exists and is not a recording");
        unsigned char *bytes = sample_read(path, &size);
        assert_int_equal(size, length);
        assert_memory_equal(bytes, text, length);
        free(bytes);
        refuse_read(path, "is not a shflviz recording");
    }
}

static void test_replacing(void **state) {
    struct trace *trace;
    struct stat status;
    const char *path = sample_path("again.svt"), *link = sample_path("link.svt");
    (void)state;
    sample_replace(path, "", 0);
    refuse_read(path, "is empty");
    sample_file(path, 4, 1000);
    assert_int_equal(chmod(path, 0640), 0);
    sample_file(path, 8, 2);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(trace_open(&trace, path, NULL), 0);
    assert_int_equal(trace_step_count(trace), 2);
    trace_close(trace);

    /* A symbolic link remains; the file it points to is replaced. */
    assert_int_equal(symlink(path, link), 0);
    sample_file(link, 4, 5);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(trace_open(&trace, path, NULL), 0);
    assert_int_equal(trace_step_count(trace), 5);
    trace_close(trace);
}

/* Records until there is no more room. Returns how many steps were recorded. */
static uint64_t fill(struct trace_writer *writer) {
    size_t room;
    uint64_t step = 0;
    for (unsigned char *record; (record = trace_writer_reserve(writer, &room));)
        for (size_t i = 0; i < room; i++, step++)
            sample_record(record + 512 * i, 4, step, (struct sample_where){0, 0, 0});
    return step;
}

/* Fills the available space at path. At least `least` steps fit. */
static void fill_and_check(const char *name, const char *words, uint64_t least) {
    const char *path = sample_path(name), *partial = sample_partial(name);
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(path, 4);
    uint64_t steps = fill(writer);
    assert_true(steps >= least);
    trace_writer_drop(writer, 1);
    assert_true(trace_writer_failed(writer, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    if (!strstr(err.text, words) || !strstr(err.text, partial) || !strstr(err.text, "fewer steps"))
        fail_msg("expected '%s' and '%s' in: %s", words, path, err.text);
    err = (struct error)ERROR_INIT;
    assert_int_equal(trace_writer_close(writer, &trace, &err), -1);
    assert_non_null(strstr(err.text, words));

    /* No recorded step is lost, and all can be navigated. */
    for (int again = 0; again < 2; again++) {
        struct trace_warp warp;
        assert_non_null(trace);
        assert_int_equal(trace_step_count(trace), steps);
        assert_int_equal(trace_dropped(trace), 1);
        sample_check_step(trace, 0);
        sample_check_step(trace, steps - 1);
        assert_int_equal(trace_warp_count(trace), 1);
        assert_true(trace_warp(trace, 0, &warp));
        assert_int_equal(warp.steps, steps);
        trace_close(trace);
        if (!again)
            assert_int_equal(trace_open(&trace, partial, NULL), 0);
    }
    unlink(partial);
    unlink(path);
}

/* ulimit -f: the signal SIGXFSZ, which ends a program, must not be raised. */
static void with_file_limit(void) {
    const struct rlimit limit = {300000, 300000};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fill_and_check("limit.svt", "reached the maximum size", (300000 - 32768) / 512);
}

static void with_tiny_file_limit(void) {
    const struct rlimit limit = {10000, 10000};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    refuse_write(sample_path("tiny.svt"), "reached the maximum size");
    assert_int_equal(access(sample_path("tiny.svt"), F_OK), -1); /* no truncated file is left */
    assert_int_equal(access(sample_partial("tiny.svt"), F_OK), -1);
}

static void test_file_limit(void **state) {
    (void)state;
    in_child(with_file_limit, false);
    in_child(with_tiny_file_limit, false);
}

#ifdef __linux__
static bool write_line(const char *path, const char *line) {
    int file = open(path, O_WRONLY);
    ssize_t written = file < 0 ? -1 : write(file, line, strlen(line));
    if (file >= 0)
        close(file);
    return written == (ssize_t)strlen(line);
}

/* Makes mounts private to this process. For a user other than root, this needs a user
 * namespace with a uid map; without the map, files have no owner and cannot be created. */
static bool have_own_mounts(void) {
    char uid[40], gid[40];
    if (unshare(CLONE_NEWNS) == 0)
        return true;
    snprintf(uid, sizeof uid, "0 %ld 1", (long)geteuid());
    snprintf(gid, sizeof gid, "0 %ld 1", (long)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_line("/proc/self/uid_map", uid) &&
           write_line("/proc/self/setgroups", "deny") && write_line("/proc/self/gid_map", gid);
}

/* A private file system of 1 MiB, if the system allows it. */
static void on_a_full_disk(void) {
    const char *disk = sample_path("disk");
    assert_int_equal(mkdir(disk, 0777), 0);
    if (!have_own_mounts()) {
        print_message("skipped: no mount namespace for a small disk: %s\n", strerror(errno));
        return;
    }
    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    if (mount("shflviz", disk, "tmpfs", 0, "size=1m") != 0) {
        print_message("skipped: no small disk can be mounted: %s\n", strerror(errno));
        return;
    }
    /* 1 MiB less front, less what the file system itself uses */
    fill_and_check("disk/full.svt", "the disk is full", 1800);
    FILE *file = fopen(sample_path("disk/rest"), "wb");
    assert_non_null(file);
    for (int i = 0; i < 1 << 20; i++)
        fputc('x', file);
    fclose(file);
    refuse_write(sample_path("disk/none.svt"), "the disk is full");
    umount(disk);
}
#endif

static void test_full_disk(void **state) {
    (void)state;
#ifdef __linux__
    in_child(on_a_full_disk, false);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_file),    cmocka_unit_test(test_no_such_place),
        cmocka_unit_test(test_no_permission), cmocka_unit_test(test_foreign_files_are_kept),
        cmocka_unit_test(test_replacing),     cmocka_unit_test(test_file_limit),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
