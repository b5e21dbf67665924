/*
 * typed.h - reads a learner's input leniently; private to this folder.
 *
 * Blanks around it do not matter. Words may be shortened ("u" means undefined), and may be in
 * English or in the language in use.
 */
#ifndef SHFLVIZ_EXPLAIN_TYPED_H
#define SHFLVIZ_EXPLAIN_TYPED_H

#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

bool typed_is_own(const char *typed);
bool typed_is_undefined(const char *typed); /* or "?" */
bool typed_is_blank(const char *typed);

/* "5", "lane 5"; false for text that is not a lane of a warp. */
bool typed_lane(const char *typed, int *lane);

/* "0-3,8", "0 1 2", "lanes 4 to 7", "0x00ff", "all", "none"; `all` is the meaning of "all". */
bool typed_lanes(const char *typed, uint32_t all, uint32_t *lanes);

/*
 * A value of the type: "31", "0x1f", "0b11111", "-1", "0.333", "1.5,2" for packed ones, the bits of
 * a float in hexadecimal with all their digits. Negative numbers are read as unsigned ones with
 * the same bits. A typed value that is `right` rounded to at least four digits, or to as many as
 * distinguish values of the type, is read as `right`.
 */
bool typed_value(enum warp_type type, const char *typed, uint64_t right, uint64_t *bits);

#endif
