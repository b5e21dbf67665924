/*
 * prediction.h - a step as it is coded (compact.h), and the results predicted for its lanes.
 *
 * The prediction is the result that the operation's rules give if all lanes of the mask are there.
 * It only affects the number of bytes a step takes.
 */
#ifndef SHFLVIZ_TRACE_PREDICTION_H
#define SHFLVIZ_TRACE_PREDICTION_H

#include "trace/record.h"

#include <stdint.h>
#include <string.h>

/* A record with its values widened. */
struct prediction_step {
    struct shflviz_record_header head;
    int16_t lane_width[SHFLVIZ_RECORD_LANES];
    uint32_t arg[SHFLVIZ_RECORD_LANES];
    uint64_t in[SHFLVIZ_RECORD_LANES], out[SHFLVIZ_RECORD_LANES];
};

/* Values of 4 or 8 bytes. */
static inline void prediction_load_values(uint64_t to[SHFLVIZ_RECORD_LANES],
                                          const unsigned char *from, unsigned value_bytes) {
    uint32_t narrow[SHFLVIZ_RECORD_LANES];
    if (value_bytes == 8) {
        memcpy(to, from, SHFLVIZ_RECORD_LANES * sizeof(to[0]));
        return;
    }
    memcpy(narrow, from, sizeof(narrow));
    for (int lane = 0; lane < SHFLVIZ_RECORD_LANES; lane++)
        to[lane] = narrow[lane];
}
void prediction_load(struct prediction_step *step, const unsigned char *record,
                     unsigned value_bytes);
/*
 * A brief record has its head, arg[0] and 32 values of 4 bytes in in[]; the rest of it is
 * unspecified. It is for the majority of a GPU's steps: a shuffle of a width that CUDA defines, by
 * all 32 lanes with one argument, whose results are all as predicted.
 */
void prediction_load_brief(struct prediction_step *step, const unsigned char *record);
void prediction_store(const struct prediction_step *step, unsigned char *record,
                      unsigned value_bytes);

/* Those of `lanes` for which both values are the same. */
uint32_t prediction_equal(const uint64_t a[SHFLVIZ_RECORD_LANES],
                          const uint64_t b[SHFLVIZ_RECORD_LANES], uint32_t lanes);

/* The predicted result of each lane; entries of absent lanes are unspecified. */
void prediction_out(const struct prediction_step *step, uint64_t predicted[SHFLVIZ_RECORD_LANES]);
/* The same for the first `lanes` of a brief record. */
void prediction_brief(const struct shflviz_record_header *head, uint32_t arg,
                      const uint32_t in[SHFLVIZ_RECORD_LANES], uint32_t out[SHFLVIZ_RECORD_LANES],
                      int lanes);

/* Adds the two values of each lane, in the arithmetic of their type. The bits of a NaN differ
 * between processors: a sum that is a NaN is replaced by `a`. */
void prediction_add(uint8_t type, const uint64_t a[SHFLVIZ_RECORD_LANES],
                    const uint64_t b[SHFLVIZ_RECORD_LANES], uint64_t sum[SHFLVIZ_RECORD_LANES]);

#endif
