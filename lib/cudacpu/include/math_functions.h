/*
 * math_functions.h - CUDA's mathematical functions and intrinsics that the C library lacks.
 *
 * Intrinsics with a rounding mode in their name are exact in that mode. The fast ones (__expf and
 * its like) give the C library's result, which is more accurate than a GPU's.
 */
#ifndef __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__

#include "host_defines.h"

#include <fenv.h>
#include <limits>
#include <math.h>
#include <stdint.h>
#include <string.h>

CUDACPU_BOTH_BEGIN

/* ---- minimum and maximum ---- */

#define SHFLVIZ_MIN_MAX_OF(A, B, T, MIN, MAX)                                                      \
    static inline T min(A a, B b) {                                                                \
        return MIN((T)a, (T)b);                                                                    \
    }                                                                                              \
    static inline T max(A a, B b) {                                                                \
        return MAX((T)a, (T)b);                                                                    \
    }
#define SHFLVIZ_LESS(a, b)    ((b) < (a) ? (b) : (a))
#define SHFLVIZ_GREATER(a, b) ((a) < (b) ? (b) : (a))
#define SHFLVIZ_MIN_MAX(T, U)                                                                      \
    SHFLVIZ_MIN_MAX_OF(T, T, T, SHFLVIZ_LESS, SHFLVIZ_GREATER)                                     \
    SHFLVIZ_MIN_MAX_OF(U, U, U, SHFLVIZ_LESS, SHFLVIZ_GREATER)                                     \
    SHFLVIZ_MIN_MAX_OF(T, U, U, SHFLVIZ_LESS, SHFLVIZ_GREATER)                                     \
    SHFLVIZ_MIN_MAX_OF(U, T, U, SHFLVIZ_LESS, SHFLVIZ_GREATER)
SHFLVIZ_MIN_MAX(int, unsigned int)
SHFLVIZ_MIN_MAX(long, unsigned long)
SHFLVIZ_MIN_MAX(long long, unsigned long long)
SHFLVIZ_MIN_MAX_OF(float, float, float, fminf, fmaxf)
SHFLVIZ_MIN_MAX_OF(double, double, double, fmin, fmax)
SHFLVIZ_MIN_MAX_OF(float, double, double, fmin, fmax)
SHFLVIZ_MIN_MAX_OF(double, float, double, fmin, fmax)
#undef SHFLVIZ_MIN_MAX
#undef SHFLVIZ_MIN_MAX_OF
static inline unsigned int umin(unsigned int a, unsigned int b) {
    return min(a, b);
}
static inline unsigned int umax(unsigned int a, unsigned int b) {
    return max(a, b);
}
static inline long long llmin(long long a, long long b) {
    return min(a, b);
}
static inline long long llmax(long long a, long long b) {
    return max(a, b);
}
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
}

/* ---- functions that a C library may lack ---- */

#define SHFLVIZ_PI 3.14159265358979323846

