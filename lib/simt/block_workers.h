/*
 * block_workers.h - the workers of a thread pool run the blocks of one grid.
 *
 * Each worker has a device of its own, a copy of the launching one with its own lanes, stacks and
 * shared memory, so that the code that runs or watches lanes knows nothing about other workers.
 * Blocks are given out in order, some at a time (a piece). A piece prints and records only when all
 * pieces before it have ended, so neither output depends on how many workers there are. A block
 * that fails ends the grid there: all blocks before it run, and later ones print nothing.
 */
#ifndef SHFLVIZ_CPU_BLOCK_WORKERS_H
#define SHFLVIZ_CPU_BLOCK_WORKERS_H

#include "simt/dim.h"

#include <stdbool.h>
#include <stdint.h>

struct cpu_device;

/* True if the launch allows workers and the rest of the grid is long enough for them. */
bool block_workers_pay_off(const struct cpu_device *device);
/* Runs the rest of the grid. Returns 0, or -1 with device->error set. */
int block_workers_run(struct cpu_device *device, struct dim3 grid);

/* ---- for a worker that runs blocks (blocks.c) ---- */

/* True if there are blocks that no worker has begun. */
bool block_worker_has_blocks(const struct cpu_device *device);
/* Takes the next block; false if there is none or the grid must end. */
bool block_worker_take(struct cpu_device *device, uint64_t *number);
/* Reports that none of the worker's blocks is running or parked. */
void block_worker_idle(struct cpu_device *device);

/* Waits until all pieces before the worker's have ended, and lends it the recording until its piece
 * ends. False if they cannot end because they wait for this one. */
bool block_worker_await_turn(struct cpu_device *device);
/* True if a piece before the worker's has failed: if blocks ran one after the other, its own would
 * not have begun. */
bool block_worker_is_cancelled(struct cpu_device *device);
/* The launching device, whose lists the caller may change until block_worker_unlock(). */
struct cpu_device *block_worker_lock(struct cpu_device *device);
void block_worker_unlock(struct cpu_device *device);
/* The same for reading only, without the lock. */
const struct cpu_device *block_worker_launcher(const struct cpu_device *device);
/* Reports that the worker's lanes have read memory very often without a change. True if the same
 * is true of all other workers. */
bool block_worker_spins(struct cpu_device *device);

/* ---- from outside ---- */

/* Forwards to a worker a signal that the launching thread received while waiting. False if there is
 * no worker. */
bool block_workers_pass_on(int signal);
/* Calls `part` with each text that workers have printed and that has not been written yet; for a
 * program that ends. */
void block_workers_each_output(void (*part)(const char *text, uint64_t length));

/* Called when a thread begins to run lanes (cudacpu/crash/crash.c). */
void cpu_thread_begins(void) __attribute__((weak));
void cpu_thread_ends(void) __attribute__((weak));

#endif
