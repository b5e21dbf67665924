/*
 * shflviz_device.h - CUB's algorithms for the whole device, each a kernel of one thread in its
 * stream; part of shflviz_cub.h. A kernel that calls one does all the work itself. Those that sort
 * need temporary storage for as many values as they sort; all others need one byte.
 *
 * Each takes (d_temp_storage, temp_storage_bytes, ..., stream = 0), and the old last argument
 * `debug_synchronous`, which has no effect.
 */
#ifndef SHFLVIZ_CUDA_CUB_DEVICE_H
#define SHFLVIZ_CUDA_CUB_DEVICE_H

#include "shflviz_cub.h"

#include <climits>
#include <cstring>
#include <limits>

#include "host_defines.h"

CUDACPU_BOTH_BEGIN

namespace cub {

/* Without storage returns the size; else does the work, now or when the graph is launched. */
template <class Work>
cudaError_t shflviz_device(const char *name, void *temp, size_t &bytes, cudaStream_t stream,
                           Work work, size_t needed = 1) {
    if (temp)
        return shflviz::work_in_stream(name, stream, work);
    bytes = needed;
    return cudaSuccess;
}

template <class Iterator>
using shflviz_value_of = typename std::iterator_traits<Iterator>::value_type;
/* The accumulator's type: the result type of the operator. */
template <class Op, class T>
using shflviz_sum_of =
    std::decay_t<decltype(std::declval<Op &>()(std::declval<T>(), std::declval<T>()))>;

/* Accepts a bool passed as `debug_synchronous`. */
#define SHFLVIZ_LAST cudaStream_t stream = nullptr, bool = false

struct DeviceReduce {
    template <class In, class Out, class N, class Op, class T>
    static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, N n, Op op, T initial,
                              SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceReduce", temp, bytes, stream, [=]() mutable {
            T sum = initial;
            for (N i = 0; i < n; i++)
                sum = op(sum, in[i]);
            *out = sum;
        });
    }
    template <class In, class Out, class N>
    static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, N n, SHFLVIZ_LAST) {
        return Reduce(temp, bytes, in, out, n, cub::Sum(), shflviz_value_of<In>(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, N n, SHFLVIZ_LAST) {
        typedef shflviz_value_of<In> T;
        return Reduce(temp, bytes, in, out, n, cub::Min(), std::numeric_limits<T>::max(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, N n, SHFLVIZ_LAST) {
        typedef shflviz_value_of<In> T;
        return Reduce(temp, bytes, in, out, n, cub::Max(), std::numeric_limits<T>::lowest(),
                      stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMin(void *temp, size_t &bytes, In in, KeyValuePair<int, Out> *out, N n,
                              SHFLVIZ_LAST) {
        return extreme(temp, bytes, in, n, cub::ArgMin(), std::numeric_limits<Out>::max(), stream,
                       [=](const auto &best) {
                           *out = {(int)best.key, (Out)best.value};
                       });
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMax(void *temp, size_t &bytes, In in, KeyValuePair<int, Out> *out, N n,
                              SHFLVIZ_LAST) {
        return extreme(temp, bytes, in, n, cub::ArgMax(), std::numeric_limits<Out>::lowest(),
                       stream, [=](const auto &best) {
                           *out = {(int)best.key, (Out)best.value};
                       });
    }
    template <
        class In, class Out, class Index, class N,
        class = std::enable_if_t<std::is_integral<N>::value && !std::is_integral<Index>::value>>
    static cudaError_t ArgMin(void *temp, size_t &bytes, In in, Out out, Index index, N n,
                              SHFLVIZ_LAST) {
        typedef shflviz_value_of<In> T;
        return extreme(temp, bytes, in, n, cub::ArgMin(), std::numeric_limits<T>::max(), stream,
                       [=](const auto &best) { *out = best.value, *index = best.key; });
    }
    template <
        class In, class Out, class Index, class N,
        class = std::enable_if_t<std::is_integral<N>::value && !std::is_integral<Index>::value>>
    static cudaError_t ArgMax(void *temp, size_t &bytes, In in, Out out, Index index, N n,
                              SHFLVIZ_LAST) {
        typedef shflviz_value_of<In> T;
        return extreme(temp, bytes, in, n, cub::ArgMax(), std::numeric_limits<T>::lowest(), stream,
                       [=](const auto &best) { *out = best.value, *index = best.key; });
    }
    template <class In, class Out, class N, class Op, class Transform, class T>
    static cudaError_t TransformReduce(void *temp, size_t &bytes, In in, Out out, N n, Op op,
                                       Transform transform, T initial, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceReduce", temp, bytes, stream, [=]() mutable {
            T sum = initial;
            for (N i = 0; i < n; i++)
                sum = op(sum, transform(in[i]));
            *out = sum;
        });
    }
    template <class Keys, class Unique, class Values, class Sums, class Count, class Op, class N>
    static cudaError_t ReduceByKey(void *temp, size_t &bytes, Keys keys, Unique unique,
                                   Values values, Sums sums, Count count, Op op, N n,
                                   SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceReduce", temp, bytes, stream, [=]() mutable {
            N runs = 0;
            for (N i = 0; i < n; runs++) {
                const shflviz_value_of<Keys> key = keys[i];
                shflviz_sum_of<Op, shflviz_value_of<Values>> sum = values[i];
                for (i++; i < n && keys[i] == key; i++)
                    sum = op(sum, values[i]);
                unique[runs] = key;
                sums[runs] = sum;
            }
            *count = runs;
        });
    }

  private:
    template <class In, class N, class Op, class T, class Put>
    static cudaError_t extreme(void *temp, size_t &bytes, In in, N n, Op op, T none,
                               cudaStream_t stream, Put put) {
        return shflviz_device("cub::DeviceReduce", temp, bytes, stream, [=]() mutable {
            typedef KeyValuePair<N, shflviz_value_of<In>> pair;
            pair best(n ? (N)0 : (N)1, n ? in[0] : (shflviz_value_of<In>)none);
            for (N i = 1; i < n; i++)
                best = op(best, pair(i, in[i]));
            put(best);
        });
    }
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begin, class End, class Op, class T>
    static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, long long segments,
                              Begin begin, End end, Op op, T initial, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceSegmentedReduce", temp, bytes, stream, [=]() mutable {
            for (long long s = 0; s < segments; s++) {
                T sum = initial;
                for (long long i = begin[s]; i < (long long)end[s]; i++)
                    sum = op(sum, in[i]);
                out[s] = sum;
            }
        });
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, long long segments,
                           Begin begin, End end, SHFLVIZ_LAST) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Sum(),
                      shflviz_value_of<In>(), stream);
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, long long segments,
                           Begin begin, End end, SHFLVIZ_LAST) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Min(),
                      std::numeric_limits<shflviz_value_of<In>>::max(), stream);
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, long long segments,
                           Begin begin, End end, SHFLVIZ_LAST) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Max(),
                      std::numeric_limits<shflviz_value_of<In>>::lowest(), stream);
    }
};

