/*
 * Untrusted programs in the sandbox: each attack of attacks.cu, through the compiler and the run
 * of a lesson's program. Harmless attacks are also tried without the sandbox, so that each is
 * known to work.
 */
#include "base/memory.h"
#include "cudacpu/process/user_program.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#endif

#include <cmocka.h>

#define HELD 0
#define OUT  1

static char folder[] = "/tmp/shflviz-test-XXXXXX";
static char secret[64], outside[64], fifo[64], process_id[24], device[24], inode[24];
static struct user_program attacks;
static struct confine_support support;

static void write_text(const char *path, const char *words, mode_t mode) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(words, file);
    fclose(file);
    chmod(path, mode);
}

static int build_text(struct user_program *program, const char *path, const char *words,
                      bool confined, struct confine_limits limits, struct error *err) {
    struct text text = TEXT_INIT;
    text_append(&text, words);
    const struct user_source one = {path, "mine.cu", &text};
    int status = user_program_build(
        program,
        &(struct user_build){
            .sources = &one, .source_count = 1, .confined = confined, .limits = limits},
        err);
    text_release(&text);
    return status;
}

static void take_output(void *context, int stream, const char *bytes, size_t count) {
    (void)stream;
    text_append_bytes(context, bytes, count);
}

struct attempt {
    const char *attack, *first, *second;
    bool confined;
    struct confine_limits limits;
    struct text output;
    struct error err;
};

/* Returns the attack's exit status; -1, with attempt->err filled, if it was ended. */
static int attempt(struct attempt *a) {
    char *words[] = {(char *)a->attack, (char *)a->first, (char *)a->second, NULL};
    int status = -1;
    if (a->confined && !a->limits.seconds)
        a->limits = confine_limits(CONFINE_PROGRAM);
    const struct user_run run = {
        .arguments = words,
        .settings = {.confined = a->confined, .limits = a->limits, .zero_memory = true},
        .input = -1,
        .output = take_output,
        .output_context = &a->output};
    text_clear(&a->output);
    int result = user_program_run(&attacks, &run, &status, &a->err);
    return result == 0 ? status : -1;
}

static int try_it(const char *attack, const char *first, const char *second, bool confined) {
    struct attempt a = {.attack = attack,
                        .first = first,
                        .second = second,
                        .confined = confined,
                        .output = TEXT_INIT};
    int status = attempt(&a);
    if (status < 0)
        print_message("%s, %s walls: %s\n", attack, confined ? "behind" : "without", a.err.text);
    text_release(&a.output);
    return status;
}

/* ---- one way out after another ---- */

static void test_an_honest_program_works_in_the_sandbox(void **state) {
    struct attempt a = {.attack = "honest", .confined = true, .output = TEXT_INIT};
    struct trace *trace = NULL;
    (void)state;
    assert_int_equal(attempt(&a), 0);
    assert_string_equal(a.output.data, "lane 0 got 1\n");
    assert_int_equal(trace_open(&trace, attacks.recording, NULL), 0);
    assert_int_equal(trace_step_count(trace), 1);
    trace_close(trace);
    text_release(&a.output);
}

static void test_files_outside(void **state) {
    static const char *const reading[] = {"read_file", "read_through_link"};
    static const char *const changing[] = {"hard_link",    "truncate_file", "change_mode",
                                           "change_owner", "change_times",  "change_attribute",
                                           "rename_file",  "remove_file"};
    struct stat before, after;
    (void)state;
    if (!support.landlock || !support.seccomp)
        skip();
    for (size_t i = 0; i < sizeof reading / sizeof reading[0]; i++)
        assert_int_equal(try_it(reading[i], secret, NULL, true), HELD);
    assert_int_equal(stat(secret, &before), 0);
    for (size_t i = 0; i < sizeof changing / sizeof changing[0]; i++)
        assert_int_equal(try_it(changing[i], secret, NULL, true), HELD);
    assert_int_equal(stat(secret, &after), 0);
    assert_memory_equal(&before.st_ctim, &after.st_ctim, sizeof before.st_ctim);
    assert_int_equal(try_it("write_file", outside, NULL, true), HELD);
    struct attempt shell = {
        .attack = "by_a_shell", .first = outside, .confined = true, .output = TEXT_INIT};
    attempt(&shell);
    text_release(&shell.output);
    assert_int_equal(access(outside, F_OK), -1);
    assert_int_equal(try_it("make_device", NULL, NULL, true), HELD);

    assert_int_equal(try_it("read_file", secret, NULL, false), OUT);
    assert_int_equal(try_it("write_file", outside, NULL, false), OUT);
    assert_int_equal(try_it("change_mode", outside, NULL, false), OUT);
    assert_int_equal(try_it("change_times", outside, NULL, false), OUT);
    assert_int_equal(try_it("truncate_file", outside, NULL, false), OUT);
    assert_int_equal(try_it("remove_file", outside, NULL, false), OUT);
}

