/*
 * user_request.h - what is asked of a program of the user's own that is to be built and run.
 */
#ifndef SHFLVIZ_LAUNCH_USER_REQUEST_H
#define SHFLVIZ_LAUNCH_USER_REQUEST_H

#include "cudacpu/cudacpu.h"
#include "device/device.h"
#include "launch/orders.h"
#include "launch/user_bring.h"
#include "launch/word_list.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* Steps kept in a recording without a named file. */
#define USER_RUN_STEPS (UINT64_C(1) << 19)

struct running_program; /* the run, while it goes on: one_run.h */

/* Has the terminal from the first steps on, which are in `trace`, the callee's; the program is
 * ended if it still runs when this returns. */
typedef void user_attend(void *context, struct running_program *going, struct trace *trace);

struct user_request {
    char *const *files; /* .cu, .cpp, .cc, .c; or one folder, which means all its files */
    int file_count;
    struct word_list include, define; /* -I, -D */
    const char *standard;             /* --std; NULL: c++17 */
    struct user_choice wish;          /* of one CUDA file: what is run of it */
    struct text *printed;             /* takes the standard output, too; NULL: not wanted */
    const struct user_source *text;   /* in the place of the files; NULL: they are read */
    enum device_kind device;
    /* Arguments, command, readable and settings. Jobs 0: as many as there are processors; limits 0:
     * those of a sandbox if it is confined, else none. */
    struct user_run run;
    const char *output;               /* -o: where the recording goes; NULL: it is not kept */
    bool print_to_errors;             /* the program's standard output goes to our standard error */
    bool is_repeated;                 /* this has run before: it reads and prints nothing */
    bool accesses;                    /* watch its memory accesses, where that can be done */
    struct orders_difference *orders; /* of several schedules: what differs; NULL: not wanted */
    user_attend *attend;              /* NULL: nobody looks before the program has ended */
    void *attend_context;
};

#endif