struct DeviceScan {
    template <class In, class Out, class Op, class T, class N>
    static cudaError_t ExclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, T initial,
                                     N n, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceScan", temp, bytes, stream, [=]() mutable {
            T sum = initial;
            for (N i = 0; i < n; i++) {
                const T next = op(sum, in[i]);
                out[i] = sum;
                sum = next;
            }
        });
    }
    template <class In, class Out, class Op, class N, class = decltype(*std::declval<Out &>())>
    static cudaError_t InclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, N n,
                                     SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceScan", temp, bytes, stream, [=]() mutable {
            if (n <= 0)
                return;
            shflviz_sum_of<Op, shflviz_value_of<In>> sum = in[0];
            out[0] = sum;
            for (N i = 1; i < n; i++)
                out[i] = sum = op(sum, in[i]);
        });
    }
    template <class In, class Out, class Op, class T, class N>
    static cudaError_t InclusiveScanInit(void *temp, size_t &bytes, In in, Out out, Op op,
                                         T initial, N n, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceScan", temp, bytes, stream, [=]() mutable {
            T sum = initial;
            for (N i = 0; i < n; i++)
                out[i] = sum = op(sum, in[i]);
        });
    }
    template <class In, class Out, class N, class = decltype(*std::declval<Out &>())>
    static cudaError_t ExclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, SHFLVIZ_LAST) {
        return ExclusiveScan(temp, bytes, in, out, cub::Sum(), shflviz_value_of<In>(), n, stream);
    }
    template <class In, class Out, class N, class = decltype(*std::declval<Out &>())>
    static cudaError_t InclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, SHFLVIZ_LAST) {
        return InclusiveScan(temp, bytes, in, out, cub::Sum(), n, stream);
    }
    /* In place. */
    template <class T, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cudaError_t ExclusiveSum(void *temp, size_t &bytes, T *data, N n, SHFLVIZ_LAST) {
        return ExclusiveSum(temp, bytes, data, data, n, stream);
    }
    template <class T, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cudaError_t InclusiveSum(void *temp, size_t &bytes, T *data, N n, SHFLVIZ_LAST) {
        return InclusiveSum(temp, bytes, data, data, n, stream);
    }
    template <class Keys, class In, class Out, class N>
    static cudaError_t ExclusiveSumByKey(void *temp, size_t &bytes, Keys keys, In in, Out out,
                                         N n) {
        return by_key(temp, bytes, keys, in, out, n, false);
    }
    template <class Keys, class In, class Out, class N>
    static cudaError_t InclusiveSumByKey(void *temp, size_t &bytes, Keys keys, In in, Out out,
                                         N n) {
        return by_key(temp, bytes, keys, in, out, n, true);
    }

  private:
    template <class Keys, class In, class Out, class N>
    static cudaError_t by_key(void *temp, size_t &bytes, Keys keys, In in, Out out, N n,
                              bool inclusive) {
        return shflviz_device("cub::DeviceScan", temp, bytes, nullptr, [=]() mutable {
            shflviz_value_of<In> sum = shflviz_value_of<In>();
            for (N i = 0; i < n; i++) {
                if (i && !(keys[i] == keys[i - 1]))
                    sum = shflviz_value_of<In>();
                const shflviz_value_of<In> next = sum + in[i];
                out[i] = inclusive ? next : sum;
                sum = next;
            }
        });
    }
};