/* A C library that has a function of C23 declares it in this very scope. */
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 42)
#define SHFLVIZ_HAVE_RSQRT 1
#endif
#if __GLIBC_PREREQ(2, 41)
#define SHFLVIZ_HAVE_SINPI 1
#endif
#endif
#ifndef SHFLVIZ_HAVE_RSQRT
static inline double rsqrt(double x) {
    return 1.0 / sqrt(x);
}
static inline float rsqrtf(float x) {
    return (float)(1.0 / sqrt((double)x));
}
#endif
static inline float rsqrt(float x) {
    return (float)(1.0 / sqrt((double)x));
}
/* sin(pi x) and cos(pi x), with the argument first reduced exactly to a value near 0. */
static inline double shflviz_sinpi(double x) {
    double r = remainder(x, 2.0); /* -1 .. 1 */
    if (r > 0.5)
        r = 1.0 - r;
    else if (r < -0.5)
        r = -1.0 - r;
    return x == floor(x) ? copysign(0.0, x) : sin(SHFLVIZ_PI * r);
}
static inline double shflviz_cospi(double x) {
    double r = fabs(remainder(x, 2.0));
    if (r == 0.5)
        return 0.0;
    return r < 0.25 ? cos(SHFLVIZ_PI * r) : sin(SHFLVIZ_PI * (0.5 - r));
}
#ifndef SHFLVIZ_HAVE_SINPI
static inline double sinpi(double x) {
    return shflviz_sinpi(x);
}
static inline float sinpif(float x) {
    return (float)shflviz_sinpi(x);
}
static inline double cospi(double x) {
    return shflviz_cospi(x);
}
static inline float cospif(float x) {
    return (float)shflviz_cospi(x);
}
#endif
static inline void sincospi(double x, double *s, double *c) {
    *s = shflviz_sinpi(x);
    *c = shflviz_cospi(x);
}
static inline void sincospif(float x, float *s, float *c) {
    *s = (float)shflviz_sinpi(x);
    *c = (float)shflviz_cospi(x);
}
#ifndef __GLIBC__
static inline void sincos(double x, double *s, double *c) {
    *s = sin(x);
    *c = cos(x);
}
static inline void sincosf(float x, float *s, float *c) {
    *s = sinf(x);
    *c = cosf(x);
}
static inline double exp10(double x) {
    return pow(10.0, x);
}
static inline float exp10f(float x) {
    return powf(10.0f, x);
}
#endif
static inline double rcbrt(double x) {
    return 1.0 / cbrt(x);
}
static inline float rcbrtf(float x) {
    return (float)(1.0 / cbrt((double)x));
}
static inline double rhypot(double x, double y) {
    return 1.0 / hypot(x, y);
}
static inline float rhypotf(float x, float y) {
    return (float)(1.0 / hypot((double)x, (double)y));
}
static inline double norm3d(double a, double b, double c) {
    return hypot(hypot(a, b), c);
}
static inline float norm3df(float a, float b, float c) {
    return (float)norm3d(a, b, c);
}
static inline double rnorm3d(double a, double b, double c) {
    return 1.0 / norm3d(a, b, c);
}
static inline float rnorm3df(float a, float b, float c) {
    return (float)rnorm3d(a, b, c);
}
static inline double norm4d(double a, double b, double c, double d) {
    return hypot(hypot(a, b), hypot(c, d));
}
static inline float norm4df(float a, float b, float c, float d) {
    return (float)norm4d(a, b, c, d);
}
static inline double rnorm4d(double a, double b, double c, double d) {
    return 1.0 / norm4d(a, b, c, d);
}
static inline float rnorm4df(float a, float b, float c, float d) {
    return (float)rnorm4d(a, b, c, d);
}
static inline double norm(int count, const double *values) {
    double length = 0;
    for (int i = 0; i < count; i++)
        length = hypot(length, values[i]);
    return length;
}
static inline float normf(int count, const float *values) {
    double length = 0;
    for (int i = 0; i < count; i++)
        length = hypot(length, (double)values[i]);
    return (float)length;
}
static inline double rnorm(int count, const double *values) {
    return 1.0 / norm(count, values);
}
static inline float rnormf(int count, const float *values) {
    return (float)(1.0 / (double)normf(count, values));
}

