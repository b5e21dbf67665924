/*
 * thread_pool.h - does the same work on many pieces, on all processors.
 *
 * A pool has workers: the caller, which is worker 0, and threads. The threads are started for the
 * first work that is worth it and wait between two calls; where none can be made, the caller does
 * all the work. They block all signals except those of their own faults. A pool is of no use in a
 * child process that was forked after its threads started.
 */
#ifndef SHFLVIZ_BASE_THREAD_POOL_H
#define SHFLVIZ_BASE_THREAD_POOL_H

#include <stdint.h>

struct thread_pool;

/* The number of processors that this process may use; 1 where there are no threads. */
unsigned thread_pool_processors(void);

/* A pool of `workers` workers; with 0 as many as there are processors. Never more than `most`.
 * Never NULL; the caller releases it. */
struct thread_pool *thread_pool_new(unsigned workers, unsigned most);
void thread_pool_release(struct thread_pool *pool); /* joins the threads; NULL is fine */

unsigned thread_pool_workers(const struct thread_pool *pool);

/* Calls work(context, piece, worker) once for each piece below `pieces`, in any order and at the
 * same time in different workers; a worker has one piece at a time. Returns when all are done. If
 * `pool` is NULL, the caller does all the work. */
void thread_pool_run(struct thread_pool *pool, uint64_t pieces,
                     void (*work)(void *context, uint64_t piece, unsigned worker), void *context);

/* Calls work(context, worker) once in each worker that could be started, including the caller, at
 * the same time. Returns when all are done. For work that divides itself. */
void thread_pool_each(struct thread_pool *pool, void (*work)(void *context, unsigned worker),
                      void *context);

#endif
