/*
 * parity.h - the work of each warp of the parity kernel, by the number of its block.
 *
 * Read by the kernel on both devices and by the program that computes the expected results.
 */
#ifndef SHFLVIZ_TEST_PARITY_H
#define SHFLVIZ_TEST_PARITY_H

#include <stdint.h>

#define PARITY_OPS       4 /* idx, up, down, xor: enum warp_op */
#define PARITY_WIDTHS    6 /* 1 2 4 8 16 32 */
#define PARITY_FIRST     (-40)
#define PARITY_LAST      72
#define PARITY_ARGUMENTS (PARITY_LAST - PARITY_FIRST + 1)
#define PARITY_BLOCKS    (PARITY_OPS * PARITY_WIDTHS * PARITY_ARGUMENTS)

/* Bits of the mode, which is passed as the program's width. */
#define PARITY_OWN_ARGUMENTS 1 /* each lane has its own random argument */
#define PARITY_PARTIAL_MASK  2 /* lanes outside a random mask make no call */
#define PARITY_OUTSIDERS     4 /* lanes 16-31 pass the mask 0x0000ffff, too: undefined */

#ifdef __CUDACC__
#define PARITY_FUNCTION static __host__ __device__
#else
#define PARITY_FUNCTION static inline
#endif

PARITY_FUNCTION uint32_t parity_random(uint32_t a, uint32_t b) {
    uint32_t x = a * 0x9e3779b9u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    x *= 0x297a2d39u;
    return x ^ x >> 15;
}
PARITY_FUNCTION int parity_op(uint32_t block) {
    return (int)(block % PARITY_OPS);
}
PARITY_FUNCTION int parity_width(uint32_t block) {
    return 1 << block / PARITY_OPS % PARITY_WIDTHS;
}
PARITY_FUNCTION int parity_argument(uint32_t block, uint32_t lane, int mode) {
    if (mode & PARITY_OWN_ARGUMENTS)
        return (int)(parity_random(block, lane) % PARITY_ARGUMENTS) + PARITY_FIRST;
    return (int)(block / (PARITY_OPS * PARITY_WIDTHS)) + PARITY_FIRST;
}
/* The member mask, which is never empty. `lanes` are those of the warp that exist. */
PARITY_FUNCTION uint32_t parity_members(uint32_t block, uint32_t lanes, int mode) {
    uint32_t members = lanes;
    if (mode & PARITY_OUTSIDERS)
        return 0x0000ffffu;
    if (mode & PARITY_PARTIAL_MASK)
        members &= parity_random(block, 1000);
    return members ? members : lanes;
}

#endif
