/*
 * cooperative_groups.h - tiles, coalesced and labelled groups, blocks and grids.
 *
 * Replaces the CUDA Toolkit's header where the recorder is included, on the CPU warp and on a GPU,
 * so that an operation of a group is recorded at the kernel line that calls it. Names and
 * meanings are the toolkit's ("Cooperative Groups" in the CUDA C++ Programming Guide), and the
 * same intrinsics are called: a tile of N lanes passes the mask of its own N lanes and the width N.
 * Results that name lanes (ballot, match_any, match_all) count from the tile's first lane.
 *
 * Left out: clusters; on a GPU also tiles of more than 32 threads, and grids.
 */
#ifndef SHFLVIZ_COOPERATIVE_GROUPS_H
#define SHFLVIZ_COOPERATIVE_GROUPS_H

#include "shflviz/record.cuh"

#include <type_traits>

#ifndef CUDACPU_DEVICE_BEGIN /* the toolkit's headers replace those of lib/cudacpu */
#define CUDACPU_DEVICE_BEGIN
#define CUDACPU_DEVICE_END
#define CUDACPU_BOTH_BEGIN
#define CUDACPU_BOTH_END
#endif

CUDACPU_DEVICE_BEGIN

namespace cooperative_groups {

/* ---- the location of a call ---- */

namespace shflviz_details {

/* The caller's location, as the default of a last argument. */
struct caller {
    const char *file;
    unsigned int line;
};
static __host__ __device__ constexpr caller here(const char *file = __builtin_FILE(),
                                                 unsigned int line = __builtin_LINE()) {
    return {file, line};
}

#if defined(__CUDACC__) && !defined(CUDACPU_CLANG)
/* This site is not a constant object, so its text and line identify it (record_gpu.cuh). */
#define SHFLVIZ_GROUP_SITE(at, text)                                                               \
    const shflviz_site site_of_call = {at.file, nullptr, text, at.line};                           \
    const shflviz_site *site = &site_of_call
#else
#define SHFLVIZ_GROUP_SITE(at, text) const shflviz_site *site = cpu_site(at.file, at.line, text)
#endif
#define SHFLVIZ_GROUP_INLINE __device__ __forceinline__

static SHFLVIZ_GROUP_INLINE unsigned int thread_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static SHFLVIZ_GROUP_INLINE unsigned int threads_of_block() {
    return blockDim.x * blockDim.y * blockDim.z;
}
static SHFLVIZ_GROUP_INLINE unsigned int lane() {
    return thread_in_block() % 32;
}

/* The lane with rank `rank` in the mask, counted from 0; 32 if the mask has fewer. */
static SHFLVIZ_GROUP_INLINE unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
    for (; rank > 0; rank--)
        mask &= mask - 1;
    return mask ? (unsigned int)__ffs((int)mask) - 1 : 32;
}
static SHFLVIZ_GROUP_INLINE unsigned int rank_of_lane(unsigned int mask, unsigned int lane) {
    return (unsigned int)__popc(mask & ((1u << lane) - 1));
}

/* The lanes of the row of `size` that contains `lane`; `size` is a power of two up to 32. */
static SHFLVIZ_GROUP_INLINE unsigned int row_of_lane(unsigned int lane, unsigned int size) {
    return (0xffffffffu >> (32 - size)) << (lane & ~(size - 1));
}

/* The types that a shuffle takes directly; others are passed in pieces of 32 bits. */
template <class T> struct is_native : std::is_arithmetic<T> {};
template <> struct is_native<__half> : std::true_type {};
template <> struct is_native<__half2> : std::true_type {};
template <> struct is_native<__nv_bfloat16> : std::true_type {};
template <> struct is_native<__nv_bfloat162> : std::true_type {};

template <class T> struct pieces {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                  "a group shuffles trivially copyable types of at most 32 bytes");
    int piece[(sizeof(T) + 3) / 4];
};

/* Calls move(x) with the value, or with each of its pieces, and returns the result. */
template <class T, class Move> static SHFLVIZ_GROUP_INLINE T moved(T value, Move move) {
    if constexpr (is_native<T>::value) {
        return static_cast<T>(move(value));
    } else {
        pieces<T> all = {};
        memcpy(&all, &value, sizeof value);
        for (int &piece : all.piece)
            piece = move(piece);
        memcpy(&value, &all, sizeof value);
        return value;
    }
}

} // namespace shflviz_details

/* ---- any group ---- */

/* The base class of the others, as in the toolkit: the block, a tile, or lanes of one warp. */
class thread_group {
    enum : unsigned int { BLOCK, LANES, TILE }; /* TILE + n: a tile of n lanes */
    unsigned int shape;

