/*
 * confine.h - limits for a program that is not to be trusted, and walls around it.
 *
 * Limits are the kernel's (setrlimit): memory, processor time, the size of files, the number of
 * open files, no core files. They hold on every system.
 *
 * Walls are Linux's. Landlock (5.13 and later) lets the program see its own folder, what a C
 * program needs to start (/usr, /lib, a few devices) and what the caller names, nothing else;
 * seccomp takes away the calls that reach out of the process: sockets, ptrace, signals to others,
 * other processes' memory and limits, mounting, changing modes and owners of files, and any call
 * that is newer than the list of those known to be harmless. A superuser's capabilities are
 * dropped. What a kernel lacks is left out, and confine_support() says so. docs/SECURITY.md says
 * what is promised.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CONFINE_H
#define SHFLVIZ_DEVICE_OWN_CONFINE_H

#include "base/text.h"
#include "shflviz/run_settings.h"

#include <stdbool.h>

/* What kind of process is confined. */
enum confine_role {
    CONFINE_NOTHING,  /* limits only */
    CONFINE_COMPILER, /* may start processes and change modes */
    CONFINE_PROGRAM   /* one process; threads are allowed */
};

/* What a stranger's compiler or program gets if nothing else is asked for; no limits for
 * CONFINE_NOTHING. */
struct confine_limits confine_limits(enum confine_role role);
/* The same with the seconds and the memory that are given; a compiler gets no less for them. */
struct confine_limits confine_limits_given(const struct confine_limits *given,
                                           enum confine_role role);

struct confine {
    enum confine_role role;
    struct confine_limits limits;
    const char *folder;          /* may be read and written, with all below it */
    const char *const *readable; /* more files and folders to read, and for a
                                    compiler to run, ended by NULL; may be NULL */
};

/* What this system's kernel offers. */
struct confine_support {
    int landlock; /* version of Landlock's interface; 0: none */
    bool seccomp;
};
struct confine_support confine_support(void);

/* Appends what confinement means here, one line: what is kept, what this kernel cannot keep. */
void confine_describe(struct text *text, const struct confine_support *support);

/*
 * Puts the calling process behind the limits and walls for good, with all that it starts. Between
 * fork and exec: calls only what a signal handler may call. Returns 0, or -1 with errno set if the
 * kernel has something and refuses it; what the kernel lacks is not a failure.
 */
int confine_here(const struct confine *confine);

#endif
