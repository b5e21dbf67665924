/* A recording is never destroyed by making another one, and never lost without a message. */
#include "sample.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Asserts that the recording at path is complete and has that many steps. */
static void check_file(const char *path, uint64_t steps) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    if (trace_open(&trace, path, &err) != 0)
        fail_msg("%s", err.text);
    assert_true(trace_is_complete(trace));
    assert_int_equal(trace_step_count(trace), steps);
    for (uint64_t n = 0; n < steps; n++)
        sample_check_step(trace, n);
    trace_close(trace);
}

static pid_t begin_child(void) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    return child;
}

static int status_of(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* The old recording is there until the new one is complete and renamed over it. */
static void test_old_file_stays_until_the_end(void **state) {
    const char *path = sample_path("old.svt");
    struct stat old, new;
    (void)state;
    sample_file(path, 4, 300);
    assert_int_equal(stat(path, &old), 0);
    struct trace_writer *writer = sample_writer(path, 4);
    sample_steps(writer, 4, 1000);
    check_file(path, 300);
    assert_string_equal(trace_writer_destination(writer), path);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    check_file(path, 1000);
    assert_int_equal(stat(path, &new), 0);
    assert_true(old.st_ino != new.st_ino);
    assert_int_equal(access(sample_partial("old.svt"), F_OK), -1);
}

/* A failed run replaces nothing. If there was nothing to replace, its recording is saved under the
 * requested name. */
static void test_failed_run(void **state) {
    const char *path = sample_path("failed.svt"), *partial = sample_partial("failed.svt");
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct trace_writer *writer = sample_writer(path, 4);
        sample_steps(writer, 4, 5 + (uint64_t)again);
        trace_writer_note(writer, TRACE_NOTE_FAILURE, "lane 1 waits");
        assert_string_equal(trace_writer_destination(writer), again ? partial : path);
        assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    }
    check_file(path, 5);
    check_file(partial, 6);

    /* The next run moves the partial file out of the way and reports that. */
    struct trace_writer *writer = sample_writer(path, 4);
    char *moved = strdup(trace_writer_leftover(writer));
    sample_steps(writer, 4, 7);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    check_file(path, 7);
    check_file(moved, 6);
    assert_int_equal(access(partial, F_OK), -1);
    free(moved);
}

/* Killed at any time: the old recording is unchanged, and the new one is found beside it. */
static void test_killed_at_random(void **state) {
    const char *path = sample_path("killed.svt"), *partial = sample_partial("killed.svt");
    uint64_t whole = 200, seed = 7, found = 0;
    (void)state;
    sample_file(path, 4, whole);
    for (int round = 0; round < 40; round++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        useconds_t moment = (useconds_t)(seed >> 33) % 4000;
        pid_t child = begin_child();
        if (child == 0) {
            sample_file(path, 4, 3000);
            _exit(0);
        }
        usleep(moment); /* any moment will do */
        kill(child, SIGKILL);
        status_of(child);
        struct trace *trace;
        assert_int_equal(trace_open(&trace, path, NULL), 0);
        uint64_t steps = trace_step_count(trace);
        trace_close(trace);
        assert_true(steps == 3000 || steps == whole);
        whole = steps; /* a run that ended before the signal came has replaced it */
        check_file(path, whole);
        if (access(partial, F_OK) == 0 && trace_open(&trace, partial, NULL) == 0) {
            for (uint64_t n = 0; n < trace_step_count(trace); n++)
                sample_check_step(trace, n);
            found += trace_step_count(trace) > 0;
            trace_close(trace);
        }
        unlink(partial);
    }
    print_message("%d of 40 killed runs left steps\n", (int)found);
}

static bool is_first_or_other(const char *path) {
    struct trace *trace;
    bool known = trace_open(&trace, path, NULL) == 0 && trace_is_complete(trace);
    if (known)
        trace_close(trace);
    return known;
}

/* Several recorders write to one new name: each makes a complete recording or is refused at
 * the start. */
static void test_four_at_once(void **state) {
    enum { WRITERS = 4, ROUNDS = 60 };
    const char *path = sample_path("four.svt"), *partial = sample_partial("four.svt");
    int refused = 0, saved = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        pid_t children[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            children[i] = begin_child();
            if (children[i])
                continue;
            struct trace *trace;
            struct trace_writer *writer;
            struct error err = ERROR_INIT;
            const struct trace_writer_options options = {.value_bytes = 4};
            if (trace_writer_open(&writer, path, &options, &err) != 0)
                _exit(strstr(err.text, "another run is recording to it") ? 1 : 2);
            const struct trace_launch launch = {"sample", {4, 1, 1}, {96, 1, 1}, 0};
            const struct trace_site site = {"sample.cu", 7, "sample", "text"};
            trace_writer_launch(writer, &launch);
            trace_writer_site(writer, &site);
            sample_steps(writer, 4, 10 + (uint64_t)i);
            if (trace_writer_close(writer, &trace, &err) != 0)
                _exit(3);
            _exit(trace_step_count(trace) == 10 + (uint64_t)i ? 0 : 4);
        }
        int whole = 0;
        for (int i = 0; i < WRITERS; i++) {
            int status = status_of(children[i]);
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
            whole += WEXITSTATUS(status) == 0;
            refused += WEXITSTATUS(status) == 1;
        }
        assert_true(whole >= 1);
        assert_true(is_first_or_other(path));
        assert_int_equal(access(partial, F_OK), -1);
        saved += whole;
        unlink(path);
    }
    print_message("%d saved, %d refused\n", saved, refused);
}

