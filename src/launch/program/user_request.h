/* user_request.h - a request to build and run a user program. */
#ifndef SHFLVIZ_LAUNCH_USER_REQUEST_H
#define SHFLVIZ_LAUNCH_USER_REQUEST_H

#include "cudacpu/cudacpu.h"
#include "device/device.h"
#include "launch/program/orders.h"
#include "launch/program/user_bring.h"
#include "launch/word_list.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* Steps kept in a recording without a named file. */
#define USER_RUN_STEPS (UINT64_C(1) << 19)

struct running_program; /* a program that is running: one_run.h */

/* Called with the first steps in `trace`. The callee owns `trace`, and the terminal from then on.
 * If the program is still running when this returns, it is ended. */
typedef void user_attend(void *context, struct running_program *going, struct trace *trace);

struct user_request {
    char *const *files; /* .cu, .cpp, .cc, .c; or one folder, for all its files */
    int file_count;
    struct word_list include, define; /* -I, -D */
    const char *standard;             /* --std; NULL for c++17 */
    struct user_choice choice;        /* for one CUDA file: the function that is run */
    struct text *printed;             /* gets the standard output, too; may be NULL */
    const struct user_source *text;   /* instead of the files; NULL if they are to be read */
    enum device_kind device;
    const struct user_shown *shown; /* for a build that runs on a GPU */
    size_t shown_count;
    /* Arguments, command, readable and settings. Jobs 0: as many as there are processors; limits
     * 0: those of a sandbox if it is confined, else none. */
    struct user_run run;
    const char *output;               /* -o: the path for the recording; NULL if it is not kept */
    bool print_to_errors;             /* standard output is sent to our standard error */
    bool is_repeated;                 /* a repetition of an earlier run, without input and output */
    bool accesses;                    /* watch its memory accesses, if possible */
    struct orders_difference *orders; /* for several schedules: their differences; may be NULL */
    user_attend *attend;              /* NULL if nothing is shown before the program has ended */
    void *attend_context;
};

#endif
