/*
 * test_faults PROGRAM LIBRARY STRIDE [PATH...] - runs the program's main paths, or the named ones,
 * again and again. Each run has one fault: an allocation fails (through the preloaded LIBRARY), a
 * system call fails (through ptrace), a write is cut in half, or the disk is full or broken from a
 * given write on. The fault is at the first call in the first run, and STRIDE calls later in each
 * further run, until a run makes fewer calls than that. SHFLVIZ_STRIDE in the environment replaces
 * STRIDE. Without arguments, prints the names of the paths.
 *
 * Whatever fails, the program ends on its own within a time limit, with a documented status. It
 * ends with the status of a complete run only if its output and files are complete. Its files are
 * complete or absent, an earlier recording is kept, and the terminal is restored.
 */
#include "typist.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST    12
#define OUTPUT_MOST   (1 << 20)
#define SECONDS       30
#define FAULTS_MOST   200000
#define AWAIT_SECONDS 300

static const struct path {
    const char *name;
    const char *words[WORDS_MOST];
    const char *input;
    bool may_differ;   /* parts that cannot be recorded are left out */
    int status;        /* of a whole run */
    const char *makes; /* a file that does not exist beforehand */
    const char *keys;  /* on a terminal; its screens are not compared */
    bool behind;       /* compiles its header in the background each time, because the compiler here
                          writes no list of files */
} paths[] = {
    {.name = "xor as text", .words = {"xor", "--mask", "3", "--format", "text"}},
    {.name = "xor as JSON", .words = {"xor", "--mask", "3", "--format", "json"}},
    {.name = "xor as CSV", .words = {"xor", "--mask", "3", "--format", "csv"}},
    {.name = "a recording", .words = {"xor", "--mask", "5", "--format", "csv", "-o", "old.svt"}},
    {.name = "replay", .words = {"replay", "kept.svt", "--format", "text"}},
    {.name = "check", .words = {"check", "kept.svt"}},
    {.name = "a lesson", .words = {"lesson", "xor", "--format", "text"}},
    {.name = "a quiz",
     .words = {"quiz", "--seed", "1", "--format", "text"},
     .input = "1\n2\nq\n",
     .may_differ = true},
    {.name = "check as JSON", .words = {"check", "wrong.svt", "--format", "json"}, .status = 1},
    {.name = "check as SARIF", .words = {"check", "wrong.svt", "--format", "sarif"}, .status = 1},
    {.name = "diff", .words = {"diff", "kept.svt", "other.svt"}, .status = 1},
    {.name = "which", .words = {"which", "0<1, 1<0, 5<4"}},
    {.name = "which as JSON", .words = {"which", "0<1, 1<0, 5<4", "--format", "json"}},
    {.name = "doctor", .words = {"doctor"}, .may_differ = true},
    {.name = "SVG", .words = {"export", "kept.svt", "-o", "made.svg"}, .makes = "made.svg"},
    {.name = "TikZ", .words = {"export", "kept.svt", "-o", "made.tex"}, .makes = "made.tex"},
    {.name = "a film",
     .words = {"export", "kept.svt", "-o", "made.cast", "--step", "0"},
     .makes = "made.cast"},
    {.name = "Markdown", .words = {"export", "kept.svt", "-o", "made.md"}, .makes = "made.md"},
    {.name = "exported JSON",
     .words = {"export", "kept.svt", "-o", "made.json"},
     .makes = "made.json"},
    {.name = "exported CSV",
     .words = {"export", "kept.svt", "-o", "made.csv"},
     .makes = "made.csv"},
    {.name = "a worksheet",
     .words = {"export", "xor", "-o", "sheet.md", "--answers"},
     .makes = "sheet.md"},
    {.name = "JSON lines", .words = {"kernel", "scan-8", "--format", "jsonl"}},
    {.name = "a new lesson",
     .words = {"lesson", "new", "made"},
     .may_differ = true,
     .makes = "made/en.md"},
    {.name = "a lesson's check", .words = {"lesson", "check", "kept/en.md"}},
    {.name = "a program", .words = {"run", "own.cu", "--format", "csv"}},
    {.name = "a program, its header behind",
     .words = {"run", "own.cu", "--format", "csv"},
     .behind = true},
    {.name = "a program's recording",
     .words = {"run", "own.cu", "-o", "made.svt", "--format", "text"},
     .makes = "made.svt"},
    {.name = "a program's check", .words = {"check", "own.cu"}, .status = 1},
    {.name = "an exercise's check",
     .words = {"exercise", "check", "warp-max.cu", "--no-sandbox", "--seed", "1"}},
    {.name = "an exercise's recording",
     .words = {"exercise", "check", "warp-max.cu", "--no-sandbox", "--seed", "1", "-o", "made.svt"},
     .makes = "made.svt"},
    {.name = "grade",
     .words = {"grade", "handed", "--name", "warp-max", "--format", "json", "--no-sandbox",
               "--seed", "1"},
     .status = 1},
    {.name = "a screen",
     .words = {"xor", "--mask", "3", "--background", "dark"},
     .keys = "l l j ] } : mask~5 Enter Tab Tab / y ? q u q"},
    {.name = "a kernel's screen",
     .words = {"kernel", "scan-8"},
     .keys = "n n w 2 3 4 5 p 7 Enter g q"},
    {.name = "a lesson's screen", .words = {"lesson", "xor"}, .keys = "l l l 6 Enter l l q"},
    {.name = "the list of lessons", .words = {"lesson"}, .keys = "j j Enter l q q"},
    {.name = "a presentation", .words = {"lesson", "xor", "--present"}, .keys = "l l l ? q q"},
    {.name = "a class",
     .words = {"lesson", "xor", "--present", "--serve", "127.0.0.1:0"},
     .keys = "l l l q q"},
    {.name = "results",
     .words = {"lesson", "xor", "--results", "made.json", "--who", "ann"},
     .may_differ = true,
     .makes = "made.json",
     .keys = "l l l 3 Enter l l q q"},
    {.name = "a quiz's screen", .words = {"quiz", "--seed", "1"}, .keys = "1 Enter l 2 Enter q"},
    {.name = "two recordings' screen",
     .words = {"diff", "kept.svt", "other.svt"},
     .status = 1,
     .keys = "n N l q"},
    {.name = "a changed screen",
     .words = {"xor", "--mask", "3", "--width", "16"},
     .keys =
         "l l c C o o s S [ ] { } u U y : width~7 Enter Escape r ? j k q / 9 Enter Escape a Space "
         "+ - ! Tab Tab Tab q"},
    {.name = "a memory's screen",
     .words = {"kernel", "reduce-shared-sum", "--threads", "64"},
     .keys = "l l n n w W b B g G 1 2 3 4 5 6 p 1 Enter Escape q"},
    {.name = "a watched lesson",
     .words = {"lesson", "watch", "kept"},
     .keys = "l l l 5 Enter 4 Enter ? q q"},
    {.name = "a watched lesson with faults",
     .words = {"lesson", "watch", "faulty"},
     .keys = "j k Tab Space ? q q"},
    {.name = "the list of exercises", .words = {"exercise"}, .keys = "j j k ? q q"},
    {.name = "an exercise's screen",
     .words = {"exercise", "warp-max", "warp-max.cu", "--no-sandbox"},
     .keys = "Tab Tab Tab s j k Enter l q ? q q"},
    {.name = "doctor on a terminal", .words = {"doctor"}, .keys = ""},
    {.name = "quiz over a recording",
     .words = {"quiz", "kept.svt", "--questions", "2", "--results", "made.json", "--who", "ann"},
     .may_differ = true,
     .makes = "made.json",
     .keys = "Tab 1 Enter 2 Enter l h Enter Escape Escape Enter q"},
    {.name = "the first screen", .words = {NULL}, .keys = "j j k ? q q"},
};