/* An earlier run's partial file without steps is not worth keeping. */
static void test_leftover_without_steps(void **state) {
    const char *path = sample_path("none.svt");
    (void)state;
    pid_t child = begin_child();
    if (child == 0) {
        sample_writer(path, 4);
        _exit(0);
    }
    status_of(child);
    assert_int_equal(access(sample_partial("none.svt"), F_OK), 0);
    struct trace_writer *writer = sample_writer(path, 4);
    assert_null(trace_writer_leftover(writer));
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    check_file(path, 0);
    assert_int_equal(access(sample_path("none.svt.partial-1"), F_OK), -1);
}

/* On a full disk, simulated by ulimit -f, the old recording is unchanged. */
static void record_to_full_disk(const char *path) {
    const struct rlimit limit = {200000, 200000};
    struct error err = ERROR_INIT;
    size_t room;
    uint64_t step = 0;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct trace_writer *writer = sample_writer(path, 4);
    for (unsigned char *record; (record = trace_writer_reserve(writer, &room));)
        for (size_t i = 0; i < room; i++, step++)
            sample_record(record + 512 * i, 4, step, (struct sample_where){0, 0, 0});
    assert_int_equal(trace_writer_close(writer, NULL, &err), -1);
    assert_non_null(strstr(err.text, sample_partial("full.svt")));
}

static void test_full_disk_keeps_the_old_file(void **state) {
    const char *path = sample_path("full.svt");
    (void)state;
    sample_file(path, 4, 20);
    pid_t child = begin_child();
    if (child == 0) {
        record_to_full_disk(path);
        _exit(0);
    }
    assert_int_equal(status_of(child), 0);
    check_file(path, 20);
}

/* A file that appears under that name during the run is not replaced, either. */
static void test_foreign_file_appears(void **state) {
    const char *path = sample_path("meanwhile.svt");
    struct error err = ERROR_INIT;
    (void)state;
    struct trace_writer *writer = sample_writer(path, 4);
    sample_steps(writer, 4, 3);
    sample_replace(path, "a letter", 8);
    assert_int_equal(trace_writer_close(writer, NULL, &err), -1);
    assert_non_null(strstr(err.text, "not a recording"));
    assert_non_null(strstr(err.text, sample_partial("meanwhile.svt")));
    check_file(sample_partial("meanwhile.svt"), 3);
}

/* In a read-only folder no file can be made beside the old one. */
static void test_read_only_folder(void **state) {
    const char *path = sample_path("closed/run.svt");
    (void)state;
    assert_int_equal(chmod(sample_path(""), 0755), 0);
    assert_int_equal(mkdir(sample_path("closed"), 0777), 0);
    sample_file(path, 4, 4);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(sample_path("closed"), 0555), 0);
    pid_t child = begin_child();
    if (child == 0) {
        struct trace_writer *writer;
        struct error err = ERROR_INIT;
        const struct trace_writer_options options = {.value_bytes = 4};
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        assert_int_equal(trace_writer_open(&writer, path, &options, &err), -1);
        assert_non_null(strstr(err.text, "no permission"));
        _exit(0);
    }
    assert_int_equal(status_of(child), 0);
    check_file(path, 4);
    assert_int_equal(chmod(sample_path("closed"), 0755), 0);
    unlink(path);
}

/* `-o FILE > FILE`, and /dev/stdout, which is the same file. */
static void test_output_of_this_process(void **state) {
    const char *path = sample_path("output.svt");
    (void)state;
    pid_t child = begin_child();
    if (child == 0) {
        const char *names[] = {path, "/dev/stdout"};
        const struct trace_writer_options options = {.value_bytes = 4};
        if (!freopen(path, "w", stdout))
            _exit(2);
        for (int i = 0; i < 2; i++) {
            struct trace_writer *writer;
            struct error err = ERROR_INIT;
            if (trace_writer_open(&writer, names[i], &options, &err) != -1 ||
                !strstr(err.text, "the output of this command also goes to that file"))
                _exit(3 + i);
        }
        _exit(0);
    }
    assert_int_equal(status_of(child), 0);
}

/* A link stays a link, and its target keeps its permissions; other hard links keep the old file. */
static void test_links(void **state) {
    const char *path = sample_path("linked.svt"), *link_path = sample_path("link.svt");
    const char *hard = sample_path("hard.svt");
    struct stat status;
    (void)state;
    sample_file(path, 4, 2);
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(symlink("linked.svt", link_path), 0);
    assert_int_equal(link(path, hard), 0);
    sample_file(link_path, 4, 9);
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(status.st_mode & 0777, 0604);
    check_file(path, 9);
    check_file(hard, 2);
}

/* Both ways of closing give the same file; only a power loss would show whether it reached the
 * disk. */
static void test_durable(void **state) {
    const char *path = sample_path("durable.svt");
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4, .durable = true};
    (void)state;
    assert_int_equal(trace_writer_open(&writer, path, &options, NULL), 0);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    check_file(path, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_old_file_stays_until_the_end),
        cmocka_unit_test(test_failed_run),
        cmocka_unit_test(test_killed_at_random),
        cmocka_unit_test(test_four_at_once),
        cmocka_unit_test(test_leftover_without_steps),
        cmocka_unit_test(test_full_disk_keeps_the_old_file),
        cmocka_unit_test(test_foreign_file_appears),
        cmocka_unit_test(test_read_only_folder),
        cmocka_unit_test(test_output_of_this_process),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_durable),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
