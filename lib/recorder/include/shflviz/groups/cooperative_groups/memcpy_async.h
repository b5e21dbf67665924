/*
 * memcpy_async.h - cg::memcpy_async: each thread of the group copies its share immediately, and
 * wait() joins the group. The CPU warp's headers record what a thread has copied and waited for.
 */
#ifndef SHFLVIZ_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SHFLVIZ_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#ifndef SHFLVIZ_COPY_BEGUN
#define SHFLVIZ_COPY_BEGUN(to, size) (void)0
#define SHFLVIZ_COPIES_COMMITTED()   (void)0
#define SHFLVIZ_COPIES_WAITED(left)  (void)0
#endif

CUDACPU_DEVICE_BEGIN

namespace cooperative_groups {

namespace shflviz_details {
template <class Group>
static SHFLVIZ_GROUP_INLINE void copy_share(const Group &group, void *to, const void *from,
                                            size_t bytes) {
    const size_t threads = (size_t)group.num_threads();
    size_t first = (size_t)group.thread_rank();
    if (first == 0) /* no thread may read any of it, whether copied yet or not */
        SHFLVIZ_COPY_BEGUN(to, bytes);
    if ((((size_t)to | (size_t)from | bytes) & 3) == 0) {
        for (; first < bytes / 4; first += threads) {
            ((int *)to)[first] = ((const int *)from)[first];
            SHFLVIZ_COPY_BEGUN((int *)to + first, 4);
        }
    } else {
        for (; first < bytes; first += threads) {
            ((char *)to)[first] = ((const char *)from)[first];
            SHFLVIZ_COPY_BEGUN((char *)to + first, 1);
        }
    }
    SHFLVIZ_COPIES_COMMITTED();
}
template <class Group> static SHFLVIZ_GROUP_INLINE void join(const Group &group, caller at) {
#if defined(__CUDACC__) && !defined(CUDACPU_CLANG)
    (void)at;
    group.sync();
#else
    group.sync(at);
#endif
}
} // namespace shflviz_details

/* `size` is in bytes; it may be a cuda::aligned_size_t. */
template <class Group, class T, class Size>
static SHFLVIZ_GROUP_INLINE void memcpy_async(const Group &group, T *to, const T *from,
                                              const Size &size) {
    shflviz_details::copy_share(group, to, from, (size_t)size);
}
template <class Group, class Size>
static SHFLVIZ_GROUP_INLINE void memcpy_async(const Group &group, void *to, const void *from,
                                              const Size &size) {
    shflviz_details::copy_share(group, to, from, (size_t)size);
}
/* Layouts count elements; the smaller one says how many are copied. */
template <class Group, class T, class ToLayout, class FromLayout>
static SHFLVIZ_GROUP_INLINE void memcpy_async(const Group &group, T *to, const ToLayout &to_layout,
                                              const T *from, const FromLayout &from_layout) {
    const size_t room = (size_t)to_layout, count = (size_t)from_layout;
    shflviz_details::copy_share(group, to, from, (room < count ? room : count) * sizeof(T));
}

template <class Group>
static SHFLVIZ_GROUP_INLINE void wait(const Group &group,
                                      shflviz_details::caller at = shflviz_details::here()) {
    SHFLVIZ_COPIES_WAITED(0);
    shflviz_details::join(group, at);
}
template <unsigned int Stages, class Group>
static SHFLVIZ_GROUP_INLINE void wait_prior(const Group &group,
                                            shflviz_details::caller at = shflviz_details::here()) {
    SHFLVIZ_COPIES_WAITED(Stages);
    shflviz_details::join(group, at);
}

} // namespace cooperative_groups

CUDACPU_DEVICE_END
#endif
