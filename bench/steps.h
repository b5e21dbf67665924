/*
 * steps.h - the steps of a long recording: blocks one after the other, the warps of each taking
 * turns, so that no two steps in a row are from the same warp and the index is as long as possible.
 */
#ifndef SHFLVIZ_BENCH_STEPS_H
#define SHFLVIZ_BENCH_STEPS_H

#include "trace/trace.h"

#include <stdint.h>

#define RECORD_BYTES ((uint64_t)SHFLVIZ_RECORD_SIZE(4))
#define WARPS        32 /* of a block; they take turns */
#define TURNS        5  /* steps of each warp, as in a reduction */

/* The location of a step. */
uint64_t block_of(uint64_t step);
uint32_t warp_of(uint64_t step);

/* Fills a record of 4-byte values: xor 16, lane l passes step + l. Sets the sequence last. */
void write_record(unsigned char *record, uint64_t step);

#endif
