/*
 * which.h - works backwards: finds the single shuffles that give lanes the values of other lanes.
 *
 * The effect of a call is computed by warp/warp.h, with all 32 lanes taking part. All calls that
 * fit are listed, simplest first, by kind:
 *
 *  1. The four shuffles with each width and each argument that is the same in all lanes. Arguments
 *     with the same effect as a smaller one are left out: for idx, up and down, those of at
 *     least the width; and for all four, those of more than five bits.
 *  2. The four shuffles with each width and an argument that is `lane`, or `lane` and one operator
 *     with a number k up to 31: lane + k (lane - k), k - lane, lane * k, / k, % k, & k, | k, ^ k.
 *     A call with the same effect in all lanes as an earlier one is left out.
 *  3. If there is none so far: two such operators, one after the other, and the rows and columns of
 *     a transpose, lane % k * (32 / k) + lane / k.
 *  4. If there is still none: the argument of each lane written out.
 */
#ifndef SHFLVIZ_EXPLAIN_WHICH_H
#define SHFLVIZ_EXPLAIN_WHICH_H

#include "base/error.h"
#include "base/text.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct which_request {
    int8_t source[WARP_LANES]; /* the lane whose value a lane is to get; -1 for any */
    int width;                 /* the only width to try; 0 for all */
};

#define WHICH_EXPRESSION 128

/* A call, at all widths with the same effect. */
struct which_call {
    enum warp_op op;
    unsigned widths;  /* bit n: 2^n lanes in a group */
    int32_t argument; /* the argument of all lanes, unless there is an expression */
    char expression[WHICH_EXPRESSION]; /* in `lane`, for the command line and for C; "" if none */
    int8_t source[WARP_LANES];         /* the lane that each lane really reads */
    uint32_t own;                      /* lanes that are out of range */
    size_t found;                      /* the order in which it was found */
};

struct which {
    struct which_call *calls; /* simplest first: those with one argument, then expressions */
    size_t count;
    /* If no call with one argument serves all lanes: the one that serves the most, the first lane
     * that it does not serve, and how many it serves. */
    bool has_nearest;
    struct which_call nearest;
    int missed;
    int given;
    /* If not even an expression works: a lane that reads a later group; else -1. */
    int beyond;
};

/* Reads "5<12, 6<13": lane 5 is to get lane 12's value. Leaves request->width as it is. Fails
 * (ERROR_USAGE) with the given and the allowed text. */
int which_parse(struct which_request *request, const char *text, struct error *err);

void which_find(struct which *which, const struct which_request *request);
void which_release(struct which *which);

/* The lanes really read in a shuffle, as a request: lanes with undefined results may get any. */
void which_request_of(const struct warp_operation *operation,
                      const struct lane_outcome outcome[WARP_LANES], struct which_request *request);

/* The largest width of the call: 32 if it has that. */
int which_width(const struct which_call *call);
/* Appends the command without "shflviz": "xor --mask 9", "idx --src 'lane + 7' --width 16". */
void which_append_command(const struct which_call *call, struct text *text);
/* Appends it in the form of snippet.h: "xor 9 16"; a call in full if it has an expression. */
void which_append_code(const struct which_call *call, struct text *text);
/* Appends the other widths with the same effect: "16 8"; nothing if there are none. */
void which_append_widths(const struct which_call *call, struct text *text);
/* Appends a sentence with the reason why the nearest call does not fit, or why none can. */
void which_append_reason(const struct which *which, const struct which_request *request,
                         struct text *text);

#endif
