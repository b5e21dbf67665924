/*
 * team.h - several threads of the host that run the blocks of one grid.
 *
 * Each member has a device of its own, a copy of the launching one with its own lanes, stacks and
 * shared memory, so that whoever runs or watches lanes knows nothing of others. Blocks are given
 * out in order, some at a time (a piece). What a piece prints is given out, and what it records is
 * recorded, when all pieces before it have ended: so neither depends on how many members there are.
 * A block that fails ends the grid there: all blocks before it run, and later ones print nothing.
 */
#ifndef SHFLVIZ_CPU_TEAM_H
#define SHFLVIZ_CPU_TEAM_H

#include "simt/dim.h"
#include <stdbool.h>
#include <stdint.h>

struct cpu_device;

/* Whether the rest of the grid should be a team's: the launch allows it, and it is worth while. */
bool team_pays(const struct cpu_device *device);
/* Runs the rest of the grid. Returns 0, or -1 with device->error set. */
int team_run(struct cpu_device *device, struct dim3 grid);

/* ---- for a member, while it runs blocks (blocks.c) ---- */

/* Whether there are blocks that nobody has begun. */
bool team_has_blocks(const struct cpu_device *device);
/* Takes the next; false if there is none, or the grid is to end. */
bool team_take(struct cpu_device *device, uint64_t *number);
/* No block of the member is under way. */
void team_block_ended(struct cpu_device *device);

/* Waits until all pieces before the member's have ended, and lends it the recording until its own
 * has. False if they do not end: they wait for this one. */
bool team_turn(struct cpu_device *device);
/* A piece before the member's has failed: one after the other, its blocks would not have begun. */
bool team_is_over(struct cpu_device *device);
/* The device that launched, whose lists the caller may change until team_unlock(). */
struct cpu_device *team_lock(struct cpu_device *device);
void team_unlock(struct cpu_device *device);
/* The same without the lock, to look at. */
const struct cpu_device *team_launcher(const struct cpu_device *device);
/* The member's lanes have looked at memory very often, and nobody changed it: true if all other
 * members find the same. */
bool team_spins(struct cpu_device *device);

/* ---- for whoever asks from outside ---- */

/* Hands a signal that the launching thread got, while it waits, to a member; false: nobody is. */
bool team_pass_on(int signal);
/* Calls `part` with what members have printed that has not been given out; for a program that
 * ends. */
void team_each_printed(void (*part)(const char *text, uint64_t length));

/* A thread begins to run lanes (cudacpu/crash/crash.c). */
void cpu_thread_begins(void) __attribute__((weak));
void cpu_thread_ends(void) __attribute__((weak));

#endif
