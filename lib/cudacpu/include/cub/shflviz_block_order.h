/*
 * shflviz_block_order.h - CUB's collectives of a block that look at neighbours or put elements in
 * order; part of shflviz_cub.h. They exchange elements through TempStorage and meet at the block's
 * barrier.
 */
#ifndef SHFLVIZ_CUDA_CUB_BLOCK_ORDER_H
#define SHFLVIZ_CUDA_CUB_BLOCK_ORDER_H

#include "shflviz_block.h"
#include "shflviz_device.h"

#include "host_defines.h"

CUDACPU_LIBRARY_BEGIN

namespace cub {

/* ---- neighbours ---- */

/* Passes the last, or first, element of each thread to the thread beside it. */
template <class T, int THREADS> class shflviz_edges {
  public:
    struct TempStorage {
        shflviz_room<T, THREADS> first, last;
    };

  protected:
    TempStorage &temp;
    explicit shflviz_edges(TempStorage &storage) : temp(storage) {}
    template <int ITEMS>
    void show(const T (&items)[ITEMS], const shflviz_caller &at, const char *of) {
        temp.first[shflviz_thread()] = items[0];
        temp.last[shflviz_thread()] = items[ITEMS - 1];
        shflviz_meet(at, of);
    }
    static int me() { return shflviz_thread(); }
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockAdjacentDifference : shflviz_edges<T, BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z> {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    typedef shflviz_edges<T, THREADS> edges;
    using edges::temp;

  public:
    typedef typename edges::TempStorage TempStorage;
    explicit BlockAdjacentDifference(TempStorage &storage) : edges(storage) {}

    /* The block's first element is kept, or has `before` as its left neighbour. */
    template <int ITEMS, class O, class Op>
    void SubtractLeft(T (&input)[ITEMS], O (&output)[ITEMS], Op op, shflviz_caller at = here()) {
        left(input, output, op, nullptr, THREADS * ITEMS, at);
    }
    template <int ITEMS, class O, class Op>
    void SubtractLeft(T (&input)[ITEMS], O (&output)[ITEMS], Op op, T before,
                      shflviz_caller at = here()) {
        left(input, output, op, &before, THREADS * ITEMS, at);
    }
    template <int ITEMS, class O, class Op>
    void SubtractLeftPartialTile(T (&input)[ITEMS], O (&output)[ITEMS], Op op, int valid,
                                 shflviz_caller at = here()) {
        left(input, output, op, nullptr, valid, at);
    }
    template <int ITEMS, class O, class Op>
    void SubtractRight(T (&input)[ITEMS], O (&output)[ITEMS], Op op, shflviz_caller at = here()) {
        right(input, output, op, nullptr, THREADS * ITEMS, at);
    }
    template <int ITEMS, class O, class Op>
    void SubtractRight(T (&input)[ITEMS], O (&output)[ITEMS], Op op, T behind,
                       shflviz_caller at = here()) {
        right(input, output, op, &behind, THREADS * ITEMS, at);
    }
    template <int ITEMS, class O, class Op>
    void SubtractRightPartialTile(T (&input)[ITEMS], O (&output)[ITEMS], Op op, int valid,
                                  shflviz_caller at = here()) {
        right(input, output, op, nullptr, valid, at);
    }

  private:
    template <int ITEMS, class O, class Op>
    void left(T (&input)[ITEMS], O (&output)[ITEMS], Op op, const T *before, int valid,
              const shflviz_caller &at) {
        this->show(input, at, "BlockAdjacentDifference");
        const int me = shflviz_thread();
        for (int i = ITEMS - 1; i >= 0; i--) {
            const bool is_first = me == 0 && i == 0;
            if (me * ITEMS + i >= valid || (is_first && !before)) {
                output[i] = input[i];
            } else {
                T other = is_first ? *before : i ? input[i - 1] : temp.last[me - 1];
                output[i] = op(input[i], other);
            }
        }
    }
    template <int ITEMS, class O, class Op>
    void right(T (&input)[ITEMS], O (&output)[ITEMS], Op op, const T *behind, int valid,
               const shflviz_caller &at) {
        this->show(input, at, "BlockAdjacentDifference");
        const int me = shflviz_thread();
        for (int i = 0; i < ITEMS; i++) {
            const int number = me * ITEMS + i;
            const bool is_last = number == THREADS * ITEMS - 1;
            if (number >= valid || (is_last ? !behind : number == valid - 1)) {
                output[i] = input[i];
            } else {
                T other = is_last ? *behind : i < ITEMS - 1 ? input[i + 1] : temp.first[me + 1];
                output[i] = op(input[i], other);
            }
        }
    }
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 0>
class BlockDiscontinuity : shflviz_edges<T, BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z> {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    typedef shflviz_edges<T, THREADS> edges;
    using edges::temp;

  public:
    typedef typename edges::TempStorage TempStorage;
    explicit BlockDiscontinuity(TempStorage &storage) : edges(storage) {}

    /* 1 if an element differs from the one before it; always 1 for the block's first. */
    template <int ITEMS, class Flag, class Op>
    void FlagHeads(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op, shflviz_caller at = here()) {
        heads(flags, input, op, nullptr, at);
    }
    template <int ITEMS, class Flag, class Op>
    void FlagHeads(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op, T before,
                   shflviz_caller at = here()) {
        heads(flags, input, op, &before, at);
    }
    /* 1 if it differs from the next one; always 1 for the block's last. */
    template <int ITEMS, class Flag, class Op>
    void FlagTails(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op, shflviz_caller at = here()) {
        tails(flags, input, op, nullptr, at);
    }
    template <int ITEMS, class Flag, class Op>
    void FlagTails(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op, T behind,
                   shflviz_caller at = here()) {
        tails(flags, input, op, &behind, at);
    }

  private:
    template <int ITEMS, class Flag, class Op>
    void heads(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op, const T *before,
               const shflviz_caller &at) {
        this->show(input, at, "BlockDiscontinuity");
        const int me = shflviz_thread();
        for (int i = 0; i < ITEMS; i++)
            flags[i] = i        ? op(input[i - 1], input[i])
                       : me     ? op(temp.last[me - 1], input[0])
                       : before ? op(*before, input[0])
                                : true;
    }
    template <int ITEMS, class Flag, class Op>
    void tails(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op, const T *behind,
               const shflviz_caller &at) {
        this->show(input, at, "BlockDiscontinuity");
        const int me = shflviz_thread();
        for (int i = 0; i < ITEMS; i++)
            flags[i] = i < ITEMS - 1      ? op(input[i], input[i + 1])
                       : me < THREADS - 1 ? op(input[i], temp.first[me + 1])
                       : behind           ? op(input[i], *behind)
                                          : true;
    }
};

/* ---- order ---- */

/* Elements are placed by a stable sort on the requested bits: one thread computes the order. */
template <class K, int BLOCK_DIM_X, int ITEMS, class V = NullType, int RADIX_BITS = 4,
          bool MEMOIZE = true, BlockScanAlgorithm SCAN = BLOCK_SCAN_WARP_SCANS,
          int SHARED_CONFIG = 0, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockRadixSort {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, COUNT = THREADS * ITEMS };

  public:
    struct TempStorage {
        shflviz_room<K, COUNT> keys;
        shflviz_room<V, COUNT> values;
        unsigned short order[2][COUNT];
    };
    explicit BlockRadixSort(TempStorage &storage) : temp(storage) {}

#define SHFLVIZ_BLOCK_SORT(name, descending, striped)                                              \
    void name(K(&keys)[ITEMS], int begin = 0, int end = 8 * (int)sizeof(K),                        \
              shflviz_caller at = here()) {                                                        \
        sort(keys, (V(*)[ITEMS]) nullptr, begin, end, descending, striped, at);                    \
    }                                                                                              \
    void name(K(&keys)[ITEMS], V(&values)[ITEMS], int begin = 0, int end = 8 * (int)sizeof(K),     \
              shflviz_caller at = here()) {                                                        \
        sort(keys, &values, begin, end, descending, striped, at);                                  \
    }
    SHFLVIZ_BLOCK_SORT(Sort, false, false)
    SHFLVIZ_BLOCK_SORT(SortDescending, true, false)
    SHFLVIZ_BLOCK_SORT(SortBlockedToStriped, false, true)
    SHFLVIZ_BLOCK_SORT(SortDescendingBlockedToStriped, true, true)
#undef SHFLVIZ_BLOCK_SORT

  private:
    TempStorage &temp;

    /* Eight bits at a time, the lowest first. Returns which of the two orders is the result. */
    int make_order(int begin, int end, bool descending) {
        int now = 0;
        for (int i = 0; i < COUNT; i++)
            temp.order[0][i] = (unsigned short)i;
        for (int bit = begin; bit < end; bit += 8, now = 1 - now) {
            const int bits = end - bit < 8 ? end - bit : 8;
            auto digit = [&](int i) {
                const int key = (int)shflviz_radix(temp.keys[i], bit, bit + bits);
                return descending ? (1 << bits) - 1 - key : key;
            };
            int start[257] = {0};
            for (int i = 0; i < COUNT; i++)
                start[digit(i) + 1]++;
            for (int d = 0; d < 256; d++)
                start[d + 1] += start[d];
            for (int i = 0; i < COUNT; i++) {
                const unsigned short from = temp.order[now][i];
                temp.order[1 - now][start[digit(from)]++] = from;
            }
        }
        return now;
    }
    void sort(K (&keys)[ITEMS], V (*values)[ITEMS], int begin, int end, bool descending,
              bool striped, const shflviz_caller &at) {
        static_assert(COUNT <= 65536, "on the CPU warp a block sorts at most 65536 elements");
        const int me = shflviz_thread();
        for (int i = 0; i < ITEMS; i++) {
            temp.keys[me * ITEMS + i] = keys[i];
            if (values)
                temp.values[me * ITEMS + i] = (*values)[i];
        }
        shflviz_meet(at, "BlockRadixSort");
        if (me == 0 && make_order(begin, end, descending))
            memcpy(temp.order[0], temp.order[1], sizeof temp.order[0]);
        shflviz_meet(at, "BlockRadixSort");
        for (int i = 0; i < ITEMS; i++) {
            const int from = temp.order[0][striped ? i * THREADS + me : me * ITEMS + i];
            keys[i] = temp.keys[from];
            if (values)
                (*values)[i] = temp.values[from];
        }
    }
};

} // namespace cub

CUDACPU_LIBRARY_END
#endif
