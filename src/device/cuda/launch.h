/*
 * launch.h - kernels launched on the CPU warp, and their dynamic shared memory.
 */
#ifndef SHFLVIZ_CUDA_LAUNCH_H
#define SHFLVIZ_CUDA_LAUNCH_H

#include "cuda_runtime_api.h"

#include <utility>

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

/* ---- launches ---- */

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

#endif
