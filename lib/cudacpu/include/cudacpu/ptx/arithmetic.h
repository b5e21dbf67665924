/*
 * ptx/arithmetic.h - inline PTX: integers and floating point.
 */
#ifndef SHFLVIZ_CUDA_PTX_ARITHMETIC_H
#define SHFLVIZ_CUDA_PTX_ARITHMETIC_H

#include "cudacpu/ptx/base.h"
#include "cudacpu/ptx/carry.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {
namespace ptx {

template <class T> SHFLVIZ_PTX T clipped(__int128 value) {
    const __int128 least = std::is_signed<T>::value ? -((__int128)1 << (8 * sizeof(T) - 1)) : 0;
    const __int128 most = least + (((__int128)1 << 8 * sizeof(T)) - 1);
    return (T)(value < least ? least : value > most ? most : value);
}
template <class T> SHFLVIZ_PTX T saturated(T sum, __int128 exact) {
    if constexpr (std::is_floating_point<T>::value)
        return sum > 0 ? (sum < 1 ? sum : 1) : 0;
    else
        return clipped<T>(exact);
}
SHFLVIZ_PTX_2(add, a + b)
SHFLVIZ_PTX_2(sub, a - b)
SHFLVIZ_PTX_2(mul, a *b)
SHFLVIZ_PTX_2(add_sat, saturated<T>(a + b, (__int128)a + (__int128)b))
SHFLVIZ_PTX_2(sub_sat, saturated<T>(a - b, (__int128)a - (__int128)b))
SHFLVIZ_PTX_2(mul_sat, saturated<T>(a *b, 0))
SHFLVIZ_PTX_2(mul_lo, (wide<T>)a *b)
SHFLVIZ_PTX_2(mul_hi, (wide<T>)a *b >> 8 * sizeof(T))
template <class T, class A, class B> SHFLVIZ_PTX wide<T> i_mul_wide(A a, B b) {
    return (wide<T>)as<T>(a) * as<T>(b);
}
/* The lower 24 bits of each, sign-extended for a signed type. */
template <class T> SHFLVIZ_PTX s64 low24(T a) {
    return std::is_signed<T>::value ? (s64)((s32)((u32)a << 8) >> 8) : (s64)((u32)a & 0xffffff);
}
SHFLVIZ_PTX_2(mul24_lo, low24<T>(a) * low24<T>(b))
SHFLVIZ_PTX_2(mul24_hi, low24<T>(a) * low24<T>(b) >> 16)
SHFLVIZ_PTX_3(mad24_lo, low24<T>(a) * low24<T>(b) + c)
SHFLVIZ_PTX_3(mad24_hi, (low24<T>(a) * low24<T>(b) >> 16) + c)
SHFLVIZ_PTX_3(mad_lo, (bits_of_type<T>)((wide<T>)a *b) + (bits_of_type<T>)c)
SHFLVIZ_PTX_3(mad_hi, (bits_of_type<T>)((wide<T>)a *b >> 8 * sizeof(T)) + (bits_of_type<T>)c)
template <class T, class A, class B, class C> SHFLVIZ_PTX wide<T> i_mad_wide(A a, B b, C c) {
    return (wide<T>)((bits_of_type<wide<T>>)((wide<T>)as<T>(a) * as<T>(b)) +
                     as<bits_of_type<wide<T>>>(c));
}
/* Division by 0 as in cudacpu/crash/division.h. */
template <class T, class A, class B> SHFLVIZ_PTX T i_div(A a_, B b_) {
    const T a = as<T>(a_), b = as<T>(b_);
    if constexpr (!is_integer<T>::value)
        return a / b;
    else if (b == 0)
        return sizeof(T) == 8 && (u64)a >> 32 == 0 ? (T)0xffffffff : (T)-1;
    else
        return (T)((wide<T>)a / b);
}
SHFLVIZ_PTX_2(rem, b == 0 ? a : (T)((wide<T>)a % b))
SHFLVIZ_PTX_3(sad, (bits_of_type<T>)c + (a < b ? (bits_of_type<T>)b - (bits_of_type<T>)a
                                               : (bits_of_type<T>)a - (bits_of_type<T>)b))

template <class T> struct is_small { static const bool value = !std::is_arithmetic<T>::value; };
template <class T> SHFLVIZ_PTX T fused(T a, T b, T c) {
    if constexpr (std::is_same<T, float>::value)
        return fmaf(a, b, c);
    else if constexpr (std::is_same<T, double>::value)
        return ::fma(a, b, c);
    else if constexpr (sizeof(T) == 2)
        return __hfma(a, b, c);
    else
        return __hfma2(a, b, c);
}
SHFLVIZ_PTX_3(fma, fused<T>(a, b, c))
SHFLVIZ_PTX_3(mad, fused<T>(a, b, c))
SHFLVIZ_PTX_3(fma_sat, saturated<T>(fused<T>(a, b, c), 0))
template <class T> SHFLVIZ_PTX T least(T a, T b) {
    if constexpr (std::is_floating_point<T>::value)
        return std::fmin(a, b);
    else if constexpr (is_small<T>::value && sizeof(T) == 2)
        return __hmin(a, b);
    else if constexpr (is_small<T>::value)
        return __hmin2(a, b);
    else
        return a < b ? a : b;
}
template <class T> SHFLVIZ_PTX T most(T a, T b) {
    if constexpr (std::is_floating_point<T>::value)
        return std::fmax(a, b);
    else if constexpr (is_small<T>::value && sizeof(T) == 2)
        return __hmax(a, b);
    else if constexpr (is_small<T>::value)
        return __hmax2(a, b);
    else
        return a > b ? a : b;
}
SHFLVIZ_PTX_2(min, least<T>(a, b))
SHFLVIZ_PTX_2(max, most<T>(a, b))
SHFLVIZ_PTX_2(min_NaN, std::isnan(a) || std::isnan(b) ? NAN : least<T>(a, b))
SHFLVIZ_PTX_2(max_NaN, std::isnan(a) || std::isnan(b) ? NAN : most<T>(a, b))
template <class T> SHFLVIZ_PTX T magnitude(T a) {
    if constexpr (std::is_floating_point<T>::value)
        return std::fabs(a);
    else if constexpr (is_small<T>::value && sizeof(T) == 2)
        return __habs(a);
    else if constexpr (is_small<T>::value)
        return __habs2(a);
    else
        return a < 0 ? (T)-a : a;
}
SHFLVIZ_PTX_1(abs, magnitude<T>(a))
SHFLVIZ_PTX_1(neg, -a)

/* ---- floating point ---- */

#define SHFLVIZ_PTX_DIRECTED(mode, suffix)                                                         \
    SHFLVIZ_PTX_2(add_##mode, sizeof(T) == 4 ? __fadd_##suffix(a, b) : __dadd_##suffix(a, b))      \
    SHFLVIZ_PTX_2(sub_##mode, sizeof(T) == 4 ? __fsub_##suffix(a, b) : __dsub_##suffix(a, b))      \
    SHFLVIZ_PTX_2(mul_##mode, sizeof(T) == 4 ? __fmul_##suffix(a, b) : __dmul_##suffix(a, b))      \
    SHFLVIZ_PTX_2(div_##mode, sizeof(T) == 4 ? __fdiv_##suffix(a, b) : __ddiv_##suffix(a, b))      \
    SHFLVIZ_PTX_3(fma_##mode, sizeof(T) == 4 ? __fmaf_##suffix(a, b, c) : __fma_##suffix(a, b, c)) \
    SHFLVIZ_PTX_3(mad_##mode, sizeof(T) == 4 ? __fmaf_##suffix(a, b, c) : __fma_##suffix(a, b, c)) \
    SHFLVIZ_PTX_1(rcp_##mode, sizeof(T) == 4 ? __frcp_##suffix(a) : __drcp_##suffix(a))            \
    SHFLVIZ_PTX_1(sqrt_##mode, sizeof(T) == 4 ? __fsqrt_##suffix(a) : __dsqrt_##suffix(a))
SHFLVIZ_PTX_DIRECTED(rz, rz)
SHFLVIZ_PTX_DIRECTED(rm, rd)
SHFLVIZ_PTX_DIRECTED(rp, ru)
#undef SHFLVIZ_PTX_DIRECTED
/* Results that are approximate on a GPU are as exact as possible here. */
SHFLVIZ_PTX_1(rcp, 1 / a)
SHFLVIZ_PTX_1(sqrt, std::sqrt(a))
SHFLVIZ_PTX_1(rsqrt, 1 / std::sqrt((double)a))
SHFLVIZ_PTX_1(sin, std::sin((double)a))
SHFLVIZ_PTX_1(cos, std::cos((double)a))
SHFLVIZ_PTX_1(ex2, std::exp2((double)a))
SHFLVIZ_PTX_1(lg2, std::log2((double)a))
SHFLVIZ_PTX_1(tanh, std::tanh((double)a))
SHFLVIZ_PTX_2(copysign, std::copysign(b, a)) /* the sign is the first operand's */
#define SHFLVIZ_PTX_TEST(name, expression)                                                         \
    template <class T, class A> SHFLVIZ_PTX bool i_testp_##name(A a_) {                            \
        const T a = as<T>(a_);                                                                     \
        return expression;                                                                         \
    }
SHFLVIZ_PTX_TEST(finite, std::isfinite(a))
SHFLVIZ_PTX_TEST(infinite, std::isinf(a))
SHFLVIZ_PTX_TEST(number, !std::isnan(a))
SHFLVIZ_PTX_TEST(notanumber, std::isnan(a))
SHFLVIZ_PTX_TEST(normal, std::isnormal(a))
SHFLVIZ_PTX_TEST(subnormal, std::fpclassify(a) == FP_SUBNORMAL)
#undef SHFLVIZ_PTX_TEST

/* ---- with a carry ---- */

/* The flag belongs to a thread and lasts from one instruction to the next; the CPU warp switches
 * lanes between them only where the program waits. */
template <class T> SHFLVIZ_PTX T carried(unsigned __int128 exact, bool keeps) {
    if (keeps)
        cpu_ptx_carry = exact >> 8 * sizeof(T) & 1;
    return (T)exact;
}
#define SHFLVIZ_PTX_CARRY_2(name, expression, keeps)                                               \
    template <class T, class A, class B> SHFLVIZ_PTX T i_##name(A a_, B b_) {                      \
        const unsigned __int128 a = as<bits_of_type<T>>(a_), b = as<bits_of_type<T>>(b_);          \
        return carried<T>(expression, keeps);                                                      \
    }
SHFLVIZ_PTX_CARRY_2(add_cc, a + b, true)
SHFLVIZ_PTX_CARRY_2(addc, a + b + cpu_ptx_carry, false)
SHFLVIZ_PTX_CARRY_2(addc_cc, a + b + cpu_ptx_carry, true)
SHFLVIZ_PTX_CARRY_2(sub_cc, a - b, true)
SHFLVIZ_PTX_CARRY_2(subc, a - b - cpu_ptx_carry, false)
SHFLVIZ_PTX_CARRY_2(subc_cc, a - b - cpu_ptx_carry, true)
#undef SHFLVIZ_PTX_CARRY_2
#define SHFLVIZ_PTX_CARRY_3(name, product, carry_in, keeps)                                        \
    template <class T, class A, class B, class C> SHFLVIZ_PTX T i_##name(A a, B b, C c) {          \
        const bits_of_type<T> part = (bits_of_type<T>)i_##product<T>(a, b);                        \
        return carried<T>((unsigned __int128)part + as<bits_of_type<T>>(c) + carry_in, keeps);     \
    }
SHFLVIZ_PTX_CARRY_3(mad_lo_cc, mul_lo, 0, true)
SHFLVIZ_PTX_CARRY_3(mad_hi_cc, mul_hi, 0, true)
SHFLVIZ_PTX_CARRY_3(madc_lo, mul_lo, cpu_ptx_carry, false)
SHFLVIZ_PTX_CARRY_3(madc_hi, mul_hi, cpu_ptx_carry, false)
SHFLVIZ_PTX_CARRY_3(madc_lo_cc, mul_lo, cpu_ptx_carry, true)
SHFLVIZ_PTX_CARRY_3(madc_hi_cc, mul_hi, cpu_ptx_carry, true)
#undef SHFLVIZ_PTX_CARRY_3

} // namespace ptx
} // namespace shflviz

CUDACPU_DEVICE_END
#endif
