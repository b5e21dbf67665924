/*
 * shflviz_serial.h - Thrust's algorithms, one element after the other, for host and device; part of
 * shflviz_thrust.h. A kernel may not call the algorithms of the host's C++ library.
 */
#include "shflviz_thrust.h" /* which also includes this file, so that the rest is read once, at the right place */

#ifndef SHFLVIZ_CUDA_THRUST_SERIAL_H
#define SHFLVIZ_CUDA_THRUST_SERIAL_H

CUDACPU_BOTH_BEGIN

namespace thrust {

template <class I> using shflviz_value = typename std::iterator_traits<I>::value_type;

/* Swaps the elements at two iterators. */
template <class I> void shflviz_swap(I a, I b) {
    shflviz_value<I> kept = static_cast<shflviz_value<I>>(*a);
    *a = static_cast<shflviz_value<I>>(*b);
    *b = static_cast<shflviz_value<I> &&>(kept);
}
template <class T> struct shflviz_is_equal_to {
    T value;
    template <class U> bool operator()(const U &other) const { return other == value; }
};
template <class Predicate> struct shflviz_not {
    Predicate predicate;
    template <class... T> bool operator()(T &&...values) {
        return !predicate(static_cast<T &&>(values)...);
    }
};
template <class Less> struct shflviz_less_by_key {
    Less less;
    template <class A, class B> bool operator()(const A &a, const B &b) {
        return less(std::get<0>(a), std::get<0>(b));
    }
};

namespace shflviz_serial {

/* ---- searching ---- */

template <class I, class Predicate> I find_if(I first, I last, Predicate predicate) {
    while (first != last && !predicate(*first))
        ++first;
    return first;
}
template <class I, class Predicate> I find_if_not(I first, I last, Predicate predicate) {
    while (first != last && predicate(*first))
        ++first;
    return first;
}
template <class I, class T> I find(I first, I last, T value) {
    return shflviz_serial::find_if(first, last, shflviz_is_equal_to<T>{value});
}
template <class I, class Predicate> bool all_of(I first, I last, Predicate predicate) {
    return shflviz_serial::find_if_not(first, last, predicate) == last;
}
template <class I, class Predicate> bool any_of(I first, I last, Predicate predicate) {
    return shflviz_serial::find_if(first, last, predicate) != last;
}
template <class I, class Predicate> bool none_of(I first, I last, Predicate predicate) {
    return shflviz_serial::find_if(first, last, predicate) == last;
}
template <class I, class Predicate> ptrdiff_t count_if(I first, I last, Predicate predicate) {
    ptrdiff_t count = 0;
    for (; first != last; ++first)
        count += predicate(*first) ? 1 : 0;
    return count;
}
template <class I, class T> ptrdiff_t count(I first, I last, T value) {
    return shflviz_serial::count_if(first, last, shflviz_is_equal_to<T>{value});
}
template <class I, class J, class Equal = std::equal_to<>>
std::pair<I, J> mismatch(I first, I last, J other, Equal equal = Equal()) {
    for (; first != last && equal(*first, *other); ++first)
        ++other;
    return {first, other};
}
template <class I, class J, class Equal = std::equal_to<>>
bool equal(I first, I last, J other, Equal equal = Equal()) {
    return shflviz_serial::mismatch(first, last, other, equal).first == last;
}
template <class I, class Equal = std::equal_to<>>
I adjacent_find(I first, I last, Equal equal = Equal()) {
    if (first == last)
        return last;
    for (I next = first; ++next != last; first = next)
        if (equal(*first, *next))
            return first;
    return last;
}
template <class I, class Less = std::less<>>
I is_sorted_until(I first, I last, Less less = Less()) {
    if (first == last)
        return last;
    for (I next = first; ++next != last; first = next)
        if (less(*next, *first))
            return next;
    return last;
}
template <class I, class Less = std::less<>> bool is_sorted(I first, I last, Less less = Less()) {
    return shflviz_serial::is_sorted_until(first, last, less) == last;
}
template <class I, class Predicate> bool is_partitioned(I first, I last, Predicate predicate) {
    return shflviz_serial::none_of(shflviz_serial::find_if_not(first, last, predicate), last,
                                   predicate);
}
template <class I, class Less = std::less<>> I max_element(I first, I last, Less less = Less()) {
    I best = first;
    for (; first != last; ++first)
        if (less(*best, *first))
            best = first;
    return best;
}
template <class I, class Less = std::less<>> I min_element(I first, I last, Less less = Less()) {
    I best = first;
    for (; first != last; ++first)
        if (less(*first, *best))
            best = first;
    return best;
}
template <class I, class Less = std::less<>>
std::pair<I, I> minmax_element(I first, I last, Less less = Less()) {
    return {shflviz_serial::min_element(first, last, less),
            shflviz_serial::max_element(first, last, less)};
}

/* ---- searching sorted elements ---- */

/* The first element for which the predicate is false; it is true for all elements before it. */
template <class I, class Predicate> I partition_point(I first, I last, Predicate predicate) {
    for (ptrdiff_t count = last - first; count > 0;) {
        const ptrdiff_t half = count / 2;
        if (predicate(first[half])) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}
template <class I, class T, class Less> I lower(I first, I last, const T &value, Less less) {
    return shflviz_serial::partition_point(first, last,
                                           [&](const auto &x) -> bool { return less(x, value); });
}
template <class I, class T, class Less> I upper(I first, I last, const T &value, Less less) {
    return shflviz_serial::partition_point(first, last,
                                           [&](const auto &x) -> bool { return !less(value, x); });
}
template <class I, class T, class Less> bool has(I first, I last, const T &value, Less less) {
    I at = shflviz_serial::lower(first, last, value, less);
    return at != last && !less(value, *at);
}
/* Searches for one value, or for each value of a range, in which case it writes the positions. */
#define SHFLVIZ_SEARCH(name, found, each)                                                          \
    template <class I, class T> auto name(I first, I last, T value) {                              \
        return shflviz_serial::found(first, last, value, std::less<>());                           \
    }                                                                                              \
    template <class I, class T, class Less> auto name(I first, I last, T value, Less less) {       \
        return shflviz_serial::found(first, last, value, less);                                    \
    }                                                                                              \
    template <class I, class J, class O, class Less>                                               \
    O name(I first, I last, J from, J to, O out, Less less) {                                      \
        for (; from != to; ++from, ++out)                                                          \
            *out = shflviz_serial::found(first, last, *from, less) each;                           \
        return out;                                                                                \
    }                                                                                              \
    template <class I, class J, class O> O name(I first, I last, J from, J to, O out) {            \
        return shflviz_serial::name(first, last, from, to, out, std::less<>());                    \
    }
SHFLVIZ_SEARCH(lower_bound, lower, -first)
SHFLVIZ_SEARCH(upper_bound, upper, -first)
SHFLVIZ_SEARCH(binary_search, has, )
#undef SHFLVIZ_SEARCH
template <class I, class T, class Less = std::less<>>
std::pair<I, I> equal_range(I first, I last, T value, Less less = Less()) {
    return {shflviz_serial::lower(first, last, value, less),
            shflviz_serial::upper(first, last, value, less)};
}

/* ---- copying and transforming ---- */

template <class I, class O> O copy(I first, I last, O out) {
    for (; first != last; ++first, ++out)
        *out = *first;
    return out;
}
template <class I, class N, class O> O copy_n(I first, N count, O out) {
    for (N i = 0; i < count; ++i, ++first, ++out)
        *out = *first;
    return out;
}
template <class I, class O, class Predicate>
O copy_if(I first, I last, O out, Predicate predicate) {
    for (; first != last; ++first)
        if (predicate(*first)) {
            *out = *first;
            ++out;
        }
    return out;
}
template <class I, class S, class O, class Predicate>
O copy_if(I first, I last, S stencil, O out, Predicate predicate) {
    for (; first != last; ++first, ++stencil)
        if (predicate(*stencil)) {
            *out = *first;
            ++out;
        }
    return out;
}
template <class I, class O> O uninitialized_copy(I first, I last, O out) {
    for (; first != last; ++first, ++out)
        new (static_cast<void *>(&*out)) shflviz_value<O>(*first);
    return out;
}
template <class I, class T> void uninitialized_fill(I first, I last, T value) {
    for (; first != last; ++first)
        new (static_cast<void *>(&*first)) shflviz_value<I>(value);
}
template <class I, class T> void fill(I first, I last, T value) {
    for (; first != last; ++first)
        *first = value;
}
template <class I, class N, class T> I fill_n(I first, N count, T value) {
    for (N i = 0; i < count; ++i, ++first)
        *first = value;
    return first;
}
template <class I> void sequence(I first, I last) {
    for (shflviz_value<I> value = shflviz_value<I>(); first != last; ++first, ++value)
        *first = value;
}
template <class I, class T> void sequence(I first, I last, T start) {
    for (shflviz_value<I> value = (shflviz_value<I>)start; first != last; ++first, ++value)
        *first = value;
}
template <class I, class T> void sequence(I first, I last, T start, T step) {
    for (T value = start; first != last; ++first, value = (T)(value + step))
        *first = value;
}
template <class I, class Predicate, class T>
void replace_if(I first, I last, Predicate predicate, T value) {
    for (; first != last; ++first)
        if (predicate(*first))
            *first = value;
}
template <class I, class S, class Predicate, class T>
void replace_if(I first, I last, S stencil, Predicate predicate, T value) {
    for (; first != last; ++first, ++stencil)
        if (predicate(*stencil))
            *first = value;
}
template <class I, class T> void replace(I first, I last, T old, T value) {
    shflviz_serial::replace_if(first, last, shflviz_is_equal_to<T>{old}, value);
}
template <class I, class O, class Predicate, class T>
O replace_copy_if(I first, I last, O out, Predicate predicate, T value) {
    for (; first != last; ++first, ++out)
        if (predicate(*first))
            *out = value;
        else
            *out = *first;
    return out;
}
template <class I, class O, class T> O replace_copy(I first, I last, O out, T old, T value) {
    return shflviz_serial::replace_copy_if(first, last, out, shflviz_is_equal_to<T>{old}, value);
}
template <class I> void reverse(I first, I last) {
    while (first != last && first != --last) {
        thrust::shflviz_swap(first, last);
        ++first;
    }
}
template <class I, class O> O reverse_copy(I first, I last, O out) {
    for (; first != last; ++out)
        *out = *--last;
    return out;
}
template <class I, class J> J swap_ranges(I first, I last, J other) {
    for (; first != last; ++first, ++other) {
        shflviz_value<I> kept = static_cast<shflviz_value<I>>(*first);
        *first = static_cast<shflviz_value<J>>(*other);
        *other = kept;
    }
    return other;
}
template <class I, class O, class Function> O transform(I first, I last, O out, Function function) {
    for (; first != last; ++first, ++out)
        *out = function(*first);
    return out;
}
template <class I, class J, class O, class Function>
O transform(I first, I last, J other, O out, Function function) {
    for (; first != last; ++first, ++other, ++out)
        *out = function(*first, *other);
    return out;
}
template <class I, class O, class Function, class Predicate>
O transform_if(I first, I last, O out, Function function, Predicate predicate) {
    for (; first != last; ++first, ++out)
        if (predicate(*first))
            *out = function(*first);
    return out;
}
template <class I, class S, class O, class Function, class Predicate>
O transform_if(I first, I last, S stencil, O out, Function function, Predicate predicate) {
    for (; first != last; ++first, ++stencil, ++out)
        if (predicate(*stencil))
            *out = function(*first);
    return out;
}
template <class I, class O, class Operation = std::minus<>>
O adjacent_difference(I first, I last, O out, Operation operation = Operation()) {
    if (first == last)
        return out;
    shflviz_value<I> before = *first;
    *out = before;
    for (++out; ++first != last; ++out) {
        const shflviz_value<I> value = *first;
        *out = operation(value, before);
        before = value;
    }
    return out;
}

template <class Map, class I, class O> O gather(Map first, Map last, I input, O out) {
    for (; first != last; ++first, ++out)
        *out = input[*first];
    return out;
}
/* Writes only where the stencil is true; the rest is kept. */
template <class Map, class S, class I, class O, class Predicate = identity<>>
O gather_if(Map first, Map last, S stencil, I input, O out, Predicate predicate = Predicate()) {
    for (; first != last; ++first, ++stencil, ++out)
        if (predicate(*stencil))
            *out = input[*first];
    return out;
}
template <class I, class Map, class O> void scatter(I first, I last, Map map, O out) {
    for (; first != last; ++first, ++map)
        out[*map] = *first;
}
template <class I, class Map, class S, class O, class Predicate = identity<>>
void scatter_if(I first, I last, Map map, S stencil, O out, Predicate predicate = Predicate()) {
    for (; first != last; ++first, ++map, ++stencil)
        if (predicate(*stencil))
            out[*map] = *first;
}

/* ---- removing ---- */

template <class I, class O, class Predicate>
O remove_copy_if(I first, I last, O out, Predicate predicate) {
    return shflviz_serial::copy_if(first, last, out, shflviz_not<Predicate>{predicate});
}
template <class I, class S, class O, class Predicate>
O remove_copy_if(I first, I last, S stencil, O out, Predicate predicate) {
    return shflviz_serial::copy_if(first, last, stencil, out, shflviz_not<Predicate>{predicate});
}
template <class I, class O, class T> O remove_copy(I first, I last, O out, T value) {
    return shflviz_serial::remove_copy_if(first, last, out, shflviz_is_equal_to<T>{value});
}
template <class I, class Predicate> I remove_if(I first, I last, Predicate predicate) {
    return shflviz_serial::remove_copy_if(first, last, first, predicate);
}
template <class I, class S, class Predicate>
I remove_if(I first, I last, S stencil, Predicate predicate) {
    return shflviz_serial::remove_copy_if(first, last, stencil, first, predicate);
}
template <class I, class T> I remove(I first, I last, T value) {
    return shflviz_serial::remove_copy(first, last, first, value);
}
template <class I, class O, class Equal = std::equal_to<>>
O unique_copy(I first, I last, O out, Equal equal = Equal()) {
    while (first != last) {
        const shflviz_value<I> value = *first;
        *out = value;
        for (++out; ++first != last && equal(value, *first);)
            ;
    }
    return out;
}
template <class I, class Equal = std::equal_to<>> I unique(I first, I last, Equal equal = Equal()) {
    return shflviz_serial::unique_copy(first, last, first, equal);
}
template <class I, class Equal = std::equal_to<>>
ptrdiff_t unique_count(I first, I last, Equal equal = Equal()) {
    return shflviz_serial::unique_copy(first, last, discard_iterator(), equal) - discard_iterator();
}
template <class K, class V, class KO, class VO, class Equal = std::equal_to<>>
std::pair<KO, VO> unique_by_key_copy(K first, K last, V values, KO keys_out, VO values_out,
                                     Equal equal = Equal()) {
    while (first != last) {
        const shflviz_value<K> key = *first;
        *keys_out = key;
        *values_out = *values;
        ++keys_out, ++values_out;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            ;
    }
    return {keys_out, values_out};
}
template <class K, class V, class Equal = std::equal_to<>>
std::pair<K, V> unique_by_key(K first, K last, V values, Equal equal = Equal()) {
    return shflviz_serial::unique_by_key_copy(first, last, values, first, values, equal);
}
template <class I, class O, class P, class Predicate>
std::pair<O, P> partition_copy(I first, I last, O out, P others, Predicate predicate) {
    for (; first != last; ++first)
        if (predicate(*first)) {
            *out = *first;
            ++out;
        } else {
            *others = *first;
            ++others;
        }
    return {out, others};
}

/* ---- sums ---- */

template <class I, class T, class Operation = std::plus<>>
T reduce(I first, I last, T start, Operation operation = Operation()) {
    for (; first != last; ++first)
        start = operation(start, *first);
    return start;
}
template <class I> shflviz_value<I> reduce(I first, I last) {
    return shflviz_serial::reduce(first, last, shflviz_value<I>());
}
template <class I, class Function, class T, class Operation>
T transform_reduce(I first, I last, Function function, T start, Operation operation) {
    for (; first != last; ++first)
        start = operation(start, function(*first));
    return start;
}
template <class I, class J, class T, class Sum = std::plus<>, class Product = std::multiplies<>>
T inner_product(I first, I last, J other, T start, Sum sum = Sum(), Product product = Product()) {
    for (; first != last; ++first, ++other)
        start = sum(start, product(*first, *other));
    return start;
}
/* A value is read before its result is written: `out` may equal `first`. */
template <class I, class O, class Function, class Operation>
O transform_inclusive_scan(I first, I last, O out, Function function, Operation operation) {
    if (first == last)
        return out;
    std::decay_t<decltype(function(*first))> sum = function(*first);
    *out = sum;
    for (++out; ++first != last; ++out) {
        sum = operation(sum, function(*first));
        *out = sum;
    }
    return out;
}
template <class I, class O, class Function, class T, class Operation>
O transform_inclusive_scan(I first, I last, O out, Function function, T start,
                           Operation operation) {
    for (; first != last; ++first, ++out) {
        start = operation(start, function(*first));
        *out = start;
    }
    return out;
}
template <class I, class O, class Function, class T, class Operation>
O transform_exclusive_scan(I first, I last, O out, Function function, T start,
                           Operation operation) {
    for (; first != last; ++first, ++out) {
        const T next = operation(start, function(*first));
        *out = start;
        start = next;
    }
    return out;
}
template <class I, class O, class Operation = std::plus<>>
O inclusive_scan(I first, I last, O out, Operation operation = Operation()) {
    if (first == last)
        return out;
    shflviz_value<I> sum = *first;
    *out = sum;
    for (++out; ++first != last; ++out) {
        sum = operation(sum, *first);
        *out = sum;
    }
    return out;
}
template <class I, class O, class T, class Operation>
O inclusive_scan(I first, I last, O out, T start, Operation operation) {
    return shflviz_serial::transform_inclusive_scan(first, last, out, identity<>(), start,
                                                    operation);
}
template <class I, class O, class T, class Operation = std::plus<>>
O exclusive_scan(I first, I last, O out, T start, Operation operation = Operation()) {
    return shflviz_serial::transform_exclusive_scan(first, last, out, identity<>(), start,
                                                    operation);
}
template <class I, class O> O exclusive_scan(I first, I last, O out) {
    return shflviz_serial::exclusive_scan(first, last, out, shflviz_value<I>());
}

/* ---- by key ---- */

template <class K, class V, class KO, class VO, class Equal = std::equal_to<>,
          class Operation = std::plus<>>
std::pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out,
                                Equal equal = Equal(), Operation operation = Operation()) {
    while (first != last) {
        const shflviz_value<K> key = *first;
        shflviz_value<V> sum = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            sum = operation(sum, *values);
        *keys_out = key;
        *values_out = sum;
        ++keys_out, ++values_out;
    }
    return {keys_out, values_out};
}
template <class K, class V, class O, class Equal = std::equal_to<>, class Operation = std::plus<>>
O inclusive_scan_by_key(K first, K last, V values, O out, Equal equal = Equal(),
                        Operation operation = Operation()) {
    if (first == last)
        return out;
    shflviz_value<K> key = *first;
    shflviz_value<V> sum = *values;
    for (*out = sum, ++out; ++first != last; ++out) {
        const shflviz_value<K> next = *first;
        const shflviz_value<V> value = *++values;
        if (equal(key, next))
            sum = operation(sum, value);
        else
            sum = value;
        *out = sum;
        key = next;
    }
    return out;
}
template <class K, class V, class O, class T, class Equal = std::equal_to<>,
          class Operation = std::plus<>>
O exclusive_scan_by_key(K first, K last, V values, O out, T start, Equal equal = Equal(),
                        Operation operation = Operation()) {
    if (first == last)
        return out;
    shflviz_value<K> key = *first;
    T sum = start;
    for (; first != last; ++first, ++values, ++out) {
        const shflviz_value<K> next = *first;
        const shflviz_value<V> value = *values;
        if (!equal(key, next))
            sum = start;
        *out = sum;
        sum = operation(sum, value);
        key = next;
    }
    return out;
}
template <class K, class V, class O> O exclusive_scan_by_key(K first, K last, V values, O out) {
    return shflviz_serial::exclusive_scan_by_key(first, last, values, out, shflviz_value<V>());
}

/* ---- two sorted ranges ---- */

template <class I, class J, class O, class Less = std::less<>>
O merge(I first, I last, J other, J end, O out, Less less = Less()) {
    for (; first != last && other != end; ++out)
        if (less(*other, *first)) {
            *out = *other;
            ++other;
        } else {
            *out = *first;
            ++first;
        }
    return shflviz_serial::copy(other, end, shflviz_serial::copy(first, last, out));
}
/* The elements in both ranges, or only in the first, or only in the second. */
template <bool Both, bool First, bool Second, class I, class J, class O, class Less>
O join(I first, I last, J other, J end, O out, Less less) {
    while (first != last && other != end)
        if (less(*first, *other)) {
            if constexpr (First) {
                *out = *first;
                ++out;
            }
            ++first;
        } else if (less(*other, *first)) {
            if constexpr (Second) {
                *out = *other;
                ++out;
            }
            ++other;
        } else {
            if constexpr (Both) {
                *out = *first;
                ++out;
            }
            ++first, ++other;
        }
    if constexpr (First)
        out = shflviz_serial::copy(first, last, out);
    if constexpr (Second)
        out = shflviz_serial::copy(other, end, out);
    return out;
}
#define SHFLVIZ_JOIN(name, both, only_first, only_second)                                          \
    template <class I, class J, class O, class Less = std::less<>>                                 \
    O name(I first, I last, J other, J end, O out, Less less = Less()) {                           \
        return shflviz_serial::join<both, only_first, only_second>(first, last, other, end, out,   \
                                                                   less);                          \
    }
SHFLVIZ_JOIN(set_difference, false, true, false)
SHFLVIZ_JOIN(set_intersection, true, false, false)
SHFLVIZ_JOIN(set_symmetric_difference, false, true, true)
SHFLVIZ_JOIN(set_union, true, true, true)
#undef SHFLVIZ_JOIN
template <class I, class J, class V, class W, class KO, class VO, class Less = std::less<>>
std::pair<KO, VO> merge_by_key(I first, I last, J other, J end, V values, W others, KO keys_out,
                               VO values_out, Less less = Less()) {
    for (; first != last || other != end; ++keys_out, ++values_out)
        if (first == last || (other != end && less(*other, *first))) {
            *keys_out = *other;
            *values_out = *others;
            ++other, ++others;
        } else {
            *keys_out = *first;
            *values_out = *values;
            ++first, ++values;
        }
    return {keys_out, values_out};
}

/* ---- reordering, with buffers of the same size ---- */

/* Merges runs of growing length, moving the left one aside. */
template <class I, class Less>
void sort_in(I first, ptrdiff_t count, shflviz_value<I> *room, Less less) {
    typedef shflviz_value<I> value;
    for (ptrdiff_t width = 1; width < count; width *= 2)
        for (ptrdiff_t begin = 0; begin + width < count; begin += 2 * width) {
            const ptrdiff_t middle = begin + width;
            const ptrdiff_t end = middle + width < count ? middle + width : count;
            if (!less(first[middle], first[middle - 1]))
                continue;
            for (ptrdiff_t i = 0; i < width; i++)
                new (static_cast<void *>(room + i)) value(first[begin + i]);
            ptrdiff_t left = 0, right = middle, to = begin;
            while (left < width && right < end)
                if (less(first[right], room[left]))
                    first[to++] = static_cast<value>(first[right++]);
                else
                    first[to++] = room[left++];
            while (left < width)
                first[to++] = room[left++];
            for (ptrdiff_t i = 0; i < width; i++)
                room[i].~value();
        }
}
/* Elements for which the predicate is true come first; all keep their order. */
template <class I, class S, class Predicate>
I partition_in(I first, ptrdiff_t count, S stencil, shflviz_value<I> *room, Predicate predicate) {
    typedef shflviz_value<I> value;
    ptrdiff_t chosen = 0, others = 0;
    for (ptrdiff_t i = 0; i < count; i++)
        if (predicate(stencil[i]))
            first[chosen++] = static_cast<value>(first[i]);
        else
            new (static_cast<void *>(room + others++)) value(first[i]);
    for (ptrdiff_t i = 0; i < others; i++) {
        first[chosen + i] = room[i];
        room[i].~value();
    }
    return first + chosen;
}

} // namespace shflviz_serial
} // namespace thrust

CUDACPU_BOTH_END
#endif
