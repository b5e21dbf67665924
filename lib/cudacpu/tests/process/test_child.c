/*
 * Another program, run to its end (child.h): its exit, its output, the state that it inherits, and
 * the absence of leftovers. The programs are short shell scripts.
 */
#include "cudacpu/process/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char printed[2][4096];

static void take(void *context, int stream, const char *bytes, size_t count) {
    assert_ptr_equal(context, printed);
    assert_in_range(stream, 1, 2);
    strncat(printed[stream - 1], bytes, count);
}

static char *environment[] = {"PATH=/usr/bin:/bin", "A=1 2", NULL};

/* Runs a script with the rest of the command. */
static struct child_result run(const char *script, struct child_command command) {
    char *words[] = {"/bin/sh", "-c", (char *)script, NULL};
    printed[0][0] = printed[1][0] = '\0';
    if (!command.words)
        command.words = words;
    if (!command.environment)
        command.environment = environment;
    command.output = take;
    command.output_context = printed;
    return child_run(&command);
}

static void test_ends(void **state) {
    static const struct {
        const char *script;
        enum child_end end;
        int code;
        const char *output, *errors;
    } cases[] = {
        {"exit 0", CHILD_EXITED, 0, "", ""},
        {"exit 3", CHILD_EXITED, 3, "", ""},
        {"exit 255", CHILD_EXITED, 255, "", ""},
        {"kill -KILL $$", CHILD_KILLED, SIGKILL, "", ""},
        {"echo begun; kill -TERM $$", CHILD_KILLED, SIGTERM, "begun\n", ""},
        {"echo out; echo err >&2; printf more", CHILD_EXITED, 0, "out\nmore", "err\n"},
        {"cat; echo $?", CHILD_EXITED, 0, "0\n", ""}, /* there is nothing to read */
        {"echo \"$A-$HOME\"", CHILD_EXITED, 0, "1 2-\n", ""},
        {"exec /nowhere/at/all 2>/dev/null", CHILD_EXITED, 127, "", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct child_result result =
            run(cases[i].script, (struct child_command){.input = -1});
        assert_int_equal(result.end, cases[i].end);
        assert_int_equal(result.code, cases[i].code);
        assert_string_equal(printed[0], cases[i].output);
        assert_string_equal(printed[1], cases[i].errors);
    }
}

static void test_not_started(void **state) {
    char *nobody[] = {"shflviz-no-such-program", NULL}, *folder[] = {"/", NULL};
    (void)state;
    struct child_result result = run("", (struct child_command){.words = nobody, .input = -1});
    assert_int_equal(result.end, CHILD_NOT_FOUND);
    assert_int_equal(result.code, ENOENT);
    result = run("", (struct child_command){.words = folder, .input = -1});
    assert_int_equal(result.end, CHILD_NOT_FOUND);
    assert_int_equal(result.code, EACCES);
    result = run("", (struct child_command){.directory = "/nowhere/at/all", .input = -1});
    assert_int_equal(result.end, CHILD_NOT_FOUND);
    assert_int_equal(result.code, ENOENT);
}

static void test_command(void **state) {
    char *words[] = {"called so", "-c", "echo \"$0\" \"$1\"; pwd", "first", "second", NULL};
    char path[] = "/tmp/shflviz-test-input-XXXXXX";
    (void)state;
    run("", (struct child_command){
                .file = "/bin/sh", .words = words, .directory = "/usr", .input = -1});
    assert_string_equal(printed[0], "first second\n/usr\n");
    const int input = mkstemp(path);
    assert_int_equal(write(input, "some lines\n", 11), 11);
    lseek(input, 5, SEEK_SET);
    run("cat", (struct child_command){.input = input});
    close(input);
    unlink(path);
    assert_string_equal(printed[0], "lines\n");
}

/* It has no descriptor of ours, and no signal is blocked. */
static void test_inherited_state(void **state) {
    sigset_t held, before;
    (void)state;
    const int high = dup2(1, 9), low = dup2(1, 3);
    assert_true(high >= 0 && low >= 0);
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &before);
    signal(SIGUSR1, SIG_IGN);
    if (access("/proc/self/fd/9", F_OK) == 0) {
        run("for i in 3 4 5 6 7 8 9; do [ ! -e /proc/self/fd/$i ] || echo $i; done",
            (struct child_command){.input = -1});
        assert_string_equal(printed[0], "");
    }
    struct child_result result = run("kill -INT $$", (struct child_command){.input = -1});
    assert_int_equal(result.end, CHILD_KILLED);
    assert_int_equal(result.code, SIGINT);
    result = run("kill -USR1 $$", (struct child_command){.input = -1});
    assert_int_equal(result.code, SIGUSR1);
    signal(SIGUSR1, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(high);
    close(low);
    run("nice", (struct child_command){.behind = true, .input = -1});
    assert_string_equal(printed[0], "19\n");
    run("nice", (struct child_command){.input = -1});
    assert_int_equal(atoi(printed[0]), getpriority(PRIO_PROCESS, 0));
}

/* Every process that it started has ended with it. */
static void test_left_behind(void **state) {
    static const char *const scripts[] = {
        "sleep 1000 & echo $!",
        "(sleep 1000 & echo $!)",
        "(trap '' TERM INT HUP; (sleep 1000 & echo $!))",
        "sh -c 'sleep 1000 & echo $!; exec kill -KILL $$'",
    };
    (void)state;
#ifdef __linux__
    for (size_t i = 0; i < COUNT(scripts); i++) {
        run(scripts[i], (struct child_command){.input = -1});
        assert_true(atoi(printed[0]) > 1);
        assert_int_equal(kill(atoi(printed[0]), 0), -1);
        assert_int_equal(errno, ESRCH);
    }
#endif
}

static void count_tick(void *context) {
    ++*(unsigned *)context;
}

static void test_limits(void **state) {
    static const struct {
        const char *script;
        struct confine_limits limits;
        enum child_end end;
        size_t printed;
    } cases[] = {
        {"printf 0123456789", {.output = 10}, CHILD_EXITED, 10},
        {"printf 0123456789a; exec sleep 1000", {.output = 10}, CHILD_OUTPUT, 10},
        {"printf 01234; printf 56789a >&2; exec sleep 1000", {.output = 10}, CHILD_OUTPUT, 10},
        {"printf 01234; printf 56789 >&2", {.output = 10}, CHILD_EXITED, 10},
        {"exec sleep 1000", {.seconds = 1}, CHILD_TIME, 0},
        {"sleep 1000 & sleep 1000 & sleep 1000 & wait", {.processes = 3}, CHILD_PROCESSES, 0},
        {"sleep 0.1 & sleep 0.1 & wait", {.processes = 3}, CHILD_EXITED, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct confine confine = {.role = CONFINE_NOTHING, .limits = cases[i].limits};
        unsigned ticks = 0;
#ifndef __linux__
        if (cases[i].limits.processes)
            continue;
#endif
        const struct child_result result =
            run(cases[i].script,
                (struct child_command){
                    .confine = &confine, .input = -1, .tick = count_tick, .tick_context = &ticks});
        assert_int_equal(result.end, cases[i].end);
        assert_int_equal(strlen(printed[0]) + strlen(printed[1]), cases[i].printed);
        assert_true(ticks > 0);
    }
}

/* ---- signals ---- */

static void test_interruptions(void **state) {
    static const int wanted[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGPIPE, SIGUSR1,
                                 SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU};
    static const int others[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT,  SIGCHLD,
                                 SIGTSTP, SIGCONT, SIGTTIN, SIGTTOU, SIGWINCH, SIGKILL,
                                 SIGSTOP, SIGTRAP, SIGSYS,  SIGURG};
    sigset_t signals, before;
    int number;
    (void)state;
    child_interruptions(&signals);
    for (size_t i = 0; i < COUNT(wanted); i++)
        assert_int_equal(sigismember(&signals, wanted[i]), 1);
    for (size_t i = 0; i < COUNT(others); i++)
        assert_int_equal(sigismember(&signals, others[i]), 0);
#ifdef SIGRTMIN
    assert_int_equal(sigismember(&signals, SIGRTMIN), 1);
    assert_int_equal(sigismember(&signals, SIGRTMAX), 1);
#endif
    assert_false(child_is_interrupted());
    sigprocmask(SIG_BLOCK, &signals, &before);
    assert_false(child_is_interrupted());
    raise(SIGTERM);
    assert_true(child_is_interrupted());
    const struct child_result result = run("exec sleep 1000", (struct child_command){.input = -1});
    assert_int_equal(result.end, CHILD_INTERRUPTED);
    assert_true(child_is_interrupted()); /* it is still the caller's */
    sigwait(&signals, &number);
    assert_int_equal(number, SIGTERM);
    assert_false(child_is_interrupted());
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* As under nohup, or in the background of a shell without job control. */
static void test_ignored(void **state) {
    sigset_t signals, before;
    (void)state;
    child_interruptions(&signals);
    sigprocmask(SIG_BLOCK, &signals, &before);
    void (*handler)(int) = signal(SIGHUP, SIG_IGN);
    raise(SIGHUP);
    assert_false(child_is_interrupted());
    const struct child_result result = run("exit 3", (struct child_command){.input = -1});
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.code, 3);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGHUP, handler);
}

/* ---- detached work ---- */

struct detached {
    pid_t parent, session;
    int pipe, is_behind, holds, streams;
};

static void work(void *context) {
    struct detached *found = context;
    sigset_t now;
    struct stat null, stream;
    const int nowhere = open("/dev/null", O_RDWR); /* the lowest that is free */
    sigprocmask(SIG_SETMASK, NULL, &now);
    found->is_behind = getpriority(PRIO_PROCESS, 0) == 19;
    found->holds = sigismember(&now, SIGINT) == 1 && sigismember(&now, SIGSEGV) == 0;
    fstat(nowhere, &null);
    for (int i = 0; i < 3; i++)
        found->streams += fstat(i, &stream) == 0 && stream.st_rdev == null.st_rdev;
    found->streams += nowhere == 3 ? 0 : 10;
    found->parent = getppid();
    found->session = getsid(0);
    ssize_t written = write(found->pipe, found, sizeof *found);
    (void)written;
}

static void test_detached(void **state) {
    struct detached found = {.parent = 0}, told;
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const int kept = fcntl(ends[1], F_DUPFD, 20);
    close(ends[1]);
    found.pipe = kept;
    assert_true(child_detach(work, &found, kept));
    close(kept);
    assert_int_equal(read(ends[0], &told, sizeof told), sizeof told);
    close(ends[0]);
    assert_true(told.is_behind);
    assert_true(told.holds);
    assert_int_equal(told.streams, 3);
    assert_true(told.session != getsid(0));
}

/* ---- words ---- */

static void test_words(void **state) {
    static const struct {
        const char *line, *words[4];
    } cases[] = {
        {"", {NULL}},
        {" \t ", {NULL}},
        {"cc", {"cc"}},
        {"ccache g++ -O2", {"ccache", "g++", "-O2"}},
        {" a\t\tb ", {"a", "b"}},
    };
    struct child_words words = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t count = 0;
        child_words_split(&words, cases[i].line);
        for (; cases[i].words[count]; count++)
            assert_string_equal(words.word[count], cases[i].words[count]);
        assert_int_equal(words.count, count);
        assert_true(!words.word || !words.word[count]);
        child_words_release(&words);
        assert_null(words.word);
        assert_int_equal(words.count, 0);
    }
    for (size_t i = 0; i < 200; i++) {
        child_words_add(&words, "-I", i % 2 ? "a b" : NULL);
        assert_int_equal(words.count, i + 1);
        assert_string_equal(words.word[i], i % 2 ? "-Ia b" : "-I");
        assert_null(words.word[i + 1]);
    }
    child_words_release(&words);
}

