/*
 * explain.h - one operation in words and numbers.
 *
 * Every number comes from the recorded operation and from warp/; nothing here decides what is
 * defined. Sentences are in the language in use. A function that writes into a buffer cuts the text
 * at the buffer's size and returns the buffer.
 */
#ifndef SHFLVIZ_EXPLAIN_EXPLAIN_H
#define SHFLVIZ_EXPLAIN_EXPLAIN_H

#include "explain/phase.h"
#include "warp/warp.h"

#include <stddef.h>
#include <stdint.h>

/* The arithmetic with its numbers, short enough for a table cell: "5^3=6"; "" if there is none. */
char *explain_formula(const struct warp_operation *operation, int lane, char *buffer, size_t size);
/* The same in binary, for an xor: "00101^00011=6"; "" for other operations and for absent lanes. */
char *explain_bits(const struct warp_operation *operation, int lane, char *buffer, size_t size);
/* A sentence about everything that has been shown up to `phase`; in full: "lane 5, group A (0-15):
 * 5 ^ 3 = 6, not beyond 15: in range, lane 6 takes part". */
char *explain_phase(const struct warp_operation *operation, const struct lane_outcome *outcome,
                    enum phase phase, int lane, char *buffer, size_t size);
/* The part of that sentence that names the group, ", group A (0-15)"; "" if there is none. */
char *explain_group_clause(const struct warp_operation *operation, int lane, char *buffer,
                           size_t size);
/* The same in few words, for one short line: "lane 5: 5^3=6: reads lane 6". */
char *explain_brief(const struct warp_operation *operation, const struct lane_outcome *outcome,
                    enum phase phase, int lane, char *buffer, size_t size);
/* A set of lanes as part of a sentence: "no lane", "lane 5", "lanes 0-3", "all 32 lanes". */
#define EXPLAIN_LANES_TEXT (WARP_LANES_TEXT + 32)
char *explain_lanes(uint32_t lanes, char buffer[EXPLAIN_LANES_TEXT]);
/* "laneMask 99 is used as 3: only the low five bits count" if a lane passes such an argument to a
 * shuffle; else "". */
char *explain_argument(const struct warp_operation *operation, char *buffer, size_t size);
/* How an access uses the banks of shared memory: "32-way bank conflict: lanes 0-31 in bank 0; 32
 * passes instead of 1", or a note that there is no conflict. */
#define EXPLAIN_COST_TEXT 256
char *explain_cost(const struct warp_operation *operation, char buffer[EXPLAIN_COST_TEXT]);
/* The effect of the whole operation, in a sentence that is true for all its lanes. */
char *explain_operation(const struct warp_operation *operation, char *buffer, size_t size);
/* The value that a lane passed (or holds, if it is a watched value) and the one it got, as text:
 * masks in hexadecimal, others by type; "" if there is none. `out` is the value that the device
 * returned, even if the rules do not fix it: callers check the outcome before they show it. */
char *explain_in(const struct warp_operation *operation, int lane, char buffer[WARP_VALUE_TEXT]);
char *explain_out(const struct warp_operation *operation, int lane, char buffer[WARP_VALUE_TEXT]);
/* The same with the sign for a value that was computed from an undefined one: "?-609371439". */
char *explain_in_marked(const struct warp_operation *operation, int lane,
                        char buffer[WARP_VALUE_TEXT]);
char *explain_out_marked(const struct warp_operation *operation, int lane,
                         char buffer[WARP_VALUE_TEXT]);
/* The meaning of the sign for a lane's input and result, as the end of a sentence: "; its
 * input is computed from an undefined value"; "" if it has none. */
char *explain_doubt(const struct warp_operation *operation, enum phase phase, int lane,
                    char *buffer, size_t size);
/* The lane's group (0..31), from its width or, for a lane that makes no call, from that of the
 * lanes that do; -1 where the width is undefined. 0 for operations without a width. */
int explain_group(const struct warp_operation *operation, int lane);
/* The computation of a shuffle's source lane as PTX does it, one line per variable:
 * "bval = 3 & 31 = 3". Returns the number of lines: 0 for a lane that makes no call, and for
 * operations other than shuffles. */
#define EXPLAIN_PTX_LINES 10
#define EXPLAIN_LINE_SIZE 96
int explain_ptx(const struct warp_operation *operation, const struct lane_outcome *outcome,
                int lane, char lines[EXPLAIN_PTX_LINES][EXPLAIN_LINE_SIZE]);

/* Group letters: 0 is 'A', 25 is 'Z', 26..31 are 'a'..'f'. */
char group_letter(int group);
/* The operator between lane and argument in the formula of up, down and xor: - + ^ */
char explain_sign(enum warp_op op);

/* A word by which a recording describes itself ("emulated", "CPU warp"), in the language in use;
 * other words unchanged. */
const char *explain_recording_word(const char *word);

#endif
