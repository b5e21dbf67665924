/*
 * shflviz_block.h - CUB's collectives of a warp and of a block; part of shflviz_cub.h.
 *
 * A warp reduces with __shfl_down_sync and scans with __shfl_up_sync, in log2(width) rounds; in a
 * block each warp does so, and the warps' results are combined through shared memory. Whichever
 * algorithm a program selects, it gets this one (CUB's BLOCK_REDUCE_WARP_REDUCTIONS and
 * BLOCK_SCAN_WARP_SCANS), so float sums may differ from the others' in their last bits.
 */
#ifndef SHFLVIZ_CUDA_CUB_BLOCK_H
#define SHFLVIZ_CUDA_CUB_BLOCK_H

#include "shflviz_cub.h"

#include "host_defines.h"

CUDACPU_LIBRARY_BEGIN

namespace cub {

/* Bytes for objects of any type, with or without a constructor. */
template <class T, int Count> struct shflviz_room {
    alignas(T) unsigned char bytes[sizeof(T) * (Count > 0 ? Count : 1)];
    T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};
template <class T> struct Uninitialized {
    alignas(T) unsigned char bytes[sizeof(T)];
    T &Alias() { return *reinterpret_cast<T *>(bytes); }
};

static inline void shflviz_meet(const shflviz_caller &at, const char *text) {
    (void)cpu_block_barrier(cpu_site(at.file, at.line, text), 0);
}
static inline int shflviz_thread() {
    return (int)::cooperative_groups::shflviz_details::thread_in_block();
}
/* The lanes of the logical warp that exist in the block. */
static inline unsigned int shflviz_members(int width) {
    const unsigned int group = width == 32 ? 0xffffffffu : (1u << width) - 1;
    return group << LaneId() / width * width &
           ::cooperative_groups::shflviz_details::lanes_of_warp();
}

/* ---- a warp ---- */

template <int Width> struct shflviz_lanes {
    static_assert(Width >= 1 && Width <= 32 && (Width & (Width - 1)) == 0,
                  "on the CPU warp a logical warp of CUB has 1, 2, 4, 8, 16 or 32 threads");
    unsigned int members;
    int lane, last; /* in the logical warp; `last` among those that exist */
    shflviz_lanes() : members(shflviz_members(Width)), lane(LaneId() % Width) {
        last = __popc(members) - 1;
    }
    template <class T> T down(const shflviz_site *site, const T &value, int offset, int end) const {
        const unsigned int delta = lane + offset <= end ? (unsigned)offset : 0;
        return ::cooperative_groups::shflviz_details::moved(
            value, [&](auto x) { return shflviz::shfl_down(site, members, x, delta, Width); });
    }
    template <class T> T up(const shflviz_site *site, const T &value, int offset) const {
        return ::cooperative_groups::shflviz_details::moved(value, [&](auto x) {
            return shflviz::shfl_up(site, members, x, (unsigned)offset, Width);
        });
    }
    /* Each operation has a site of its own. */
    template <class T> T from(const shflviz_caller &at, const T &value, int source) const {
        const shflviz_site *site = cpu_site(at.file, at.line, "cub: broadcast of a lane's value");
        return ::cooperative_groups::shflviz_details::moved(
            value, [&](auto x) { return shflviz::shfl(site, members, x, source, Width); });
    }
    /* Reduces over lanes up to `end`: the result is in lane 0, or in each segment's first lane. */
    template <class T, class Op> T reduce(const shflviz_site *site, T value, Op op, int end) const {
        for (int offset = 1; offset < Width; offset *= 2) {
            T other = down(site, value, offset, end);
            if (lane + offset <= end)
                value = op(value, other);
        }
        return value;
    }
    template <class T, class Op> T scan(const shflviz_site *site, T value, Op op) const {
        for (int offset = 1; offset < Width; offset *= 2) {
            T other = up(site, value, offset);
            if (lane >= offset)
                value = op(other, value);
        }
        return value;
    }
    /* The last lane of this lane's segment; flags mark the segments' first or last lanes. */
    int segment_end(const shflviz_caller &at, bool flag, bool heads) const {
        const shflviz_site *site = cpu_site(at.file, at.line, "cub: ballot of segments' flags");
        unsigned int flags = shflviz::ballot(site, members, flag) >> LaneId() / Width * Width;
        if (heads)
            flags >>= 1;
        flags &= 0xffffffffu << lane;
        const int end = flags ? __ffs((int)flags) - 1 : last;
        return end < last ? end : last;
    }
};

template <class T, int LOGICAL_WARP_THREADS = 32, int ARCH = 0> class WarpReduce {
    typedef shflviz_lanes<LOGICAL_WARP_THREADS> lanes;

  public:
    struct TempStorage {
        char unused;
    };
    explicit WarpReduce(TempStorage &) {}

    template <class Op> T Reduce(T input, Op op, shflviz_caller at = here()) {
        const lanes me;
        return me.reduce(cpu_site(at.file, at.line, "WarpReduce.Reduce(input, op)"), input, op,
                         me.last);
    }
    template <class Op> T Reduce(T input, Op op, int valid_items, shflviz_caller at = here()) {
        const lanes me;
        return me.reduce(cpu_site(at.file, at.line, "WarpReduce.Reduce(input, op, valid_items)"),
                         input, op, valid_items - 1 < me.last ? valid_items - 1 : me.last);
    }
    T Sum(T input, shflviz_caller at = here()) { return Reduce(input, cub::Sum(), at); }
    T Sum(T input, int valid_items, shflviz_caller at = here()) {
        return Reduce(input, cub::Sum(), valid_items, at);
    }
    T Max(T input, shflviz_caller at = here()) { return Reduce(input, cub::Max(), at); }
    T Min(T input, shflviz_caller at = here()) { return Reduce(input, cub::Min(), at); }
    template <class Flag, class Op>
    T HeadSegmentedReduce(T input, Flag head, Op op, shflviz_caller at = here()) {
        return segmented(input, head, op, true, at);
    }
    template <class Flag, class Op>
    T TailSegmentedReduce(T input, Flag tail, Op op, shflviz_caller at = here()) {
        return segmented(input, tail, op, false, at);
    }
    template <class Flag> T HeadSegmentedSum(T input, Flag head, shflviz_caller at = here()) {
        return segmented(input, head, cub::Sum(), true, at);
    }
    template <class Flag> T TailSegmentedSum(T input, Flag tail, shflviz_caller at = here()) {
        return segmented(input, tail, cub::Sum(), false, at);
    }

  private:
    template <class Flag, class Op>
    T segmented(T input, Flag flag, Op op, bool heads, shflviz_caller at) {
        const lanes me;
        const shflviz_site *site =
            cpu_site(at.file, at.line, "WarpReduce.Segmented...(input, flag, op)");
        return me.reduce(site, input, op, me.segment_end(at, flag, heads));
    }
};

template <class T, int LOGICAL_WARP_THREADS = 32, int ARCH = 0> class WarpScan {
    typedef shflviz_lanes<LOGICAL_WARP_THREADS> lanes;

    /* `exclusive` gets the result without the lane's own value: in lane 0, `first` if there is one,
     * else it stays unchanged. */
    template <class Op>
    static void run(T input, T *inclusive, T *exclusive, const T *first, T *aggregate, Op op,
                    shflviz_caller at, const char *text) {
        const lanes me;
        const shflviz_site *site = cpu_site(at.file, at.line, text);
        T all = me.scan(site, input, op);
        if (aggregate)
            *aggregate = me.from(at, all, me.last);
        if (exclusive) {
            T before = me.up(site, all, 1);
            if (first)
                *exclusive = me.lane ? (T)op(*first, before) : *first;
            else if (me.lane)
                *exclusive = before;
        }
        if (inclusive)
            *inclusive = first ? (T)op(*first, all) : all;
    }
    static constexpr const char *inclusive_text = "WarpScan.Inclusive...(input, output, ...)";
    static constexpr const char *exclusive_text = "WarpScan.Exclusive...(input, output, ...)";

  public:
    struct TempStorage {
        char unused;
    };
    explicit WarpScan(TempStorage &) {}

    void InclusiveSum(T input, T &output, shflviz_caller at = here()) {
        run(input, &output, nullptr, nullptr, nullptr, cub::Sum(), at, inclusive_text);
    }
    void InclusiveSum(T input, T &output, T &warp_aggregate, shflviz_caller at = here()) {
        run(input, &output, nullptr, nullptr, &warp_aggregate, cub::Sum(), at, inclusive_text);
    }
    void ExclusiveSum(T input, T &output, shflviz_caller at = here()) {
        const T zero = T();
        run(input, nullptr, &output, &zero, nullptr, cub::Sum(), at, exclusive_text);
    }
    void ExclusiveSum(T input, T &output, T &warp_aggregate, shflviz_caller at = here()) {
        const T zero = T();
        run(input, nullptr, &output, &zero, &warp_aggregate, cub::Sum(), at, exclusive_text);
    }
    template <class Op> void InclusiveScan(T input, T &output, Op op, shflviz_caller at = here()) {
        run(input, &output, nullptr, nullptr, nullptr, op, at, inclusive_text);
    }
    template <class Op>
    void InclusiveScan(T input, T &output, Op op, T &warp_aggregate, shflviz_caller at = here()) {
        run(input, &output, nullptr, nullptr, &warp_aggregate, op, at, inclusive_text);
    }
    template <class Op> void ExclusiveScan(T input, T &output, Op op, shflviz_caller at = here()) {
        run(input, nullptr, &output, nullptr, nullptr, op, at, exclusive_text);
    }
    template <class Op>
    void ExclusiveScan(T input, T &output, T initial, Op op, shflviz_caller at = here()) {
        run(input, nullptr, &output, &initial, nullptr, op, at, exclusive_text);
    }
    template <class Op>
    void ExclusiveScan(T input, T &output, T initial, Op op, T &warp_aggregate,
                       shflviz_caller at = here()) {
        run(input, nullptr, &output, &initial, &warp_aggregate, op, at, exclusive_text);
    }
    template <class Op>
    void Scan(T input, T &inclusive, T &exclusive, Op op, shflviz_caller at = here()) {
        run(input, &inclusive, &exclusive, nullptr, nullptr, op, at, "WarpScan.Scan(input, ...)");
    }
    template <class Op>
    void Scan(T input, T &inclusive, T &exclusive, T initial, Op op, shflviz_caller at = here()) {
        run(input, &inclusive, &exclusive, &initial, nullptr, op, at, "WarpScan.Scan(input, ...)");
    }
    T Broadcast(T input, unsigned int source, shflviz_caller at = here()) {
        const lanes me;
        return me.from(at, input, (int)source);
    }
};

/* ---- a block's reduction ---- */

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/* The result is returned to thread 0. */
template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockReduce {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, WARPS = (THREADS + 31) / 32 };

