/*
 * curand.h - cuRAND for the host. Functions that are not declared are not supported; the bodies
 * are in cudacpu/libraries/random/random.c.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime_api.h"
#include "library_types.h"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION   (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)
#define CURANDAPI

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

/* The supported ones: XORWOW, MRG32K3A, PHILOX4_32_10, and SOBOL32 in up to ten dimensions. */
typedef enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;

typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef struct curandGenerator_st *curandGenerator_t;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cuRAND ---- */

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
    SHFLVIZ_RUNTIME(curandCreateGenerator);
/* Gives the same numbers for host memory; here both kinds of generators accept either memory. */
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
    SHFLVIZ_RUNTIME(curandCreateGeneratorHost);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
    SHFLVIZ_RUNTIME(curandDestroyGenerator);
curandStatus_t curandGetVersion(int *version) SHFLVIZ_RUNTIME(curandGetVersion);
curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
    SHFLVIZ_RUNTIME(curandGetProperty);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
    SHFLVIZ_RUNTIME(curandSetStream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed)
    SHFLVIZ_RUNTIME(curandSetPseudoRandomGeneratorSeed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
    SHFLVIZ_RUNTIME(curandSetGeneratorOffset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
    SHFLVIZ_RUNTIME(curandSetGeneratorOrdering);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions)
    SHFLVIZ_RUNTIME(curandSetQuasiRandomGeneratorDimensions);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
    SHFLVIZ_RUNTIME(curandGenerateSeeds);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *numbers, size_t count)
    SHFLVIZ_RUNTIME(curandGenerate);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *numbers, size_t count)
    SHFLVIZ_RUNTIME(curandGenerateUniform);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *numbers,
                                           size_t count)
    SHFLVIZ_RUNTIME(curandGenerateUniformDouble);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *numbers, size_t count,
                                    float mean, float deviation)
    SHFLVIZ_RUNTIME(curandGenerateNormal);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *numbers,
                                          size_t count, double mean, double deviation)
    SHFLVIZ_RUNTIME(curandGenerateNormalDouble);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *numbers, size_t count,
                                       float mean, float deviation)
    SHFLVIZ_RUNTIME(curandGenerateLogNormal);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *numbers,
                                             size_t count, double mean, double deviation)
    SHFLVIZ_RUNTIME(curandGenerateLogNormalDouble);
#ifdef __cplusplus
}
#endif

#endif
