/*
 * shflviz_thrust.h - Thrust for the CPU warp: vectors, algorithms, iterators, random numbers. Each
 * of Thrust's own headers includes all of it.
 */
#ifndef SHFLVIZ_CUDA_THRUST_H
#define SHFLVIZ_CUDA_THRUST_H

#include "cuda_runtime.h"

#include "cudacpu/complex_products.h"
#include "cudacpu/device_work.h" /* included outside the part for both sides */
#include "thrust/shflviz_placeholders.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

CUDACPU_BOTH_BEGIN

#define THRUST_VERSION 200000

namespace thrust {

/* ---- pairs and functions ---- */

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
template <class T> using complex = std::complex<T>;

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;
template <class T = void> struct identity {
    template <class U> U &&operator()(U &&x) const { return static_cast<U &&>(x); }
};
template <class T = void> struct maximum {
    template <class U> U operator()(const U &a, const U &b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
    template <class U> U operator()(const U &a, const U &b) const { return b < a ? b : a; }
};
template <class T = void> struct square {
    template <class U> U operator()(const U &a) const { return a * a; }
};
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};

/* ---- sides ---- */

struct execution_policy_base {
    template <class Stream> const execution_policy_base &on(Stream) const { return *this; }
    template <class Allocator> const execution_policy_base &operator()(Allocator &&) const {
        return *this;
    }
};
struct shflviz_device_policy : execution_policy_base {
    template <class Stream> const shflviz_device_policy &on(Stream) const { return *this; }
    template <class Allocator> const shflviz_device_policy &operator()(Allocator &&) const {
        return *this;
    }
};
static constexpr execution_policy_base host{}, seq{};
static constexpr shflviz_device_policy device{};
/* The elements of a vector are made and copied by the host. */
static const bool shflviz_memory_is_for_host = (cpu_memory_is_for_host(), true);
namespace cuda {
static constexpr shflviz_device_policy par{}, par_nosync{};
}
struct host_system_tag : execution_policy_base {};
struct device_system_tag : shflviz_device_policy {};
template <class> struct host_execution_policy : execution_policy_base {};
template <class> struct device_execution_policy : shflviz_device_policy {};

using ::std::system_error;
namespace system {
using ::std::system_error;
}

/* ---- memory ---- */

template <class T> class device_ptr {
    T *at;

  public:
    typedef std::random_access_iterator_tag iterator_category;
    typedef std::remove_cv_t<T> value_type;
    typedef ptrdiff_t difference_type;
    typedef T *pointer;
    typedef T &reference;
    device_ptr(T *pointer = nullptr) : at(pointer) {}
    template <class U, class = std::enable_if_t<std::is_same<const U, T>::value>>
    device_ptr(device_ptr<U> other) : at(other.get()) {}
    T *get() const { return at; }
    T &operator*() const { return *at; }
    T *operator->() const { return at; }
    T &operator[](ptrdiff_t i) const { return at[i]; }
    device_ptr &operator++() { return ++at, *this; }
    device_ptr operator++(int) { return device_ptr(at++); }
    device_ptr &operator--() { return --at, *this; }
    device_ptr operator--(int) { return device_ptr(at--); }
    device_ptr &operator+=(ptrdiff_t n) { return at += n, *this; }
    device_ptr &operator-=(ptrdiff_t n) { return at -= n, *this; }
    friend device_ptr operator+(device_ptr p, ptrdiff_t n) { return device_ptr(p.at + n); }
    friend device_ptr operator-(device_ptr p, ptrdiff_t n) { return device_ptr(p.at - n); }
    friend ptrdiff_t operator-(device_ptr a, device_ptr b) { return a.at - b.at; }
    friend bool operator==(device_ptr a, device_ptr b) { return a.at == b.at; }
    friend bool operator!=(device_ptr a, device_ptr b) { return a.at != b.at; }
    friend bool operator<(device_ptr a, device_ptr b) { return a.at < b.at; }
    friend bool operator>(device_ptr a, device_ptr b) { return a.at > b.at; }
    friend bool operator<=(device_ptr a, device_ptr b) { return a.at <= b.at; }
    friend bool operator>=(device_ptr a, device_ptr b) { return a.at >= b.at; }
    explicit operator bool() const { return at != nullptr; }
};
template <class T> using device_reference = T &;
template <class T> T *raw_pointer_cast(device_ptr<T> p) {
    return p.get();
}
template <class T> T *raw_pointer_cast(T *p) {
    return p;
}
template <class T> device_ptr<T> device_pointer_cast(T *p) {
    return device_ptr<T>(p);
}
/* Untyped memory. */
template <> class device_ptr<void> {
    void *at;

  public:
    typedef void value_type;
    device_ptr(void *pointer = nullptr) : at(pointer) {}
    void *get() const { return at; }
    template <class T> explicit operator device_ptr<T>() const {
        return device_ptr<T>(static_cast<T *>(at));
    }
};
static inline device_ptr<void> device_malloc(size_t bytes) {
    void *memory = nullptr;
    cudaMalloc(&memory, bytes);
    return device_ptr<void>(memory);
}
template <class T> device_ptr<T> device_malloc(size_t count) {
    void *memory = nullptr;
    cudaMalloc(&memory, count * sizeof(T));
    return device_ptr<T>(static_cast<T *>(memory));
}
template <class T> void device_free(device_ptr<T> p) {
    cudaFree(p.get());
}

template <class T> struct device_allocator {
    typedef T value_type;
    device_allocator() = default;
    template <class U> device_allocator(const device_allocator<U> &) {}
    T *allocate(size_t count) {
        void *memory = nullptr;
        if (count && cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess)
            throw std::bad_alloc();
        return static_cast<T *>(memory);
    }
    void deallocate(T *memory, size_t) { cudaFree(memory); }
    template <class U> bool operator==(const device_allocator<U> &) const { return true; }
    template <class U> bool operator!=(const device_allocator<U> &) const { return false; }
};

/* Thrust stores each bool as a byte, where std::vector would pack bits. */
struct shflviz_bool {
    bool value;
    shflviz_bool(bool is = false) : value(is) {}
    operator bool &() { return value; }
    operator const bool &() const { return value; }
};
template <class T>
using shflviz_element = std::conditional_t<std::is_same<T, bool>::value, shflviz_bool, T>;
template <class T, class Allocator>
using shflviz_storage =
    std::vector<shflviz_element<T>, typename std::allocator_traits<
                                        Allocator>::template rebind_alloc<shflviz_element<T>>>;

/* A vector that can be made from any other, by copying. */
template <class T, class Allocator> class shflviz_vector : public shflviz_storage<T, Allocator> {
    typedef shflviz_storage<T, Allocator> base;

  public:
    using base::base;
    shflviz_vector() = default;
    template <class Other>
    shflviz_vector(const std::vector<T, Other> &other) : base(other.begin(), other.end()) {}
    template <class U, class Other>
    shflviz_vector(const std::vector<U, Other> &other) : base(other.begin(), other.end()) {}
    template <class U, class Other> shflviz_vector &operator=(const std::vector<U, Other> &other) {
        this->assign(other.begin(), other.end());
        return *this;
    }
};
template <class T, class Allocator = std::allocator<T>>
class host_vector : public shflviz_vector<T, Allocator> {
  public:
    using shflviz_vector<T, Allocator>::shflviz_vector;
    using shflviz_vector<T, Allocator>::operator=;
};
/* Its elements are accessed through pointers, in kernels, too. */
template <class T, class Allocator = device_allocator<T>>
class device_vector : public shflviz_vector<T, Allocator> {
    typedef shflviz_vector<T, Allocator> base;
    typename shflviz_storage<T, Allocator>::iterator of(device_ptr<const T> at) {
        return base::begin() + (at - const_iterator(begin()));
    }

