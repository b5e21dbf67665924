/*
 * Signal handlers: they walk the stack of the code that was interrupted and ask addr2line, in a
 * separate process, for source lines. Nothing they do may rely on the state of the program, which
 * may be damaged; what is printed is put together in static memory.
 */
#include "cudacpu/crash/crash.h"

#include "base/file.h"
#include "base/text/utf8.h"
#include "cudacpu/crash/division.h"
#include "cudacpu/runtime/api.h"
#include "simt/block_workers.h"
#include "simt/device_state.h"

#include <execinfo.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define FRAMES    48
#define SOURCES   32
#define LONG_WORK 10 /* seconds that a lane runs before a note reports it */
#define BEFORE                                                                                     \
    400000 /* microseconds before the time limit at which a program reports where it is */

extern char **environ;
extern char __executable_start[] __attribute__((weak));
extern char _etext[] __attribute__((weak));

static struct {
    char name[SOURCES][256];
    int count;
} sources;

/* ---- lines ---- */

/* True if "FOLDER/NAME:LINE" is a line of the user's program. */
static bool is_own(const char *place) {
    const size_t length = strcspn(place, ":");
    for (int i = 0; i < sources.count; i++) {
        const size_t name = strlen(sources.name[i]);
        if (length >= name && memcmp(place + length - name, sources.name[i], name) == 0 &&
            (length == name || place[length - name - 1] == '/'))
            return true;
    }
    return false;
}

/* The address at which the signal arrived. backtrace() has it, too, but among return addresses,
 * whose line is that of the call before. */
static void *interrupted_at(const void *context) {
    const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
    return (void *)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
    return (void *)at->uc_mcontext.pc;
#else
    (void)at;
    return NULL;
#endif
}

/* Asks addr2line about the addresses. For each, the answer has a line with the address,
 * then the source lines, innermost inlined function first. */