/* ---- sorting ---- */

/* The bits of a key from begin to end, as a number that sorts like the key: a negative float
 * has all bits inverted, any other signed key its highest. -0.0 sorts like 0.0. */
template <class K> static inline unsigned long long shflviz_radix(K key, int begin, int end) {
    constexpr int width = (int)sizeof(K) * 8;
    constexpr bool is_float = !std::is_integral<K>::value && !std::is_enum<K>::value;
    constexpr unsigned long long high = 1ull << (width - 1);
    unsigned long long bits = 0;
    memcpy(&bits, &key, sizeof key);
    if constexpr (is_float) {
        if (bits == high)
            bits = 0;
        bits ^= bits & high ? ~0ull >> (64 - width) : high;
    } else if constexpr (std::is_signed<K>::value) {
        bits ^= high;
    }
    bits >>= begin;
    return end - begin >= 64 ? bits : bits & ((1ull << (end - begin)) - 1);
}

/* Sorts n elements, with buffers in the temporary storage, aligned for them. */
template <class I, class Less>
static inline void shflviz_sort_in(I first, long long n, void *temp, Less less) {
    typedef shflviz_value_of<I> value;
    const size_t beyond = (size_t)temp % alignof(value);
    char *const room = (char *)temp + (beyond ? alignof(value) - beyond : 0);
    thrust::shflviz_serial::sort_in(first, (ptrdiff_t)n, (value *)room, less);
}
template <class... T> static size_t shflviz_sort_room(long long n) {
    return (size_t)(n > 0 ? n : 0) * sizeof(std::tuple<T...>) + alignof(std::tuple<T...>);
}