static void test_other_processes(void **state) {
    static const char *const ways[] = {"signal_it", "signal_by_descriptor", "signal_by_handle",
                                       "limit_it",  "start_a_process",      "start_by_clone3",
                                       "outlive",   "parents_environment",  "its_environment",
                                       "trace_it"};
    (void)state;
    if (!support.landlock || !support.seccomp)
        skip();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        assert_int_equal(try_it(ways[i], process_id, NULL, true), HELD);
    for (size_t i = 0; i < 7; i++) /* the system itself may forbid the others */
        if (strcmp(ways[i], "signal_by_handle") != 0 && strcmp(ways[i], "start_by_clone3") != 0)
            assert_int_equal(try_it(ways[i], process_id, NULL, false), OUT);
}

static void test_the_rest_of_the_system(void **state) {
    static const char *const ways[] = {"internet",
                                       "local_socket",
                                       "ring",
                                       "new_namespace",
                                       "memory_file",
                                       "raise_limit",
                                       "other_numbers",
                                       "type_into_terminal",
                                       "secret_variable",
                                       "see_what_others_open",
                                       "all_events_of_the_system"};
    (void)state;
    if (!support.seccomp)
        skip();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        assert_int_equal(try_it(ways[i], NULL, NULL, true), HELD);
    assert_int_equal(try_it("local_socket", NULL, NULL, false), OUT);
    assert_int_equal(try_it("memory_file", NULL, NULL, false), OUT);
    assert_int_equal(try_it("secret_variable", NULL, NULL, false), OUT);
    assert_int_equal(try_it("see_what_others_open", NULL, NULL, false), OUT);
}

/* A readable file must neither reveal who else opens it nor make others wait for it. */
static void test_world_readable_files(void **state) {
    static const char *const ways[] = {"be_told_who_opens", "keep_others_from_opening",
                                       "lock_for_others"};
    (void)state;
    if (!support.seccomp)
        skip();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        assert_int_equal(try_it(ways[i], NULL, NULL, true), HELD);
        assert_int_equal(try_it(ways[i], NULL, NULL, false), OUT);
    }
}

/* Shared memory is neither a file nor a process; it has a number, which anybody can try. */
static void test_memory_that_others_share(void **state) {
    char number[24];
    const int memory = shmget(IPC_PRIVATE, 4096, 0600);
    (void)state;
    if (!support.seccomp || memory < 0)
        skip();
    snprintf(number, sizeof number, "%d", memory);
    const int behind = try_it("shared_memory", number, NULL, true);
    const int without = try_it("shared_memory", number, NULL, false);
    shmctl(memory, IPC_RMID, NULL);
    assert_int_equal(behind, HELD);
    assert_int_equal(without, OUT);
}

static void test_open_files_are_not_inherited(void **state) {
    (void)state;
    assert_int_equal(try_it("inherited_file", device, inode, true), HELD);
    assert_int_equal(try_it("inherited_file", device, inode, false), HELD);
}

