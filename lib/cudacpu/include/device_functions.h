/* device_functions.h - fences, bits, casts, loads, clocks, printf: functions for kernels. */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "cudacpu/calls.h"
#include "cudacpu/lane_watcher.h"
#include "cudacpu/simd_functions.h"
#include "simt/lane.h"

#include <cstdio> /* before printf and clock are redefined below, because these headers undefine
                   * such macros */
#include <ctime>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- text ---- */

/* A kernel's text is kept until the next synchronisation, so that it does not corrupt a screen. */
#define printf(...) cpu_runtime_printf(__VA_ARGS__)
namespace std {
using ::cpu_runtime_printf;
}

CUDACPU_DEVICE_BEGIN

/* ---- fences ---- */

/* If one host thread runs all lanes, memory is already ordered as every fence requires; if several
 * do, cpu_fence() orders it. */
static inline void __threadfence() {
    cpu_fence();
}
static inline void __threadfence_block() {
    cpu_access_next(CPU_ACCESS_IN_BLOCK);
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
/* PTX's prmt, except that the fourth bit of a selector, which makes prmt replicate the sign, is
 * ignored (CUDA Math API, __byte_perm). */
static inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    const uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 32; i += 8)
        result |= ((unsigned int)(bytes >> 8 * (selector >> i / 2 & 7)) & 255) << i;
    return result;
}
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int n) {
    return (unsigned int)(((uint64_t)high << 32 | low) << (n & 31) >> 32);
}
static inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int n) {
    return n >= 32 ? low : __funnelshift_l(low, high, n);
}
static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int n) {
    return (unsigned int)(((uint64_t)high << 32 | low) >> (n & 31));
}
static inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int n) {
    return n >= 32 ? high : __funnelshift_r(low, high, n);
}
/* The index of the n-th bit that is 1, from `base` upwards, or downwards for a negative n;
 * 0xffffffff if there is none. */
static inline unsigned int __fns(unsigned int mask, unsigned int base, int n) {
    if (n == 0)
        return mask >> (base & 31) & 1 ? base : ~0u;
    for (int at = (int)base; at >= 0 && at<32; at += n> 0 ? 1 : -1)
        if (mask >> at & 1 && (n += n > 0 ? -1 : 1) == 0)
            return (unsigned int)at;
    return ~0u;
}

/* Sums of products of bytes, or of halves with bytes. */
template <class A, class B, int Count, class T>
static inline T shflviz_dot(unsigned int a, unsigned int b, T sum) {
    for (int i = 0; i < Count; i++)
        sum += (T)(A)(a >> (int)(8 * sizeof(A)) * i) * (T)(B)(b >> (int)(8 * sizeof(B)) * i);
    return sum;
}
static inline int __dp4a(int a, int b, int c) {
    return (int)((unsigned int)shflviz_dot<signed char, signed char, 4>((unsigned int)a,
                                                                        (unsigned int)b, 0) +
                 (unsigned int)c);
}
static inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    return shflviz_dot<unsigned char, unsigned char, 4>(a, b, c);
}
static inline int __dp4a(char4 a, char4 b, int c) {
    return c + (signed char)a.x * (signed char)b.x + (signed char)a.y * (signed char)b.y +
           (signed char)a.z * (signed char)b.z + (signed char)a.w * (signed char)b.w;
}
static inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return c + (unsigned int)(a.x * b.x) + (unsigned int)(a.y * b.y) + (unsigned int)(a.z * b.z) +
           (unsigned int)(a.w * b.w);
}
static inline int __dp2a_lo(int a, int b, int c) {
    return (
        int)((unsigned int)shflviz_dot<short, signed char, 2>((unsigned int)a, (unsigned int)b, 0) +
             (unsigned int)c);
}
static inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
    return shflviz_dot<unsigned short, unsigned char, 2>(a, b, c);
}
static inline int __dp2a_hi(int a, int b, int c) {
    return __dp2a_lo(a, (int)((unsigned int)b >> 16), c);
}
static inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
    return __dp2a_lo(a, b >> 16, c);
}
static inline int __dp2a_lo(short2 a, char4 b, int c) {
    return c + a.x * (signed char)b.x + a.y * (signed char)b.y;
}
static inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
    return c + (unsigned int)(a.x * b.x) + (unsigned int)(a.y * b.y);
}
static inline int __dp2a_hi(short2 a, char4 b, int c) {
    return c + a.x * (signed char)b.z + a.y * (signed char)b.w;
}
static inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
    return c + (unsigned int)(a.x * b.z) + (unsigned int)(a.y * b.w);
}

/* ---- bits as another type ---- */

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
/* ---- loads and stores with cache hints, which have no effect ---- */

