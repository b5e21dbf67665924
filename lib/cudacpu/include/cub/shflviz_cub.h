/*
 * shflviz_cub.h - CUB for the CPU warp: the common part. Each of CUB's own headers includes all of
 * it (shflviz_cub.h, shflviz_block.h, shflviz_device.h). Names and meanings are those of CUB's
 * documentation; operations of a warp or a block are made of shuffles that are recorded at the
 * calling line; operations of the whole device are kernels of one thread.
 */
#ifndef SHFLVIZ_CUDA_CUB_H
#define SHFLVIZ_CUDA_CUB_H

#include <cooperative_groups.h>
#include <cuda/std/functional>
#include <thrust/shflviz_thrust.h>

#include <cstdio>
#include <map>

CUDACPU_BOTH_BEGIN

#define CUB_VERSION                200800
#define CUB_MAX(a, b)              ((a) > (b) ? (a) : (b))
#define CUB_MIN(a, b)              ((a) < (b) ? (a) : (b))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_RUNTIME_FUNCTION       __host__ __device__
#define CUB_NAMESPACE_BEGIN        namespace cub {
#define CUB_NAMESPACE_END          }
#define CUB_PTX_ARCH               800
#define CUB_WARP_THREADS(unused)   32
#define CUB_PTX_WARP_THREADS       32

namespace cub {

typedef ::cooperative_groups::shflviz_details::caller shflviz_caller;
using ::cooperative_groups::shflviz_details::here;

/* ---- errors ---- */

static inline cudaError_t Debug(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess)
        fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", (int)error, file, line,
                cudaGetErrorString(error));
    return error;
}
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                            \
    if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__))                                          \
    exit(1)

/* ---- values and operators ---- */

template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
    bool operator==(const KeyValuePair &b) const { return key == b.key && value == b.value; }
    bool operator!=(const KeyValuePair &b) const { return !(*this == b); }
};

struct Sum {
    template <class A, class B> auto operator()(A &&a, B &&b) const { return a + b; }
};
struct Difference {
    template <class A, class B> auto operator()(A &&a, B &&b) const { return a - b; }
};
struct Division {
    template <class A, class B> auto operator()(A &&a, B &&b) const { return a / b; }
};
struct Max {
    template <class A, class B> std::common_type_t<A, B> operator()(A &&a, B &&b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <class A, class B> std::common_type_t<A, B> operator()(A &&a, B &&b) const {
        return b < a ? b : a;
    }
};
struct Equality {
    template <class A, class B> bool operator()(A &&a, B &&b) const { return a == b; }
};
struct Inequality {
    template <class A, class B> bool operator()(A &&a, B &&b) const { return a != b; }
};
/* Among equal values, the one with the lower key. */
struct ArgMax {
    template <class K, class V>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class K, class V>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
template <class T> struct CastOp {
    template <class A> T operator()(A &&a) const { return (T)a; }
};
template <class Op> struct SwizzleScanOp {
    Op op;
    SwizzleScanOp(Op o) : op(o) {}
    template <class T> T operator()(const T &a, const T &b) { return op(b, a); }
};

template <int N> struct Int2Type {
    enum { VALUE = N };
};
template <int N> struct Log2 {
    enum { VALUE = N <= 1 ? 0 : 1 + Log2<(N + 1) / 2>::VALUE };
};
template <> struct Log2<1> {
    enum { VALUE = 0 };
};
template <> struct Log2<0> {
    enum { VALUE = 0 };
};
struct NullType {};

template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

template <class Kernel>
static inline cudaError_t MaxSmOccupancy(int &blocks, Kernel kernel, int threads, int shared = 0) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, (size_t)shared);
}

/* ---- lanes ---- */

static inline int LaneId() {
    return (int)::cooperative_groups::shflviz_details::lane();
}
static inline int WarpId() {
    return (int)::cooperative_groups::shflviz_details::thread_in_block() / 32;
}
static inline int RowMajorTid(int, int, int) {
    return (int)::cooperative_groups::shflviz_details::thread_in_block();
}