  public:
    typedef device_ptr<T> iterator, pointer;
    typedef device_ptr<const T> const_iterator, const_pointer;
    typedef std::reverse_iterator<iterator> reverse_iterator;
    typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
    using base::base;
    using base::operator=;
    iterator data() { return iterator(reinterpret_cast<T *>(base::data())); }
    const_iterator data() const {
        return const_iterator(reinterpret_cast<const T *>(base::data()));
    }
    iterator begin() { return data(); }
    iterator end() { return data() + (ptrdiff_t)base::size(); }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + (ptrdiff_t)base::size(); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    iterator erase(const_iterator at) { return erase(at, at + 1); }
    iterator erase(const_iterator first, const_iterator last) {
        return begin() + (base::erase(of(first), of(last)) - base::begin());
    }
    template <class... What> iterator insert(const_iterator at, What... what) {
        return begin() + (base::insert(of(at), what...) - base::begin());
    }
};

/* Memory of both sides. */
template <class T> struct universal_allocator : device_allocator<T> {
    universal_allocator() = default;
    template <class U> universal_allocator(const universal_allocator<U> &) {}
    T *allocate(size_t count) {
        void *memory = nullptr;
        if (count &&
            cudaMallocManaged(&memory, count * sizeof(T), cudaMemAttachGlobal) != cudaSuccess)
            throw std::bad_alloc();
        return static_cast<T *>(memory);
    }
};
template <class T> using universal_vector = device_vector<T, universal_allocator<T>>;

/* ---- iterators ---- */

/* Arithmetic for an iterator that only defines how to advance by a distance and to dereference. */
template <class Self, class Value, class Reference = Value> struct shflviz_iterator {
    typedef std::random_access_iterator_tag iterator_category;
    typedef Value value_type;
    typedef ptrdiff_t difference_type;
    typedef const Value *pointer;
    typedef Reference reference;
    Self &self() { return static_cast<Self &>(*this); }
    const Self &self() const { return static_cast<const Self &>(*this); }
    Self &operator++() { return self().move(1), self(); }
    Self operator++(int) {
        Self before = self();
        self().move(1);
        return before;
    }
    Self &operator--() { return self().move(-1), self(); }
    Self &operator+=(ptrdiff_t n) { return self().move(n), self(); }
    Self &operator-=(ptrdiff_t n) { return self().move(-n), self(); }
    Self operator+(ptrdiff_t n) const {
        Self moved = self();
        moved.move(n);
        return moved;
    }
    Self operator-(ptrdiff_t n) const { return *this + -n; }
    ptrdiff_t operator-(const Self &other) const { return self().distance(other); }
    bool operator==(const Self &other) const { return self().distance(other) == 0; }
    bool operator!=(const Self &other) const { return self().distance(other) != 0; }
    bool operator<(const Self &other) const { return self().distance(other) < 0; }
    Reference operator[](ptrdiff_t n) const { return *(*this + n); }
};
template <class T> struct counting_iterator : shflviz_iterator<counting_iterator<T>, T> {
    T value;
    explicit counting_iterator(T first = T()) : value(first) {}
    T operator*() const { return value; }
    void move(ptrdiff_t n) { value = (T)(value + n); }
    ptrdiff_t distance(const counting_iterator &other) const {
        return (ptrdiff_t)value - (ptrdiff_t)other.value;
    }
};
template <class T> counting_iterator<T> make_counting_iterator(T first) {
    return counting_iterator<T>(first);
}
template <class T> struct constant_iterator : shflviz_iterator<constant_iterator<T>, T> {
    T value;
    ptrdiff_t at;
    explicit constant_iterator(T x = T(), ptrdiff_t number = 0) : value(x), at(number) {}
    T operator*() const { return value; }
    void move(ptrdiff_t n) { at += n; }
    ptrdiff_t distance(const constant_iterator &other) const { return at - other.at; }
};
template <class T> constant_iterator<T> make_constant_iterator(T value) {
    return constant_iterator<T>(value);
}
struct shflviz_nothing {
    template <class T> const shflviz_nothing &operator=(const T &) const { return *this; }
};
struct discard_iterator : shflviz_iterator<discard_iterator, shflviz_nothing> {
    ptrdiff_t at = 0;
    shflviz_nothing operator*() const { return {}; }
    void move(ptrdiff_t n) { at += n; }
    ptrdiff_t distance(const discard_iterator &other) const { return at - other.at; }
};
static inline discard_iterator make_discard_iterator() {
    return {};
}
template <class Function, class Iterator>
struct transform_iterator
    : shflviz_iterator<
          transform_iterator<Function, Iterator>,
          std::decay_t<decltype(std::declval<const Function &>()(*std::declval<Iterator>()))>> {
    Iterator at;
    Function function;
    transform_iterator(Iterator first, Function f) : at(first), function(f) {}
    auto operator*() const { return function(*at); }
    void move(ptrdiff_t n) { at += n; }
    ptrdiff_t distance(const transform_iterator &other) const { return at - other.at; }
    transform_iterator &operator=(const transform_iterator &other) { /* a lambda cannot */
        at = other.at;
        return *this;
    }
    transform_iterator(const transform_iterator &) = default;
};
template <class Iterator, class Function>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator first, Function function) {
    return {first, function};
}
template <class Values, class Indices>
struct permutation_iterator : shflviz_iterator<permutation_iterator<Values, Indices>,
                                               typename std::iterator_traits<Values>::value_type,
                                               typename std::iterator_traits<Values>::reference> {
    Values values;
    Indices at;
    permutation_iterator(Values v, Indices i) : values(v), at(i) {}
    typename std::iterator_traits<Values>::reference operator*() const { return values[*at]; }
    void move(ptrdiff_t n) { at += n; }
    ptrdiff_t distance(const permutation_iterator &other) const { return at - other.at; }
};
template <class Values, class Indices>
permutation_iterator<Values, Indices> make_permutation_iterator(Values values, Indices indices) {
    return {values, indices};
}
template <class Tuple> struct zip_iterator;
template <class... Iterators>
struct zip_iterator<std::tuple<Iterators...>>
    : shflviz_iterator<zip_iterator<std::tuple<Iterators...>>,
                       std::tuple<typename std::iterator_traits<Iterators>::value_type...>,
                       std::tuple<typename std::iterator_traits<Iterators>::reference...>> {
    std::tuple<Iterators...> at;
    zip_iterator(const std::tuple<Iterators...> &first) : at(first) {}
    std::tuple<typename std::iterator_traits<Iterators>::reference...> operator*() const {
        return std::apply(
            [](const Iterators &...each) {
                return std::tuple<typename std::iterator_traits<Iterators>::reference...>(*each...);
            },
            at);
    }
    void move(ptrdiff_t n) {
        std::apply([n](Iterators &...each) { ((each += n), ...); }, at);
    }
    ptrdiff_t distance(const zip_iterator &other) const {
        return std::get<0>(at) - std::get<0>(other.at);
    }
    const std::tuple<Iterators...> &get_iterator_tuple() const { return at; }
};
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(const std::tuple<Iterators...> &first) {
    return {first};
}
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... first) {
    return {std::tuple<Iterators...>(first...)};
}

