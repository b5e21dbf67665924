/*
 * ptx/bits.h - inline PTX: bits, comparison, conversion, parts of a word.
 */
#ifndef SHFLVIZ_CUDA_PTX_BITS_H
#define SHFLVIZ_CUDA_PTX_BITS_H

#include "cudacpu/ptx/arithmetic.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {
namespace ptx {

SHFLVIZ_PTX_2(and, a &b)
SHFLVIZ_PTX_2(or, a | b)
SHFLVIZ_PTX_2(xor, a ^ b)
template <class T, class A> SHFLVIZ_PTX T i_not(A a) {
    if constexpr (std::is_same<T, bool>::value)
        return !a;
    else
        return (T)~as<T>(a);
}
SHFLVIZ_PTX_1(cnot, a == 0)
SHFLVIZ_PTX_1(mov, a)

/* A shift by the width or more leaves 0, or the sign. */
template <class T, class A, class B> SHFLVIZ_PTX T i_shl(A a, B b) {
    const u32 n = as<u32>(b);
    return n >= 8 * sizeof(T) ? 0 : (T)(as<T>(a) << n);
}
template <class T, class A, class B> SHFLVIZ_PTX T i_shr(A a, B b) {
    const u32 n = as<u32>(b), last = 8 * sizeof(T) - 1;
    return n > last ? (std::is_signed<T>::value ? (T)(as<T>(a) >> last) : (T)0)
                    : (T)(as<T>(a) >> n);
}
#define SHFLVIZ_PTX_FUNNEL(name, function)                                                         \
    template <class T, class A, class B, class C> SHFLVIZ_PTX T i_shf_##name(A a, B b, C c) {      \
        return function(as<T>(a), as<T>(b), as<u32>(c));                                           \
    }
SHFLVIZ_PTX_FUNNEL(l_wrap, __funnelshift_l)
SHFLVIZ_PTX_FUNNEL(l_clamp, __funnelshift_lc)
SHFLVIZ_PTX_FUNNEL(r_wrap, __funnelshift_r)
SHFLVIZ_PTX_FUNNEL(r_clamp, __funnelshift_rc)
#undef SHFLVIZ_PTX_FUNNEL

