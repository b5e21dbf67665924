/*
 * launch.h - kernels launched on the CPU warp, and their dynamic shared memory.
 */
#ifndef SHFLVIZ_CUDA_LAUNCH_H
#define SHFLVIZ_CUDA_LAUNCH_H

#include "cuda_runtime_api.h"

#include <memory>
#include <tuple>
#include <type_traits>
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

/* ---- kernels by their type ---- */

namespace shflviz {
template <class T>
static constexpr bool is_object_pointer =
    std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>;

/* What is known of what a parameter points to; shflviz/cpu/shared_name.cuh knows more. */
template <class T, class = void> struct pointed {
    enum { type = -1, vector = 0 };
};
template <class T> using pointee = std::remove_cv_t<std::remove_pointer_t<std::decay_t<T>>>;

/* How a kernel with these parameters is called with an array of pointers to arguments. */
template <class... Parameters> struct kernel_type {
    template <size_t... Index>
    static void call_with(const void *function, void **arguments, std::index_sequence<Index...>) {
        (void)arguments;
        reinterpret_cast<void (*)(Parameters...)>(const_cast<void *>(function))(
            *static_cast<std::remove_reference_t<Parameters> *>(arguments[Index])...);
    }
    static void call(const void *function, void **arguments) {
        call_with(function, arguments, std::index_sequence_for<Parameters...>());
    }
    static const cpu_kernel_type *value() {
        static const size_t sizes[] = {sizeof(std::remove_reference_t<Parameters>)..., 0};
        static const bool points[] = {is_object_pointer<std::decay_t<Parameters>>..., false};
        static const cpu_pointed to[] = {{(signed char)pointed<pointee<Parameters>>::type,
                                          (unsigned char)pointed<pointee<Parameters>>::vector}...,
                                         {-1, 0}};
        static const cpu_kernel_type type = {call, sizeof...(Parameters), sizes, points, to};
        return &type;
    }
};

/* The address of a kernel, made known to the device with its type; of anything else, its address.
 */
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

/* ---- launches with arguments ---- */

/* An argument as the kernel gets it: cpu_kernel_pointer() of a pointer to something. */
template <class T> static inline decltype(auto) as_seen(T &&value) {
    typedef std::decay_t<T> decayed;
    if constexpr (is_object_pointer<decayed>)
        return (decayed)cpu_kernel_pointer((const void *)(decayed)value);
    else
        return static_cast<T &&>(value);
}

/* 0 or NULL as an argument of its own, which is a null pointer, too. */
struct zero {
    operator int() const { return 0; }
    template <class T> operator T *() const { return nullptr; }
};
template <class T> static inline decltype(auto) as_integer(T &&value) {
    if constexpr (std::is_same_v<std::decay_t<T>, zero>)
        return 0;
    else
        return static_cast<T &&>(value);
}

struct shape {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    shape(dim3 grid_, dim3 block_ = 1, size_t shared_ = 0, cudaStream_t stream_ = nullptr)
        : grid(grid_), block(block_), shared(shared_), stream(stream_) {}
};

/* kernel<<<shape>>>(arguments), as device/own/translate.c writes it: arguments are evaluated once,
 * and every thread gets its copy, or the thing itself where the kernel takes a reference. */
template <class Kernel> struct launcher {
    const char *name;
    Kernel kernel;
    shape on;
    launcher(const char *name_, Kernel kernel_, const shape &on_)
        : name(name_), kernel(kernel_), on(on_) {}

    /* The kernel and its arguments for as long as nodes of a graph use them, or until a launch by
     * a kernel has run. */
    template <class... Values> struct kept {
        Kernel kernel;
        std::tuple<Values...> values;
        long users;

        static void call(void *context) {
            kept *me = static_cast<kept *>(context);
            std::apply(me->kernel, me->values);
        }
        static void use(void *context, int change) {
            kept *me = static_cast<kept *>(context);
            if ((me->users += change) == 0)
                delete me;
        }
    };
    cpu_launch describe() const {
        cpu_launch launch = {};
        launch.name = name;
        launch.grid = on.grid;
        launch.block = on.block;
        launch.shared = on.shared;
        launch.shared_memory = shflviz_shared_memory();
        launch.stream = on.stream;
        return launch;
    }
    template <class... Arguments> void run(Arguments &&...arguments) {
        constexpr bool has_zero = (std::is_same_v<std::decay_t<Arguments>, zero> || ...);
        if constexpr (has_zero)
            run_zero(
                std::is_invocable<Kernel &,
                                  as_lvalue<decltype(as_integer(std::declval<Arguments>()))>...>(),
                std::forward<Arguments>(arguments)...);
        else
            run_seen(as_seen(std::forward<Arguments>(arguments))...);
    }
    /* With every zero an integer, if the kernel can be called so; else with each as it is needed.
     */
    template <class T> using as_lvalue = std::remove_reference_t<T> &;
    template <class... Arguments> void run_zero(std::true_type, Arguments &&...arguments) {
        run(as_integer(std::forward<Arguments>(arguments))...);
    }
    template <class... Arguments> void run_zero(std::false_type, Arguments &&...arguments) {
        run_seen(as_seen(std::forward<Arguments>(arguments))...);
    }
    template <class T> void tell(const T &argument, size_t number) const {
        if constexpr (is_object_pointer<std::decay_t<T>>)
            cpu_runtime_passes((const void *)argument, name, number,
                               {(signed char)pointed<pointee<T>>::type,
                                (unsigned char)pointed<pointee<T>>::vector});
    }
    template <class... Arguments> void run_seen(Arguments &&...arguments) {
        cpu_launch launch = describe();
        if (cpu_runtime_is_capturing(on.stream) || cpu_runtime_in_kernel()) {
            using kept_values = kept<std::decay_t<Arguments>...>;
            launch.call = kept_values::call;
            launch.use = kept_values::use;
            launch.context = new kept_values{kernel, {std::forward<Arguments>(arguments)...}, 1};
            cpu_runtime_launch_kernel(&launch);
            kept_values::use(launch.context, -1);
            return;
        }
        size_t number = 0;
        (tell(arguments, number++), ...);
        auto call = [&] { kernel(arguments...); };
        launch.call = [](void *context) { (*static_cast<decltype(call) *>(context))(); };
        launch.context = &call;
        cpu_runtime_launch_kernel(&launch);
    }
};
} // namespace shflviz

/* The launches that take a kernel's address; their text gives its name. */
#define cudaLaunchKernel(...)            shflviz::launch_kernel(#__VA_ARGS__, false, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) shflviz::launch_kernel(#__VA_ARGS__, true, __VA_ARGS__)

#endif