/* The folder is deeper than the number of descriptors, and not readable. */
static void test_a_deep_folder_is_removed(void **state) {
    struct private_folder made = {.lock = -1};
    struct stat status;
    char path[PATH_MAX];
    (void)state;
    assert_int_equal(private_folder_make(&made, NULL), 0);
    snprintf(path, sizeof path, "%s", made.path);
    int here = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(mkdirat(here, "deep-1", 0700), 0);
        int below = openat(here, "deep-1", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_int_equal(fchmod(here, i ? 0300 : 0700), 0);
        assert_int_equal(symlinkat("/", here, ".in-use-too"), 0);
        close(here);
        here = below;
    }
    close(here);
    private_folder_remove(&made);
    assert_int_equal(stat(path, &status), -1);
}

/* ---- limits ---- */

static void end_by_limit(const char *attack, struct confine_limits limits, bool confined,
                         const char *words) {
    struct attempt a = {.attack = attack,
                        .first = fifo,
                        .confined = confined,
                        .limits = limits,
                        .output = TEXT_INIT};
    assert_int_equal(attempt(&a), -1);
    assert_int_equal(a.err.kind, ERROR_RUN);
    if (!strstr(a.err.text, words))
        fail_msg("%s: %s", attack, a.err.text);
    assert_true(a.output.length <= (1 << 20));
    text_release(&a.output);
}

static void test_limits(void **state) {
    const struct confine_limits limits = confine_limits(CONFINE_PROGRAM);
    struct confine_limits one = limits;
    (void)state;
    one.seconds = 1;
    end_by_limit("forever", one, true, "did not finish within 1 s");
    one = limits;
    one.output = 1 << 20;
    end_by_limit("flood", one, true, "printed more than 1048576 bytes");
    one = limits;
    one.file_size = 1 << 20;
    end_by_limit("large_file", one, true, "exceeded its limit on file size");
    one = limits;
    one.processes = 100;
    end_by_limit("many_threads", one, true, "started more than 100");
#ifndef __SANITIZE_ADDRESS__
    assert_int_equal(try_it("much_memory", NULL, NULL, true), HELD);
    assert_int_equal(try_it("much_memory", NULL, NULL, false), OUT);
#endif
}

/* ---- nothing survives ---- */

/* Reads until no process holds the pipe any more; returns how many processes wrote to it. */
static size_t read_to_end(int descriptor) {
    char bytes[4096];
    size_t total = 0;
    ssize_t count;
    while ((count = read(descriptor, bytes, sizeof bytes)) > 0)
        total += (size_t)count;
    assert_int_equal(count, 0);
    return total;
}

static int open_fifo(void) {
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int descriptor = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(descriptor >= 0);
    fcntl(descriptor, F_SETFL, 0);
    return descriptor;
}

static void test_a_daemon_ends_with_its_program(void **state) {
    (void)state;
    int descriptor = open_fifo();
    assert_int_equal(try_it("make_daemon", fifo, NULL, false), OUT);
    assert_int_equal(read_to_end(descriptor), 1);
    close(descriptor);
}

static void test_many_generations_end(void **state) {
    (void)state;
    int descriptor = open_fifo();
    end_by_limit("many_generations", (struct confine_limits){.processes = 50, .seconds = 20}, false,
                 "started more than 50");
    assert_int_equal(read_to_end(descriptor), 1);
    close(descriptor);
}

static void kill_running(int descriptor, void (*start)(void)) {
    char byte;
    pid_t victim = fork();
    if (victim == 0) {
        start();
        _exit(1);
    }
    fcntl(descriptor, F_SETFL, 0);
    int writer = open(fifo, O_WRONLY | O_CLOEXEC); /* so that the read waits for the first byte */
    assert_int_equal(read(descriptor, &byte, 1), 1);
    close(writer);
    kill(victim, SIGKILL);
    assert_int_equal(waitpid(victim, NULL, 0), victim);
    read_to_end(descriptor); /* returns when the last process has ended */
    close(descriptor);
}

static void run_daemon(void) {
    try_it("daemon_and_stay", fifo, NULL, false);
}

static void test_everything_ends_when_shflviz_is_killed(void **state) {
    (void)state;
    kill_running(open_fifo(), run_daemon);
}

static void run_compiler(void) {
    struct user_program program;
    struct error err = ERROR_INIT;
    build_text(&program, secret, "int main() {}", false, (struct confine_limits){0}, &err);
}

