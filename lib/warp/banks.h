/*
 * banks.h - the banks of shared memory that an access of a warp uses, and the degree of its bank
 * conflict.
 *
 * Shared memory has 32 banks; successive 32-bit words are in successive banks. Lanes that access
 * the same word do not conflict: a read is broadcast, and only one of the writes is made (CUDA C++
 * Programming Guide, "Compute Capability 5.x", "Shared Memory"; CUDA C++ Best Practices Guide,
 * "Shared Memory and Memory Banks"). An access of 64 bits per lane is made by half-warps, one of
 * 128 bits by quarter-warps, one after the other (the same guide, "Compute Capability 2.x" of older
 * editions, "64-bit accesses", "128-bit accesses"). For later GPUs NVIDIA says on its forum (topic
 * 77228, "Unexpected shared memory bank conflict", on 7.0 to 7.5) that shared memory returns 128
 * bytes per cycle, so that 128 bits per lane take four requests, or two where lanes n and n ^ 1, or
 * n and n ^ 2, read the same address throughout; that exception is ignored here.
 *
 * Atomic operations on one address are all made, one after the other ("SIMT Architecture", Notes):
 * here each lane of such an operation counts, whether in the same word or not.
 */
#ifndef SHFLVIZ_WARP_BANKS_H
#define SHFLVIZ_WARP_BANKS_H

#include "warp/warp.h"

#define WARP_BANKS      32
#define WARP_BANK_BYTES 4
#define WARP_ROW_BYTES  (WARP_BANKS * WARP_BANK_BYTES)

struct bank_use {
    int parts;      /* the warp is served as a whole (1), by halves (2), by quarters (4) */
    int ways;       /* in the worst bank of the worst part; 1: no conflict; 0: no lane accesses */
    int passes;     /* the sum of the ways of all parts */
    int least;      /* passes if there were no conflict: one per part that has a lane */
    int bank;       /* the worst bank: the lowest with that many ways, in the first such part */
    uint32_t lanes; /* that access that bank in that part */
    uint8_t count[WARP_BANKS]; /* ways of each bank, in the part where it has most */
};

/* `operation` is one of warp_op_is_shared(). For a lane that is present, arg is the offset, from 0,
 * and width the number of bytes, 1 to 16. */
void warp_bank_use(const struct warp_operation *operation, struct bank_use *use);

/* The bank of the byte at that offset. */
static inline int warp_bank(int32_t offset) {
    return (int)((uint32_t)offset / WARP_BANK_BYTES % WARP_BANKS);
}

#endif
