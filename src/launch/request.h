/*
 * request.h - what is asked for, as a command that can be read, changed and said again.
 *
 * The line is a command without "shflviz": "xor --mask 3 --width 16", "kernel scan-8 --n 5". The
 * front door makes the first one; a screen on which something is changed makes the next by adding
 * words to it, of an option given twice the last counts, and reads that with the same table, so
 * that it is refused in the same words.
 */
#ifndef SHFLVIZ_LAUNCH_REQUEST_H
#define SHFLVIZ_LAUNCH_REQUEST_H

#include "base/error.h"
#include "base/text.h"
#include "launch/launch.h"
#include "launch/word_list.h"

struct request {
    struct launch launch;   /* borrows the words and the name */
    struct word_list words; /* as they were read */
    char *name;             /* "xor", "kernel scan-8" */
};

/*
 * Reads a line, "shflviz " in front of it or not. `automatic` as in struct launch. Fails
 * (ERROR_USAGE) as the command line does; what is wrong together is found when it is run. To be
 * released either way.
 */
int request_read(struct request *request, const char *line, enum device_kind automatic,
                 struct error *err);
void request_release(struct request *request);

/* The line that a launch is asked for with. */
void request_line(const struct launch *launch, struct text *line);

/* The line with an option given a value, NULL for a flag; it need not be right. */
void request_with(const struct launch *launch, enum launch_option option, const char *value,
                  struct text *line);

/* The line for another of the four shuffles, with the same argument and options. False, and nothing
 * is appended, if either program is not one. */
bool request_as(const struct launch *launch, const struct program *program, struct text *line);

/*
 * The line with what a person has typed: a setting, its name first and all the rest its value
 * ("mask 5", "src (lane + 7) % 32", "undefined"); options ("--mask 5 --width 8"); another shuffle
 * ("down", "up --delta 2"), which keeps what is not given; a kernel ("kernel scan-8"); or the call
 * of a shuffle as programs have it (call.h). Fails (ERROR_USAGE) on a quote that is not closed, and
 * on a call that cannot be read.
 */
int request_typed(const struct launch *launch, const char *typed, struct text *line,
                  struct error *err);

/*
 * What Tab makes of a line that is being typed: `completed` is it as far as there is one way to go
 * on, `choices` the words there are, blanks between them.
 */
void request_complete(const struct launch *launch, const char *typed, struct text *completed,
                      struct text *choices);

#endif
