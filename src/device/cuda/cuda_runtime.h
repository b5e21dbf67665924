/*
 * cuda_runtime.h - CUDA C++ for the host's compiler: what a kernel and its host code need to run on
 * the CPU warp. The warp operations come from shflviz/record.cuh.
 *
 * Names and meanings are those of the CUDA Toolkit. What differs:
 *  - a file that declares an `extern __shared__` array is compiled with
 *    -DSHFLVIZ_DYNAMIC_SHARED=NAME, the array's name (CMake's shflviz_kernel_sources() does);
 *  - kernels are launched with cudaLaunchKernel(), since <<<>>> is no C++.
 */
#ifndef SHFLVIZ_CUDA_CUDA_RUNTIME_H
#define SHFLVIZ_CUDA_CUDA_RUNTIME_H

#include "shflviz/cpu/lane.h"
#include "shflviz/cpu/runtime.h"

#include <cstdio> /* before printf and clock are redefined below: these take such macros away */
#include <ctime>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

/* ---- the language ---- */

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif

/*
 * Blocks run one after another, so a block's shared memory may be static. Each variable lies in a
 * section by which the device finds it (runtime.c) and fills it with garbage at every block's
 * start: a kernel that relies on zeros is found out. The sections are numbered because GCC refuses
 * one that variables of templates and of plain functions share. An `extern` array needs a storage
 * class that may follow extern; see SHFLVIZ_DYNAMIC_SHARED below.
 */
#define SHFLVIZ_TEXT_(name) #name
#define SHFLVIZ_TEXT(name)  SHFLVIZ_TEXT_(name)
#if defined(SHFLVIZ_OWN_PROGRAM) /* device/own/translate.c sees to it */
#elif defined(SHFLVIZ_DYNAMIC_SHARED)
#define __shared__ thread_local
#elif defined(__ELF__)
#define __shared__ __attribute__((section("shflviz_shared_" SHFLVIZ_TEXT(__COUNTER__)))) static
#else
#define __shared__ static
#endif

#define threadIdx (static_cast<const uint3 &>(cpu_now.lane->thread_index))
#define blockIdx  (static_cast<const uint3 &>(cpu_now.block_index))
#define blockDim  (static_cast<const dim3 &>(cpu_now.block_dim))
#define gridDim   (static_cast<const dim3 &>(cpu_now.grid_dim))
static constexpr int warpSize = CPU_WARP_LANES;

/* A kernel's text is kept until the next synchronisation, so that it does not run into a screen. */
#define printf(...) cpu_runtime_printf(__VA_ARGS__)
namespace std {
using ::cpu_runtime_printf;
}

/* ---- dynamic shared memory ---- */

#if defined(SHFLVIZ_OWN_PROGRAM)
static inline void *shflviz_shared_memory() {
    return cpu_dynamic_shared;
}
#elif defined(SHFLVIZ_DYNAMIC_SHARED)
/* The array that `extern __shared__` names, under its own name; weak, since several files may call
 * theirs the same. */
__asm__(
    ".pushsection .tbss.shflviz,\"awT\",%nobits\n"
    ".balign 128\n"
    ".weak " SHFLVIZ_TEXT(
        SHFLVIZ_DYNAMIC_SHARED) "\n"
                                ".type " SHFLVIZ_TEXT(
                                    SHFLVIZ_DYNAMIC_SHARED) ", %object\n"
                                                            ".size " SHFLVIZ_TEXT(SHFLVIZ_DYNAMIC_SHARED) ", " SHFLVIZ_TEXT(CPU_SHARED_BYTES) "\n" SHFLVIZ_TEXT(
                                                                SHFLVIZ_DYNAMIC_SHARED) ": "
                                                                                        ".zero"
                                                                                        " " SHFLVIZ_TEXT(
                                                                                            CPU_SHARED_BYTES) "\n"
                                                                                                              ".popsection");
extern __thread char shflviz_dynamic_shared[] __asm__(SHFLVIZ_TEXT(SHFLVIZ_DYNAMIC_SHARED));
static inline void *shflviz_shared_memory() {
    return shflviz_dynamic_shared;
}
#else
static inline void *shflviz_shared_memory() {
    return nullptr;
}
#endif

/* ---- the runtime API ---- */

