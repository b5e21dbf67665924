/*
 * capture.c - streams whose operations become a graph instead of being done: the calls that are
 * refused meanwhile, and the nodes that are made. Graphs themselves are linked only into programs
 * that call them (graphs/), so nodes are made through the functions that a graph supplies.
 *
 * A stream that is captured keeps the nodes that its next operation depends on. A stream that
 * waits for an event recorded in the capture joins it.
 */
#include "cudacpu/graphs/graph.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- calls refused meanwhile ---- */

static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

struct CUstream_st *api_next_stream(struct cpu_api *api, const struct CUstream_st *stream) {
    return stream == &api->per_thread ? api->streams : stream->next;
}

static cudaError_t refuse(struct CUgraph_st *capture) {
    capture->broken = true;
    return cudaErrorStreamCaptureUnsupported;
}

static bool is_any(const struct CUstream_st *stream) {
    (void)stream;
    return true;
}
/* The legacy stream waits for it. */
static bool is_blocking(const struct CUstream_st *stream) {
    return !(stream->flags & cudaStreamNonBlocking);
}
static bool is_global(const struct CUstream_st *stream) {
    return stream->capture->mode == cudaStreamCaptureModeGlobal &&
           thread_mode == cudaStreamCaptureModeGlobal;
}

static cudaError_t refuse_during(struct cpu_api *api,
                                 bool (*is_meant)(const struct CUstream_st *stream)) {
    cudaError_t error = cudaSuccess;
    for (struct CUstream_st *at = &api->per_thread; at; at = api_next_stream(api, at))
        if (at->capture && is_meant(at))
            error = refuse(at->capture);
    return error;
}

cudaError_t api_capture_unsafe(struct cpu_device *device) {
    return refuse_during(device->api, is_global);
}

cudaError_t api_capture_device_wait(struct cpu_device *device) {
    return refuse_during(device->api, is_any);
}

cudaError_t api_capture_event_wait(const struct CUevent_st *event) {
    return event->capture ? refuse(event->capture) : cudaSuccess;
}

cudaError_t api_capture_stream(struct cpu_device *device, cudaStream_t handle,
                               struct CUstream_st **stream) {
    struct cpu_api *api = device->api;
    *stream = api_stream(device, handle);
    if (!*stream)
        return cudaErrorInvalidResourceHandle;
    return *stream == &api->legacy ? refuse_during(api, is_blocking) : cudaSuccess;
}

cudaError_t api_capture_stream_wait(struct cpu_device *device, cudaStream_t handle) {
    struct CUstream_st *stream;
    const cudaError_t error = api_capture_stream(device, handle, &stream);
    return error == cudaSuccess && stream->capture ? refuse(stream->capture) : error;
}

/* ---- captured operations ---- */

void api_capture_set_last(struct CUgraphNode_st ***last, size_t *last_count,
                          struct CUgraphNode_st *const *nodes, size_t count) {
    struct CUgraphNode_st **copy = memory_zeroed(count + 1, sizeof(struct CUgraphNode_st *));
    for (size_t i = 0; i < count; i++)
        copy[i] = nodes[i];
    free(*last);
    *last = copy;
    *last_count = count;
}

void api_capture_last(struct CUstream_st *stream, struct CUgraphNode_st *node) {
    api_capture_set_last(&stream->last, &stream->last_count, &node, 1);
}

static struct CUgraphNode_st *add(struct CUstream_st *stream, enum cudaGraphNodeType type) {
    struct CUgraphNode_st *node =
        stream->capture->functions->add(stream->capture, type, stream->last, stream->last_count);
    api_capture_last(stream, node);
    return node;
}

bool api_capture_kernel(struct CUstream_st *stream, const struct cpu_launch *launch) {
    if (stream->capture)
        stream->capture->functions->set_launch(add(stream, cudaGraphNodeTypeKernel), launch);
    return stream->capture != NULL;
}

bool api_capture_copy(struct CUstream_st *stream, const struct api_copy *copy) {
    if (stream->capture)
        add(stream, cudaGraphNodeTypeMemcpy)->copy = *copy;
    return stream->capture != NULL;
}

bool api_capture_fill(struct CUstream_st *stream, const struct api_fill *fill) {
    if (stream->capture)
        add(stream, cudaGraphNodeTypeMemset)->fill = *fill;
    return stream->capture != NULL;
}

bool api_capture_host(struct CUstream_st *stream, cudaHostFn_t function, void *data) {
    if (!stream->capture)
        return false;
    struct CUgraphNode_st *node = add(stream, cudaGraphNodeTypeHost);
    node->host = function;
    node->host_data = data;
    return true;
}

bool api_capture_event(struct CUstream_st *stream, struct CUevent_st *event) {
    if (!stream->capture)
        return false;
    event->capture = stream->capture;
    api_capture_set_last(&event->last, &event->last_count, stream->last, stream->last_count);
    return true;
}

cudaError_t api_capture_wait(struct CUstream_st *stream, struct CUevent_st *event) {
    struct CUgraph_st *capture = stream->capture;
    if (!event->capture)
        return cudaSuccess;
    if (capture && capture != event->capture) {
        refuse(capture);
        return refuse(event->capture);
    }
    if (!capture) {
        stream->capture = event->capture;
        api_capture_set_last(&stream->last, &stream->last_count, event->last, event->last_count);
        return cudaSuccess;
    }
    size_t count = stream->last_count + event->last_count;
    struct CUgraphNode_st **both = memory_zeroed(count + 1, sizeof(struct CUgraphNode_st *));
    for (size_t i = 0; i < count; i++)
        both[i] = i < stream->last_count ? stream->last[i] : event->last[i - stream->last_count];
    api_capture_set_last(&stream->last, &stream->last_count, both, count);
    free(both);
    return cudaSuccess;
}

enum cudaStreamCaptureStatus api_capture_status(const struct CUstream_st *stream) {
    if (!stream->capture)
        return cudaStreamCaptureStatusNone;
    return stream->capture->broken ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **last, const cudaGraphEdgeData **edges,
                                     size_t *count) {
    API_BEGIN;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || !status)
        return api_end(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = api_capture_status(stream);
    const bool active = *status == cudaStreamCaptureStatusActive;
    if (id && active)
        *id = (unsigned long long)(uintptr_t)stream->capture;
    if (graph && active)
        *graph = stream->capture;
    if (last && active)
        *last = stream->last;
    if (edges)
        *edges = NULL;
    if (count && active)
        *count = stream->last_count;
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
    API_BEGIN;
    const struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || !status)
        return api_end(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = api_capture_status(stream);
    return api_end(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    API_BEGIN;
    if (!mode)
        return api_end(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return api_end(cudaSuccess);
}
