/*
 * record.cuh - records the warp operations of a CUDA source file without a change to its text.
 *
 *     nvcc -include shflviz/record.cuh kernel.cu          (for a GPU)
 *     g++ -include shflviz/record.cuh -x c++ kernel.cu    (for the CPU warp)
 *
 * It hides each warp intrinsic behind a macro of the same name. The macro knows the file, line and
 * text of the call and keeps them in a constant object; the function it calls records the argument,
 * the input and the output of every lane, and returns the intrinsic's result.
 *
 * - Values keep their types: the functions behind the macros have exactly the overloads that CUDA
 *   has, so that a short still becomes an int and a float stays a float.
 * - Calls may be nested and may be in templates and in lambdas.
 * - shflviz_watch(value) shows a variable between operations; see shflviz/watch.h.
 *
 * Where the records go depends on the device: record_gpu.cuh and, for the CPU warp, record_cpu.h.
 * The layout of a record is that of trace/record.h.
 */
#ifndef SHFLVIZ_RECORD_CUH
#define SHFLVIZ_RECORD_CUH

#define SHFLVIZ_RECORDING 1

#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "shflviz/site.h"
#include "shflviz/watch.h"

/* nvcc does not accept __func__ in a constant; there the name stays empty. */
#if defined(__CUDACC__) && !defined(CUDACPU_CLANG)
#define SHFLVIZ_FUNCTION ""
#else
#define SHFLVIZ_FUNCTION __func__
#endif

/* The site of a call, as a pointer to a constant object of its own. */
#define SHFLVIZ_SITE_OBJECT(text_)                                                                 \
    (__extension__({                                                                               \
        static const struct shflviz_site shflviz_site_ = {__FILE__, SHFLVIZ_FUNCTION, text_,       \
                                                          __LINE__};                               \
        &shflviz_site_;                                                                            \
    }))

/* A GPU does not report local variables, but a warp operation can pass on those of its line: for
 * `--show sum@12` a generated header defines SHFLVIZ_SHOW_12 as `~, SHFLVIZ_SHOWN(sum)`. Other
 * lines have no such macro, and show nothing. */
#ifdef SHFLVIZ_GPU_PROGRAM
#define SHFLVIZ_SHOWN(value)               shflviz::watch(SHFLVIZ_SITE_OBJECT(#value), value);
#define SHFLVIZ_SECOND(first, second, ...) second
#define SHFLVIZ_SHOW_OR_NOTHING(...)       SHFLVIZ_SECOND(__VA_ARGS__, , )
#define SHFLVIZ_JOIN(one, other)           one##other
#define SHFLVIZ_SHOW_AT(line)              SHFLVIZ_SHOW_OR_NOTHING(SHFLVIZ_JOIN(SHFLVIZ_SHOW_, line))
#define SHFLVIZ_SITE(text_)                                                                        \
    (__extension__({ SHFLVIZ_SHOW_AT(__LINE__) SHFLVIZ_SITE_OBJECT(text_); }))
#else
#define SHFLVIZ_SITE(text_) SHFLVIZ_SITE_OBJECT(text_)
#endif

namespace shflviz {

/* enum warp_op of warp/warp.h; a test compares the two. */
enum op {
    OP_IDX = 0,
    OP_UP = 1,
    OP_DOWN = 2,
    OP_XOR = 3,
    OP_BALLOT = 4,
    OP_ANY = 5,
    OP_ALL = 6,
    OP_MATCH_ANY = 7,
    OP_MATCH_ALL = 8,
    OP_REDUCE_ADD = 9,
    OP_REDUCE_MIN = 10,
    OP_REDUCE_MAX = 11,
    OP_REDUCE_AND = 12,
    OP_REDUCE_OR = 13,
    OP_REDUCE_XOR = 14,
    OP_SYNC = 15,
    OP_ACTIVEMASK = 16,
    OP_WATCH = 17
};

/* enum warp_type of warp/type.h; likewise. */
enum type {
    TYPE_INT = 0,
    TYPE_UNSIGNED = 1,
    TYPE_LONG = 2,
    TYPE_UNSIGNED_LONG = 3,
    TYPE_LONG_LONG = 4,
    TYPE_UNSIGNED_LONG_LONG = 5,
    TYPE_FLOAT = 6,
    TYPE_DOUBLE = 7,
    TYPE_HALF = 8,
    TYPE_HALF2 = 9,
    TYPE_BFLOAT16 = 10,
    TYPE_BFLOAT162 = 11,
    TYPE_NONE = 12
};

template <class T> struct type_of;

#define SHFLVIZ_ARITHMETIC_TYPES(X)                                                                \
    X(int, TYPE_INT)                                                                               \
    X(unsigned int, TYPE_UNSIGNED)                                                                 \
    X(long, TYPE_LONG)                                                                             \
    X(unsigned long, TYPE_UNSIGNED_LONG)                                                           \
    X(long long, TYPE_LONG_LONG)                                                                   \
    X(unsigned long long, TYPE_UNSIGNED_LONG_LONG)                                                 \
    X(float, TYPE_FLOAT)                                                                           \
    X(double, TYPE_DOUBLE)
#define SHFLVIZ_TYPES(X)                                                                           \
    SHFLVIZ_ARITHMETIC_TYPES(X)                                                                    \
    X(__half, TYPE_HALF)                                                                           \
    X(__half2, TYPE_HALF2)                                                                         \
    X(__nv_bfloat16, TYPE_BFLOAT16)                                                                \
    X(__nv_bfloat162, TYPE_BFLOAT162)

#define SHFLVIZ_TYPE_OF(T, number_)                                                                \
    template <> struct type_of<T> {                                                                \
        enum { number = number_ };                                                                 \
    };
SHFLVIZ_TYPES(SHFLVIZ_TYPE_OF)
#undef SHFLVIZ_TYPE_OF

} // namespace shflviz

