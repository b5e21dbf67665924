/*
 * program.h - the API for the host part of a program in kernels/.
 *
 * A .cu file contains a kernel, which is meant to be read, and after it a host part. The host part
 * allocates, copies, launches and copies back with the CUDA runtime API, in the same way on a GPU
 * and on the CPU warp, and describes the program to the rest of shflviz in one constant struct.
 */
#ifndef SHFLVIZ_PROGRAM_H
#define SHFLVIZ_PROGRAM_H

#include "warp/type.h"

#include <stdint.h>

/* The common options that a program accepts. The others are refused by name. */
#define PROGRAM_TAKES_WIDTH    0x01u
#define PROGRAM_TAKES_MEMBERS  0x02u
#define PROGRAM_TAKES_ARGUMENT 0x04u /* --src, --delta or --mask */
#define PROGRAM_TAKES_THREADS  0x08u
#define PROGRAM_TAKES_BLOCKS   0x10u
#define PROGRAM_TAKES_TYPE     0x20u
#define PROGRAM_TAKES_INPUT    0x40u
#define PROGRAM_TAKES_COUNT    0x80u /* the number of values, independent of the number of threads */
/* Below are three properties of the program. */
#define PROGRAM_ALL_CALL     0x100u /* lanes outside the member mask also call */
#define PROGRAM_IS_UNDEFINED 0x200u /* it shows behaviour that no rule covers, or never ends */
#define PROGRAM_ONE_WARP     0x400u /* runs one warp, one value per lane: a count of 32 at most */

/* The parameters of a run. Arrays belong to the caller and live through the run. */
struct program_parameters {
    enum warp_type type;
    uint32_t members; /* member mask; lanes outside it do not call */
    int32_t width;
    const int32_t *argument; /* srcLane, delta or laneMask: one per lane of a warp, 32 entries */
    uint32_t threads;        /* in a block: 1..1024 */
    uint32_t blocks;         /* at least 1 */
    const uint64_t *input;   /* bits by type; program_input_count() entries */
    uint64_t
        count; /* number of input values, if a program takes it; 0: one per thread of the grid */
};

struct program {
    const char *name;                   /* its name on the command line: "xor", "reduce-xor-sum" */
    const char *summary;                /* one line */
    const char *file;                   /* "kernels/shuffle_xor.cu" */
    const char *source;                 /* the text of that file */
    unsigned takes;                     /* PROGRAM_TAKES_... */
    uint32_t types;                     /* bit per enum warp_type that the program is built for */
    struct program_parameters defaults; /* used for options that are not given; argument and input
                                         * NULL */
    const char *input;                  /* the default of --in, "lane" for most */
};

/* The number of entries in parameters->input: `count`, or one per thread of the grid. */
static inline uint64_t program_input_count(const struct program_parameters *parameters) {
    return parameters->count ? parameters->count
                             : (uint64_t)parameters->threads * parameters->blocks;
}

struct shflviz_run {
    const struct program_parameters *parameters;
    uint64_t *output; /* the kernel's results, bits by type, one per thread; NULL if not wanted */
};

struct shflviz_program {
    struct program program;
    int (*run)(const struct shflviz_run *run); /* returns a cudaError_t */
};

/* Bits of program.types. */
#define SHFLVIZ_TYPES_INTEGER                                                                      \
    (1u << WARP_TYPE_INT | 1u << WARP_TYPE_UNSIGNED | 1u << WARP_TYPE_LONG |                       \
     1u << WARP_TYPE_UNSIGNED_LONG | 1u << WARP_TYPE_LONG_LONG |                                   \
     1u << WARP_TYPE_UNSIGNED_LONG_LONG)
#define SHFLVIZ_TYPES_SCALAR                                                                       \
    (SHFLVIZ_TYPES_INTEGER | 1u << WARP_TYPE_FLOAT | 1u << WARP_TYPE_DOUBLE |                      \
     1u << WARP_TYPE_HALF | 1u << WARP_TYPE_BFLOAT16)
#define SHFLVIZ_TYPES_ALL (SHFLVIZ_TYPES_SCALAR | 1u << WARP_TYPE_HALF2 | 1u << WARP_TYPE_BFLOAT162)

/* The struct that describes a program, and the text of its file. shflviz may contain the structs
 * for both devices, so their names differ. */
#ifdef __CUDACC__
#define SHFLVIZ_PROGRAM(name) shflviz_gpu_program_##name
#else
#define SHFLVIZ_PROGRAM(name) shflviz_cpu_program_##name
#endif
#define SHFLVIZ_SOURCE(name) shflviz_source_##name

#ifdef __cplusplus
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

/* Declares the struct with a C name before it is defined, and the text that it points to. */
#define SHFLVIZ_PROGRAM_DECLARE(name)                                                              \
    extern "C" const char SHFLVIZ_SOURCE(name)[];                                                  \
    extern "C" const struct shflviz_program SHFLVIZ_PROGRAM(name);

/* The host parts for both devices are in one program and call different CUDA runtimes, so symbols
 * that a linker could confuse have two names. */
