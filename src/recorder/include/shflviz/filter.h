/*
 * filter.h - which warp operations are worth a record: some blocks, some warps, some lines.
 *
 * One text for both devices: the CPU warp asks before it makes a record, the GPU's recorder before
 * it takes room for one. What is filtered out is not recorded and not counted as dropped: nobody
 * asked for it. nvcc reads this too; record_gpu.cuh defines what marks a device function first.
 */
#ifndef SHFLVIZ_FILTER_H
#define SHFLVIZ_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#ifndef SHFLVIZ_DEVICE_FUNCTION
#define SHFLVIZ_DEVICE_FUNCTION static inline
#endif

/* Which of the parts below count. */
#define SHFLVIZ_FILTER_BLOCKS 0x1u /* block_first .. block_last, by linear number */
#define SHFLVIZ_FILTER_INDEX  0x2u /* the one block at `block_index` */
#define SHFLVIZ_FILTER_WARPS  0x4u /* warp_first .. warp_last, in their block */
#define SHFLVIZ_FILTER_LINES  0x8u /* line_first .. line_last of the source */

/* All 0 lets everything pass. Ranges include both ends. */
struct shflviz_filter {
    uint32_t parts;
    uint32_t block_index[3]; /* blockIdx.x, y, z */
    uint64_t block_first, block_last;
    uint32_t warp_first, warp_last;
    uint32_t line_first, line_last;
};

/* Which block, warp and line an operation belongs to. */
struct shflviz_origin {
    uint64_t block;          /* linear: x + y * gridDim.x + z * gridDim.x * gridDim.y */
    uint32_t block_index[3]; /* blockIdx */
    uint32_t warp;           /* in its block */
    uint32_t line;           /* of the call */
};

SHFLVIZ_DEVICE_FUNCTION bool shflviz_filter_passes(const struct shflviz_filter *filter,
                                                   const struct shflviz_origin *at) {
    uint32_t parts = filter->parts;
    if ((parts & SHFLVIZ_FILTER_BLOCKS) &&
        (at->block < filter->block_first || at->block > filter->block_last))
        return false;
    if ((parts & SHFLVIZ_FILTER_INDEX) && (at->block_index[0] != filter->block_index[0] ||
                                           at->block_index[1] != filter->block_index[1] ||
                                           at->block_index[2] != filter->block_index[2]))
        return false;
    if ((parts & SHFLVIZ_FILTER_WARPS) &&
        (at->warp < filter->warp_first || at->warp > filter->warp_last))
        return false;
    return !(parts & SHFLVIZ_FILTER_LINES) ||
           (at->line >= filter->line_first && at->line <= filter->line_last);
}

#endif