static void test_the_compiler_ends_when_shflviz_is_killed(void **state) {
    char script[80], words[512];
    (void)state;
    snprintf(script, sizeof script, "%s/compiler", folder);
    snprintf(words, sizeof words,
             "#!/bin/sh\ntrap '' TERM INT HUP QUIT\nexec 9>'%s'\n"
             "setsid sh -c 'trap \"\" TERM INT; echo x >&9; while :; do sleep 100; done' &\n"
             "while :; do sleep 100; done\n",
             fifo);
    write_text(script, words, 0700);
    char *given = getenv("CXX") ? strdup(getenv("CXX")) : NULL;
    setenv("CXX", script, 1);
    kill_running(open_fifo(), run_compiler);
    if (given)
        setenv("CXX", given, 1);
    else
        unsetenv("CXX");
    free(given);
}

/* The next build removes the folder of a killed shflviz; folders in use, and folders that only
 * look like ours, stay. */
static void test_what_a_killed_shflviz_left_is_removed(void **state) {
    static const char *const names[] = {"shflviz-aaaaaa", "shflviz-bbbbbb", "shflviz-cccccc"};
    const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    struct user_program program;
    struct error err = ERROR_INIT;
    char path[3][128], lock[sizeof path + 16], inside[sizeof path + 16];
    int held = -1;
    (void)state;
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
        snprintf(inside, sizeof inside, "%s/below", path[i]);
        snprintf(lock, sizeof lock, "%s/.in-use", path[i]);
        assert_int_equal(mkdir(path[i], 0700), 0);
        assert_int_equal(mkdir(inside, 0700), 0);
        int descriptor = i < 2 ? open(lock, O_RDWR | O_CREAT, 0600) : -1;
        if (i == 1)
            assert_int_equal(flock(held = descriptor, LOCK_EX), 0);
        else if (i == 0)
            close(descriptor);
        assert_int_equal(utimensat(AT_FDCWD, path[i], long_ago, 0), 0);
    }
    setenv("TMPDIR", folder, 1);
    assert_int_equal(
        build_text(&program, secret, "int main() {}", true, confine_limits(CONFINE_COMPILER), &err),
        0);
    user_program_release(&program);
    unsetenv("TMPDIR");
    assert_int_equal(access(path[0], F_OK), -1);
    assert_int_equal(access(path[1], F_OK), 0);
    assert_int_equal(access(path[2], F_OK), 0);
    close(held);
}

/* ---- the compiler ---- */

static void refuse_to_build(const char *source, struct confine_limits limits, const char *words,
                            const char *never) {
    struct user_program program;
    struct error err = ERROR_INIT;
    assert_int_equal(build_text(&program, secret, source, true, limits, &err), -1);
    user_program_release(&program);
    if (words && !strstr(err.text, words))
        fail_msg("%s", err.text);
    if (never)
        assert_null(strstr(err.text, never));
}

static void test_a_source_cannot_abuse_the_compiler(void **state) {
    struct confine_limits limits = confine_limits(CONFINE_COMPILER);
    char away[128], source[512];
    (void)state;
    if (!support.landlock)
        skip();
    /* Only the source's own folder may be read; this is another one. */
    char other[] = "/tmp/shflviz-other-XXXXXX";
    assert_non_null(mkdtemp(other));
    snprintf(away, sizeof away, "%s/hidden", other);
    write_text(away, "hunter2 is the password\n", 0600);
    snprintf(source, sizeof source, "#include \"%s\"\nint main() {}\n", away);
    refuse_to_build(source, limits, "Permission denied", "hunter2");
    snprintf(source, sizeof source, "asm(\".incbin \\\"%s\\\"\");\nint main() {}\n", away);
    refuse_to_build(source, limits, NULL, "hunter2");
    refuse_to_build("#include \"/dev/zero\"\nint main() {}\n", limits, "Permission denied", NULL);
    limits.seconds = 1;
    refuse_to_build("template <int N, int M> struct F { static const long v = F<N - 1, 2 * M>::v + "
                    "F<N - 1, 2 * M + 1>::v; };\n"
                    "template <int M> struct F<0, M> { static const long v = M; };\n"
                    "int main() { return (int)F<28, 0>::v; }\n",
                    limits, "was not compiled within 1 s", NULL);
    unlink(away);
    rmdir(other);
}