  public:
    struct TempStorage {
        shflviz_room<T, WARPS> of_warp;
    };
    explicit BlockReduce(TempStorage &storage) : temp(storage) {}

    template <class Op> T Reduce(T input, Op op, shflviz_caller at = here()) {
        return Reduce(input, op, (int)THREADS, at);
    }
    template <class Op> T Reduce(T input, Op op, int num_valid, shflviz_caller at = here()) {
        const shflviz_lanes<32> me;
        const int first = WarpId() * 32;
        const int valid = num_valid - first - 1 < me.last ? num_valid - first - 1 : me.last;
        T result = me.reduce(cpu_site(at.file, at.line, "BlockReduce.Reduce(input, op)"), input, op,
                             valid);
        if (me.lane == 0)
            temp.of_warp[WarpId()] = result;
        shflviz_meet(at, "BlockReduce");
        if (shflviz_thread() == 0)
            for (int warp = 1; warp * 32 < num_valid && warp < WARPS; warp++)
                result = op(result, temp.of_warp[warp]);
        return result;
    }
    template <int ITEMS, class Op> T Reduce(T (&inputs)[ITEMS], Op op, shflviz_caller at = here()) {
        T sum = inputs[0];
        for (int i = 1; i < ITEMS; i++)
            sum = op(sum, inputs[i]);
        return Reduce(sum, op, at);
    }
    T Sum(T input, shflviz_caller at = here()) { return Reduce(input, cub::Sum(), at); }
    T Sum(T input, int num_valid, shflviz_caller at = here()) {
        return Reduce(input, cub::Sum(), num_valid, at);
    }
    template <int ITEMS> T Sum(T (&inputs)[ITEMS], shflviz_caller at = here()) {
        return Reduce(inputs, cub::Sum(), at);
    }

