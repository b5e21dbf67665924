/*
 * api.h - what the bodies of CUDA's host functions (api_*.c) share.
 *
 * Each begins with API_BEGIN, which takes the device or returns the error that nothing but
 * cudaDeviceReset() ends, and ends with api_end(), which keeps an error for cudaGetLastError(). In
 * between no other thread of the host is inside: the device is one, and so is cpu_now.
 */
#ifndef SHFLVIZ_CPU_API_H
#define SHFLVIZ_CPU_API_H

#include "cudacpu/runtime/arena.h"
#include "simt/device_state.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

/* The size of the device's memory: what an allocation beyond fails at. */
#if SIZE_MAX > UINT32_MAX
#define API_MEMORY_BYTES (UINT64_C(16) << 30)
#else
#define API_MEMORY_BYTES ((size_t)1 << 30)
#endif

enum api_memory {
    API_DEVICE,     /* cudaMalloc() */
    API_MANAGED,    /* both sides */
    API_HOST,       /* pinned: both sides */
    API_REGISTERED, /* the program's own, pinned */
};

struct api_allocation {
    char *start;
    size_t size;
    enum api_memory memory;
    unsigned flags;
    void *block;   /* to free; NULL: not ours */
    size_t mapped; /* bytes of `block` in its arena; 0: not ours */
    bool in_pool;  /* by cudaMallocAsync() */
};

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned long long id;
    struct CUgraph_st *capture;   /* NULL: not being captured */
    struct CUgraphNode_st **last; /* of the capture: what the next operation comes after */
    size_t last_count;
    bool into_graph; /* is captured into a graph that was there before */
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

/* A kernel that somebody has asked something of, or launched by its address. */
struct api_function {
    const void *address;
    const struct cpu_kernel_type *type; /* NULL: not known */
    char *name;
    int dynamic_shared;    /* opted in for */
    unsigned most_threads; /* of __launch_bounds__; 0: none */
    unsigned leans;        /* struct cudacpu_kernel's, as the next */
    const struct cpu_kernel_type *if_same;
    int carveout;
};

struct cudaArray {
    struct cudaArray *next;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as asked for: 0 where there is no such dimension */
    unsigned flags;
    size_t element; /* bytes */
    size_t pitch, slice;
    size_t slices; /* depth, at least 1 */
    char *data;
};

/* The texels of a texture, whatever they lie in. */
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
    bool is_simple; /* floats, one a texel, of which a read takes the one it hits */
};

struct cpu_api {
    struct api_allocation *allocations; /* by address */
    size_t allocation_count, allocation_capacity;
    uint64_t used;          /* bytes of the device's memory */
    struct api_arena arena; /* what API_DEVICE is taken from */
    struct api_arena both;  /* and API_MANAGED and API_HOST: never closed */
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
    /* Set by what makes them, which not every program links; NULL: there are none. */
    void (*release_textures)(struct cpu_api *api), (*release_graphs)(struct cpu_api *api);
    struct CUmemPoolHandle_st *pools, *pool; /* `pool`: cudaDeviceSetMemPool()'s */
    struct cpu_launch *children; /* that kernels have launched and that have not begun, in order */
    size_t child_count, child_capacity;
    unsigned device_flags;
    size_t limits[8];
    enum cudaFuncCache cache_config;
};

/* ---- cudacpu/runtime/error.c ---- */

/* Takes the device. NULL, with the reason, if nothing can be asked of it. */
struct cpu_device *api_begin(cudaError_t *error);
/* Keeps the error, lets the device go, and returns the error. */
cudaError_t api_end(cudaError_t error);

#define API_BEGIN                                                                                  \
    cudaError_t api_error;                                                                         \
    __attribute__((unused)) struct cpu_device *device = api_begin(&api_error);                     \
    if (!device)                                                                                   \
    return api_error

/* For calls that allocate or free (api_capture_unsafe()). */
#define API_BEGIN_UNSAFE                                                                           \
    API_BEGIN;                                                                                     \
    if ((api_error = api_capture_unsafe(device)) != cudaSuccess)                                   \
    return api_end(api_error)

/* ---- cudacpu/runtime/launch.c ---- */

/* Gives up what kernels have launched and has not begun. */
void api_children_release(struct cpu_api *api);

/* ---- cudacpu/runtime/memory.c ---- */

/* The allocation that holds the address, or NULL. */
struct api_allocation *api_find(const struct cpu_device *device, const void *address);
void api_free_all(struct cpu_device *device);
cudaError_t api_allocate(struct cpu_device *device, void **pointer, size_t size,
                         enum api_memory memory, unsigned flags);
