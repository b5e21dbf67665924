/*
 * in_turn.h - blocks that several threads code at the same time, written in the order of their
 * numbers by whoever has just coded one.
 *
 * Each worker of a thread pool has blocks of its own: what a processor writes into again and again
 * stays in its own cache.
 */
#ifndef SHFLVIZ_TRACE_IN_TURN_H
#define SHFLVIZ_TRACE_IN_TURN_H

#include "base/text.h"
#include "trace/writer.h"

#include <stdint.h>

struct in_turn;

/* For a pool of so many workers; the caller releases it. */
struct in_turn *in_turn_new(struct trace_writer *writer, unsigned workers);
void in_turn_release(struct in_turn *turn); /* NULL is fine */

/* Blocks 0 to count - 1 follow, for this listing; those before are all written. `lot` of them are
 * worth a write. */
void in_turn_begin(struct in_turn *turn, struct listing *listing, uint64_t count, uint64_t lot);

/* An empty text for the next block that this worker codes; valid until in_turn_end(). */
struct text *in_turn_room(struct in_turn *turn, unsigned worker);

/* Takes a block that is whole, each number once, and writes what can be written. */
void in_turn_put(struct in_turn *turn, uint64_t number, const struct text *block);

/* Writes the rest, when all have been put. Returns 0 or an errno value, and then not all of them
 * are in the listing. */
int in_turn_end(struct in_turn *turn);

#endif
