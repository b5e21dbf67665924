/*
 * oracle.h - the right results of a recorded operation by the rules of the PTX ISA and the CUDA
 * C++ Programming Guide, without code from src/: a second opinion on every question of every
 * lesson.
 */
#ifndef SHFLVIZ_TESTS_COURSE_ORACLE_H
#define SHFLVIZ_TESTS_COURSE_ORACLE_H

#include "explain/question.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* The lane that a lane of a shuffle reads. */
struct oracle_lane {
    bool calls, undefined, own; /* own: out of range */
    int source;                 /* for a calling lane: the lane read, itself if it is own */
};
void oracle_shuffle(const struct warp_operation *operation, struct oracle_lane lanes[32]);

/* True if the rules fix the lane's result; sets *bits to the bits of the result. */
bool oracle_result(const struct warp_operation *operation, int lane, uint64_t *bits);

/* The lanes that answer a question about a set, except lanes that count neither way. */
uint32_t oracle_set(const struct warp_operation *operation, const struct question *question);

/* The right answer as a learner may type it: "17", "own", "undefined", "5.5", "0-3,8", "none". */
#define ORACLE_TEXT 160
char *oracle_answer(const struct warp_operation *operation, const struct question *question,
                    char buffer[ORACLE_TEXT]);

/* A set as "0-3,8", "all" or "none"; bits as a number of the type. */
char *oracle_lanes(uint32_t lanes, char buffer[ORACLE_TEXT]);
char *oracle_value(enum warp_type type, uint64_t bits, char buffer[ORACLE_TEXT]);

/* Lanes whose recorded result disagrees with the rules. */
uint32_t oracle_disagreement(const struct warp_operation *operation);

#endif