/* Sorts [0, n) of keys, with values if there are any (V is not NullType), out of place. */
template <class K, class V>
static inline void shflviz_sort(const K *keys, K *keys_out, const V *values, V *values_out,
                                long long n, int begin, int end, bool descending, void *temp) {
    const auto less = [=](const K &a, const K &b) {
        const unsigned long long x = shflviz_radix(a, begin, end), y = shflviz_radix(b, begin, end);
        return descending ? y < x : x < y;
    };
    for (long long i = 0; i < n; i++)
        keys_out[i] = keys[i];
    if constexpr (!std::is_same<V, NullType>::value) {
        for (long long i = 0; i < n; i++)
            values_out[i] = values[i];
        shflviz_sort_in(thrust::make_zip_iterator(keys_out, values_out), n, temp,
                        thrust::shflviz_less_by_key<decltype(less)>{less});
    } else {
        shflviz_sort_in(keys_out, n, temp, less);
    }
}

struct DeviceRadixSort {
#define SHFLVIZ_SORT(name, descending)                                                             \
    template <class K, class N>                                                                    \
    static cudaError_t SortKeys##name(void *temp, size_t &bytes, const K *in, K *out, N n,         \
                                      int begin = 0, int end = (int)sizeof(K) * 8, SHFLVIZ_LAST) { \
        return shflviz_device(                                                                     \
            "cub::DeviceRadixSort", temp, bytes, stream,                                           \
            [=] {                                                                                  \
                shflviz_sort<K, NullType>(in, out, nullptr, nullptr, (long long)n, begin, end,     \
                                          descending, temp);                                       \
            },                                                                                     \
            shflviz_sort_room<K>((long long)n));                                                   \
    }                                                                                              \
    template <class K, class V, class N>                                                           \
    static cudaError_t SortPairs##name(void *temp, size_t &bytes, const K *in, K *out,             \
                                       const V *values, V *values_out, N n, int begin = 0,         \
                                       int end = (int)sizeof(K) * 8, SHFLVIZ_LAST) {               \
        return shflviz_device(                                                                     \
            "cub::DeviceRadixSort", temp, bytes, stream,                                           \
            [=] {                                                                                  \
                shflviz_sort(in, out, values, values_out, (long long)n, begin, end, descending,    \
                             temp);                                                                \
            },                                                                                     \
            shflviz_sort_room<K, V>((long long)n));                                                \
    }                                                                                              \
    template <class K, class N>                                                                    \
    static cudaError_t SortKeys##name(void *temp, size_t &bytes, DoubleBuffer<K> &keys, N n,       \
                                      int begin = 0, int end = (int)sizeof(K) * 8, SHFLVIZ_LAST) { \
        const cudaError_t error = SortKeys##name(temp, bytes, (const K *)keys.Current(),           \
                                                 keys.Alternate(), n, begin, end, stream);         \
        if (temp)                                                                                  \
            keys.selector ^= 1;                                                                    \
        return error;                                                                              \
    }                                                                                              \
    template <class K, class V, class N>                                                           \
    static cudaError_t SortPairs##name(void *temp, size_t &bytes, DoubleBuffer<K> &keys,           \
                                       DoubleBuffer<V> &values, N n, int begin = 0,                \
                                       int end = (int)sizeof(K) * 8, SHFLVIZ_LAST) {               \
        const cudaError_t error = SortPairs##name(temp, bytes, (const K *)keys.Current(),          \
                                                  keys.Alternate(), (const V *)values.Current(),   \
                                                  values.Alternate(), n, begin, end, stream);      \
        if (temp) {                                                                                \
            keys.selector ^= 1;                                                                    \
            values.selector ^= 1;                                                                  \
        }                                                                                          \
        return error;                                                                              \
    }
    SHFLVIZ_SORT(, false)
    SHFLVIZ_SORT(Descending, true)
#undef SHFLVIZ_SORT
};

