/*
 * fiber.h - stacks for lanes, and the switch between them.
 *
 * A pool holds as many fibers as the largest block so far had threads. Their stacks are mapped on
 * first need, one guard page below each, so that a kernel that overruns its stack faults instead of
 * writing into its neighbour's. A fiber that is abandoned in the middle of a run costs nothing: the
 * next fiber_start() starts it again. Its objects are not destroyed.
 */
#ifndef SHFLVIZ_CPU_FIBER_H
#define SHFLVIZ_CPU_FIBER_H

#include "simt/lane.h"

#include <stddef.h>

struct fiber_pool;

/* Never returns NULL: when memory runs out, the program ends (memory.h). */
struct fiber_pool *fiber_pool_create(void);
void fiber_pool_destroy(struct fiber_pool *pool);
/* Readies the pool for another device, when no fiber runs any more. False if it is too large to be
 * kept. The stacks keep their contents, as after any block. */
int fiber_pool_recycle(struct fiber_pool *pool);

/* Makes fibers 0 .. count-1 usable. Returns 0, or the errno of mmap. Without `guarded` new stacks
 * have no guard pages, of which a system has only so many. */
int fiber_pool_reserve(struct fiber_pool *pool, unsigned count, int guarded);

/* True if the address is on the stack of fiber `number`. */
int fiber_holds(const struct fiber_pool *pool, unsigned number, const void *address);

/* True if it is on the stack of any fiber. */
int fiber_holds_any(const struct fiber_pool *pool, const void *address);

/* True if it is in the guard page below that stack. */
int fiber_overran(const struct fiber_pool *pool, unsigned number, const void *address);

/* Makes fiber `number` begin at `entry` when it is switched to; `entry` must not return. Where
 * lanes switch by hand its argument is the lane's context, elsewhere it is meaningless. */
typedef void fiber_entry(struct cpu_context *context);
void fiber_start(struct fiber_pool *pool, unsigned number, struct cpu_lane *lane,
                 fiber_entry *entry);

/* Switches from one fiber to another. FIBER_HOST means the program's own stack, whose context is
 * kept in `host`. `from_ends`: the fiber that is left will not be switched to again. */
#define FIBER_HOST (~0u)
void fiber_switch(struct fiber_pool *pool, unsigned from_number, struct cpu_context *from,
                  unsigned to_number, struct cpu_context *to, int from_ends);

/* Must be the first call of a fiber's entry. */
void fiber_entered(struct fiber_pool *pool);

#endif