static bool has(const struct child_words *words, const char *word) {
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->word[i], word) == 0)
            return true;
    return false;
}

static void test_environment(void **state) {
    struct child_words all = {0}, few = {0};
    (void)state;
    static const struct {
        const char *name;
        bool in_all, in_few;
    } cases[] = {
        {"TMPDIR", false, false},
        {"TMPDIRX", true, false},
        {"SHFLVIZ_WATCH", false, false},
        {"SHFLVIZ_OTHER", true, false},
        {"LANG", true, true},
        {"LANGUAGE", true, false},
        {"TZ", true, true},
        {"LC_ALL", true, true},
        {"SECRET", true, false},
        {"HOME", true, false},
        {"LD_LIBRARY_PATH", true, true},
        {"LD_PRELOADED", true, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        setenv(cases[i].name, "x", 1);
    child_environment(&all, NULL);
    child_environment(&few, "/some/where");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char word[64];
        snprintf(word, sizeof word, "%s=x", cases[i].name);
        assert_int_equal(has(&all, word), cases[i].in_all);
        assert_int_equal(has(&few, word), cases[i].in_few);
    }
    assert_true(has(&few, "HOME=/some/where"));
    assert_false(has(&all, "HOME=/some/where"));
    child_words_release(&all);
    child_words_release(&few);
}

/* ---- sandbox ---- */

static void test_described(void **state) {
    static const struct {
        struct confine_support support;
        const char *text;
    } cases[] = {
        {{.landlock = 3, .seccomp = true},
         "limits, its own folder only (Landlock 3), no network, no signals (seccomp)"},
        {{.landlock = 1}, "limits, its own folder only (Landlock 1); no seccomp here"},
        {{.seccomp = true},
         "limits, no network, no signals (seccomp); this kernel has no Landlock, so the program "
         "sees your files"},
        {{0},
         "limits on time, memory and files; this system has neither Landlock nor seccomp, so the "
         "program can do what you can"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = TEXT_INIT;
        confine_describe(&text, &cases[i].support);
        assert_string_equal(text.data, cases[i].text);
        text_release(&text);
    }
    const struct confine_limits none = confine_limits(CONFINE_NOTHING);
    assert_true(!none.seconds && !none.memory && !none.file_size && !none.processes &&
                !none.output);
    /* docs/WRITING_LESSONS.md: 60 seconds and 4 GiB; a compiler has twice the time. */
    for (enum confine_role role = CONFINE_COMPILER; role <= CONFINE_PROGRAM; role++) {
        const struct confine_limits some = confine_limits(role);
        assert_int_equal(some.seconds, role == CONFINE_COMPILER ? 120 : 60);
        assert_true(some.memory == UINT64_C(4) << 30);
        assert_true(some.file_size == UINT64_C(1) << 30);
        assert_true(some.processes > 0 && some.output >= UINT64_C(1) << 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),          cmocka_unit_test(test_not_started),
        cmocka_unit_test(test_command),       cmocka_unit_test(test_inherited_state),
        cmocka_unit_test(test_left_behind),   cmocka_unit_test(test_limits),
        cmocka_unit_test(test_interruptions), cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_detached),      cmocka_unit_test(test_words),
        cmocka_unit_test(test_environment),   cmocka_unit_test(test_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