/* A compiler that repeats its earlier results, because it gets the same input a thousand times. A
 * result depends on the input, except for the names of folders, which are new each time. */
static const char compiler[] =
    "#!/bin/sh\n"
    "kept=${0%/*}/answers\n"
    "for word; do [ \"$before\" = -o ] && made=$word; before=$word; done\n"
    "named() { sed 's|/shflviz-[A-Za-z0-9]*||g; s|/headers-[0-9a-f]*[.][A-Za-z0-9]*||g'; }\n"
    "read=\n"
    "for word; do [ -f \"$word\" ] && [ \"$word\" != \"$made\" ] && read=\"$read $word\"; done\n"
    "key=$({ echo \"$*\"; case $read in '') ;; *.o*) ls -s $read ;; *) cat $read ;; esac; } | "
    "named | "
    "cksum | tr ' ' -)\n"
    "[ -f \"$kept/$key.status\" ] || {\n"
    "    c++ \"$@\" >\"$kept/$key.said\" 2>\"$kept/$key.errors\"; status=$?\n"
    "    [ -z \"$made\" ] || cp \"$made\" \"$kept/$key.made\" 2>/dev/null\n"
    "    echo $status >\"$kept/$key.status\"\n"
    "}\n"
    "[ ! -f \"$kept/$key.made\" ] || cp \"$kept/$key.made\" \"$made\" || exit 1\n"
    "cat \"$kept/$key.said\"; cat \"$kept/$key.errors\" >&2\n"
    "exit $(cat \"$kept/$key.status\")\n";