/* The value of lane - offset, or its own value if that lane is before first_lane. */
template <int Width, class T>
static inline T ShuffleUp(T input, int offset, int first_lane, unsigned int mask,
                          shflviz_caller at = here()) {
    const shflviz_site *site = cpu_site(at.file, at.line, "cub::ShuffleUp(input, offset, ...)");
    if (LaneId() % Width - offset < first_lane)
        offset = 0;
    return ::cooperative_groups::shflviz_details::moved(
        input, [&](auto x) { return shflviz::shfl_up(site, mask, x, (unsigned)offset, Width); });
}
template <int Width, class T>
static inline T ShuffleDown(T input, int offset, int last_lane, unsigned int mask,
                            shflviz_caller at = here()) {
    const shflviz_site *site = cpu_site(at.file, at.line, "cub::ShuffleDown(input, offset, ...)");
    if (LaneId() % Width + offset > last_lane)
        offset = 0;
    return ::cooperative_groups::shflviz_details::moved(
        input, [&](auto x) { return shflviz::shfl_down(site, mask, x, (unsigned)offset, Width); });
}
template <int Width, class T>
static inline T ShuffleIndex(T input, int lane, unsigned int mask, shflviz_caller at = here()) {
    const shflviz_site *site = cpu_site(at.file, at.line, "cub::ShuffleIndex(input, lane, mask)");
    return ::cooperative_groups::shflviz_details::moved(
        input, [&](auto x) { return shflviz::shfl(site, mask, x, lane, Width); });
}

/* ---- loads, stores, iterators ---- */

enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier Modifier, class Iterator>
static inline typename std::iterator_traits<Iterator>::value_type ThreadLoad(Iterator at) {
    return *at;
}
template <CacheStoreModifier Modifier, class Iterator, class T>
static inline void ThreadStore(Iterator at, T value) {
    *at = value;
}

template <class T, class Offset = ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class Offset = ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T = void> using DiscardOutputIterator = thrust::discard_iterator;
template <class Value, class Operation, class Iterator, class Offset = ptrdiff_t>
struct TransformInputIterator
    : thrust::shflviz_iterator<TransformInputIterator<Value, Operation, Iterator>, Value> {
    Iterator at;
    Operation operation;
    TransformInputIterator(Iterator first, Operation op) : at(first), operation(op) {}
    Value operator*() const { return (Value)operation(*at); }
    void move(ptrdiff_t n) { at += n; }
    ptrdiff_t distance(const TransformInputIterator &other) const { return at - other.at; }
};
template <CacheLoadModifier Modifier, class Value, class Offset = ptrdiff_t>
struct CacheModifiedInputIterator
    : thrust::shflviz_iterator<CacheModifiedInputIterator<Modifier, Value>, Value> {
    const Value *at;
    CacheModifiedInputIterator(const Value *first) : at(first) {}
    Value operator*() const { return *at; }
    void move(ptrdiff_t n) { at += n; }
    ptrdiff_t distance(const CacheModifiedInputIterator &other) const { return at - other.at; }
};
/* Pairs of an index from 0 and a value. */
template <class Iterator, class Offset = int,
          class Value = typename std::iterator_traits<Iterator>::value_type>
struct ArgIndexInputIterator
    : thrust::shflviz_iterator<ArgIndexInputIterator<Iterator, Offset, Value>,
                               KeyValuePair<Offset, Value>> {
    Iterator first;
    Offset number;
    ArgIndexInputIterator(Iterator begin, Offset n = 0) : first(begin), number(n) {}
    KeyValuePair<Offset, Value> operator*() const { return {number, (Value)first[number]}; }
    void move(ptrdiff_t n) { number = (Offset)(number + n); }
    ptrdiff_t distance(const ArgIndexInputIterator &other) const { return number - other.number; }
    void normalize() {
        first += number;
        number = 0;
    }
};

/* ---- the caching allocator, which caches nothing: memory is freed immediately ---- */

struct CachingDeviceAllocator {
    bool debug;
    CachingDeviceAllocator(unsigned int = 8, unsigned int = 3, unsigned int = 7,
                           size_t = (size_t)-1, bool = false, bool debug_ = false)
        : debug(debug_) {}
    cudaError_t SetMaxCachedBytes(size_t) { return cudaSuccess; }
    cudaError_t DeviceAllocate(int, void **pointer, size_t bytes, cudaStream_t = nullptr) {
        return cudaMalloc(pointer, bytes);
    }
    cudaError_t DeviceAllocate(void **pointer, size_t bytes, cudaStream_t = nullptr) {
        return cudaMalloc(pointer, bytes);
    }
    cudaError_t DeviceFree(int, void *pointer) { return cudaFree(pointer); }
    cudaError_t DeviceFree(void *pointer) { return cudaFree(pointer); }
    cudaError_t FreeAllCached() { return cudaSuccess; }
};

} // namespace cub

#include "shflviz_block.h"
#include "shflviz_device.h"

CUDACPU_BOTH_END
#endif