cudaError_t api_release(struct cpu_device *device, void *pointer, bool is_host);
/* Around whatever reads or writes memory of the device: outside, the host is kept away from it. */
void api_memory_open(struct cpu_device *device);
void api_memory_close(struct cpu_device *device);
/* Whether the host's own code runs and the address is in memory that is the device's alone. */
bool api_is_devices_alone(const struct cpu_device *device, const void *address);
/* Lets the host have it all the same, until it is closed again: it has been told. */
void api_memory_let(struct cpu_device *device);

/* ---- cudacpu/runtime/copy.c ---- */

/* Rows of rows of bytes; `pitch` and `slice` are distances in bytes. */
struct api_block {
    char *start;
    size_t pitch, slice;
    bool is_array; /* memory of an array: on the device, and no address of its own */
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
/* Whether CUDA would do it. */
cudaError_t api_check_copy(struct cpu_device *device, const struct api_copy *copy);
cudaError_t api_check_fill(struct cpu_device *device, const struct api_fill *fill);
void api_do_copy(const struct api_copy *copy);
void api_do_fill(const struct api_fill *fill);
/* A copy of one row; and CUDA's description of any copy made ours. */
struct api_copy api_copy_line(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t api_copy_of(struct cpu_device *device, const struct cudaMemcpy3DParms *parameters,
                        struct api_copy *copy);

/* ---- cudacpu/runtime/launch.c ---- */

/* The entry of a kernel, made if it is not there. */
struct api_function *api_function_of(struct cpu_device *device, const void *address);
cudaError_t api_launch_now(struct cpu_device *device, const struct cpu_launch *launch);

/* ---- cudacpu/runtime/stream.c ---- */

/* The stream behind a handle, or NULL if there is no such stream. */
struct CUstream_st *api_stream(struct cpu_device *device, cudaStream_t stream);
struct CUevent_st *api_event(struct cpu_device *device, cudaEvent_t event);

/* ---- cudacpu/runtime/capture.c ---- */

/*
 * While a stream is captured, whatever would wait for it is refused, and so is allocating where the
 * modes of the capture and of the thread are both cudaStreamCaptureModeGlobal. The refusal is
 * cudaErrorStreamCaptureUnsupported, and the capture ends without a graph.
 */

/* The stream behind a handle, for work to be put in it; an error if there is none, or if it would
 * wait for one that is captured. */
cudaError_t api_capture_stream(struct cpu_device *device, cudaStream_t handle,
                               struct CUstream_st **stream);
/* Before an allocation. */
cudaError_t api_capture_unsafe(struct cpu_device *device);
/* Before waiting for a stream, an event, the whole device; and before work in a stream that no node
 * of a graph can hold. */
cudaError_t api_capture_stream_wait(struct cpu_device *device, cudaStream_t handle);
cudaError_t api_capture_event_wait(const struct CUevent_st *event);
cudaError_t api_capture_device_wait(struct cpu_device *device);

/* True if the stream is being captured: then the operation has been noted in its graph. */
bool api_capture_kernel(struct CUstream_st *stream, const struct cpu_launch *launch);
bool api_capture_copy(struct CUstream_st *stream, const struct api_copy *copy);
bool api_capture_fill(struct CUstream_st *stream, const struct api_fill *fill);
bool api_capture_host(struct CUstream_st *stream, cudaHostFn_t function, void *data);
bool api_capture_event(struct CUstream_st *stream, struct CUevent_st *event);
/* A stream that waits for an event of a capture joins it; one that is captured cannot wait for
 * another's. */
cudaError_t api_capture_wait(struct CUstream_st *stream, struct CUevent_st *event);
/* What the next operation of the stream comes after. */
void api_capture_last(struct CUstream_st *stream, struct CUgraphNode_st *node);
/* Sets a list of nodes to a copy of another. */
void api_capture_set_last(struct CUgraphNode_st ***last, size_t *last_count,
                          struct CUgraphNode_st *const *nodes, size_t count);
enum cudaStreamCaptureStatus api_capture_status(const struct CUstream_st *stream);
/* All streams, from api->per_thread on; NULL behind the last. */
struct CUstream_st *api_next_stream(struct cpu_api *api, const struct CUstream_st *stream);

/* ---- the rest, at the device's end ---- */

void api_streams_release(struct cpu_api *api);
void api_functions_release(struct cpu_api *api);
void api_pools_release(struct cpu_api *api);

#endif
