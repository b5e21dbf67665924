/*
 * curand_kernel.h - cuRAND for kernels: XORWOW, Philox4_32_10 and MRG32k3a, with their
 * distributions. The integers and uniform numbers are cuRAND's to the bit; normal, log-normal and
 * Poisson numbers are computed from those with the host's math library.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "cudacpu/curand_engines.h"
#include "curand.h"
#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* ---- states and integers ---- */

template <class State> static inline void shflviz_curand_empty(State *state) {
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
#define SHFLVIZ_CURAND(State, prefix)                                                              \
    static inline void curand_init(unsigned long long seed, unsigned long long subsequence,        \
                                   unsigned long long offset, State *state) {                      \
        prefix##_seed(state, seed, subsequence, offset);                                           \
        shflviz_curand_empty(state);                                                               \
    }
SHFLVIZ_CURAND(curandStateXORWOW, shflviz_xorwow)
SHFLVIZ_CURAND(curandStatePhilox4_32_10, shflviz_philox)
SHFLVIZ_CURAND(curandStateMRG32k3a, shflviz_mrg)
#undef SHFLVIZ_CURAND

static inline unsigned int curand(curandStateXORWOW *state) {
    return shflviz_xorwow_next(state);
}
static inline unsigned int curand(curandStatePhilox4_32_10 *state) {
    return shflviz_philox_next(state);
}
static inline unsigned int curand(curandStateMRG32k3a *state) {
    return (unsigned int)((double)shflviz_mrg_next(state) * SHFLVIZ_MRG_TO_32_BITS);
}
static inline uint4 curand4(curandStatePhilox4_32_10 *state) {
    uint4 four;
    four.x = curand(state);
    four.y = curand(state);
    four.z = curand(state);
    four.w = curand(state);
    return four;
}

static inline void skipahead(unsigned long long n, curandStateXORWOW *state) {
    shflviz_xorwow_skip(state, n, 0);
}
static inline void skipahead_sequence(unsigned long long n, curandStateXORWOW *state) {
    shflviz_xorwow_skip(state, n, SHFLVIZ_XORWOW_SUBSEQUENCE);
}
static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state) {
    shflviz_philox_skip(state, n);
}
static inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state) {
    shflviz_philox_skip_sequence(state, n);
}
static inline void skipahead(unsigned long long n, curandStateMRG32k3a *state) {
    shflviz_mrg_skip(state, n, 0);
}
static inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *state) {
    shflviz_mrg_skip(state, n, SHFLVIZ_MRG_SUBSEQUENCE);
}
static inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *state) {
    shflviz_mrg_skip(state, n, SHFLVIZ_MRG_SEQUENCE);
}

/* ---- uniform: above 0, up to 1 ---- */

static inline float curand_uniform(curandStateXORWOW *state) {
    return shflviz_curand_float(curand(state));
}
static inline float curand_uniform(curandStatePhilox4_32_10 *state) {
    return shflviz_curand_float(curand(state));
}
static inline float curand_uniform(curandStateMRG32k3a *state) {
    return (float)((double)shflviz_mrg_next(state) * SHFLVIZ_MRG_TO_UNIFORM);
}
static inline float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
    const uint4 four = curand4(state);
    return make_float4(shflviz_curand_float(four.x), shflviz_curand_float(four.y),
                       shflviz_curand_float(four.z), shflviz_curand_float(four.w));
}
static inline double curand_uniform_double(curandStateXORWOW *state) {
    const unsigned int x = curand(state), y = curand(state);
    return shflviz_curand_double(x, y);
}
static inline double curand_uniform_double(curandStatePhilox4_32_10 *state) {
    return curand(state) * 0x1p-32 + 0x1p-32; /* of one number */
}
static inline double curand_uniform_double(curandStateMRG32k3a *state) {
    return (double)shflviz_mrg_next(state) * SHFLVIZ_MRG_TO_UNIFORM;
}
static inline double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) {
    const uint4 four = curand4(state);
    return make_double2(shflviz_curand_double(four.x, four.y),
                        shflviz_curand_double(four.z, four.w));
}

/* ---- normal, by Box and Muller: two at a time ---- */

