/*
 * shflviz_algorithms.h - decides where each of Thrust's algorithms runs. Those over the host's
 * elements run on the host, those over the device's in a kernel: in one thread (shflviz_serial.h)
 * or, if elements are independent, in a thread for each. A kernel that calls one does all the work
 * itself. Part of shflviz_thrust.h.
 */
#ifndef SHFLVIZ_CUDA_THRUST_ALGORITHMS_H
#define SHFLVIZ_CUDA_THRUST_ALGORITHMS_H

#include "cudacpu/device_work.h"
#include "shflviz_serial.h"
#include "shflviz_thrust.h"

#include "host_defines.h"

CUDACPU_BOTH_BEGIN

namespace thrust {

/* ---- where an algorithm runs ---- */

template <class P>
using shflviz_if_policy = std::enable_if_t<std::is_base_of<execution_policy_base, P>::value>;
template <class A>
using shflviz_if_no_policy = std::enable_if_t<!std::is_base_of<execution_policy_base, A>::value>;

/* Without a policy the iterators decide; counting iterators and the like, which belong to neither
 * side, run on the device if there are no others. */
struct shflviz_any_policy : execution_policy_base {};
static constexpr shflviz_any_policy shflviz_anywhere{};
template <class Policy, class... Arguments> constexpr bool shflviz_on_device() {
    if constexpr (std::is_same<Policy, shflviz_any_policy>::value)
        return shflviz_side_of<Arguments...>() == shflviz_side::device ||
               shflviz_side_of<Arguments...>() == shflviz_side::any;
    else
        return std::is_base_of<shflviz_device_policy, Policy>::value;
}

/* An algorithm without a policy. */
#define SHFLVIZ_THRUST_ANYWHERE(name)                                                              \
    template <class First, class... Arguments, class = shflviz_if_no_policy<First>>                \
    auto name(First first, Arguments... arguments) {                                               \
        return thrust::name(shflviz_anywhere, first, arguments...);                                \
    }
/* An algorithm that runs in one thread. */
#define SHFLVIZ_THRUST(name)                                                                       \
    template <class Policy, class... Arguments, class = shflviz_if_policy<Policy>>                 \
    auto name(const Policy &, Arguments... arguments) {                                            \
        return shflviz::work_run<shflviz_on_device<Policy, Arguments...>()>(                       \
            "thrust::" #name,                                                                      \
            [=]() mutable { return thrust::shflviz_serial::name(arguments...); });                 \
    }                                                                                              \
    SHFLVIZ_THRUST_ANYWHERE(name)
SHFLVIZ_THRUST(adjacent_difference)
SHFLVIZ_THRUST(adjacent_find)
SHFLVIZ_THRUST(all_of)
SHFLVIZ_THRUST(any_of)
SHFLVIZ_THRUST(binary_search)
SHFLVIZ_THRUST(copy_if)
SHFLVIZ_THRUST(count)
SHFLVIZ_THRUST(count_if)
SHFLVIZ_THRUST(equal)
SHFLVIZ_THRUST(equal_range)
SHFLVIZ_THRUST(exclusive_scan)
SHFLVIZ_THRUST(exclusive_scan_by_key)
SHFLVIZ_THRUST(fill)
SHFLVIZ_THRUST(fill_n)
SHFLVIZ_THRUST(find)
SHFLVIZ_THRUST(find_if)
SHFLVIZ_THRUST(find_if_not)
SHFLVIZ_THRUST(gather)
SHFLVIZ_THRUST(gather_if)
SHFLVIZ_THRUST(inclusive_scan)
SHFLVIZ_THRUST(inclusive_scan_by_key)
SHFLVIZ_THRUST(inner_product)
SHFLVIZ_THRUST(is_partitioned)
SHFLVIZ_THRUST(is_sorted)
SHFLVIZ_THRUST(is_sorted_until)
SHFLVIZ_THRUST(lower_bound)
SHFLVIZ_THRUST(max_element)
SHFLVIZ_THRUST(merge)
SHFLVIZ_THRUST(merge_by_key)
SHFLVIZ_THRUST(min_element)
SHFLVIZ_THRUST(minmax_element)
SHFLVIZ_THRUST(mismatch)
SHFLVIZ_THRUST(none_of)
SHFLVIZ_THRUST(partition_copy)
SHFLVIZ_THRUST(partition_point)
SHFLVIZ_THRUST(reduce)
SHFLVIZ_THRUST(reduce_by_key)
SHFLVIZ_THRUST(remove)
SHFLVIZ_THRUST(remove_copy)
SHFLVIZ_THRUST(remove_copy_if)
SHFLVIZ_THRUST(remove_if)
SHFLVIZ_THRUST(replace)
SHFLVIZ_THRUST(replace_copy)
SHFLVIZ_THRUST(replace_copy_if)
SHFLVIZ_THRUST(replace_if)
SHFLVIZ_THRUST(reverse)
SHFLVIZ_THRUST(reverse_copy)
SHFLVIZ_THRUST(scatter)
SHFLVIZ_THRUST(scatter_if)
SHFLVIZ_THRUST(sequence)
SHFLVIZ_THRUST(set_difference)
SHFLVIZ_THRUST(set_intersection)
SHFLVIZ_THRUST(set_symmetric_difference)
SHFLVIZ_THRUST(set_union)
SHFLVIZ_THRUST(swap_ranges)
SHFLVIZ_THRUST(transform_exclusive_scan)
SHFLVIZ_THRUST(transform_if)
SHFLVIZ_THRUST(transform_inclusive_scan)
SHFLVIZ_THRUST(transform_reduce)
SHFLVIZ_THRUST(uninitialized_copy)
SHFLVIZ_THRUST(uninitialized_fill)
SHFLVIZ_THRUST(unique)
SHFLVIZ_THRUST(unique_by_key)
SHFLVIZ_THRUST(unique_by_key_copy)
SHFLVIZ_THRUST(unique_copy)
SHFLVIZ_THRUST(unique_count)
#undef SHFLVIZ_THRUST

using std::advance;
using std::distance;
using std::next;
using std::prev;

/* ---- from one side to the other ---- */

/* The host, which may access device memory here, copies between both sides; values that the device
 * must compute first are stored in memory there. */
template <class Policy, class I, class N, class O, class = shflviz_if_policy<Policy>>
O copy_n(const Policy &, I first, N count, O out) {
    constexpr shflviz_side from = shflviz_side_of<I>(), to = shflviz_side_of<O>();
    constexpr bool both = (from == shflviz_side::host && to == shflviz_side::device) ||
                          (from == shflviz_side::device && to == shflviz_side::host);
    if constexpr (both && from == shflviz_side::device &&
                  !std::is_reference<typename std::iterator_traits<I>::reference>::value) {
        typedef shflviz_value<I> value;
        shflviz::work_room<value> room((ptrdiff_t)count);
        value *const at = room.at;
        shflviz::work_run<true>("thrust::copy", [=]() mutable {
            for (N i = 0; i < count; ++i, ++first)
                new (static_cast<void *>(at + i)) value(*first);
        });
        return shflviz_serial::copy_n(at, count, out);
    } else {
        return shflviz::work_run < !both &&
               shflviz_on_device<Policy, I, O>() > ("thrust::copy", [=]() mutable {
                   return thrust::shflviz_serial::copy_n(first, count, out);
               });
    }
}
SHFLVIZ_THRUST_ANYWHERE(copy_n)
template <class Policy, class I, class O, class = shflviz_if_policy<Policy>>
O copy(const Policy &policy, I first, I last, O out) {
    if constexpr (std::is_base_of<std::random_access_iterator_tag,
                                  typename std::iterator_traits<I>::iterator_category>::value)
        return thrust::copy_n(policy, first, last - first, out);
    else
        return shflviz_serial::copy(first, last, out);
}
SHFLVIZ_THRUST_ANYWHERE(copy)

/* ---- a thread for each element ---- */

template <bool OnDevice, class Body>
void shflviz_each(const char *name, ptrdiff_t count, Body body) {
    if constexpr (OnDevice) {
        shflviz::work_begin(name, count, body, nullptr);
        shflviz::work_wait();
    } else {
        (void)name;
        for (ptrdiff_t i = 0; i < count; i++)
            body(i);
    }
}
template <class P, class I, class N, class F, class = shflviz_if_policy<P>>
I for_each_n(const P &, I first, N count, F function) {
    shflviz_each<shflviz_on_device<P, I>()>("thrust::for_each", (ptrdiff_t)count,
                                            [=](ptrdiff_t i) mutable { function(first[i]); });
    return first + (ptrdiff_t)count;
}
SHFLVIZ_THRUST_ANYWHERE(for_each_n)
template <class P, class I, class F, class = shflviz_if_policy<P>>
I for_each(const P &policy, I first, I last, F function) {
    return thrust::for_each_n(policy, first, last - first, function);
}
SHFLVIZ_THRUST_ANYWHERE(for_each)
template <class P, class I, class O, class F, class = shflviz_if_policy<P>>
O transform(const P &, I first, I last, O out, F function) {
    if constexpr (shflviz_on_device<P, I, O>()) {
        shflviz_each<true>("thrust::transform", last - first,
                           [=](ptrdiff_t i) mutable { *(out + i) = function(first[i]); });
        return out + (last - first);
    } else {
        return shflviz_serial::transform(first, last, out, function);
    }
}
template <class P, class I, class J, class O, class F, class = shflviz_if_policy<P>>
O transform(const P &, I first, I last, J other, O out, F function) {
    if constexpr (shflviz_on_device<P, I, J, O>()) {
        shflviz_each<true>("thrust::transform", last - first,
                           [=](ptrdiff_t i) mutable { *(out + i) = function(first[i], other[i]); });
        return out + (last - first);
    } else {
        return shflviz_serial::transform(first, last, other, out, function);
    }
}
SHFLVIZ_THRUST_ANYWHERE(transform)
template <class P, class I, class N, class F, class = shflviz_if_policy<P>>
I generate_n(const P &, I first, N count, F function) {
    if constexpr (shflviz_on_device<P, I>())
        shflviz_each<true>("thrust::generate", (ptrdiff_t)count,
                           [=](ptrdiff_t i) mutable { *(first + i) = function(); });
    else
        for (N i = 0; i < count; ++i)
            *(first + (ptrdiff_t)i) = function();
    return first + (ptrdiff_t)count;
}
SHFLVIZ_THRUST_ANYWHERE(generate_n)
template <class P, class I, class F, class = shflviz_if_policy<P>>
void generate(const P &policy, I first, I last, F function) {
    thrust::generate_n(policy, first, last - first, function);
}
SHFLVIZ_THRUST_ANYWHERE(generate)
template <class P, class I, class F, class = shflviz_if_policy<P>>
void tabulate(const P &, I first, I last, F function) {
    shflviz_each<shflviz_on_device<P, I>()>(
        "thrust::tabulate", last - first, [=](ptrdiff_t i) mutable { *(first + i) = function(i); });
}
SHFLVIZ_THRUST_ANYWHERE(tabulate)

/* ---- reordering ---- */

template <class P, class I, class Less = std::less<>, class = shflviz_if_policy<P>>
void stable_sort(const P &, I first, I last, Less less = Less()) {
    const ptrdiff_t count = last - first;
    shflviz::work_room<shflviz_value<I>> room(count);
    auto *const at = room.at;
    shflviz::work_run<shflviz_on_device<P, I>()>(
        "thrust::sort", [=] { thrust::shflviz_serial::sort_in(first, count, at, less); });
}
SHFLVIZ_THRUST_ANYWHERE(stable_sort)
template <class P, class I, class... More, class = shflviz_if_policy<P>>
void sort(const P &policy, I first, I last, More... more) {
    thrust::stable_sort(policy, first, last, more...);
}
SHFLVIZ_THRUST_ANYWHERE(sort)
template <class P, class K, class V, class Less = std::less<>, class = shflviz_if_policy<P>>
void stable_sort_by_key(const P &policy, K first, K last, V values, Less less = Less()) {
    auto both = thrust::make_zip_iterator(first, values);
    thrust::stable_sort(policy, both, both + (last - first), shflviz_less_by_key<Less>{less});
}
SHFLVIZ_THRUST_ANYWHERE(stable_sort_by_key)
template <class P, class K, class... More, class = shflviz_if_policy<P>>
void sort_by_key(const P &policy, K first, K last, More... more) {
    thrust::stable_sort_by_key(policy, first, last, more...);
}
SHFLVIZ_THRUST_ANYWHERE(sort_by_key)
template <class P, class I, class S, class Predicate, class = shflviz_if_policy<P>>
I stable_partition(const P &, I first, I last, S stencil, Predicate predicate) {
    const ptrdiff_t count = last - first;
    shflviz::work_room<shflviz_value<I>> room(count);
    auto *const at = room.at;
    return shflviz::work_run<shflviz_on_device<P, I, S>()>("thrust::partition", [=] {
        return thrust::shflviz_serial::partition_in(first, count, stencil, at, predicate);
    });
}
template <class P, class I, class Predicate, class = shflviz_if_policy<P>>
I stable_partition(const P &policy, I first, I last, Predicate predicate) {
    return thrust::stable_partition(policy, first, last, first, predicate);
}
SHFLVIZ_THRUST_ANYWHERE(stable_partition)
template <class P, class I, class... More, class = shflviz_if_policy<P>>
I partition(const P &policy, I first, I last, More... more) {
    return thrust::stable_partition(policy, first, last, more...);
}
SHFLVIZ_THRUST_ANYWHERE(partition)
#undef SHFLVIZ_THRUST_ANYWHERE

} // namespace thrust

CUDACPU_BOTH_END
#endif