using std::make_reverse_iterator;
using std::reverse_iterator;

/* Turns a function of several arguments into one of a tuple. */
template <class Function> struct zip_function {
    mutable Function function;
    template <class Tuple> decltype(auto) operator()(Tuple &&values) const {
        return std::apply(function, static_cast<Tuple &&>(values));
    }
};
template <class Function> zip_function<Function> make_zip_function(Function function) {
    return {function};
}

/* ---- random numbers ---- */

using std::ranlux24;
using std::ranlux48;
/* As in C++, but also for kernels. Only 64-bit products are needed. */
template <class T, T Factor, T Addend, T Modulus> class linear_congruential_engine {
    T x;

  public:
    typedef T result_type;
    static constexpr T multiplier = Factor, increment = Addend, modulus = Modulus;
    static constexpr T default_seed = 1;
    static constexpr T min() { return Addend == 0 ? 1 : 0; }
    static constexpr T max() { return Modulus - 1; }
    explicit linear_congruential_engine(T value = default_seed) { seed(value); }
    void seed(T value = default_seed) {
        x = (T)(value % Modulus);
        if (Addend % Modulus == 0 && x == 0)
            x = 1;
    }
    T operator()() { return x = (T)(((unsigned long long)Factor * x + Addend) % Modulus); }
    /* Doubles the step once for each bit of `count`. */
    void discard(unsigned long long count) {
        unsigned long long factor = Factor, addend = Addend;
        for (; count; count /= 2) {
            if (count % 2)
                x = (T)((factor * x + addend) % Modulus);
            addend = (factor * addend + addend) % Modulus;
            factor = factor * factor % Modulus;
        }
    }
    friend bool operator==(const linear_congruential_engine &a,
                           const linear_congruential_engine &b) {
        return a.x == b.x;
    }
    friend bool operator!=(const linear_congruential_engine &a,
                           const linear_congruential_engine &b) {
        return a.x != b.x;
    }
};
typedef linear_congruential_engine<unsigned, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

