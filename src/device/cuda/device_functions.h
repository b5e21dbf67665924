/*
 * device_functions.h - fences, bits, casts, loads, clocks, printf: what a kernel calls.
 */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "shflviz/cpu/lane.h"
#include "shflviz/cpu/runtime.h"

#include <cstdio> /* before printf and clock are redefined below: these take such macros away */
#include <ctime>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- text ---- */

/* A kernel's text is kept until the next synchronisation, so that it does not run into a screen. */
#define printf(...) cpu_runtime_printf(__VA_ARGS__)
namespace std {
using ::cpu_runtime_printf;
}

/* ---- fences ---- */

/* One thread of the machine runs all lanes, so every fence holds already. */
static inline void __threadfence() {
    cpu_fence();
}
static inline void __threadfence_block() {
    cpu_fence();
}
static inline void __threadfence_system() {
    cpu_fence();
}

/* ---- bits ---- */

static inline int __popc(unsigned int x) {
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
static inline int __ffs(int x) {
    return __builtin_ffs(x);
}
static inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
static inline int __clz(int x) {
    return x ? __builtin_clz((unsigned int)x) : 32;
}
static inline int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
static inline unsigned int __brev(unsigned int x) {
    unsigned int reversed = 0;
    for (int bit = 0; bit < 32; bit++)
        reversed |= (x >> bit & 1) << (31 - bit);
    return reversed;
}
static inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
static inline float __int_as_float(int x) {
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}
static inline int __float_as_int(float x) {
    int i;
    memcpy(&i, &x, sizeof i);
    return i;
}
static inline float __uint_as_float(unsigned int x) {
    return __int_as_float((int)x);
}
static inline unsigned int __float_as_uint(float x) {
    return (unsigned int)__float_as_int(x);
}
static inline double __longlong_as_double(long long x) {
    double d;
    memcpy(&d, &x, sizeof d);
    return d;
}
static inline long long __double_as_longlong(double x) {
    long long i;
    memcpy(&i, &x, sizeof i);
    return i;
}
template <class T> static inline T __ldg(const T *address) {
    return *address;
}

/* ---- time ---- */

/* Nanoseconds: they count up, and that is all a kernel may rely on. Other lanes may run meanwhile,
 * so that a kernel that waits for time lets them. */
static inline long long clock64() {
    cpu_yield(1);
    return cpu_runtime_clock();
}
/* The C library has a clock() too, which host code means. */
static inline long long shflviz_clock() {
    return cpu_now.lane ? clock64() : (long long)(clock)();
}
#define clock() shflviz_clock()
namespace std {
using ::shflviz_clock;
}
static inline void __nanosleep(unsigned int) {
    cpu_yield(0);
}
#define __trap() abort()

#endif
