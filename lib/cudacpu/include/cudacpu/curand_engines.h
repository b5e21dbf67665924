/*
 * curand_engines.h - the generators behind cuRAND's functions, in plain C: curand_kernel.h has them
 * for kernels, cudacpu/libraries/random/random.c for the host.
 *
 * XORWOW: G. Marsaglia, "Xorshift RNGs" (2003), section 3.1. Philox: J. K. Salmon et al., "Parallel
 * random numbers: as easy as 1, 2, 3" (2011). MRG32k3a: P. L'Ecuyer, "Good parameters and
 * implementations for combined multiple recursive random number generators" (1999). The seeding and
 * the distance between subsequences are cuRAND's, so that the bits are the same.
 */
#ifndef SHFLVIZ_CUDA_CURAND_ENGINES_H
#define SHFLVIZ_CUDA_CURAND_ENGINES_H

#include "vector_types.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

/* The value that a normal distribution keeps for its next call. */
#define SHFLVIZ_CURAND_EXTRA                                                                       \
    int boxmuller_flag;                                                                            \
    int boxmuller_flag_double;                                                                     \
    float boxmuller_extra;                                                                         \
    double boxmuller_extra_double

struct curandStateXORWOW {
    unsigned int d, v[5];
    SHFLVIZ_CURAND_EXTRA;
};
struct curandStatePhilox4_32_10 {
    struct uint4 ctr, output; /* four numbers, of which STATE have been used */
    struct uint2 key;
    unsigned int STATE;
    SHFLVIZ_CURAND_EXTRA;
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    SHFLVIZ_CURAND_EXTRA;
};

#ifdef __cplusplus
extern "C" {
#endif
/* Advances as if n numbers, or n times 2 to the power of `log2`, had been drawn: the vector of
 * XORWOW without its counter, and both vectors of MRG32k3a. */
void cpu_xorwow_skip(unsigned int v[5], unsigned long long n, int log2);
void cpu_mrg32k3a_skip(unsigned int s1[3], unsigned int s2[3], unsigned long long n, int log2);
#ifdef __cplusplus
}
#endif

/* ---- XORWOW ---- */

#define SHFLVIZ_XORWOW_WEYL        362437u
#define SHFLVIZ_XORWOW_SUBSEQUENCE 67 /* log2 of its length */

static inline unsigned int shflviz_xorwow_next(struct curandStateXORWOW *state) {
    unsigned int t = state->v[0] ^ state->v[0] >> 2;
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] ^= state->v[4] << 4 ^ t ^ t << 1;
    state->d += SHFLVIZ_XORWOW_WEYL;
    return state->v[4] + state->d;
}

static inline void shflviz_xorwow_skip(struct curandStateXORWOW *state, unsigned long long n,
                                       int log2) {
    unsigned int v[5];
    for (int i = 0; i < 5; i++)
        v[i] = state->v[i];
    cpu_xorwow_skip(v, n, log2);
    for (int i = 0; i < 5; i++)
        state->v[i] = v[i];
    if (log2 == 0) /* otherwise d advances by a multiple of 2^32, which changes nothing */
        state->d += SHFLVIZ_XORWOW_WEYL * (unsigned int)n;
}

static inline void shflviz_xorwow_seed(struct curandStateXORWOW *state, unsigned long long seed,
                                       unsigned long long subsequence, unsigned long long offset) {
    const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    const unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + low + high;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    if (subsequence)
        shflviz_xorwow_skip(state, subsequence, SHFLVIZ_XORWOW_SUBSEQUENCE);
    if (offset)
        shflviz_xorwow_skip(state, offset, 0);
}

/* ---- Philox 4x32-10 ---- */