enum fault { NO_FAULT, ALLOCATION, CALL, DISK, BROKEN, SHORT };
#ifdef __x86_64__
#define LAST_FAULT SHORT
#else
#define LAST_FAULT ALLOCATION /* other faults need ptrace and the registers' names */
#endif
static const char *const fault_names[] = {"nothing",   "allocation",  "call",
                                          "full disk", "broken disk", "short write"};

static const char *program, *library;

struct outcome {
    bool signalled, late;
    int status;    /* or the signal */
    bool reached;  /* the fault occurred */
    bool restored; /* the terminal */
    size_t length, made_length;
    char output[OUTPUT_MOST], made[OUTPUT_MOST];
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

/* Removes the files of an earlier run. */
static void remove_made(const struct path *path) {
    char folder[256];
    if (!path->makes)
        return;
    unlink(path->makes);
    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(path->makes, "/"), path->makes);
    if (strchr(path->makes, '/'))
        rmdir(folder);
}

/* ---- the n-th system call fails ---- */

#ifdef __x86_64__
/* Calls that read, write, name or map files. */
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

/* Writes to a terminal never fail here: if the reset failed, the terminal could not be restored. */
static bool is_to_terminal(pid_t child, const struct user_regs_struct *registers) {
    char name[64];
    struct stat status;
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)child, (int)registers->rdi);
    return (registers->orig_rax == SYS_write || registers->orig_rax == SYS_writev) &&
           stat(name, &status) == 0 && S_ISCHR(status.st_mode);
}