  protected:
    unsigned int members;       /* lanes, for LANES only */
    unsigned int number, count; /* its index among the parts of another group, and their number */

    SHFLVIZ_GROUP_INLINE thread_group() : shape(BLOCK), members(0), number(0), count(1) {}
    SHFLVIZ_GROUP_INLINE thread_group(unsigned int size, unsigned int rank, unsigned int tiles,
                                      bool)
        : shape(TILE + size), members(0), number(rank), count(tiles) {}

  public:
    typedef shflviz_details::caller caller;

    SHFLVIZ_GROUP_INLINE thread_group(unsigned int lanes, unsigned int rank, unsigned int size)
        : shape(LANES), members(lanes), number(rank), count(size) {}

    SHFLVIZ_GROUP_INLINE unsigned int num_threads() const {
        return shape == BLOCK   ? shflviz_details::threads_of_block()
               : shape == LANES ? (unsigned int)__popc(members)
                                : shape - TILE;
    }
    SHFLVIZ_GROUP_INLINE unsigned int size() const { return num_threads(); }
    SHFLVIZ_GROUP_INLINE unsigned int thread_rank() const {
        return shape == BLOCK
                   ? shflviz_details::thread_in_block()
                   : shflviz_details::rank_of_lane(shflviz_members(), shflviz_details::lane());
    }
    SHFLVIZ_GROUP_INLINE bool is_valid() const { return true; }
    SHFLVIZ_GROUP_INLINE unsigned int meta_group_rank() const { return number; }
    SHFLVIZ_GROUP_INLINE unsigned int meta_group_size() const { return count; }
    SHFLVIZ_GROUP_INLINE void sync(caller at = shflviz_details::here()) const {
        if (shape == BLOCK) {
#if defined(__CUDACC__) && !defined(CUDACPU_CLANG)
            __syncthreads();
#else
            cpu_block_barrier(cpu_site(at.file, at.line, "group.sync()"), 0);
#endif
        } else {
            SHFLVIZ_GROUP_SITE(at, "group.sync()");
            shflviz::synchronise(site, shflviz_members());
        }
    }
    SHFLVIZ_GROUP_INLINE bool shflviz_is_block() const {
        return shape == BLOCK;
    }
    SHFLVIZ_GROUP_INLINE unsigned int shflviz_members() const {
        return shape == LANES ? members
                              : shflviz_details::row_of_lane(shflviz_details::lane(), shape - TILE);
    }
};

/* ---- the block ---- */

