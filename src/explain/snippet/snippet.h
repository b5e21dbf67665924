/*
 * snippet.h - runs a few lines of CUDA over the 32 lanes of one warp.
 *
 * For questions about code: a learner's code or choice is run, so that any right answer is
 * accepted, and the effect of a wrong one can be shown. The interpreter knows the integers of a
 * warp and the operations that move them; it is not a compiler.
 *
 *     statement = "{" { statement } "}" | "if" "(" e ")" statement [ "else" statement ]
 *               | "for" "(" simple ";" e ";" simple ")" statement | "while" "(" e ")" statement
 *               | "return" ";" | simple ";"
 *     simple    = [ type ] NAME ( "=" | "+=" ... ) e | NAME "++" | NAME "--" | e | nothing
 *     e         = C's operators, ?: included, over 32-bit ints
 *     operand   = NUMBER | NAME | "(" e ")" | CALL | "s" "[" e "]"
 *
 * Names: lane (laneId, threadIdx.x, tid), warpSize, members (mask) and width as recorded, and value
 * (v, val, x, sum, total, best), which is the lane's input. Calls: the four shuffles, ballot, any,
 * all, __reduce_add, min, max, __syncwarp, __activemask, __popc, __ffs, max, min; and, for a
 * tile of as many lanes as the recorded width, tile.shfl, tile.shfl_up, tile.shfl_down,
 * tile.shfl_xor. s is shared memory, 64 ints, and may be assigned (snippet_cells.h). In place of
 * a whole line, "xor 3 16" is short for the call with the recorded mask and value.
 *
 * Lanes that reach the same statement run it together; lanes in another branch do not. A read that
 * the rules of warp/warp.h leave undefined makes everything that is computed from it undefined, and
 * so does a call whose mask names a lane that does not reach it.
 */
#ifndef SHFLVIZ_EXPLAIN_SNIPPET_H
#define SHFLVIZ_EXPLAIN_SNIPPET_H

#include "base/error.h"
#include "explain/snippet/snippet_numbers.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct snippet_result {
    struct snippet_values value;  /* of the variable that was assigned last */
    struct snippet_values handed; /* the results of the last shuffle, vote or reduction */
    uint32_t called;              /* lanes that made that call */
    uint32_t waits_for;           /* lanes that a mask named but that did not reach the call */
    uint32_t returned;            /* lanes that left the code by a `return` */
};

/* Runs the code on the lanes' inputs to `start`, in the lanes that made that call. Prints nothing
 * and runs nothing else. Fails (ERROR_USAGE) with the given and the allowed text. */
int snippet_run(const char *code, const struct warp_operation *start, struct snippet_result *result,
                struct error *err);

enum snippet_goal {
    SNIPPET_PICTURE,   /* the call gives each lane the result of the recorded one */
    SNIPPET_RESULT,    /* the variable holds that result, however computed */
    SNIPPET_NUMBER,    /* the variable holds a number that the lesson names */
    SNIPPET_SUM,       /* the variable holds the sum of the inputs of a group's lanes */
    SNIPPET_MAX,       /* the largest of them */
    SNIPPET_SCAN,      /* the sum up to and including the lane itself */
    SNIPPET_EXCLUSIVE, /* the sum of those before it; 0 in the first */
    SNIPPET_ARGMAX,    /* the lane with the largest input, the lowest if several have it */
    SNIPPET_GOAL_COUNT
};

struct snippet_aim {
    enum snippet_goal goal;
    bool first; /* only the first lane of each group must have it */
    int group;  /* lanes of a group: 1, 2, 4 ... 32 */
    int number; /* for SNIPPET_NUMBER */
};

/* "picture", "result", "number 10", "sum in lane 0", "sum in all lanes", "scan in all lanes of 8";
 * false if it is not an aim. */
bool snippet_aim_parse(struct snippet_aim *aim, const char *text);
/* Writes the aim in the form of snippet_aim_parse(); returns buffer. */
char *snippet_aim_format(const struct snippet_aim *aim, char *buffer, size_t size);

/* *right is set if the code achieves the aim. Fails if the code cannot be read. `why` gets the
 * error in one lane, "" if there is none. */
#define SNIPPET_WHY 200
int snippet_judge(const char *code, const struct warp_operation *start,
                  const struct snippet_aim *aim, bool *right, char why[SNIPPET_WHY],
                  struct error *err);

#endif
