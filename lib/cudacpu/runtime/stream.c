/*
 * stream.c - streams and events. All work is done when a call returns: a stream only keeps its
 * attributes, and an event is a point in time.
 */
#include "cudacpu/graphs/graph.h"

#include "base/memory.h"

#include <stdlib.h>

#define LEAST_PRIORITY    0
#define GREATEST_PRIORITY (-5)
/* About the resolution of a GPU's clock: two events never have the same time. */
#define LEAST_MILLISECONDS 0.0005

/* ---- streams ---- */

struct CUstream_st *api_stream(struct cpu_device *device, cudaStream_t stream) {
    struct cpu_api *api = device->api;
    if (!stream || stream == cudaStreamLegacy)
        return &api->legacy;
    if (stream == cudaStreamPerThread)
        return &api->per_thread;
    for (struct CUstream_st *at = api->streams; at; at = at->next)
        if (at == stream)
            return at;
    return NULL;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
    API_BEGIN;
    struct cpu_api *api = device->api;
    if (!stream || flags & ~(unsigned)cudaStreamNonBlocking)
        return api_end(cudaErrorInvalidValue);
    struct CUstream_st *made = memory_zeroed(1, sizeof *made);
    made->flags = flags;
    made->priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
                     : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                                    : priority;
    made->id = ++api->stream_count + 2;
    made->next = api->streams;
    api->streams = made;
    *stream = made;
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
    return cudaStreamCreateWithPriority(stream, flags, LEAST_PRIORITY);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, LEAST_PRIORITY);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    API_BEGIN;
    for (struct CUstream_st **at = &device->api->streams; *at; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            free(stream->last);
            free(stream);
            return api_end(cudaSuccess);
        }
    return api_end(cudaErrorInvalidResourceHandle);
}

void api_streams_release(struct cpu_api *api) {
    while (api->streams) {
        struct CUstream_st *stream = api->streams;
        api->streams = stream->next;
        free(stream->last);
        free(stream);
    }
    free(api->legacy.last);
    free(api->per_thread.last);
    while (api->events) {
        struct CUevent_st *event = api->events;
        api->events = event->next;
        free(event->last);
        free(event);
    }
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    API_BEGIN;
    cudaError_t error = api_capture_stream_wait(device, stream);
    return api_end(error != cudaSuccess ? error : (cudaError_t)cpu_runtime_synchronize());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    API_BEGIN;
    return api_end(api_capture_stream_wait(device, stream));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
    API_BEGIN;
    const struct CUstream_st *at = api_stream(device, stream);
    if (!flags || !at)
        return api_end(flags ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *flags = at->flags;
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    API_BEGIN;
    const struct CUstream_st *at = api_stream(device, stream);
    if (!priority || !at)
        return api_end(priority ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *priority = at->priority;
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
    API_BEGIN;
    const struct CUstream_st *at = api_stream(device, stream);
    if (!id || !at)
        return api_end(id ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *id = at == &device->api->legacy ? 1 : at == &device->api->per_thread ? 2 : at->id;
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *number) {
    API_BEGIN;
    if (!number || !api_stream(device, stream))
        return api_end(number ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *number = 0;
    return api_end(cudaSuccess);
}

/* Hints, except the priority. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value) {
    API_BEGIN;
    struct CUstream_st *at = api_stream(device, stream);
    if (!at || !value)
        return api_end(at ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (attribute == cudaLaunchAttributePriority)
        at->priority = value->priority;
    return api_end(cudaSuccess);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value) {
    API_BEGIN;
    const struct CUstream_st *at = api_stream(device, stream);
    if (!at || !value)
        return api_end(at ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *value = (cudaLaunchAttributeValue){{0}};
    if (attribute == cudaLaunchAttributePriority)
        value->priority = at->priority;
    else if (attribute == cudaLaunchAttributeSynchronizationPolicy)
        value->syncPolicy = cudaSyncPolicyAuto;
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    API_BEGIN;
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return api_end(cudaSuccess);
}

/* ---- host functions in a stream ---- */

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags) {
    API_BEGIN;
    cudaError_t error = api_capture_stream_wait(device, stream);
    if (error == cudaSuccess && (!callback || flags))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = (cudaError_t)cpu_runtime_synchronize();
    if (error == cudaSuccess)
        callback(stream, cudaSuccess, userData);
    return api_end(error);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *userData) {
    API_BEGIN;
    struct CUstream_st *stream;
    const cudaError_t error = api_capture_stream(device, handle, &stream);
    if (error != cudaSuccess || !function)
        return api_end(error != cudaSuccess ? error : cudaErrorInvalidValue);
    if (!api_capture_host(stream, function, userData)) {
        cpu_runtime_synchronize();
        function(userData);
    }
    return api_end(cudaSuccess);
}

/* ---- events ---- */

struct CUevent_st *api_event(struct cpu_device *device, cudaEvent_t event) {
    for (struct CUevent_st *at = device->api->events; at; at = at->next)
        if (at == event)
            return at;
    return NULL;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    API_BEGIN;
    if (!event || flags & ~7u ||
        (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
        return api_end(cudaErrorInvalidValue);
    struct CUevent_st *made = memory_zeroed(1, sizeof *made);
    made->flags = flags;
    made->next = device->api->events;
    device->api->events = made;
    *event = made;
    return api_end(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    API_BEGIN;
    for (struct CUevent_st **at = &device->api->events; *at; at = &(*at)->next)
        if (*at == event) {
            *at = event->next;
            free(event->last);
            free(event);
            return api_end(cudaSuccess);
        }
    return api_end(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
    API_BEGIN;
    struct CUevent_st *at = api_event(device, event);
    struct CUstream_st *stream;
    const cudaError_t error =
        at ? api_capture_stream(device, handle, &stream) : cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return api_end(error);
    if (api_capture_event(stream, at))
        return api_end(cudaSuccess);
    at->capture = NULL;
    at->recorded = true;
    at->milliseconds = cpu_runtime_milliseconds();
    return api_end(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    (void)flags;
    return cudaEventRecord(event, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags) {
    API_BEGIN;
    struct CUevent_st *at = api_event(device, event);
    struct CUstream_st *stream;
    cudaError_t error =
        at ? api_capture_stream(device, handle, &stream) : cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && flags & ~(unsigned)cudaEventWaitExternal)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && stream == &device->api->legacy) /* it is in no graph */
        error = api_capture_event_wait(at);
    return api_end(error != cudaSuccess ? error : api_capture_wait(stream, at));
}

static cudaError_t check_event(struct cpu_device *device, cudaEvent_t event) {
    const struct CUevent_st *at = api_event(device, event);
    return at ? api_capture_event_wait(at) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    API_BEGIN;
    return api_end(check_event(device, event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    API_BEGIN;
    cudaError_t error = check_event(device, event);
    return api_end(error != cudaSuccess ? error : (cudaError_t)cpu_runtime_synchronize());
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    API_BEGIN;
    const struct CUevent_st *from = api_event(device, start), *to = api_event(device, end);
    if (!milliseconds)
        return api_end(cudaErrorInvalidValue);
    if (!from || !to || !from->recorded || !to->recorded ||
        (from->flags | to->flags) & cudaEventDisableTiming)
        return api_end(cudaErrorInvalidResourceHandle);
    double between = to->milliseconds - from->milliseconds;
    if (from != to && between >= 0 && between < LEAST_MILLISECONDS)
        between = LEAST_MILLISECONDS;
    *milliseconds = (float)between;
    return api_end(cudaSuccess);
}
