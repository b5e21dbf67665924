/*
 * device_atomic_functions.h - atomic operations of the CPU warp.
 */
#ifndef __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__

#include "cudacpu/lane_watcher.h"
#include "host_defines.h"
#include "simt/lane.h"
#include "vector_types.h"

#include <string.h>
#include <type_traits>

CUDACPU_BOTH_BEGIN

/* shflviz_atomic() while other host threads run other blocks. The first read is a guess, which the
 * exchange verifies; sanitizers need not see it. */
template <class T, class Next>
static inline __attribute__((no_sanitize("thread"))) T shflviz_atomic_on_worker(T *address,
                                                                                Next next) {
    T old, now;
    memcpy(&old, (const void *)address, sizeof old);
    do
        now = next(old);
    while (!cpu_compare_exchange((void *)address, &old, &now, sizeof now));
    cpu_yield(memcmp(&old, &now, sizeof old) != 0);
    return old;
}
/* Inlined up to the call, so that memory checkers see the program's line. The kind is 1, or 2 for a
 * compare-and-exchange. */
template <int Kind = 1, class T, class Next>
static inline __attribute__((always_inline)) T shflviz_atomic(T *address, Next next) {
    if (__builtin_expect(cpu_now.on_worker, 0))
        return shflviz_atomic_on_worker(address, next);
    cpu_now.in_atomic = Kind;
    asm volatile("" ::: "memory");
    T old = *address;
    T now = next(old);
    *address = now;
    asm volatile("" ::: "memory");
    cpu_now.in_atomic = 0;
    cpu_yield(memcmp(&old, &now, sizeof old) != 0);
    return old;
}

CUDACPU_BOTH_END

CUDACPU_DEVICE_BEGIN

#define SHFLVIZ_ATOMIC_INLINE inline __attribute__((always_inline))
#define SHFLVIZ_ATOMIC(T, name, expression)                                                        \
    static SHFLVIZ_ATOMIC_INLINE T name(T *address, T value) {                                     \
        return shflviz_atomic(address, [value](T old) -> T { return (expression); });              \
    }                                                                                              \
    static SHFLVIZ_ATOMIC_INLINE T name##_block(T *address, T value) {                             \
        cpu_access_next(CPU_ACCESS_IN_BLOCK);                                                      \
        return name(address, value);                                                               \
    }                                                                                              \
    static SHFLVIZ_ATOMIC_INLINE T name##_system(T *address, T value) {                            \
        return name(address, value);                                                               \
    }

/* Signed sums wrap, as the hardware's do. */
static inline int shflviz_wrapped_sum(int a, int b) {
    return (int)((unsigned int)a + (unsigned int)b);
}

SHFLVIZ_ATOMIC(int, atomicAdd, shflviz_wrapped_sum(old, value))
SHFLVIZ_ATOMIC(unsigned int, atomicAdd, old + value)
SHFLVIZ_ATOMIC(unsigned long long, atomicAdd, old + value)
SHFLVIZ_ATOMIC(float, atomicAdd, old + value)
SHFLVIZ_ATOMIC(double, atomicAdd, old + value)
SHFLVIZ_ATOMIC(int, atomicSub, (int)((unsigned int)old - (unsigned int)value))
SHFLVIZ_ATOMIC(unsigned int, atomicSub, old - value)
SHFLVIZ_ATOMIC(unsigned int, atomicInc, old >= value ? 0 : old + 1)
SHFLVIZ_ATOMIC(unsigned int, atomicDec, old == 0 || old > value ? value : old - 1)
SHFLVIZ_ATOMIC(float, atomicExch, ((void)old, value))

#define SHFLVIZ_ATOMIC_INTEGERS(T)                                                                 \
    SHFLVIZ_ATOMIC(T, atomicExch, ((void)old, value))                                              \
    SHFLVIZ_ATOMIC(T, atomicMin, value < old ? value : old)                                        \
    SHFLVIZ_ATOMIC(T, atomicMax, value > old ? value : old)                                        \
    SHFLVIZ_ATOMIC_BITS(T)
#define SHFLVIZ_ATOMIC_BITS(T)                                                                     \
    SHFLVIZ_ATOMIC(T, atomicAnd, old &value)                                                       \
    SHFLVIZ_ATOMIC(T, atomicOr, old | value)                                                       \
    SHFLVIZ_ATOMIC(T, atomicXor, old ^ value)
SHFLVIZ_ATOMIC_INTEGERS(int)
SHFLVIZ_ATOMIC_INTEGERS(unsigned int)
SHFLVIZ_ATOMIC_INTEGERS(unsigned long long)
SHFLVIZ_ATOMIC(long long, atomicMin, value < old ? value : old)
SHFLVIZ_ATOMIC(long long, atomicMax, value > old ? value : old)

#define SHFLVIZ_ATOMIC_CAS(T)                                                                      \
    static SHFLVIZ_ATOMIC_INLINE T atomicCAS(T *address, T compare, T value) {                     \
        return shflviz_atomic<2>(address,                                                          \
                                 [=](T old) -> T { return old == compare ? value : old; });        \
    }                                                                                              \
    static SHFLVIZ_ATOMIC_INLINE T atomicCAS_block(T *address, T compare, T value) {               \
        cpu_access_next(CPU_ACCESS_IN_BLOCK);                                                      \
        return atomicCAS(address, compare, value);                                                 \
    }                                                                                              \
    static SHFLVIZ_ATOMIC_INLINE T atomicCAS_system(T *address, T compare, T value) {              \
        return atomicCAS(address, compare, value);                                                 \
    }
SHFLVIZ_ATOMIC_CAS(int)
SHFLVIZ_ATOMIC_CAS(unsigned int)
SHFLVIZ_ATOMIC_CAS(unsigned long long)
SHFLVIZ_ATOMIC_CAS(unsigned short int)

/* For 16 bytes of any type (compute capability 9.0). */
template <class T> struct shflviz_is_wide {
    static const bool value = sizeof(T) == 16 && alignof(T) == 16 && __is_trivially_copyable(T);
};
template <class T, class = typename std::enable_if<shflviz_is_wide<T>::value>::type>
static SHFLVIZ_ATOMIC_INLINE T atomicCAS(T *address, T compare, T value) {
    return shflviz_atomic<2>(
        address, [=](T old) -> T { return memcmp(&old, &compare, sizeof old) == 0 ? value : old; });
}
template <class T, class = typename std::enable_if<shflviz_is_wide<T>::value>::type>
static SHFLVIZ_ATOMIC_INLINE T atomicExch(T *address, T value) {
    return shflviz_atomic(address, [=](T) -> T { return value; });
}
/* Each component is added by itself. */
static SHFLVIZ_ATOMIC_INLINE float2 atomicAdd(float2 *address, float2 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
static SHFLVIZ_ATOMIC_INLINE float4 atomicAdd(float4 *address, float4 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
            atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}

#undef SHFLVIZ_ATOMIC_INTEGERS
#undef SHFLVIZ_ATOMIC_BITS
#undef SHFLVIZ_ATOMIC_CAS

CUDACPU_DEVICE_END

#endif
