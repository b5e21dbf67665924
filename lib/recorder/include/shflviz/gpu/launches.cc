/*
 * launches.cc - intercepts the launches of a user program on a GPU, and records them.
 *
 * Compiled with the program and linked with --wrap for each function here: a call of
 * cudaLaunchKernel(), as in every <<<>>>, goes to __wrap_cudaLaunchKernel(). Each launch is
 * waited for, since the records of one kernel are taken while it runs; so kernels follow one
 * another, whatever their streams. Launches that are captured into a graph are not recorded.
 */
#include "shflviz/gpu/calls.h"

#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the files with kernels: each has its own symbol that holds the ring to record to ---- */

static cudaError_t (*setters[256])(const shflviz_ring *ring);
static size_t setter_count;

extern "C" void shflviz_gpu_register(cudaError_t (*setter)(const shflviz_ring *ring)) {
    if (setter_count < sizeof setters / sizeof setters[0])
        setters[setter_count++] = setter;
}

static cudaError_t set_all(const shflviz_ring *ring) {
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < setter_count && error == cudaSuccess; i++)
        error = setters[i](ring);
    return error;
}

/* ---- names ---- */

struct known_kernel {
    const void *function;
    const char *name;
};
static known_kernel *kernels;
static size_t kernel_count, kernel_room;

static const char *name_of(const void *function) {
    for (size_t i = 0; i < kernel_count; i++)
        if (kernels[i].function == function)
            return kernels[i].name;
    return "kernel";
}

static void remember(const void *function, const char *name) {
    if (kernel_count == kernel_room) {
        const size_t room = kernel_room ? 2 * kernel_room : 64;
        void *grown = realloc(kernels, room * sizeof *kernels);
        if (!grown)
            return; /* it is then called "kernel" */
        kernels = static_cast<known_kernel *>(grown);
        kernel_room = room;
    }
    kernels[kernel_count].function = function;
    kernels[kernel_count++].name = name;
}

extern "C" void __real___cudaRegisterFunction(void **, const char *, char *, const char *, int,
                                              uint3 *, uint3 *, dim3 *, dim3 *, int *);
extern "C" void __wrap___cudaRegisterFunction(void **binary, const char *function, char *symbol,
                                              const char *name, int limit, uint3 *tid, uint3 *bid,
                                              dim3 *block, dim3 *grid, int *size) {
    remember(function, name);
    __real___cudaRegisterFunction(binary, function, symbol, name, limit, tid, bid, block, grid,
                                  size);
}

/* ---- CUDA calls for the recording ---- */

static cudaStream_t copies; /* a stream apart from the program's */
static int recording_device = -1;

static int copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, copies);
    return error == cudaSuccess ? cudaStreamSynchronize(copies) : error;
}
static int read_device(void *to, const void *from, size_t bytes) {
    return copy(to, from, bytes, cudaMemcpyDeviceToHost);
}
static int write_device(void *to, const void *from, size_t bytes) {
    return copy(to, from, bytes, cudaMemcpyHostToDevice);
}
static int allocate(void **at, size_t bytes) {
    cudaError_t error = cudaMalloc(at, bytes);
    return error == cudaSuccess ? cudaMemset(*at, 0, bytes) : error;
}
static int share(void *memory, size_t bytes, void **seen) {
    cudaError_t error =
        cudaHostRegister(memory, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable);
    return error == cudaSuccess ? cudaHostGetDevicePointer(seen, memory, 0) : error;
}
static int describe(shflviz_gpu_facts *facts) {
    cudaDeviceProp properties;
    cudaError_t error = cudaGetDevice(&recording_device);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, recording_device);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
    if (error != cudaSuccess)
        return error;
    strncpy(facts->name, properties.name, sizeof facts->name - 1);
    facts->major = properties.major;
    facts->minor = properties.minor;
    cudaDriverGetVersion(&facts->driver);
    cudaRuntimeGetVersion(&facts->runtime);
    return cudaSuccess;
}
static const char *words(int error) {
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

static const shflviz_gpu_calls calls = {describe,    allocate,     share,
                                        read_device, write_device, words};

/* ---- launches ---- */

/* True if the launch goes into a graph, so that waiting is not allowed. */
static bool is_captured(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) != cudaSuccess ||
           status != cudaStreamCaptureStatusNone;
}

