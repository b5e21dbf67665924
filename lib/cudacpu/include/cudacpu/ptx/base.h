/*
 * ptx/base.h - inline PTX: types, registers, and the form of an instruction's function. A register
 * is read as the instruction's type, whatever its own type is.
 */
#ifndef SHFLVIZ_CUDA_PTX_BASE_H
#define SHFLVIZ_CUDA_PTX_BASE_H

#include "shflviz/record.cuh"

#include <cfloat>
#include <cmath>
#include <type_traits>

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

#define SHFLVIZ_PTX static inline __attribute__((always_inline))

namespace shflviz {
namespace ptx {

/* ---- types and registers ---- */

typedef uint8_t u8, b8;
typedef int8_t s8;
typedef uint16_t u16, b16;
typedef int16_t s16;
typedef uint32_t u32, b32;
typedef int32_t s32;
typedef uint64_t u64, b64;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef bool pred;
typedef __half f16;
typedef __half2 f16x2;
typedef __nv_bfloat16 bf16;
typedef __nv_bfloat162 bf16x2;
struct tf32 {
    float value;
};

template <class T> struct is_integer { static const bool value = std::is_integral<T>::value; };
/* Numbers of one kind are converted; otherwise the lower bits are copied. */
template <class T, class A> SHFLVIZ_PTX T as(A a) {
    if constexpr ((is_integer<T>::value && is_integer<A>::value) ||
                  (std::is_floating_point<T>::value && std::is_floating_point<A>::value)) {
        return (T)a;
    } else {
        T t;
        static_assert(sizeof(T) <= sizeof(A), "a register is smaller than what is read from it");
        memcpy((void *)&t, &a, sizeof t);
        return t;
    }
}
template <class D, class V> SHFLVIZ_PTX void put(D &d, V v) {
    if constexpr ((is_integer<D>::value && is_integer<V>::value) ||
                  (std::is_floating_point<D>::value && std::is_floating_point<V>::value)) {
        d = (D)v;
    } else {
        static_assert(sizeof(V) <= sizeof(D), "a register is smaller than what is written to it");
        D bits = D();
        memcpy(&bits, &v, sizeof v);
        d = bits;
    }
}

SHFLVIZ_PTX float float_of(uint32_t bits) {
    return as<float>(bits);
}
SHFLVIZ_PTX double double_of(uint64_t bits) {
    return as<double>(bits);
}
/* .ftz: a subnormal number becomes 0 with its sign. */
template <class T> SHFLVIZ_PTX T flushed(T value) {
    if constexpr (std::is_same<T, float>::value)
        return std::fabs(value) < FLT_MIN ? std::copysign(0.0f, value) : value;
    else
        return value;
}

/* ---- functions of one, two or three values of one type ---- */

#define SHFLVIZ_PTX_1(name, expression)                                                            \
    template <class T, class A> SHFLVIZ_PTX T i_##name(A a_) {                                     \
        const T a = as<T>(a_);                                                                     \
        return (T)(expression);                                                                    \
    }
#define SHFLVIZ_PTX_2(name, expression)                                                            \
    template <class T, class A, class B> SHFLVIZ_PTX T i_##name(A a_, B b_) {                      \
        const T a = as<T>(a_), b = as<T>(b_);                                                      \
        return (T)(expression);                                                                    \
    }
#define SHFLVIZ_PTX_3(name, expression)                                                            \
    template <class T, class A, class B, class C> SHFLVIZ_PTX T i_##name(A a_, B b_, C c_) {       \
        const T a = as<T>(a_), b = as<T>(b_), c = as<T>(c_);                                       \
        return (T)(expression);                                                                    \
    }

/* The full product, of twice the width. */
template <class T> struct twice {};
#define SHFLVIZ_PTX_TWICE(T, W)                                                                    \
    template <> struct twice<T> { typedef W type; };
SHFLVIZ_PTX_TWICE(u16, u32)
SHFLVIZ_PTX_TWICE(s16, s32)
SHFLVIZ_PTX_TWICE(u32, u64)
SHFLVIZ_PTX_TWICE(s32, s64)
SHFLVIZ_PTX_TWICE(u64, unsigned __int128)
SHFLVIZ_PTX_TWICE(s64, __int128)
#undef SHFLVIZ_PTX_TWICE
template <class T> using wide = typename twice<T>::type;
template <class T> using bits_of_type = std::make_unsigned_t<T>;

} // namespace ptx
} // namespace shflviz

CUDACPU_DEVICE_END
#endif
