/*
 * capture.c - streams whose operations become a graph instead of being done.
 *
 * A stream that is captured keeps the nodes that its next operation comes after. A stream that
 * waits for an event recorded in the capture joins it.
 */
#include "cudacpu/graphs/graph.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- what is refused meanwhile ---- */

static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;
static _Thread_local char this_thread; /* its address */

/* The first stream that is being captured, and the next. */
static struct CUstream_st *captured(struct cpu_api *api, const struct CUstream_st *before) {
    struct CUstream_st *at = before ? before->next : api->streams;
    while (before != &api->per_thread && at && !at->capture)
        at = at->next;
    if (!at && before != &api->per_thread && api->per_thread.capture)
        at = &api->per_thread;
    return at;
}

static bool forbids(const struct CUgraph_st *capture) {
    if (thread_mode == cudaStreamCaptureModeRelaxed)
        return false;
    if (capture->thread == &this_thread)
        return capture->mode != cudaStreamCaptureModeRelaxed;
    return thread_mode == cudaStreamCaptureModeGlobal &&
           capture->mode == cudaStreamCaptureModeGlobal;
}

cudaError_t api_capture_unsafe(struct cpu_device *device) {
    cudaError_t error = cudaSuccess;
    for (struct CUstream_st *at = NULL; (at = captured(device->api, at));)
        if (forbids(at->capture)) {
            at->capture->broken = true;
            error = cudaErrorStreamCaptureUnsupported;
        }
    return error;
}

cudaError_t api_capture_device_wait(struct cpu_device *device) {
    cudaError_t error = cudaSuccess;
    for (struct CUstream_st *at = NULL; (at = captured(device->api, at));) {
        at->capture->broken = true;
        error = cudaErrorStreamCaptureUnsupported;
    }
    return error;
}

/* The legacy stream waits for all that are blocking, and they for it. */
static cudaError_t check_legacy(struct cpu_device *device, const struct CUstream_st *stream) {
    cudaError_t error = cudaSuccess;
    for (struct CUstream_st *at = NULL;
         stream == &device->api->legacy && (at = captured(device->api, at));)
        if (!(at->flags & cudaStreamNonBlocking)) {
            at->capture->broken = true;
            error = cudaErrorStreamCaptureImplicit;
        }
    return error;
}

