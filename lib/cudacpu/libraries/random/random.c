/* random.c - cuRAND: skipping ahead in generators, and the host functions. */
#include "cudacpu/libraries/library.h"

#include "base/memory.h"

#include <cudacpu/curand_engines.h>
#include <curand.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- XORWOW: powers of its step, as matrices of bits ---- */

#define WORDS 5
#define BITS  (32 * WORDS)
#define LOG2S 192 /* 67, plus the 64 bits of a number, with room to spare */

struct bit_matrix {
    uint32_t row[BITS][WORDS]; /* the image of each bit of the vector */
};

static pthread_mutex_t skip_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct bit_matrix *xorwow_power[LOG2S]; /* [k]: the step 2^k times */

static void multiply_bits(uint32_t v[WORDS], const struct bit_matrix *m) {
    uint32_t sum[WORDS] = {0};
    for (int i = 0; i < BITS; i++) {
        const uint32_t chosen = -(v[i / 32] >> (i % 32) & 1);
        for (int w = 0; w < WORDS; w++)
            sum[w] ^= m->row[i][w] & chosen;
    }
    memcpy(v, sum, sizeof sum);
}

static const struct bit_matrix *xorwow_matrix(int log2) {
    int have = log2;
    while (have > 0 && !xorwow_power[have])
        have--;
    if (!xorwow_power[have]) {
        struct bit_matrix *step = memory_zeroed(1, sizeof *step);
        for (int i = 0; i < BITS; i++) {
            struct curandStateXORWOW state = {.d = 0};
            state.v[i / 32] = UINT32_C(1) << (i % 32);
            (void)shflviz_xorwow_next(&state);
            memcpy(step->row[i], state.v, sizeof state.v);
        }
        xorwow_power[0] = step;
    }
    for (; have < log2; have++) {
        struct bit_matrix *square = memory_zeroed(1, sizeof *square);
        *square = *xorwow_power[have];
        for (int i = 0; i < BITS; i++)
            multiply_bits(square->row[i], xorwow_power[have]);
        xorwow_power[have + 1] = square;
    }
    return xorwow_power[log2];
}

void cpu_xorwow_skip(unsigned int v[5], unsigned long long n, int log2) {
    for (; n; n >>= 1, log2++) {
        if (!(n & 1))
            continue;
        pthread_mutex_lock(&skip_mutex);
        const struct bit_matrix *matrix = xorwow_matrix(log2);
        pthread_mutex_unlock(&skip_mutex);
        multiply_bits(v, matrix);
    }
}

/* ---- MRG32k3a: powers of its two steps, modulo their primes ---- */

struct number_matrix {
    uint64_t at[3][3];
};
static struct number_matrix *mrg_power[2][LOG2S];

static const uint64_t mrg_modulus[2] = {SHFLVIZ_MRG_M1, SHFLVIZ_MRG_M2};
static const struct number_matrix mrg_step[2] = {
    {{{0, 1, 0}, {0, 0, 1}, {SHFLVIZ_MRG_M1 - 810728, 1403580, 0}}},
    {{{0, 1, 0}, {0, 0, 1}, {SHFLVIZ_MRG_M2 - 1370589, 0, 527612}}}};

static const struct number_matrix *mrg_matrix(int which, int log2) {
    struct number_matrix **power = mrg_power[which];
    int have = log2;
    while (have > 0 && !power[have])
        have--;
    if (!power[have]) {
        power[0] = memory_zeroed(1, sizeof *power[0]);
        *power[0] = mrg_step[which];
    }
    for (; have < log2; have++) {
        const struct number_matrix *m = power[have];
        struct number_matrix *square = memory_zeroed(1, sizeof *square);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    square->at[i][j] =
                        (square->at[i][j] + m->at[i][k] * m->at[k][j] % mrg_modulus[which]) %
                        mrg_modulus[which];
        power[have + 1] = square;
    }
    return power[log2];
}

