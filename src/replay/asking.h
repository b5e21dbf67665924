/*
 * asking.h - what has been asked about a moment, and what was answered.
 *
 * Only the state; predict.h asks, judges and shows, answer.h knows what is right.
 */
#ifndef SHFLVIZ_REPLAY_ASKING_H
#define SHFLVIZ_REPLAY_ASKING_H

#include "explain/question.h"
#include "replay/cursor.h"
#include "replay/input.h"

#include <stdbool.h>
#include <stdint.h>

enum prediction_state {
    PREDICTION_NONE,
    PREDICTION_ASKED,
    PREDICTION_RIGHT,
    PREDICTION_WRONG,
    PREDICTION_SHOWN, /* the learner gave up and was shown the answer */
};

struct replay_asking {
    enum prediction_state state;
    int lane;                       /* the lane asked about; -1 if the question is about none */
    char answer[REPLAY_INPUT_SIZE]; /* what was answered: "7", "own", "0-15" */
    struct question question;       /* what was asked; of kind QUESTION_NONE if nothing was */
    bool fixed;                     /* a lesson or a quiz asked: keys do not change the question */
    uint32_t marks;  /* lanes answered: a set as far as it is typed or marked; the lane answered for
                        a source, once it is judged */
    uint32_t right;  /* once judged or shown, the lanes that are right; marks outside of them are
                        wrong. 0 of a value */
    uint32_t either; /* lanes that count neither way */
};

/* What a picture may have to hide: what a lesson says (enum lesson_hide, the same numbers), and
 * what an open question asks for. */
enum replay_hidden {
    REPLAY_HIDES_IN = 1,     /* the values that lanes bring along */
    REPLAY_HIDES_READS = 2,  /* addresses, sources, range, which lanes are undefined, findings */
    REPLAY_HIDES_OUT = 4,    /* the values that lanes get, what changed */
    REPLAY_HIDES_ABSENT = 8, /* which lanes make the call */
    REPLAY_HIDES_LATER = 16, /* the operations that follow */
    REPLAY_HIDES_CALL = 32,  /* which call it is: its name, arguments, line, groups */
};

/* What an open question hides, as a set of enum replay_hidden; 0 if none is open. */
unsigned asking_hides(const struct replay_asking *asking, const struct cursor *cursor);

/* Takes the question, or its answer, away, and closes its prompt. True if there was one. */
bool asking_end(struct replay_asking *asking, struct input *input);

#endif
