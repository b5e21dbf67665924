/*
 * request.h - a request, as a command that can be read, changed and written again.
 *
 * The line is a command without "shflviz": "xor --mask 3 --width 16", "kernel scan-8 --n 5". The
 * first one is made from a launch; a screen on which a setting is changed makes the next one by
 * appending words to it, since the last of repeated options counts. The screen parses the result
 * with the table of the command line, so that errors read the same.
 */
#ifndef SHFLVIZ_LAUNCH_REQUEST_H
#define SHFLVIZ_LAUNCH_REQUEST_H

#include "base/error.h"
#include "base/text.h"
#include "launch/launch.h"
#include "launch/word_list.h"

struct request {
    struct launch launch;   /* borrows the words and the name */
    struct word_list words; /* the words as read */
    char *name;             /* "xor", "kernel scan-8" */
};

/*
 * Reads a line, with or without a leading "shflviz ". `automatic` as in struct launch. Fails
 * (ERROR_USAGE) like the command line; conflicts between options are found when the request is
 * run. The caller releases it in either case.
 */
int request_read(struct request *request, const char *line, enum device_kind automatic,
                 struct error *err);
void request_release(struct request *request);

/* The line that requests a launch. */
void request_line(const struct launch *launch, struct text *line);

/* The line with an option set to a value, NULL for a flag; it need not be valid. */
void request_with_option(const struct launch *launch, enum launch_option option, const char *value,
                         struct text *line);

/* The line for another of the four shuffles, with the same argument and options. False, with
 * nothing appended, if either program is not a shuffle. */
bool request_convert(const struct launch *launch, const struct program *program, struct text *line);

/*
 * The line with the user's input applied, which may be
 *  - a setting, with its name first and all the rest as its value: "mask 5", "src (lane + 7) % 32",
 *    "undefined";
 *  - options: "--mask 5 --width 8";
 *  - another shuffle, which keeps all options that are not given: "down", "up --delta 2";
 *  - a kernel: "kernel scan-8";
 *  - the call of a warp function as programs have it (call.h); if the value that a shuffle moves is
 *    unknown, it is the lanes' current one.
 * Fails (ERROR_USAGE) on a quote that is not closed, and on a call that cannot be read.
 */
int request_from_input(const struct launch *launch, const char *typed, struct text *line,
                       struct error *err);

/*
 * Tab completion of a line: `completed` is the line up to the first choice, `choices` the possible
 * words, separated by blanks.
 */
void request_complete(const struct launch *launch, const char *typed, struct text *completed,
                      struct text *choices);

#endif
