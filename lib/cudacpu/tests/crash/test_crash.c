/*
 * The report of a program that crashes or is ended (crash.h), each in a process of its own; a
 * script replaces addr2line and prints the lines of the case.
 */
#include "cudacpu/crash/crash.h"
#include "simt/device_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char folder[] = "/tmp/shflviz-test-crash-XXXXXX";
static char list[64], program[64], answer[64];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Runs `act` in a child that watches for crashes; returns its status and its output. */
static int run(void (*act)(void), unsigned seconds, const char *lines, char *said, size_t size) {
    int ends[2], status = 0;
    write_file(answer, lines);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        crash_watch(list, seconds);
        act();
        _exit(3);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t more; (more = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)more;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void abort_it(void) {
    raise(SIGABRT);
}
static void divide(void) {
    raise(SIGFPE);
}
static void raise_sigill(void) {
    raise(SIGILL);
}
static void interrupt(void) {
    raise(SIGINT);
}
static volatile int *volatile nowhere = (int *)0x40;
static void access_it(void) {
    *nowhere = 1;
}

/* Continues as a lane of a kernel. */
static void begin_kernel(void) {
    static struct cpu_device device = {.kernel = "sum"};
    static struct cpu_lane lane = {.thread_index = {4, 5, 6}};
    device.pool = fiber_pool_create();
    fiber_pool_reserve(device.pool, 1, 0);
    cpu_now = (struct cpu_now){.lane = &lane, .device = &device};
    cpu_block_index = (struct uint3){1, 2, 3};
}
static void raise_sigill_in_kernel(void) {
    begin_kernel();
    raise(SIGILL);
}
static void interrupt_kernel(void) {
    begin_kernel();
    raise(SIGINT);
}

#define ALLOWED "an illegal instruction\n"

static void test_crashes(void **state) {
    static const struct {
        void (*act)(void);
        int number;
        const char *lines, *says;
    } cases[] = {
        {abort_it, SIGABRT, "", "shflviz: crash in host code: abort() or a failed assertion\n"},
        {divide, SIGFPE, "", "shflviz: crash in host code: an integer is divided by zero\n"},
        {raise_sigill, SIGILL, "", "shflviz: crash in host code: " ALLOWED},
        {access_it, SIGSEGV, "",
         "shflviz: crash in host code: address 0x40 is outside the memory that it may access\n"},
        {raise_sigill_in_kernel, SIGILL, "",
         "shflviz: crash in kernel sum, block (1,2,3), thread (4,5,6): " ALLOWED},
        {interrupt, SIGINT, "", "shflviz: when it was interrupted, the program was in host code\n"},
        {interrupt_kernel, SIGINT, "",
         "shflviz: when it was interrupted, the program was in kernel sum, block (1,2,3), thread "
         "(4,5,6)\n"},
        /* The innermost line of the program's own source, named without folders. */
        {raise_sigill, SIGILL, "0x1000\n/some/where/mine.cu:12\n",
         "shflviz: crash in host code at mine.cu:12: " ALLOWED},
        {raise_sigill, SIGILL, "0x1000\nmine.cu:12 (discriminator 3)\n",
         "shflviz: crash in host code at mine.cu:12: " ALLOWED},
        {raise_sigill, SIGILL, "0x1000\n/x/second.h:7\n/x/mine.cu:12\n",
         "shflviz: crash in host code at second.h:7: " ALLOWED},
        {raise_sigill, SIGILL,
         "0x1000\n/usr/include/c++/12/vector:9\n0x2000\n??:0\n0x3000\n"
         "/x/mine.cu:40\n",
         "shflviz: crash in host code at mine.cu:40: " ALLOWED},
        {raise_sigill, SIGILL, "0x1000\n/x/notmine.cu:12\n/x/mine.cu.h:3\n/x/mine.c:4\n",
         "shflviz: crash in host code: " ALLOWED},
        {raise_sigill_in_kernel, SIGILL, "0x1000\n/x/mine.cu:12\n",
         "shflviz: crash in kernel sum, block (1,2,3), thread (4,5,6) at mine.cu:12: " ALLOWED},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char said[1024];
        const int status = run(cases[i].act, 0, cases[i].lines, said, sizeof said);
        assert_string_equal(said, cases[i].says);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), cases[i].number);
    }
}

/* Shortly before its time limit, the program reports where it is, once, and continues. */
static void wait_and_interrupt(void) {
    sigset_t none;
    sigemptyset(&none);
    sigsuspend(&none); /* until the time is up */
    raise(SIGINT);
}

static void test_time(void **state) {
    char said[1024];
    (void)state;
    const int status = run(wait_and_interrupt, 1, "", said, sizeof said);
    assert_string_equal(said, "shflviz: when its time ran out, the program was in host code\n");
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
}

/* Prints the location of the address to which a call returns. */
static void print_location(void) {
    char place[64] = "before", small[5];
    crash_location((const void *)print_location, place, sizeof place);
    crash_location((const void *)print_location, small, sizeof small);
    dprintf(2, "'%s' '%s' %d\n", place, small, crash_was_reported("something"));
}

static void test_places(void **state) {
    static const struct {
        const char *lines, *says;
    } cases[] = {
        {"0x1000\n/x/mine.cu:12\n", "'mine.cu:12' 'mine' 0\n"},
        {"0x1000\n/x/ours.h:1\n/y/z/second.h:7 (inlined)\n", "'second.h:7' 'seco' 0\n"},
        {"0x1000\n??:0\n", "'' '' 0\n"},
        {"", "'' '' 0\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char said[256];
        const int status = run(print_location, 0, cases[i].lines, said, sizeof said);
        assert_string_equal(said, cases[i].says);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    }
}

static int begin(void **state) {
    char path[128];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(list, sizeof list, "%s/sources", folder);
    snprintf(program, sizeof program, "%s/addr2line", folder);
    snprintf(answer, sizeof answer, "%s/answer", folder);
    write_file(list, "/some/where/mine.cu\n/copy/0.cu\nsecond.h\n/copy/1.cu\n");
    write_file(program, "#!/bin/sh\nexec cat \"$FAKE_ANSWER\"\n");
    chmod(program, 0700);
    setenv("FAKE_ANSWER", answer, 1);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
    return setenv("PATH", path, 1);
}

static int end(void **state) {
    (void)state;
    unlink(list);
    unlink(program);
    unlink(answer);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
