/*
 * cell.h - a record as a GPU writes it: in as few cells of 256 bytes as it needs.
 *
 * A cell is a 64-bit word for each lane of a warp, which a warp writes with one instruction:
 *
 *     bits  0..31  a value of that lane
 *          32..47  a part of something that the lanes share, or a width
 *          48..62  the tag: of the round in which the cell was written
 *              63  set in the first cell of a record
 *
 * A reader knows the tag that all words of a cell must have, and that they had a different one
 * before. So a cell can be read at any time and shows by itself whether it is complete: no writer
 * waits for its stores to become visible, and none counts them. A cell without a record (its bit 63
 * is clear and no cell before it announced it) is skipped.
 *
 * The parts of a first cell, in lanes 2 i and 2 i + 1, are the low and high halves of head word i:
 *
 *     0  the block's number, its low 32 bits     4  member mask
 *     1  kinds, see below                        5  lanes that made the call
 *     2  the argument, if all lanes pass the same      6  the block's number, its high 32 bits
 *     3  the width; or the result, if SAME_OUT   7  the width, if SAME_OUT
 *
 * Words 4 to 7 exist only if LONG is set; else all 32 lanes made the call, with a full mask, the
 * block's number has 32 bits, and a width that is not given is 0. The values are the lanes' inputs.
 * The first cell is followed, in this order, by the cells that the kinds announce: the upper halves
 * of these values; the arguments, with the widths as parts; the results; their upper halves.
 * Results that are in no cell and not SAME_OUT follow from ring_predicted_lane(): the writer has
 * checked that.
 *
 * The words of lanes that did not make the call have the value 0. The launch is not stored: a ring
 * holds the records of one launch at a time.
 *
 * Compiled by nvcc for the device and by the host's compiler.
 */
#ifndef SHFLVIZ_CELL_H
#define SHFLVIZ_CELL_H

#include "shflviz/filter.h" /* SHFLVIZ_DEVICE_FUNCTION */

#include <stdbool.h>
#include <stdint.h>

#define SHFLVIZ_CELL_BYTES 256
#define SHFLVIZ_CELL_WORDS 32
#define SHFLVIZ_CELLS_MOST 5 /* of a record */

#define SHFLVIZ_CELL_VALUE_BITS 32
#define SHFLVIZ_CELL_MARK_BITS  48
#define SHFLVIZ_CELL_FIRST      0x8000u /* bits of the marker, the upper 16 bits of a word */
#define SHFLVIZ_CELL_TAG        0x7fffu
#define SHFLVIZ_CELL_TAG_EARLY  1u /* in memory that is written once */

enum {
    SHFLVIZ_HEAD_BLOCK,
    SHFLVIZ_HEAD_KINDS,
    SHFLVIZ_HEAD_ARG,
    SHFLVIZ_HEAD_WIDTH,
    SHFLVIZ_HEAD_MEMBERS,
    SHFLVIZ_HEAD_PRESENT,
    SHFLVIZ_HEAD_BLOCK_HIGH,
    SHFLVIZ_HEAD_WIDTH_TOO,
    SHFLVIZ_HEAD_WORDS
};

/* Kinds: the index of the warp in its block, the site, operation and type, and the flags below. */
#define SHFLVIZ_KINDS_WARP(kinds) ((kinds)&31u)
#define SHFLVIZ_KINDS_SITE(kinds) ((kinds) >> 5 & 511u)
#define SHFLVIZ_KINDS_OP(kinds)   ((kinds) >> 14 & 31u)
#define SHFLVIZ_KINDS_TYPE(kinds) ((kinds) >> 19 & 31u)
#define SHFLVIZ_KINDS(warp, site, op, type)                                                        \
    ((uint32_t)(warp) | (uint32_t)(site) << 5 | (uint32_t)(op) << 14 | (uint32_t)(type) << 19)
#define SHFLVIZ_KINDS_WIDE     0x01000000u /* values of 64 bits */
#define SHFLVIZ_KINDS_ARGS     0x02000000u /* a cell of arguments and widths */
#define SHFLVIZ_KINDS_OUTS     0x04000000u /* a cell of results */
#define SHFLVIZ_KINDS_WIDTHS   0x08000000u /* the lanes' widths differ; with ARGS */
#define SHFLVIZ_KINDS_SAME_OUT 0x10000000u /* all got the same 32 bits */
#define SHFLVIZ_KINDS_LONG     0x20000000u

SHFLVIZ_DEVICE_FUNCTION uint32_t ring_cells_of(uint32_t kinds) {
    return 1 + (kinds >> 24 & 1) + (kinds >> 25 & 1) + (kinds >> 26 & 1) +
           (kinds >> 24 & kinds >> 26 & 1);
}

SHFLVIZ_DEVICE_FUNCTION uint64_t ring_word(uint32_t value, uint32_t part, uint32_t mark) {
    return value | (uint64_t)(part & 0xffffu) << SHFLVIZ_CELL_VALUE_BITS |
           (uint64_t)mark << SHFLVIZ_CELL_MARK_BITS;
}

/* True if CUDA defines the width: 1, 2, 4, 8, 16, 32. */
SHFLVIZ_DEVICE_FUNCTION bool ring_width_is_defined(uint32_t width) {
    return width - 1 < 32 && (width & (width - 1)) == 0;
}

/* The lane whose value a shuffle (`op` 0 to 3, as in warp/warp.h) of a defined width gives to
 * `lane`, if all lanes are there; `lane` for other operations. */
SHFLVIZ_DEVICE_FUNCTION uint32_t ring_predicted_lane(uint32_t op, uint32_t lane, uint32_t arg,
                                                     uint32_t width) {
    const uint32_t base = lane & ~(width - 1);
    uint32_t source = lane;
    if (op == 0)
        return base + (arg & (width - 1));
    if (op == 1)
        source = lane - arg;
    else if (op == 2)
        source = lane + arg;
    else if (op == 3) {
        source = lane ^ arg;
        return source < base + width ? source : lane;
    }
    return source - base < width ? source : lane;
}

#endif
