/*
 * test_faults PROGRAM LIBRARY STRIDE - runs the main paths of the program again and again; in each
 * run one allocation (by the preloaded LIBRARY), or one call of the system (by ptrace), fails: the
 * first, then one STRIDE later, until the run needs no more of them.
 *
 * Whatever fails: the program ends by itself within a time, with a status that is documented; it
 * ends with 0 only if its output and its recording are whole; and the recording that was there
 * before is there still, or the new one is, whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST  12
#define OUTPUT_MOST (1 << 20)
#define SECONDS     30
#define FAULTS_MOST 200000

static const struct path {
    const char *name;
    const char *words[WORDS_MOST];
    const char *input;
    bool may_differ; /* what cannot be recorded is left out of it */
} paths[] = {
    {"xor as text", {"xor", "--mask", "3", "--format", "text"}, NULL, false},
    {"xor as JSON", {"xor", "--mask", "3", "--format", "json"}, NULL, false},
    {"xor as CSV", {"xor", "--mask", "3", "--format", "csv"}, NULL, false},
    {"a recording", {"xor", "--mask", "5", "--format", "csv", "-o", "old.svt"}, NULL, false},
    {"replay", {"replay", "kept.svt", "--format", "text"}, NULL, false},
    {"check", {"check", "kept.svt"}, NULL, false},
    {"a lesson", {"lesson", "xor", "--format", "text"}, NULL, false},
    {"a quiz", {"quiz", "--seed", "1", "--format", "text"}, "1\n2\nq\n", true},
};

static const char *program, *library;

struct outcome {
    bool signalled, late;
    int status;   /* or the signal */
    bool reached; /* the fault came */
    size_t length;
    char output[OUTPUT_MOST];
};

/* ---- files ---- */

static size_t read_file(const char *name, char *bytes, size_t most) {
    int descriptor = open(name, O_RDONLY);
    size_t length = 0;
    ssize_t count = 1;
    while (descriptor >= 0 && length < most && count > 0)
        if ((count = read(descriptor, bytes + length, most - length)) > 0)
            length += (size_t)count;
    if (descriptor >= 0)
        close(descriptor);
    return length;
}

static void write_file(const char *name, const char *bytes, size_t length) {
    int descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0 || write(descriptor, bytes, length) != (ssize_t)length) {
        perror(name);
        exit(1);
    }
    close(descriptor);
}

/* ---- the n-th call of the system fails ---- */

#ifdef __x86_64__
/* What reads, writes, names or maps files. */
static bool may_fail(unsigned long long call) {
    static const int calls[] = {
        SYS_read,      SYS_write,    SYS_openat,    SYS_fstat,  SYS_newfstatat, SYS_pread64,
        SYS_pwrite64,  SYS_writev,   SYS_pwritev,   SYS_lseek,  SYS_mmap,       SYS_ftruncate,
        SYS_fallocate, SYS_fsync,    SYS_fdatasync, SYS_rename, SYS_renameat,   SYS_unlink,
        SYS_flock,     SYS_readlink, SYS_getcwd,    SYS_dup,    SYS_msync,      SYS_link};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if ((unsigned long long)calls[i] == call)
            return true;
    return false;
}

static int error_of(unsigned long long call) {
    return call == SYS_mmap || call == SYS_brk                                  ? ENOMEM
           : call == SYS_write || call == SYS_pwrite64 || call == SYS_fallocate ? ENOSPC
                                                                                : EIO;
}

/* Counts from the first fcntl on, which is main()'s first call: before that it is the loader's. */
static int trace_child(pid_t child, unsigned long number, bool *reached) {
    bool begun = false, entering = true, failing = false;
    unsigned long count = 0;
    struct user_regs_struct registers;
    int status;
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    int deliver = 0, error = 0;
    for (;;) {
        ptrace(PTRACE_SYSCALL, child, 0, deliver);
        if (waitpid(child, &status, 0) < 0 || WIFEXITED(status) || WIFSIGNALED(status))
            return status;
        deliver = 0;
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
            deliver = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
            continue;
        }
        ptrace(PTRACE_GETREGS, child, 0, &registers);
        if (entering) {
            begun = begun || registers.orig_rax == SYS_fcntl;
            if (begun && may_fail(registers.orig_rax) && ++count == number) {
                failing = *reached = true;
                error = error_of(registers.orig_rax);
                registers.orig_rax = (unsigned long long)-1;
                ptrace(PTRACE_SETREGS, child, 0, &registers);
            }
        } else if (failing) {
            failing = false;
            registers.rax = (unsigned long long)-error;
            ptrace(PTRACE_SETREGS, child, 0, &registers);
        }
        entering = !entering;
    }
}
#endif

/* ---- a run ---- */