template <class T> static inline __attribute__((always_inline)) T __ldg(const T *address) {
    CPU_READ_ONLY(address, sizeof *address);
    return *address;
}
#define SHFLVIZ_LOAD(name)                                                                         \
    template <class T> static inline __attribute__((always_inline)) T name(const T *address) {     \
        return *address;                                                                           \
    }
SHFLVIZ_LOAD(__ldca)
SHFLVIZ_LOAD(__ldcg)
SHFLVIZ_LOAD(__ldcs)
SHFLVIZ_LOAD(__ldlu)
SHFLVIZ_LOAD(__ldcv)
#undef SHFLVIZ_LOAD
#define SHFLVIZ_STORE(name)                                                                        \
    template <class T>                                                                             \
    static inline __attribute__((always_inline)) void name(                                        \
        T *address, const typename shflviz_itself<T>::type &value) {                               \
        *address = value;                                                                          \
    }
template <class T> struct shflviz_itself { typedef T type; };
SHFLVIZ_STORE(__stwb)
SHFLVIZ_STORE(__stcg)
SHFLVIZ_STORE(__stcs)
SHFLVIZ_STORE(__stwt)
#undef SHFLVIZ_STORE

/* ---- address spaces ---- */

/* An address of shared memory must fit in 32 bits, because that is how programs store it.
 * For variables of this thread it is relative to the thread's dynamic shared memory, and near 0. In
 * a program that is built for one thread, whose variables are not far from its functions, it is
 * relative to a function, and near SHFLVIZ_SHARED_STATIC. */
#define SHFLVIZ_SHARED_STATIC 0x40000000
static inline size_t __cvta_generic_to_shared(const void *address) {
#ifdef CUDACPU_CLANG
    const long long distance = (const char *)address - (const char *)cpu_thread_dynamic_shared();
    if (distance < SHFLVIZ_SHARED_STATIC / 2 && distance >= -(SHFLVIZ_SHARED_STATIC / 2))
        return (size_t)distance;
    return (size_t)address - (size_t)&cpu_thread_dynamic_shared + SHFLVIZ_SHARED_STATIC;
#else
    return (size_t)address;
#endif
}
static inline void *__cvta_shared_to_generic(size_t address) {
#ifdef CUDACPU_CLANG
    if (address <= UINT32_MAX)
        address = (size_t)(long long)(int)(unsigned int)address;
    if ((long long)address >= SHFLVIZ_SHARED_STATIC / 2)
        return (void *)((size_t)&cpu_thread_dynamic_shared + address - SHFLVIZ_SHARED_STATIC);
    return (void *)((size_t)cpu_thread_dynamic_shared() + address);
#else
    return (void *)address;
#endif
}
/* All other address spaces are the same. */
static inline size_t __cvta_generic_to_global(const void *address) {
    return (size_t)address;
}
static inline size_t __cvta_generic_to_local(const void *address) {
    return (size_t)address;
}
static inline size_t __cvta_generic_to_constant(const void *address) {
    return (size_t)address;
}
static inline void *__cvta_global_to_generic(size_t address) {
    return (void *)address;
}
static inline void *__cvta_local_to_generic(size_t address) {
    return (void *)address;
}
static inline void *__cvta_constant_to_generic(size_t address) {
    return (void *)address;
}
/* True if it is in the block's shared memory. */
static inline unsigned int __isShared(const void *address) {
    return (unsigned int)cpu_is_shared(address);
}
static inline unsigned int __isGlobal(const void *address) {
    return !__isShared(address);
}
static inline unsigned int __isConstant(const void *) {
    return 0;
}
static inline unsigned int __isLocal(const void *) {
    return 0;
}

/* ---- time ---- */

/* Nanoseconds that count up; a kernel may rely on nothing else. */
static inline __attribute__((always_inline)) long long clock64() {
    return cpu_kernel_clock();
}
/* The C library has a clock(), too, which is the one that host code means. */
#ifdef CUDACPU_CLANG
static inline __attribute__((always_inline)) long long shflviz_clock() {
    return clock64();
}
CUDACPU_DEVICE_END
static inline long long shflviz_clock() {
    return (long long)(clock)();
}
CUDACPU_DEVICE_BEGIN
#else
static inline __attribute__((always_inline)) long long shflviz_clock() {
    return cpu_now.lane ? clock64() : (long long)(clock)();
}
#endif
#define clock() shflviz_clock()
namespace std {
using ::shflviz_clock;
}
static inline void __nanosleep(unsigned int) {
    cpu_yield(0);
}

/* ---- hints for a debugger or profiler ---- */

static inline void __prof_trigger(int) {}
static inline void __trap() {
    cpu_trap();
}
#define __brkpt() __trap()

CUDACPU_DEVICE_END

#endif