cudaError_t api_capture_stream_wait(struct cpu_device *device, const struct CUstream_st *stream) {
    if (stream->capture) {
        stream->capture->broken = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    const cudaError_t error = check_legacy(device, stream);
    return error != cudaSuccess ? error : api_capture_unsafe(device);
}

cudaError_t api_capture_event_wait(struct cpu_device *device, const struct CUevent_st *event) {
    if (!event->capture)
        return api_capture_unsafe(device);
    event->capture->broken = true;
    return cudaErrorCapturedEvent;
}

cudaError_t api_capture_stream(struct cpu_device *device, cudaStream_t handle,
                               struct CUstream_st **stream) {
    *stream = api_stream(device, handle);
    if (!*stream)
        return cudaErrorInvalidResourceHandle;
    if ((*stream)->capture && (*stream)->capture->broken)
        return cudaErrorStreamCaptureInvalidated;
    return check_legacy(device, *stream);
}

/* ---- what is captured ---- */

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

cudaError_t api_capture_wait(struct CUstream_st *stream, struct CUevent_st *event, bool external) {
    struct CUgraph_st *capture = stream->capture;
    if (event->capture && event->capture->broken)
        return cudaErrorInvalidValue;
    if (capture && event->capture && capture != event->capture) {
        capture->broken = event->capture->broken = true;
        return cudaErrorStreamCaptureMerge;
    }
    if (!event->capture && capture && event->recorded && !external) {
        capture->broken = true;
        return cudaErrorStreamCaptureIsolation;
    }
    if (!event->capture)
        return cudaSuccess;
    if (!capture) {
        stream->capture = event->capture;
        stream->forked = true;
        set_last(&stream->last, &stream->last_count, event->last, event->last_count);
        return cudaSuccess;
    }
    size_t count = stream->last_count + event->last_count;
    struct CUgraphNode_st **both = memory_zeroed(count + 1, sizeof(struct CUgraphNode_st *));
    for (size_t i = 0; i < count; i++)
        both[i] = i < stream->last_count ? stream->last[i] : event->last[i - stream->last_count];
    set_last(&stream->last, &stream->last_count, both, count);
    free(both);
    return cudaSuccess;
}

/* Of a stream that can be captured: how, and from now on. */
static void begin_capture(struct CUstream_st *stream, struct CUgraph_st *graph,
                          enum cudaStreamCaptureMode mode, bool into_graph) {
    graph->mode = mode;
    graph->thread = &this_thread;
    graph->broken = false;
    stream->capture = graph;
    stream->forked = false;
    stream->into_graph = into_graph;
}

static cudaError_t check_begin(struct cpu_device *device, const struct CUstream_st *stream) {
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t error = check_legacy(device, stream);
    if (error != cudaSuccess)
        return error;
    return stream == &device->api->legacy ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode) {
    API_BEGIN;
    struct CUstream_st *stream = api_stream(device, handle);
    const cudaError_t error = check_begin(device, stream);
    if (error != cudaSuccess)
        return api_end(error);
    if (stream->capture || (unsigned)mode > cudaStreamCaptureModeRelaxed)
        return api_end(stream->capture ? cudaErrorIllegalState : cudaErrorInvalidValue);
    begin_capture(stream, api_graph_make(device->api), mode, false);
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
    cudaError_t error = check_begin(device, stream);
    if (error != cudaSuccess)
        return api_end(error);
    error = api_graph_check(device, &node, graph, after, count);
    if (error != cudaSuccess || edges || stream->capture ||
        (unsigned)mode > cudaStreamCaptureModeRelaxed)
        return api_end(stream->capture ? cudaErrorIllegalState : cudaErrorInvalidValue);
    begin_capture(stream, graph, mode, true);
    set_last(&stream->last, &stream->last_count, after, count);
    return api_end(cudaSuccess);
}

static enum cudaStreamCaptureStatus status_of(const struct CUstream_st *stream) {
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
    *status = status_of(stream);
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

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags) {
    API_BEGIN;
    cudaGraphNode_t node;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || status_of(stream) != cudaStreamCaptureStatusActive)
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

/* Whether what other streams have brought comes before the end of this one, as it has to. */
static bool is_joined(struct cpu_api *api, const struct CUstream_st *stream) {
    const struct CUgraph_st *graph = stream->capture;
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->joined = false;
    for (size_t i = 0; i < stream->last_count; i++)
        stream->last[i]->joined = true;
    for (size_t i = graph->count; i-- > 0;) /* a node is made after those before it */
        for (size_t k = 0; graph->nodes[i]->joined && k < graph->nodes[i]->after_count; k++)
            graph->nodes[i]->after[k]->joined = true;
    for (struct CUstream_st *at = NULL; (at = captured(api, at));)
        for (size_t i = 0; at->capture == graph && i < at->last_count; i++)
            if (!at->last[i]->joined)
                return false;
    return true;
}

static cudaError_t check_end(struct cpu_api *api, const struct CUstream_st *stream) {
    const struct CUgraph_st *capture = stream->capture;
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != &this_thread)
        return cudaErrorStreamCaptureWrongThread;
    if (capture->broken)
        return cudaErrorStreamCaptureInvalidated;
    return is_joined(api, stream) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
    API_BEGIN;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || (!graph && !stream->into_graph))
        return api_end(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (graph)
        *graph = NULL;
    if (!stream->capture)
        return api_end(cudaErrorIllegalState);
    if (stream->forked) {
        stream->capture->broken = true;
        return api_end(cudaErrorStreamCaptureUnmatched);
    }
    const cudaError_t error = check_end(device->api, stream);
    if (graph && error == cudaSuccess)
        *graph = stream->capture;
    end_capture(device->api, stream->capture);
    return api_end(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
    API_BEGIN;
    const struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || !status)
        return api_end(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = status_of(stream);
    return api_end(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    API_BEGIN;
    (void)device;
    if (!mode)
        return api_end(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return api_end(cudaSuccess);
}
