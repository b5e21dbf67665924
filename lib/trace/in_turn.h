/*
 * in_turn.h - blocks that several threads code at the same time, written in the order of their
 * numbers by the worker that has just coded one.
 *
 * Each worker of a thread pool has blocks of its own, so that memory that a processor keeps writing
 * stays in its cache.
 */
#ifndef SHFLVIZ_TRACE_IN_TURN_H
#define SHFLVIZ_TRACE_IN_TURN_H

#include "base/text.h"
#include "trace/writer.h"

#include <stdint.h>

struct in_turn;

/* Made for a pool of that many workers; the caller frees it. */
struct in_turn *in_turn_new(struct trace_writer *writer, unsigned workers);
void in_turn_release(struct in_turn *turn); /* NULL is fine */

/* Begins blocks 0 to count - 1 of this listing; all earlier ones have been written. Blocks are
 * written once `lot` of them are ready. */
void in_turn_begin(struct in_turn *turn, struct listing *listing, uint64_t count, uint64_t lot);

/* An empty text for the next block that this worker codes; valid until in_turn_end(). */
struct text *in_turn_buffer(struct in_turn *turn, unsigned worker);

/* Takes a complete block, only once for each number, and writes all blocks whose turn has come. */
void in_turn_put(struct in_turn *turn, uint64_t number, const struct text *block);

/* Writes the rest, once all have been put. Returns 0, or an errno value with only some of them in
 * the listing. */
int in_turn_end(struct in_turn *turn);

#endif
