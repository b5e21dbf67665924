/*
 * asking.h - the question about a moment, and its answer.
 *
 * This is only the state; predict.h asks, judges and shows, and answer.h knows what is right.
 */
#ifndef SHFLVIZ_REPLAY_ASKING_H
#define SHFLVIZ_REPLAY_ASKING_H

#include "explain/question.h"
#include "replay/cursor.h"
#include "replay/keys/input.h"

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
    int lane;                       /* the lane asked about; -1 if the question is not about one */
    char answer[REPLAY_INPUT_SIZE]; /* the answer given: "7", "own", "0-15" */
    struct question question;       /* the question; of kind QUESTION_NONE if there is none */
    bool fixed;      /* asked by a lesson or a quiz, so keys do not change the question */
    uint32_t marks;  /* lanes in the answer: the set typed or marked so far; for a source, the
                        lane answered, once the answer has been judged */
    uint32_t right;  /* once judged or shown: the lanes that are right; marks on others are wrong. 0
                        for a value */
    uint32_t either; /* lanes that count neither as right nor as wrong */
};

/* The way in which a lesson shows a matrix; the same numbers as in enum lesson_matrix. */
enum replay_matrix { REPLAY_MATRIX_VALUES, REPLAY_MATRIX_LANES, REPLAY_MATRIX_BANKS };

/* Parts of a picture to hide: those that a lesson names (the numbers of enum lesson_hide), and
 * those that an open question asks for. */
enum replay_hidden {
    REPLAY_HIDES_IN = 1,     /* the values that lanes pass */
    REPLAY_HIDES_READS = 2,  /* addresses, sources, range, which lanes are undefined, findings */
    REPLAY_HIDES_OUT = 4,    /* the values that lanes get, what changed */
    REPLAY_HIDES_ABSENT = 8, /* which lanes make the call */
    REPLAY_HIDES_LATER = 16, /* the operations that follow */
    REPLAY_HIDES_CALL = 32,  /* the identity of the call: its name, arguments, line, groups */
};

/* The parts that an open question hides, as a set of enum replay_hidden; 0 if none is open. */
unsigned asking_hides(const struct replay_asking *asking, const struct cursor *cursor);

/* Removes the question, or its answer, and closes its prompt. True if there was one. */
bool asking_end(struct replay_asking *asking, struct input *input);

#endif
