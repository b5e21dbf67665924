/*
 * The supervisor adopts all processes that the program leaves behind (prctl), so it alone can find
 * and end everything. It does as little as possible, because it must survive both the program and
 * us.
 */
#include "cudacpu/process/child.h"

#include "base/clock.h"
#include "base/memory.h"
#include "cudacpu/process/settings_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

extern char **environ;

#define MOMENT       20   /* milliseconds between two checks of state that no descriptor reports */
#define FAREWELL     1000 /* milliseconds in which a program may end on its own */
#define LOWEST       19   /* the lowest priority */
#define END_ATTEMPTS 100  /* rounds of killing a program's descendants */

/* ---- words ---- */

void child_words_add(struct child_words *words, const char *first, const char *second) {
    struct text word = TEXT_INIT;
    text_append(&word, first);
    text_append(&word, second ? second : "");
    words->word =
        memory_room(words->word, words->count + 1, &words->capacity, sizeof words->word[0]);
    words->word[words->count++] = text_detach(&word);
    words->word[words->count] = NULL;
}

void child_words_split(struct child_words *words, const char *line) {
    while (*(line += strspn(line, " \t"))) {
        struct text word = TEXT_INIT;
        text_append_bytes(&word, line, strcspn(line, " \t"));
        line += word.length;
        child_words_add(words, word.data, NULL);
        text_release(&word);
    }
}

void child_words_release(struct child_words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (struct child_words){0};
}

/* ---- signals and time ---- */

void child_interruptions(sigset_t *signals) {
    static const int others[] = {
        SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGCONT, SIGWINCH, SIGTSTP, SIGTTIN,
        SIGTTOU, SIGSEGV, SIGBUS,  SIGILL, SIGFPE,  SIGTRAP,  SIGABRT, SIGSYS,
#ifdef __APPLE__
        SIGIO,   SIGINFO,
#endif
    };
    sigfillset(signals);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        sigdelset(signals, others[i]);
}

static struct {
    bool (*ends)(void);
    bool ended;
} meanwhile;

bool child_set_idle_hook(bool (*ends)(void)) {
    const bool ended = meanwhile.ended;
    meanwhile.ends = ends;
    meanwhile.ended = false;
    return ended;
}

/* A blocked signal is pending even if it is ignored (signal(7)), as SIGHUP is under nohup. */
static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool child_is_interrupted(void) {
    sigset_t pending, wanted;
    if (meanwhile.ended)
        return true;
    child_interruptions(&wanted);
    sigpending(&pending);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&wanted, number) == 1 && sigismember(&pending, number) == 1 &&
            !is_ignored(number))
            return true;
    return false;
}

/* ---- the supervisor ---- */

/* The supervisor's message to us, sent once. */
struct report {
    struct child_result result;
};

#define PROCESSES_MOST 32768 /* processes examined in one round */

struct process {
    pid_t id, parent;
    unsigned threads;
    enum { UNKNOWN, FOREIGN, OURS } whose;
};

#ifdef __linux__
static bool read_process(const char *name, struct process *process) {
    char path[64], line[512];
    int parent;
    unsigned threads;
    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = descriptor < 0 ? -1 : read(descriptor, line, sizeof line - 1);
    if (descriptor >= 0)
        close(descriptor);
    if (count <= 0)
        return false;
    line[count] = '\0';
    /* The name, in brackets, may contain brackets; the text after the last bracket has none. */
    const char *after = strrchr(line, ')');
    if (!after ||
        sscanf(after, ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u",
               &parent, &threads) != 2)
        return false;
    *process = (struct process){(pid_t)atol(name), (pid_t)parent, threads, UNKNOWN};
    return true;
}