/* c bits of a from bit b on; a signed field is extended by its last existing bit. */
template <class T, class A, class B, class C> SHFLVIZ_PTX T i_bfe(A a_, B b, C c) {
    const T a = as<T>(a_);
    const u32 width = 8 * sizeof(T), first = as<u32>(b) & 255, count = as<u32>(c) & 255;
    const u32 last = first + count - 1 < width - 1 ? first + count - 1 : width - 1;
    const bool sign = std::is_signed<T>::value && count && (a >> last & 1);
    bits_of_type<T> result = sign ? ~(bits_of_type<T>)0 : 0;
    for (u32 at = 0; at < width && at < count; at++) {
        const bits_of_type<T> bit = (bits_of_type<T>)1 << at;
        const bool is = first + at <= width - 1 ? a >> (first + at) & 1 : sign;
        result = is ? result | bit : result & ~bit;
    }
    return (T)result;
}
/* Inserts d bits of a into b from bit c on. */
template <class T, class A, class B, class C, class D> SHFLVIZ_PTX T i_bfi(A a, B b, C c, D d) {
    const u32 width = 8 * sizeof(T), first = as<u32>(c) & 255, count = as<u32>(d) & 255;
    T result = as<T>(b);
    for (u32 at = 0; at < count && first + at < width; at++) {
        const T bit = (T)1 << (first + at);
        result = as<T>(a) >> at & 1 ? result | bit : result & ~bit;
    }
    return result;
}
/* The index of the highest bit that is not a sign bit; 0xffffffff if there is none. */
template <class T, class A> SHFLVIZ_PTX u32 i_bfind(A a_) {
    const T a = as<T>(a_);
    const u64 value = (u64)(bits_of_type<T>)(std::is_signed<T>::value && a < (T)0 ? (T)~a : a);
    return value ? 63 - (u32)__builtin_clzll(value) : ~0u;
}
template <class T, class A> SHFLVIZ_PTX u32 i_bfind_shiftamt(A a) {
    const u32 place = i_bfind<T>(a);
    return place == ~0u ? place : 8 * (u32)sizeof(T) - 1 - place;
}
template <class T, class A> SHFLVIZ_PTX T i_brev(A a) {
    return (T)(__brevll(as<T>(a)) >> (64 - 8 * sizeof(T)));
}
template <class T, class A> SHFLVIZ_PTX u32 i_popc(A a) {
    return (u32)__popcll(as<T>(a));
}
template <class T, class A> SHFLVIZ_PTX u32 i_clz(A a) {
    return (u32)__clzll((long long)(u64)as<T>(a)) - (64 - 8 * (u32)sizeof(T));
}
template <class T, class A, class B, class C> SHFLVIZ_PTX T i_fns(A a, B b, C c) {
    return __fns(as<u32>(a), as<u32>(b), as<s32>(c));
}
template <class T, class A, class B, class C> SHFLVIZ_PTX T i_prmt(A a, B b, C c) {
    const u32 selector = as<u32>(c);
    u32 result = __byte_perm(as<u32>(a), as<u32>(b), selector);
    for (u32 i = 0; i < 4; i++) /* a nibble's fourth bit: replicates the byte's sign eight times */
        if (selector >> 4 * i & 8)
            result = (result & ~(0xffu << 8 * i)) | (result >> 8 * i & 128 ? 0xffu << 8 * i : 0);
    return result;
}
/* Each result bit is the table's bit number abc. */
template <class T, class A, class B, class C, class D> SHFLVIZ_PTX T i_lop3(A a_, B b_, C c_, D d) {
    const u32 a = as<u32>(a_), b = as<u32>(b_), c = as<u32>(c_), table = as<u32>(d);
    u32 result = 0;
    for (u32 row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

/* Sums of products of bytes; each operand is signed or unsigned independently. */
template <class T, class U, class A, class B, class C> SHFLVIZ_PTX u32 i_dp4a(A a, B b, C c) {
    typedef std::conditional_t<std::is_signed<T>::value, s8, u8> X;
    typedef std::conditional_t<std::is_signed<U>::value, s8, u8> Y;
    u32 sum = as<u32>(c);
    for (int at = 0; at < 32; at += 8)
        sum += (u32)((s32)(X)(as<u32>(a) >> at) * (s32)(Y)(as<u32>(b) >> at));
    return sum;
}
template <class T, class U, class A, class B, class C> SHFLVIZ_PTX u32 i_dp2a_lo(A a, B b, C c) {
    typedef std::conditional_t<std::is_signed<T>::value, s16, u16> X;
    typedef std::conditional_t<std::is_signed<U>::value, s8, u8> Y;
    u32 sum = as<u32>(c);
    for (int part = 0; part < 2; part++)
        sum += (u32)((s32)(X)(as<u32>(a) >> 16 * part) * (s32)(Y)(as<u32>(b) >> 8 * part));
    return sum;
}
template <class T, class U, class A, class B, class C> SHFLVIZ_PTX u32 i_dp2a_hi(A a, B b, C c) {
    return i_dp2a_lo<T, U>(a, as<u32>(b) >> 16, c);
}

/* ---- comparison and choice ---- */

enum comparison {
    cmp_eq,
    cmp_ne,
    cmp_lt,
    cmp_le,
    cmp_gt,
    cmp_ge,
    cmp_lo,
    cmp_ls,
    cmp_hi,
    cmp_hs, /* unsigned */
    cmp_equ,
    cmp_neu,
    cmp_ltu,
    cmp_leu,
    cmp_gtu,
    cmp_geu,
    cmp_num,
    cmp_nan /* floating point */
};
template <class T> SHFLVIZ_PTX bool is_unordered(T a, T b) {
    if constexpr (std::is_floating_point<T>::value)
        return std::isnan(a) || std::isnan(b);
    else
        return false;
}
/* Ordered: a comparison with a NaN is false, even "not equal". */
template <class T> SHFLVIZ_PTX bool ordered(comparison how, T a, T b) {
    switch (how) {
    case cmp_eq:
    case cmp_equ:
        return a == b;
    case cmp_ne:
    case cmp_neu:
        return a < b || a > b;
    case cmp_lt:
    case cmp_lo:
    case cmp_ltu:
        return a < b;
    case cmp_le:
    case cmp_ls:
    case cmp_leu:
        return a <= b;
    case cmp_gt:
    case cmp_hi:
    case cmp_gtu:
        return a > b;
    default:
        return a >= b;
    }
}
template <comparison how, class T> SHFLVIZ_PTX bool compared(T a, T b) {
    if (how == cmp_num || how == cmp_nan)
        return is_unordered(a, b) == (how == cmp_nan);
    return (how >= cmp_equ && is_unordered(a, b)) || ordered(how, a, b);
}
template <comparison how, class T, class A, class B> SHFLVIZ_PTX bool i_setp(A a, B b, bool &q) {
    const bool p = compared<how>(as<T>(a), as<T>(b));
    q = !p;
    return p;
}
#define SHFLVIZ_PTX_SETP(name, sign)                                                               \
    template <comparison how, class T, class A, class B>                                           \
    SHFLVIZ_PTX bool i_setp_##name(A a, B b, bool c, bool &q) {                                    \
        const bool p = compared<how>(as<T>(a), as<T>(b));                                          \
        q = (bool)(!p sign c);                                                                     \
        return (bool)(p sign c);                                                                   \
    }
SHFLVIZ_PTX_SETP(and, &)
SHFLVIZ_PTX_SETP(or, |)
SHFLVIZ_PTX_SETP(xor, ^)
#undef SHFLVIZ_PTX_SETP
template <comparison how, class D, class T, class A, class B> SHFLVIZ_PTX D i_set(A a, B b) {
    const bool is = compared<how>(as<T>(a), as<T>(b));
    return std::is_floating_point<D>::value ? (D)is : (D)(is ? -1 : 0);
}
template <class T, class A, class B> SHFLVIZ_PTX T i_selp(A a, B b, bool c) {
    return c ? as<T>(a) : as<T>(b);
}
template <class T, class S, class A, class B, class C> SHFLVIZ_PTX T i_slct(A a, B b, C c) {
    return as<S>(c) >= 0 ? as<T>(a) : as<T>(b);
}

/* ---- conversion ---- */

enum rounding {
    round_rn,
    round_rz,
    round_rm,
    round_rp, /* saturating to the type */
    round_rni,
    round_rzi,
    round_rmi,
    round_rpi, /* to an integer */
    round_rna
};
template <rounding how> SHFLVIZ_PTX double integral(double x) {
    switch (how) {
    case round_rz:
    case round_rzi:
        return std::trunc(x);
    case round_rm:
    case round_rmi:
        return std::floor(x);
    case round_rp:
    case round_rpi:
        return std::ceil(x);
    default:
        return std::nearbyint(x);
    }
}
template <class T> SHFLVIZ_PTX double number(T x) {
    if constexpr (is_small<T>::value)
        return (double)(float)x;
    else
        return (double)x;
}
/* Clamped to the range of the integer; NaN is 0. */
template <class D> SHFLVIZ_PTX D integer_of(double x) {
    const double least = std::is_signed<D>::value ? -std::ldexp(1, 8 * sizeof(D) - 1) : 0;
    const double beyond = std::ldexp(1, 8 * (int)sizeof(D) - std::is_signed<D>::value);
    if (std::isnan(x))
        return 0;
    return x < least     ? clipped<D>(-((__int128)1 << 100))
           : x >= beyond ? clipped<D>((__int128)1 << 100)
                         : (D)x;
}
template <rounding how, class S> SHFLVIZ_PTX float float_from(S a) {
    if constexpr (sizeof(S) < 8) /* a double holds it exactly */
        return float_from<how>((double)a);
    else if constexpr (is_integer<S>::value && std::is_signed<S>::value)
        return how == round_rz   ? __ll2float_rz(a)
               : how == round_rm ? __ll2float_rd(a)
                                 : __ll2float_ru(a);
    else if constexpr (is_integer<S>::value)
        return how == round_rz   ? __ull2float_rz(a)
               : how == round_rm ? __ull2float_rd(a)
                                 : __ull2float_ru(a);
    else
        return how == round_rz   ? __double2float_rz(a)
               : how == round_rm ? __double2float_rd(a)
                                 : __double2float_ru(a);
}
template <rounding how, class D, class S> SHFLVIZ_PTX D converted(S a) {
    if constexpr (is_integer<D>::value && is_integer<S>::value)
        return (D)a;
    else if constexpr (is_integer<D>::value)
        return integer_of<D>(integral<how>(number(a)));
    else if constexpr (how >= round_rni && how <= round_rpi)
        return (D)integral<how>(number(a));
    else if constexpr (std::is_same<D, float>::value && !is_small<S>::value && how != round_rn)
        return float_from<how>(a);
    else if constexpr (is_small<D>::value && is_integer<S>::value)
        return D((float)a);
    else
        return D(a);
}
template <rounding how, class D, class S, class A> SHFLVIZ_PTX auto i_cvt(A a) {
    if constexpr (std::is_same<D, tf32>::value || (std::is_same<D, u32>::value && how == round_rna))
        /* ten bits after the point, to nearest, ties away from zero */
        return std::isfinite(as<float>(a)) ? (as<u32>(a) + 0x1000) & ~0x1fffu : as<u32>(a);
    else
        return converted<how, D>(as<S>(a));
}
template <rounding how, class D, class S, class A> SHFLVIZ_PTX D i_cvt_sat(A a_) {
    const S a = as<S>(a_);
    if constexpr (is_integer<D>::value && is_integer<S>::value)
        return clipped<D>(a);
    else if constexpr (is_integer<D>::value)
        return converted<how, D>(a);
    else {
        const D value = converted<how, D>(a);
        return value > D(0.0f) ? (value < D(1.0f) ? value : D(1.0f)) : D(0.0f);
    }
}
/* Two at once: the first is the upper half. */
template <rounding how, class D, class S, class A, class B> SHFLVIZ_PTX D i_cvt(A a, B b) {
    D pair;
    pair.x = decltype(pair.x)(as<S>(b));
    pair.y = decltype(pair.y)(as<S>(a));
    return pair;
}

/* ---- parts of a word ---- */

/* Like the toolkit's intrinsics; with .add, the sum of c and of the parts. */
#define SHFLVIZ_PTX_PARTS(name, of_signed, of_unsigned, n, S, U)                                   \
    template <class D, class X, class Y, class A, class B, class C>                                \
    SHFLVIZ_PTX u32 i_##name##n(A a, B b, C) {                                                     \
        return std::is_signed<X>::value ? of_signed##n(as<u32>(a), as<u32>(b))                     \
                                        : of_unsigned##n(as<u32>(a), as<u32>(b));                  \
    }                                                                                              \
    template <class D, class X, class Y, class A, class B, class C>                                \
    SHFLVIZ_PTX u32 i_##name##n##_add(A a, B b, C c) {                                             \
        const u32 parts = i_##name##n<D, X, Y>(a, b, c);                                           \
        u32 sum = as<u32>(c);                                                                      \
        for (int at = 0; at < 32; at += 32 / n)                                                    \
            sum += std::is_signed<D>::value ? (u32)(s32)(S)(parts >> at) : (u32)(U)(parts >> at);  \
        return sum;                                                                                \
    }
#define SHFLVIZ_PTX_BOTH(name, of_signed, of_unsigned)                                             \
    SHFLVIZ_PTX_PARTS(name, of_signed, of_unsigned, 2, s16, u16)                                   \
    SHFLVIZ_PTX_PARTS(name, of_signed, of_unsigned, 4, s8, u8)
SHFLVIZ_PTX_BOTH(vadd, __vadd, __vadd)
SHFLVIZ_PTX_BOTH(vsub, __vsub, __vsub)
SHFLVIZ_PTX_BOTH(vabsdiff, __vabsdiffs, __vabsdiffu)
SHFLVIZ_PTX_BOTH(vmin, __vmins, __vminu)
SHFLVIZ_PTX_BOTH(vmax, __vmaxs, __vmaxu)
SHFLVIZ_PTX_BOTH(vavrg, __vavgs, __vavgu)
#undef SHFLVIZ_PTX_BOTH
#undef SHFLVIZ_PTX_PARTS

} // namespace ptx
} // namespace shflviz

CUDACPU_DEVICE_END
#endif
