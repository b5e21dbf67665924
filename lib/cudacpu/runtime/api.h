/*
 * api.h - shared by the files that implement CUDA's host functions.
 *
 * Each function begins with API_BEGIN, which locks the device or returns the error that only
 * cudaDeviceReset() clears, and ends with api_end(), which keeps an error for cudaGetLastError().
 * In between, no other host thread is inside: there is one device, and one cpu_now.
 */
#ifndef SHFLVIZ_CPU_API_H
#define SHFLVIZ_CPU_API_H

#include "cudacpu/runtime/arena.h"
#include "simt/device_state.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

/* The size of the device's memory: an allocation beyond it fails. */
#if SIZE_MAX > UINT32_MAX
#define API_MEMORY_BYTES (UINT64_C(16) << 30)
#else
#define API_MEMORY_BYTES ((size_t)1 << 30)
#endif

enum api_memory {
    API_DEVICE,     /* cudaMalloc() */
    API_MANAGED,    /* both sides */
    API_HOST,       /* pinned: both sides */
    API_REGISTERED, /* the program's own memory, pinned */
};

struct api_allocation {
    char *start;
    size_t size;
    enum api_memory memory;
    unsigned flags;
    void *block;   /* to free; NULL if it is not ours */
    size_t mapped; /* bytes of `block` in its arena; 0 if it is not ours */
    bool in_pool;  /* by cudaMallocAsync() */
};

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned long long id;
    struct CUgraph_st *capture;   /* NULL while not being captured */
    struct CUgraphNode_st **last; /* in a capture: the nodes that the next operation depends on */
    size_t last_count;
    bool into_graph; /* captured into an existing graph */
};

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    bool recorded;
    double milliseconds;
    struct CUgraph_st *capture; /* recorded in a stream that was being captured */
    struct CUgraphNode_st **last;
    size_t last_count;
};

/* A kernel whose attributes were used, or that was launched by its address. */
struct api_function {
    const void *address;
    const struct cpu_kernel_type *type; /* NULL if not known */
    char *name;
    int dynamic_shared;    /* the opted-in maximum */
    unsigned most_threads; /* from __launch_bounds__; 0 for none */
    unsigned relies;       /* this and the next are from struct cudacpu_kernel */
    const struct cpu_kernel_type *if_same;
    int carveout;
};

struct cudaArray {
    struct cudaArray *next;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as requested: 0 if there is no such dimension */
    unsigned flags;
    size_t element; /* bytes */
    size_t pitch, slice;
    size_t slices; /* depth, at least 1 */
    char *data;
};

/* The texels of a texture, in any kind of memory. */
struct api_image {
    const char *data;
    struct cudaChannelFormatDesc desc;
    size_t element, pitch, slice;
    long size[3]; /* in texels */
};

struct api_texture {
    struct api_texture *next;
    struct cudaResourceDesc resource;
    struct api_image image;
    struct cudaTextureDesc desc;
    bool is_simple; /* floats, one for each texel; a read takes the nearest */
};

struct cpu_api {
    struct api_allocation *allocations; /* by address */
    size_t allocation_count, allocation_capacity;
    uint64_t used;          /* bytes of the device's memory */
    struct api_arena arena; /* the arena for API_DEVICE */
    struct api_arena both;  /* and for API_MANAGED and API_HOST, which is never closed */
    uint64_t pool_used, pool_high;
    struct CUstream_st *streams, legacy, per_thread;
    struct CUevent_st *events;
    unsigned long long stream_count;
    struct api_function *functions;
    size_t function_count, function_capacity;
    struct cudaArray *arrays;
    struct api_texture *textures;
    struct CUgraph_st *graphs;
    struct CUgraphExec_st *execs;
    /* Set by the code that makes them, which not every program links; may be NULL. */
    void (*release_textures)(struct cpu_api *api), (*release_graphs)(struct cpu_api *api);
    struct CUmemPoolHandle_st *pools, *pool; /* `pool`: the one set by cudaDeviceSetMemPool() */
    struct cpu_launch *children;             /* launched by kernels and not yet begun, in order */
    size_t child_count, child_capacity;
    unsigned device_flags;
    size_t limits[8];
    enum cudaFuncCache cache_config;
    unsigned depth;     /* of the host's calls under way, one within another */
    const void *caller; /* of the outermost; valid while there is one */
};

/* ---- cudacpu/runtime/error.c ---- */

/* Locks the device for a function that returns to `caller`. NULL, with *error set, if it cannot be
 * used. */
struct cpu_device *api_begin(cudaError_t *error, const void *caller);
/* The return address of the host's call under way; NULL if there is none. */
const void *api_caller(void);
/* Keeps the error, unlocks the device, and returns the error. */
cudaError_t api_end(cudaError_t error);

#define API_BEGIN                                                                                  \
    cudaError_t api_error;                                                                         \
    __attribute__((unused)) struct cpu_device *device =                                            \
        api_begin(&api_error, __builtin_return_address(0));                                        \
    if (!device)                                                                                   \
    return api_error

/* A function that contains API_BEGIN and is inlined into those that call it. */
#define API_PART static inline __attribute__((always_inline))

/* For calls that allocate or free (api_capture_unsafe()). */
#define API_BEGIN_UNSAFE                                                                           \
    API_BEGIN;                                                                                     \
    if ((api_error = api_capture_unsafe(device)) != cudaSuccess)                                   \
    return api_end(api_error)

/* ---- cudacpu/runtime/launch.c ---- */