static size_t read_processes(struct process *processes) {
    size_t count = 0;
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    while (folder && count < PROCESSES_MOST && (entry = readdir(folder)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            count += read_process(entry->d_name, &processes[count]);
    if (folder)
        closedir(folder);
    return count;
}
#else
static size_t read_processes(struct process *processes) {
    (void)processes;
    return 0;
}
#endif

static int compare_processes(const void *a, const void *b) {
    const struct process *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* True if a process descends from us; `processes` are sorted. Each process is classified only
 * once. */
static bool is_ours(struct process *process, struct process *processes, size_t count) {
    const struct process wanted = {.id = process->parent};
    if (process->whose == UNKNOWN) {
        process->whose = FOREIGN; /* even if parents form a cycle, as reused ids may */
        struct process *parent =
            bsearch(&wanted, processes, count, sizeof processes[0], compare_processes);
        if (process->parent == getpid() || (parent && is_ours(parent, processes, count)))
            process->whose = OURS;
    }
    return process->whose == OURS;
}

/* The number of threads in the processes that descend from us. Because of prctl(), these are all
 * processes that the program has started and left running. Also sends these processes `signal`,
 * unless it is 0. */
static unsigned each_descendant(int signal) {
    static struct process processes[PROCESSES_MOST];
    const size_t count = read_processes(processes);
    unsigned threads = 0;
    qsort(processes, count, sizeof processes[0], compare_processes);
    for (size_t i = 0; i < count; i++)
        if (is_ours(&processes[i], processes, count)) {
            threads += processes[i].threads;
            if (signal)
                kill(processes[i].id, signal);
        }
    return threads;
}

/* A stopped process cannot start others. */
static void stop_all(void) {
    unsigned before = 0, now = each_descendant(SIGSTOP);
    for (int i = 0; i < END_ATTEMPTS && now != before; i++) {
        before = now;
        now = each_descendant(SIGSTOP);
    }
}

/* True if everything that the program has started and left running is gone: survivors become our
 * children when their parents end, or descend from a child of ours. This check is cheaper than
 * reading all processes of the machine. */
static bool none_is_left(void) {
#ifdef __linux__
    pid_t waited;
    while ((waited = waitpid(-1, NULL, WNOHANG)) > 0)
        ;
    return waited < 0 && errno == ECHILD;
#else
    return false;
#endif
}

/* Ends the program's process group and all processes that have left it. */
static void end_all(pid_t program) {
    if (none_is_left())
        return;
    for (int i = 0; i < END_ATTEMPTS; i++) {
        stop_all();
        kill(-program, SIGKILL);
        kill(program, SIGKILL);
        each_descendant(SIGKILL);
        pid_t waited;
        while ((waited = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (waited < 0 && errno == ECHILD)
            return;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}

/* Waits a moment for one of the blocked signals; 0 if none came. */
static int await_signal(const sigset_t *signals) {
    const struct timespec moment = {0, MOMENT * 1000000L};
#ifdef __APPLE__
    sigset_t pending;
    int number = 0;
    nanosleep(&moment, NULL);
    sigpending(&pending);
    for (int wanted = 1; wanted < NSIG && !number; wanted++)
        if (sigismember(signals, wanted) == 1 && sigismember(&pending, wanted) == 1)
            sigwait(signals, &number);
    return number;
#else
    int number = sigtimedwait(signals, NULL, &moment);
    return number > 0 ? number : 0;
#endif
}

static void send_report(int descriptor, enum child_end end, int code) {
    const struct report report = {{.end = end, .code = code}};
    ssize_t written = write(descriptor, &report, sizeof report);
    (void)written; /* no other process is left to report it */
}

static void close_range_of(unsigned first, unsigned last) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0)
        return;
#endif
    const long most = sysconf(_SC_OPEN_MAX);
    for (unsigned descriptor = first; descriptor <= last && (long)descriptor < most; descriptor++)
        close((int)descriptor);
}

static void close_all_but(int kept) {
    if (kept > 3)
        close_range_of(3, (unsigned)kept - 1);
    close_range_of((unsigned)kept + 1, ~0u);
}

/* The program's standard input. A terminal is reopened read-only, because otherwise the program
 * could also write to it. */
static int open_input(const struct child_command *command) {
    int input = command->input;
#ifdef __linux__
    const bool confined = command->confine && command->confine->role != CONFINE_NOTHING;
    if (confined && input >= 0 && isatty(input)) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", input);
        input = open(path, O_RDONLY | O_NOCTTY);
    }
#endif
    return input >= 0 ? input : open("/dev/null", O_RDONLY);
}

/* The program's process, from here to exec. `failed` is closed by a successful exec. */
static void become_program(const struct child_command *command, pid_t supervisor, int failed) {
    enum child_end end = CHILD_NOT_FOUND;
    sigset_t none;
    sigemptyset(&none);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != supervisor)
        _exit(127);
    setpgid(0, 0);
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP)
            signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* The sandbox comes first, because its rules name paths relative to our current folder. */
    int wrong = command->confine ? confine_self(command->confine) : 0;
    if (wrong != 0)
        end = CHILD_UNCONFINED;
    else if (command->directory)
        wrong = chdir(command->directory);
    if (wrong == 0) {
        environ = (char **)command->environment;
        execvp(command->file ? command->file : command->words[0], command->words);
    }
    send_report(failed, end, errno);
    _exit(127);
}

static pid_t start_program(const struct child_command *command, int *failed) {
    int ends[2];
    const pid_t supervisor = getpid();
    if (pipe(ends) != 0)
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t program = fork();
    if (program == 0)
        become_program(command, supervisor, ends[1]);
    if (program > 0)
        setpgid(program, program);
    close(ends[1]);
    *failed = ends[0];
    return program;
}

/* Interrupts the program as a terminal would, and gives it a moment to report where it was. */
static void interrupt(pid_t program) {
    kill(program, SIGINT);
    for (int i = 0; i < FAREWELL / MOMENT && waitpid(program, NULL, WNOHANG) == 0; i++)
        nanosleep(&(struct timespec){0, MOMENT * 1000000L}, NULL);
}

/* Where Linux first divides processor time among sessions, the session gets a small share, too, but
 * enough to progress beside busy sessions. */
static void lower_priority(void) {
    setpriority(PRIO_PROCESS, 0, LOWEST);
#ifdef __linux__
    const int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    ssize_t written = group < 0 ? 0 : write(group, "10", 2);
    (void)written;
    if (group >= 0)
        close(group);
#endif
}

static void supervise(const struct child_command *command, const int output[2], int report,
                      pid_t parent) {
    sigset_t waited;
    int failed = -1, status = 0;
    struct report early;
    unsigned most = command->confine ? command->confine->limits.processes : 0;
    /* Starts a session of its own, without a terminal that it could write to or be stopped by. */
    setsid();
    if (command->behind)
        lower_priority();
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    child_interruptions(&waited);
    sigaddset(&waited, SIGCHLD);
    for (int number = 1; number < NSIG; number++) /* without the signal handlers of our screens */
        if (sigismember(&waited, number) == 1)
            signal(number, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
        _exit(0);
    dup2(open_input(command), 0);
    dup2(output[0], 1);
    dup2(output[1], 2);
    close_all_but(report);
    fcntl(report, F_SETFD, FD_CLOEXEC);
    pid_t program = start_program(command, &failed);
    if (program < 0) {
        send_report(report, CHILD_NOT_FOUND, errno);
        _exit(0);
    }
    if (read(failed, &early, sizeof early) == (ssize_t)sizeof early) {
        end_all(program);
        send_report(report, early.result.end, early.result.code);
        _exit(0);
    }
    close(1); /* otherwise the output would never end */
    close(2);
    enum child_end end = CHILD_EXITED;
    while (waitpid(program, &status, WNOHANG) == 0) {
        int number = await_signal(&waited);
        if (number && number != SIGCHLD) {
            end = CHILD_INTERRUPTED;
            break;
        }
        if (most && each_descendant(0) > most) {
            end = CHILD_PROCESSES;
            break;
        }
    }
    if (end == CHILD_INTERRUPTED)
        interrupt(program);
    end_all(program);
    if (end == CHILD_EXITED && WIFSIGNALED(status))
        send_report(report, CHILD_KILLED, WTERMSIG(status));
    else
        send_report(report, end, WEXITSTATUS(status));
    _exit(0);
}

/* ---- our side ---- */

struct child_talk {
    const struct child_command *command;
    struct pollfd wanted[3]; /* output, errors, the supervisor's report */
    int typed;               /* the pipe for forwarded input; -1 if there is none */
    pid_t supervisor;        /* -1 if it was not started */
    int64_t began;
    enum child_end reason; /* why we end the program; CHILD_EXITED if we do not */
    uint64_t passed_on;    /* bytes of output */
    bool printed_more, interrupted;
    struct child_result result;
    bool reported;
};

/* Reads the available data of one stream; false at its end. */
static bool take_output(struct child_talk *talk, int stream) {
    char bytes[65536];
    uint64_t most = talk->command->confine ? talk->command->confine->limits.output : 0;
    ssize_t count = read(talk->wanted[stream - 1].fd, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (count <= 0)
        return false;
    size_t kept = (size_t)count;
    if (most && kept > most - talk->passed_on)
        kept = (size_t)(most - talk->passed_on);
    talk->passed_on += kept;
    talk->printed_more = kept < (size_t)count;
    if (kept && talk->command->output)
        talk->command->output(talk->command->output_context, stream, bytes, kept);
    return true;
}

static void close_stream(struct child_talk *talk, int index) {
    close(talk->wanted[index].fd);
    talk->wanted[index].fd = -1;
}

void child_close_input(struct child_talk *talk) {
    if (talk->typed >= 0)
        close(talk->typed);
    talk->typed = -1;
}

/* Forwards a typed line, if there is one and the pipe has room. */
static void forward_input(struct child_talk *talk) {
    const int input = talk->command->input;
    struct pollfd ready[2] = {{.fd = input, .events = POLLIN},
                              {.fd = talk->typed, .events = POLLOUT}};
    char line[PIPE_BUF];
    /* If we are in the background, reading would stop us, not the program. */
    if (talk->typed < 0 || tcgetpgrp(input) != getpgrp() || poll(ready, 2, 0) < 2)
        return;
    const bool has_reader = !(ready[1].revents & POLLERR);
    const ssize_t count = has_reader ? read(input, line, sizeof line) : 0;
    if (count <= 0 || write(talk->typed, line, (size_t)count) < 0)
        child_close_input(talk);
}

static void read_pipes(struct child_talk *talk, int milliseconds) {
    struct report report;
    if (poll(talk->wanted, 3, milliseconds) <= 0)
        return;
    for (int i = 0; i < 2; i++)
        if (talk->wanted[i].fd >= 0 && talk->wanted[i].revents && !take_output(talk, i + 1))
            close_stream(talk, i);
    if (talk->wanted[2].fd >= 0 && talk->wanted[2].revents) {
        if (read(talk->wanted[2].fd, &report, sizeof report) == (ssize_t)sizeof report)
            talk->result = report.result;
        else
            talk->result = (struct child_result){CHILD_KILLED, SIGKILL};
        talk->reported = true;
        close_stream(talk, 2);
    }
}

/* The reason why the program has to end now; CHILD_EXITED if there is none. */
static enum child_end reason_to_end(const struct child_talk *talk) {
    const struct confine *confine = talk->command->confine;
    if (talk->interrupted || child_is_interrupted())
        return CHILD_INTERRUPTED;
    if (confine && confine->limits.seconds &&
        clock_milliseconds() - talk->began >= (int64_t)confine->limits.seconds * 1000)
        return CHILD_TIME;
    if (talk->printed_more)
        return CHILD_OUTPUT;
    return CHILD_EXITED;
}

bool child_listen(struct child_talk *talk, int milliseconds) {
    if (talk->reported)
        return false;
    read_pipes(talk, milliseconds);
    forward_input(talk);
    if (talk->command->tick)
        talk->command->tick(talk->command->tick_context);
    if (meanwhile.ends && !meanwhile.ended)
        meanwhile.ended = meanwhile.ends();
    if (talk->reason == CHILD_EXITED && (talk->reason = reason_to_end(talk)) != CHILD_EXITED)
        kill(talk->supervisor, SIGTERM);
    return !talk->reported;
}

size_t child_descriptors(const struct child_talk *talk, int *descriptors) {
    size_t count = 0;
    for (int i = 0; i < 3; i++)
        if (talk->wanted[i].fd >= 0)
            descriptors[count++] = talk->wanted[i].fd;
    return count;
}

void child_interrupt(struct child_talk *talk) {
    talk->interrupted = true;
}

struct child_result child_finish(struct child_talk *talk) {
    while (child_listen(talk, MOMENT))
        ;
    while (talk->supervisor > 0 && waitpid(talk->supervisor, NULL, 0) < 0 && errno == EINTR)
        ;
    /* Reads the data still in the pipes. No process is left that could write more. */
    for (int i = 0; i < 64 && (talk->wanted[0].fd >= 0 || talk->wanted[1].fd >= 0); i++)
        read_pipes(talk, 0);
    const struct child_result result =
        talk->reason != CHILD_EXITED ? (struct child_result){.end = talk->reason} : talk->result;
    for (int i = 0; i < 3; i++)
        if (talk->wanted[i].fd >= 0)
            close_stream(talk, i);
    child_close_input(talk);
    free(talk);
    return result;
}

#define PIPES 4 /* output, errors, report; input runs the other way */

static bool open_pipes(int pipes[PIPES][2], int count) {
    for (int i = 0; i < count; i++) {
        if (pipe(pipes[i]) != 0) {
            while (i-- > 0) {
                close(pipes[i][0]);
                close(pipes[i][1]);
            }
            return false;
        }
        fcntl(pipes[i][i == 3], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

struct child_talk *child_begin(const struct child_command *command) {
    int pipes[PIPES][2];
    const int count = command->hands_on ? 4 : 3;
    const pid_t parent = getpid();
    struct child_talk *talk = memory_zeroed(1, sizeof *talk);
    *talk = (struct child_talk){.command = command, .typed = -1, .supervisor = -1};
    for (int i = 0; i < 3; i++)
        talk->wanted[i].fd = -1;
    if (!open_pipes(pipes, count)) {
        talk->result = (struct child_result){CHILD_NOT_FOUND, errno};
        talk->reported = true;
        return talk;
    }
    fflush(NULL);
    talk->began = clock_milliseconds();
    talk->supervisor = fork();
    if (talk->supervisor == 0) {
        struct child_command given = *command;
        given.input = command->hands_on ? pipes[3][0] : command->input;
        supervise(&given, (const int[]){pipes[0][1], pipes[1][1]}, pipes[2][1], parent);
    }
    if (talk->supervisor < 0) {
        talk->result = (struct child_result){CHILD_NOT_FOUND, errno};
        talk->reported = true;
    }
    for (int i = 0; i < 3; i++) {
        close(pipes[i][1]);
        talk->wanted[i] = (struct pollfd){.fd = pipes[i][0], .events = POLLIN};
    }
    if (command->hands_on) {
        close(pipes[3][0]);
        talk->typed = pipes[3][1];
    }
    return talk;
}

struct child_result child_run(const struct child_command *command) {
    return child_finish(child_begin(command));
}

/* ---- detached work ---- */

static void become_detached(void (*work)(void *context), void *context, int kept) {
    sigset_t held;
    child_interruptions(&held);
    sigprocmask(SIG_SETMASK, &held, NULL);
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP)
            signal(number, SIG_DFL);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int stream = 0; stream < 3; stream++)
        if (dup2(nowhere, stream) < 0)
            _exit(1);
    close_all_but(kept);
    lower_priority();
    child_set_idle_hook(NULL);
    work(context);
    _exit(0);
}

bool child_detach(void (*work)(void *context), void *context, int kept) {
    int status;
    fflush(NULL); /* otherwise buffered output would be written twice */
    const pid_t between = fork();
    if (between == 0) { /* when it ends, the detached process becomes an orphan */
        const pid_t detached = setsid() < 0 ? -1 : fork();
        if (detached == 0)
            become_detached(work, context, kept);
        _exit(detached < 0);
    }
    while (between > 0 && waitpid(between, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return between > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- an environment ---- */

static bool is_variable(const char *variable, const char *name) {
    size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

/* The part of the user's environment that a confined program gets: nothing secret. */
static bool is_harmless(const char *variable) {
    static const char *const names[] = {
        "PATH",         "LANG",  "LC_ALL",          "LC_CTYPE",        "TZ",
        "COLUMNS",      "LINES", "OMP_NUM_THREADS", "LD_LIBRARY_PATH", "ASAN_OPTIONS",
        "UBSAN_OPTIONS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_variable(variable, names[i]))
            return true;
#ifdef SHFLVIZ_COVERAGE /* the folder for a coverage build's counts */
    return strncmp(variable, "GCOV_", 5) == 0;
#else
    return false;
#endif
}

void child_environment(struct child_words *environment, const char *home) {
    for (char **variable = environ; *variable; variable++)
        if ((home ? is_harmless(*variable) : !is_variable(*variable, "TMPDIR")) &&
            !is_variable(*variable, SETTINGS_FILE_VARIABLE))
            child_words_add(environment, *variable, NULL);
    if (home) {
        child_words_add(environment, "HOME=", home);
        /* A leak checker needs ptrace, which the sandbox forbids. */
        child_words_add(environment, "LSAN_OPTIONS=detect_leaks=0", NULL);
        /* The sandbox also forbids binding threads to cores, and clang's OpenMP would end the
         * program. */
        child_words_add(environment, "KMP_AFFINITY=disabled", NULL);
    }
}