  private:
    TempStorage &temp;
};

/* ---- a block's scan ---- */

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockScan {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, WARPS = (THREADS + 31) / 32 };

  public:
    struct TempStorage {
        shflviz_room<T, WARPS> of_warp;
        shflviz_room<T, 1> prefix;
    };
    explicit BlockScan(TempStorage &storage) : temp(storage) {}

  private:
    TempStorage &temp;

    /* Scans one value per thread. The prefix of a thread is (first, values of the threads before
     * it); returns true if there is one, in `before`. */
    template <class Op>
    bool run(T input, T &before, const T *first, T &aggregate, Op op, shflviz_caller at) {
        const shflviz_lanes<32> me;
        const shflviz_site *site = cpu_site(at.file, at.line, "BlockScan");
        const T all = me.scan(site, input, op);
        T other = me.up(site, all, 1);
        if (me.lane == me.last)
            temp.of_warp[WarpId()] = all;
        shflviz_meet(at, "BlockScan");
        bool any = first != nullptr;
        if (any)
            before = *first;
        const int warps = ((int)blockDim.x * (int)blockDim.y * (int)blockDim.z + 31) / 32;
        for (int warp = 0; warp < WARPS && warp < warps; warp++) {
            const T part = temp.of_warp[warp];
            aggregate = warp ? (T)op(aggregate, part) : part;
            if (warp < WarpId()) {
                before = any ? (T)op(before, part) : part;
                any = true;
            }
        }
        if (me.lane) {
            before = any ? (T)op(before, other) : other;
            any = true;
        }
        return any;
    }
    /* The block's prefix from a function that warp 0 calls; lane 0's result is used. */
    template <class Function> T prefix(Function &function, const T &aggregate, shflviz_caller at) {
        if (WarpId() == 0) {
            T own = function(aggregate);
            if (shflviz_thread() == 0)
                temp.prefix[0] = own;
        }
        shflviz_meet(at, "BlockScan prefix");
        return temp.prefix[0];
    }
    template <int ITEMS, class Op> static T total(T (&input)[ITEMS], Op op) {
        T sum = input[0];
        for (int i = 1; i < ITEMS; i++)
            sum = op(sum, input[i]);
        return sum;
    }
    /* Applies the thread's prefix to its items. */
    template <int ITEMS, class Op>
    static void spread(T (&input)[ITEMS], T (&output)[ITEMS], bool any, T sum, Op op,
                       bool inclusive) {
        for (int i = 0; i < ITEMS; i++) {
            const T item = input[i];
            const T next = any ? (T)op(sum, item) : item;
            if (inclusive || any) /* without an initial value the first is undefined */
                output[i] = inclusive ? next : sum;
            sum = next;
            any = true;
        }
    }
    template <int ITEMS, class Op>
    void scan(T (&input)[ITEMS], T (&output)[ITEMS], const T *first, T &aggregate, Op op,
              bool inclusive, shflviz_caller at) {
        T before = T();
        const bool any = run(total(input, op), before, first, aggregate, op, at);
        spread(input, output, any, before, op, inclusive);
    }
    template <int ITEMS, class Op, class Function>
    void scan_from(T (&input)[ITEMS], T (&output)[ITEMS], Function &function, Op op, bool inclusive,
                   shflviz_caller at) {
        T before = T(), aggregate = T();
        const bool any = run(total(input, op), before, nullptr, aggregate, op, at);
        const T start = prefix(function, aggregate, at);
        spread(input, output, true, any ? (T)op(start, before) : start, op, inclusive);
    }
    /* One value as an array of one. */
    typedef T one[1];
    static one &as_array(T &value) { return reinterpret_cast<one &>(value); }

  public:
