/*
 * shflviz_algorithms.h - Thrust's algorithms, by those of the host's C++ library; part of
 * shflviz_thrust.h.
 */
#ifndef SHFLVIZ_CUDA_THRUST_ALGORITHMS_H
#define SHFLVIZ_CUDA_THRUST_ALGORITHMS_H

#include "shflviz_thrust.h"

namespace thrust {

template <class P>
using shflviz_if_policy = std::enable_if_t<std::is_base_of<execution_policy_base, P>::value>;

/* The same with a policy before its arguments. */
#define SHFLVIZ_THRUST_POLICY(name)                                                                \
    template <class Policy, class... Arguments, class = shflviz_if_policy<Policy>>                 \
    auto name(const Policy &, Arguments &&...arguments) {                                          \
        return thrust::name(static_cast<Arguments &&>(arguments)...);                              \
    }
/* What the C++ library has under the same name and arguments. */
#define SHFLVIZ_THRUST_STD(name)                                                                   \
    template <class First, class... Arguments,                                                     \
              class = std::enable_if_t<!std::is_base_of<execution_policy_base, First>::value>>     \
    auto name(First first, Arguments... arguments) {                                               \
        return std::name(first, arguments...);                                                     \
    }                                                                                              \
    SHFLVIZ_THRUST_POLICY(name)
SHFLVIZ_THRUST_STD(adjacent_difference)
SHFLVIZ_THRUST_STD(all_of)
SHFLVIZ_THRUST_STD(any_of)
SHFLVIZ_THRUST_STD(binary_search)
SHFLVIZ_THRUST_STD(copy)
SHFLVIZ_THRUST_STD(copy_if)
SHFLVIZ_THRUST_STD(copy_n)
SHFLVIZ_THRUST_STD(count)
SHFLVIZ_THRUST_STD(count_if)
SHFLVIZ_THRUST_STD(equal)
SHFLVIZ_THRUST_STD(exclusive_scan)
SHFLVIZ_THRUST_STD(fill)
SHFLVIZ_THRUST_STD(fill_n)
SHFLVIZ_THRUST_STD(find)
SHFLVIZ_THRUST_STD(find_if)
SHFLVIZ_THRUST_STD(find_if_not)
SHFLVIZ_THRUST_STD(inclusive_scan)
SHFLVIZ_THRUST_STD(inner_product)
SHFLVIZ_THRUST_STD(is_sorted)
SHFLVIZ_THRUST_STD(lower_bound)
SHFLVIZ_THRUST_STD(max_element)
SHFLVIZ_THRUST_STD(merge)
SHFLVIZ_THRUST_STD(min_element)
SHFLVIZ_THRUST_STD(minmax_element)
SHFLVIZ_THRUST_STD(mismatch)
SHFLVIZ_THRUST_STD(none_of)
SHFLVIZ_THRUST_STD(remove)
SHFLVIZ_THRUST_STD(remove_copy)
SHFLVIZ_THRUST_STD(remove_copy_if)
SHFLVIZ_THRUST_STD(remove_if)
SHFLVIZ_THRUST_STD(replace)
SHFLVIZ_THRUST_STD(replace_if)
SHFLVIZ_THRUST_STD(reverse_copy)
SHFLVIZ_THRUST_STD(set_difference)
SHFLVIZ_THRUST_STD(set_intersection)
SHFLVIZ_THRUST_STD(set_union)
SHFLVIZ_THRUST_STD(swap_ranges)
SHFLVIZ_THRUST_STD(transform)
SHFLVIZ_THRUST_STD(transform_exclusive_scan)
SHFLVIZ_THRUST_STD(transform_inclusive_scan)
SHFLVIZ_THRUST_STD(uninitialized_copy)
SHFLVIZ_THRUST_STD(uninitialized_fill)
SHFLVIZ_THRUST_STD(unique)
SHFLVIZ_THRUST_STD(unique_copy)
SHFLVIZ_THRUST_STD(upper_bound)
#undef SHFLVIZ_THRUST_STD

/* ---- what calls a function that may look at its thread ---- */

/* Over the device's elements a kernel of a thread for each; else one after the other. */
template <class Body>
static inline void shflviz_each(bool on_device, const char *name, ptrdiff_t count, Body body) {
    if (!on_device || count <= 0 || cpu_runtime_in_kernel()) {
        for (ptrdiff_t i = 0; i < count; i++)
            body(i);
        return;
    }
    auto call = [&] {
        const ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
        Body mine = body; /* each thread has its own */
        if (i < count)
            mine(i);
    };
    cpu_launch launch = {};
    launch.name = name;
    launch.grid = dim3((unsigned)((count + 255) / 256));
    launch.block = dim3(256);
    launch.call = [](void *context) { (*static_cast<decltype(call) *>(context))(); };
    launch.context = &call;
    cpu_runtime_launch_kernel(&launch);
    cudaDeviceSynchronize();
}
template <class I, class Policy>
static constexpr bool shflviz_on_device =
    shflviz_is_device<I>::value || std::is_base_of<shflviz_device_policy, Policy>::value;

template <class P, class I, class N, class F, class = shflviz_if_policy<P>>
I for_each_n(const P &, I first, N count, F function) {
    shflviz_each(shflviz_on_device<I, P>, "thrust::for_each", (ptrdiff_t)count,
                 [=](ptrdiff_t i) mutable { function(first[i]); });
    return first + (ptrdiff_t)count;
}
template <class I, class N, class F, class = typename std::iterator_traits<I>::value_type>
I for_each_n(I first, N count, F function) {
    return thrust::for_each_n(host, first, count, function);
}
template <class P, class I, class F, class = shflviz_if_policy<P>>
I for_each(const P &policy, I first, I last, F function) {
    return thrust::for_each_n(policy, first, last - first, function);
}
template <class I, class F, class = typename std::iterator_traits<I>::value_type>
I for_each(I first, I last, F function) {
    return thrust::for_each_n(host, first, last - first, function);
}
template <class P, class I, class N, class F, class = shflviz_if_policy<P>>
I generate_n(const P &, I first, N count, F function) {
    shflviz_each(shflviz_on_device<I, P>, "thrust::generate", (ptrdiff_t)count,
                 [=](ptrdiff_t i) mutable { *(first + i) = function(); });
    return first + (ptrdiff_t)count;
}
template <class I, class N, class F, class = typename std::iterator_traits<I>::value_type>
I generate_n(I first, N count, F function) {
    return thrust::generate_n(host, first, count, function);
}
template <class P, class I, class F, class = shflviz_if_policy<P>>
void generate(const P &policy, I first, I last, F function) {
    thrust::generate_n(policy, first, last - first, function);
}
template <class I, class F, class = typename std::iterator_traits<I>::value_type>
void generate(I first, I last, F function) {
    thrust::generate_n(host, first, last - first, function);
}
template <class P, class I, class F, class = shflviz_if_policy<P>>
void tabulate(const P &, I first, I last, F function) {
    shflviz_each(shflviz_on_device<I, P>, "thrust::tabulate", last - first,
                 [=](ptrdiff_t i) mutable { *(first + i) = function(i); });
}
template <class I, class F, class = typename std::iterator_traits<I>::value_type>
void tabulate(I first, I last, F function) {
    thrust::tabulate(host, first, last, function);
}

using std::advance;
using std::distance;
using std::next;
using std::prev;

template <class I> using shflviz_value = typename std::iterator_traits<I>::value_type;

/* std::exclusive_scan() without a first value. */
template <class I, class O, class = typename std::iterator_traits<I>::value_type>
O exclusive_scan(I first, I last, O out) {
    return std::exclusive_scan(first, last, out, shflviz_value<I>());
}

/* The same where elements change places: of an iterator that gives values (zipped ones do), which
 * nothing can swap, in a copy. */
#define SHFLVIZ_THRUST_SWAPS(name)                                                                 \
    template <class I, class... More, class = typename std::iterator_traits<I>::value_type>        \
    auto name(I first, I last, More... more) {                                                     \
        if constexpr (std::is_reference<typename std::iterator_traits<I>::reference>::value) {     \
            return std::name(first, last, more...);                                                \
        } else {                                                                                   \
            std::vector<shflviz_value<I>> copy(first, last);                                       \
            shflviz_in_copy<I> in{first, copy};                                                    \
            return in.put([&] { return std::name(copy.begin(), copy.end(), more...); });           \
        }                                                                                          \
    }                                                                                              \
    SHFLVIZ_THRUST_POLICY(name)
template <class I> struct shflviz_in_copy {
    I first;
    std::vector<shflviz_value<I>> &copy;
    template <class Work> auto put(Work work) {
        if constexpr (std::is_void<decltype(work())>::value) {
            work();
            std::copy(copy.begin(), copy.end(), first);
        } else {
            const ptrdiff_t at = work() - copy.begin();
            std::copy(copy.begin(), copy.end(), first);
            return first + at;
        }
    }
};
SHFLVIZ_THRUST_SWAPS(partition)
SHFLVIZ_THRUST_SWAPS(reverse)
SHFLVIZ_THRUST_SWAPS(sort)
SHFLVIZ_THRUST_SWAPS(stable_partition)
SHFLVIZ_THRUST_SWAPS(stable_sort)
#undef SHFLVIZ_THRUST_SWAPS

template <class I, class = typename std::iterator_traits<I>::value_type>
shflviz_value<I> reduce(I first, I last) {
    return std::accumulate(first, last, shflviz_value<I>());
}
template <class I, class T, class = typename std::iterator_traits<I>::value_type>
T reduce(I first, I last, T start) {
    return std::accumulate(first, last, start);
}
template <class I, class T, class Operation, class = typename std::iterator_traits<I>::value_type>
T reduce(I first, I last, T start, Operation operation) {
    return std::accumulate(first, last, start, operation);
}
SHFLVIZ_THRUST_POLICY(reduce)
template <class I, class Function, class T, class Operation,
          class = typename std::iterator_traits<I>::value_type>
T transform_reduce(I first, I last, Function function, T start, Operation operation) {
    for (; first != last; ++first)
        start = operation(start, function(*first));
    return start;
}
SHFLVIZ_THRUST_POLICY(transform_reduce)
template <class I, class = typename std::iterator_traits<I>::value_type>
void sequence(I first, I last) {
    std::iota(first, last, shflviz_value<I>());
}
template <class I, class T, class = typename std::iterator_traits<I>::value_type>
void sequence(I first, I last, T start) {
    std::iota(first, last, (shflviz_value<I>)start);
}
template <class I, class T, class = typename std::iterator_traits<I>::value_type>
void sequence(I first, I last, T start, T step) {
    for (T value = start; first != last; ++first, value = (T)(value + step))
        *first = value;
}
SHFLVIZ_THRUST_POLICY(sequence)
template <class I, class Stencil, class O, class Predicate,
          class = typename std::iterator_traits<I>::value_type>
O copy_if(I first, I last, Stencil stencil, O out, Predicate predicate) {
    for (; first != last; ++first, ++stencil)
        if (predicate(*stencil))
            *out++ = *first;
    return out;
}
template <class Map, class I, class O, class = typename std::iterator_traits<Map>::value_type>
O gather(Map first, Map last, I input, O out) {
    for (; first != last; ++first, ++out)
        *out = input[*first];
    return out;
}
SHFLVIZ_THRUST_POLICY(gather)
/* Where the stencil says so; the rest stays. */
template <class Map, class S, class I, class O, class Predicate = identity<>,
          class = typename std::iterator_traits<Map>::value_type>
O gather_if(Map first, Map last, S stencil, I input, O out, Predicate predicate = Predicate()) {
    for (; first != last; ++first, ++stencil, ++out)
        if (predicate(*stencil))
            *out = input[*first];
    return out;
}
SHFLVIZ_THRUST_POLICY(gather_if)
template <class I, class Map, class S, class O, class Predicate = identity<>,
          class = typename std::iterator_traits<I>::value_type>
void scatter_if(I first, I last, Map map, S stencil, O out, Predicate predicate = Predicate()) {
    for (; first != last; ++first, ++map, ++stencil)
        if (predicate(*stencil))
            out[*map] = *first;
}
SHFLVIZ_THRUST_POLICY(scatter_if)
template <class I, class O, class Function, class Predicate,
          class = typename std::iterator_traits<I>::value_type>
O transform_if(I first, I last, O out, Function function, Predicate predicate) {
    for (; first != last; ++first, ++out)
        if (predicate(*first))
            *out = function(*first);
    return out;
}
SHFLVIZ_THRUST_POLICY(transform_if)
template <class I, class Map, class O, class = typename std::iterator_traits<I>::value_type>
void scatter(I first, I last, Map map, O out) {
    for (; first != last; ++first, ++map)
        out[*map] = *first;
}
SHFLVIZ_THRUST_POLICY(scatter)

/* ---- by key ---- */

template <class K, class V, class Less, class = typename std::iterator_traits<K>::value_type>
void stable_sort_by_key(K first, K last, V values, Less less) {
    const size_t count = (size_t)(last - first);
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), (size_t)0);
    std::vector<shflviz_value<K>> keys(first, last);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return less(keys[a], keys[b]); });
    std::vector<shflviz_value<V>> old(values, values + (ptrdiff_t)count);
    for (size_t i = 0; i < count; i++) {
        first[(ptrdiff_t)i] = keys[order[i]];
        values[(ptrdiff_t)i] = old[order[i]];
    }
}
template <class K, class V, class = typename std::iterator_traits<K>::value_type>
void stable_sort_by_key(K first, K last, V values) {
    thrust::stable_sort_by_key(first, last, values, std::less<shflviz_value<K>>());
}
SHFLVIZ_THRUST_POLICY(stable_sort_by_key)
template <class K, class... More, class = typename std::iterator_traits<K>::value_type>
void sort_by_key(K first, K last, More... more) {
    thrust::stable_sort_by_key(first, last, more...);
}
SHFLVIZ_THRUST_POLICY(sort_by_key)