#if defined(__CUDACC__) && !defined(CUDACPU_CLANG)
#include "shflviz/record_gpu.cuh"
#else
#include "simt/warp_operations.h"
#endif

/* ---- the overloads that CUDA has ---- */

namespace shflviz {

/* Inlined at the call, so that the CPU warp switches lanes at that point. */
#define SHFLVIZ_INLINE static __device__ __forceinline__

#define SHFLVIZ_VALUE_OVERLOADS(T, number_)                                                        \
    SHFLVIZ_INLINE T shfl(const shflviz_site *site, unsigned int mask, T value, int src_lane,      \
                          int width = 32) {                                                        \
        return operation<OP_IDX, T, T>(site, mask, value, src_lane, width);                        \
    }                                                                                              \
    SHFLVIZ_INLINE T shfl_up(const shflviz_site *site, unsigned int mask, T value,                 \
                             unsigned int delta, int width = 32) {                                 \
        return operation<OP_UP, T, T>(site, mask, value, (int)delta, width);                       \
    }                                                                                              \
    SHFLVIZ_INLINE T shfl_down(const shflviz_site *site, unsigned int mask, T value,               \
                               unsigned int delta, int width = 32) {                               \
        return operation<OP_DOWN, T, T>(site, mask, value, (int)delta, width);                     \
    }                                                                                              \
    SHFLVIZ_INLINE T shfl_xor(const shflviz_site *site, unsigned int mask, T value, int lane_mask, \
                              int width = 32) {                                                    \
        return operation<OP_XOR, T, T>(site, mask, value, lane_mask, width);                       \
    }                                                                                              \
    SHFLVIZ_INLINE void watch(const shflviz_site *site, T value) {                                 \
        show<T>(site, value);                                                                      \
    }
SHFLVIZ_TYPES(SHFLVIZ_VALUE_OVERLOADS)
#undef SHFLVIZ_VALUE_OVERLOADS

#define SHFLVIZ_MATCH_OVERLOADS(T, number_)                                                        \
    SHFLVIZ_INLINE unsigned int match_any(const shflviz_site *site, unsigned int mask, T value) {  \
        return operation<OP_MATCH_ANY, unsigned int, T>(site, mask, value, 0, 0);                  \
    }                                                                                              \
    SHFLVIZ_INLINE unsigned int match_all(const shflviz_site *site, unsigned int mask, T value,    \
                                          int *pred) {                                             \
        unsigned int equal = operation<OP_MATCH_ALL, unsigned int, T>(site, mask, value, 0, 0);    \
        *pred = equal != 0;                                                                        \
        return equal;                                                                              \
    }
SHFLVIZ_ARITHMETIC_TYPES(SHFLVIZ_MATCH_OVERLOADS)
#undef SHFLVIZ_MATCH_OVERLOADS

SHFLVIZ_INLINE unsigned int ballot(const shflviz_site *site, unsigned int mask, int predicate) {
    return operation<OP_BALLOT, unsigned int, int>(site, mask, predicate, 0, 0);
}
SHFLVIZ_INLINE int any(const shflviz_site *site, unsigned int mask, int predicate) {
    return operation<OP_ANY, int, int>(site, mask, predicate, 0, 0);
}
SHFLVIZ_INLINE int all(const shflviz_site *site, unsigned int mask, int predicate) {
    return operation<OP_ALL, int, int>(site, mask, predicate, 0, 0);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800 /* like the intrinsics themselves */
#define SHFLVIZ_REDUCE(T, name, op_)                                                               \
    SHFLVIZ_INLINE T name(const shflviz_site *site, unsigned int mask, T value) {                  \
        return operation<op_, T, T>(site, mask, value, 0, 0);                                      \
    }
SHFLVIZ_REDUCE(int, reduce_add, OP_REDUCE_ADD)
SHFLVIZ_REDUCE(int, reduce_min, OP_REDUCE_MIN)
SHFLVIZ_REDUCE(int, reduce_max, OP_REDUCE_MAX)
SHFLVIZ_REDUCE(unsigned int, reduce_add, OP_REDUCE_ADD)
SHFLVIZ_REDUCE(unsigned int, reduce_min, OP_REDUCE_MIN)
SHFLVIZ_REDUCE(unsigned int, reduce_max, OP_REDUCE_MAX)
SHFLVIZ_REDUCE(unsigned int, reduce_and, OP_REDUCE_AND)
SHFLVIZ_REDUCE(unsigned int, reduce_or, OP_REDUCE_OR)
SHFLVIZ_REDUCE(unsigned int, reduce_xor, OP_REDUCE_XOR)
#undef SHFLVIZ_REDUCE

#ifdef SHFLVIZ_SIMT_WARP_OPERATIONS_H
/* CUDA has a single overload of each, for unsigned int, and converts a 64-bit integer or a float
 * to it without a warning. */
#define SHFLVIZ_REDUCE_NARROWED(name)                                                              \
    template <class T>                                                                             \
    SHFLVIZ_INLINE typename narrowed<T>::result name(const shflviz_site *site, unsigned int mask,  \
                                                     T value) {                                    \
        if ((T)(unsigned int)value != value)                                                       \
            cpu_value_narrowed(site, (int)sizeof(T), narrowed<T>::is_float);                       \
        return name(site, mask, (unsigned int)value);                                              \
    }
SHFLVIZ_REDUCE_NARROWED(reduce_and)
SHFLVIZ_REDUCE_NARROWED(reduce_or)
SHFLVIZ_REDUCE_NARROWED(reduce_xor)
#undef SHFLVIZ_REDUCE_NARROWED
#endif
#endif

/* Can be called with the arguments of __syncwarp(), including none. */
struct syncwarp {
    const shflviz_site *site;
    __device__ __forceinline__ void operator()(unsigned int mask = 0xffffffffu) const {
        synchronise(site, mask);
    }
};
SHFLVIZ_INLINE unsigned int activemask(const shflviz_site *site) {
    return query(site);
}

} // namespace shflviz

/* ---- the names that kernels call ---- */

#define __shfl_sync(...) shflviz::shfl(SHFLVIZ_SITE("__shfl_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __shfl_up_sync(...)                                                                        \
    shflviz::shfl_up(SHFLVIZ_SITE("__shfl_up_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __shfl_down_sync(...)                                                                      \
    shflviz::shfl_down(SHFLVIZ_SITE("__shfl_down_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __shfl_xor_sync(...)                                                                       \
    shflviz::shfl_xor(SHFLVIZ_SITE("__shfl_xor_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __ballot_sync(...)                                                                         \
    shflviz::ballot(SHFLVIZ_SITE("__ballot_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __any_sync(...) shflviz::any(SHFLVIZ_SITE("__any_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __all_sync(...) shflviz::all(SHFLVIZ_SITE("__all_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __match_any_sync(...)                                                                      \
    shflviz::match_any(SHFLVIZ_SITE("__match_any_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __match_all_sync(...)                                                                      \
    shflviz::match_all(SHFLVIZ_SITE("__match_all_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __reduce_add_sync(...)                                                                     \
    shflviz::reduce_add(SHFLVIZ_SITE("__reduce_add_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __reduce_min_sync(...)                                                                     \
    shflviz::reduce_min(SHFLVIZ_SITE("__reduce_min_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __reduce_max_sync(...)                                                                     \
    shflviz::reduce_max(SHFLVIZ_SITE("__reduce_max_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __reduce_and_sync(...)                                                                     \
    shflviz::reduce_and(SHFLVIZ_SITE("__reduce_and_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __reduce_or_sync(...)                                                                      \
    shflviz::reduce_or(SHFLVIZ_SITE("__reduce_or_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __reduce_xor_sync(...)                                                                     \
    shflviz::reduce_xor(SHFLVIZ_SITE("__reduce_xor_sync(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define __syncwarp(...)                                                                            \
    (shflviz::syncwarp{SHFLVIZ_SITE("__syncwarp(" #__VA_ARGS__ ")")}(__VA_ARGS__))
#define __activemask() shflviz::activemask(SHFLVIZ_SITE("__activemask()"))

#define shflviz_watch(value) shflviz::watch(SHFLVIZ_SITE(#value), value)

#ifdef CUDACPU_CLANG
/* nvcc also accepts alignas() after other words of a declaration: __shared__ alignas(16) char
 * c[64]. */
template <class T> constexpr decltype(sizeof 0) cudacpu_alignment() {
    return alignof(T);
}
template <decltype(sizeof 0) bytes> constexpr decltype(sizeof 0) cudacpu_alignment() {
    return bytes;
}
#define alignas(...) __attribute__((aligned(cudacpu_alignment<__VA_ARGS__>())))
/* Macros that nvcc defines; from here on the user's code is compiled. */
#define __NVCC__             1
#define __CUDACC__           1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#endif

#endif