/* Thrust's distributions do not give the same numbers as C++'s: its documentation says that each
 * takes one number from the engine. */
template <class T, class Sample> class shflviz_distribution {
  public:
    typedef T result_type;
    typedef std::pair<T, T> param_type;
    explicit shflviz_distribution(T first, T second) : parameters(first, second) {}
    explicit shflviz_distribution(const param_type &parameters_) : parameters(parameters_) {}
    template <class Engine> T operator()(Engine &engine) { return (*this)(engine, parameters); }
    template <class Engine> T operator()(Engine &engine, const param_type &of) {
        return Sample::template of<T>(engine, of.first, of.second);
    }
    void reset() {}
    param_type param() const { return parameters; }
    void param(const param_type &of) { parameters = of; }

  protected:
    param_type parameters;
};
struct shflviz_uniform_real {
    template <class T, class Engine> static T of(Engine &engine, T from, T to) {
        const T value = static_cast<T>(engine() - Engine::min());
        return value / (T(1) + static_cast<T>(Engine::max() - Engine::min())) * (to - from) + from;
    }
};
struct shflviz_uniform_int {
    template <class T, class Engine> static T of(Engine &engine, T from, T to) {
        return static_cast<T>(
            shflviz_uniform_real::of<double>(engine, (double)from, (double)to + 1));
    }
};
/* By the inverse of the error function, whose two halves are symmetric. */
struct shflviz_normal {
    template <class T, class Engine> static T of(Engine &engine, T mean, T deviation) {
        typedef typename Engine::result_type number;
        const number range = Engine::max() - Engine::min();
        const T scale = static_cast<T>(1. / static_cast<double>(range));
        T factor = static_cast<T>(-1.4142135623730950488016887242097);
        number drawn = engine() - Engine::min();
        if (drawn > range / 2) {
            drawn = range - drawn;
            factor = -factor;
        }
        const T half = static_cast<T>(drawn) * scale + scale / 2;
        if constexpr (std::is_same<T, float>::value)
            return mean + deviation * factor * erfcinvf(2 * half);
        else
            return mean + deviation * factor * static_cast<T>(erfcinv(2 * half));
    }
};
template <class T = double>
struct uniform_real_distribution : shflviz_distribution<T, shflviz_uniform_real> {
    using shflviz_distribution<T, shflviz_uniform_real>::shflviz_distribution;
    explicit uniform_real_distribution(T a = 0, T b = 1)
        : shflviz_distribution<T, shflviz_uniform_real>(a, b) {}
    T a() const { return this->parameters.first; }
    T b() const { return this->parameters.second; }
};
template <class T = int>
struct uniform_int_distribution : shflviz_distribution<T, shflviz_uniform_int> {
    using shflviz_distribution<T, shflviz_uniform_int>::shflviz_distribution;
    explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max())
        : shflviz_distribution<T, shflviz_uniform_int>(a, b) {}
    T a() const { return this->parameters.first; }
    T b() const { return this->parameters.second; }
};
template <class T = double> struct normal_distribution : shflviz_distribution<T, shflviz_normal> {
    using shflviz_distribution<T, shflviz_normal>::shflviz_distribution;
    explicit normal_distribution(T mean = 0, T deviation = 1)
        : shflviz_distribution<T, shflviz_normal>(mean, deviation) {}
    T mean() const { return this->parameters.first; }
    T stddev() const { return this->parameters.second; }
};
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::minstd_rand0;
using thrust::normal_distribution;
using thrust::ranlux24;
using thrust::ranlux48;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random

