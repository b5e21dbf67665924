/*
 * filter.h - selects the warp operations to record, by kernel, launch, block, warp and line.
 *
 * Both devices share it: the CPU warp asks before it makes a record, the GPU's recorder before it
 * reserves space for one. Operations that are filtered out are neither recorded nor counted as
 * dropped. The host checks kernels and launches, once per launch; the device checks the rest at
 * each operation. nvcc compiles this too, after record_gpu.cuh has defined the marker of device
 * functions.
 */
#ifndef SHFLVIZ_FILTER_H
#define SHFLVIZ_FILTER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef SHFLVIZ_DEVICE_FUNCTION
#define SHFLVIZ_DEVICE_FUNCTION static inline
#endif

/* Flags for the fields below that apply. */
#define SHFLVIZ_FILTER_BLOCKS   0x1u  /* block_first .. block_last, by linear number */
#define SHFLVIZ_FILTER_INDEX    0x2u  /* the one block at `block_index` */
#define SHFLVIZ_FILTER_WARPS    0x4u  /* warp_first .. warp_last, in their block */
#define SHFLVIZ_FILTER_LINES    0x8u  /* line_first .. line_last of the source */
#define SHFLVIZ_FILTER_LAUNCHES 0x10u /* launch_first .. launch_last, from 0 */
#define SHFLVIZ_FILTER_KERNEL   0x20u /* launches of `kernel` */
/* Conditions to check at each operation. */
#define SHFLVIZ_FILTER_PLACES                                                                      \
    (SHFLVIZ_FILTER_BLOCKS | SHFLVIZ_FILTER_INDEX | SHFLVIZ_FILTER_WARPS | SHFLVIZ_FILTER_LINES)

#define SHFLVIZ_FILTER_KERNEL_MOST 255 /* bytes of a kernel's name */

/* All 0 lets everything pass. Ranges include both ends. */
struct shflviz_filter {
    uint32_t parts;
    uint32_t block_index[3]; /* blockIdx.x, y, z */
    uint64_t block_first, block_last;
    uint32_t warp_first, warp_last;
    uint32_t line_first, line_last;
    uint32_t launch_first, launch_last;
    char kernel[SHFLVIZ_FILTER_KERNEL_MOST + 1]; /* a name without namespaces matches in any */
};

/* The block, warp and line that an operation belongs to. */
struct shflviz_origin {
    uint64_t block;          /* linear: x + y * gridDim.x + z * gridDim.x * gridDim.y */
    uint32_t block_index[3]; /* blockIdx */
    uint32_t warp;           /* in its block */
    uint32_t line;           /* of the call */
};

/* True if the filter names this kernel, as launches have it: "sum" means "sum" and "mine::sum". */
static inline bool shflviz_filter_names(const struct shflviz_filter *filter, const char *kernel) {
    size_t length = strlen(kernel), wanted = strlen(filter->kernel);
    return length >= wanted && strcmp(kernel + length - wanted, filter->kernel) == 0 &&
           (length == wanted || kernel[length - wanted - 1] == ':');
}

/* For the host: true if any part of a launch must be recorded. */
static inline bool shflviz_filter_passes_launch(const struct shflviz_filter *filter,
                                                uint32_t launch, const char *kernel) {
    if ((filter->parts & SHFLVIZ_FILTER_LAUNCHES) &&
        (launch < filter->launch_first || launch > filter->launch_last))
        return false;
    return !(filter->parts & SHFLVIZ_FILTER_KERNEL) || shflviz_filter_names(filter, kernel);
}

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
