/*
 * shflviz_placeholders.h - thrust::placeholders: _1 * 3 + _2 is a function of two arguments.
 */
#ifndef SHFLVIZ_THRUST_PLACEHOLDERS_H
#define SHFLVIZ_THRUST_PLACEHOLDERS_H

#include "cuda_runtime.h"

#include <type_traits>

CUDACPU_BOTH_BEGIN

namespace thrust {
namespace shflviz_placeholders {

struct expression {};
template <class T>
constexpr bool is_expression = std::is_base_of<expression, typename std::decay<T>::type>::value;

/* Argument number N, from 0. */
template <unsigned N> struct argument : expression {
    template <class A, class... Rest>
    constexpr decltype(auto) operator()(A &&a, Rest &&...rest) const {
        if constexpr (N == 0)
            return static_cast<A &&>(a);
        else
            return argument<N - 1>{}(static_cast<Rest &&>(rest)...);
    }
};
template <class T> struct literal : expression {
    T value;
    constexpr literal(T x) : value(x) {}
    template <class... A> constexpr T operator()(A &&...) const { return value; }
};
template <class Operator, class... Parts> struct joined;
template <class Operator, class X> struct joined<Operator, X> : expression {
    X x;
    constexpr joined(X from) : x(from) {}
    template <class... A> constexpr decltype(auto) operator()(A &&...a) const {
        return Operator::apply(x(a...));
    }
};
template <class Operator, class X, class Y> struct joined<Operator, X, Y> : expression {
    X x;
    Y y;
    constexpr joined(X left, Y right) : x(left), y(right) {}
    template <class... A> constexpr decltype(auto) operator()(A &&...a) const {
        return Operator::apply(x(a...), y(a...));
    }
};
template <class T> constexpr auto part(const T &x) {
    if constexpr (is_expression<T>)
        return x;
    else
        return literal<T>(x);
}

#define SHFLVIZ_PLACEHOLDER_BINARY(name, sign)                                                     \
    struct name {                                                                                  \
        template <class X, class Y> static constexpr decltype(auto) apply(X &&x, Y &&y) {          \
            return static_cast<X &&>(x) sign static_cast<Y &&>(y);                                 \
        }                                                                                          \
    };                                                                                             \
    template <class X, class Y,                                                                    \
              class = typename std::enable_if<is_expression<X> || is_expression<Y>>::type>         \
    constexpr auto operator sign(const X &x, const Y &y) {                                         \
        return joined<name, decltype(part(x)), decltype(part(y))>(part(x), part(y));               \
    }
#define SHFLVIZ_PLACEHOLDER_UNARY(name, sign)                                                      \
    struct name {                                                                                  \
        template <class X> static constexpr decltype(auto) apply(X &&x) { return sign x; }         \
    };                                                                                             \
    template <class X, class = typename std::enable_if<is_expression<X>>::type>                    \
    constexpr auto operator sign(const X &x) {                                                     \
        return joined<name, X>(x);                                                                 \
    }

SHFLVIZ_PLACEHOLDER_BINARY(plus, +)
SHFLVIZ_PLACEHOLDER_BINARY(minus, -)
SHFLVIZ_PLACEHOLDER_BINARY(times, *)
SHFLVIZ_PLACEHOLDER_BINARY(divided, /)
SHFLVIZ_PLACEHOLDER_BINARY(modulo, %)
SHFLVIZ_PLACEHOLDER_BINARY(bit_and, &)
SHFLVIZ_PLACEHOLDER_BINARY(bit_or, |)
SHFLVIZ_PLACEHOLDER_BINARY(bit_xor, ^)
SHFLVIZ_PLACEHOLDER_BINARY(left, <<)
SHFLVIZ_PLACEHOLDER_BINARY(right, >>)
SHFLVIZ_PLACEHOLDER_BINARY(both, &&)
SHFLVIZ_PLACEHOLDER_BINARY(either, ||)
SHFLVIZ_PLACEHOLDER_BINARY(equal, ==)
SHFLVIZ_PLACEHOLDER_BINARY(unequal, !=)
SHFLVIZ_PLACEHOLDER_BINARY(less, <)
SHFLVIZ_PLACEHOLDER_BINARY(at_most, <=)
SHFLVIZ_PLACEHOLDER_BINARY(greater, >)
SHFLVIZ_PLACEHOLDER_BINARY(at_least, >=)
SHFLVIZ_PLACEHOLDER_BINARY(add, +=)
SHFLVIZ_PLACEHOLDER_BINARY(subtract, -=)
SHFLVIZ_PLACEHOLDER_BINARY(multiply, *=)
SHFLVIZ_PLACEHOLDER_UNARY(negative, -)
SHFLVIZ_PLACEHOLDER_UNARY(inverse, ~)
SHFLVIZ_PLACEHOLDER_UNARY(is_not, !)

} // namespace shflviz_placeholders

namespace placeholders {
static constexpr shflviz_placeholders::argument<0> _1{};
static constexpr shflviz_placeholders::argument<1> _2{};
static constexpr shflviz_placeholders::argument<2> _3{};
static constexpr shflviz_placeholders::argument<3> _4{};
} // namespace placeholders
} // namespace thrust

CUDACPU_BOTH_END
#endif
