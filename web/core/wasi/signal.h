/*
 * signal.h - the numbers of signals as on Linux, and sets without effect: a page gets no signals.
 */
#ifndef SHFLVIZ_WEB_SIGNAL_H
#define SHFLVIZ_WEB_SIGNAL_H

enum {
    SIGHUP = 1,
    SIGINT = 2,
    SIGQUIT = 3,
    SIGILL = 4,
    SIGTRAP = 5,
    SIGABRT = 6,
    SIGBUS = 7,
    SIGFPE = 8,
    SIGKILL = 9,
    SIGSEGV = 11,
    SIGPIPE = 13,
    SIGTERM = 15
};

#include <stdlib.h>

typedef unsigned long sigset_t;
typedef int sig_atomic_t;

enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };

static inline int sigemptyset(sigset_t *set) {
    *set = 0;
    return 0;
}
static inline int sigfillset(sigset_t *set) {
    *set = ~0ul;
    return 0;
}
static inline int sigaddset(sigset_t *set, int signal) {
    *set |= 1ul << (signal - 1);
    return 0;
}
static inline int sigdelset(sigset_t *set, int signal) {
    *set &= ~(1ul << (signal - 1));
    return 0;
}
static inline int sigprocmask(int how, const sigset_t *set, sigset_t *before) {
    (void)how, (void)set;
    if (before)
        *before = 0;
    return 0;
}
#define raise(signal)   abort()
#define pthread_sigmask sigprocmask

#endif
