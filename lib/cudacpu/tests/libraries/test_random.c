/*
 * test_random.c - cuRAND's host generators against the published algorithms: Marsaglia's XORWOW,
 * Salmon et al.'s Philox4x32-10, L'Ecuyer's MRG32k3a, and Sobol's numbers with the directions of
 * Joe and Kuo. Everything is computed again here in the simplest way: a subsequence is 2^67
 * (XORWOW) or 2^76 (MRG32k3a) steps after the previous one, or one more in Philox's upper words.
 */
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <curand.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OK = CURAND_STATUS_SUCCESS, LATER = CURAND_STATUS_NOT_INITIALIZED };
enum { RANGE = CURAND_STATUS_OUT_OF_RANGE, TYPE = CURAND_STATUS_TYPE_ERROR };
enum { MULTIPLE = CURAND_STATUS_LENGTH_NOT_MULTIPLE };
enum { XORWOW = CURAND_RNG_PSEUDO_XORWOW, PHILOX = CURAND_RNG_PSEUDO_PHILOX4_32_10 };
enum { MRG = CURAND_RNG_PSEUDO_MRG32K3A, SOBOL = CURAND_RNG_QUASI_SOBOL32 };

enum kind { WHOLE, UNIFORM, UNIFORM_WIDE, NORMAL, NORMAL_WIDE, LOG, LOG_WIDE, KINDS };
#define MEAN      0.5
#define DEVIATION 0.25
#define UNTOUCHED 0x5a

static void *managed(size_t bytes) {
    void *memory;
    DONE(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal));
    memset(memory, UNTOUCHED, bytes);
    return memory;
}

/* ---- the algorithms ---- */

struct xorwow {
    uint32_t v[5], d;
};
static uint32_t xorwow_next(struct xorwow *s) {
    uint32_t t = s->v[0];
    t ^= t >> 2;
    memmove(s->v, s->v + 1, 4 * sizeof s->v[0]);
    s->v[4] = (s->v[3] ^ s->v[3] << 4) ^ (t ^ t << 1);
    s->d += 362437;
    return s->d + s->v[4];
}

/* The image of each of the 160 bits under the step, applied 2^k times. */
#define POWERS 84
typedef uint32_t matrix[160][5];
static matrix *xorwow_power;

static void apply(uint32_t v[5], matrix m) {
    uint32_t sum[5] = {0};
    for (int i = 0; i < 160; i++)
        if (v[i / 32] >> i % 32 & 1)
            for (int w = 0; w < 5; w++)
                sum[w] ^= m[i][w];
    memcpy(v, sum, sizeof sum);
}
static int make_powers(void **state) {
    (void)state;
    xorwow_power = calloc(POWERS, sizeof *xorwow_power);
    for (int i = 0; i < 160; i++) {
        struct xorwow s = {.d = 0};
        s.v[i / 32] = UINT32_C(1) << i % 32;
        (void)xorwow_next(&s);
        memcpy(xorwow_power[0][i], s.v, sizeof s.v);
    }
    for (int k = 1; k < POWERS; k++)
        for (int i = 0; i < 160; i++) {
            memcpy(xorwow_power[k][i], xorwow_power[k - 1][i], sizeof xorwow_power[k][i]);
            apply(xorwow_power[k][i], xorwow_power[k - 1]);
        }
    return 0;
}
static int free_powers(void **state) {
    (void)state;
    free(xorwow_power);
    return 0;
}

static void philox(const uint32_t counter[4], uint64_t seed, uint32_t out[4]) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    memcpy(out, counter, 4 * sizeof *out);
    for (int round = 0; round < 10; round++) {
        const uint64_t a = UINT64_C(0xd2511f53) * out[0], b = UINT64_C(0xcd9e8d57) * out[2];
        const uint32_t next[] = {(uint32_t)(b >> 32) ^ out[1] ^ key[0], (uint32_t)b,
                                 (uint32_t)(a >> 32) ^ out[3] ^ key[1], (uint32_t)a};
        memcpy(out, next, sizeof next);
        key[0] += 0x9e3779b9;
        key[1] += 0xbb67ae85;
    }
}