static inline float2 shflviz_curand_pair(unsigned int x, unsigned int y) {
    const float angle = (float)y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f;
    const float s = sqrtf(-2.0f * logf(shflviz_curand_float(x)));
    return make_float2(s * sinf(angle), s * cosf(angle));
}
static inline double2 shflviz_curand_pair_double(double u, double turns) {
    const double s = sqrt(-2.0 * log(u));
    return make_double2(s * sin(turns * 6.283185307179586), s * cos(turns * 6.283185307179586));
}
template <class State> static inline float2 curand_normal2(State *state) {
    const unsigned int x = curand(state), y = curand(state);
    return shflviz_curand_pair(x, y);
}
static inline float2 curand_normal2(curandStateMRG32k3a *state) {
    const float u = curand_uniform(state), angle = curand_uniform(state) * 6.2831855f;
    const float s = sqrtf(-2.0f * logf(u));
    return make_float2(s * sinf(angle), s * cosf(angle));
}
static inline float4 curand_normal4(curandStatePhilox4_32_10 *state) {
    const float2 a = curand_normal2(state), b = curand_normal2(state);
    return make_float4(a.x, a.y, b.x, b.y);
}
template <class State> static inline double2 curand_normal2_double(State *state) {
    const unsigned int x0 = curand(state), x1 = curand(state);
    const unsigned int y0 = curand(state), y1 = curand(state);
    return shflviz_curand_pair_double(shflviz_curand_double(x0, x1), shflviz_curand_double(y0, y1));
}
static inline double2 curand_normal2_double(curandStateMRG32k3a *state) {
    const double u = curand_uniform_double(state), turns = curand_uniform_double(state);
    return shflviz_curand_pair_double(u, turns);
}
template <class State>
static inline float2 curand_log_normal2(State *state, float mean, float deviation) {
    const float2 pair = curand_normal2(state);
    return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
static inline float4 curand_log_normal4(curandStatePhilox4_32_10 *state, float mean,
                                        float deviation) {
    const float2 a = curand_log_normal2(state, mean, deviation);
    const float2 b = curand_log_normal2(state, mean, deviation);
    return make_float4(a.x, a.y, b.x, b.y);
}
template <class State>
static inline double2 curand_log_normal2_double(State *state, double mean, double deviation) {
    const double2 pair = curand_normal2_double(state);
    return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}

/* One at a time: the second of a pair is kept for the next call to the same function. */
enum { SHFLVIZ_CURAND_NORMAL = 1, SHFLVIZ_CURAND_LOG_NORMAL = 2 };
template <class State, class Pair>
static inline float shflviz_curand_one(State *state, int which, Pair pair) {
    if (state->boxmuller_flag == which) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    const float2 both = pair();
    state->boxmuller_extra = both.y;
    state->boxmuller_flag = which;
    return both.x;
}
template <class State, class Pair>
static inline double shflviz_curand_one_double(State *state, int which, Pair pair) {
    if (state->boxmuller_flag_double == which) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    const double2 both = pair();
    state->boxmuller_extra_double = both.y;
    state->boxmuller_flag_double = which;
    return both.x;
}
template <class State> static inline float curand_normal(State *state) {
    return shflviz_curand_one(state, SHFLVIZ_CURAND_NORMAL, [=] { return curand_normal2(state); });
}
template <class State> static inline double curand_normal_double(State *state) {
    return shflviz_curand_one_double(state, SHFLVIZ_CURAND_NORMAL,
                                     [=] { return curand_normal2_double(state); });
}
template <class State>
static inline float curand_log_normal(State *state, float mean, float deviation) {
    return shflviz_curand_one(state, SHFLVIZ_CURAND_LOG_NORMAL,
                              [=] { return curand_log_normal2(state, mean, deviation); });
}
template <class State>
static inline double curand_log_normal_double(State *state, double mean, double deviation) {
    return shflviz_curand_one_double(state, SHFLVIZ_CURAND_LOG_NORMAL, [=] {
        return curand_log_normal2_double(state, mean, deviation);
    });
}

/* ---- Poisson ---- */

/* Knuth's method: the number of uniform numbers that can be multiplied before the product falls
 * below exp(-lambda). Larger means are split into smaller ones; above 4000 the normal distribution
 * is used instead. */
template <class State> static inline unsigned int curand_poisson(State *state, double lambda) {
    if (lambda > 4000)
        return (unsigned int)(rint(lambda + sqrt(lambda) * curand_normal_double(state)));
    unsigned int count = 0;
    for (; lambda > 0; lambda -= 60) {
        float product = expf((float)(lambda < 64 ? lambda : 60));
        while ((product *= curand_uniform(state)) > 1.0f)
            count++;
        if (lambda < 64)
            break;
    }
    return count;
}
static inline uint4 curand_poisson4(curandStatePhilox4_32_10 *state, double lambda) {
    uint4 four;
    four.x = curand_poisson(state, lambda);
    four.y = curand_poisson(state, lambda);
    four.z = curand_poisson(state, lambda);
    four.w = curand_poisson(state, lambda);
    return four;
}

CUDACPU_DEVICE_END
#endif
