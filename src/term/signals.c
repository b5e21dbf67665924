/*
 * Handlers set flags; the rest of the file turns flags into actions at safe points. The handlers of
 * fatal signals only restore the terminal and let the signal take effect.
 */
#include "term/signals.h"

#include "base/memory.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int noted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
/* Signals that do not end a program by default, or cannot be caught. */
static const int harmless[] = {SIGCHLD, SIGURG, SIGTTIN, SIGTTOU, SIGKILL, SIGSTOP};

#ifdef SIGRTMAX
#define SIGNALS_MOST 128 /* Linux has 64, FreeBSD 126; SIGRTMAX itself is a call */
#else
#define SIGNALS_MOST NSIG
#endif

static volatile sig_atomic_t ended, stop_asked, continued, size_changed;
static struct sigaction noted_before[COUNT(noted)];
static struct sigaction fatal_before[SIGNALS_MOST];
static bool fatal_taken[SIGNALS_MOST];
static sigset_t mask_before;  /* signals blocked before */
static sigset_t mask_waiting; /* without the noted signals */

static volatile sig_atomic_t armed;
static int crash_descriptor;
static char crash_bytes[1024];
static size_t crash_count;
static struct termios crash_modes;
/* A stack that has overflowed has no room for the handler that restores the terminal. */
static char crash_stack[1 << 16];
static stack_t stack_before;
static bool stack_taken;

/* Output that Ctrl-S has stopped would make the restore wait for Ctrl-Q. */
static void resume_output(void) {
    if (armed) {
        tcflow(crash_descriptor, TCOOFF); /* without this, TCOON has nothing to undo */
        tcflow(crash_descriptor, TCOON);
    }
}

static void note(int signal_number) {
    switch (signal_number) {
    case SIGTSTP:
        stop_asked = 1;
        break;
    case SIGCONT:
        continued = 1;
        break;
    case SIGWINCH:
        size_changed = 1;
        break;
    default:
        ended = signal_number;
        resume_output();
        break;
    }
}

/* Only async-signal-safe calls (POSIX, "Signal Concepts"): tcflow, write, tcsetattr. */
static void restore_terminal(void) {
    if (armed) {
        resume_output();
        armed = 0;
        if (write(crash_descriptor, crash_bytes, crash_count) < 0) {
            /* The terminal is gone; setting the modes below is the only thing left to try. */
        }
        tcsetattr(crash_descriptor, TCSANOW, &crash_modes);
    }
}

static void crash(int signal_number) {
    const int errno_before = errno;

    restore_terminal();
    sigaction(signal_number, &fatal_before[signal_number], NULL);
    errno = errno_before;
    raise(signal_number); /* blocked until this handler returns */
}

/* Takes a signal, unless it is ignored: an ignored signal stays ignored. */
static bool take(int number, struct sigaction *before, void (*handler)(int), int flags) {
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    return sigaction(number, NULL, before) == 0 && before->sa_handler != SIG_IGN &&
           sigaction(number, &action, NULL) == 0;
}

static bool is_among(int number, const int *signals, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (signals[i] == number)
            return true;
    return false;
}

/* Takes crashes, and all other signals that end a program by default. */
static void take_fatal(void) {
    const stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof(crash_stack)};

    /* A sanitizer has installed its own stack. */
    stack_taken = sigaltstack(NULL, &stack_before) == 0 && (stack_before.ss_flags & SS_DISABLE) &&
                  sigaltstack(&stack, NULL) == 0;
    for (int i = 1; i < SIGNALS_MOST; i++)
        fatal_taken[i] = !is_among(i, noted, COUNT(noted)) &&
                         !is_among(i, harmless, COUNT(harmless)) &&
                         take(i, &fatal_before[i], crash, SA_ONSTACK);
}

static void noted_set(sigset_t *set) {
    sigemptyset(set);
    for (size_t i = 0; i < COUNT(noted); i++)
        sigaddset(set, noted[i]);
}

void signals_take(void) {
    sigset_t set;

    ended = stop_asked = continued = size_changed = 0;
    noted_set(&set);
    sigprocmask(SIG_BLOCK, &set, &mask_before);
    mask_waiting = mask_before;
    for (size_t i = 0; i < COUNT(noted); i++)
        sigdelset(&mask_waiting, noted[i]);
    for (size_t i = 0; i < COUNT(noted); i++)
        take(noted[i], &noted_before[i], note, SA_RESTART);
    take_fatal();
}

void signals_restore(void) {
    for (size_t i = 0; i < COUNT(noted); i++)
        sigaction(noted[i], &noted_before[i], NULL);
    for (int i = 1; i < SIGNALS_MOST; i++)
        if (fatal_taken[i])
            sigaction(i, &fatal_before[i], NULL);
    if (stack_taken)
        sigaltstack(&stack_before, NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

void signals_allow(bool through) {
    sigset_t set;

    noted_set(&set);
    sigdelset(&set,
              SIGTSTP); /* the signal would only be noted, which does not help the waiting code */
    sigdelset(&set, SIGCONT);
    sigdelset(&set, SIGWINCH);
    sigprocmask(through ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

unsigned signals_wait(const int *descriptors, size_t count, long milliseconds) {
    const struct timespec limit = {milliseconds / 1000, (milliseconds % 1000) * 1000000};
    fd_set readable;
    int highest = -1;
    unsigned result = 0;

    FD_ZERO(&readable);
    for (size_t i = 0; i < count; i++) {
        if (descriptors[i] < 0 || descriptors[i] >= FD_SETSIZE)
            continue;
        FD_SET(descriptors[i], &readable);
        highest = descriptors[i] > highest ? descriptors[i] : highest;
    }
    /* select, because on some systems poll does not accept terminals. */
    if (pselect(highest + 1, &readable, NULL, NULL, milliseconds < 0 ? NULL : &limit,
                &mask_waiting) <= 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (descriptors[i] >= 0 && descriptors[i] < FD_SETSIZE &&
            FD_ISSET(descriptors[i], &readable))
            result |= 1u << i;
    return result;
}

int signals_ended(void) {
    return ended;
}

void signals_forget_ended(void) {
    ended = 0;
}

static bool take_flag(volatile sig_atomic_t *flag) {
    const bool was_set = *flag != 0;

    *flag = 0;
    return was_set;
}

bool signals_stop_asked(void) {
    return take_flag(&stop_asked);
}

bool signals_continued(void) {
    return take_flag(&continued);
}

bool signals_size_changed(void) {
    return take_flag(&size_changed);
}

void signals_stop(void) {
    struct sigaction stop, before;
    sigset_t set;

    memset(&stop, 0, sizeof(stop));
    stop.sa_handler = SIG_DFL;
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, &before);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, NULL); /* here the process stops */
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGTSTP, &before, NULL);
}

void signals_arm(int descriptor, const char *bytes, size_t count, const struct termios *modes) {
    armed = 0;
    crash_descriptor = descriptor;
    crash_count = count < sizeof(crash_bytes) ? count : sizeof(crash_bytes);
    memcpy(crash_bytes, bytes, crash_count);
    crash_modes = *modes;
    armed = 1;
    memory_set_cleanup(restore_terminal);
}

void signals_disarm(void) {
    armed = 0;
}
