/*
 * device_work.h - work of a library (Thrust, CUB) on the device: a kernel that calls code of the
 * library or its user, in one thread or in a thread for each element. That code may be __device__
 * only. If the compiler does not read CUDA C++, the host does the work.
 */
#ifndef CUDACPU_DEVICE_WORK_H
#define CUDACPU_DEVICE_WORK_H

#include "cuda_runtime.h"

#include <cstddef>
#include <new>
#include <type_traits>

CUDACPU_BOTH_BEGIN

namespace shflviz {

#ifdef CUDACPU_CLANG

template <class Body> __global__ void work_kernel(Body body, ptrdiff_t count) {
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        body(i);
}
/* A function for both sides refers to the kernel this way, since the device side must contain the
 * kernel although it does not launch it. */
template <class Body> struct work_of { static constexpr auto kernel = &work_kernel<Body>; };

CUDACPU_BOTH_END /* inside it, the next two functions would be the same */

    /* Calls body(i) for each i less than count: on the host's side with a launch, in a kernel one
       after the other. */
    template <class Body>
    __host__ cudaError_t work_launch(const char *name, ptrdiff_t count, Body body,
                                     cudaStream_t stream) {
    if (count <= 0)
        return cudaPeekAtLastError();
    const unsigned threads = count == 1 ? 1 : 256;
    cpu_kernel_rename((const void *)work_kernel<Body>, name);
    work_kernel<Body>
        <<<(unsigned)((count + threads - 1) / threads), threads, 0, stream>>>(body, count);
    return cudaPeekAtLastError();
}
template <class Body>
__device__ cudaError_t work_launch(const char *, ptrdiff_t count, Body body, cudaStream_t) {
    for (ptrdiff_t i = 0; i < count; i++)
        body(i);
    return cudaSuccess;
}
static inline __host__ void work_wait() {
    cudaDeviceSynchronize();
}
static inline __device__ void work_wait() {}

/* Memory for both sides. */
static inline __host__ void *work_memory(size_t bytes) {
    void *memory = nullptr;
    if (cudaMallocManaged(&memory, bytes ? bytes : 1, cudaMemAttachGlobal) != cudaSuccess)
        throw std::bad_alloc();
    return memory;
}
static inline __device__ void *work_memory(size_t bytes) {
    return malloc(bytes ? bytes : 1);
}
static inline __host__ void work_memory_free(void *memory) {
    cudaFree(memory);
}
static inline __device__ void work_memory_free(void *memory) {
    free(memory);
}

CUDACPU_BOTH_BEGIN

template <class Body>
cudaError_t work_begin(const char *name, ptrdiff_t count, Body body, cudaStream_t stream) {
    static_assert(sizeof(work_of<Body>::kernel) > 0, "");
    return work_launch(name, count, body, stream);
}

#else

/* If no kernel is running yet, a loop over the device's elements has a thread for each: the code it
 * calls may read threadIdx. */
template <class Body>
cudaError_t work_begin(const char *name, ptrdiff_t count, Body body, cudaStream_t stream) {
    if (!cpu_runtime_in_kernel() && cpu_runtime_is_capturing(stream)) {
        auto all = [=]() mutable {
            for (ptrdiff_t i = 0; i < count; i++)
                body(i);
        };
        typedef decltype(all) kept;
        return cudaLaunchHostFunc(
            stream, [](void *context) { (*static_cast<kept *>(context))(); }, new kept(all));
    }
    if (count <= 1 || cpu_runtime_in_kernel()) {
        for (ptrdiff_t i = 0; i < count; i++)
            body(i);
        return cudaPeekAtLastError();
    }
    auto call = [&] {
        const ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
        Body mine = body; /* each thread has its own */
        if (i < count)
            mine(i);
    };
    cpu_launch launch = {};
    launch.name = name;
    launch.grid = dim3((unsigned)((count + 255) / 256));
    launch.block = dim3(256);
    launch.call = [](void *context) { (*static_cast<decltype(call) *>(context))(); };
    launch.context = &call;
    return (cudaError_t)cpu_runtime_launch_kernel(&launch);
}
static inline void work_wait() {
    cudaDeviceSynchronize();
}
static inline void *work_memory(size_t bytes) {
    return ::operator new(bytes);
}
static inline void work_memory_free(void *memory) {
    ::operator delete(memory);
}

#endif

/* Uninitialised storage for `count` values. */
template <class T> struct work_room {
    T *const at;
    explicit work_room(ptrdiff_t count)
        : at(static_cast<T *>(work_memory((count > 0 ? (size_t)count : 0) * sizeof(T)))) {}
    ~work_room() { work_memory_free(at); }
    work_room(const work_room &) = delete;
    work_room &operator=(const work_room &) = delete;
};

template <class Work, class Result> struct work_once {
    Work work;
    Result *result;
    void operator()(ptrdiff_t) { new (static_cast<void *>(result)) Result(work()); }
};
template <class Work> struct work_once<Work, void> {
    Work work;
    void operator()(ptrdiff_t) { work(); }
};

/* The result of the work: done here or, on the device, in one thread of a kernel. */
template <bool OnDevice, class Work> auto work_run(const char *name, Work work) {
    typedef decltype(work()) result;
    if constexpr (!OnDevice) {
        (void)name;
        return work();
    } else if constexpr (std::is_void<result>::value) {
        work_begin(name, 1, work_once<Work, void>{work}, nullptr);
        work_wait();
    } else {
        work_room<result> room(1);
        work_begin(name, 1, work_once<Work, result>{work, room.at}, nullptr);
        work_wait();
        result value(static_cast<result &&>(*room.at));
        room.at->~result();
        return value;
    }
}

/* Work to be done in a stream, or added to its graph. */
template <class Work> cudaError_t work_in_stream(const char *name, cudaStream_t stream, Work work) {
    return work_begin(name, 1, work_once<Work, void>{work}, stream);
}

} // namespace shflviz

CUDACPU_BOTH_END
#endif