/* Segment s is [begin[s], end[s]). */
struct DeviceSegmentedSort {
#define SHFLVIZ_SORT(name, descending)                                                             \
    template <class K, class Begin, class End>                                                     \
    static cudaError_t SortKeys##name(void *temp, size_t &bytes, const K *in, K *out, long long n, \
                                      long long segments, Begin begin, End end, SHFLVIZ_LAST) {    \
        return shflviz_device(                                                                     \
            "cub::DeviceSegmentedSort", temp, bytes, stream,                                       \
            [=] {                                                                                  \
                for (long long s = 0; s < segments; s++)                                           \
                    shflviz_sort<K, NullType>(in + begin[s], out + begin[s], nullptr, nullptr,     \
                                              (long long)end[s] - (long long)begin[s], 0,          \
                                              (int)sizeof(K) * 8, descending, temp);               \
            },                                                                                     \
            shflviz_sort_room<K>(n));                                                              \
    }                                                                                              \
    template <class K, class V, class Begin, class End>                                            \
    static cudaError_t SortPairs##name(void *temp, size_t &bytes, const K *in, K *out,             \
                                       const V *values, V *values_out, long long n,                \
                                       long long segments, Begin begin, End end, SHFLVIZ_LAST) {   \
        return shflviz_device(                                                                     \
            "cub::DeviceSegmentedSort", temp, bytes, stream,                                       \
            [=] {                                                                                  \
                for (long long s = 0; s < segments; s++)                                           \
                    shflviz_sort(in + begin[s], out + begin[s], values + begin[s],                 \
                                 values_out + begin[s], (long long)end[s] - (long long)begin[s],   \
                                 0, (int)sizeof(K) * 8, descending, temp);                         \
            },                                                                                     \
            shflviz_sort_room<K, V>(n));                                                           \
    }
    SHFLVIZ_SORT(, false)
    SHFLVIZ_SORT(Descending, true)
#undef SHFLVIZ_SORT
};
typedef DeviceSegmentedSort DeviceSegmentedRadixSort;

struct DeviceMergeSort {
#define SHFLVIZ_SORT(Stable)                                                                       \
    template <class Keys, class N, class Less>                                                     \
    static cudaError_t Stable##SortKeys(void *temp, size_t &bytes, Keys keys, N n, Less less,      \
                                        SHFLVIZ_LAST) {                                            \
        return shflviz_device(                                                                     \
            "cub::DeviceMergeSort", temp, bytes, stream,                                           \
            [=] { shflviz_sort_in(keys, (long long)n, temp, less); },                              \
            shflviz_sort_room<shflviz_value_of<Keys>>((long long)n));                              \
    }                                                                                              \
    template <class Keys, class Values, class N, class Less>                                       \
    static cudaError_t Stable##SortPairs(void *temp, size_t &bytes, Keys keys, Values values, N n, \
                                         Less less, SHFLVIZ_LAST) {                                \
        return shflviz_device(                                                                     \
            "cub::DeviceMergeSort", temp, bytes, stream,                                           \
            [=] {                                                                                  \
                shflviz_sort_in(thrust::make_zip_iterator(keys, values), (long long)n, temp,       \
                                thrust::shflviz_less_by_key<Less>{less});                          \
            },                                                                                     \
            shflviz_sort_room<shflviz_value_of<Keys>, shflviz_value_of<Values>>((long long)n));    \
    }
    SHFLVIZ_SORT()
    SHFLVIZ_SORT(Stable)
#undef SHFLVIZ_SORT
    template <class In, class Out, class N, class Less>
    static cudaError_t SortKeysCopy(void *temp, size_t &bytes, In in, Out out, N n, Less less,
                                    SHFLVIZ_LAST) {
        return shflviz_device(
            "cub::DeviceMergeSort", temp, bytes, stream,
            [=] {
                thrust::shflviz_serial::copy_n(in, n, out);
                shflviz_sort_in(out, (long long)n, temp, less);
            },
            shflviz_sort_room<shflviz_value_of<Out>>((long long)n));
    }
};

/* ---- choosing ---- */

