/*
 * large_tile.h - tiles of 64 to 1024 threads, of several warps, on the CPU warp; see
 * cooperative_groups.h. They have the toolkit's functions: sync, shfl, any, all, and reduce and the
 * scans. Their memory is the device's own, so that block_tile_memory need not be given.
 */
#ifndef SHFLVIZ_COOPERATIVE_GROUPS_LARGE_TILE_H
#define SHFLVIZ_COOPERATIVE_GROUPS_LARGE_TILE_H

#include <cooperative_groups.h>

CUDACPU_DEVICE_BEGIN

namespace cooperative_groups {
namespace shflviz_details {

template <unsigned int Size> class large_tile {
    unsigned int number, count; /* its index among its parent's tiles, and their number */

    static unsigned int first() { return thread_in_block() & ~(Size - 1); }
    static unsigned int present() {
        const unsigned int behind = threads_of_block() - first();
        return behind < Size ? behind : Size;
    }
    static cpu_warp *warp_of(unsigned int thread) {
        return cpu_now.warp - cpu_now.warp->index + thread / 32;
    }
    /* The block's barriers are divided by tile size: 1 for 1024, 2 for 512, .. 16 for 64. */
    static void meet() {
        unsigned int *barrier = warp_of(0)->tile_barriers[1024 / Size - 1 + first() / Size];
        cpu_fence();
        const unsigned int openings = atomicAdd(&barrier[1], 0u);
        if (atomicAdd(&barrier[0], 1u) + 1 >= present()) {
            atomicExch(&barrier[0], 0u);
            atomicAdd(&barrier[1], 1u);
        } else {
            while (atomicAdd(&barrier[1], 0u) == openings)
                ;
        }
        cpu_fence();
    }
    template <class T> static void put(unsigned int thread, T value) {
        static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                      "a group shuffles trivially copyable types of at most 32 bytes");
        memcpy(warp_of(thread)->tile_room[thread % 32], &value, sizeof value);
    }
    template <class T> static T get(unsigned int thread) {
        T value;
        memcpy(&value, warp_of(thread)->tile_room[thread % 32], sizeof value);
        return value;
    }
    template <class T> static T exchange(T value, unsigned int from) {
        put(thread_in_block(), value);
        meet();
        value = get<T>(from);
        meet();
        return value;
    }

  public:
    large_tile(unsigned int rank, unsigned int size) : number(rank), count(size) {}

    static constexpr unsigned int num_threads() { return Size; }
    static constexpr unsigned int size() { return Size; }
    static unsigned int thread_rank() { return thread_in_block() & (Size - 1); }
    unsigned int meta_group_rank() const { return number; }
    unsigned int meta_group_size() const { return count; }

    void sync() const { meet(); }
    template <class T> T shfl(T value, unsigned int rank) const {
        return exchange(value, first() + rank % present());
    }
    /* For the scans. */
    template <class T> T shfl_up(T value, unsigned int delta, caller = {}) const {
        return exchange(value, thread_in_block() - (thread_rank() >= delta ? delta : 0));
    }
    int any(int predicate, caller at = here()) const {
        return shflviz_reduce(
            predicate != 0, [](int a, int b) { return a | b; }, at);
    }
    int all(int predicate, caller at = here()) const {
        return shflviz_reduce(
            predicate != 0, [](int a, int b) { return a & b; }, at);
    }
    /* Reduces first within each warp, recorded at the calling line, then across the warps. */
    template <class T, class Operation>
    T shflviz_reduce(T value, Operation operation, caller at) const {
        const thread_block_tile<32> warp(0, 1);
        for (unsigned int lane_mask = 16; lane_mask > 0; lane_mask /= 2)
            value = operation(warp.shfl_xor(value, lane_mask, at), value);
        if (lane() == 0)
            put(thread_in_block(), value);
        meet();
        value = get<T>(first());
        for (unsigned int thread = first() + 32; thread < first() + present(); thread += 32)
            value = operation(value, get<T>(thread));
        meet();
        return value;
    }
};

} // namespace shflviz_details

#define SHFLVIZ_LARGE_TILE(size)                                                                   \
    template <class Parent>                                                                        \
    class thread_block_tile<size, Parent> : public shflviz_details::large_tile<size> {             \
      public:                                                                                      \
        using shflviz_details::large_tile<size>::large_tile;                                       \
        template <class Other>                                                                     \
        thread_block_tile(const thread_block_tile<size, Other> &tile)                              \
            : shflviz_details::large_tile<size>(tile) {}                                           \
    };
SHFLVIZ_LARGE_TILE(64)
SHFLVIZ_LARGE_TILE(128)
SHFLVIZ_LARGE_TILE(256)
SHFLVIZ_LARGE_TILE(512)
SHFLVIZ_LARGE_TILE(1024)
#undef SHFLVIZ_LARGE_TILE

} // namespace cooperative_groups

CUDACPU_DEVICE_END
#endif
