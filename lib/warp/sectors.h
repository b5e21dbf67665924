/*
 * sectors.h - the 32-byte sectors of global memory that an access of a warp uses.
 *
 * Global memory is read and written in aligned pieces of 32 bytes, four of which are a line of 128
 * bytes. The accesses of a warp's lanes become as many 32-byte transactions as it takes to serve
 * all of them (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory", for compute
 * capability 6.0 and later). Caches are not modelled here.
 */
#ifndef SHFLVIZ_WARP_SECTORS_H
#define SHFLVIZ_WARP_SECTORS_H

#include "warp/warp.h"

#define WARP_SECTOR_BYTES 32
#define WARP_LINE_BYTES   128
/* 16 bytes overlap two sectors at most. */
#define WARP_SECTORS_MOST (2 * WARP_LANES)

struct sector_use {
    int sectors;                       /* different ones; 0: no lane accesses */
    int lines;                         /* different ones */
    int bytes;                         /* accessed by some lane, each counted once */
    int least;                         /* the fewest sectors that could hold `bytes` */
    int32_t sector[WARP_SECTORS_MOST]; /* their numbers from offset 0, ascending */
};

/* `operation` is one of warp_op_is_global(). For a lane that is present, arg is the offset, from 0,
 * and width the number of bytes, 1 to 16. */
void warp_sector_use(const struct warp_operation *operation, struct sector_use *use);

/* The sector of the byte at that offset. */
static inline int32_t warp_sector(int32_t offset) {
    return offset / WARP_SECTOR_BYTES;
}

#endif
