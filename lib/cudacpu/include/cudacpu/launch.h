/*
 * launch.h - kernels launched on the CPU warp, and their dynamic shared memory.
 */
#ifndef SHFLVIZ_CUDA_LAUNCH_H
#define SHFLVIZ_CUDA_LAUNCH_H

#include "cuda_runtime_api.h"

#include <cstdlib>
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

/* What is known of what a parameter points to; cudacpu/shared_name.cuh knows more. */
template <class T, class = void> struct pointed {
    enum { type = -1, vector = 0 };
};
template <class T> using pointee = std::remove_cv_t<std::remove_pointer_t<std::decay_t<T>>>;

/*
 * An object goes to a kernel once, when it is launched: each thread has its bytes, and none of its
 * constructors or its destructor is called (Programming Guide, "__global__ Function Parameters").
 * So a kernel is called by another type than its own: the Itanium C++ ABI, "Non-Trivial
 * Parameters", passes an object that has one of those by its address.
 */
template <class T>
static constexpr bool is_object =
    std::is_class_v<T> &&
    !(std::is_trivially_destructible_v<T> &&
      (std::is_trivially_copy_constructible_v<T> || !std::is_copy_constructible_v<T>)&&(
          std::is_trivially_move_constructible_v<T> || !std::is_move_constructible_v<T>));
template <class T> using passed_as = std::conditional_t<is_object<T>, T &, T>;

/* What a thread is given for a parameter. */
template <class T, bool IsObject = is_object<T>> struct handed {
    typedef std::remove_reference_t<T> value;
    value &it;
    explicit handed(value &from) : it(from) {}
    T get() { return static_cast<T>(it); }
};
template <class T> struct handed<T, true> {
    alignas(T) unsigned char bytes[sizeof(T)];
    __attribute__((no_sanitize("thread"))) explicit handed(const T &from) {
        const volatile unsigned char *each = reinterpret_cast<const unsigned char *>(&from);
        for (size_t i = 0; i < sizeof(T); i++)
            bytes[i] = each[i];
    }
    T &get() { return *reinterpret_cast<T *>(bytes); }
};

