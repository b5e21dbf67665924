/*
 * ptx/memory.h - inline PTX: addresses, loads, stores, atomic operations.
 */
#ifndef SHFLVIZ_CUDA_PTX_MEMORY_H
#define SHFLVIZ_CUDA_PTX_MEMORY_H

#include "cudacpu/lane_watcher.h"
#include "cudacpu/ptx/base.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {
namespace ptx {

/* ---- addresses ---- */

/* A 32-bit register can hold only addresses of shared memory. */
template <class A, class O> SHFLVIZ_PTX char *at(A base, O offset) {
    return (char *)(uintptr_t)(as<bits_of_type<A>>(base) + (u64)(s64)offset);
}
template <class A, class O> SHFLVIZ_PTX char *at_shared(A base, O offset) {
    return (char *)__cvta_shared_to_generic((size_t)as<bits_of_type<A>>(base)) + (s64)offset;
}
template <class T, class A> SHFLVIZ_PTX T i_cvta(A a) {
    return as<T>(a);
}
template <class T, class A> SHFLVIZ_PTX T i_cvta_to(A a) {
    return as<T>(a);
}
template <class T, class A> SHFLVIZ_PTX T i_cvta_shared(A a) {
    return (T)(size_t)__cvta_shared_to_generic((size_t)as<bits_of_type<A>>(a));
}
template <class T, class A> SHFLVIZ_PTX T i_cvta_to_shared(A a) {
    return (T)__cvta_generic_to_shared((const void *)(uintptr_t)as<u64>(a));
}
template <class A> SHFLVIZ_PTX bool i_isspacep_shared(A a) {
    return __isShared((const void *)(uintptr_t)as<u64>(a));
}
template <class A> SHFLVIZ_PTX bool i_isspacep_global(A a) {
    return !i_isspacep_shared(a);
}

/* ---- loads and stores of one element of a vector ---- */

template <class T> SHFLVIZ_PTX T i_ld(char *address, size_t part) {
    return ((const T *)address)[part];
}
template <class T> SHFLVIZ_PTX T i_ld_volatile(char *address, size_t part) {
    return ((const volatile T *)address)[part];
}
template <class T> SHFLVIZ_PTX T i_ld_nc(char *address, size_t part) {
    CPU_READ_ONLY((const T *)address + part, sizeof(T));
    return i_ld<T>(address, part);
}
template <class T> SHFLVIZ_PTX T i_ld_atomic(char *address, size_t part) {
    return shflviz_atomic((T *)address + part, [](T old) { return old; });
}
template <class T, class V> SHFLVIZ_PTX void i_st(char *address, size_t part, V value) {
    ((T *)address)[part] = as<T>(value);
}
template <class T, class V> SHFLVIZ_PTX void i_st_volatile(char *address, size_t part, V value) {
    ((volatile T *)address)[part] = as<T>(value);
}
template <class T, class V> SHFLVIZ_PTX void i_st_atomic(char *address, size_t part, V value) {
    shflviz_atomic((T *)address + part, [=](T) { return as<T>(value); });
}

/* Several parts of one word, the lowest first. */
template <size_t part, size_t of, class T, class V> SHFLVIZ_PTX void pack(T &word, V value) {
    const int bits = 8 * sizeof(T) / of;
    const u64 mask = ~(u64)0 >> (64 - bits);
    u64 piece = 0;
    memcpy(&piece, &value, sizeof value < sizeof piece ? sizeof value : sizeof piece);
    word = (T)((u64)word | (piece & mask) << bits * part);
}
template <size_t part, size_t of, class T, class V> SHFLVIZ_PTX void unpack(T word, V &value) {
    const int bits = 8 * sizeof(T) / of;
    const u64 piece = (u64)word >> bits * part & (~(u64)0 >> (64 - bits));
    if constexpr (is_integer<V>::value)
        value = (V)piece;
    else
        memcpy(&value, &piece, sizeof value);
}

/* ---- atomic operations ---- */

#define SHFLVIZ_PTX_ATOMIC(name, expression)                                                       \
    template <class T, class V> SHFLVIZ_PTX T i_atom_##name(char *address, V value_) {             \
        const T value = as<T>(value_);                                                             \
        return shflviz_atomic((T *)address, [=](T old) -> T { return (T)(expression); });          \
    }                                                                                              \
    template <class T, class V> SHFLVIZ_PTX T i_red_##name(char *address, V value) {               \
        return i_atom_##name<T>(address, value);                                                   \
    }
SHFLVIZ_PTX_ATOMIC(add, old + value)
SHFLVIZ_PTX_ATOMIC(min, value < old ? value : old)
SHFLVIZ_PTX_ATOMIC(max, value > old ? value : old)
SHFLVIZ_PTX_ATOMIC(and, old &value)
SHFLVIZ_PTX_ATOMIC(or, old | value)
SHFLVIZ_PTX_ATOMIC(xor, old ^ value)
SHFLVIZ_PTX_ATOMIC(inc, old >= value ? 0 : old + 1)
SHFLVIZ_PTX_ATOMIC(dec, old == 0 || old > value ? value : old - 1)
SHFLVIZ_PTX_ATOMIC(exch, ((void)old, value))
#undef SHFLVIZ_PTX_ATOMIC
template <class T, class B, class C> SHFLVIZ_PTX T i_atom_cas(char *address, B compare_, C value_) {
    const T compare = as<T>(compare_), value = as<T>(value_);
    return shflviz_atomic<2>((T *)address,
                             [=](T old) -> T { return old == compare ? value : old; });
}

/* ---- asynchronous operations, done immediately here ---- */

SHFLVIZ_PTX int i_prefetch(const char *) {
    return 0;
}
SHFLVIZ_PTX int i_prefetchu(const char *) {
    return 0;
}
template <class N> SHFLVIZ_PTX int i_cp_async(char *to, const char *from, N bytes) {
    memcpy(to, from, (size_t)bytes);
    cpu_copy_begun(to, (size_t)bytes);
    return 0;
}
/* Bytes that are not copied are zero. */
template <class N, class S>
SHFLVIZ_PTX int i_cp_async(char *to, const char *from, N bytes, S size) {
    memcpy(to, from, (size_t)as<u32>(size));
    memset(to + as<u32>(size), 0, (size_t)bytes - as<u32>(size));
    cpu_copy_begun(to, (size_t)bytes);
    return 0;
}
SHFLVIZ_PTX int i_cp_async_commit_group() {
    cpu_copies_committed();
    return 0;
}
template <class N> SHFLVIZ_PTX int i_cp_async_wait_group(N left) {
    cpu_copies_waited((size_t)left);
    return 0;
}
SHFLVIZ_PTX int i_cp_async_wait_all() { /* including those of no group */
    i_cp_async_commit_group();
    return i_cp_async_wait_group(0);
}
SHFLVIZ_PTX int i_membar() {
    cpu_fence();
    return 0;
}
SHFLVIZ_PTX int i_fence() {
    cpu_fence();
    return 0;
}

} // namespace ptx
} // namespace shflviz

CUDACPU_DEVICE_END
#endif