#ifdef __CUDACC__
inline namespace shflviz_gpu {
#endif

/* An array in the device's memory, freed at the end of its scope. `error` is the first failure. */
template <class T> struct device_array {
    T *data = nullptr;
    size_t count;
    cudaError_t error;

    explicit device_array(size_t size) : count(size) {
        error = cudaMalloc(reinterpret_cast<void **>(&data), count * sizeof(T));
    }
    ~device_array() { cudaFree(data); }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;

    void copy_from(const T *values) {
        if (error == cudaSuccess)
            error = cudaMemcpy(data, values, count * sizeof(T), cudaMemcpyHostToDevice);
    }
    void copy_to(T *values) {
        if (error == cudaSuccess)
            error = cudaMemcpy(values, data, count * sizeof(T), cudaMemcpyDeviceToHost);
    }

    /* The same, but from and to bit patterns in the low bits of 64-bit words. */
    void copy_from_bits(const uint64_t *bits) {
        T *values = static_cast<T *>(malloc(count * sizeof(T)));
        if (!values) {
            error = cudaErrorMemoryAllocation;
            return;
        }
        for (size_t i = 0; i < count; i++)
            memcpy(static_cast<void *>(values + i), bits + i, sizeof(T));
        copy_from(values);
        free(values);
    }
    void copy_to_bits(uint64_t *bits) {
        T *values = static_cast<T *>(malloc(count * sizeof(T)));
        if (!values) {
            error = cudaErrorMemoryAllocation;
            return;
        }
        copy_to(values);
        memset(bits, 0, count * sizeof *bits);
        for (size_t i = 0; i < count && error == cudaSuccess; i++)
            memcpy(bits + i, static_cast<void *>(values + i), sizeof(T));
        free(values);
    }
};

#ifdef __CUDACC__
} // namespace shflviz_gpu
#endif

/* Threads of the grid: most kernels write one value for each. */
static inline size_t shflviz_threads(const shflviz_run *run) {
    return size_t(run->parameters->threads) * run->parameters->blocks;
}

/*
 * Runs a kernel of the shape kernel(const T *in, T *out, ...): copies the input to the device,
 * calls launch(in, out), which launches the kernel, waits for it, and copies `outputs` values
 * back. Returns the first error.
 */
template <class T, class Launch>
static cudaError_t shflviz_run_in_out(const shflviz_run *run, size_t outputs, Launch launch) {
    device_array<T> in(program_input_count(run->parameters)), out(outputs);
    in.copy_from_bits(run->parameters->input);
    if (in.error != cudaSuccess || out.error != cudaSuccess)
        return in.error != cudaSuccess ? in.error : out.error;
    launch(static_cast<const T *>(in.data), out.data);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess && run->output)
        out.copy_to_bits(run->output);
    if (error == cudaSuccess)
        error = out.error;
    return error == cudaSuccess ? cudaGetLastError() : error;
}

/* The same for the four shuffles: launch(in, out, lanes), where `lanes` holds the argument of each
 * of a warp's 32 lanes. */
template <class T, class Launch>
static cudaError_t shflviz_run_shuffle(const shflviz_run *run, Launch launch) {
    device_array<int> lanes(32);
    lanes.copy_from(run->parameters->argument);
    if (lanes.error != cudaSuccess)
        return lanes.error;
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {
        launch(in, out, static_cast<const int *>(lanes.data));
    });
}

/* Represents a type in a call. */
template <class T> struct type_tag { typedef T type; };

/* Calls run(type_tag<T>()) with the C++ type that `type` names. */
template <class Run> static inline int shflviz_with_scalar(enum warp_type type, Run run) {
    switch (type) {
    case WARP_TYPE_INT:
        return run(type_tag<int>());
    case WARP_TYPE_UNSIGNED:
        return run(type_tag<unsigned int>());
    case WARP_TYPE_LONG:
        return run(type_tag<long>());
    case WARP_TYPE_UNSIGNED_LONG:
        return run(type_tag<unsigned long>());
    case WARP_TYPE_LONG_LONG:
        return run(type_tag<long long>());
    case WARP_TYPE_UNSIGNED_LONG_LONG:
        return run(type_tag<unsigned long long>());
    case WARP_TYPE_FLOAT:
        return run(type_tag<float>());
    case WARP_TYPE_DOUBLE:
        return run(type_tag<double>());
    case WARP_TYPE_HALF:
        return run(type_tag<__half>());
    case WARP_TYPE_BFLOAT16:
        return run(type_tag<__nv_bfloat16>());
    default:
        return cudaErrorInvalidValue;
    }
}
template <class Run> static inline int shflviz_with_type(enum warp_type type, Run run) {
    switch (type) {
    case WARP_TYPE_HALF2:
        return run(type_tag<__half2>());
    case WARP_TYPE_BFLOAT162:
        return run(type_tag<__nv_bfloat162>());
    default:
        return shflviz_with_scalar(type, run);
    }
}
#endif

#endif