/* How a kernel with these parameters is called with an array of pointers to arguments. */
template <class... Parameters> struct kernel_type {
    template <size_t... Index>
    __attribute__((no_sanitize("thread"))) static void
    call_with(const void *function, void **arguments, std::index_sequence<Index...>) {
        (void)arguments;
        CPU_EACH_LANE(
            reinterpret_cast<void (*)(passed_as<Parameters>...)>(const_cast<void *>(function))(
                handed<Parameters>(
                    *static_cast<std::remove_reference_t<Parameters> *>(arguments[Index]))
                    .get()...));
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

/* Finds the type of a kernel that there is one of with its name, or, of several, the one that takes
 * just these. */
struct pick_only {
    template <class... Parameters> auto operator()(void (*kernel)(Parameters...)) const {
        return kernel;
    }
};
template <class... Parameters> struct pick_like {
    auto operator()(void (*kernel)(Parameters...)) const { return kernel; }
};

/* Whether all parameters are numbers and pointers, and the arguments become them by themselves. */
template <class... Parameters> struct are_scalars {
    template <class... Arguments> static constexpr bool from() {
        if constexpr (sizeof...(Parameters) == sizeof...(Arguments))
            return (std::is_scalar_v<Parameters> && ...) &&
                   (std::is_convertible_v<std::remove_reference_t<Arguments> &, Parameters> && ...);
        else
            return false;
    }
};

/* What the host keeps for a parameter while the kernel runs: an object of its own, made once, or
 * the argument where that is one that nobody else has. */
template <class T, class Argument> struct made {
    std::conditional_t<std::is_same_v<T, Argument>, T &, T> it;
    explicit made(std::remove_reference_t<Argument> &argument) : it(argument) {}
};

/* The name of a kernel that the loop over lanes takes in (cudacpu/frontend/small_kernels.h). */
struct small_kernel {
    const char *name;
    operator const char *() const { return name; }
};

/* kernel<<<shape>>>(arguments), as cudacpu/frontend/translate.c writes it: arguments are evaluated
 * once, and every thread gets its copy, or the thing itself where the kernel takes a reference.
 * `address` hands the kernel to one of the picks. */
template <class Name, class Kernel, class Address> struct launcher {
    const char *name;
    Kernel kernel;
    Address address;
    shape on;
    launcher(Name name_, Kernel kernel_, Address address_, const shape &on_)
        : name(name_), kernel(kernel_), address(address_), on(on_) {}

    /* The kernel and its arguments for as long as nodes of a graph use them, or until a launch by
     * a kernel has run. */
    template <class Call> struct kept {
        Call it;
        long users;
        const cpu_bytes handed[2];
        /* The host's, also where a kernel launches: malloc() would be the kernel's there. */
        static void *operator new(size_t size) {
            if (void *memory = aligned_alloc(alignof(kept), size))
                return memory;
            abort();
        }
        static void operator delete(void *memory) { free(memory); }
        explicit kept(const Call &call) : it(call), users(1), handed{{&it, sizeof it}, {}} {}

        static void call(void *context) {
            kept *me = static_cast<kept *>(context);
            CPU_EACH_LANE(me->it());
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
            auto copied = [=, kernel = kernel]() mutable { kernel(arguments...); };
            using kept_call = kept<decltype(copied)>;
            launch.call = kept_call::call;
            launch.use = kept_call::use;
            kept_call *const context = new kept_call(copied);
            launch.context = context;
            launch.handed = context->handed;
            cpu_runtime_launch_kernel(&launch);
            kept_call::use(context, -1);
            return;
        }
        size_t number = 0;
        (tell(arguments, number++), ...);
        if constexpr (std::is_invocable_v<Address &, pick_only>)
            run_picked<Arguments...>(launch, address(pick_only()), arguments...);
        else if constexpr (std::is_invocable_v<Address &, pick_like<std::decay_t<Arguments>...>>)
            run_picked<Arguments...>(launch, address(pick_like<std::decay_t<Arguments>...>()),
                                     arguments...);
        else
            run_plain(launch, arguments...);
    }
    template <class... Arguments> void run_plain(cpu_launch &launch, Arguments &...arguments) {
        auto call = [&] { CPU_EACH_LANE(kernel(arguments...)); };
        const cpu_bytes handed[] = {{std::addressof(arguments), sizeof arguments}..., {}};
        launch.handed = handed;
        run_call(launch, call);
    }
    /* Of which a copy of the lane's own is as good: the loop need not ask memory for them. */
    template <class... Parameters>
    __attribute__((always_inline)) static inline void follow(Kernel &kernel, Parameters... copies) {
        CPU_EACH_LANE(kernel(copies...));
    }
    template <class... Parameters> void run_scalars(cpu_launch &launch, Parameters... scalars) {
        if constexpr (std::is_same_v<Name, small_kernel>) {
            auto call = [&]() __attribute__((flatten)) {
                follow<Parameters...>(kernel, scalars...);
            };
            run_call(launch, call);
        } else {
            auto call = [&] { follow<Parameters...>(kernel, scalars...); };
            run_call(launch, call);
        }
    }
    template <class Call> static void run_call(cpu_launch &launch, Call &call) {
        launch.call = [](void *context) { (*static_cast<Call *>(context))(); };
        launch.context = &call;
        cpu_runtime_launch_kernel(&launch);
    }
    template <class... Arguments, class... Parameters>
    void run_picked(cpu_launch &launch, void (*picked)(Parameters...),
                    std::remove_reference_t<Arguments> &...arguments) {
        if constexpr (sizeof...(Parameters) == sizeof...(Arguments) &&
                      (is_object<Parameters> || ...))
            run_made(launch, picked, made<Parameters, Arguments>(arguments)...);
        else if constexpr (are_scalars<Parameters...>::template from<Arguments...>())
            run_scalars<Parameters...>(launch, arguments...);
        else
            run_plain(launch, arguments...);
    }
    template <class... Parameters, class... Made>
    void run_made(cpu_launch &launch, void (*picked)(Parameters...), Made &&...objects) {
        auto call = [&]() __attribute__((no_sanitize("thread"))) {
            CPU_EACH_LANE(reinterpret_cast<void (*)(passed_as<Parameters>...)>(picked)(
                handed<Parameters>(objects.it).get()...));
        };
        run_call(launch, call);
    }
};
} // namespace shflviz

/* The launches that take a kernel's address; their text gives its name. */
#define cudaLaunchKernel(...)            shflviz::launch_kernel(#__VA_ARGS__, false, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) shflviz::launch_kernel(#__VA_ARGS__, true, __VA_ARGS__)

#endif