static inline double normcdf(double x) {
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
static inline float normcdff(float x) {
    return (float)normcdf(x);
}
/* The y with erfc(y) = x: Newton steps from Giles's approximation (GPU Computing Gems, chapter
 * 10) of the inverse of erf. */
static inline double erfcinv(double x) {
    if (!(x > 0 && x < 2))
        return x == 0 ? HUGE_VAL : x == 2 ? -HUGE_VAL : (double)NAN;
    double w = -log(x * (2.0 - x)), y;
    if (w < 5) {
        w -= 2.5;
        y = 1.50140941 +
            w * (0.246640727 +
                 w * (-0.00417768164 +
                      w * (-0.00125372503 +
                           w * (0.00021858087 +
                                w * (-4.39150654e-06 +
                                     w * (-3.5233877e-06 +
                                          w * (3.43273939e-07 + w * 2.81022636e-08)))))));
    } else {
        w = sqrt(w) - 3;
        y = 2.83297682 +
            w * (1.00167406 +
                 w * (0.00943887047 +
                      w * (-0.0076224613 +
                           w * (0.00573950773 +
                                w * (-0.00367342844 +
                                     w * (0.00134934322 +
                                          w * (0.000100950558 + w * -0.000200214257)))))));
    }
    y *= 1.0 - x;
    for (int i = 0; i < 4; i++) {
        double error = erfc(y) - x;
        double slope = -1.12837916709551257390 * exp(-y * y);
        if (slope == 0)
            break;
        double step = error / slope;
        y -= step / (1 + y * step); /* Halley's method */
    }
    return y;
}
static inline float erfcinvf(float x) {
    return (float)erfcinv(x);
}
static inline double erfinv(double x) {
    if (!(fabs(x) < 1))
        return x == 1 ? HUGE_VAL : x == -1 ? -HUGE_VAL : (double)NAN;
    if (fabs(x) > 0.5)
        return x > 0 ? erfcinv(1.0 - x) : -erfcinv(1.0 + x);
    double y = x * 0.88622692545275801365;
    for (int i = 0; i < 6; i++) {
        double step = (erf(y) - x) / (1.12837916709551257390 * exp(-y * y));
        y -= step / (1 + y * step);
    }
    return y;
}
static inline float erfinvf(float x) {
    return (float)erfinv(x);
}
static inline double normcdfinv(double x) {
    return -1.41421356237309504880 * erfcinv(2.0 * x);
}
static inline float normcdfinvf(float x) {
    return (float)normcdfinv(x);
}
/* exp(x*x) * erfc(x): for large x by its continued fraction, where the factors overflow. */
static inline double erfcx(double x) {
    if (x < 10)
        return exp(x * x) * erfc(x);
    double fraction = 0;
    for (int k = 40; k > 0; k--)
        fraction = k / 2.0 / (x + fraction);
    return 0.56418958354775628695 / (x + fraction);
}
static inline float erfcxf(float x) {
    return (float)erfcx(x);
}
/* Modified Bessel functions: by power series, or for large x by the asymptotic expansion. */
static inline double shflviz_bessel_i(int order, double x) {
    double a = fabs(x), sum = 0, term;
    if (a < 30) {
        term = order ? a / 2 : 1;
        for (int k = 1; k < 200 && sum + term != sum; k++) {
            sum += term;
            term *= a * a / 4 / ((double)k * (k + order));
        }
    } else {
        term = 1;
        for (int k = 1; k < 40 && sum + term != sum; k++) {
            sum += term;
            double odd = 2 * k - 1;
            term *= -(4.0 * order * order - odd * odd) / (8 * a * k);
        }
        sum *= exp(a) / sqrt(2 * SHFLVIZ_PI * a);
    }
    return order && x < 0 ? -sum : sum;
}
static inline double cyl_bessel_i0(double x) {
    return shflviz_bessel_i(0, x);
}
static inline float cyl_bessel_i0f(float x) {
    return (float)shflviz_bessel_i(0, x);
}
static inline double cyl_bessel_i1(double x) {
    return shflviz_bessel_i(1, x);
}
static inline float cyl_bessel_i1f(float x) {
    return (float)shflviz_bessel_i(1, x);
}
static inline float fdividef(float x, float y) {
    return x / y;
}
static inline double fdivide(double x, double y) {
    return x / y;
}

CUDACPU_BOTH_END

/* ---- fast functions ---- */

CUDACPU_DEVICE_BEGIN

/* Macros, because the C library has internal functions of these names. */
namespace shflviz {
#define SHFLVIZ_FAST(name)                                                                         \
    static inline float __##name(float x) {                                                        \
        return name(x);                                                                            \
    }
SHFLVIZ_FAST(expf)
SHFLVIZ_FAST(exp10f)
SHFLVIZ_FAST(logf)
SHFLVIZ_FAST(log2f)
SHFLVIZ_FAST(log10f)
SHFLVIZ_FAST(sinf)
SHFLVIZ_FAST(cosf)
SHFLVIZ_FAST(tanf)
#undef SHFLVIZ_FAST
static inline float __powf(float x, float y) {
    return powf(x, y);
}
static inline void __sincosf(float x, float *sine, float *cosine) {
    sincosf(x, sine, cosine);
}
} // namespace shflviz
#define __expf(x)          shflviz::__expf(x)
#define __exp10f(x)        shflviz::__exp10f(x)
#define __logf(x)          shflviz::__logf(x)
#define __log2f(x)         shflviz::__log2f(x)
#define __log10f(x)        shflviz::__log10f(x)
#define __sinf(x)          shflviz::__sinf(x)
#define __cosf(x)          shflviz::__cosf(x)
#define __tanf(x)          shflviz::__tanf(x)
#define __powf(x, y)       shflviz::__powf(x, y)
#define __sincosf(x, s, c) shflviz::__sincosf(x, s, c)
/* 2^126 < y < 2^128 gives 0, as on a GPU. */
static inline float __fdividef(float x, float y) {
    return fabsf(y) > 0x1p126f && !isinf(y) && !isinf(x) ? copysignf(0.0f, x * copysignf(1.0f, y))
                                                         : x / y;
}
static inline float __saturatef(float x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}
static inline float saturate(float x) {
    return __saturatef(x);
}