/* Defines each form for one value and for an array; `I` and `O` are the input and the output. */
#define SHFLVIZ_SCAN(I, O, HEAD)                                                                   \
    HEAD void ExclusiveSum(I, O, shflviz_caller at = here()) {                                     \
        T all = T(), zero = T();                                                                   \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, &zero, all, cub::Sum(), false, at);                          \
    }                                                                                              \
    HEAD void ExclusiveSum(I, O, T &block_aggregate, shflviz_caller at = here()) {                 \
        const T zero = T();                                                                        \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, &zero, block_aggregate, cub::Sum(), false, at);              \
    }                                                                                              \
    HEAD void InclusiveSum(I, O, shflviz_caller at = here()) {                                     \
        T all = T();                                                                               \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, nullptr, all, cub::Sum(), true, at);                         \
    }                                                                                              \
    HEAD void InclusiveSum(I, O, T &block_aggregate, shflviz_caller at = here()) {                 \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, nullptr, block_aggregate, cub::Sum(), true, at);             \
    }
#define SHFLVIZ_SCAN_OF(I, O, ...)                                                                 \
    template <__VA_ARGS__ class Function>                                                          \
    void ExclusiveSum(I, O, Function &function, shflviz_caller at = here()) {                      \
        scan_from(SHFLVIZ_IN, SHFLVIZ_OUT, function, cub::Sum(), false, at);                       \
    }                                                                                              \
    template <__VA_ARGS__ class Function>                                                          \
    void InclusiveSum(I, O, Function &function, shflviz_caller at = here()) {                      \
        scan_from(SHFLVIZ_IN, SHFLVIZ_OUT, function, cub::Sum(), true, at);                        \
    }                                                                                              \
    template <__VA_ARGS__ class Op> void ExclusiveScan(I, O, Op op, shflviz_caller at = here()) {  \
        T all = T();                                                                               \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, nullptr, all, op, false, at);                                \
    }                                                                                              \
    template <__VA_ARGS__ class Op>                                                                \
    void ExclusiveScan(I, O, T initial, Op op, shflviz_caller at = here()) {                       \
        T all = T();                                                                               \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, &initial, all, op, false, at);                               \
    }                                                                                              \
    template <__VA_ARGS__ class Op>                                                                \
    void ExclusiveScan(I, O, T initial, Op op, T &block_aggregate, shflviz_caller at = here()) {   \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, &initial, block_aggregate, op, false, at);                   \
    }                                                                                              \
    template <__VA_ARGS__ class Op> void InclusiveScan(I, O, Op op, shflviz_caller at = here()) {  \
        T all = T();                                                                               \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, nullptr, all, op, true, at);                                 \
    }                                                                                              \
    template <__VA_ARGS__ class Op>                                                                \
    void InclusiveScan(I, O, Op op, T &block_aggregate, shflviz_caller at = here()) {              \
        scan(SHFLVIZ_IN, SHFLVIZ_OUT, nullptr, block_aggregate, op, true, at);                     \
    }                                                                                              \
    template <__VA_ARGS__ class Op, class Function,                                                \
              class = decltype(std::declval<Function &>()(std::declval<T>()))>                     \
    void ExclusiveScan(I, O, Op op, Function &function, shflviz_caller at = here()) {              \
        scan_from(SHFLVIZ_IN, SHFLVIZ_OUT, function, op, false, at);                               \
    }                                                                                              \
    template <__VA_ARGS__ class Op, class Function,                                                \
              class = decltype(std::declval<Function &>()(std::declval<T>()))>                     \
    void InclusiveScan(I, O, Op op, Function &function, shflviz_caller at = here()) {              \
        scan_from(SHFLVIZ_IN, SHFLVIZ_OUT, function, op, true, at);                                \
    }