/* MRG32k3a's components x(n) = a x(n - 2) - b x(n - 3) and y(n) = c y(n - 1) - d y(n - 3). */
static const uint64_t moduli[] = {4294967087, 4294944443};
typedef uint64_t cube[3][3];
static void cube_times(cube to, cube a, cube b, uint64_t modulus) {
    cube product = {{0}};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            product[i / 3][i % 3] =
                (product[i / 3][i % 3] + a[i / 3][k] * b[k][i % 3] % modulus) % modulus;
    memcpy(to, product, sizeof product);
}
/* The state after n 2^log2 steps. */
static void mrg_jump(uint64_t s[3], int which, uint64_t n, int log2) {
    const uint64_t m = moduli[which];
    cube power = {{0, 1, 0}, {0, 0, 1}, {0}}, whole = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    power[2][0] = m - (which ? 1370589 : 810728);
    power[2][which ? 2 : 1] = which ? 527612 : 1403580;
    for (; log2 > 0; log2--)
        cube_times(power, power, power, m);
    for (; n; n >>= 1) {
        if (n & 1)
            cube_times(whole, power, whole, m);
        cube_times(power, power, power, m);
    }
    uint64_t next[3] = {0};
    for (int i = 0; i < 9; i++)
        next[i / 3] = (next[i / 3] + whole[i / 3][i % 3] * s[i % 3] % m) % m;
    memcpy(s, next, sizeof next);
}

/* The numbers of a subsequence from `first` on. */
static void draws(int type, uint64_t seed, uint64_t lane, uint64_t first, uint64_t z[8]) {
    if (type == PHILOX) {
        for (uint64_t i = 0; i < 8; i++) {
            uint32_t out[4], counter[4] = {(uint32_t)((first + i) / 4), 0, (uint32_t)lane, 0};
            philox(counter, seed, out);
            z[i] = out[(first + i) % 4];
        }
    } else if (type == MRG) {
        const uint64_t x = (uint32_t)seed ^ 0x55555555u, y = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
        uint64_t s[2][3];
        for (int i = 0; i < 3; i++) {
            s[0][i] = seed ? (i % 2 ? y : x) * 12345 % moduli[0] : 12345;
            s[1][i] = seed ? (i % 2 ? x : y) * 12345 % moduli[1] : 12345;
        }
        for (int which = 0; which < 2; which++) {
            mrg_jump(s[which], which, lane, 76);
            mrg_jump(s[which], which, first, 0);
        }
        for (int i = 0; i < 8; i++) {
            mrg_jump(s[0], 0, 1, 0);
            mrg_jump(s[1], 1, 1, 0);
            z[i] = s[0][2] > s[1][2] ? s[0][2] - s[1][2] : s[0][2] + moduli[0] - s[1][2];
        }
    } else {
        const uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
        const uint32_t high = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
        struct xorwow s = {{123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                            5783321u + low},
                           6615241u + low + high + 362437u * (uint32_t)first};
        for (int k = 0; k < 64; k++) {
            if (lane >> k & 1)
                apply(s.v, xorwow_power[67 + k]);
            if (first >> k & 1)
                apply(s.v, xorwow_power[k]);
        }
        for (int i = 0; i < 8; i++)
            z[i] = xorwow_next(&s);
    }
}

/* ---- numbers of a generator ---- */

static bool is_wide(enum kind kind) {
    return kind == UNIFORM_WIDE || kind == NORMAL_WIDE || kind == LOG_WIDE;
}
static const uint64_t lanes_of[] = {[XORWOW - 101] = 4096, [MRG - 101] = 81920};