/* Discards launches by kernels that have not begun. */
void api_children_release(struct cpu_api *api);

/* ---- cudacpu/runtime/memory.c ---- */

/* The allocation that holds the address, or NULL. */
struct api_allocation *api_find(const struct cpu_device *device, const void *address);
void api_free_all(struct cpu_device *device);
cudaError_t api_allocate(struct cpu_device *device, void **pointer, size_t size,
                         enum api_memory memory, unsigned flags);
cudaError_t api_release(struct cpu_device *device, void *pointer, bool is_host);
/* True if a kernel had crashed when cudaFree() was called. */
extern bool api_free_failed;
/* To be called before and after code that reads or writes device memory, which is otherwise closed
 * to the host. */
void api_memory_open(struct cpu_device *device);
void api_memory_close(struct cpu_device *device);
/* True if the host's own code is running and the address is in memory that belongs to the device
 * alone. */
bool api_is_device_only(const struct cpu_device *device, const void *address);
/* Opens it to the host anyway, until it is closed again: the error has been reported. */
void api_memory_allow(struct cpu_device *device);

/* ---- cudacpu/runtime/copy.c ---- */

/* Rows of rows of bytes; `pitch` and `slice` are distances in bytes. */
struct api_block {
    char *start;
    size_t pitch, slice;
    bool is_array; /* memory of an array: on the device, without an address of its own */
};
struct api_copy {
    struct api_block to, from;
    size_t width, height, depth; /* width in bytes */
    enum cudaMemcpyKind kind;
};
struct api_fill {
    struct api_block to;
    unsigned value, element;     /* bytes of the value: 1, 2, 4 */
    size_t width, height, depth; /* width in bytes */
};
/* Checks that CUDA would accept it. */
cudaError_t api_check_copy(struct cpu_device *device, const struct api_copy *copy);
cudaError_t api_check_fill(struct cpu_device *device, const struct api_fill *fill);
void api_do_copy(const struct api_copy *copy);
void api_do_fill(const struct api_fill *fill);
/* A copy of one row, and our form of any copy that CUDA can describe. */
struct api_copy api_copy_line(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t api_copy_of(struct cpu_device *device, const struct cudaMemcpy3DParms *parameters,
                        struct api_copy *copy);

/* ---- cudacpu/runtime/launch.c ---- */

/* The entry of a kernel, made if it is missing. */
struct api_function *api_function_of(struct cpu_device *device, const void *address);
/* The location of this thread's next launch, if it is made with <<<>>>. */
extern _Thread_local const void *cpu_launch_place;
cudaError_t api_launch_now(struct cpu_device *device, const struct cpu_launch *launch);

/* ---- cudacpu/runtime/stream.c ---- */

/* The stream that a handle names, or NULL if there is no such stream. */
struct CUstream_st *api_stream(struct cpu_device *device, cudaStream_t stream);
struct CUevent_st *api_event(struct cpu_device *device, cudaEvent_t event);

/* ---- cudacpu/runtime/capture.c ---- */

/*
 * While a stream is captured, calls that would wait for it are refused, and so are allocations if
 * the modes of the capture and of the thread are both cudaStreamCaptureModeGlobal. The refusal is
 * cudaErrorStreamCaptureUnsupported, and the capture ends without a graph.
 */

/* The stream that a handle names, for work to be added to it; an error if there is none, or if it
 * would wait for one that is captured. */
cudaError_t api_capture_stream(struct cpu_device *device, cudaStream_t handle,
                               struct CUstream_st **stream);
/* Called before an allocation. */
cudaError_t api_capture_unsafe(struct cpu_device *device);
/* Called before waiting for a stream, an event or the whole device, and before work that cannot be
 * a node of a graph. */
cudaError_t api_capture_stream_wait(struct cpu_device *device, cudaStream_t handle);
cudaError_t api_capture_event_wait(const struct CUevent_st *event);
cudaError_t api_capture_device_wait(struct cpu_device *device);

/* True if the stream is being captured: then the operation has been added to its graph. */
bool api_capture_kernel(struct CUstream_st *stream, const struct cpu_launch *launch);
bool api_capture_copy(struct CUstream_st *stream, const struct api_copy *copy);
bool api_capture_fill(struct CUstream_st *stream, const struct api_fill *fill);
bool api_capture_host(struct CUstream_st *stream, cudaHostFn_t function, void *data);
bool api_capture_event(struct CUstream_st *stream, struct CUevent_st *event);
/* A stream that waits for an event of a capture joins that capture; a captured stream cannot wait
 * for an event of another capture. */
cudaError_t api_capture_wait(struct CUstream_st *stream, struct CUevent_st *event);
/* The nodes that the stream's next operation depends on. */
void api_capture_last(struct CUstream_st *stream, struct CUgraphNode_st *node);
/* Sets a list of nodes to a copy of another. */
void api_capture_set_last(struct CUgraphNode_st ***last, size_t *last_count,
                          struct CUgraphNode_st *const *nodes, size_t count);
enum cudaStreamCaptureStatus api_capture_status(const struct CUstream_st *stream);
/* All streams, from api->per_thread on; NULL after the last. */
struct CUstream_st *api_next_stream(struct cpu_api *api, const struct CUstream_st *stream);

/* ---- called when the device ends ---- */

void api_streams_release(struct cpu_api *api);
void api_functions_release(struct cpu_api *api);
void api_pools_release(struct cpu_api *api);

#endif