#define SHFLVIZ_IN  as_array(input)
#define SHFLVIZ_OUT as_array(output)
    SHFLVIZ_SCAN(T input, T &output, )
    SHFLVIZ_SCAN_OF(T input, T &output, )
#undef SHFLVIZ_IN
#undef SHFLVIZ_OUT
#define SHFLVIZ_IN    input
#define SHFLVIZ_OUT   output
#define SHFLVIZ_ITEMS int ITEMS,
    SHFLVIZ_SCAN(T (&input)[ITEMS], T (&output)[ITEMS], template <int ITEMS>)
    SHFLVIZ_SCAN_OF(T (&input)[ITEMS], T (&output)[ITEMS], SHFLVIZ_ITEMS)
#undef SHFLVIZ_ITEMS
#undef SHFLVIZ_IN
#undef SHFLVIZ_OUT
#undef SHFLVIZ_SCAN
#undef SHFLVIZ_SCAN_OF
};

/* ---- items of a block: item i of thread t is number t * ITEMS + i (blocked), or
 * i * threads + t (striped) ---- */

template <class T, int ITEMS, class Iterator>
static inline void LoadDirectBlocked(int thread, Iterator from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++)
        items[i] = from[thread * ITEMS + i];
}
template <class T, int ITEMS, class Iterator>
static inline void LoadDirectBlocked(int thread, Iterator from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS && thread * ITEMS + i < valid; i++)
        items[i] = from[thread * ITEMS + i];
}
template <class T, class Default, int ITEMS, class Iterator>
static inline void LoadDirectBlocked(int thread, Iterator from, T (&items)[ITEMS], int valid,
                                     Default beyond) {
    for (int i = 0; i < ITEMS; i++)
        items[i] = thread * ITEMS + i < valid ? (T)from[thread * ITEMS + i] : (T)beyond;
}
template <int THREADS, class T, int ITEMS, class Iterator>
static inline void LoadDirectStriped(int thread, Iterator from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++)
        items[i] = from[i * THREADS + thread];
}
template <int THREADS, class T, int ITEMS, class Iterator>
static inline void LoadDirectStriped(int thread, Iterator from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS && i * THREADS + thread < valid; i++)
        items[i] = from[i * THREADS + thread];
}
template <int THREADS, class T, class Default, int ITEMS, class Iterator>
static inline void LoadDirectStriped(int thread, Iterator from, T (&items)[ITEMS], int valid,
                                     Default beyond) {
    for (int i = 0; i < ITEMS; i++)
        items[i] = i * THREADS + thread < valid ? (T)from[i * THREADS + thread] : (T)beyond;
}
template <class T, int ITEMS, class Iterator>
static inline void StoreDirectBlocked(int thread, Iterator to, T (&items)[ITEMS],
                                      int valid = 0x7fffffff) {
    for (int i = 0; i < ITEMS && thread * ITEMS + i < valid; i++)
        to[thread * ITEMS + i] = items[i];
}
template <int THREADS, class T, int ITEMS, class Iterator>
static inline void StoreDirectStriped(int thread, Iterator to, T (&items)[ITEMS],
                                      int valid = 0x7fffffff) {
    for (int i = 0; i < ITEMS && i * THREADS + thread < valid; i++)
        to[i * THREADS + thread] = items[i];
}

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockLoad {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };

  public:
    struct TempStorage {
        char unused;
    };
    BlockLoad() = default;
    explicit BlockLoad(TempStorage &) {}
    template <class Iterator, class... More>
    void Load(Iterator from, T (&items)[ITEMS], More... valid) {
        if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED)
            LoadDirectStriped<THREADS>(shflviz_thread(), from, items, valid...);
        else
            LoadDirectBlocked(shflviz_thread(), from, items, valid...);
    }
};
template <class T, int BLOCK_DIM_X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockStore {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };

  public:
    struct TempStorage {
        char unused;
    };
    BlockStore() = default;
    explicit BlockStore(TempStorage &) {}
    template <class Iterator> void Store(Iterator to, T (&items)[ITEMS], int valid = 0x7fffffff) {
        if constexpr (ALGORITHM == BLOCK_STORE_STRIPED)
            StoreDirectStriped<THREADS>(shflviz_thread(), to, items, valid);
        else
            StoreDirectBlocked(shflviz_thread(), to, items, valid);
    }
};