/* The number with index `which` in a turn that drew z, converted as in cuRAND's headers. */
static double uniform(int type, bool wide, const uint64_t z[8], int which) {
    if (type == MRG) {
        const double u = (double)z[which] * 2.3283065498378288e-10;
        return wide ? u : (double)(float)u;
    }
    if (!wide)
        return (float)z[which] * 0x1p-32f + 0x1p-33f;
    return (double)(z[(ptrdiff_t)2 * which] ^ z[2 * which + 1] << 21) * 0x1p-53 + 0x1p-54;
}
static double wanted(int type, uint64_t seed, enum kind kind, uint64_t i) {
    const unsigned numbers = type == PHILOX ? 4 : kind >= NORMAL ? 2 : 1;
    const unsigned integers = numbers * (is_wide(kind) && type != MRG ? 2 : 1);
    const uint64_t lanes = type == PHILOX ? 65536 : lanes_of[type - 101], turn = i / numbers;
    const int at = (int)(i % numbers);
    uint64_t z[8];
    draws(type, seed, turn % lanes, turn / lanes * integers, z);
    if (kind == WHOLE)
        return (double)(uint32_t)(type == MRG ? (double)z[at] * 1.000000048662 : (double)z[at]);
    if (kind < NORMAL)
        return uniform(type, is_wide(kind), z, at);
    const double u = uniform(type, is_wide(kind), z, at / 2 * 2);
    const double angle = 2 * M_PI * uniform(type, is_wide(kind), z, at / 2 * 2 + 1);
    const double x = sqrt(-2 * log(u)) * (at % 2 ? cos(angle) : sin(angle));
    return kind < LOG ? MEAN + DEVIATION * x : exp(MEAN + DEVIATION * x);
}

static curandStatus_t make(curandGenerator_t generator, enum kind kind, void *to, size_t count) {
    const float mean = MEAN, deviation = DEVIATION;
    switch (kind) {
    case WHOLE:
        return curandGenerate(generator, to, count);
    case UNIFORM:
        return curandGenerateUniform(generator, to, count);
    case UNIFORM_WIDE:
        return curandGenerateUniformDouble(generator, to, count);
    case NORMAL:
        return curandGenerateNormal(generator, to, count, mean, deviation);
    case NORMAL_WIDE:
        return curandGenerateNormalDouble(generator, to, count, MEAN, DEVIATION);
    case LOG:
        return curandGenerateLogNormal(generator, to, count, mean, deviation);
    default:
        return curandGenerateLogNormalDouble(generator, to, count, MEAN, DEVIATION);
    }
}
static size_t size_of(enum kind kind) {
    return is_wide(kind) ? sizeof(double) : sizeof(float);
}
static double number(const void *numbers, enum kind kind, size_t at) {
    return kind == WHOLE   ? ((const uint32_t *)numbers)[at]
           : is_wide(kind) ? ((const double *)numbers)[at]
                           : (double)((const float *)numbers)[at];
}

/* Checks that numbers[0 .. count) are those of the sequence from number `first` on, and that the
 * element after them is not written. */
static void check(int type, uint64_t seed, enum kind kind, const void *numbers, uint64_t first,
                  size_t count, size_t step) {
    const double near = kind == WHOLE ? 0 : is_wide(kind) ? 1e-13 : 4e-6;
    for (size_t i = 0; i < count; i += step) {
        const double right = wanted(type, seed, kind, first + i), got = number(numbers, kind, i);
        if (!(fabs(got - right) <= near))
            fail_msg("type %d kind %d number %zu: %.17g, not %.17g", type, kind, (size_t)first + i,
                     got, right);
    }
    for (size_t i = count * size_of(kind); i < (count + 1) * size_of(kind); i++)
        assert_int_equal(((const unsigned char *)numbers)[i], UNTOUCHED);
}

static curandGenerator_t generator_of(int type, uint64_t seed) {
    curandGenerator_t generator;
    DONE(curandCreateGenerator(&generator, (curandRngType_t)type));
    DONE(curandSetPseudoRandomGeneratorSeed(generator, seed));
    return generator;
}

static const int pseudo[] = {XORWOW, PHILOX, MRG};
static const uint64_t seeds[] = {0, 1234, UINT64_C(0x123456789abcdef0)};

