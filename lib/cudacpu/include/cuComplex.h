/*
 * cuComplex.h - CUDA's complex numbers for C: pairs of a real and an imaginary part.
 */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "vector_types.h"

#include "host_defines.h"
#include <math.h>

CUDACPU_BOTH_BEGIN

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

#define SHFLVIZ_COMPLEX(T, REAL, make, real, imag, conj, add, sub, mul, div, abs, hypot)           \
    static inline T make(REAL x, REAL y) {                                                         \
        T z;                                                                                       \
        z.x = x;                                                                                   \
        z.y = y;                                                                                   \
        return z;                                                                                  \
    }                                                                                              \
    static inline REAL real(T z) {                                                                 \
        return z.x;                                                                                \
    }                                                                                              \
    static inline REAL imag(T z) {                                                                 \
        return z.y;                                                                                \
    }                                                                                              \
    static inline T conj(T z) {                                                                    \
        return make(z.x, -z.y);                                                                    \
    }                                                                                              \
    static inline T add(T a, T b) {                                                                \
        return make(a.x + b.x, a.y + b.y);                                                         \
    }                                                                                              \
    static inline T sub(T a, T b) {                                                                \
        return make(a.x - b.x, a.y - b.y);                                                         \
    }                                                                                              \
    static inline T mul(T a, T b) {                                                                \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    static inline T div(T a, T b) { /* scaled, so that the square does not overflow */             \
        const REAL s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y);                            \
        const T p = make(a.x / s, a.y / s), q = make(b.x / s, b.y / s);                            \
        const REAL d = q.x * q.x + q.y * q.y;                                                      \
        return make((p.x * q.x + p.y * q.y) / d, (p.y * q.x - p.x * q.y) / d);                     \
    }                                                                                              \
    static inline REAL abs(T z) {                                                                  \
        return hypot(z.x, z.y);                                                                    \
    }
SHFLVIZ_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf,
                cuCsubf, cuCmulf, cuCdivf, cuCabsf, hypotf)
SHFLVIZ_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd,
                cuCsub, cuCmul, cuCdiv, cuCabs, hypot)
#undef SHFLVIZ_COMPLEX

static inline cuComplex make_cuComplex(float x, float y) {
    return make_cuFloatComplex(x, y);
}
static inline cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
    return cuCaddf(cuCmulf(a, b), c);
}
static inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
    return cuCadd(cuCmul(a, b), c);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuComplex z) {
    return make_cuDoubleComplex(z.x, z.y);
}
static inline cuComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_cuFloatComplex((float)z.x, (float)z.y);
}

CUDACPU_BOTH_END
#endif