static void become_program(const struct path *path, unsigned long allocation, bool traced) {
    char *words[WORDS_MOST + 2] = {(char *)program};
    char number[32];
    for (int i = 0; i < WORDS_MOST && path->words[i]; i++)
        words[i + 1] = (char *)path->words[i];
    dup2(open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    dup2(open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    dup2(open(path->input ? "input" : "/dev/null", O_RDONLY), 0);
    for (int descriptor = 3; descriptor < 32; descriptor++)
        close(descriptor);
    if (allocation) {
        snprintf(number, sizeof number, "%lu", allocation);
        setenv("SHFLVIZ_TEST_FAIL", number, 1);
        setenv("LD_PRELOAD", library, 1);
    }
    alarm(SECONDS); /* stays across exec */
#ifdef __x86_64__
    if (traced)
        ptrace(PTRACE_TRACEME, 0, 0, 0);
#else
    (void)traced;
#endif
    execv(program, words);
    _exit(127);
}

/* The n-th fault of a kind; 0: none. */
static void run_path(const struct path *path, bool allocation, unsigned long number,
                     struct outcome *outcome) {
    int status = 0;
    if (path->input)
        write_file("input", path->input, strlen(path->input));
    outcome->reached = false;
    pid_t child = fork();
    if (child == 0)
        become_program(path, allocation ? number : 0, !allocation && number);
#ifdef __x86_64__
    if (!allocation && number)
        status = trace_child(child, number, &outcome->reached);
    else
#endif
        waitpid(child, &status, 0);
    outcome->signalled = WIFSIGNALED(status);
    outcome->late = outcome->signalled && WTERMSIG(status) == SIGALRM;
    outcome->status = outcome->signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    outcome->length = read_file("output", outcome->output, OUTPUT_MOST);
}

/* ---- what has to hold ---- */

static char old_bytes[OUTPUT_MOST], new_bytes[OUTPUT_MOST], now_bytes[OUTPUT_MOST];
static size_t old_length, new_length;

/* Whether a recording, which may do without its index, shows what was printed as CSV. */
static bool shows_the_same(const struct outcome *whole) {
    static struct outcome shown;
    static const struct path replay = {"", {"replay", "old.svt", "--format", "csv"}, NULL, false};
    run_path(&replay, false, 0, &shown);
    return !shown.signalled && shown.status == 0 && shown.length == whole->length &&
           memcmp(shown.output, whole->output, shown.length) == 0;
}

static const char *what_is_wrong(const struct path *path, const struct outcome *whole,
                                 const struct outcome *now) {
    const bool same = path->may_differ || (now->length == whole->length &&
                                           memcmp(now->output, whole->output, now->length) == 0);
    const size_t length = read_file("old.svt", now_bytes, OUTPUT_MOST);
    const bool is_old = length == old_length && memcmp(now_bytes, old_bytes, length) == 0;
    const bool is_new = length == new_length && memcmp(now_bytes, new_bytes, length) == 0;
    return now->late                   ? "does not end"
           : now->signalled            ? "ended by a signal"
           : now->status > 4           ? "a status that is not documented"
           : now->status == 0 && !same ? "status 0, and the output is not whole"
           : !is_old && !is_new && !shows_the_same(whole)
               ? "the recording that was there is neither old nor new"
               : NULL;
}

/* Every stride-th fault of a kind; how many were wrong. */
static unsigned long try_path(const struct path *path, bool allocation, unsigned long stride,
                              unsigned long *tried) {
    static struct outcome whole, now;
    unsigned long wrong = 0, number = 1, same = 0;
    write_file("old.svt", old_bytes, old_length);
    run_path(path, allocation, 0, &whole);
    if (whole.signalled || whole.status != 0) {
        printf("%s: without a fault: %s %d\n", path->name, whole.signalled ? "signal" : "status",
               whole.status);
        return 1;
    }
    new_length = read_file("old.svt", new_bytes, OUTPUT_MOST);
    for (; number < FAULTS_MOST; number += stride, ++*tried) {
        if (strcmp(path->name, "a recording") == 0) {
            unlink("old.svt.partial");
            write_file("old.svt", old_bytes, old_length);
        }
        run_path(path, allocation, number, &now);
        const char *what = what_is_wrong(path, &whole, &now);
        if (what && wrong++ < 20)
            printf("%s, %s %lu: %s (%d)\n", path->name, allocation ? "allocation" : "call", number,
                   what, now.status);
        /* A preloaded library does not tell whether its fault came: many whole runs in a row do. */
        same = now.status == 0 && !now.signalled ? same + 1 : 0;
        if (allocation ? same > 300 / stride + 3 : !now.reached)
            break;
    }
    printf("%s: %s up to %lu\n", path->name, allocation ? "allocations" : "calls", number);
    fflush(stdout);
    return wrong;
}

int main(int argc, char **argv) {
    static char made[4096];
    char folder[] = "/tmp/shflviz-faults-XXXXXX";
    unsigned long wrong = 0, tried = 0;
    if (argc != 4 || !mkdtemp(folder) || chdir(folder) != 0) {
        fprintf(stderr, "usage: %s PROGRAM LIBRARY STRIDE\n", argv[0]);
        return 2;
    }
    program = argv[1];
    library = argv[2];
    const unsigned long stride = strtoul(argv[3], NULL, 10);
    setenv("LC_ALL", "C", 1);
    setenv("SOURCE_DATE_EPOCH", "1000000000", 1); /* recordings are the same each time */
    setenv("TZ", "UTC0", 1); /* else a file that is not read changes the date in a recording */
    setenv("HOME", folder, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    snprintf(made, sizeof made,
             "'%s' xor --mask 1 --format csv -o old.svt >/dev/null && "
             "'%s' kernel scan-8 --format csv -o kept.svt >/dev/null",
             program, program);
    if (system(made) != 0)
        return 1;
    old_length = read_file("old.svt", old_bytes, OUTPUT_MOST);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        wrong += try_path(&paths[i], true, stride, &tried);
#ifdef __x86_64__
        wrong += try_path(&paths[i], false, stride, &tried);
#endif
    }
    printf("%lu faults, %lu wrong\n", tried, wrong);
    snprintf(made, sizeof made, "rm -rf '%s'", folder);
    return system(made) != 0 || wrong ? 1 : 0;
}
