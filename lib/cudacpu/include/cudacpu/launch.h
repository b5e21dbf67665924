/*
 * launch.h - kernels launched on the CPU warp, and their dynamic shared memory.
 */
#ifndef SHFLVIZ_CUDA_LAUNCH_H
#define SHFLVIZ_CUDA_LAUNCH_H

#include "cuda_runtime_api.h"

#include <tuple>
#include <type_traits>
#include <utility>

#ifdef CUDACPU_CLANG

/* ---- kernels as clang launches them ---- */

extern "C" {
/* kernel<<<grid, block, shared, stream>>>(arguments): the values between the angle brackets are
 * kept for the kernel's stub, which passes them to cudaLaunchKernel(). If only a grid is given, its
 * blocks have one thread, as in CUDA 13. */
__host__ unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block = 1, size_t shared = 0,
                                                  struct CUstream_st *stream = 0);
}

namespace shflviz {
template <class T> static inline __host__ void *entry(T address, const char * = nullptr) {
    return (void *)address;
}
} // namespace shflviz

template <class T>
static inline __host__ cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block,
                                                    void **arguments, size_t shared = 0,
                                                    cudaStream_t stream = nullptr) {
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T>
static inline __host__ cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                                               void **arguments, size_t shared = 0,
                                                               cudaStream_t stream = nullptr) {
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared,
                                       stream);
}

/* Functions that go through the lanes of a row (CPU_EACH_LANE()), from which cudacpu-instrument
 * builds a kernel's call. */
extern "C" {
__attribute__((device, used, always_inline)) inline void cudacpu_row_begin(cpu_row *row) {
    *row = cpu_row_begin();
}
__attribute__((device, used, always_inline)) inline int cudacpu_row_goes_on(cpu_row *row) {
    return cpu_row_goes_on(row);
}
__attribute__((device, used, always_inline)) inline void cudacpu_row_next(cpu_row *row) {
    cpu_row_next(row);
}
}

#else

/* ---- dynamic shared memory ---- */

#if defined(SHFLVIZ_DYNAMIC_SHARED)
/* The array declared `extern __shared__`, under its own name; weak, since several files may use
 * the same name. */
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

/* ---- kernels by their type ---- */

namespace shflviz {
template <class T>
static constexpr bool is_object_pointer =
    std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>;

/* Calls a kernel that has these parameters, given an array of pointers to its arguments. */
template <class... Parameters> struct kernel_type {
    template <size_t... Index>
    static void call_with(const void *function, void **arguments, std::index_sequence<Index...>) {
        (void)arguments;
        CPU_EACH_LANE(reinterpret_cast<void (*)(Parameters...)>(const_cast<void *>(function))(
            *static_cast<Parameters *>(arguments[Index])...));
    }
    static void call(const void *function, void **arguments) {
        call_with(function, arguments, std::index_sequence_for<Parameters...>());
    }
    static const cpu_kernel_type *value() {
        static const size_t sizes[] = {sizeof(Parameters)..., 0};
        static const bool points[] = {is_object_pointer<Parameters>..., false};
        static const cpu_pointed to[sizeof...(Parameters) + 1] = {};
        static const cpu_kernel_type type = {call, sizeof...(Parameters), sizes, points, to};
        return &type;
    }
};

/* The address of a kernel, registered with its type; for anything else, just its address. */
template <class... Parameters>
static inline void *entry(void (*kernel)(Parameters...), const char *name = nullptr) {
    const void *address = reinterpret_cast<const void *>(kernel);
    return const_cast<void *>(
        cpu_kernel_register(address, kernel_type<Parameters...>::value(), name));
}
template <class T> static inline void *entry(T address, const char * = nullptr) {
    return (void *)address;
}

/* ---- launches with an array of arguments ---- */

template <class... Parameters>
static inline cudaError_t
launch_kernel(const char *text, bool cooperative, void (*kernel)(Parameters...), dim3 grid,
              dim3 block, void **arguments, size_t shared = 0, cudaStream_t stream = nullptr) {
    cpu_launch launch = {};
    launch.name = text;
    launch.function = entry(kernel, text);
    launch.type = kernel_type<Parameters...>::value();
    launch.arguments = arguments;
    launch.grid = grid;
    launch.block = block;
    launch.shared = shared;
    launch.shared_memory = shflviz_shared_memory();
    launch.stream = stream;
    launch.cooperative = cooperative;
    return (cudaError_t)cpu_runtime_launch_kernel(&launch);
}
static inline cudaError_t launch_kernel(const char *, bool cooperative, const void *kernel,
                                        dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                        cudaStream_t stream = nullptr) {
    return cooperative ? cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream)
                       : cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

} // namespace shflviz

/* The launches that take a kernel's address; the argument's source text gives the kernel's name. */
#define cudaLaunchKernel(...)            shflviz::launch_kernel(#__VA_ARGS__, false, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) shflviz::launch_kernel(#__VA_ARGS__, true, __VA_ARGS__)

#endif
#endif
