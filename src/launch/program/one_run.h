/*
 * one_run.h - one run of a program that has been built: the destinations of its recording and its
 * output, and access to both while it runs. user_run.h builds programs and runs them, perhaps
 * several times.
 */
#ifndef SHFLVIZ_LAUNCH_ONE_RUN_H
#define SHFLVIZ_LAUNCH_ONE_RUN_H

#include "base/error.h"
#include "launch/program/user_request.h"
#include "trace/recording_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The path that -o names, locked before the build, so that two runs never write to it at the same
 * time. The program takes the file over, or its recording is copied there. */
struct held {
    struct recording_file file;
    bool is_held;
    struct stat before; /* the file that exists already */
    bool has_before;
};
int held_lock(struct held *held, const char *path, struct error *err);
void held_release(struct held *held);

/* One of several runs. */
struct turn {
    uint32_t run, runs; /* from 1 */
    bool asks;          /* user_program_ignores_poison() must be called */
};

/* Runs a program that was built for the request. *trace is the recording, which the caller closes,
 * or NULL; *status is the program's exit status. Fails like user_record(). */
int one_run(const struct user_request *request, const struct user_program *program,
            struct held *held, struct turn turn, struct trace **trace, int *status,
            struct error *err);

/*
 * A running program whose recording is shown. The caller polls it repeatedly and reads the
 * recording so far. After the program has ended, it calls running_program_settle(), which opens the
 * recording itself.
 */
/* False once the program has ended. */
bool running_program_listen(struct running_program *going, int milliseconds);
/* At most 3 descriptors to poll before listening. */
size_t running_program_descriptors(const struct running_program *going, int *descriptors);
/* The recording so far, which the caller closes; NULL if there is nothing new since the last
 * look. */
struct trace *running_program_look(struct running_program *going);
const char *running_program_name(const struct running_program *going);
/* Steps recorded, or dropped beyond a limit; possibly more than the recording so far can show. */
uint64_t running_program_steps(const struct running_program *going);
/* Ends the program; its recording is kept. This takes a moment: keep listening. */
void running_program_interrupt(struct running_program *going);
/* Waits for the end. Gives the result of user_record(), and the program's status; the recording,
 * NULL if there is none, belongs to user_record() and is valid until that returns. */
struct user_run_end {
    int result, status;
    const struct error *err; /* of the result */
    const struct trace *trace;
};
struct user_run_end running_program_settle(struct running_program *going);

#endif