static void multiply_numbers(unsigned int s[3], const struct number_matrix *m, uint64_t modulus) {
    uint64_t sum[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum[i] = (sum[i] + m->at[i][k] * s[k] % modulus) % modulus;
    for (int i = 0; i < 3; i++)
        s[i] = (unsigned)sum[i];
}

void cpu_mrg32k3a_skip(unsigned int s1[3], unsigned int s2[3], unsigned long long n, int log2) {
    for (; n; n >>= 1, log2++)
        for (int which = 0; which < 2 && n & 1; which++) {
            pthread_mutex_lock(&skip_mutex);
            const struct number_matrix *matrix = mrg_matrix(which, log2);
            pthread_mutex_unlock(&skip_mutex);
            multiply_numbers(which ? s2 : s1, matrix, mrg_modulus[which]);
        }
}

/* ---- the host's generators ---- */

/*
 * A generator has many lanes, each with its own subsequence, which take turns. A turn gives 1, 2 or
 * 4 numbers: number i belongs to turn i / numbers, and a turn belongs to lane turn % lanes
 * (cuRAND Library, "Generator Options"). The numbers of lanes and of values are those observed with
 * its host generators.
 */
#define XORWOW_LANES 4096
#define PHILOX_LANES 65536
#define MRG_LANES    81920

#define SOBOL_DIMENSIONS 10

enum what {
    INTEGERS,
    UNIFORM,
    UNIFORM_DOUBLE,
    NORMAL,
    NORMAL_DOUBLE,
    LOG_NORMAL,
    LOG_NORMAL_DOUBLE
};

struct curandGenerator_st {
    struct curandGenerator_st *next;
    curandRngType_t type;
    unsigned long long seed;
    unsigned long long position; /* integers drawn so far, of all lanes */
    unsigned dimensions;
    cudaStream_t stream;
};

struct lane {
    curandRngType_t type;
    struct curandStateXORWOW xorwow;
    struct curandStatePhilox4_32_10 philox;
    struct curandStateMRG32k3a mrg;
};

struct random_job {
    struct curandGenerator_st generator; /* unchanged */
    enum what what;
    void *numbers;
    size_t count;
    double mean, deviation;
};

static struct curandGenerator_st *generators;
static pthread_mutex_t generator_mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned draw(struct lane *lane) {
    switch (lane->type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        return shflviz_philox_next(&lane->philox);
    case CURAND_RNG_PSEUDO_MRG32K3A:
        return (unsigned)((double)shflviz_mrg_next(&lane->mrg) * SHFLVIZ_MRG_TO_32_BITS);
    default:
        return shflviz_xorwow_next(&lane->xorwow);
    }
}

static double draw_double(struct lane *lane) {
    if (lane->type == CURAND_RNG_PSEUDO_MRG32K3A)
        return (double)shflviz_mrg_next(&lane->mrg) * SHFLVIZ_MRG_TO_UNIFORM;
    const unsigned x = draw(lane), y = draw(lane);
    return shflviz_curand_double(x, y);
}

static float draw_float(struct lane *lane) {
    return lane->type == CURAND_RNG_PSEUDO_MRG32K3A ? (float)draw_double(lane)
                                                    : shflviz_curand_float(draw(lane));
}

static void seed_lane(struct lane *lane, const struct curandGenerator_st *generator,
                      unsigned long long number, unsigned long long offset) {
    lane->type = generator->type;
    if (lane->type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
        shflviz_philox_seed(&lane->philox, generator->seed, number, offset);
    else if (lane->type == CURAND_RNG_PSEUDO_MRG32K3A)
        shflviz_mrg_seed(&lane->mrg, generator->seed, number, offset);
    else
        shflviz_xorwow_seed(&lane->xorwow, generator->seed, number, offset);
}

static bool is_normal(enum what what) {
    return what >= NORMAL;
}

/* The numbers that a lane gives in a turn, and the integers that they take. */
static unsigned long long numbers_per_turn(curandRngType_t type, enum what what) {
    return type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 4 : is_normal(what) ? 2 : 1;
}
static unsigned long long integers_per_turn(curandRngType_t type, enum what what) {
    const bool wide = what == UNIFORM_DOUBLE || what == NORMAL_DOUBLE || what == LOG_NORMAL_DOUBLE;
    return numbers_per_turn(type, what) * (wide && type != CURAND_RNG_PSEUDO_MRG32K3A ? 2 : 1);
}

/* Two normal numbers by Box and Muller. */
static void draw_pair(struct lane *lane, enum what what, double pair[2]) {
    if (what == NORMAL || what == LOG_NORMAL) {
        const float u = draw_float(lane);
        const float angle = draw_float(lane) * 6.2831855f, s = sqrtf(-2.0f * logf(u));
        pair[0] = s * sinf(angle);
        pair[1] = s * cosf(angle);
    } else {
        const double u = draw_double(lane);
        const double angle = draw_double(lane) * 6.283185307179586, s = sqrt(-2.0 * log(u));
        pair[0] = s * sin(angle);
        pair[1] = s * cos(angle);
    }
}

static void put(const struct random_job *job, size_t at, double value) {
    switch (job->what) {
    case INTEGERS:
        break;
    case UNIFORM:
        ((float *)job->numbers)[at] = (float)value;
        break;
    case UNIFORM_DOUBLE:
        ((double *)job->numbers)[at] = value;
        break;
    case NORMAL:
        ((float *)job->numbers)[at] = (float)job->mean + (float)job->deviation * (float)value;
        break;
    case NORMAL_DOUBLE:
        ((double *)job->numbers)[at] = job->mean + job->deviation * value;
        break;
    case LOG_NORMAL:
        ((float *)job->numbers)[at] = expf((float)job->mean + (float)job->deviation * (float)value);
        break;
    case LOG_NORMAL_DOUBLE:
        ((double *)job->numbers)[at] = exp(job->mean + job->deviation * value);
        break;
    }
}

/* One turn, whose first number is number `first`; those before 0 and beyond the last are
 * discarded. */
static void take_turn(const struct random_job *job, struct lane *lane, long long first) {
    double pair[2] = {0};
    const int numbers = (int)numbers_per_turn(lane->type, job->what);
    for (int i = 0; i < numbers; i++) {
        const long long at = first + i;
        const bool wanted = at >= 0 && at < (long long)job->count;
        if (job->what == INTEGERS) {
            const unsigned number = draw(lane);
            if (wanted)
                ((unsigned *)job->numbers)[at] = number;
            continue;
        }
        if (!is_normal(job->what))
            pair[0] = job->what == UNIFORM ? (double)draw_float(lane) : draw_double(lane);
        else if (i % 2 == 0)
            draw_pair(lane, job->what, pair);
        if (wanted)
            put(job, (size_t)at, is_normal(job->what) ? pair[i % 2] : pair[0]);
    }
}

static void fill_pseudo(const struct random_job *job) {
    const curandRngType_t type = job->generator.type;
    const unsigned long long lanes = type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? PHILOX_LANES
                                     : type == CURAND_RNG_PSEUDO_MRG32K3A    ? MRG_LANES
                                                                             : XORWOW_LANES;
    const unsigned long long numbers = numbers_per_turn(type, job->what);
    const unsigned long long integers = integers_per_turn(type, job->what);
    const unsigned long long start = job->generator.position * numbers / integers;
    const unsigned long long end = start + job->count, turns = (end + numbers - 1) / numbers;
    for (unsigned long long first = start / numbers;
         first < turns && first < start / numbers + lanes; first++) {
        struct lane lane;
        seed_lane(&lane, &job->generator, first % lanes, first / lanes * integers);
        for (unsigned long long turn = first; turn < turns; turn += lanes)
            take_turn(job, &lane, (long long)(turn * numbers) - (long long)start);
    }
}

/* ---- Sobol numbers ---- */

/* Primitive polynomials and first direction numbers: S. Joe and F. Y. Kuo, "Constructing Sobol
 * sequences with better two-dimensional projections" (2008), their file new-joe-kuo-6. */
static const struct {
    int degree;
    unsigned coefficients, first[5];
} sobol_rows[SOBOL_DIMENSIONS] = {{0, 0, {0}},
                                  {1, 0, {1}},
                                  {2, 1, {1, 3}},
                                  {3, 1, {1, 3, 1}},
                                  {3, 2, {1, 1, 1}},
                                  {4, 1, {1, 1, 3, 3}},
                                  {4, 4, {1, 3, 5, 13}},
                                  {5, 2, {1, 1, 5, 5, 17}},
                                  {5, 4, {1, 1, 5, 5, 5}},
                                  {5, 7, {1, 1, 7, 11, 19}}};

static void sobol_directions(unsigned dimension, unsigned direction[32]) {
    const int degree = sobol_rows[dimension].degree;
    for (int i = 0; i < 32; i++) {
        if (dimension == 0) {
            direction[i] = 1u << (31 - i);
        } else if (i < degree) {
            direction[i] = sobol_rows[dimension].first[i] << (31 - i);
        } else {
            direction[i] = direction[i - degree] ^ direction[i - degree] >> degree;
            for (int k = 1; k < degree; k++)
                if (sobol_rows[dimension].coefficients >> (degree - 1 - k) & 1)
                    direction[i] ^= direction[i - k];
        }
    }
}

/* All numbers of the first dimension, then all of the second, and so on. */
static void fill_sobol(const struct random_job *job) {
    const size_t each = job->count / job->generator.dimensions;
    for (unsigned d = 0; d < job->generator.dimensions; d++) {
        unsigned direction[32];
        sobol_directions(d, direction);
        for (size_t i = 0; i < each; i++) {
            const unsigned long long number = job->generator.position + i;
            const unsigned gray = (unsigned)(number ^ number >> 1);
            unsigned x = 0;
            for (int bit = 0; bit < 32; bit++)
                x ^= gray >> bit & 1 ? direction[bit] : 0;
            if (job->what == INTEGERS)
                ((unsigned *)job->numbers)[d * each + i] = x;
            else
                put(job, d * each + i,
                    job->what == UNIFORM ? (double)shflviz_curand_float(x) : x * 0x1p-32 + 0x1p-32);
        }
    }
}

static void generate_now(void *context) {
    const struct random_job *job = context;
    const bool wide =
        job->what == UNIFORM_DOUBLE || job->what == NORMAL_DOUBLE || job->what == LOG_NORMAL_DOUBLE;
    if (job->generator.type == CURAND_RNG_QUASI_SOBOL32)
        fill_sobol(job);
    else
        fill_pseudo(job);
    library_written(job->numbers, job->count * (wide ? sizeof(double) : sizeof(float)));
}

/* ---- the functions ---- */

static bool is_generator(curandGenerator_t generator) {
    pthread_mutex_lock(&generator_mutex);
    const struct curandGenerator_st *at = generators;
    while (at && at != generator)
        at = at->next;
    pthread_mutex_unlock(&generator_mutex);
    return at != NULL;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
        type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && type != CURAND_RNG_QUASI_SOBOL32) {
        library_absent("curandCreateGenerator", "a generator other than XORWOW, Philox4_32_10, "
                                                "MRG32k3a and Sobol32");
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (!generator)
        return CURAND_STATUS_OUT_OF_RANGE;
    struct curandGenerator_st *made = memory_zeroed(1, sizeof *made);
    made->type = type;
    made->dimensions = 1;
    pthread_mutex_lock(&generator_mutex);
    made->next = generators;
    generators = made;
    pthread_mutex_unlock(&generator_mutex);
    *generator = made;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    return curandCreateGenerator(generator, type);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    pthread_mutex_lock(&generator_mutex);
    struct curandGenerator_st **at = &generators;
    while (*at && *at != generator)
        at = &(*at)->next;
    struct curandGenerator_st *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&generator_mutex);
    free(found);
    return found ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetVersion(int *version) {
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
    static const int values[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = values[type];
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (!is_generator(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
    if (!is_generator(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->type == CURAND_RNG_QUASI_SOBOL32)
        return CURAND_STATUS_TYPE_ERROR;
    generator->seed = seed;
    generator->position = 0;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (!is_generator(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->position = offset;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (!is_generator(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if ((generator->type == CURAND_RNG_QUASI_SOBOL32) != (order == CURAND_ORDERING_QUASI_DEFAULT))
        return CURAND_STATUS_OUT_OF_RANGE;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
    if (!is_generator(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->type != CURAND_RNG_QUASI_SOBOL32)
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions == 0 || dimensions > SOBOL_DIMENSIONS) {
        if (dimensions)
            library_absent("curandSetQuasiRandomGeneratorDimensions", "more than ten dimensions");
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    generator->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return is_generator(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

static curandStatus_t generate(curandGenerator_t generator, enum what what, void *numbers,
                               size_t count, double mean, double deviation) {
    if (!is_generator(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    const bool sobol = generator->type == CURAND_RNG_QUASI_SOBOL32;
    if (sobol && is_normal(what)) {
        library_absent("curandGenerateNormal", "normal numbers of Sobol32");
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (sobol ? count % generator->dimensions != 0
              : is_normal(what) && generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && count % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    const struct random_job job = {*generator, what, numbers, count, mean, deviation};
    if (sobol) {
        generator->position += count / generator->dimensions;
    } else {
        const unsigned long long each = numbers_per_turn(generator->type, what);
        generator->position += (count * integers_per_turn(generator->type, what) + each - 1) / each;
    }
    return library_submit(generator->stream, generate_now, &job, sizeof job) == cudaSuccess
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *numbers, size_t count) {
    return generate(generator, INTEGERS, numbers, count, 0, 0);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *numbers, size_t count) {
    return generate(generator, UNIFORM, numbers, count, 0, 0);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *numbers,
                                           size_t count) {
    return generate(generator, UNIFORM_DOUBLE, numbers, count, 0, 0);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *numbers, size_t count,
                                    float mean, float deviation) {
    return generate(generator, NORMAL, numbers, count, mean, deviation);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *numbers,
                                          size_t count, double mean, double deviation) {
    return generate(generator, NORMAL_DOUBLE, numbers, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *numbers, size_t count,
                                       float mean, float deviation) {
    return generate(generator, LOG_NORMAL, numbers, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *numbers,
                                             size_t count, double mean, double deviation) {
    return generate(generator, LOG_NORMAL_DOUBLE, numbers, count, mean, deviation);
}