/* Calls that write to a file on a disk. */
static bool takes_space(pid_t child, const struct user_regs_struct *registers) {
    char name[64];
    struct stat status;
    const unsigned long long call = registers->orig_rax;
    if (call != SYS_write && call != SYS_pwrite64 && call != SYS_writev && call != SYS_pwritev &&
        call != SYS_fallocate && call != SYS_ftruncate)
        return false;
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)child, (int)registers->rdi);
    return stat(name, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_write(const struct user_regs_struct *registers) {
    return registers->orig_rax == SYS_write || registers->orig_rax == SYS_pwrite64;
}

/* In a coverage build, a process opens a file for its counts only after main() has ended. */
static bool writes_counts(pid_t child, const struct user_regs_struct *registers) {
    char name[512] = "";
    struct iovec here = {name, sizeof name - 1}, there = {(void *)registers->rsi, sizeof name - 1};
    return registers->orig_rax == SYS_openat &&
           process_vm_readv(child, &here, 1, &there, 1, 0) > 0 && strstr(name, ".gcda");
}

/* Counts from the first fcntl on, which is main()'s first call: earlier calls are the loader's. */
static int trace_child(pid_t child, enum fault fault, unsigned long number, bool *reached) {
    bool begun = false, entering = true, failing = false;
    unsigned long count = 0;
    struct user_regs_struct registers;
    int status;
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    int deliver = 0, error = 0;
    unsigned long long given = 0; /* the bytes of a write that is cut in half */
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
            if (begun && writes_counts(child, &registers)) {
                ptrace(PTRACE_DETACH, child, 0, 0);
                waitpid(child, &status, 0);
                return status;
            }
            if (begun &&
                (fault >= DISK
                     ? takes_space(child, &registers)
                     : may_fail(registers.orig_rax) && !is_to_terminal(child, &registers)) &&
                (++count == number || ((fault == DISK || fault == BROKEN) && count > number))) {
                *reached = true;
                if (fault == SHORT) {
                    given = is_write(&registers) ? registers.rdx : 0;
                    registers.rdx = given > 1 ? given / 2 : registers.rdx;
                } else {
                    failing = true;
                    error = fault == DISK     ? ENOSPC
                            : fault == BROKEN ? EIO
                                              : error_of(registers.orig_rax);
                    registers.orig_rax = (unsigned long long)-1;
                }
                ptrace(PTRACE_SETREGS, child, 0, &registers);
            }
        } else if (failing || given) {
            if (failing)
                registers.rax = (unsigned long long)-error;
            else
                registers.rdx = given;
            failing = false;
            given = 0;
            ptrace(PTRACE_SETREGS, child, 0, &registers);
        }
        entering = !entering;
    }
}
#endif

/* ---- a run ---- */

