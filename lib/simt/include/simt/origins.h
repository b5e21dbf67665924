/*
 * origins.h - the origins of values: a kernel compiled to report them (cudacpu/instrument/origins)
 * does so for each value that it computes.
 *
 * Every number that a function handles has an origin beside it, a node of a graph that only grows
 * (trace/lines/origins.h): 0 is a number made only of constants. Memory has one for each byte
 * (cudacpu/observe/origins.c). All lanes run on one thread of the host, and no switch happens
 * between a call and the callee's first instruction.
 */
#ifndef SHFLVIZ_SIMT_ORIGINS_H
#define SHFLVIZ_SIMT_ORIGINS_H

#include <stdint.h>

/* The most numbers that one call passes with origins; those of the rest are unknown. */
#define CPU_ORIGIN_ARGUMENTS 64

/* Kinds of linear operations, for cpu_origin_whole() and cpu_origin_real(). */
enum {
    CPU_ORIGIN_SUM,
    CPU_ORIGIN_DIFFERENCE,
    CPU_ORIGIN_PRODUCT,
    CPU_ORIGIN_QUOTIENT,
    CPU_ORIGIN_SHIFT,
    CPU_ORIGIN_BITS, /* and, or, xor: `x` and `y` are 0 where they leave the other number
                      * unchanged */
};

#ifdef __cplusplus
extern "C" {
#endif

extern uint32_t cpu_origin_arguments[CPU_ORIGIN_ARGUMENTS],
    cpu_origin_results[CPU_ORIGIN_ARGUMENTS];
/* Objects passed by copy, by parameter number: their original addresses. */
extern const void *cpu_origin_sources[CPU_ORIGIN_ARGUMENTS];

uint32_t cpu_origin_load(const void *address, uint64_t bytes);
void cpu_origin_store(void *address, uint64_t bytes, uint32_t node, uint64_t line);
void cpu_origin_copy(void *to, const void *from, uint64_t bytes);
void cpu_origin_fill(void *to, uint64_t bytes, uint32_t node);
/* A local variable begins, unset. `name` is NULL if it has none: then only the old origins at its
 * address are forgotten. */
void cpu_origin_fresh(void *address, uint64_t bytes, const char *name);

uint32_t cpu_origin_whole(uint64_t what, uint32_t a, uint32_t b, int64_t x, int64_t y,
                          uint64_t line);
uint32_t cpu_origin_real(uint64_t what, uint32_t a, uint32_t b, double x, double y, uint64_t line);
/* The origin of a number that depends on both in some other way. */
uint32_t cpu_origin_depends(uint32_t a, uint32_t b, uint64_t line);
/* The origin after an integer has become a floating-point number. */
uint32_t cpu_origin_floated(uint32_t a);
/* The origin of a number with origin `a`, chosen by a condition with origin `condition`. */
uint32_t cpu_origin_chosen(uint32_t a, uint32_t condition, uint64_t line);
void cpu_origin_choose(void *address, uint64_t bytes, uint32_t condition, uint64_t line);
/* The effect of a function is unknown. */
uint32_t cpu_origin_unknown(const char *function);

/* Added to the bytes of an element if the elements are floating-point numbers. */
#define CPU_ORIGIN_REAL_ELEMENTS 256
/* A kernel's parameter: a number, or a pointer to elements of `element` bytes (0 if unknown). */
uint32_t cpu_origin_argument(const char *name);
void cpu_origin_array(const char *name, const void *address, uint64_t element);
/* An array in shared memory. `bytes` is 0 for the dynamic one. */
void cpu_origin_shared(const char *name, const void *address, uint64_t bytes, uint64_t element);

#ifdef __cplusplus
}
#endif

#endif