class thread_block : public thread_group {
  public:
    SHFLVIZ_GROUP_INLINE static unsigned int thread_rank() {
        return shflviz_details::thread_in_block();
    }
    SHFLVIZ_GROUP_INLINE static unsigned int num_threads() {
        return shflviz_details::threads_of_block();
    }
    SHFLVIZ_GROUP_INLINE static unsigned int size() { return num_threads(); }
    SHFLVIZ_GROUP_INLINE static dim3 group_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    SHFLVIZ_GROUP_INLINE static dim3 thread_index() {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    SHFLVIZ_GROUP_INLINE static dim3 dim_threads() {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    SHFLVIZ_GROUP_INLINE static dim3 group_dim() { return dim_threads(); }
    SHFLVIZ_GROUP_INLINE static bool is_valid() { return true; }
    /* An arriving thread continues; the block meets at wait(). */
    struct arrival_token {};
    SHFLVIZ_GROUP_INLINE static arrival_token barrier_arrive() { return {}; }
#if defined(__CUDACC__) && !defined(CUDACPU_CLANG)
    SHFLVIZ_GROUP_INLINE static void sync() {
        __syncthreads();
    }
    SHFLVIZ_GROUP_INLINE static void barrier_wait(arrival_token &&) {
        __syncthreads();
    }
#else
    static void sync(shflviz_details::caller at = shflviz_details::here()) {
        cpu_block_barrier(cpu_site(at.file, at.line, "block.sync()"), 0);
    }
    static void barrier_wait(arrival_token &&,
                             shflviz_details::caller at = shflviz_details::here()) {
        cpu_block_barrier(cpu_site(at.file, at.line, "block.barrier_wait(token)"), 0);
    }
#endif
};

static SHFLVIZ_GROUP_INLINE thread_block this_thread_block() {
    return thread_block();
}
/* Memory that tiles of several warps may need elsewhere; those of the CPU warp do not
 * (large_tile.h). */
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory { char unused; };
template <unsigned int MaxBlockSize>
static SHFLVIZ_GROUP_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
    return thread_block();
}

/* ---- tiles ---- */

/* Size lanes of a warp, beginning at a multiple of Size. */
template <unsigned int Size, class Parent = void> class thread_block_tile : public thread_group {
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads; 64 to 1024 on the CPU warp only");

    SHFLVIZ_GROUP_INLINE static unsigned int first_lane() {
        return shflviz_details::lane() & ~(Size - 1);
    }
    SHFLVIZ_GROUP_INLINE static unsigned int mask() {
        return shflviz_details::row_of_lane(shflviz_details::lane(), Size);
    }

  public:
    SHFLVIZ_GROUP_INLINE thread_block_tile(unsigned int rank, unsigned int size)
        : thread_group(Size, rank, size, true) {}
    template <class Other>
    SHFLVIZ_GROUP_INLINE thread_block_tile(const thread_block_tile<Size, Other> &tile)
        : thread_block_tile(tile.meta_group_rank(), tile.meta_group_size()) {}

    SHFLVIZ_GROUP_INLINE static constexpr unsigned int num_threads() { return Size; }
    SHFLVIZ_GROUP_INLINE static constexpr unsigned int size() { return Size; }
    SHFLVIZ_GROUP_INLINE static unsigned int thread_rank() {
        return shflviz_details::lane() & (Size - 1);
    }

    SHFLVIZ_GROUP_INLINE void sync(caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.sync()");
        shflviz::synchronise(site, mask());
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE T shfl(T value, int rank, caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.shfl(value, rank)");
        return shflviz_details::moved(
            value, [=](auto x) { return shflviz::shfl(site, mask(), x, rank, (int)Size); });
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE T shfl_up(T value, unsigned int delta,
                                   caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.shfl_up(value, delta)");
        return shflviz_details::moved(
            value, [=](auto x) { return shflviz::shfl_up(site, mask(), x, delta, (int)Size); });
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE T shfl_down(T value, unsigned int delta,
                                     caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.shfl_down(value, delta)");
        return shflviz_details::moved(
            value, [=](auto x) { return shflviz::shfl_down(site, mask(), x, delta, (int)Size); });
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE T shfl_xor(T value, unsigned int lane_mask,
                                    caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.shfl_xor(value, laneMask)");
        return shflviz_details::moved(value, [=](auto x) {
            return shflviz::shfl_xor(site, mask(), x, (int)lane_mask, (int)Size);
        });
    }
    /* As in the toolkit's header, any and all use a ballot. So in a tile that the block cuts short,
     * all() is 0: not every lane of the mask votes. */
    SHFLVIZ_GROUP_INLINE int any(int predicate, caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.any(predicate)");
        return shflviz::ballot(site, mask(), predicate) != 0;
    }
    SHFLVIZ_GROUP_INLINE int all(int predicate, caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.all(predicate)");
        return shflviz::ballot(site, mask(), predicate) == mask();
    }
    SHFLVIZ_GROUP_INLINE unsigned int ballot(int predicate,
                                             caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.ballot(predicate)");
        return shflviz::ballot(site, mask(), predicate) >> first_lane();
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE unsigned int match_any(T value,
                                                caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.match_any(value)");
        return shflviz::match_any(site, mask(), value) >> first_lane();
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE unsigned int match_all(T value, int &predicate,
                                                caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "tile.match_all(value, predicate)");
        return shflviz::match_all(site, mask(), value, &predicate) >> first_lane();
    }

    /* For reduce(), which counts as one line of the kernel. */
    SHFLVIZ_GROUP_INLINE static unsigned int shflviz_members() { return mask(); }
};

#if !defined(__CUDACC__) || defined(CUDACPU_CLANG)
} // namespace cooperative_groups
#include "cooperative_groups/large_tile.h"
namespace cooperative_groups {
#endif

template <unsigned int Size>
static SHFLVIZ_GROUP_INLINE thread_block_tile<Size, thread_block>
tiled_partition(const thread_block &block) {
    return {block.thread_rank() / Size, (block.num_threads() + Size - 1) / Size};
}
template <unsigned int Size, unsigned int ParentSize, class Grandparent>
static SHFLVIZ_GROUP_INLINE thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>
tiled_partition(const thread_block_tile<ParentSize, Grandparent> &tile) {
    static_assert(Size <= ParentSize, "a tile is not larger than the group it is cut from");
    return {tile.thread_rank() / Size, ParentSize / Size};
}

/* ---- lanes that happen to be together ---- */

/* A set of lanes of a warp, numbered from its lowest lane up. */
class coalesced_group : public thread_group {
    /* The bits of `lanes` that belong to members, packed. */
    SHFLVIZ_GROUP_INLINE unsigned int packed(unsigned int lanes) const {
        unsigned int ranks = 0, rank = 0;
        for (unsigned int left = members; left; left &= left - 1, rank++)
            ranks |= (lanes >> (__ffs((int)left) - 1) & 1) << rank;
        return ranks;
    }
    SHFLVIZ_GROUP_INLINE unsigned int own_lane_unless(unsigned int lane) const {
        return lane < 32 ? lane : shflviz_details::lane();
    }

  public:
    SHFLVIZ_GROUP_INLINE explicit coalesced_group(unsigned int mask, unsigned int rank = 0,
                                                  unsigned int size = 1)
        : thread_group(mask, rank, size) {}

    SHFLVIZ_GROUP_INLINE unsigned int num_threads() const { return (unsigned int)__popc(members); }
    SHFLVIZ_GROUP_INLINE unsigned int size() const { return num_threads(); }
    SHFLVIZ_GROUP_INLINE unsigned int thread_rank() const {
        return shflviz_details::rank_of_lane(members, shflviz_details::lane());
    }

    SHFLVIZ_GROUP_INLINE void sync(caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.sync()");
        shflviz::synchronise(site, members);
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE T shfl(T value, unsigned int rank,
                                caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.shfl(value, rank)");
        unsigned int source =
            num_threads() == 32 ? rank : shflviz_details::lane_of_rank(members, rank);
        return shflviz_details::moved(
            value, [=](auto x) { return shflviz::shfl(site, members, x, (int)source, 32); });
    }
    /* A lane without a neighbour at that distance reads its own value. */
    template <class T>
    SHFLVIZ_GROUP_INLINE T shfl_up(T value, unsigned int delta,
                                   caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.shfl_up(value, delta)");
        unsigned int rank = thread_rank();
        unsigned int source = own_lane_unless(
            rank >= delta ? shflviz_details::lane_of_rank(members, rank - delta) : 32);
        return shflviz_details::moved(value, [=](auto x) {
            return num_threads() == 32 ? shflviz::shfl_up(site, members, x, delta, 32)
                                       : shflviz::shfl(site, members, x, (int)source, 32);
        });
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE T shfl_down(T value, unsigned int delta,
                                     caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.shfl_down(value, delta)");
        unsigned int source = own_lane_unless(
            delta < 32 ? shflviz_details::lane_of_rank(members, thread_rank() + delta) : 32);
        return shflviz_details::moved(value, [=](auto x) {
            return num_threads() == 32 ? shflviz::shfl_down(site, members, x, delta, 32)
                                       : shflviz::shfl(site, members, x, (int)source, 32);
        });
    }
    SHFLVIZ_GROUP_INLINE int any(int predicate, caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.any(predicate)");
        return shflviz::ballot(site, members, predicate) != 0;
    }
    SHFLVIZ_GROUP_INLINE int all(int predicate, caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.all(predicate)");
        return shflviz::ballot(site, members, predicate) == members;
    }
    SHFLVIZ_GROUP_INLINE unsigned int ballot(int predicate,
                                             caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.ballot(predicate)");
        return packed(shflviz::ballot(site, members, predicate));
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE unsigned int match_any(T value,
                                                caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.match_any(value)");
        return packed(shflviz::match_any(site, members, value));
    }
    template <class T>
    SHFLVIZ_GROUP_INLINE unsigned int match_all(T value, int &predicate,
                                                caller at = shflviz_details::here()) const {
        SHFLVIZ_GROUP_SITE(at, "group.match_all(value, predicate)");
        return packed(shflviz::match_all(site, members, value, &predicate));
    }

    SHFLVIZ_GROUP_INLINE unsigned int shflviz_members() const { return members; }
};

static SHFLVIZ_GROUP_INLINE coalesced_group
coalesced_threads(shflviz_details::caller at = shflviz_details::here()) {
    SHFLVIZ_GROUP_SITE(at, "coalesced_threads()");
    return coalesced_group(shflviz::activemask(site));
}

/* ---- the same as functions ---- */

template <class Group>
static SHFLVIZ_GROUP_INLINE void sync(const Group &group,
                                      shflviz_details::caller at = shflviz_details::here()) {
#if defined(__CUDACC__) && !defined(CUDACPU_CLANG)
    if constexpr (std::is_same<Group, thread_block>::value)
        group.sync();
    else
#endif
        group.sync(at);
}
template <class Group> static SHFLVIZ_GROUP_INLINE unsigned int thread_rank(const Group &group) {
    return group.thread_rank();
}
template <class Group> static SHFLVIZ_GROUP_INLINE unsigned int group_size(const Group &group) {
    return group.size();
}

} // namespace cooperative_groups

#include "cooperative_groups/partition.h"

CUDACPU_DEVICE_END
#endif