static void become_program(const struct path *path, const struct typist *typist, enum fault fault,
                           unsigned long at) {
    char *words[WORDS_MOST + 2] = {(char *)program};
    char number[32];
    for (int i = 0; i < WORDS_MOST && path->words[i]; i++)
        words[i + 1] = (char *)path->words[i];
    if (path->keys) {
        typist_attach(typist);
    } else {
        dup2(open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
        dup2(open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
        dup2(open(path->input ? "input" : "/dev/null", O_RDONLY), 0);
    }
    for (int descriptor = 3; descriptor < 32; descriptor++)
        close(descriptor);
    if (path->behind) {
        setenv("SHFLVIZ_HEADERS", "behind", 1);
        setenv("XDG_CACHE_HOME", getenv("HOME"), 1);
    }
    if (fault == ALLOCATION) {
        snprintf(number, sizeof number, "%lu", at);
        setenv("SHFLVIZ_TEST_FAIL", number, 1);
        setenv("LD_PRELOAD", library, 1);
    }
    alarm(SECONDS); /* survives exec */
#ifdef __x86_64__
    if (fault >= CALL)
        ptrace(PTRACE_TRACEME, 0, 0, 0);
#endif
    execv(program, words);
    _exit(127);
}

/* Runs a path with the n-th fault of a kind. */
static void run_path(const struct path *path, enum fault fault, unsigned long number,
                     struct outcome *outcome) {
    int status = 0;
    struct typist typist;
    if (path->input)
        write_file("input", path->input, strlen(path->input));
    if (path->keys)
        typist_begin(&typist, path->keys, "output");
    outcome->reached = false;
    pid_t child = fork();
    if (child == 0)
        become_program(path, &typist, fault, number);
#ifdef __x86_64__
    if (fault >= CALL)
        status = trace_child(child, fault, number, &outcome->reached);
    else
#endif
        waitpid(child, &status, 0);
    outcome->signalled = WIFSIGNALED(status);
    outcome->late = outcome->signalled && WTERMSIG(status) == SIGALRM;
    outcome->status = outcome->signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    if (path->keys && outcome->signalled && outcome->status == SIGINT) { /* finally Ctrl-C */
        outcome->signalled = false;
        outcome->status = path->status;
    }
    outcome->restored = !path->keys || typist_end(&typist);
    outcome->length = read_file("output", outcome->output, OUTPUT_MOST);
    outcome->made_length = path->makes ? read_file(path->makes, outcome->made, OUTPUT_MOST) : 0;
    if (path->keys && !typist_modes_are_off(outcome->output, outcome->length))
        outcome->restored = false;
}

/* ---- rules ---- */

static char old_bytes[OUTPUT_MOST], new_bytes[OUTPUT_MOST], now_bytes[OUTPUT_MOST];
static size_t old_length, new_length;

/* True if a recording, which may lack its index, still yields the same CSV output. */
static bool shows_the_same(const struct outcome *whole) {
    static struct outcome shown;
    static const struct path replay = {.words = {"replay", "old.svt", "--format", "csv"}};
    run_path(&replay, NO_FAULT, 0, &shown);
    return !shown.signalled && shown.status == 0 && shown.length == whole->length &&
           memcmp(shown.output, whole->output, shown.length) == 0;
}

/* A file is complete, or does not exist under its name. */
static bool is_complete(const struct path *path, const struct outcome *whole,
                        const struct outcome *now) {
    if (now->made_length == 0)
        return now->status != path->status && access(path->makes, F_OK) != 0;
    return path->may_differ || strstr(path->makes, ".svt") ||
           (now->made_length == whole->made_length &&
            memcmp(now->made, whole->made, now->made_length) == 0);
}

static const char *describe_problem(const struct path *path, const struct outcome *whole,
                                    const struct outcome *now) {
    const bool same =
        path->may_differ || path->keys ||
        (now->length == whole->length && memcmp(now->output, whole->output, now->length) == 0);
    const size_t length = read_file("old.svt", now_bytes, OUTPUT_MOST);
    const bool is_old = length == old_length && memcmp(now_bytes, old_bytes, length) == 0;
    const bool is_new = length == new_length && memcmp(now_bytes, new_bytes, length) == 0;
    return now->late                              ? "does not end"
           : now->signalled                       ? "ended by a signal"
           : now->status > 4                      ? "a status that is not documented"
           : now->status == path->status && !same ? "the status of a whole run, but not its output"
           : !is_old && !is_new && !shows_the_same(whole)
               ? "the file is neither the earlier recording nor the new one"
           : path->makes && !is_complete(path, whole, now)
               ? "its file is incomplete, or missing although the status is that of a whole run"
           : !now->restored ? "the terminal is not restored"
                            : NULL;
}

/* Tries every stride-th fault of a kind; returns how many were handled wrongly. */
static unsigned long try_path(const struct path *path, enum fault fault, unsigned long stride,
                              unsigned long *tried) {
    static struct outcome whole, now;
    unsigned long wrong = 0, number = 1, same = 0;
    write_file("old.svt", old_bytes, old_length);
    remove_made(path);
    run_path(path, NO_FAULT, 0, &whole);
    if (whole.signalled || whole.status != path->status || !whole.restored) {
        printf("%s: without a fault: %s %d%s\n", path->name, whole.signalled ? "signal" : "status",
               whole.status, whole.restored ? "" : ", the terminal is not restored");
        return 1;
    }
    new_length = read_file("old.svt", new_bytes, OUTPUT_MOST);
    for (; number < FAULTS_MOST; number += stride, ++*tried) {
        if (strcmp(path->name, "a recording") == 0) {
            unlink("old.svt.partial");
            write_file("old.svt", old_bytes, old_length);
        }
        remove_made(path);
        run_path(path, fault, number, &now);
        const char *what = describe_problem(path, &whole, &now);
        if (what && wrong++ < 20)
            printf("%s, %s %lu: %s (%d)\n", path->name, fault_names[fault], number, what,
                   now.status);
        /* A preloaded library does not report whether its fault occurred; many complete runs in a
         * row mean that no fault did. */
        same = now.status == path->status && !now.signalled ? same + 1 : 0;
        if (fault == ALLOCATION ? same > 300 / stride + 3 : !now.reached)
            break;
    }
    printf("%s: %s, up to %lu\n", path->name, fault_names[fault], number);
    fflush(stdout);
    return wrong;
}

/* The input files of the commands, in the working folder. */
static bool prepare(void) {
    static char made[4096];
    static const char own[] = "#include <cstdio>\n"
                              "__global__ void sum(int *out) {\n"
                              "    __shared__ int all[64];\n"
                              "    int value = threadIdx.x;\n"
                              "    for (int mask = 16; mask; mask /= 2)\n"
                              "        value += __shfl_xor_sync(~0u, value, mask);\n"
                              "    all[threadIdx.x] = value;\n"
                              "    out[threadIdx.x] = all[63 - threadIdx.x];\n"
                              "}\n"
                              "int main() {\n"
                              "    int *out;\n"
                              "    cudaMallocManaged(&out, 64 * sizeof *out);\n"
                              "    sum<<<1, 64>>>(out);\n"
                              "    cudaDeviceSynchronize();\n"
                              "    printf(\"%d\\n\", out[0]);\n"
                              "}\n";
    static const char broken[] = "__device__ int warp_max(int value) { return valeu; }\n";
    write_file("own.cu", own, sizeof own - 1);
    write_file("compiler", compiler, sizeof compiler - 1);
    snprintf(
        made, sizeof made,
        "program='%s'; mkdir answers state handed handed/ann handed/bob && "
        "chmod +x compiler && "
        "$program xor --mask 1 --format csv -o old.svt >/dev/null && "
        "$program kernel scan-8 --format csv -o kept.svt >/dev/null && "
        "$program kernel scan-8 --in 7 --format csv -o other.svt >/dev/null && "
        "$program idx --src 20 --members 0xff --format csv -o wrong.svt >/dev/null && "
        "$program lesson new kept >/dev/null && "
        "mkdir faulty && sed 's/source of lane 5/source of lane 50/' kept/en.md >faulty/en.md && "
        "$program exercise warp-max --solution >warp-max.cu && "
        "cp warp-max.cu handed/ann",
        program);
    if (system(made) != 0)
        return false;
    write_file("handed/bob/warp-max.cu", broken, sizeof broken - 1);
    old_length = read_file("old.svt", old_bytes, OUTPUT_MOST);
    return true;
}

static bool is_among(const char *name, int count, char **names) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

/* Waits until the last background compiler has ended, so that none writes into the folder while it
 * is removed. */
static bool await_compiler(void) {
    const int lock = open("shflviz/making", O_RDWR | O_CLOEXEC);
    alarm(AWAIT_SECONDS);
    const bool ended = lock < 0 || flock(lock, LOCK_EX) == 0;
    alarm(0);
    if (lock >= 0)
        close(lock);
    return ended;
}

int main(int argc, char **argv) {
    static char words[4096 + 16];
    char folder[] = "/tmp/shflviz-faults-XXXXXX";
    unsigned long wrong = 0, tried = 0;
    for (size_t i = 0; argc == 1 && i < sizeof paths / sizeof paths[0]; i++)
        puts(paths[i].name);
    if (argc == 1)
        return 0;
    if (argc < 4 || !mkdtemp(folder) || chdir(folder) != 0) {
        fprintf(stderr, "usage: %s PROGRAM LIBRARY STRIDE [PATH...]\n", argv[0]);
        return 2;
    }
    program = argv[1];
    library = argv[2];
    const char *setting = getenv("SHFLVIZ_STRIDE");
    const unsigned long stride = strtoul(setting ? setting : argv[3], NULL, 10);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("SOURCE_DATE_EPOCH", "1000000000", 1); /* recordings are the same each time */
    setenv("TZ", "UTC0",
           1); /* otherwise a zone file that cannot be read would change the date in a recording */
    setenv("HOME", folder, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("TMUX");
    if (!prepare())
        return 1;
    snprintf(words, sizeof words, "%s/compiler", folder);
    setenv("CXX", words, 1);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        for (enum fault fault = ALLOCATION; fault <= LAST_FAULT; fault++)
            if (is_among(paths[i].name, argc - 4, argv + 4) && (fault < DISK || !paths[i].keys))
                wrong += try_path(&paths[i], fault, stride, &tried);
    printf("%lu faults, %lu wrong\n", tried, wrong);
    wrong += !await_compiler();
    snprintf(words, sizeof words, "rm -rf '%s'", folder);
    return system(words) != 0 || wrong ? 1 : 0;
}
