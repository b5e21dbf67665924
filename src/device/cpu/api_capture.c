/*
 * api_capture.c - streams whose operations become a graph instead of being done.
 *
 * A stream that is captured keeps the nodes that its next operation comes after. A stream that
 * waits for an event recorded in the capture joins it.
 */
#include "device/cpu/api_graph.h"

#include "base/memory.h"

#include <stdlib.h>

static void set_last(struct CUgraphNode_st ***last, size_t *last_count,
                     struct CUgraphNode_st *const *nodes, size_t count) {
    struct CUgraphNode_st **copy = memory_zeroed(count + 1, sizeof(struct CUgraphNode_st *));
    for (size_t i = 0; i < count; i++)
        copy[i] = nodes[i];
    free(*last);
    *last = copy;
    *last_count = count;
}

void api_capture_last(struct CUstream_st *stream, struct CUgraphNode_st *node) {
    set_last(&stream->last, &stream->last_count, &node, 1);
}

static struct CUgraphNode_st *add(struct CUstream_st *stream, enum cudaGraphNodeType type) {
    struct CUgraphNode_st *node =
        api_graph_add(stream->capture, type, stream->last, stream->last_count);
    api_capture_last(stream, node);
    return node;
}

bool api_capture_kernel(struct CUstream_st *stream, const struct cpu_launch *launch) {
    if (stream->capture)
        api_graph_set_launch(add(stream, cudaGraphNodeTypeKernel), launch);
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

cudaError_t api_capture_memory(struct cpu_device *device, struct CUstream_st *stream, size_t size,
                               void **pointer) {
    struct CUgraphNode_st *node;
    cudaError_t error = api_graph_add_memory(device, stream->capture, stream->last,
                                             stream->last_count, size, pointer, &node);
    if (error == cudaSuccess)
        api_capture_last(stream, node);
    return error;
}

cudaError_t api_capture_free(struct cpu_device *device, struct CUstream_st *stream, void *pointer) {
    struct CUgraphNode_st *node;
    cudaError_t error = api_graph_add_free(device, stream->capture, stream->last,
                                           stream->last_count, pointer, &node);
    if (error == cudaSuccess)
        api_capture_last(stream, node);
    return error;
}

bool api_capture_event(struct CUstream_st *stream, struct CUevent_st *event) {
    if (!stream->capture)
        return false;
    event->capture = stream->capture;
    set_last(&event->last, &event->last_count, stream->last, stream->last_count);
    return true;
}

bool api_capture_wait(struct CUstream_st *stream, struct CUevent_st *event) {
    if (!event->capture)
        return false;
    if (!stream->capture) {
        stream->capture = event->capture;
        stream->forked = true;
        set_last(&stream->last, &stream->last_count, event->last, event->last_count);
        return true;
    }
    size_t count = stream->last_count + event->last_count;
    struct CUgraphNode_st **both = memory_zeroed(count + 1, sizeof(struct CUgraphNode_st *));
    for (size_t i = 0; i < count; i++)
        both[i] = i < stream->last_count ? stream->last[i] : event->last[i - stream->last_count];
    set_last(&stream->last, &stream->last_count, both, count);
    free(both);
    return true;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode) {
    API_BEGIN;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream)
        return api_end(cudaErrorInvalidResourceHandle);
    if (stream == &device->api->legacy)
        return api_end(cudaErrorStreamCaptureUnsupported);
    if (stream->capture || (unsigned)mode > cudaStreamCaptureModeRelaxed)
        return api_end(stream->capture ? cudaErrorIllegalState : cudaErrorInvalidValue);
    stream->capture = api_graph_make(device->api);
    stream->forked = stream->into_graph = false;
    stream->last_count = 0;
    return api_end(cudaSuccess);
}

/* What follows is added to a graph, behind some of its nodes. */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode) {
    API_BEGIN;
    cudaGraphNode_t node;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream)
        return api_end(cudaErrorInvalidResourceHandle);
    if (stream == &device->api->legacy)
        return api_end(cudaErrorStreamCaptureUnsupported);
    cudaError_t error = api_graph_check(device, &node, graph, after, count);
    if (error != cudaSuccess || edges || stream->capture ||
        (unsigned)mode > cudaStreamCaptureModeRelaxed)
        return api_end(stream->capture ? cudaErrorIllegalState : cudaErrorInvalidValue);
    stream->capture = graph;
    stream->forked = false;
    stream->into_graph = true;
    set_last(&stream->last, &stream->last_count, after, count);
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **last, const cudaGraphEdgeData **edges,
                                     size_t *count) {
    API_BEGIN;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || !status)
        return api_end(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = stream->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (id && stream->capture)
        *id = (unsigned long long)(uintptr_t)stream->capture;
    if (graph && stream->capture)
        *graph = stream->capture;
    if (last && stream->capture)
        *last = stream->last;
    if (edges)
        *edges = NULL;
    if (count && stream->capture)
        *count = stream->last_count;
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags) {
    API_BEGIN;
    cudaGraphNode_t node;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || !stream->capture)
        return api_end(stream ? cudaErrorIllegalState : cudaErrorInvalidResourceHandle);
    cudaError_t error = api_graph_check(device, &node, stream->capture, nodes, count);
    if (error != cudaSuccess || edges || flags > cudaStreamSetCaptureDependencies)
        return api_end(cudaErrorInvalidValue);
    const size_t kept = flags == cudaStreamSetCaptureDependencies ? 0 : stream->last_count;
    struct CUgraphNode_st **all = memory_zeroed(kept + count + 1, sizeof(struct CUgraphNode_st *));
    for (size_t i = 0; i < kept + count; i++)
        all[i] = i < kept ? stream->last[i] : nodes[i - kept];
    set_last(&stream->last, &stream->last_count, all, kept + count);
    free(all);
    return api_end(cudaSuccess);
}

/* Streams and events that took part have done so. */
static void end_capture(struct cpu_api *api, const struct CUgraph_st *graph) {
    for (struct CUstream_st *stream = api->streams; stream; stream = stream->next)
        if (stream->capture == graph)
            stream->capture = NULL;
    if (api->per_thread.capture == graph)
        api->per_thread.capture = NULL;
    for (struct CUevent_st *event = api->events; event; event = event->next)
        if (event->capture == graph)
            event->capture = NULL;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
    API_BEGIN;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || (!graph && !stream->into_graph))
        return api_end(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (!stream->capture)
        return api_end(cudaErrorIllegalState);
    if (stream->forked)
        return api_end(cudaErrorStreamCaptureUnmatched);
    if (graph)
        *graph = stream->capture;
    end_capture(device->api, stream->capture);
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
    API_BEGIN;
    const struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || !status)
        return api_end(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = stream->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return api_end(cudaSuccess);
}

/* What one thread captures no other disturbs. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    API_BEGIN;
    (void)device;
    return api_end(mode ? cudaSuccess : cudaErrorInvalidValue);
}
