/*
 * lane_field.h - the data of one lane of one operation, for the data formats.
 *
 * JSON and CSV have the same fields with the same names; this file decides which of them a lane
 * has.
 */
#ifndef SHFLVIZ_EXPORT_LANE_FIELD_H
#define SHFLVIZ_EXPORT_LANE_FIELD_H

#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

/* One lane. Fields that a lane or its operation does not have are null in JSON and empty in CSV. */
struct lane_fields {
    int lane;
    bool has_group; /* shuffles: set even if the lane does not call */
    int group;
    bool has_arg; /* the lane calls, and its operation has an argument */
    int32_t arg;
    bool has_address; /* the lane calls a shuffle: target, in_range and source */
    int target;
    bool in_range;
    int source;
    enum lane_status status;
    bool has_in;
    bool has_out;      /* the lane got a value that the rules fix */
    bool has_observed; /* the lane got a value that the rules do not fix, as the device returned it
                        */
    uint64_t in, out;  /* `out` is either of the two */
    enum warp_type in_type, out_type;
    int elements; /* for an access to shared memory with several elements, such as a float4; else 0
                   */
};

/* `outcome` comes from warp_outcome() for the operation. */
struct lane_fields lane_fields_of(const struct warp_operation *operation,
                                  const struct lane_outcome outcome[WARP_LANES], int lane);

/* All bits of an access to several elements, the last first, as one hexadecimal number. */
#define LANE_BITS_TEXT 48
char *lane_elements_bits(const struct warp_operation *operation, int lane,
                         char buffer[LANE_BITS_TEXT]);

/* True if lanes passed different widths, so that one number is not enough. */
bool lane_widths_differ(const struct warp_operation *operation);
/* The width of the lowest lane that calls; 0 if none does. */
int32_t lane_width_first(const struct warp_operation *operation);

/* Parts of a value: 2 for half2 and bfloat162, else 1. */
unsigned lane_value_parts(enum warp_type type);
/*
 * One part of a value as a number that reads back to the same bits: "3", "-0.0", "1e+30". For
 * NaN and the infinities, which are not numbers in JSON, *is_word is set and the text is "NaN",
 * "Infinity" or "-Infinity". Returns buffer.
 */
char *lane_value_format(enum warp_type type, uint64_t bits, unsigned part,
                        char buffer[WARP_VALUE_TEXT], bool *is_word);

#endif
