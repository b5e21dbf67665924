/*
 * launch.h - a run described by options, and its recording.
 *
 * launch_init() initialises a launch. Options give it values: those of a command line (LAUNCH_WIDTH
 * ... are rows of the command line's table) or those of a lesson's `launch:` line
 * (launch_read_line). Running it then makes a recording.
 */
#ifndef SHFLVIZ_LAUNCH_LAUNCH_H
#define SHFLVIZ_LAUNCH_LAUNCH_H

#include "base/error.h"
#include "base/text.h"
#include "device/device.h"
#include "launch/option.h"
#include "launch/word_list.h"
#include "trace/trace.h"

#include <stdbool.h>

/* In the order used by help, manual and a recording's command. */
enum launch_option {
    LAUNCH_SRC,
    LAUNCH_DELTA,
    LAUNCH_MASK,
    LAUNCH_WIDTH,
    LAUNCH_MEMBERS,
    LAUNCH_THREADS,
    LAUNCH_BLOCKS,
    LAUNCH_TYPE,
    LAUNCH_IN,
    LAUNCH_N,
    LAUNCH_UNDEFINED,
    LAUNCH_DEVICE,
    LAUNCH_SCHEDULE,
    LAUNCH_POISON,
    LAUNCH_STEPS,
    LAUNCH_WATCH_KERNEL,
    LAUNCH_WATCH_LAUNCH,
    LAUNCH_WATCH_BLOCK,
    LAUNCH_WATCH_WARP,
    LAUNCH_WATCH_LINE,
    LAUNCH_MEMORY,
    LAUNCH_TIMEOUT,
    LAUNCH_OUTPUT,
    LAUNCH_OPTION_COUNT
};

/* Options that most programs accept. */
#define LAUNCH_OPTIONS_SHARED                                                                      \
    ((OPTION_BIT(LAUNCH_OPTION_COUNT) - OPTION_BIT(LAUNCH_WIDTH)) & ~OPTION_BIT(LAUNCH_N))

const struct option_info *launch_option(int id); /* an enum launch_option */

/* The --in of a shuffle that a learner opens: no value equals the number of its lane. */
#define LAUNCH_DISTINCT_VALUES "100+lane"

struct launch {
    const struct program *program;
    const char *name; /* of the command: "xor", "kernel scan"; begins messages, and is recorded */

    /* The options as typed: "" for a flag; NULL if not given, for the program's default. The
     * expressions (--in, --src, --delta, --mask) are read from here. Borrowed. */
    const char *typed[LAUNCH_OPTION_COUNT];
    /* The values of the other options. argument and input stay NULL. */
    struct program_parameters parameters;
    bool undefined;               /* any width is accepted */
    struct device_options device; /* step_limit 0: all steps into a named file, else 4194304 */
    const char *output;           /* path of the recording; NULL for an unnamed file */
    const char *assumed;     /* for a call (call.h): assumed values; NULL if there is no call */
    bool output_is_standard; /* -o -: the recording is copied to standard output */

    enum device_kind
        automatic; /* the choice for DEVICE_AUTO; DEVICE_AUTO itself means a GPU if there is one */
};

void launch_init(struct launch *launch, const struct program *program, const char *name);

/* The option that sets the argument of a program's lanes: LAUNCH_SRC, LAUNCH_DELTA or LAUNCH_MASK;
 * or LAUNCH_OPTION_COUNT if it takes none. */
enum launch_option launch_argument(const struct program *program);

/* Appends the options that apply to a program: "--threads --type". */
void launch_options_taken(struct text *text, const struct program *program);

/* Fills err (ERROR_USAGE) for a name that is not a kernel's, with the nearest one; returns -1.
 * Kernels of a single shuffle are commands of their own and are not suggested. */
int launch_kernel_unknown(const char *name, struct error *err);

/* Appends the command that describes the launch, without the program's name: "xor --mask 3".
 * Options for the recording's path are left out. A shell, and request_read(), can read it back. */
void launch_append_command(const struct launch *launch, struct text *command);
/* Appends a word, quoted if a shell would need that. */
void launch_append_quoted(struct text *text, const char *word);

/* Fills err (ERROR_USAGE) for --src, --delta or --mask if the shuffle takes another of them;
 * returns -1. */
int launch_refuse_argument(const struct program *program, enum launch_option option,
                           struct error *err);

/* The options that launch_read_words() accepts for a program. */
option_set launch_options_read(const struct program *program);

/*
 * Reads the words of a command line that follow the name in launch->name. Options for the
 * recording's path are refused. The launch borrows the words. Fails with ERROR_USAGE.
 */
int launch_read_words(struct launch *launch, int count, char **words, struct error *err);

/*
 * Reads options from a lesson's line: "--mask 3 --width 16". Options for the recording's path, and
 * a GPU, are refused: a lesson plays everywhere. `words` gets the words, which the launch then
 * borrows; release them even after a failure (ERROR_USAGE).
 */
int launch_read_line(struct launch *launch, const char *line, struct word_list *words,
                     struct error *err);

/*
 * Checks all options against the program's before it creates the output file, runs the kernel, and
 * opens the recording, which the caller closes.
 *
 * After a failure *trace is NULL; but if the kernel did not finish (ERROR_RUN), it is the recording
 * up to then, saved like any other.
 */
int launch_record(const struct launch *launch, struct trace **trace, struct error *err);

/* Receives the parameters of the run, which are valid during the visit. */
typedef int launch_visitor(void *context, const struct program_parameters *parameters,
                           const struct device_options *device, struct error *err);
/* Checks every option like launch_record(), and passes the resulting parameters to the visit
 * instead of running the kernel. Fails if the check or the visit fails. */
int launch_prepare(const struct launch *launch, launch_visitor *visit, void *context,
                   struct error *err);

/* True if -o waits until a recording has reached the disk, so that it survives a power failure.
 * False only if SHFLVIZ_SYNC is 0. */
bool launch_is_durable(void);

#endif
