/*
 * nv_atomic_functions.h - nvcc's built-in atomic functions (CUDA C++ Programming Guide, "Atomic
 * Functions", `__nv_atomic_*`). Orders and scopes only matter to memory checkers.
 */
#ifndef SHFLVIZ_CUDA_NV_ATOMIC_FUNCTIONS_H
#define SHFLVIZ_CUDA_NV_ATOMIC_FUNCTIONS_H

#include "device_atomic_functions.h"

CUDACPU_DEVICE_BEGIN

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5

#define __NV_THREAD_SCOPE_THREAD  0
#define __NV_THREAD_SCOPE_BLOCK   1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE  3
#define __NV_THREAD_SCOPE_SYSTEM  4

#define SHFLVIZ_SCOPE int scope = __NV_THREAD_SCOPE_SYSTEM

namespace shflviz {
template <class T> struct same { /* whose type is not deduced from the call */
    typedef T type;
};
template <class T> using given = typename same<T>::type;
static inline void nv_next(int order, int scope, unsigned kind = 0) {
    if (order == __NV_ATOMIC_RELAXED || order == __NV_ATOMIC_RELEASE)
        kind |= CPU_ACCESS_RELAXED;
    if (order >= __NV_ATOMIC_RELEASE)
        kind |= CPU_ACCESS_RELEASE;
    cpu_access_next(kind | (scope <= __NV_THREAD_SCOPE_BLOCK ? (unsigned)CPU_ACCESS_IN_BLOCK : 0u));
}
template <class T> static inline T atomic_sum(T a, T b) {
    if constexpr (std::is_integral<T>::value)
        return (T)((unsigned long long)a + (unsigned long long)b);
    else
        return a + b;
}
} // namespace shflviz

template <class T>
static SHFLVIZ_ATOMIC_INLINE T __nv_atomic_load_n(T *from, int order, SHFLVIZ_SCOPE) {
    shflviz::nv_next(order, scope, CPU_ACCESS_LOADS);
    return shflviz_atomic(from, [](T old) -> T { return old; });
}
template <class T>
static SHFLVIZ_ATOMIC_INLINE void __nv_atomic_load(T *from, T *to, int order, SHFLVIZ_SCOPE) {
    *to = __nv_atomic_load_n(from, order, scope);
}
template <class T>
static SHFLVIZ_ATOMIC_INLINE T __nv_atomic_exchange_n(T *to, shflviz::given<T> value, int order,
                                                      SHFLVIZ_SCOPE) {
    shflviz::nv_next(order, scope);
    return shflviz_atomic(to, [value](T) -> T { return value; });
}
template <class T>
static SHFLVIZ_ATOMIC_INLINE void __nv_atomic_exchange(T *to, T *value, T *old, int order,
                                                       SHFLVIZ_SCOPE) {
    *old = __nv_atomic_exchange_n(to, *value, order, scope);
}
template <class T>
static SHFLVIZ_ATOMIC_INLINE void __nv_atomic_store_n(T *to, shflviz::given<T> value, int order,
                                                      SHFLVIZ_SCOPE) {
    shflviz::nv_next(order, scope, CPU_ACCESS_STORES);
    shflviz_atomic(to, [value](T) -> T { return value; });
}
template <class T>
static SHFLVIZ_ATOMIC_INLINE void __nv_atomic_store(T *to, T *value, int order, SHFLVIZ_SCOPE) {
    __nv_atomic_store_n(to, *value, order, scope);
}
template <class T>
static SHFLVIZ_ATOMIC_INLINE bool __nv_atomic_compare_exchange_n(T *to, T *expected,
                                                                 shflviz::given<T> value, bool,
                                                                 int order, int, SHFLVIZ_SCOPE) {
    shflviz::nv_next(order, scope);
    const T wanted = *expected;
    const T old =
        shflviz_atomic<2>(to, [wanted, value](T was) -> T { return was == wanted ? value : was; });
    *expected = old;
    return old == wanted;
}
template <class T>
static SHFLVIZ_ATOMIC_INLINE bool __nv_atomic_compare_exchange(T *to, T *expected, T *value,
                                                               bool weak, int success, int failure,
                                                               SHFLVIZ_SCOPE) {
    return __nv_atomic_compare_exchange_n(to, expected, *value, weak, success, failure, scope);
}

#define SHFLVIZ_NV_ATOMIC(name, expression)                                                        \
    template <class T>                                                                             \
    static SHFLVIZ_ATOMIC_INLINE T __nv_atomic_fetch_##name(T *to, shflviz::given<T> value,        \
                                                            int order, SHFLVIZ_SCOPE) {            \
        shflviz::nv_next(order, scope);                                                            \
        return shflviz_atomic(to, [value](T old) -> T { return expression; });                     \
    }                                                                                              \
    template <class T>                                                                             \
    static SHFLVIZ_ATOMIC_INLINE void __nv_atomic_##name(T *to, shflviz::given<T> value,           \
                                                         int order, SHFLVIZ_SCOPE) {               \
        __nv_atomic_fetch_##name(to, value, order, scope);                                         \
    }
SHFLVIZ_NV_ATOMIC(add, shflviz::atomic_sum(old, value))
SHFLVIZ_NV_ATOMIC(sub, shflviz::atomic_sum(old, (T)(0 - value)))
SHFLVIZ_NV_ATOMIC(and, (T)(old &value))
SHFLVIZ_NV_ATOMIC(or, (T)(old | value))
SHFLVIZ_NV_ATOMIC(xor, (T)(old ^ value))
SHFLVIZ_NV_ATOMIC(min, value < old ? value : old)
SHFLVIZ_NV_ATOMIC(max, value > old ? value : old)
#undef SHFLVIZ_NV_ATOMIC
#undef SHFLVIZ_SCOPE

static inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order == __NV_ATOMIC_RELAXED)
        return;
    if (scope <= __NV_THREAD_SCOPE_BLOCK)
        cpu_access_next(CPU_ACCESS_IN_BLOCK);
    cpu_fence();
}

CUDACPU_DEVICE_END

#endif
