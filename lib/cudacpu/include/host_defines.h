/*
 * host_defines.h - the words of CUDA C++ that are not C++, for the host's compiler.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

/* Of a program of somebody's own they stay words behind record.cuh. */
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
/* Nothing, since the C++ library says __attribute__((__noinline__)), and what is inlined makes no
 * difference here. */
#define __noinline__

/*
 * Blocks run one after another, so a block's shared memory may be static. Each variable lies in a
 * section by which the device finds it (runtime.c) and fills it with garbage at every block's
 * start: a kernel that relies on zeros is found out. The sections are numbered because GCC refuses
 * one that variables of templates and of plain functions share. An `extern` array needs a storage
 * class that may follow extern; see SHFLVIZ_DYNAMIC_SHARED below.
 */
#define SHFLVIZ_TEXT_(name) #name
#define SHFLVIZ_TEXT(name)  SHFLVIZ_TEXT_(name)
#if defined(SHFLVIZ_OWN_PROGRAM) /* cudacpu/frontend/translate.c sees to it */
#elif defined(SHFLVIZ_DYNAMIC_SHARED)
#define __shared__ thread_local
#elif defined(__ELF__)
#define __shared__ __attribute__((section("shflviz_shared_" SHFLVIZ_TEXT(__COUNTER__)))) static
#else
#define __shared__ static
#endif

#endif
