/*
 * warp_operations.h - the base of record.cuh where the CPU warp runs the kernel.
 *
 * The CPU warp itself exchanges the values and records each operation when it is complete, so here
 * a recorded intrinsic is just the intrinsic.
 */
#ifndef SHFLVIZ_SIMT_WARP_OPERATIONS_H
#define SHFLVIZ_SIMT_WARP_OPERATIONS_H

#include "simt/lane.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {

template <class T> static inline __attribute__((always_inline)) uint64_t bits_of(T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> static inline __attribute__((always_inline)) T value_of(uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* One shuffle, vote, match or reduction; its result has type R. */
template <int which, class R, class T>
static inline __attribute__((always_inline)) R
operation(const shflviz_site *site, unsigned int members, T value, int arg, int width) {
    if constexpr (sizeof(T) == 8)
        return value_of<R>(
            cpu_operation_64(site, which, type_of<T>::number, members, bits_of(value), arg, width));
    else
        return value_of<R>(cpu_operation_32(site, which, type_of<T>::number, members,
                                            (uint32_t)bits_of(value), arg, width));
}

/* The forms without _sync in old programs: the lanes that are there take part, and no mask names
 * them. */
enum { NO_MASK = 128 }; /* CPU_CALL_NO_MASK */
#define SHFLVIZ_OLD_OVERLOADS(T, number_)                                                          \
    static inline __attribute__((always_inline)) T old_shfl(const shflviz_site *site, T value,     \
                                                            int src_lane, int width = 32) {        \
        return operation<OP_IDX | NO_MASK, T, T>(site, 0, value, src_lane, width);                 \
    }                                                                                              \
    static inline __attribute__((always_inline)) T old_shfl_up(                                    \
        const shflviz_site *site, T value, unsigned int delta, int width = 32) {                   \
        return operation<OP_UP | NO_MASK, T, T>(site, 0, value, (int)delta, width);                \
    }                                                                                              \
    static inline __attribute__((always_inline)) T old_shfl_down(                                  \
        const shflviz_site *site, T value, unsigned int delta, int width = 32) {                   \
        return operation<OP_DOWN | NO_MASK, T, T>(site, 0, value, (int)delta, width);              \
    }                                                                                              \
    static inline __attribute__((always_inline)) T old_shfl_xor(const shflviz_site *site, T value, \
                                                                int lane_mask, int width = 32) {   \
        return operation<OP_XOR | NO_MASK, T, T>(site, 0, value, lane_mask, width);                \
    }
SHFLVIZ_TYPES(SHFLVIZ_OLD_OVERLOADS)
#undef SHFLVIZ_OLD_OVERLOADS
template <int which, class R>
static inline __attribute__((always_inline)) R old_vote(const shflviz_site *site, int predicate) {
    return operation<which | NO_MASK, R, int>(site, 0, predicate, 0, 0);
}

static inline void synchronise(const shflviz_site *site, unsigned int members) {
    cpu_operation_32(site, OP_SYNC, TYPE_NONE, members, 0, 0, 0);
}

/* Types that do not fit an unsigned int but are converted to one (record.cuh). */
template <class T> struct narrowed {};
#define SHFLVIZ_NARROWED(T, is_float_)                                                             \
    template <> struct narrowed<T> {                                                               \
        typedef unsigned int result;                                                               \
        enum { is_float = is_float_ };                                                             \
    };
SHFLVIZ_NARROWED(long, 0)
SHFLVIZ_NARROWED(unsigned long, 0)
SHFLVIZ_NARROWED(long long, 0)
SHFLVIZ_NARROWED(unsigned long long, 0)
SHFLVIZ_NARROWED(float, 1)
SHFLVIZ_NARROWED(double, 1)
#undef SHFLVIZ_NARROWED

/* Lanes meet without ordering memory: nvcuda::wmma (mma.h). */
enum { NO_ORDER = 64 }; /* CPU_CALL_NO_ORDER */
static inline void meet(const shflviz_site *site, unsigned int members) {
    cpu_operation_32(site, OP_SYNC | NO_ORDER, TYPE_NONE, members, 0, 0, 0);
}

static inline unsigned int query(const shflviz_site *site) {
    return cpu_operation_32(site, OP_ACTIVEMASK, TYPE_UNSIGNED, 0, 0, 0, 0);
}

template <class T> static inline void show(const shflviz_site *site, T value) {
    cpu_watch(site, type_of<T>::number, bits_of(value));
}

} // namespace shflviz

CUDACPU_DEVICE_END

#define __shfl(...) shflviz::old_shfl(SHFLVIZ_SITE("__shfl(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __shfl_up(...)                                                                             \
    shflviz::old_shfl_up(SHFLVIZ_SITE("__shfl_up(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __shfl_down(...)                                                                           \
    shflviz::old_shfl_down(SHFLVIZ_SITE("__shfl_down(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __shfl_xor(...)                                                                            \
    shflviz::old_shfl_xor(SHFLVIZ_SITE("__shfl_xor(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __ballot(...)                                                                              \
    (shflviz::old_vote<shflviz::OP_BALLOT, unsigned int>(                                          \
        SHFLVIZ_SITE("__ballot(" #__VA_ARGS__ ")"), (__VA_ARGS__) != 0))
#define __any(...)                                                                                 \
    (shflviz::old_vote<shflviz::OP_ANY, int>(SHFLVIZ_SITE("__any(" #__VA_ARGS__ ")"),              \
                                             (__VA_ARGS__) != 0))
#define __all(...)                                                                                 \
    (shflviz::old_vote<shflviz::OP_ALL, int>(SHFLVIZ_SITE("__all(" #__VA_ARGS__ ")"),              \
                                             (__VA_ARGS__) != 0))

/* The block's barrier is not recorded; the CPU warp keeps its call for messages. */
#define __syncthreads() cpu_block_barrier(SHFLVIZ_SITE("__syncthreads()"), 0)
#define __syncthreads_count(...)                                                                   \
    (cpu_block_barrier(SHFLVIZ_SITE("__syncthreads_count(" #__VA_ARGS__ ")"), (__VA_ARGS__) != 0), \
     cpu_block_barrier_result())
#define __syncthreads_or(...)                                                                      \
    (cpu_block_barrier(SHFLVIZ_SITE("__syncthreads_or(" #__VA_ARGS__ ")"), (__VA_ARGS__) != 0),    \
     cpu_block_barrier_result() != 0)
#define __syncthreads_and(...)                                                                     \
    (cpu_block_barrier(SHFLVIZ_SITE("__syncthreads_and(" #__VA_ARGS__ ")"), (__VA_ARGS__) != 0),   \
     cpu_block_barrier_result() == cpu_block_barrier_threads())

#endif
