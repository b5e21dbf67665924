/*
 * expression.h - the values that --in, --src, --delta and --mask give to lanes.
 *
 *     text        = random | list
 *     random      = "random:" NUMBER
 *     list        = expression { "," expression }
 *     expression  = C's, with these operators and C's precedence and grouping:
 *                       - + ~ !   * / %   + -   << >>   < <= > >=   == !=   &   ^   |   &&   || ?:
 *     operand     = NUMBER | REAL | "lane" | "thread" | "(" expression ")"
 *     NUMBER      = decimal, 0x hexadecimal or 0b binary, up to 2^64-1; no leading zero
 *     REAL        = decimal with a point or an exponent: 0.5, .5, 1e3; only where the values are
 *                   floating-point
 *
 * `lane` is 0..31; `thread` is the linear number of the thread in the grid, from 0.
 *
 * Integers are 64-bit two's complement and wrap: a decimal or hexadecimal number above 2^63-1 is
 * the negative one with the same bits; INT64_MIN / -1 is INT64_MIN, and the remainder is 0. /
 * truncates, % has the sign of the dividend, >> keeps the sign, as in C. A division by zero, and a
 * shift by less than 0 or more than 63, is an error that names the lane; && || ?: skip what C
 * skips.
 *
 * A REAL, and what is computed from one, is a double, converted as in C ("lane / 2" is a whole
 * number, "lane / 2.0" is not; comparisons and ! && || give 0 or 1). % << >> & ^ | ~ take integers
 * only. Division follows IEEE 754; every NaN is the same positive quiet NaN.
 *
 * A list gives the values in order: one item for all; or one for each thread of the grid; or, where
 * there are more than 32 threads, 32 items, one for each lane of every warp. Any other number of
 * items is an error.
 *
 * random:SEED gives thread t (from 0) the value
 *     (z >> 32) * limit >> 32,  z = the output of splitmix64 for the state SEED + (t + 1) * gamma,
 *     gamma = 0x9e3779b97f4a7c15
 * in 0..limit-1, the same on every machine (splitmix64: Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014; Vigna's splitmix64.c).
 */
#ifndef SHFLVIZ_LAUNCH_EXPRESSION_H
#define SHFLVIZ_LAUNCH_EXPRESSION_H

#include "base/error.h"
#include "warp/type.h"

#include <stdbool.h>
#include <stdint.h>

struct expression; /* a compiled text */

struct expression_rules {
    const char *option;    /* for messages: "--in"; must outlive the expression */
    enum warp_type type;   /* type of the values, as in --type; WARP_TYPE_NONE for plain integers
                            * (--src) */
    uint64_t threads;      /* threads of the grid, for the length of lists; at least 1 */
    uint32_t random_limit; /* random:SEED gives 0..random_limit-1; at least 1 */
};

/*
 * Compiles `text`. Returns 0, or -1 with err filled (ERROR_USAGE): what was expected, the
 * expression with a caret below the error, and what is allowed. Recursion is bounded: text that is
 * nested too deeply is an error. Release it with expression_free(), which also takes NULL.
 */
int expression_compile(struct expression **expression, const char *text,
                       const struct expression_rules *rules, struct error *err);
void expression_free(struct expression *expression);

/* The value of an expression. */
struct expression_value {
    bool is_real;
    int64_t integer; /* if !is_real */
    double real;     /* if is_real */
};

/*
 * Evaluates for one lane (0..31) of one thread (below rules.threads). Returns 0, or -1 with err
 * filled (ERROR_USAGE): a division by zero or a shift out of range, with the lane and the
 * position.
 */
int expression_evaluate(const struct expression *expression, int lane, uint64_t thread,
                        struct expression_value *value, struct error *err);

/* The same as the bits of rules.type (not WARP_TYPE_NONE), converted as C++ converts. */
int expression_bits(const struct expression *expression, int lane, uint64_t thread, uint64_t *bits,
                    struct error *err);

/*
 * The same as the int that a shuffle takes for srcLane, delta or laneMask. A value that neither int
 * nor unsigned holds (below -2^31 or above 2^32-1) is an error that names the lane.
 */
int expression_argument(const struct expression *expression, int lane, uint64_t thread,
                        int32_t *argument, struct error *err);

#endif
