/* host_defines.h - the keywords of CUDA C++ that are not C++, for the host's compiler. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#ifdef CUDACPU_CLANG /* which reads CUDA C++; frontend/ adds the rest */
#define __global__             __attribute__((global))
#define __device__             __attribute__((device))
#define __host__               __attribute__((host))
#define __constant__           __attribute__((constant))
#define __managed__            __attribute__((device, section("cudacpu.managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)                                                                      \
    _Pragma("GCC error \"__cluster_dims__: clusters of blocks need sm_90 or later\"")
/* C functions, and our own without a keyword, are for host and device. */
#define CUDACPU_BOTH_BEGIN _Pragma("clang force_cuda_host_device begin")
#define CUDACPU_BOTH_END   _Pragma("clang force_cuda_host_device end")
/* Within such a section, marks our functions that are for the device only. */
#define CUDACPU_DEVICE_BEGIN                                                                       \
    _Pragma("clang attribute push(__attribute__((device)), apply_to = function)")
#define CUDACPU_DEVICE_END _Pragma("clang attribute pop")
/* The same for a library whose functions access the caller's memory. They are inlined if accesses
 * are recorded, so that debugging information has the line of the program's own call. */
#if __has_feature(thread_sanitizer)
#define CUDACPU_LIBRARY_BEGIN                                                                      \
    CUDACPU_DEVICE_BEGIN                                                                           \
    _Pragma("clang attribute push(__attribute__((always_inline)), apply_to = function)")
#define CUDACPU_LIBRARY_END CUDACPU_DEVICE_END _Pragma("clang attribute pop")
#endif
#else
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define CUDACPU_BOTH_BEGIN
#define CUDACPU_BOTH_END
#define CUDACPU_DEVICE_BEGIN
#define CUDACPU_DEVICE_END
#endif
#ifndef CUDACPU_LIBRARY_BEGIN
#define CUDACPU_LIBRARY_BEGIN CUDACPU_DEVICE_BEGIN
#define CUDACPU_LIBRARY_END   CUDACPU_DEVICE_END
#endif
#define __grid_constant__
#define __forceinline__  inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
/* Empty, since the C++ library writes __attribute__((__noinline__)), and inlining makes no
 * difference here. */
#define __noinline__

/*
 * Blocks run one after another, so a block's shared memory may be static. Each variable is in a
 * section through which the device finds it (runtime.c) and fills it with garbage at every block's
 * start, to expose kernels that rely on zeros. The sections are numbered because GCC refuses one
 * that variables of templates and of plain functions share. An `extern` array needs a storage
 * class that may follow extern; see SHFLVIZ_DYNAMIC_SHARED below.
 */
#define SHFLVIZ_TEXT_(name) #name
#define SHFLVIZ_TEXT(name)  SHFLVIZ_TEXT_(name)
#if defined(CUDACPU_CLANG)
#define __shared__ __attribute__((shared))
#elif defined(SHFLVIZ_DYNAMIC_SHARED)
#define __shared__ thread_local
#elif defined(__ELF__)
#define __shared__ __attribute__((section("shflviz_shared_" SHFLVIZ_TEXT(__COUNTER__)))) static
#else
#define __shared__ static
#endif

#endif