/* Through shared memory: all threads store their items, meet, and load others. */
template <class T, int BLOCK_DIM_X, int ITEMS, bool WARP_TIME_SLICING = false, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockExchange {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    static int blocked(int i) { return shflviz_thread() * ITEMS + i; }
    static int striped(int i) { return i * THREADS + shflviz_thread(); }
    static int warp_striped(int i) { return WarpId() * 32 * ITEMS + i * 32 + LaneId(); }

  public:
    struct TempStorage {
        shflviz_room<T, THREADS * ITEMS> items;
    };
    explicit BlockExchange(TempStorage &storage) : temp(storage) {}

    template <class O>
    void StripedToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS], shflviz_caller at = here()) {
        move(input, output, striped, blocked, at);
    }
    template <class O>
    void BlockedToStriped(const T (&input)[ITEMS], O (&output)[ITEMS], shflviz_caller at = here()) {
        move(input, output, blocked, striped, at);
    }
    template <class O>
    void WarpStripedToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS],
                              shflviz_caller at = here()) {
        move(input, output, warp_striped, blocked, at);
    }
    template <class O>
    void BlockedToWarpStriped(const T (&input)[ITEMS], O (&output)[ITEMS],
                              shflviz_caller at = here()) {
        move(input, output, blocked, warp_striped, at);
    }
    template <class O, class Rank>
    void ScatterToBlocked(const T (&input)[ITEMS], O (&output)[ITEMS], Rank (&ranks)[ITEMS],
                          shflviz_caller at = here()) {
        move(
            input, output, [&](int i) { return (int)ranks[i]; }, blocked, at);
    }
    template <class O, class Rank>
    void ScatterToStriped(const T (&input)[ITEMS], O (&output)[ITEMS], Rank (&ranks)[ITEMS],
                          shflviz_caller at = here()) {
        move(
            input, output, [&](int i) { return (int)ranks[i]; }, striped, at);
    }
    /* The form in older programs: in place and without ranks. */
    void StripedToBlocked(T (&items)[ITEMS], shflviz_caller at = here()) {
        move(items, items, striped, blocked, at);
    }
    void BlockedToStriped(T (&items)[ITEMS], shflviz_caller at = here()) {
        move(items, items, blocked, striped, at);
    }

  private:
    TempStorage &temp;
    template <class O, class To, class From>
    void move(const T (&input)[ITEMS], O (&output)[ITEMS], To to, From from, shflviz_caller at) {
        for (int i = 0; i < ITEMS; i++)
            temp.items[to(i)] = input[i];
        shflviz_meet(at, "BlockExchange");
        for (int i = 0; i < ITEMS; i++)
            output[i] = temp.items[from(i)];
    }
};

} // namespace cub

#include "shflviz_block_order.h"

CUDACPU_LIBRARY_END
#endif
