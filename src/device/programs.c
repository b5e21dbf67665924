#include "device/programs.h"

#include <string.h>

extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_idx);
extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_up);
extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_down);
extern const struct shflviz_program SHFLVIZ_PROGRAM(shuffle_xor);
extern const struct shflviz_program SHFLVIZ_PROGRAM(broadcast);
extern const struct shflviz_program SHFLVIZ_PROGRAM(reduce_xor_sum);
extern const struct shflviz_program SHFLVIZ_PROGRAM(reduce_xor_max);
extern const struct shflviz_program SHFLVIZ_PROGRAM(reduce_down_sum);
extern const struct shflviz_program SHFLVIZ_PROGRAM(scan_8);
extern const struct shflviz_program SHFLVIZ_PROGRAM(allreduce);
extern const struct shflviz_program SHFLVIZ_PROGRAM(block_reduce);
extern const struct shflviz_program SHFLVIZ_PROGRAM(scan_32);
extern const struct shflviz_program SHFLVIZ_PROGRAM(votes);
extern const struct shflviz_program SHFLVIZ_PROGRAM(compact);
extern const struct shflviz_program SHFLVIZ_PROGRAM(match_any);
extern const struct shflviz_program SHFLVIZ_PROGRAM(match_all);
extern const struct shflviz_program SHFLVIZ_PROGRAM(transpose);
extern const struct shflviz_program SHFLVIZ_PROGRAM(bitonic_sort);
extern const struct shflviz_program SHFLVIZ_PROGRAM(sum_then_broadcast);
extern const struct shflviz_program SHFLVIZ_PROGRAM(partial_min);
extern const struct shflviz_program SHFLVIZ_PROGRAM(reduce_sync);
extern const struct shflviz_program SHFLVIZ_PROGRAM(reduce_shared_sum);
extern const struct shflviz_program SHFLVIZ_PROGRAM(shared_fence);
extern const struct shflviz_program SHFLVIZ_PROGRAM(tile_reduce);
extern const struct shflviz_program SHFLVIZ_PROGRAM(tile_groups);
extern const struct shflviz_program SHFLVIZ_PROGRAM(grid_reduce_warp);
extern const struct shflviz_program SHFLVIZ_PROGRAM(grid_reduce_block);
extern const struct shflviz_program SHFLVIZ_PROGRAM(grid_reduce_vector);
extern const struct shflviz_program SHFLVIZ_PROGRAM(grid_reduce_half);
extern const struct shflviz_program SHFLVIZ_PROGRAM(grid_reduce_bug);
extern const struct shflviz_program SHFLVIZ_PROGRAM(grid_allreduce);
extern const struct shflviz_program SHFLVIZ_PROGRAM(lane_ids);
extern const struct shflviz_program SHFLVIZ_PROGRAM(broadcast_argument);
extern const struct shflviz_program SHFLVIZ_PROGRAM(mask_given);
extern const struct shflviz_program SHFLVIZ_PROGRAM(segment_mask);
extern const struct shflviz_program SHFLVIZ_PROGRAM(float_as_int);
extern const struct shflviz_program SHFLVIZ_PROGRAM(partial_sum);
extern const struct shflviz_program SHFLVIZ_PROGRAM(partial_sum_padded);
extern const struct shflviz_program SHFLVIZ_PROGRAM(fold_sum);
extern const struct shflviz_program SHFLVIZ_PROGRAM(ballot_too_small);
extern const struct shflviz_program SHFLVIZ_PROGRAM(activemask);
extern const struct shflviz_program SHFLVIZ_PROGRAM(wave_halves);
extern const struct shflviz_program SHFLVIZ_PROGRAM(divergent_full_mask);
extern const struct shflviz_program SHFLVIZ_PROGRAM(divergent_own_mask);
extern const struct shflviz_program SHFLVIZ_PROGRAM(both_branches);
extern const struct shflviz_program SHFLVIZ_PROGRAM(loop_leaves);
extern const struct shflviz_program SHFLVIZ_PROGRAM(loop_stays);
extern const struct shflviz_program SHFLVIZ_PROGRAM(subgroup_mask);
extern const struct shflviz_program SHFLVIZ_PROGRAM(mask_forgotten);

