/*
 * memory_rules.h - runs accesses to memory that a text describes, observed by memory_check.h, to
 * test its findings. A text consists of words:
 *
 *     L                 a kernel begins
 *     B1  P1  b1        block 1 begins after all others have ended; begins in parallel; continues
 *     t5  H             lane 5 of the block runs; the host does
 *     |  G  j1:f  f     a barrier of the block, of the grid; __syncwarp() of warp 1, lanes f; a
 *                       fence of the lane
 *     m48               the next atomic operation or fence is of that kind
 *     (  )              the accesses in between are one atomic operation
 *     rs4  wg0+2        the lane accesses 4 bytes of dynamic shared memory, from its byte 4 on; 2
 *                       bytes of an allocation, from its byte 0 on
 *
 * The first letter of an access: r reads, w writes another value, k writes the same value; a is an
 * atomic operation, l an atomic read, V a volatile write, v a volatile read; c is a write by a
 * function of the C library. F frees, A allocates. The second letter is the memory: g, an
 * allocation of 64 bytes; h, one whose bytes have been written; s, dynamic shared memory of 256
 * bytes; x, y, variables of 64 and 32 bytes; i, a variable of the program.
 */
#ifndef SHFLVIZ_TEST_MEMORY_RULES_H
#define SHFLVIZ_TEST_MEMORY_RULES_H

#include "cudacpu/calls.h"
#include "cudacpu/observe/memory_state.h"
#include "simt/device_state.h"

enum { RULES_THREADS = 256, RULES_ALLOCATION = 64, RULES_SHARED = 256 };

extern const struct cpu_observer *rules_observer;
extern struct cpu_device rules_device;

/* Begins to check. Returns 0. */
int rules_begin(void **state);
int rules_end(void **state);
/* Starts over: nothing has been accessed or found; lane 0 of block 0 of a new kernel runs. */
void rules_reset(void);
/* Makes this lane of the block run; -1: none. */
void rules_lane(int thread);
/* The location from which the access of that number is made, counted from 1. */
const void *rules_location(unsigned number);
/* Executes the words of the text. */
void rules_play(const char *text);
/* The findings, by the numbers of accesses: "S2<1 U3" is a race about shared memory between
 * accesses 2 and 1, and 3 reads memory that was never written. */
void rules_found(char *text, size_t size);
/* The memory that a letter stands for. */
unsigned char *rules_memory(char letter);

#endif