static void run_addr2line(void *const *frames, int count, char *answer, size_t size) {
    static char words[FRAMES][24];
    char *arguments[FRAMES + 6] = {"addr2line", "-a", "-i", "-e", NULL};
    static char path[4096];
    uint16_t type = 0; /* ET_DYN is 3: addresses in the file begin at 0; else they are as here */
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    int ends[2], used = 5;
    answer[0] = '\0';
    if (length <= 0 || pipe(ends) != 0)
        return;
    if (__executable_start)
        memcpy(&type, __executable_start + 16, sizeof type);
    const uintptr_t base = type == 3 ? (uintptr_t)__executable_start : 0;
    arguments[4] = path;
    for (int i = 0; i < count && i < FRAMES; i++) {
        snprintf(words[i], sizeof words[i], "0x%llx",
                 (unsigned long long)((uintptr_t)frames[i] - base - 1));
        arguments[used++] = words[i];
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    pid_t child = 0;
    const bool started = posix_spawnp(&child, "addr2line", &actions, NULL, arguments, environ) == 0;
    close(ends[1]);
    size_t got = 0;
    ssize_t part;
    while (started && got < size - 1 && (part = read(ends[0], answer + got, size - 1 - got)) > 0)
        got += (size_t)part;
    answer[got] = '\0';
    close(ends[0]);
    if (started)
        waitpid(child, NULL, 0);
}

static sigjmp_buf unwinding;

static void unwinding_failed(int number) {
    (void)number;
    siglongjmp(unwinding, 1);
}

/* backtrace(), or 0 if the stack is so damaged that reading it would crash: everything else is
 * reported all the same. */
static int walk_stack(void **frames, int size) {
    static const int numbers[] = {SIGSEGV, SIGBUS};
    const struct sigaction action = {.sa_handler = unwinding_failed, .sa_flags = SA_ONSTACK};
    struct sigaction before[2];
    sigset_t both, blocked;
    volatile int count = 0;
    sigemptyset(&both);
    for (int i = 0; i < 2; i++) {
        sigaction(numbers[i], &action, &before[i]);
        sigaddset(&both, numbers[i]);
    }
    pthread_sigmask(SIG_UNBLOCK, &both, &blocked);
    if (sigsetjmp(unwinding, 0) == 0)
        count = backtrace(frames, size);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    for (int i = 0; i < 2; i++)
        sigaction(numbers[i], &before[i], NULL);
    return count;
}

/* The frames from the interrupted function on, without those of the signal's handler; all if it is
 * not among them. */
static int skip_handler_frames(void **frames, int count, const void *interrupted) {
    for (int i = 0; i < count; i++)
        if (frames[i] == interrupted) {
            memmove(frames, frames + i + 1, (size_t)(count - i - 1) * sizeof *frames);
            return count - i - 1;
        }
    return count;
}

/* The frame that owns the code: the first one outside the C and C++ libraries. */
enum whose { WHOSE_UNKNOWN, WHOSE_OWN, WHOSE_OURS };

static bool is_in_program(const void *address) {
    return __executable_start && _etext && (const char *)address >= __executable_start &&
           (const char *)address < _etext;
}

static enum whose whose_code(const char *place, const void *frame) {
    if (is_own(place))
        return WHOSE_OWN;
    if (place[0] == '?')
        return is_in_program(frame) ? WHOSE_OURS : WHOSE_UNKNOWN;
    return strstr(place, "/c++/") || strstr(place, "/bits/") ? WHOSE_UNKNOWN : WHOSE_OURS;
}

/* " at FILE:LINE", or nothing: the innermost line of the user's program. */
static enum whose find_line(const void *context, char *line, size_t size) {
    static char answer[32768];
    void *const interrupted = interrupted_at(context);
    void *frames[FRAMES] = {(char *)interrupted + 1};
    enum whose whose = WHOSE_UNKNOWN;
    int frame = -1;
    line[0] = '\0';
    const int walked = walk_stack(frames + 1, FRAMES - 1);
    const int count = skip_handler_frames(frames + 1, walked, interrupted);
    run_addr2line(frames, count + 1, answer, sizeof answer);
    for (char *at = strtok(answer, "\n"); at && frame < FRAMES; at = strtok(NULL, "\n")) {
        if (strncmp(at, "0x", 2) == 0) {
            frame++;
            continue;
        }
        if (whose == WHOSE_UNKNOWN && frame >= 0)
            whose = whose_code(at, frames[frame]);
        if (is_own(at)) {
            at[strcspn(at, " ")] = '\0';
            snprintf(line, size, " at %s", file_base_name(at));
            break;
        }
    }
    return whose;
}

/* File and kernel names are untrusted, and this text goes to a terminal. */
static void make_printable(char *text) {
    text[utf8_visible(text, text, strlen(text), UTF8_LINE)] = '\0';
}

void crash_location(const void *pc, char *text, size_t size) {
    static char answer[4096];
    void *frame = (void *)(uintptr_t)pc;
    *text = '\0';
    run_addr2line(&frame, 1, answer, sizeof answer);
    for (char *at = strtok(answer, "\n"); at; at = strtok(NULL, "\n"))
        if (is_own(at)) {
            const char *name = file_base_name(at);
            snprintf(text, size, "%.*s", (int)strcspn(name, " "), name);
            make_printable(text);
            return;
        }
}

/* ---- words ---- */

/* "kernel k, block (0,0,0), thread (3,0,0) at FILE:LINE", or the host's code. */
static enum whose format_place(const void *context, char *text, size_t size) {
    char line[512];
    const enum whose whose = find_line(context, line, sizeof line);
    const struct cpu_lane *lane = cpu_is_lane() ? cpu_now.lane : NULL;
    if (lane)
        snprintf(text, size, "kernel %s, block (%u,%u,%u), thread (%u,%u,%u)%s",
                 cpu_now.device->kernel, cpu_block_index.x, cpu_block_index.y, cpu_block_index.z,
                 lane->thread_index.x, lane->thread_index.y, lane->thread_index.z, line);
    else
        snprintf(text, size, "host code%s", line);
    make_printable(text);
    return whose;
}

static void say(const char *text) {
    ssize_t written = write(2, text, strlen(text));
    (void)written;
}

static void write_out(const char *text, uint64_t length) {
    ssize_t written = write(1, text, length);
    (void)written;
}

/* Writes what kernels have printed and the host has not waited for, and all other pending output,
 * if the signal interrupted the program's own code, which holds no lock of the C library. */
static void write_printed(const void *context) {
    const struct cpu_device *device = cpu_device_in_use();
    if (device && device->printed.length && !device->worker && cpu_is_lane() &&
        is_in_program(interrupted_at(context)))
        cpu_runtime_flush();
    else if (device && device->printed.length && !device->worker) {
        fflush(stdout);
        write_out(device->printed.data, device->printed.length);
    }
    if (!device || !device->worker)
        return;
    if (is_in_program(interrupted_at(context)))
        fflush(stdout);
    block_workers_each_output(write_out);
}

static bool is_closed_memory(const void *address) {
    const struct cpu_api *api = cpu_device_in_use() ? cpu_device_in_use()->api : NULL;
    return api && api->arena.is_closed && api_arena_holds(&api->arena, address);
}

/* True if the lane's stack pointer is beyond its stack: a function's variables did not fit. */
static bool is_off_stack(const void *context) {
    const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
    const void *stack = (const void *)at->uc_mcontext.gregs[REG_RSP];
#elif defined(__linux__) && defined(__aarch64__)
    const void *stack = (const void *)at->uc_mcontext.sp;
#else
    (void)at;
    return false;
#endif
#if defined(__linux__)
    return !fiber_holds(cpu_now.device->pool, cpu_now.lane->fiber, stack);
#endif
}

static const char *reason(int number, const siginfo_t *info, const void *context) {
    static char text[160];
    const struct cpu_lane *lane = cpu_is_lane() ? cpu_now.lane : NULL;
    switch (number) {
    case SIGFPE:
        return "an integer is divided by zero";
    case SIGABRT:
        return "abort() or a failed assertion";
    case SIGSEGV:
    case SIGBUS:
        if (lane && (is_off_stack(context) ||
                     fiber_overran(cpu_now.device->pool, lane->fiber, info->si_addr)))
            return "the thread's stack has overflowed (640 KiB here)";
        snprintf(text, sizeof text,
                 !lane && is_closed_memory(info->si_addr)
                     ? "address %p is memory of the device, which the host cannot access (copy it "
                       "with cudaMemcpy())"
                     : "address %p is outside the memory that it may access",
                 info->si_addr);
        return text;
    default:
        return "an illegal instruction";
    }
}

/* ---- accesses that CUDA ends with an error ---- */

/* Called when the host touches device memory. True if one of our libraries did, which acts as a
 * kernel and may do so: the memory then stays open. */
static bool allow_library(const siginfo_t *info, enum whose whose) {
    if (cpu_is_lane() || !is_closed_memory(info->si_addr) || whose == WHOSE_OWN)
        return false;
    cpu_memory_is_for_host();
    return true;
}

static char fault_text[1400];
static enum cudaError fault_error;

/* True if it was a move that requires a multiple of 16 and cannot fail this way for any other
 * reason: AMD64 Architecture Programmer's Manual, volume 4, MOVAPS, MOVDQA. */
static bool is_misaligned(const siginfo_t *info, const void *context) {
#if defined(__linux__) && defined(__x86_64__)
    const uint8_t *at = interrupted_at(context);
    if (info->si_addr || info->si_code != SI_KERNEL)
        return false;
    at += *at == 0x66;
    at += (*at & 0xf0) == 0x40;
    return at[0] == 0x0f && (at[1] == 0x28 || at[1] == 0x29 || at[1] == 0x6f || at[1] == 0x7f);
#else
    (void)info, (void)context;
    return false;
#endif
}

/* A lane continues here after an invalid access: the kernel ends, the program goes on, as in
 * CUDA. */
static _Noreturn void end_kernel(void) {
    fault_report(cpu_now.device, fault_text, fault_error);
    schedule_abandon(cpu_now.device);
}

/* Makes the interrupted code continue in end_kernel(). */
static bool divert(void *context) {
    ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
    const uintptr_t stack = (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
    at->uc_mcontext.gregs[REG_RSP] = (greg_t)(((stack - 256) & ~(uintptr_t)15) - 8);
    at->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)end_kernel;
    return true;
#elif defined(__linux__) && defined(__aarch64__)
    at->uc_mcontext.sp = (at->uc_mcontext.sp - 256) & ~(uintptr_t)15;
    at->uc_mcontext.pc = (uintptr_t)end_kernel;
    return true;
#else
    (void)at;
    return false;
#endif
}

/* True if the kernel ends here, with error 700 or 716. */
static bool ends_kernel(int number, const siginfo_t *info, void *context, const char *where) {
    char what[200];
    const uintptr_t host = (uintptr_t)info->si_addr ^ CPU_HOST_POINTER_BIT;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char in_core;
    if ((number != SIGSEGV && number != SIGBUS) || !cpu_is_lane() || is_off_stack(context) ||
        !is_in_program(interrupted_at(context)) ||
        fiber_overran(cpu_now.device->pool, cpu_now.lane->fiber, info->si_addr))
        return false;
    const bool misaligned = is_misaligned(info, context);
    if (misaligned)
        snprintf(what, sizeof what, "the address is not a multiple of 16, as its type requires");
    else if (host > 65536 && mincore((void *)(host - host % page), page, &in_core) == 0)
        snprintf(what, sizeof what,
                 "address %p is the host's memory, which a kernel cannot access (pass memory of "
                 "cudaMalloc() or cudaMallocManaged())",
                 (void *)host);
    else
        snprintf(what, sizeof what, "%s", reason(number, info, context));
    snprintf(fault_text, sizeof fault_text, "%s: %s: error %s", where, what,
             misaligned ? "716 (cudaErrorMisalignedAddress)" : "700 (cudaErrorIllegalAddress)");
    fault_error = misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
    if (!divert(context))
        return false;
    say("shflviz: ");
    say(fault_text);
    say("\n");
    return true;
}

bool crash_was_reported(const char *failure) {
    return strcmp(failure, fault_text) == 0;
}

/* A lock: one thread at a time reports. It is released before a kernel continues. */
static int report_lock;

static void lock_reports(void) {
    while (__atomic_exchange_n(&report_lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}
static void unlock_reports(void) {
    __atomic_store_n(&report_lock, 0, __ATOMIC_RELEASE);
}

/* Defined in undefined.c, which is linked if accesses may be checked: true if they are. */
extern bool cpu_misaligned_found(const void *address, size_t alignment, bool is_unseen,
                                 const void *pc) __attribute__((weak));

void cpu_misaligned(const void *address, size_t alignment, int is_unseen) {
    const void *pc = __builtin_return_address(0);
    char line[300];
    if (!cpu_is_lane() ||
        (cpu_misaligned_found && cpu_misaligned_found(address, alignment, is_unseen, pc)))
        return;
    const struct cpu_lane *lane = cpu_now.lane;
    lock_reports();
    crash_location(pc, line, sizeof line);
    snprintf(fault_text, sizeof fault_text,
             "kernel %s, block (%u,%u,%u), thread (%u,%u,%u)%s%s: address %p is not a multiple of "
             "%zu, as its type requires: error 716 (cudaErrorMisalignedAddress)",
             cpu_now.device->kernel, cpu_block_index.x, cpu_block_index.y, cpu_block_index.z,
             lane->thread_index.x, lane->thread_index.y, lane->thread_index.z, *line ? " at " : "",
             line, address, alignment);
    say("shflviz: ");
    say(fault_text);
    say("\n");
    unlock_reports();
    fault_report(cpu_now.device, fault_text, cudaErrorMisalignedAddress);
    schedule_abandon(cpu_now.device);
}

/* A kernel continues after a division by zero; only the first is reported. */
static bool handle_division(void *context) {
    static char where[1024], text[1400];
    static bool is_told;
    if (!cpu_is_lane())
        return false;
    if (!is_told)
        format_place(context, where, sizeof where);
    const enum division division = division_resume(context);
    if (division == DIVISION_BY_ZERO && !is_told) {
        snprintf(text, sizeof text,
                 "shflviz: integer division by zero in %s; execution continues\n", where);
        say(text);
        is_told = true;
    }
    return division != DIVISION_NONE;
}

static void crashed(int number, siginfo_t *info, void *context) {
    static char where[1024], text[1400];
    lock_reports();
    if (number == SIGFPE && handle_division(context)) {
        unlock_reports();
        return;
    }
    write_printed(context);
    const enum whose whose = format_place(context, where, sizeof where);
    if (allow_library(info, whose) || ends_kernel(number, info, context, where)) {
        unlock_reports();
        return;
    }
    signal(number, SIG_DFL);
    snprintf(text, sizeof text, "shflviz: crash in %s: %s\n", where, reason(number, info, context));
    say(text);
    raise(number);
}

/* ---- programs that do not end ---- */

static bool end_is_reported;

static void say_end(const char *when, const void *context) {
    static char where[1024], text[1400];
    write_printed(context);
    if (end_is_reported)
        return;
    end_is_reported = true;
    format_place(context, where, sizeof where);
    snprintf(text, sizeof text, "shflviz: when %s, the program was in %s\n", when, where);
    say(text);
}

static void time_is_up(int number, siginfo_t *info, void *context) {
    (void)info;
    if (!cpu_is_lane() && block_workers_pass_on(number))
        return;
    say_end("its time ran out", context);
}

static void interrupted(int number, siginfo_t *info, void *context) {
    (void)info;
    if (!cpu_is_lane() && block_workers_pass_on(number))
        return;
    signal(number, SIG_DFL);
    say_end("it was interrupted", context);
    raise(number);
}

/* Reports a lane that keeps running. Long work cannot be distinguished from an endless wait,
 * because the compiler reads a plain variable only once. */
static void on_work_timer(int number, siginfo_t *info, void *context) {
    static __thread struct {
        const struct cpu_lane *lane;
        uint64_t block;
        long long launched;
    } before, now;
    static __thread time_t since;
    static __thread unsigned told;
    static char where[1024], text[1600];
    struct timespec used; /* measured in this thread: several threads would use up the program's
                           * second sooner */
    (void)info;
    if (!cpu_is_lane()) {
        block_workers_pass_on(number);
        return;
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    now.lane = cpu_now.lane;
    now.block = cpu_now.device->block;
    now.launched = cpu_now.device->launched;
    if (now.lane != before.lane || now.block != before.block || now.launched != before.launched) {
        before = now;
        since = used.tv_sec;
        told = LONG_WORK;
    }
    const unsigned seconds = (unsigned)(used.tv_sec - since) + 1;
    if (seconds < told)
        return;
    told *= 10;
    format_place(context, where, sizeof where);
    snprintf(
        text, sizeof text,
        "shflviz: still running: %s, for %u s without a change of lanes. It may be long work; if "
        "it waits for another thread by reading a plain variable, it never ends here, since lanes "
        "run one after another, and may not end on a GPU: use volatile, an atomic operation or a "
        "barrier (Ctrl-C ends it, --time SECONDS limits it)\n",
        where, seconds);
    say(text);
}

/* A stack for signals, because a lane's own may have overflowed. */
static __thread void *signal_stack;

void cpu_thread_begins(void) {
    const size_t size = 65536;
    signal_stack = malloc(size);
    if (signal_stack)
        sigaltstack(&(stack_t){.ss_sp = signal_stack, .ss_size = size}, NULL);
}

void cpu_thread_ends(void) {
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(signal_stack);
    signal_stack = NULL;
}

void crash_watch(const char *path, unsigned seconds) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char stack[65536];
    char name[256], copy[4096];
    FILE *list = path ? fopen(path, "r") : NULL;
    while (list && sources.count < SOURCES && fgets(name, sizeof name, list) &&
           fgets(copy, sizeof copy, list)) {
        name[strcspn(name, "\n")] = '\0';
        /* makes addr2line print names without folders */
        strcpy(sources.name[sources.count++], file_base_name(name));
    }
    if (list)
        fclose(list);
    void *first[1];
    backtrace(first, 1); /* loads its libraries while that is safe */
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
    struct sigaction interruption = {.sa_sigaction = interrupted,
                                     .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGINT, &interruption, NULL);
    /* In processor time, so that it does not interrupt the program's sleeps. */
    struct sigaction work = {.sa_sigaction = on_work_timer,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigaction(SIGVTALRM, &work, NULL);
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){{1, 0}, {1, 0}}, NULL);
    if (seconds) {
        struct sigaction alarm_action = {.sa_sigaction = time_is_up,
                                         .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
        sigaction(SIGALRM, &alarm_action, NULL);
        setitimer(ITIMER_REAL,
                  &(struct itimerval){.it_value = {(time_t)seconds - 1, 1000000 - BEFORE}}, NULL);
    }
}