/* ---- the side of an iterator ---- */

/* `none`: not an iterator. `any`: an iterator without memory. */
enum class shflviz_side { none, any, host, device };
template <class... T> constexpr shflviz_side shflviz_side_of();
template <class T, class = void>
struct shflviz_is_of : std::integral_constant<shflviz_side, shflviz_side::none> {};
template <class I>
struct shflviz_is_of<I, std::void_t<typename std::iterator_traits<I>::iterator_category>>
    : std::integral_constant<shflviz_side, shflviz_side::host> {};
template <class T>
struct shflviz_is_of<device_ptr<T>> : std::integral_constant<shflviz_side, shflviz_side::device> {};
template <class T>
struct shflviz_is_of<counting_iterator<T>>
    : std::integral_constant<shflviz_side, shflviz_side::any> {};
template <class T>
struct shflviz_is_of<constant_iterator<T>>
    : std::integral_constant<shflviz_side, shflviz_side::any> {};
template <>
struct shflviz_is_of<discard_iterator> : std::integral_constant<shflviz_side, shflviz_side::any> {};
template <class... I>
struct shflviz_is_of<zip_iterator<std::tuple<I...>>>
    : std::integral_constant<shflviz_side, shflviz_side_of<I...>()> {};
template <class V, class I>
struct shflviz_is_of<permutation_iterator<V, I>>
    : std::integral_constant<shflviz_side, shflviz_side_of<V, I>()> {};
template <class F, class I>
struct shflviz_is_of<transform_iterator<F, I>>
    : std::integral_constant<shflviz_side, shflviz_side_of<I>()> {};
template <class I>
struct shflviz_is_of<std::reverse_iterator<I>>
    : std::integral_constant<shflviz_side, shflviz_side_of<I>()> {};
/* The side of several iterators: the device's if any belongs to it, else the host's. */
template <class... T> constexpr shflviz_side shflviz_side_of() {
    shflviz_side side = shflviz_side::none;
    ((side = shflviz_is_of<T>::value > side ? shflviz_is_of<T>::value : side), ...);
    return side;
}

} // namespace thrust

#include "shflviz_algorithms.h"

CUDACPU_BOTH_END
#endif
