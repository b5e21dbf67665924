/*
 * partition.h - groups whose kind or members are known only when the kernel runs, and the
 * functions that partition groups; part of cooperative_groups.h, which includes it.
 */
#ifndef SHFLVIZ_COOPERATIVE_GROUPS_PARTITION_H
#define SHFLVIZ_COOPERATIVE_GROUPS_PARTITION_H

#include <cooperative_groups.h>

CUDACPU_DEVICE_BEGIN

namespace cooperative_groups {

namespace shflviz_details {
/* The lanes of `members` whose ranks are in the lane's own row of `size`. */
static SHFLVIZ_GROUP_INLINE unsigned int row_of(unsigned int members, unsigned int size) {
    const unsigned int row = rank_of_lane(members, lane()) / size;
    unsigned int lanes = 0, rank = 0;
    for (unsigned int left = members; left; left &= left - 1, rank++)
        if (rank / size == row)
            lanes |= left & (0u - left);
    return lanes;
}
/* The lanes of the warp that exist in the block. */
static SHFLVIZ_GROUP_INLINE unsigned int lanes_of_warp() {
    const unsigned int first = thread_in_block() & ~31u, threads = threads_of_block();
    return threads - first >= 32 ? 0xffffffffu : (1u << (threads - first)) - 1;
}
} // namespace shflviz_details

/* Tiles of a size that is known when the kernel runs: a power of two up to 32. */
static SHFLVIZ_GROUP_INLINE thread_group tiled_partition(const thread_group &parent,
                                                         unsigned int size) {
    const unsigned int members =
        parent.shflviz_is_block() ? shflviz_details::lanes_of_warp() : parent.shflviz_members();
    return {shflviz_details::row_of(members, size), parent.thread_rank() / size,
            (parent.num_threads() + size - 1) / size};
}
static SHFLVIZ_GROUP_INLINE coalesced_group tiled_partition(const coalesced_group &parent,
                                                            unsigned int size) {
    return coalesced_group(shflviz_details::row_of(parent.shflviz_members(), size),
                           parent.thread_rank() / size, (parent.num_threads() + size - 1) / size);
}

/* The lanes of a tile or a coalesced group that passed the same value. */
template <class Group>
static SHFLVIZ_GROUP_INLINE coalesced_group binary_partition(
    const Group &group, bool predicate, shflviz_details::caller at = shflviz_details::here()) {
    SHFLVIZ_GROUP_SITE(at, "binary_partition(group, predicate)");
    const unsigned int members = group.shflviz_members();
    const unsigned int yes = shflviz::ballot(site, members, predicate);
    return coalesced_group(predicate ? yes : members & ~yes, predicate ? 1 : 0, 2);
}
template <class Group, class Label>
static SHFLVIZ_GROUP_INLINE coalesced_group labeled_partition(
    const Group &group, Label label, shflviz_details::caller at = shflviz_details::here()) {
    SHFLVIZ_GROUP_SITE(at, "labeled_partition(group, label)");
    return coalesced_group(shflviz::match_any(site, group.shflviz_members(), label));
}

/* One thread of the group calls the function. */
template <class Group, class Function, class... Arguments>
static SHFLVIZ_GROUP_INLINE void invoke_one(const Group &group, Function &&function,
                                            Arguments &&...arguments) {
    if (group.thread_rank() == 0)
        function(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
static SHFLVIZ_GROUP_INLINE auto invoke_one_broadcast(const Group &group, Function &&function,
                                                      Arguments &&...arguments) {
    decltype(function(static_cast<Arguments &&>(arguments)...)) result = {};
    if (group.thread_rank() == 0)
        result = function(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

/* ---- the grid ---- */

#if !defined(__CUDACC__) || defined(CUDACPU_CLANG)
class grid_group {
  public:
    static unsigned long long num_threads() {
        return num_blocks() * shflviz_details::threads_of_block();
    }
    static unsigned long long size() { return num_threads(); }
    static unsigned long long thread_rank() {
        return block_rank() * shflviz_details::threads_of_block() +
               shflviz_details::thread_in_block();
    }
    static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() {
        return blockIdx.x + (unsigned long long)gridDim.x *
                                (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 group_dim() { return gridDim; }
    static bool is_valid() { return true; }
    static void sync(shflviz_details::caller at = shflviz_details::here()) {
        cpu_grid_barrier(cpu_site(at.file, at.line, "grid.sync()"));
    }
    struct arrival_token {};
    static arrival_token barrier_arrive() { return {}; }
    static void barrier_wait(arrival_token, shflviz_details::caller at = shflviz_details::here()) {
        sync(at);
    }
};
static inline grid_group this_grid() {
    return {};
}

/* Not available on this device. */
class cluster_group {};
__attribute__((error("thread block clusters are not available on the CPU warp"))) cluster_group
this_cluster();
#endif

} // namespace cooperative_groups

CUDACPU_DEVICE_END
#endif
