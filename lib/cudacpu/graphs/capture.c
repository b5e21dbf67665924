/*
 * capture.c - the beginning and the end of a stream's capture (runtime/capture.c handles the
 * operations in between).
 */
#include "cudacpu/graphs/graph.h"

#include "base/memory.h"

#include <stdlib.h>

/* Begins the capture of a stream that can be captured. */
static void begin_capture(struct CUstream_st *stream, struct CUgraph_st *graph,
                          enum cudaStreamCaptureMode mode, bool into_graph) {
    graph->mode = mode;
    graph->broken = false;
    stream->capture = graph;
    stream->into_graph = into_graph;
}

static cudaError_t check_begin(struct cpu_device *device, const struct CUstream_st *stream) {
    if (!stream)
        return cudaErrorInvalidResourceHandle;
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

/* From now on operations of the stream are added to the graph, after some of its nodes. */
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
    api_capture_set_last(&stream->last, &stream->last_count, after, count);
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags) {
    API_BEGIN;
    cudaGraphNode_t node;
    struct CUstream_st *stream = api_stream(device, handle);
    if (!stream || api_capture_status(stream) != cudaStreamCaptureStatusActive)
        return api_end(stream ? cudaErrorIllegalState : cudaErrorInvalidResourceHandle);
    cudaError_t error = api_graph_check(device, &node, stream->capture, nodes, count);
    if (error != cudaSuccess || edges || flags > cudaStreamSetCaptureDependencies)
        return api_end(cudaErrorInvalidValue);
    const size_t kept = flags == cudaStreamSetCaptureDependencies ? 0 : stream->last_count;
    struct CUgraphNode_st **all = memory_zeroed(kept + count + 1, sizeof(struct CUgraphNode_st *));
    for (size_t i = 0; i < kept + count; i++)
        all[i] = i < kept ? stream->last[i] : nodes[i - kept];
    api_capture_set_last(&stream->last, &stream->last_count, all, kept + count);
    free(all);
    return api_end(cudaSuccess);
}

/* Streams and events leave the capture. */
static void end_capture(struct cpu_api *api, const struct CUgraph_st *graph) {
    for (struct CUstream_st *at = &api->per_thread; at; at = api_next_stream(api, at))
        if (at->capture == graph)
            at->capture = NULL;
    for (struct CUevent_st *event = api->events; event; event = event->next)
        if (event->capture == graph)
            event->capture = NULL;
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
    const cudaError_t error =
        stream->capture->broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    if (graph && error == cudaSuccess)
        *graph = stream->capture;
    end_capture(device->api, stream->capture);
    return api_end(error);
}
