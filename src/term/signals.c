#include "term/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int noted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
/* Crashes, and what ends a program that does not expect it. */
static const int fatal[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT,
                            SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGSYS};

static volatile sig_atomic_t ended, stop_asked, continued, size_changed;
static struct sigaction noted_before[COUNT(noted)];
static struct sigaction fatal_before[COUNT(fatal)];
static sigset_t mask_before; /* what was blocked before; also the mask while waiting */

static volatile sig_atomic_t armed;
static int crash_descriptor;
static char crash_bytes[1024];
static size_t crash_count;
static struct termios crash_modes;

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
        break;
    }
}

/* Only async-signal-safe calls (POSIX, "Signal Concepts"): write, tcsetattr, sigaction, raise. */
static void crash(int signal_number) {
    const int errno_before = errno;

    if (armed) {
        armed = 0;
        if (write(crash_descriptor, crash_bytes, crash_count) < 0) {
            /* The terminal is gone; the modes below are the only thing left to try. */
        }
        tcsetattr(crash_descriptor, TCSANOW, &crash_modes);
    }
    for (size_t i = 0; i < COUNT(fatal); i++)
        if (fatal[i] == signal_number)
            sigaction(signal_number, &fatal_before[i], NULL);
    errno = errno_before;
    raise(signal_number); /* held back until this handler returns */
}

static void take(const int *signals, size_t count, struct sigaction *before, void (*handler)(int)) {
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < count; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
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
    take(noted, COUNT(noted), noted_before, note);
    take(fatal, COUNT(fatal), fatal_before, crash);
}

void signals_give_back(void) {
    for (size_t i = 0; i < COUNT(noted); i++)
        sigaction(noted[i], &noted_before[i], NULL);
    for (size_t i = 0; i < COUNT(fatal); i++)
        sigaction(fatal[i], &fatal_before[i], NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
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
    /* select, for there are systems whose poll does not take terminals. */
    if (pselect(highest + 1, &readable, NULL, NULL, milliseconds < 0 ? NULL : &limit,
                &mask_before) <= 0)
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

static bool take_note(volatile sig_atomic_t *flag) {
    const bool was_set = *flag != 0;

    *flag = 0;
    return was_set;
}

bool signals_stop_asked(void) {
    return take_note(&stop_asked);
}

bool signals_continued(void) {
    return take_note(&continued);
}

bool signals_size_changed(void) {
    return take_note(&size_changed);
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
}

void signals_disarm(void) {
    armed = 0;
}
