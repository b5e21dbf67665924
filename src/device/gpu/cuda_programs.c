/*
 * cuda_programs.c - the programs of kernels/ as nvcc built them, with the recorder before them.
 */
#include "device/gpu/cuda.h"

#include <string.h>

/* Like SHFLVIZ_PROGRAM() where nvcc reads it. */
#define PROGRAMS(X)                                                                                \
    X(shuffle_idx)                                                                                 \
    X(shuffle_up)                                                                                  \
    X(shuffle_down)                                                                                \
    X(shuffle_xor)                                                                                 \
    X(broadcast)                                                                                   \
    X(reduce_xor_sum)                                                                              \
    X(reduce_xor_max)                                                                              \
    X(reduce_down_sum)                                                                             \
    X(scan_8)                                                                                      \
    X(allreduce)                                                                                   \
    X(block_reduce)                                                                                \
    X(scan_32)                                                                                     \
    X(votes)                                                                                       \
    X(compact)                                                                                     \
    X(match_any)                                                                                   \
    X(match_all)                                                                                   \
    X(transpose)                                                                                   \
    X(bitonic_sort)                                                                                \
    X(sum_then_broadcast)                                                                          \
    X(partial_min)                                                                                 \
    X(reduce_sync)                                                                                 \
    X(reduce_shared_sum)                                                                           \
    X(shared_fence)                                                                                \
    X(tile_reduce)                                                                                 \
    X(tile_groups)                                                                                 \
    X(grid_reduce_warp)                                                                            \
    X(grid_reduce_block)                                                                           \
    X(grid_reduce_vector)                                                                          \
    X(grid_reduce_half)                                                                            \
    X(grid_reduce_bug)                                                                             \
    X(grid_allreduce)                                                                              \
    X(lane_ids)                                                                                    \
    X(broadcast_argument)                                                                          \
    X(mask_given)                                                                                  \
    X(segment_mask)                                                                                \
    X(float_as_int)                                                                                \
    X(partial_sum)                                                                                 \
    X(partial_sum_padded)                                                                          \
    X(fold_sum)                                                                                    \
    X(ballot_too_small)                                                                            \
    X(activemask)                                                                                  \
    X(wave_halves)                                                                                 \
    X(divergent_full_mask)                                                                         \
    X(divergent_own_mask)                                                                          \
    X(both_branches)                                                                               \
    X(loop_leaves)                                                                                 \
    X(loop_stays)                                                                                  \
    X(subgroup_mask)                                                                               \
    X(mask_forgotten)

#define DECLARE(name) extern const struct shflviz_program shflviz_gpu_program_##name;
PROGRAMS(DECLARE)

const struct shflviz_program *cuda_program_find(const char *name) {
#define ADDRESS(name) &shflviz_gpu_program_##name,
    static const struct shflviz_program *const programs[] = {PROGRAMS(ADDRESS)};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(programs[i]->program.name, name) == 0)
            return programs[i];
    return NULL;
}