/* ---- in a rounding mode ---- */

/* An optimisation barrier: the compiler can neither move the value's use before it nor its
 * computation after it. */
#ifdef CUDACPU_CLANG
#define SHFLVIZ_OPAQUE(value) asm volatile("" : "+m"(value))
extern "C" unsigned cpu_set_rounding(unsigned mode);
static inline unsigned shflviz_set_rounding(unsigned mode) {
    return cpu_set_rounding(mode);
}
#elif defined(__x86_64__)
#define SHFLVIZ_OPAQUE(value) asm volatile("" : "+x"(value))
/* Sets the rounding mode of the SSE unit, which calculates here, and returns the old one:
 * fesetround() sets the x87 unit's, too, which takes several times as long. */
static inline unsigned shflviz_set_rounding(unsigned mode) {
    const unsigned control = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((control & ~(0xc00u << 3)) | mode << 3);
    return control >> 3 & 0xc00u;
}
#else
#define SHFLVIZ_OPAQUE(value) asm volatile("" : "+m"(value))
static inline unsigned shflviz_set_rounding(unsigned mode) {
    const int before = fegetround();
    fesetround((int)mode);
    return (unsigned)before;
}
#endif
#define SHFLVIZ_ROUNDED(T, mode, opaque, expression)                                               \
    const unsigned before_ = shflviz_set_rounding(mode);                                           \
    opaque;                                                                                        \
    T result_ = expression;                                                                        \
    SHFLVIZ_OPAQUE(result_);                                                                       \
    shflviz_set_rounding(before_);                                                                 \
    return result_;
#define SHFLVIZ_ROUNDED_1(T, name, mode, expression)                                               \
    static inline T name(T a) {                                                                    \
        SHFLVIZ_ROUNDED(T, mode, SHFLVIZ_OPAQUE(a), expression)                                    \
    }
#define SHFLVIZ_ROUNDED_2(T, name, mode, expression)                                               \
    static inline T name(T a, T b) {                                                               \
        SHFLVIZ_ROUNDED(T, mode, SHFLVIZ_OPAQUE(a); SHFLVIZ_OPAQUE(b), expression)                 \
    }
#define SHFLVIZ_ROUNDED_3(T, name, mode, expression)                                               \
    static inline T name(T a, T b, T c) {                                                          \
        SHFLVIZ_ROUNDED(T, mode, SHFLVIZ_OPAQUE(a); SHFLVIZ_OPAQUE(b);                             \
                        SHFLVIZ_OPAQUE(c), expression)                                             \
    }
