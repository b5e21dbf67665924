/*
 * draw.h - draws a question about a recording at random.
 *
 * The levels ask about
 * 1. the source of a lane that is well in range;
 * 2. sources that wrap, are out of range or undefined;
 * 3. what a lane gets;
 * 4. sets of lanes, such as the readers of one;
 * 5. values after several rounds, arguments that differ from lane to lane, any operation.
 */
#ifndef SHFLVIZ_TEACH_DRAW_H
#define SHFLVIZ_TEACH_DRAW_H

#include "explain/question.h"
#include "replay/replay.h"

#include <stdbool.h>
#include <stdint.h>

#define DRAW_LEVELS 5

struct draw {
    struct replay *replay; /* of the recording; left at the operation of the question */
    uint64_t random;       /* state of the generator: the same state draws the same question */
};

struct drawn {
    struct question question;
    uint64_t warp, position; /* of the operation asked about */
    unsigned hide;           /* parts that the picture hides in addition to the answer */
};

/* Draws a question of the level; if the recording has none, of a lower one, or else of a higher
 * one. Never draws `last` again. False if no question is possible. */
bool draw_question_of(struct draw *draw, int wanted, const struct drawn *last, struct drawn *drawn);

/* The first possible question of the recording, in its order, without randomness. False if there
 * is none. */
bool draw_exhaustive(struct draw *draw, const struct drawn *last, struct drawn *drawn);

#endif