static const struct program *const programs[] = {
    &SHFLVIZ_PROGRAM(shuffle_idx).program,
    &SHFLVIZ_PROGRAM(shuffle_up).program,
    &SHFLVIZ_PROGRAM(shuffle_down).program,
    &SHFLVIZ_PROGRAM(shuffle_xor).program,
    &SHFLVIZ_PROGRAM(broadcast).program,
    &SHFLVIZ_PROGRAM(reduce_xor_sum).program,
    &SHFLVIZ_PROGRAM(reduce_xor_max).program,
    &SHFLVIZ_PROGRAM(reduce_down_sum).program,
    &SHFLVIZ_PROGRAM(scan_8).program,
    &SHFLVIZ_PROGRAM(allreduce).program,
    &SHFLVIZ_PROGRAM(block_reduce).program,
    &SHFLVIZ_PROGRAM(scan_32).program,
    &SHFLVIZ_PROGRAM(votes).program,
    &SHFLVIZ_PROGRAM(compact).program,
    &SHFLVIZ_PROGRAM(match_any).program,
    &SHFLVIZ_PROGRAM(match_all).program,
    &SHFLVIZ_PROGRAM(transpose).program,
    &SHFLVIZ_PROGRAM(bitonic_sort).program,
    &SHFLVIZ_PROGRAM(sum_then_broadcast).program,
    &SHFLVIZ_PROGRAM(partial_min).program,
    &SHFLVIZ_PROGRAM(reduce_sync).program,
    &SHFLVIZ_PROGRAM(reduce_shared_sum).program,
    &SHFLVIZ_PROGRAM(shared_fence).program,
    &SHFLVIZ_PROGRAM(tile_reduce).program,
    &SHFLVIZ_PROGRAM(tile_groups).program,
    &SHFLVIZ_PROGRAM(grid_reduce_warp).program,
    &SHFLVIZ_PROGRAM(grid_reduce_block).program,
    &SHFLVIZ_PROGRAM(grid_reduce_vector).program,
    &SHFLVIZ_PROGRAM(grid_reduce_half).program,
    &SHFLVIZ_PROGRAM(grid_reduce_bug).program,
    &SHFLVIZ_PROGRAM(grid_allreduce).program,
    &SHFLVIZ_PROGRAM(lane_ids).program,
    &SHFLVIZ_PROGRAM(broadcast_argument).program,
    &SHFLVIZ_PROGRAM(mask_given).program,
    &SHFLVIZ_PROGRAM(segment_mask).program,
    &SHFLVIZ_PROGRAM(float_as_int).program,
    &SHFLVIZ_PROGRAM(partial_sum).program,
    &SHFLVIZ_PROGRAM(partial_sum_padded).program,
    &SHFLVIZ_PROGRAM(fold_sum).program,
    &SHFLVIZ_PROGRAM(ballot_too_small).program,
    &SHFLVIZ_PROGRAM(activemask).program,
    &SHFLVIZ_PROGRAM(wave_halves).program,
    &SHFLVIZ_PROGRAM(divergent_full_mask).program,
    &SHFLVIZ_PROGRAM(divergent_own_mask).program,
    &SHFLVIZ_PROGRAM(both_branches).program,
    &SHFLVIZ_PROGRAM(loop_leaves).program,
    &SHFLVIZ_PROGRAM(loop_stays).program,
    &SHFLVIZ_PROGRAM(subgroup_mask).program,
    &SHFLVIZ_PROGRAM(mask_forgotten).program,
};
#define PROGRAM_COUNT (sizeof programs / sizeof programs[0])

const struct program *const *device_programs(size_t *count) {
    *count = PROGRAM_COUNT;
    return programs;
}

const struct program *device_program_find(const char *name) {
    for (size_t i = 0; i < PROGRAM_COUNT; i++)
        if (strcmp(programs[i]->name, name) == 0)
            return programs[i];
    return NULL;
}

const struct shflviz_program *program_entry(const struct program *program) {
    for (size_t i = 0; i < PROGRAM_COUNT; i++)
        if (programs[i] == program)
            return (const struct shflviz_program *)(const void *)program; /* its first member */
    return NULL;
}