template <class K, class V, class KO, class VO, class Equal, class Operation,
          class = typename std::iterator_traits<K>::value_type>
std::pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out, Equal equal,
                                Operation operation) {
    while (first != last) {
        const shflviz_value<K> key = *first;
        shflviz_value<V> sum = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            sum = operation(sum, *values);
        *keys_out++ = key;
        *values_out++ = sum;
    }
    return {keys_out, values_out};
}
template <class K, class V, class KO, class VO,
          class = typename std::iterator_traits<K>::value_type>
std::pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out) {
    return thrust::reduce_by_key(first, last, values, keys_out, values_out, std::equal_to<>(),
                                 std::plus<>());
}
template <class K, class V, class KO, class VO, class Equal,
          class = typename std::iterator_traits<K>::value_type>
std::pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out,
                                Equal equal) {
    return thrust::reduce_by_key(first, last, values, keys_out, values_out, equal, std::plus<>());
}
SHFLVIZ_THRUST_POLICY(reduce_by_key)
/* Values are copied before what they give is written: `out` may be `values`. */
template <class K, class V, class O, class Equal, class Operation,
          class = typename std::iterator_traits<K>::value_type>
O inclusive_scan_by_key(K first, K last, V values, O out, Equal equal, Operation operation) {
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
template <class K, class V, class O, class Equal = std::equal_to<>,
          class = typename std::iterator_traits<K>::value_type>
O inclusive_scan_by_key(K first, K last, V values, O out, Equal equal = Equal()) {
    return thrust::inclusive_scan_by_key(first, last, values, out, equal, std::plus<>());
}
SHFLVIZ_THRUST_POLICY(inclusive_scan_by_key)
template <class K, class V, class O, class T, class Equal, class Operation,
          class = typename std::iterator_traits<K>::value_type>
O exclusive_scan_by_key(K first, K last, V values, O out, T start, Equal equal,
                        Operation operation) {
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
template <class K, class V, class O, class T, class Equal = std::equal_to<>,
          class = typename std::iterator_traits<K>::value_type>
O exclusive_scan_by_key(K first, K last, V values, O out, T start, Equal equal = Equal()) {
    return thrust::exclusive_scan_by_key(first, last, values, out, start, equal, std::plus<>());
}
template <class K, class V, class O, class = typename std::iterator_traits<K>::value_type>
O exclusive_scan_by_key(K first, K last, V values, O out) {
    return thrust::exclusive_scan_by_key(first, last, values, out, shflviz_value<V>());
}
SHFLVIZ_THRUST_POLICY(exclusive_scan_by_key)
template <class K, class V, class KO, class VO, class Equal = std::equal_to<>,
          class = typename std::iterator_traits<K>::value_type>
std::pair<KO, VO> unique_by_key_copy(K first, K last, V values, KO keys_out, VO values_out,
                                     Equal equal = Equal()) {
    while (first != last) {
        const shflviz_value<K> key = *first;
        *keys_out++ = key;
        *values_out++ = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            ;
    }
    return {keys_out, values_out};
}
SHFLVIZ_THRUST_POLICY(unique_by_key_copy)
template <class K, class V, class Equal = std::equal_to<>,
          class = typename std::iterator_traits<K>::value_type>
std::pair<K, V> unique_by_key(K first, K last, V values, Equal equal = Equal()) {
    return thrust::unique_by_key_copy(first, last, values, first, values, equal);
}
SHFLVIZ_THRUST_POLICY(unique_by_key)
#undef SHFLVIZ_THRUST_POLICY

} // namespace thrust

#endif