#define SHFLVIZ_DIRECTED(X, T, name, expression)                                                   \
    X(T, name##_rz, FE_TOWARDZERO, expression)                                                     \
    X(T, name##_ru, FE_UPWARD, expression)                                                         \
    X(T, name##_rd, FE_DOWNWARD, expression)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, float, __fadd, a + b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, float, __fsub, a - b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, float, __fmul, a *b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, float, __fdiv, a / b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_1, float, __frcp, 1 / a)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_1, float, __fsqrt, sqrtf(a))
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_3, float, __fmaf, fmaf(a, b, c))
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_3, float, __fmaf_ieee, fmaf(a, b, c))
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, double, __dadd, a + b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, double, __dsub, a - b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, double, __dmul, a *b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_2, double, __ddiv, a / b)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_1, double, __drcp, 1 / a)
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_1, double, __dsqrt, sqrt(a))
SHFLVIZ_DIRECTED(SHFLVIZ_ROUNDED_3, double, __fma, fma(a, b, c))
#undef SHFLVIZ_DIRECTED

/* Rounded to nearest even, which is the current mode; never contracted with the code around it. */
#define SHFLVIZ_NEAREST_1(T, name, expression)                                                     \
    static inline T name(T a) {                                                                    \
        return expression;                                                                         \
    }
#define SHFLVIZ_NEAREST_2(T, name, expression)                                                     \
    static inline T name(T a, T b) {                                                               \
        T result = expression;                                                                     \
        asm("" : "+m"(result));                                                                    \
        return result;                                                                             \
    }
#define SHFLVIZ_NEAREST_3(T, name, expression)                                                     \
    static inline T name(T a, T b, T c) {                                                          \
        return expression;                                                                         \
    }
SHFLVIZ_NEAREST_2(float, __fadd_rn, a + b)
SHFLVIZ_NEAREST_2(float, __fsub_rn, a - b)
SHFLVIZ_NEAREST_2(float, __fmul_rn, a *b)
SHFLVIZ_NEAREST_2(float, __fdiv_rn, a / b)
SHFLVIZ_NEAREST_1(float, __frcp_rn, 1 / a)
SHFLVIZ_NEAREST_1(float, __fsqrt_rn, sqrtf(a))
SHFLVIZ_NEAREST_1(float, __frsqrt_rn, (float)(1 / sqrt((double)a)))
SHFLVIZ_NEAREST_3(float, __fmaf_rn, fmaf(a, b, c))
SHFLVIZ_NEAREST_3(float, __fmaf_ieee_rn, fmaf(a, b, c))
SHFLVIZ_NEAREST_2(double, __dadd_rn, a + b)
SHFLVIZ_NEAREST_2(double, __dsub_rn, a - b)
SHFLVIZ_NEAREST_2(double, __dmul_rn, a *b)
SHFLVIZ_NEAREST_2(double, __ddiv_rn, a / b)
SHFLVIZ_NEAREST_1(double, __drcp_rn, 1 / a)
SHFLVIZ_NEAREST_1(double, __dsqrt_rn, sqrt(a))
SHFLVIZ_NEAREST_3(double, __fma_rn, fma(a, b, c))
#undef SHFLVIZ_NEAREST_1
#undef SHFLVIZ_NEAREST_2
#undef SHFLVIZ_NEAREST_3
#undef SHFLVIZ_ROUNDED_1
#undef SHFLVIZ_ROUNDED_2
#undef SHFLVIZ_ROUNDED_3

/* ---- conversions ---- */

/* To an integer, clamped to its range. A NaN is 0 in 32 bits, and only the top bit in 64 (PTX ISA,
 * cvt). */
template <class T> static inline T shflviz_to_integer(double x) {
    const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    if (x != x)
        return sizeof(T) == 8 ? (T)(1ull << 63) : 0;
    if (x >= ldexp(1.0, std::numeric_limits<T>::digits))
        return most;
    return x <= (double)least ? least : (T)x;
}
#define SHFLVIZ_TO_INTEGER(from, From, to, To)                                                     \
    static inline To __##from##2##to##_rn(From x) {                                                \
        return shflviz_to_integer<To>(nearbyint((double)x));                                       \
    }                                                                                              \
    static inline To __##from##2##to##_rz(From x) {                                                \
        return shflviz_to_integer<To>(trunc((double)x));                                           \
    }                                                                                              \
    static inline To __##from##2##to##_ru(From x) {                                                \
        return shflviz_to_integer<To>(ceil((double)x));                                            \
    }                                                                                              \
    static inline To __##from##2##to##_rd(From x) {                                                \
        return shflviz_to_integer<To>(floor((double)x));                                           \
    }
