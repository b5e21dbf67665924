/*
 * one_run.h - one run of a program that has been built: where its recording and its output go, and
 * a look at it meanwhile. user_run.h builds programs and runs them, several times perhaps.
 */
#ifndef SHFLVIZ_LAUNCH_ONE_RUN_H
#define SHFLVIZ_LAUNCH_ONE_RUN_H

#include "base/error.h"
#include "launch/user_request.h"
#include "trace/recording_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The place that -o names, from before the build, so that two runs never mix. The program takes it
 * over, or what it recorded is copied there. */
struct held {
    struct recording_file file;
    bool is_held;
    struct stat before; /* what is there already */
    bool has_before;
};
int held_take(struct held *held, const char *path, struct error *err);
void held_let_go(struct held *held);

/* One of several runs. */
struct turn {
    uint32_t run, runs; /* from 1 */
    bool asks;          /* user_program_ignores() is to be asked */
};

/* Runs a program that was built for the request. *trace is the recording, which the caller closes,
 * or NULL; *status the program's own. Fails as user_record() does. */
int one_run(const struct user_request *request, const struct user_program *program,
            struct held *held, struct turn turn, struct trace **trace, int *status,
            struct error *err);

/*
 * A program that goes on while its recording is looked at. The caller listens again and again, and
 * looks at what there is by then; once the program has ended it settles the run, which opens the
 * recording itself.
 */
/* False once the program has ended. */
bool running_program_listen(struct running_program *going, int milliseconds);
/* At most 3 whose readiness is a reason to listen. */
size_t running_program_descriptors(const struct running_program *going, int *descriptors);
/* What has been recorded by now, which the caller closes; NULL: nothing since the last look. */
struct trace *running_program_look(struct running_program *going);
const char *running_program_name(const struct running_program *going);
/* Recorded, or dropped beyond a limit: more than a look may show. */
uint64_t running_program_steps(const struct running_program *going);
/* Ends the program; its recording stays. It takes a moment: listen on. */
void running_program_interrupt(struct running_program *going);
/* Waits for the end. What user_record() is to return, and the program's status; the recording, NULL
 * if there is none, is user_record()'s and lives until that has returned. */
struct user_run_end {
    int result, status;
    const struct error *err; /* of the result */
    const struct trace *trace;
};
struct user_run_end running_program_settle(struct running_program *going);

#endif
