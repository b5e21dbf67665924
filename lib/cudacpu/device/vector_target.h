/*
 * vector_target.h - loops over vectors, compiled for several processors and selected at run time.
 * Vectors are the compiler's (vector_size), so that the loops are vectorized at every level of
 * optimisation and for every processor.
 */
#ifndef SHFLVIZ_CPU_VECTOR_TARGET_H
#define SHFLVIZ_CPU_VECTOR_TARGET_H

#define VECTOR_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__)
#define VECTOR_TARGETS  1
#define VECTOR_AVX512   __attribute__((target("avx512f")))
#define VECTOR_AVX2     __attribute__((target("avx2")))
#define VECTOR_AVX2_FMA __attribute__((target("avx2,fma")))

/* 2: AVX-512, 1: AVX2, 0: the baseline of every such processor. */
static inline int vector_level(void) {
    return __builtin_cpu_supports("avx512f")                                 ? 2
           : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1
                                                                             : 0;
}
#else
#define VECTOR_TARGETS 0
#endif

#endif
