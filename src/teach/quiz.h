/*
 * quiz.h - questions drawn at random from a recording, without end, harder as one succeeds.
 *
 * Pure as a replay is: randomness comes from a seed, so that a script can play it. A quiz over the
 * built-in shuffles gets a new recording now and then through `more`.
 */
#ifndef SHFLVIZ_TEACH_QUIZ_H
#define SHFLVIZ_TEACH_QUIZ_H

#include "base/error.h"
#include "lesson/question.h"
#include "replay/replay.h"

#include <stdbool.h>
#include <stdint.h>

#define QUIZ_LEVELS 5 /* 1: source of a lane in range ... 5: sets of lanes, values after rounds */

struct quiz {
    struct replay replay;
    struct question question;
    int level;                  /* 1..QUIZ_LEVELS */
    unsigned asked, right, row; /* in all; right at the first try; in a row */
    bool answered;              /* the answer is on the screen; Enter or Space asks the next */
    bool hinted;
    unsigned tries;
    uint64_t random;          /* state of the generator */
    uint64_t since_recording; /* questions asked about this recording */
    bool wants_recording;     /* a new one would be welcome: quiz_recording() */
    char message[160];
    bool quit;
};

/* Fails (ERROR_USAGE) if nothing can be asked about the recording. Borrows the trace. */
int quiz_init(struct quiz *quiz, const struct trace *trace, uint64_t seed, int level,
              struct error *err);
/* Goes on with another recording; the old one may be closed after. Keeps the score. */
int quiz_recording(struct quiz *quiz, const struct trace *trace, struct error *err);

bool quiz_key(struct quiz *quiz, const char *key);
bool quiz_apply(struct quiz *quiz, enum action action, long argument);
bool quiz_tick(struct quiz *quiz, long milliseconds);
long quiz_wait(const struct quiz *quiz);

#endif