struct DeviceSelect {
    template <class In, class Flags, class Out, class Count, class N,
              class = std::enable_if_t<std::is_integral<N>::value>>
    static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count,
                               N n, SHFLVIZ_LAST) {
        return choose(temp, bytes, in, out, count, n, stream, [=](N i) { return (bool)flags[i]; });
    }
    template <class Data, class Flags, class Count, class N,
              class = std::enable_if_t<std::is_integral<N>::value>>
    static cudaError_t Flagged(void *temp, size_t &bytes, Data data, Flags flags, Count count, N n,
                               SHFLVIZ_LAST) {
        return choose(temp, bytes, data, data, count, n, stream,
                      [=](N i) { return (bool)flags[i]; });
    }
    template <class In, class Out, class Count, class N, class Op,
              class = std::enable_if_t<!std::is_integral<Op>::value && std::is_integral<N>::value>>
    static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, N n, Op op,
                          SHFLVIZ_LAST) {
        return choose(temp, bytes, in, out, count, n, stream,
                      [=](N i) mutable { return (bool)op(in[i]); });
    }
    template <class Data, class Count, class N, class Op,
              class = std::enable_if_t<!std::is_integral<Op>::value && std::is_integral<N>::value>>
    static cudaError_t If(void *temp, size_t &bytes, Data data, Count count, N n, Op op,
                          SHFLVIZ_LAST) {
        return choose(temp, bytes, data, data, count, n, stream,
                      [=](N i) mutable { return (bool)op(data[i]); });
    }
    template <class In, class Out, class Count, class N>
    static cudaError_t Unique(void *temp, size_t &bytes, In in, Out out, Count count, N n,
                              SHFLVIZ_LAST) {
        return choose(temp, bytes, in, out, count, n, stream,
                      [=](N i) { return i == 0 || !(in[i] == in[i - 1]); });
    }
    template <class Keys, class Values, class KeysOut, class ValuesOut, class Count, class N>
    static cudaError_t UniqueByKey(void *temp, size_t &bytes, Keys keys, Values values,
                                   KeysOut keys_out, ValuesOut values_out, Count count, N n,
                                   SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceSelect", temp, bytes, stream, [=]() mutable {
            N found = 0;
            for (N i = 0; i < n; i++)
                if (i == 0 || !(keys[i] == keys[i - 1])) {
                    keys_out[found] = keys[i];
                    values_out[found++] = values[i];
                }
            *count = found;
        });
    }

  private:
    template <class In, class Out, class Count, class N, class Chosen>
    static cudaError_t choose(void *temp, size_t &bytes, In in, Out out, Count count, N n,
                              cudaStream_t stream, Chosen chosen) {
        return shflviz_device("cub::DeviceSelect", temp, bytes, stream, [=]() mutable {
            N found = 0;
            for (N i = 0; i < n; i++)
                if (chosen(i))
                    out[found++] = in[i];
            *count = found;
        });
    }
};

/* Places the selected elements in order from the front, and the others backwards from the end. */
struct DevicePartition {
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count,
                               N n, SHFLVIZ_LAST) {
        return part(temp, bytes, in, out, count, n, stream, [=](N i) { return (bool)flags[i]; });
    }
    template <class In, class Out, class Count, class N, class Op>
    static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, N n, Op op,
                          SHFLVIZ_LAST) {
        return part(temp, bytes, in, out, count, n, stream,
                    [=](N i) mutable { return (bool)op(in[i]); });
    }

  private:
    template <class In, class Out, class Count, class N, class Chosen>
    static cudaError_t part(void *temp, size_t &bytes, In in, Out out, Count count, N n,
                            cudaStream_t stream, Chosen chosen) {
        return shflviz_device("cub::DevicePartition", temp, bytes, stream, [=]() mutable {
            N front = 0, back = n;
            for (N i = 0; i < n; i++)
                out[chosen(i) ? front++ : --back] = in[i];
            *count = front;
        });
    }
};

/* ---- counting ---- */