typedef cudaError cudaError_t;
typedef struct shflviz_stream *cudaStream_t;
typedef struct shflviz_event {
    double milliseconds;
} * cudaEvent_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

static inline cudaError_t cudaMalloc(void **pointer, size_t size) {
    return (cudaError_t)cpu_runtime_malloc(pointer, size);
}
template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t size) {
    return cudaMalloc(reinterpret_cast<void **>(pointer), size);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned = 1) {
    return cudaMalloc(pointer, size);
}
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t size) {
    return cudaMalloc(pointer, size);
}
static inline cudaError_t cudaFree(void *pointer) {
    return (cudaError_t)cpu_runtime_free(pointer);
}
static inline cudaError_t cudaFreeHost(void *pointer) {
    return cudaFree(pointer);
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind) {
    if ((unsigned)kind > cudaMemcpyDefault)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidMemcpyDirection);
    if (size && (!to || !from))
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    if (size)
        cpu_runtime_copy(to, from, size);
    return (cudaError_t)cpu_runtime_synchronize();
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                                          cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpy(to, from, size, kind);
}
static inline cudaError_t cudaMemset(void *to, int value, size_t size) {
    if (size && !to)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    if (size)
        cpu_runtime_fill(to, value, size);
    return cudaSuccess;
}
static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t size,
                                          cudaStream_t = nullptr) {
    return cudaMemset(to, value, size);
}

static inline cudaError_t cudaGetLastError() {
    return (cudaError_t)cpu_runtime_error(1);
}
static inline cudaError_t cudaPeekAtLastError() {
    return (cudaError_t)cpu_runtime_error(0);
}
static inline const char *cudaGetErrorString(cudaError_t error) {
    return cpu_runtime_error_string(error);
}
static inline const char *cudaGetErrorName(cudaError_t error) {
    return cpu_runtime_error_name(error);
}
static inline cudaError_t cudaDeviceSynchronize() {
    return (cudaError_t)cpu_runtime_synchronize();
}
static inline cudaError_t cudaDeviceReset() {
    return (cudaError_t)cpu_runtime_reset();
}
static inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidDevice);
}

/* Everything is done when a call returns, so streams are all one and events are moments. */
static inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    *stream = nullptr;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaDeviceSynchronize();
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = static_cast<cudaEvent_t>(calloc(1, sizeof **event));
    return *event ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    free(event);
    return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
    event->milliseconds = cpu_runtime_milliseconds();
    return cudaSuccess;
}
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return cudaDeviceSynchronize();
}
static inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                               cudaEvent_t end) {
    *milliseconds = (float)(end->milliseconds - start->milliseconds);
    return cudaSuccess;
}

/* A kernel and its arguments, to be called once in every thread. */
template <class... Parameters> struct shflviz_kernel_call {
    void (*kernel)(Parameters...);
    void **arguments;

    template <size_t... Index> void run(std::index_sequence<Index...>) const {
        kernel(*static_cast<Parameters *>(arguments[Index])...);
    }
    static void run(void *context) {
        static_cast<const shflviz_kernel_call *>(context)->run(
            std::index_sequence_for<Parameters...>());
    }
};

template <class... Parameters>
static inline cudaError_t shflviz_launch(const char *name, void (*kernel)(Parameters...), dim3 grid,
                                         dim3 block, void **arguments, size_t shared = 0,
                                         cudaStream_t = nullptr) {
    shflviz_kernel_call<Parameters...> call = {kernel, arguments};
    return (cudaError_t)cpu_runtime_launch(name, &shflviz_kernel_call<Parameters...>::run, &call,
                                           grid, block, shflviz_shared_memory(), shared);
}
/* The launch that takes a function pointer; its text gives the kernel's name. */
#define cudaLaunchKernel(...) shflviz_launch(#__VA_ARGS__, __VA_ARGS__)

/* kernel<<<shape>>>(arguments), as device/own/translate.c writes it: arguments are evaluated once,
 * and every thread gets its copy, or the thing itself where the kernel takes a reference. */
