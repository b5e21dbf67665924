/*
 * quiz.h - questions drawn at random from a recording, without end; they get harder with success.
 *
 * Like a replay, it is deterministic: randomness comes from a seed, so that a script can play it. A
 * quiz over the built-in shuffles gets a new recording now and then (see wants_recording).
 *
 * Levels are those of draw.h. Three right answers in a row raise the level by one; two wrong ones
 * lower it.
 *
 * A wrong answer gets the hint and a second try. The keys are those of ACTION_MODE_QUESTION while
 * a question is open, and of ACTION_MODE_QUIZ while an answer is shown.
 */
#ifndef SHFLVIZ_TEACH_QUIZ_H
#define SHFLVIZ_TEACH_QUIZ_H

#include "base/error.h"
#include "explain/question.h"
#include "lesson/lesson.h"
#include "replay/replay.h"
#include "teach/draw.h"
#include "teach/prose.h"
#include "teach/results.h"

#include <stdbool.h>
#include <stdint.h>

#define QUIZ_LEVELS DRAW_LEVELS

struct quiz {
    struct replay replay;
    struct question question;
    uint64_t warp, position;    /* of the operation asked about */
    int level;                  /* 1..QUIZ_LEVELS */
    unsigned asked, right, row; /* settled; right on the first try, without a hint; in a row */
    unsigned wrong_row;         /* wrong or shown, in a row */
    bool reveal_asked;          /* the answer is shown on the next request */
    bool answered;              /* the answer is on the screen; Enter or Space asks the next */
    bool hinted;
    bool was_right;    /* once answered: right on some try */
    bool asks_beat;    /* the question is from quiz_ask() */
    struct prose told; /* its beat's narration and question; empty if the program words the
                        * question */
    unsigned tries;
    uint64_t random;          /* state of the generator */
    uint64_t since_recording; /* questions asked about this recording */
    bool wants_recording;     /* a new one would be welcome: quiz_set_recording() */
    char message[160];
    bool quit;
    struct results *results; /* destination of answers, borrowed; may be NULL */
    unsigned questions;      /* number of questions; 0 for endless */
};

/* Fails (ERROR_USAGE) if no question is possible about the recording. Borrows the trace. */
int quiz_init(struct quiz *quiz, const struct trace *trace, uint64_t seed, int level,
              struct error *err);
/* Continues with another recording; the old one may then be closed. Keeps the score. */
int quiz_set_recording(struct quiz *quiz, const struct trace *trace, struct error *err);

/* Replaces the open question by that of a lesson's beat, with the beat's narration, about the
 * quiz's recording. Fails (ERROR_USAGE), with the quiz unchanged, if the recording does not have
 * the beat's content. */
int quiz_ask(struct quiz *quiz, const struct lesson *lesson, const struct lesson_beat *beat,
             const char *language, struct error *err);

void quiz_release(struct quiz *quiz); /* not its trace */

/* Answers the open question, as if it had been typed. */
bool quiz_answer(struct quiz *quiz, const char *typed);

struct press quiz_press(const struct quiz *quiz, const char *key);
/* True if anything visible changed. */
bool quiz_key(struct quiz *quiz, struct press press);
bool quiz_apply(struct quiz *quiz, enum action action, long argument);
bool quiz_tick(struct quiz *quiz, long milliseconds);
long quiz_wait(const struct quiz *quiz);

#endif
