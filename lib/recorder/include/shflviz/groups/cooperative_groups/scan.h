/*
 * scan.h - cg::inclusive_scan and cg::exclusive_scan of tiles and coalesced groups.
 */
#ifndef SHFLVIZ_COOPERATIVE_GROUPS_SCAN_H
#define SHFLVIZ_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups/reduce.h>

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

namespace cooperative_groups {

/* Combines each thread's value with those of all ranks before it. */
template <class Group, class T, class Operation>
static SHFLVIZ_GROUP_INLINE T inclusive_scan(const Group &group, T value, Operation operation,
                                             shflviz_details::caller at = shflviz_details::here()) {
    for (unsigned int delta = 1; delta < group.num_threads(); delta *= 2) {
        T before = group.shfl_up(value, delta, at);
        if (group.thread_rank() >= delta)
            value = operation(before, value);
    }
    return value;
}
template <class Group, class T>
static SHFLVIZ_GROUP_INLINE T inclusive_scan(const Group &group, T value,
                                             shflviz_details::caller at = shflviz_details::here()) {
    return inclusive_scan(group, value, plus<T>(), at);
}

/* Combines only the values of the ranks before it; rank 0 gets T(), which adds nothing. */
template <class Group, class T, class Operation>
static SHFLVIZ_GROUP_INLINE T exclusive_scan(const Group &group, T value, Operation operation,
                                             shflviz_details::caller at = shflviz_details::here()) {
    T before = group.shfl_up(inclusive_scan(group, value, operation, at), 1, at);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
static SHFLVIZ_GROUP_INLINE T exclusive_scan(const Group &group, T value,
                                             shflviz_details::caller at = shflviz_details::here()) {
    return exclusive_scan(group, value, plus<T>(), at);
}

} // namespace cooperative_groups

CUDACPU_DEVICE_END
#endif