namespace shflviz {
struct shape {
    dim3 grid, block;
    size_t shared;
    shape(dim3 grid_, dim3 block_, size_t shared_ = 0, cudaStream_t = nullptr)
        : grid(grid_), block(block_), shared(shared_) {}
};
template <class Kernel> struct launcher {
    const char *name;
    Kernel kernel;
    shape on;
    launcher(const char *name_, Kernel kernel_, const shape &on_)
        : name(name_), kernel(kernel_), on(on_) {}
    template <class... Arguments> void run(Arguments &&...arguments) {
        auto call = [&] { kernel(arguments...); };
        cpu_runtime_launch(
            name, [](void *context) { (*static_cast<decltype(call) *>(context))(); }, &call,
            on.grid, on.block, shflviz_shared_memory(), on.shared);
    }
};
} // namespace shflviz

/* ---- what threads share ---- */

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

/* Inlined up to the call, so that its line is known to those who watch memory. */
template <class T, class Next>
static inline __attribute__((always_inline)) T shflviz_atomic(T *address, Next next) {
    cpu_now.in_atomic = 1;
    asm volatile("" ::: "memory");
    T old = *address;
    T now = next(old);
    *address = now;
    asm volatile("" ::: "memory");
    cpu_now.in_atomic = 0;
    cpu_yield(memcmp(&old, &now, sizeof old) != 0);
    return old;
}

#define SHFLVIZ_ATOMIC_INLINE inline __attribute__((always_inline))
#define SHFLVIZ_ATOMIC(T, name, expression)                                                        \
    static SHFLVIZ_ATOMIC_INLINE T name(T *address, T value) {                                     \
        return shflviz_atomic(address, [value](T old) -> T { return (expression); });              \
    }                                                                                              \
    static SHFLVIZ_ATOMIC_INLINE T name##_block(T *address, T value) {                             \
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
        return shflviz_atomic(address, [=](T old) -> T { return old == compare ? value : old; });  \
    }                                                                                              \
    static SHFLVIZ_ATOMIC_INLINE T atomicCAS_block(T *address, T compare, T value) {               \
        return atomicCAS(address, compare, value);                                                 \
    }                                                                                              \
    static SHFLVIZ_ATOMIC_INLINE T atomicCAS_system(T *address, T compare, T value) {              \
        return atomicCAS(address, compare, value);                                                 \
    }
SHFLVIZ_ATOMIC_CAS(int)
SHFLVIZ_ATOMIC_CAS(unsigned int)
SHFLVIZ_ATOMIC_CAS(unsigned long long)
SHFLVIZ_ATOMIC_CAS(unsigned short int)

#undef SHFLVIZ_ATOMIC_INTEGERS
#undef SHFLVIZ_ATOMIC_BITS
#undef SHFLVIZ_ATOMIC_CAS

/* ---- arithmetic ---- */

#define SHFLVIZ_MIN_MAX(T)                                                                         \
    static inline T min(T a, T b) {                                                                \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    static inline T max(T a, T b) {                                                                \
        return a < b ? b : a;                                                                      \
    }
SHFLVIZ_MIN_MAX(int)
SHFLVIZ_MIN_MAX(unsigned int)
SHFLVIZ_MIN_MAX(long)
SHFLVIZ_MIN_MAX(unsigned long)
SHFLVIZ_MIN_MAX(long long)
SHFLVIZ_MIN_MAX(unsigned long long)
#undef SHFLVIZ_MIN_MAX
static inline unsigned int min(int a, unsigned int b) {
    return min((unsigned int)a, b);
}
static inline unsigned int min(unsigned int a, int b) {
    return min(a, (unsigned int)b);
}
static inline unsigned int max(int a, unsigned int b) {
    return max((unsigned int)a, b);
}
static inline unsigned int max(unsigned int a, int b) {
    return max(a, (unsigned int)b);
}
static inline float min(float a, float b) {
    return fminf(a, b);
}
static inline float max(float a, float b) {
    return fmaxf(a, b);
}
static inline double min(double a, double b) {
    return fmin(a, b);
}
static inline double max(double a, double b) {
    return fmax(a, b);
}

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
static inline float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}
/* The C library has functions of these names for itself. */
#define __expf(x) expf(x)
#define __logf(x) logf(x)
static inline float __fdividef(float x, float y) {
    return x / y;
}
static inline float __saturatef(float x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}
static inline int __mul24(int x, int y) {
    return (int)((unsigned int)x * (unsigned int)y);
}
template <class T> static inline T __ldg(const T *address) {
    return *address;
}

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