/* ---- an older kernel ---- */

#ifdef __linux__
/* Makes the system answer like a kernel before 5.13. */
static void lose_landlock(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof code / sizeof code[0], code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(9);
}

/* Returns 0 if everything is as expected, else the number of the attack with another result. */
static int without_landlock(void) {
    struct text described = TEXT_INIT;
    lose_landlock();
    const struct confine_support less = confine_support();
    confine_describe(&described, &less);
    bool told = strstr(described.data, "no Landlock") != NULL;
    text_release(&described);
    return less.landlock                                         ? 1
           : !told                                               ? 2
           : try_it("honest", NULL, NULL, true) != HELD          ? 3
           : try_it("internet", NULL, NULL, true) != HELD        ? 4
           : try_it("signal_it", process_id, NULL, true) != HELD ? 5
           : try_it("read_file", secret, NULL, true) != OUT      ? 6
           : try_it("change_mode", secret, NULL, true) != HELD   ? 7
           : try_it("truncate_file", secret, NULL, true) == HELD ? 8 /* writing is allowed */
                                                                 : 0;
}

static void test_an_older_kernel_keeps_what_it_can(void **state) {
    int status;
    (void)state;
    if (!support.seccomp)
        skip();
    pid_t child = fork();
    if (child == 0)
        _exit(without_landlock());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
#else
static void test_an_older_kernel_keeps_what_it_can(void **state) {
    (void)state;
    skip();
}
#endif

/* ---- */

static int set_up(void **state) {
    struct stat status;
    struct error err = ERROR_INIT;
    struct text text = TEXT_INIT;
    (void)state;
    support = confine_support();
    alarm(300); /* nothing here may wait forever */
    if (!mkdtemp(folder))
        return -1;
    snprintf(secret, sizeof secret, "%s/secret", folder);
    snprintf(outside, sizeof outside, "%s/outside", folder);
    snprintf(fifo, sizeof fifo, "%s/pipe", folder);
    snprintf(process_id, sizeof process_id, "%ld", (long)getpid());
    write_text(secret, "secret\n", 0600);
    setenv("SHFLVIZ_TEST_SECRET", "x", 1);
    int open_here = open(secret, O_RDWR); /* which stays open across exec */
    int high = fcntl(open_here, F_DUPFD, 900);
    if (open_here < 0 || high < 0 || fstat(open_here, &status) != 0)
        return -1;
    snprintf(device, sizeof device, "%llu", (unsigned long long)status.st_dev);
    snprintf(inode, sizeof inode, "%llu", (unsigned long long)status.st_ino);
    if (user_program_read(SHFLVIZ_TEST_ATTACKS, &text, &err) != 0)
        return -1;
    int built = build_text(&attacks, SHFLVIZ_TEST_ATTACKS, text.data, true,
                           confine_limits(CONFINE_COMPILER), &err);
    if (built != 0)
        print_error("%s\n", err.text);
    text_release(&text);
    return built;
}

static int tear_down(void **state) {
    (void)state;
    user_program_release(&attacks);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_honest_program_works_in_the_sandbox),
        cmocka_unit_test(test_files_outside),
        cmocka_unit_test(test_other_processes),
        cmocka_unit_test(test_the_rest_of_the_system),
        cmocka_unit_test(test_world_readable_files),
        cmocka_unit_test(test_memory_that_others_share),
        cmocka_unit_test(test_open_files_are_not_inherited),
        cmocka_unit_test(test_a_deep_folder_is_removed),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_a_daemon_ends_with_its_program),
        cmocka_unit_test(test_many_generations_end),
        cmocka_unit_test(test_everything_ends_when_shflviz_is_killed),
        cmocka_unit_test(test_the_compiler_ends_when_shflviz_is_killed),
        cmocka_unit_test(test_what_a_killed_shflviz_left_is_removed),
        cmocka_unit_test(test_a_source_cannot_abuse_the_compiler),
        cmocka_unit_test(test_an_older_kernel_keeps_what_it_can),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
