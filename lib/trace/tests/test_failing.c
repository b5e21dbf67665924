/*
 * System calls that fail, one at a time, while a recording is written, read and indexed: each is
 * made to fail by a replacement of the C library's function. Whichever call fails, either the
 * recording is complete, or an error is reported and the earlier recording is still there.
 */
#include "sample.h"

#include "trace/index/index.h"
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- the failing call ---- */

enum call {
    OPEN,
    FSTAT,
    STAT,
    LSTAT,
    FSYNC,
    FTRUNCATE,
    PREAD,
    PWRITE,
    PWRITEV,
    MMAP,
    FALLOCATE,
    RENAME,
    FLOCK,
    REALPATH,
    MEMFD,
    MKSTEMP,
    CALLS
};

static const char *const call_names[CALLS] = {
    "open",    "fstat", "stat",      "lstat",  "fsync", "ftruncate", "pread", "pwrite",
    "pwritev", "mmap",  "fallocate", "rename", "flock", "realpath",  "memfd", "mkstemp"};

static struct {
    unsigned calls;   /* a bit for each kind of call; 0: none fails */
    unsigned number;  /* the first call that fails, counted from 1 */
    bool lasting;     /* and all later ones */
    bool is_short;    /* it does half of what was requested, and fails only if that is nothing */
    int error;        /* its errno */
    unsigned counted; /* how many calls have been made */
} plan;

static void inject_failure(unsigned calls, unsigned number, int error) {
    memset(&plan, 0, sizeof plan);
    plan.calls = calls;
    plan.number = number;
    plan.error = error;
}

static void stop_failing(void) {
    plan.calls = 0;
}

static bool was_reached(void) {
    return plan.counted >= plan.number;
}

static bool is_due(enum call call) {
    if (!(plan.calls >> call & 1))
        return false;
    const unsigned now = __atomic_add_fetch(&plan.counted, 1, __ATOMIC_RELAXED);
    return now == plan.number || (plan.lasting && now > plan.number);
}

static bool fails(enum call call) {
    const bool due = is_due(call);
    if (due)
        errno = plan.error;
    return due;
}

/* ---- replacements of the C library's functions ---- */

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return fails(OPEN) ? -1 : openat(AT_FDCWD, path, flags, mode);
}

int fstat(int descriptor, struct stat *status) {
    return fails(FSTAT) ? -1 : fstatat(descriptor, "", status, AT_EMPTY_PATH);
}

int stat(const char *restrict path, struct stat *restrict status) {
    return fails(STAT) ? -1 : fstatat(AT_FDCWD, path, status, 0);
}

int lstat(const char *restrict path, struct stat *restrict status) {
    return fails(LSTAT) ? -1 : fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int fsync(int descriptor) {
    return fails(FSYNC) ? -1 : (int)syscall(SYS_fsync, descriptor);
}

int ftruncate(int descriptor, off_t length) {
    return fails(FTRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, descriptor, length);
}

ssize_t pread(int descriptor, void *to, size_t count, off_t offset) {
    return fails(PREAD) ? -1 : syscall(SYS_pread64, descriptor, to, count, offset);
}

ssize_t pwrite(int descriptor, const void *from, size_t count, off_t offset) {
    if (is_due(PWRITE)) {
        if (!plan.is_short) {
            errno = plan.error;
            return -1;
        }
        count /= 2;
    }
    return count ? syscall(SYS_pwrite64, descriptor, from, count, offset) : 0;
}

ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t offset) {
    if (is_due(PWRITEV)) {
        if (plan.is_short)
            return syscall(SYS_pwrite64, descriptor, pieces->iov_base, pieces->iov_len / 2, offset);
        errno = plan.error;
        return -1;
    }
    return pwritev2(descriptor, pieces, count, offset, 0);
}