SHFLVIZ_TO_INTEGER(float, float, int, int)
SHFLVIZ_TO_INTEGER(float, float, uint, unsigned int)
SHFLVIZ_TO_INTEGER(float, float, ll, long long)
SHFLVIZ_TO_INTEGER(float, float, ull, unsigned long long)
SHFLVIZ_TO_INTEGER(double, double, int, int)
SHFLVIZ_TO_INTEGER(double, double, uint, unsigned int)
SHFLVIZ_TO_INTEGER(double, double, ll, long long)
SHFLVIZ_TO_INTEGER(double, double, ull, unsigned long long)
#undef SHFLVIZ_TO_INTEGER

#define SHFLVIZ_TO_FLOAT_IN(name, From, To, mode)                                                  \
    static inline To name(From x) {                                                                \
        SHFLVIZ_ROUNDED(To, mode, asm volatile("" : "+m"(x)), (To)x)                               \
    }
#define SHFLVIZ_TO_FLOAT(name, From, To)                                                           \
    static inline To name##_rn(From x) {                                                           \
        return (To)x;                                                                              \
    }                                                                                              \
    SHFLVIZ_TO_FLOAT_IN(name##_rz, From, To, FE_TOWARDZERO)                                        \
    SHFLVIZ_TO_FLOAT_IN(name##_ru, From, To, FE_UPWARD)                                            \
    SHFLVIZ_TO_FLOAT_IN(name##_rd, From, To, FE_DOWNWARD)
SHFLVIZ_TO_FLOAT(__int2float, int, float)
SHFLVIZ_TO_FLOAT(__uint2float, unsigned int, float)
SHFLVIZ_TO_FLOAT(__ll2float, long long, float)
SHFLVIZ_TO_FLOAT(__ull2float, unsigned long long, float)
SHFLVIZ_TO_FLOAT(__ll2double, long long, double)
SHFLVIZ_TO_FLOAT(__ull2double, unsigned long long, double)
SHFLVIZ_TO_FLOAT(__double2float, double, float)
#undef SHFLVIZ_TO_FLOAT
#undef SHFLVIZ_TO_FLOAT_IN
#undef SHFLVIZ_ROUNDED
#undef SHFLVIZ_OPAQUE
static inline double __int2double_rn(int x) {
    return x;
}
static inline double __uint2double_rn(unsigned int x) {
    return x;
}
static inline double __hiloint2double(int high, int low) {
    uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline int __double2hiint(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 32);
}
static inline int __double2loint(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)bits;
}

/* ---- whole numbers ---- */

static inline int __mul24(int x, int y) {
    int a = (int)((unsigned int)x << 8) >> 8, b = (int)((unsigned int)y << 8) >> 8;
    return (int)((unsigned int)a * (unsigned int)b);
}
static inline unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffff) * (y & 0xffffff);
}
static inline int mul24(int x, int y) {
    return __mul24(x, y);
}
static inline unsigned int umul24(unsigned int x, unsigned int y) {
    return __umul24(x, y);
}
static inline int __mulhi(int x, int y) {
    return (int)((long long)x * y >> 32);
}
static inline unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)((unsigned long long)x * y >> 32);
}
__extension__ typedef __int128 shflviz_int128;
__extension__ typedef unsigned __int128 shflviz_uint128;
static inline long long __mul64hi(long long x, long long y) {
    return (long long)((shflviz_int128)x * y >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((shflviz_uint128)x * y >> 64);
}
static inline unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
static inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}
static inline int __hadd(int x, int y) {
    return (int)(((long long)x + y) >> 1);
}
static inline int __rhadd(int x, int y) {
    return (int)(((long long)x + y + 1) >> 1);
}
static inline unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
static inline unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

CUDACPU_DEVICE_END

#endif