static void test_known(void **state) {
    static const uint32_t words[3][4] = {{0, 0, 0, 0},
                                         {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                                         {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    static const uint64_t keys[] = {0, UINT64_MAX, UINT64_C(0x299f31d0a4093822)};
    static const uint32_t answers[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                           {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                           {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    uint64_t z[8];
    (void)state;
    for (int i = 0; i < 3; i++) { /* Random123's numbers prove that this is Philox */
        uint32_t out[4];
        philox(words[i], keys[i], out);
        assert_memory_equal(out, answers[i], sizeof out);
    }
    draws(MRG, 0, 0, 0, z); /* the first number of L'Ecuyer's program */
    assert_int_equal((int)round((double)z[0] / 4294967088.0 * 1e6), 127011);
    for (int i = 0; i < COUNT(pseudo); i++) {
        curandGenerator_t generator = generator_of(pseudo[i], 0);
        uint32_t *numbers = managed(5 * sizeof *numbers);
        DONE(curandGenerate(generator, numbers, 4));
        if (pseudo[i] == PHILOX)
            assert_memory_equal(numbers, answers[0], sizeof answers[0]);
        DONE(curandDestroyGenerator(generator));
    }
}

/* For each kind, in one call after another, no number is repeated or left out. */
static void test_sequences(void **state) {
    static const size_t parts[] = {6, 2, 26, 4, 8};
    (void)state;
    for (int i = 0; i < COUNT(pseudo); i++)
        for (int s = 0; s < COUNT(seeds); s++)
            for (int kind = 0; kind < KINDS; kind++) {
                curandGenerator_t generator = generator_of(pseudo[i], seeds[s]);
                char *numbers = managed(64 * sizeof(double));
                size_t first = 0;
                for (int part = 0; part < COUNT(parts); part++) {
                    memset(numbers, UNTOUCHED, 64 * sizeof(double));
                    DONE(make(generator, (enum kind)kind, numbers, parts[part]));
                    check(pseudo[i], seeds[s], (enum kind)kind, numbers, first, parts[part], 1);
                    first += parts[part];
                }
                DONE(curandDestroyGenerator(generator));
                DONE(cudaFree(numbers));
            }
}

/* The first lane's next number follows the last lane's number, within a call and between calls. */
static void test_lanes(void **state) {
    static const struct {
        int type;
        enum kind kind;
        size_t count, then;
    } cases[] = {{XORWOW, WHOLE, 4099, 7},           {XORWOW, UNIFORM, 8193, 5},
                 {XORWOW, UNIFORM_WIDE, 4095, 4099}, {XORWOW, NORMAL, 8194, 8},
                 {XORWOW, NORMAL_WIDE, 8190, 8},     {PHILOX, WHOLE, 262149, 9},
                 {PHILOX, UNIFORM_WIDE, 262141, 9},  {MRG, WHOLE, 81923, 5}};
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        curandGenerator_t generator = generator_of(cases[i].type, 1234);
        const enum kind kind = cases[i].kind;
        const size_t count = cases[i].count, size = size_of(kind), first = count - 30;
        char *numbers = managed((count + cases[i].then + 1) * size);
        DONE(make(generator, kind, numbers, count));
        check(cases[i].type, 1234, kind, numbers, 0, count, 1009);
        check(cases[i].type, 1234, kind, numbers + first * size, first, 30, 1);
        DONE(make(generator, kind, numbers + count * size, cases[i].then));
        check(cases[i].type, 1234, kind, numbers + count * size, count, cases[i].then,
              cases[i].then > 100 ? 97 : 1);
        DONE(curandDestroyGenerator(generator));
        DONE(cudaFree(numbers));
    }
}

/* An offset is a position in the sequence; another seed begins a new sequence. */
static void test_offsets(void **state) {
    static const uint64_t offsets[] = {1,      2,      3,      4095,       4096,   81918,
                                       262143, 262145, 262146, 1000000007, 3 << 20};
    uint32_t *numbers = managed(64 * sizeof *numbers);
    (void)state;
    for (int i = 0; i < COUNT(pseudo); i++)
        for (int k = 0; k < COUNT(offsets); k++)
            for (int kind = WHOLE; kind <= UNIFORM; kind++) {
                curandGenerator_t generator = generator_of(pseudo[i], 99);
                memset(numbers, UNTOUCHED, 64 * sizeof *numbers);
                DONE(curandSetGeneratorOffset(generator, offsets[k]));
                DONE(make(generator, (enum kind)kind, numbers, 11));
                check(pseudo[i], 99, (enum kind)kind, numbers, offsets[k], 11, 1);
                memset(numbers, UNTOUCHED, 64 * sizeof *numbers);
                DONE(curandSetPseudoRandomGeneratorSeed(generator, 5));
                DONE(make(generator, (enum kind)kind, numbers, 3));
                check(pseudo[i], 5, (enum kind)kind, numbers, 0, 3, 1);
                DONE(curandDestroyGenerator(generator));
            }
}

/* ---- Sobol's numbers ---- */

/* S. Joe and F. Y. Kuo (2008), new-joe-kuo-6: degree s, coefficients a, m(1 .. s). */
static const unsigned joe_kuo[][7] = {{1, 0, 1},
                                      {2, 1, 1, 3},
                                      {3, 1, 1, 3, 1},
                                      {3, 2, 1, 1, 1},
                                      {4, 1, 1, 1, 3, 3},
                                      {4, 4, 1, 3, 5, 13},
                                      {5, 2, 1, 1, 5, 5, 17},
                                      {5, 4, 1, 1, 5, 5, 5},
                                      {5, 7, 1, 1, 7, 11, 19}};

static void directions_of(int dimension, uint32_t v[32]) {
    uint64_t m[33];
    for (unsigned k = 1; k <= 32; k++) {
        const unsigned *row = dimension ? joe_kuo[dimension - 1] : NULL;
        if (!row || k <= row[0]) {
            m[k] = row ? row[1 + k] : 1;
        } else {
            const unsigned s = row[0], a = row[1];
            m[k] = m[k - s] << s ^ m[k - s];
            for (unsigned j = 1; j < s; j++)
                m[k] ^= a >> (s - 1 - j) & 1 ? m[k - j] << j : 0;
        }
        v[k - 1] = (uint32_t)(m[k] << (32 - k));
    }
}

/* Uses the recurrence of Antonov and Saleev: number n + 1 differs by the direction of n's lowest 0.
 * Numbers come dimension by dimension; a second call continues in each. */
static void test_sobol(void **state) {
    enum { DIMENSIONS = 10, EACH = 1500, THEN = 3 };
    uint32_t *numbers = managed(DIMENSIONS * EACH * sizeof(double));
    (void)state;
    for (int kind = WHOLE; kind <= UNIFORM_WIDE; kind++)
        for (int dimensions = 1; dimensions <= DIMENSIONS; dimensions += 3) {
            curandGenerator_t generator;
            DONE(curandCreateGenerator(&generator, CURAND_RNG_QUASI_DEFAULT));
            DONE(curandSetQuasiRandomGeneratorDimensions(generator, (unsigned)dimensions));
            uint32_t x[DIMENSIONS] = {0}, n = 0;
            for (int call = 0; call < 3; call++) {
                const size_t each = call == 0 ? THEN : call == 1 ? EACH : 1;
                DONE(make(generator, (enum kind)kind, numbers, each * (size_t)dimensions));
                for (int d = 0; d < dimensions; d++) {
                    uint32_t v[32], at = n;
                    directions_of(d, v);
                    for (size_t i = 0; i < each; i++) {
                        const double right = kind == WHOLE     ? x[d]
                                             : kind == UNIFORM ? (float)x[d] * 0x1p-32f + 0x1p-33f
                                                               : x[d] * 0x1p-32 + 0x1p-32;
                        const double got = number(numbers, (enum kind)kind, (size_t)d * each + i);
                        if (got != right)
                            fail_msg("kind %d dimension %d number %u", kind, d, at);
                        x[d] ^= v[__builtin_ctz(~at++)];
                    }
                }
                n += (uint32_t)each;
            }
            DONE(curandDestroyGenerator(generator));
        }
    /* Number 2^k - 1 is direction k alone; the first 1500 numbers do not use all 32 directions. */
    curandGenerator_t generator;
    DONE(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32));
    DONE(curandSetQuasiRandomGeneratorDimensions(generator, DIMENSIONS));
    for (int k = 1; k <= 32; k++) {
        DONE(curandSetGeneratorOffset(generator, (UINT64_C(1) << k) - 1));
        DONE(curandGenerate(generator, numbers, DIMENSIONS));
        for (int d = 0; d < DIMENSIONS; d++) {
            uint32_t v[32];
            directions_of(d, v);
            assert_int_equal(numbers[d], v[k - 1]);
        }
    }
    GIVES(MULTIPLE, curandGenerate(generator, numbers, DIMENSIONS + 1));
    GIVES(OK, curandSetQuasiRandomGeneratorDimensions(generator, 1));
    GIVES(RANGE, curandSetQuasiRandomGeneratorDimensions(generator, 0));
    GIVES(RANGE, curandSetQuasiRandomGeneratorDimensions(generator, 20001));
    GIVES(TYPE, curandSetPseudoRandomGeneratorSeed(generator, 1));
    GIVES(OK, curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT));
    GIVES(RANGE, curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT));
    DONE(curandDestroyGenerator(generator));
}

/* ---- refusals ---- */

static void test_refused(void **state) {
    curandGenerator_t first, second, third;
    uint32_t *numbers = managed(64);
    int value = 0;
    (void)state;
    GIVES(RANGE, curandCreateGenerator(NULL, CURAND_RNG_PSEUDO_XORWOW));
    GIVES(TYPE, curandCreateGenerator(&first, CURAND_RNG_TEST));
    GIVES(OK, curandCreateGenerator(&first, CURAND_RNG_PSEUDO_DEFAULT));
    GIVES(OK, curandCreateGenerator(&second, CURAND_RNG_PSEUDO_MRG32K3A));
    GIVES(OK, curandCreateGeneratorHost(&third, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    /* The first number of the default generator is XORWOW's; Philox's differs. */
    DONE(curandGenerate(first, numbers, 1));
    assert_true(numbers[0] == (uint32_t)wanted(XORWOW, 0, WHOLE, 0));
    /* Pairs of normal numbers: an even count. */
    GIVES(MULTIPLE, curandGenerateNormal(first, (float *)numbers, 3, 0, 1));
    GIVES(MULTIPLE, curandGenerateLogNormal(second, (float *)numbers, 3, 0, 1));
    GIVES(OK, curandGenerateNormal(first, (float *)numbers, 4, 0, 1));
    GIVES(OK, curandGenerateUniform(first, (float *)numbers, 3));
    GIVES(TYPE, curandSetQuasiRandomGeneratorDimensions(first, 1));
    GIVES(OK, curandSetGeneratorOrdering(first, CURAND_ORDERING_PSEUDO_DEFAULT));
    GIVES(RANGE, curandSetGeneratorOrdering(first, CURAND_ORDERING_QUASI_DEFAULT));
    GIVES(OK, curandSetStream(first, NULL));
    GIVES(OK, curandGenerateSeeds(first));
    /* A destroyed generator is invalid; the others stay, in whatever order they are destroyed. */
    curandGenerator_t order[] = {second, third, first};
    for (int i = 0; i < 3; i++) {
        GIVES(OK, curandDestroyGenerator(order[i]));
        GIVES(LATER, curandDestroyGenerator(order[i]));
        for (int k = 0; k < 3; k++)
            GIVES(k <= i ? LATER : OK, curandGenerate(order[k], numbers, 2));
    }
    GIVES(LATER, curandSetStream(NULL, NULL));
    GIVES(LATER, curandSetPseudoRandomGeneratorSeed(NULL, 1));
    GIVES(LATER, curandSetGeneratorOffset(NULL, 1));
    GIVES(LATER, curandSetGeneratorOrdering(NULL, CURAND_ORDERING_PSEUDO_DEFAULT));
    GIVES(LATER, curandSetQuasiRandomGeneratorDimensions(NULL, 1));
    GIVES(LATER, curandGenerateSeeds(NULL));
    for (int kind = 0; kind < KINDS; kind++)
        GIVES(LATER, make(NULL, (enum kind)kind, numbers, 2));
    GIVES(RANGE, curandGetVersion(NULL));
    GIVES(OK, curandGetVersion(&value));
    assert_int_equal(value, CURAND_VERSION);
    GIVES(RANGE, curandGetProperty(MAJOR_VERSION, NULL));
    GIVES(OK, curandGetProperty(MAJOR_VERSION, &value));
    assert_int_equal(value, CURAND_VER_MAJOR);
    GIVES(OK, curandGetProperty(MINOR_VERSION, &value));
    assert_int_equal(value, CURAND_VER_MINOR);
    GIVES(OK, curandGetProperty(PATCH_LEVEL, &value));
    assert_int_equal(value, CURAND_VER_PATCH);
    GIVES(RANGE, curandGetProperty((libraryPropertyType)(PATCH_LEVEL + 1), &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_known),   API_TEST(test_sequences), API_TEST(test_lanes),
        API_TEST(test_offsets), API_TEST(test_sobol),     API_TEST(test_refused),
    };
    return cmocka_run_group_tests(tests, make_powers, free_powers);
}