void *mmap(void *at, size_t length, int protection, int flags, int descriptor, off_t offset) {
    return fails(MMAP)
               ? MAP_FAILED
               : (void *)syscall(SYS_mmap, at, length, protection, flags, descriptor, offset);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    return fails(FALLOCATE) ? -1 : (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int rename(const char *from, const char *to) {
    return fails(RENAME) ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int flock(int descriptor, int operation) {
    return fails(FLOCK) ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}

char *realpath(const char *restrict path, char *restrict resolved) {
    assert_null(resolved);
    return fails(REALPATH) ? NULL : canonicalize_file_name(path);
}

int memfd_create(const char *name, unsigned flags) {
    return fails(MEMFD) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

int mkstemp(char *path) {
    return fails(MKSTEMP) ? -1 : mkostemp(path, 0);
}

/* ---- a recording of STEPS steps ---- */

#define STEPS 600

/* 0, or -1 with the message. */
static int record(const char *path, struct error *err) {
    static const struct trace_launch launch = {"sample", {4, 1, 1}, {96, 1, 1}, 0};
    static const struct trace_site site = {"sample.cu", 7, "sample", "call"};
    const struct trace_writer_options options = {.value_bytes = 4, .durable = true};
    struct trace_writer *writer;
    uint64_t step = 0;
    size_t room;
    unsigned char *at;
    *err = (struct error)ERROR_INIT;
    if (trace_writer_open(&writer, path, &options, err) != 0) {
        assert_null(writer);
        return -1;
    }
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    while (step < STEPS && (at = trace_writer_reserve(writer, &room)))
        for (; room > 0 && step < STEPS; room--, at += SHFLVIZ_RECORD_SIZE(4), step++)
            sample_record(at, 4, step, (struct sample_where){0, 0, step % 3});
    assert_int_equal(trace_writer_failed(writer, NULL), step < STEPS);
    return trace_writer_close(writer, NULL, err);
}

/* The number of steps in the recording, all of which must be as written. */
static uint64_t steps_of(const char *path) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    if (trace_open(&trace, path, &err) != 0)
        fail_msg("%s", err.text);
    const uint64_t steps = trace_step_count(trace);
    assert_true(trace_is_complete(trace));
    for (uint64_t n = 0; n < steps; n++)
        sample_check_step(trace, n);
    walk_trace(trace);
    trace_close(trace);
    return steps;
}

static void check_failure(const char *what, unsigned number, int status, const char *path,
                          const struct error *err) {
    const uint64_t steps = steps_of(path);
    if (status == 0 ? steps != STEPS : steps != 1 && steps != STEPS)
        fail_msg("%s %u: status %d, %d steps", what, number, status, (int)steps);
    if (status != 0 && (err->kind == ERROR_NONE || !strstr(err->text, path)))
        fail_msg("%s %u: status %d, and said: '%s'", what, number, status, err->text);
    if (status == 0 && access(sample_partial("failing.svt"), F_OK) == 0)
        fail_msg("%s %u: it is whole, and something is left beside it", what, number);
}

/* Makes every call of that kind fail in turn; returns how many of the runs reported it. */
static unsigned try_each(enum call call, int error, bool is_short) {
    char path[512];
    unsigned told = 0;
    struct error err;
    snprintf(path, sizeof path, "%s", sample_path("failing.svt"));
    for (unsigned number = 1;; number++) {
        unlink(path);
        unlink(sample_partial("failing.svt"));
        sample_file(path, 4, 1);
        inject_failure(1u << call, number, error);
        plan.is_short = is_short;
        const int status = record(path, &err);
        stop_failing();
        check_failure(call_names[call], number, status, path, &err);
        told += status != 0;
        if (!was_reached())
            return told;
        assert_in_range(number, 1, 1000);
    }
}

static void test_failures_while_writing(void **state) {
    (void)state;
    for (enum call call = 0; call < CALLS; call++)
        print_message("%s: told %u times\n", call_names[call], try_each(call, EIO, false));
    /* Calls that a recording depends on are always reported: opening it, checking what it is,
     * mapping it, making it durable and renaming it. */
    assert_in_range(try_each(OPEN, EACCES, false), 2, 10);
    assert_in_range(try_each(FSYNC, EIO, false), 2, 2); /* the file, and the folder */
    assert_in_range(try_each(RENAME, EACCES, false), 1, 1);
    assert_in_range(try_each(FTRUNCATE, EIO, false), 1, 1);
    assert_in_range(try_each(MMAP, ENOMEM, false), 2, 10);
    assert_in_range(try_each(FLOCK, EWOULDBLOCK, false), 1, 1);
    assert_in_range(try_each(PWRITE, ENOSPC, false), 2, 20);
    /* If the file system does not support syncing a folder, that is not an error. */
    assert_in_range(try_each(FSYNC, EROFS, false), 1, 1);
}

/* The call is retried, or another way is used. */
static void test_errors_that_are_handled(void **state) {
    static const struct {
        enum call call;
        int error;
        bool is_short;
    } cases[] = {
        {PWRITE, EINTR, false},         {PWRITEV, EINTR, false},   {FALLOCATE, EINTR, false},
        {FLOCK, EINTR, false},          {PWRITE, 0, true},         {PWRITEV, 0, true},
        {FALLOCATE, EOPNOTSUPP, false}, {FALLOCATE, ENOSYS, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (try_each(cases[i].call, cases[i].error, cases[i].is_short) != 0)
            fail_msg("%s: errno %d was reported", call_names[cases[i].call], cases[i].error);
}

/* A disk that becomes full at some write. */
static void test_disk_fills_up_at_any_write(void **state) {
    char path[512];
    struct error err;
    int status = -1;
    (void)state;
    snprintf(path, sizeof path, "%s", sample_path("failing.svt"));
    for (unsigned number = 1; status != 0; number++) {
        unlink(path);
        unlink(sample_partial("failing.svt"));
        sample_file(path, 4, 1);
        inject_failure(1u << PWRITE | 1u << PWRITEV | 1u << FALLOCATE, number, ENOSPC);
        plan.lasting = true;
        status = record(path, &err);
        stop_failing();
        check_failure("no space from", number, status, path, &err);
        assert_in_range(number, 1, 1000);
    }
    assert_false(was_reached());
}

/* ---- in memory ---- */

static void test_in_memory(void **state) {
    const struct trace_writer_options options = {.value_bytes = 4};
    struct trace_writer *writer;
    struct trace *trace;
    struct error err = ERROR_INIT;
    (void)state;
    /* If the system has no files in memory, an unnamed file on disk is used. */
    inject_failure(1u << MEMFD, 1, ENOSYS);
    writer = sample_writer(NULL, 4);
    stop_failing();
    assert_true(was_reached());
    sample_steps(writer, 4, STEPS);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(trace_step_count(trace), STEPS);
    sample_check_step(trace, STEPS - 1);
    trace_close(trace);

    inject_failure(1u << MEMFD | 1u << MKSTEMP, 1, EMFILE);
    plan.lasting = true;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), -1);
    stop_failing();
    assert_null(writer);
    assert_non_null(strstr(err.text, strerror(EMFILE)));
}

/* ---- reading ---- */

static void test_failures_while_reading(void **state) {
    char path[512];
    (void)state;
    snprintf(path, sizeof path, "%s", sample_path("read.svt"));
    unlink(path);
    sample_file(path, 4, STEPS);
    for (enum call call = 0; call < CALLS; call++) {
        unsigned told = 0, number = 1;
        for (;; number++) {
            struct trace *trace;
            struct error err = ERROR_INIT;
            inject_failure(1u << call, number, EIO);
            const int status = trace_open(&trace, path, &err);
            stop_failing();
            if (status == 0) {
                assert_int_equal(trace_step_count(trace), STEPS);
                trace_close(trace);
            } else {
                told++;
                assert_null(trace);
                assert_non_null(strstr(err.text, path));
                assert_non_null(strstr(err.text, strerror(EIO)));
            }
            if (!was_reached())
                break;
        }
        if (call == OPEN || call == FSTAT || call == MMAP)
            assert_int_equal(told, number - 1);
        else if (call != STAT) /* only a read-ahead */
            assert_int_equal(number, 1);
    }
}

/* ---- an index larger than the memory limit ---- */

#define MANY (5 * 32768 + 1000)

/* True if all steps are in the index, each in its warp. */
static bool indexed(void) {
    struct trace_index_builder builder;
    struct trace_index index;
    trace_index_builder_init(&builder, sample_path(""));
    for (uint64_t n = 0; n < MANY; n++)
        trace_index_builder_add(&builder, n, 0, n * 7919 % 1009, (uint32_t)(n % 3));
    const bool whole = trace_index_builder_finish(&builder, &index);
    stop_failing();
    if (whole) {
        assert_int_equal(index.warp_count, 3 * 1009);
        assert_int_equal(index.run_count, MANY); /* no two steps of a warp follow each other */
        for (uint64_t i = 0; i < MANY; i += 997) {
            struct trace_file_run run;
            assert_true(trace_index_get(&index, i, &run));
            assert_int_equal(run.first * 7919 % 1009, run.block);
            assert_int_equal(run.first % 3, run.warp);
        }
    } else {
        assert_null(index.runs);
    }
    trace_index_builder_release(&builder);
    return whole;
}

static void test_no_space_for_the_index(void **state) {
    (void)state;
    assert_true(indexed());
    for (enum call call = 0; call < CALLS; call++)
        for (unsigned number = 1;; number++) {
            inject_failure(1u << call, number, ENOSPC);
            const bool whole = indexed();
            if (!was_reached()) {
                assert_true(whole);
                break;
            }
            /* There are other places for a file, and other ways to extend it. */
            if (call == MKSTEMP || call == MEMFD || call == PWRITE || call == FALLOCATE)
                assert_true(whole);
            assert_in_range(number, 1, 1000);
        }
    inject_failure(1u << MKSTEMP, 1, EACCES);
    plan.lasting = true;
    assert_true(indexed()); /* in memory then */
    inject_failure(1u << MKSTEMP | 1u << MEMFD, 1, EMFILE);
    plan.lasting = true;
    assert_false(indexed());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures_while_writing),
        cmocka_unit_test(test_errors_that_are_handled),
        cmocka_unit_test(test_disk_fills_up_at_any_write),
        cmocka_unit_test(test_in_memory),
        cmocka_unit_test(test_failures_while_reading),
        cmocka_unit_test(test_no_space_for_the_index),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
