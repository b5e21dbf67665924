/*
 * memory_check.h - checks a kernel's accesses to memory: races, bounds, uninitialized reads. Linked
 * into a program that is checked, and called by the hooks of access.c.
 *
 * Accesses are ordered by happens-before. The lanes of the CPU warp run one at a time, so time is a
 * counter that every ordering event increments. An access carries the time at which it was made.
 * Each lane keeps the times up to which the accesses of other lanes are ordered before its own.
 * These events order earlier accesses before a lane's later ones:
 *
 *     a kernel's beginning   all accesses before it
 *     __syncthreads()        all accesses of the block
 *     __syncwarp(mask)       the lanes that met, and what was ordered before them
 *     a release, seen by an acquire of the same address
 *                            what was ordered before the release (memory_past.h), if the scope of
 *                            each includes the other; a fence before a write is such a release,
 *                            and a fence after a read such an acquire
 *
 * Operations without a memory order, such as atomicAdd() and volatile accesses, are not releases.
 * They do count as acquires, because many programs omit the fence after them.
 *
 * A shuffle or a vote does not order memory accesses (PTX ISA, "shfl.sync": no memory ordering is
 * promised). Two unordered accesses to one byte are a race if at least one is a write and not both
 * are atomic, whatever the result was this time.
 */
#ifndef SHFLVIZ_DEVICE_OWN_MEMORY_CHECK_H
#define SHFLVIZ_DEVICE_OWN_MEMORY_CHECK_H

#include "cudacpu/calls.h"
#include "simt/simt.h"

/* Begins checking; findings go to the file at `path` (access_file.h), which is replaced. If that
 * fails, returns NULL, and nothing is checked. If `path` is NULL, checks the kernels that an
 * interpreter runs in this process, starting over each time: the variables of these kernels are
 * those reported to the observer, and their sites those passed to memory_check_access(). */
const struct cpu_observer *memory_check_begin(const char *path);

/* The findings of checks without a file, until checking begins again. */
struct access_head;
struct access_entry;
const struct access_head *memory_check_found(const struct access_entry **entries);

/* True if there is memory for an access, in an object or in the padding after it. */
bool memory_check_holds(const void *address, size_t size);

/* The running lane computes an index beyond an array of that many elements, a misaligned address,
 * or a shift by more bits than a value has. */
void memory_check_index(uint64_t index, uint64_t elements, bool is_inner, const void *pc);
void memory_check_misaligned(uint64_t address, uint64_t alignment, bool writes, const void *pc);
void memory_check_shift(int64_t amount, unsigned bits, const void *pc);

/* The same as memory_check_begin(), under the name that watched.c looks up to find out whether
 * accesses are seen (access.c). */
const struct cpu_observer *cpu_access_begin(const char *path);

/* Ends all checks. */
void memory_check_end(void);
/* Ends the checks and the recording of accesses, under the name that varied.c looks up
 * (access.c). */
void cpu_access_end(void);

/* The running lane, or the host if no lane runs, is about to access `size` bytes; `kind` as in
 * access_file.h. */
void memory_check_access(const void *address, size_t size, unsigned kind, const void *pc);

/* The host is about to access memory, in its own code or in a function of the C library. */
void memory_check_host(const void *address, size_t size, unsigned kind, const void *pc);

/* A kernel is about to be launched with this pointer as argument number `argument`, from 0. */
void memory_check_passed(const void *pointer, size_t argument, struct cpu_pointed to);

/* False if nothing is checked and memory_check_access() does nothing. */
extern bool memory_check_is_on;

/* The host has written to this memory with a function of the C library. */
void memory_check_written(const void *address, size_t size);

/* True if the address is in one of the program's thread-local variables of this thread: blockIdx
 * and the like, and `__shared__` variables if each host thread has its own. */
bool memory_is_thread_local(uintptr_t address);

#endif
