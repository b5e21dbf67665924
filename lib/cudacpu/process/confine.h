/*
 * confine.h - limits and a sandbox for an untrusted program.
 *
 * Limits are the kernel's (setrlimit): memory, processor time, the size of files, the number of
 * open files, no core files. They apply on every system.
 *
 * The sandbox needs Linux. Landlock (5.13 and later) lets the program see only its own folder, what
 * a C program needs to start (/usr, /lib, a few devices), and what the caller names; seccomp blocks
 * the calls that reach out of the process: sockets, ptrace, signals to others, other processes'
 * memory and limits, mounting, changing modes and owners of files, and any call newer than the list
 * of calls known to be harmless. A superuser's capabilities are dropped. Features that the kernel
 * lacks are skipped, and confine_support() lists them. docs/SECURITY.md states the promises.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CONFINE_H
#define SHFLVIZ_DEVICE_OWN_CONFINE_H

#include "base/text.h"
#include "shflviz/run_settings.h"

#include <stdbool.h>

/* The kind of process that is confined. */
enum confine_role {
    CONFINE_NOTHING,  /* limits only */
    CONFINE_COMPILER, /* may start processes and change modes */
    CONFINE_PROGRAM   /* one process; threads are allowed */
};

/* The default limits of an untrusted compiler or program; none for CONFINE_NOTHING. */
struct confine_limits confine_limits(enum confine_role role);
/* The same with the given seconds and memory; a compiler gets at least the default. */
struct confine_limits confine_limits_given(const struct confine_limits *given,
                                           enum confine_role role);

struct confine {
    enum confine_role role;
    struct confine_limits limits;
    const char *folder;          /* may be read and written, with everything below it */
    const char *const *readable; /* more files and folders to read, and for a
                                    compiler to run, ended by NULL; may be NULL */
};

/* The features of this system's kernel. */
struct confine_support {
    int landlock; /* version of Landlock's interface; 0 for none */
    bool seccomp;
};
struct confine_support confine_support(void);

/* Appends the effect of confinement on this system, in one line: what is enforced, and what this
 * kernel cannot enforce. */
void confine_describe(struct text *text, const struct confine_support *support);

/*
 * Applies the limits and the sandbox to the calling process for good, and to everything that it
 * starts. Runs between fork and exec, so it calls only functions that a signal handler may call.
 * Returns 0, or -1 with errno set if the kernel refuses a feature that it has; a missing feature
 * is not a failure.
 */
int confine_self(const struct confine *confine);

#endif