struct DeviceHistogram {
    /* `levels` boundaries, evenly spaced from lower to upper; values outside are not counted. */
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramEven(void *temp, size_t &bytes, In in, Counter *histogram,
                                     int levels, Level lower, Level upper, N n, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceHistogram", temp, bytes, stream, [=]() mutable {
            memset(histogram, 0, (size_t)(levels - 1) * sizeof(Counter));
            for (N i = 0; i < n; i++) {
                const Level x = (Level)in[i];
                if (x < lower || !(x < upper))
                    continue;
                if constexpr (std::is_integral<Level>::value)
                    histogram[(unsigned long long)(x - lower) * (unsigned)(levels - 1) /
                              (unsigned long long)(upper - lower)]++;
                else
                    histogram[(int)((x - lower) * ((Level)(levels - 1) / (upper - lower)))]++;
            }
        });
    }
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramRange(void *temp, size_t &bytes, In in, Counter *histogram,
                                      int levels, const Level *boundaries, N n, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceHistogram", temp, bytes, stream, [=]() mutable {
            memset(histogram, 0, (size_t)(levels - 1) * sizeof(Counter));
            for (N i = 0; i < n; i++) {
                const Level x = (Level)in[i];
                const Level *above =
                    thrust::shflviz_serial::upper_bound(boundaries, boundaries + levels, x);
                if (above != boundaries && above != boundaries + levels)
                    histogram[above - boundaries - 1]++;
            }
        });
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Lengths, class Count, class N>
    static cudaError_t Encode(void *temp, size_t &bytes, In in, Unique unique, Lengths lengths,
                              Count count, N n, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceRunLengthEncode", temp, bytes, stream, [=]() mutable {
            N runs = 0;
            for (N i = 0; i < n; runs++) {
                N end = i + 1;
                while (end < n && in[end] == in[i])
                    end++;
                unique[runs] = in[i];
                lengths[runs] = end - i;
                i = end;
            }
            *count = runs;
        });
    }
    template <class In, class Offsets, class Lengths, class Count, class N>
    static cudaError_t NonTrivialRuns(void *temp, size_t &bytes, In in, Offsets offsets,
                                      Lengths lengths, Count count, N n, SHFLVIZ_LAST) {
        return shflviz_device("cub::DeviceRunLengthEncode", temp, bytes, stream, [=]() mutable {
            N runs = 0;
            for (N i = 0; i < n;) {
                N end = i + 1;
                while (end < n && in[end] == in[i])
                    end++;
                if (end - i > 1) {
                    offsets[runs] = i;
                    lengths[runs++] = end - i;
                }
                i = end;
            }
            *count = runs;
        });
    }
};

/* ---- a thread for each element ---- */

struct DeviceFor {
    template <class N, class Op>
    static cudaError_t Bulk(N n, Op op, cudaStream_t stream = nullptr) {
        return shflviz::work_begin(
            "cub::DeviceFor", (ptrdiff_t)n, [=](ptrdiff_t i) mutable { op((N)i); }, stream);
    }
    template <class In, class N, class Op>
    static cudaError_t ForEachN(In first, N n, Op op, cudaStream_t stream = nullptr) {
        return shflviz::work_begin(
            "cub::DeviceFor", (ptrdiff_t)n, [=](ptrdiff_t i) mutable { op(first[i]); }, stream);
    }
    template <class In, class Op>
    static cudaError_t ForEach(In first, In last, Op op, cudaStream_t stream = nullptr) {
        return ForEachN(first, last - first, op, stream);
    }
};
struct DeviceTransform {
    template <class In, class Out, class N, class Op>
    static cudaError_t Transform(In in, Out out, N n, Op op, cudaStream_t stream = nullptr) {
        return shflviz::work_begin(
            "cub::DeviceTransform", (ptrdiff_t)n, [=](ptrdiff_t i) mutable { out[i] = op(in[i]); },
            stream);
    }
};
#undef SHFLVIZ_LAST

} // namespace cub

CUDACPU_BOTH_END
#endif