static inline struct uint4 shflviz_philox_block(struct uint4 counter, struct uint2 key) {
    for (int round = 0; round < 10; round++) {
        const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
        const struct uint4 next = {(unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                                   (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a};
        counter = next;
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

/* Adds n to the counter's two lower words, with a carry into the upper ones. */
static inline void shflviz_philox_advance(struct curandStatePhilox4_32_10 *state,
                                          unsigned long long n) {
    const unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
    const unsigned long long sum = low + n;
    state->ctr.x = (unsigned int)sum;
    state->ctr.y = (unsigned int)(sum >> 32);
    if (sum < low && ++state->ctr.z == 0)
        ++state->ctr.w;
    state->output = shflviz_philox_block(state->ctr, state->key);
}

static inline unsigned int shflviz_philox_next(struct curandStatePhilox4_32_10 *state) {
    const unsigned int number = state->STATE == 0   ? state->output.x
                                : state->STATE == 1 ? state->output.y
                                : state->STATE == 2 ? state->output.z
                                                    : state->output.w;
    if (++state->STATE == 4) {
        state->STATE = 0;
        shflviz_philox_advance(state, 1);
    }
    return number;
}

static inline void shflviz_philox_skip(struct curandStatePhilox4_32_10 *state,
                                       unsigned long long n) {
    const unsigned int taken = state->STATE + (unsigned int)(n & 3);
    state->STATE = taken & 3;
    shflviz_philox_advance(state, n / 4 + taken / 4);
}

/* A subsequence has 2^64 blocks of four. */
static inline void shflviz_philox_skip_sequence(struct curandStatePhilox4_32_10 *state,
                                                unsigned long long n) {
    const unsigned long long sum = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned int)sum;
    state->ctr.w = (unsigned int)(sum >> 32);
    state->output = shflviz_philox_block(state->ctr, state->key);
}

static inline void shflviz_philox_seed(struct curandStatePhilox4_32_10 *state,
                                       unsigned long long seed, unsigned long long subsequence,
                                       unsigned long long offset) {
    const struct uint4 zero = {0, 0, 0, 0};
    const struct uint2 key = {(unsigned int)seed, (unsigned int)(seed >> 32)};
    state->ctr = zero;
    state->key = key;
    state->STATE = 0;
    shflviz_philox_skip_sequence(state, subsequence);
    shflviz_philox_skip(state, offset);
}

/* ---- MRG32k3a ---- */

#define SHFLVIZ_MRG_M1          4294967087ll
#define SHFLVIZ_MRG_M2          4294944443ll
#define SHFLVIZ_MRG_SUBSEQUENCE 76
#define SHFLVIZ_MRG_SEQUENCE    127
#define SHFLVIZ_MRG_TO_UNIFORM  2.3283065498378288e-10 /* 1 / (m1 + 1), as cuRAND rounds it */
#define SHFLVIZ_MRG_TO_32_BITS  1.000000048662

/* From 1 to m1. */
static inline long long shflviz_mrg_next(struct curandStateMRG32k3a *state) {
    long long p = (1403580ll * state->s1[1] - 810728ll * state->s1[0]) % SHFLVIZ_MRG_M1;
    long long q = (527612ll * state->s2[2] - 1370589ll * state->s2[0]) % SHFLVIZ_MRG_M2;
    p += p < 0 ? SHFLVIZ_MRG_M1 : 0;
    q += q < 0 ? SHFLVIZ_MRG_M2 : 0;
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = (unsigned int)p;
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = (unsigned int)q;
    return p <= q ? p - q + SHFLVIZ_MRG_M1 : p - q;
}

static inline void shflviz_mrg_skip(struct curandStateMRG32k3a *state, unsigned long long n,
                                    int log2) {
    unsigned int s1[3], s2[3];
    for (int i = 0; i < 3; i++) {
        s1[i] = state->s1[i];
        s2[i] = state->s2[i];
    }
    cpu_mrg32k3a_skip(s1, s2, n, log2);
    for (int i = 0; i < 3; i++) {
        state->s1[i] = s1[i];
        state->s2[i] = s2[i];
    }
}

static inline void shflviz_mrg_seed(struct curandStateMRG32k3a *state, unsigned long long seed,
                                    unsigned long long subsequence, unsigned long long offset) {
    const unsigned long long x[2] = {(unsigned int)seed ^ 0x55555555u,
                                     (unsigned int)(seed >> 32) ^ 0xaaaaaaaau};
    for (int i = 0; i < 3; i++) {
        state->s1[i] = seed ? (unsigned int)(x[i % 2] * 12345 % SHFLVIZ_MRG_M1) : 12345;
        state->s2[i] = seed ? (unsigned int)(x[1 - i % 2] * 12345 % SHFLVIZ_MRG_M2) : 12345;
    }
    if (subsequence)
        shflviz_mrg_skip(state, subsequence & ((1ull << 51) - 1), SHFLVIZ_MRG_SUBSEQUENCE);
    if (offset)
        shflviz_mrg_skip(state, offset, 0);
}

/* ---- from integers to numbers above 0, up to 1 ---- */

static inline float shflviz_curand_float(unsigned int x) {
    return (float)x * 0x1p-32f + 0x1p-33f;
}
/* 53 bits of two numbers. */
static inline double shflviz_curand_double(unsigned int x, unsigned int y) {
    return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

CUDACPU_DEVICE_END
#endif
