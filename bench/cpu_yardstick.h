/*
 * cpu_yardstick.h - the cost of a plain fiber per lane, with which the CPU warp is compared.
 *
 * The minimum that can be called a checked and recorded warp shuffle: one kind of shuffle, one
 * warp, full masks. Lanes run in lane order; each leaves its value in a buffer, checks that the
 * previous lane made the same call, switches to the next lane, and reads its partner's value
 * when it runs again. Lane 0 writes a record of every lane's value.
 */
#ifndef SHFLVIZ_CPU_YARDSTICK_H
#define SHFLVIZ_CPU_YARDSTICK_H

#include <stdint.h>

#define YARDSTICK_LANES 32

struct yardstick;

/* 272 bytes, the minimum for every lane's value; the CPU warp's records have 512. */
struct yardstick_record {
    uint32_t warp, mask, kind, number;
    uint32_t in[YARDSTICK_LANES], out[YARDSTICK_LANES];
};

/* Records go into `ring`, which is the caller's and has room for `records` of them, a power of two.
 * Only one yardstick may exist at a time. */
struct yardstick *yardstick_create(struct yardstick_record *ring, unsigned records);
void yardstick_destroy(struct yardstick *yardstick); /* NULL is fine */

/*
 * Runs `warps` warps, one after another. Lane l of warp w begins with x = 32 w + l + 1; `rounds`
 * times it adds the value of the lane at distance 16, 8, 4, 2 and 1 (xor), then sets
 * x to x * 5 + l + round. Returns the sum of all final x as unsigned numbers.
 */
uint64_t yardstick_run(struct yardstick *yardstick, unsigned warps, unsigned rounds);

#endif