static bool is_elsewhere() {
    int device = -1;
    return recording_device >= 0 &&
           (cudaGetDevice(&device) != cudaSuccess || device != recording_device);
}

static void nap() {
    const timespec some = {0, 20000};
    nanosleep(&some, NULL);
}

/* Waits for the kernel and takes its records meanwhile. The error that cudaStreamQuery() leaves
 * while a kernel still runs is hidden from the program. */
static cudaError_t await(cudaStream_t stream) {
    cudaError_t error;
    while ((error = cudaStreamQuery(stream)) == cudaErrorNotReady) {
        if (cudaPeekAtLastError() == cudaErrorNotReady)
            cudaGetLastError();
        shflviz_watched_drain();
        nap();
    }
    return error;
}

template <class Launch>
static cudaError_t record(const void *function, dim3 grid, dim3 block, size_t shared,
                          cudaStream_t stream, Launch launch) {
    if (is_captured(stream) || is_elsewhere())
        return launch();
    /* An error that the program has not queried yet must stay the last one, so cudaStreamQuery() is
     * not called: nothing is taken while the kernel runs, and records without room are dropped. */
    const bool waits = cudaPeekAtLastError() == cudaSuccess;
    const shflviz_gpu_launch described = {
        name_of(function), {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, waits};
    shflviz_ring ring;
    if (!shflviz_watched_begin(&calls, &described, &ring))
        return launch();
    cudaError_t error = set_all(&ring);
    cudaError_t launched = launch();
    if (launched == cudaSuccess && error == cudaSuccess)
        error = waits ? await(stream) : cudaStreamSynchronize(stream);
    shflviz_watched_finish(launched != cudaSuccess ? cudaSuccess : error);
    ring.state = NULL; /* for launches that are not announced, such as those in a graph */
    if (error == cudaSuccess)
        set_all(&ring);
    return launched;
}

extern "C" cudaError_t __real_cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                                               cudaStream_t);
extern "C" cudaError_t __wrap_cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                                               void **arguments, size_t shared,
                                               cudaStream_t stream) {
    return record(function, grid, block, shared, stream, [&] {
        return __real_cudaLaunchKernel(function, grid, block, arguments, shared, stream);
    });
}

extern "C" cudaError_t __real_cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t,
                                                          cudaStream_t);
extern "C" cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *function, dim3 grid,
                                                          dim3 block, void **arguments,
                                                          size_t shared, cudaStream_t stream) {
    return record(function, grid, block, shared, stream, [&] {
        return __real_cudaLaunchCooperativeKernel(function, grid, block, arguments, shared, stream);
    });
}

extern "C" cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *,
                                                  void **);
extern "C" cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *how,
                                                  const void *function, void **arguments) {
    return record(function, how->gridDim, how->blockDim, how->dynamicSmemBytes, how->stream,
                  [&] { return __real_cudaLaunchKernelExC(how, function, arguments); });
}

/* From CUDA 13 on, <<<>>> launches kernels by handle. */
#if CUDART_VERSION >= 13000
extern "C" cudaError_t __real___cudaGetKernel(cudaKernel_t *, const void *);
extern "C" cudaError_t __wrap___cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    cudaError_t error = __real___cudaGetKernel(kernel, function);
    if (error == cudaSuccess)
        remember(*kernel, name_of(function));
    return error;
}

extern "C" cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t,
                                                 cudaStream_t);
extern "C" cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                 void **arguments, size_t shared,
                                                 cudaStream_t stream) {
    return record(kernel, grid, block, shared, stream, [&] {
        return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
    });
}

extern "C" cudaError_t __real___cudaLaunchKernel_ptsz(cudaKernel_t, dim3, dim3, void **, size_t,
                                                      cudaStream_t);
extern "C" cudaError_t __wrap___cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared,
                                                      cudaStream_t stream) {
    return record(kernel, grid, block, shared, stream ? stream : cudaStreamPerThread, [&] {
        return __real___cudaLaunchKernel_ptsz(kernel, grid, block, arguments, shared, stream);
    });
}
#endif

extern "C" cudaError_t __real_cudaDeviceReset();
extern "C" cudaError_t __wrap_cudaDeviceReset() {
    if (!is_elsewhere()) {
        shflviz_watched_reset();
        recording_device = -1;
    }
    return __real_cudaDeviceReset();
}
