/* error.c - errors, and the common beginning and end of every host function. */
#include "cudacpu/runtime/api.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t api_mutex, lane_mutex;
static pthread_once_t api_once = PTHREAD_ONCE_INIT;

/* Recursive: a host function that a graph calls may call CUDA, and so may a kernel. */
static void make_mutex(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&api_mutex, &attributes);
    pthread_mutex_init(&lane_mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

/* While lanes run, the thread that launched them holds the lock for the host. */
static pthread_mutex_t *mutex_of(void) {
    return cpu_is_lane() ? &lane_mutex : &api_mutex;
}

/* Frees everything that host functions have made: memory, streams, graphs. */
static void api_destroy(struct cpu_device *device) {
    if (!device->api)
        return;
    api_children_release(device->api);
    if (device->api->release_textures)
        device->api->release_textures(device->api);
    if (device->options.observer && device->options.observer->ending)
        device->options.observer->ending();
    api_free_all(device);
    api_streams_release(device->api);
    api_functions_release(device->api);
    if (device->api->release_graphs)
        device->api->release_graphs(device->api);
    api_pools_release(device->api);
    free(device->api->allocations);
    free(device->api);
    device->api = NULL;
}

struct cpu_device *api_begin(cudaError_t *error, const void *caller) {
    pthread_once(&api_once, make_mutex);
    pthread_mutex_lock(mutex_of());
    struct cpu_device *device = cpu_device_in_use();
    *error = device ? (cudaError_t)device_lasting_error(device) : cudaErrorNoDevice;
    if (*error == cudaSuccess) {
        if (!device->api) {
            device->api = memory_zeroed(1, sizeof *device->api);
            device->api_end = api_destroy;
        }
        if (!cpu_is_lane() && device->api->depth++ == 0)
            device->api->caller = caller;
        return device;
    }
    if (device)
        device->last_error = *error; /* it stays: every later call returns it again */
    pthread_mutex_unlock(mutex_of());
    return NULL;
}

const void *api_caller(void) {
    const struct cpu_api *api = cpu_device_in_use() ? cpu_device_in_use()->api : NULL;
    return api && api->depth ? api->caller : NULL;
}

/* Ends a call of the host; true if it is not within another. */
static bool leave(struct cpu_device *device) {
    return !cpu_is_lane() && device && device->api && --device->api->depth == 0;
}

cudaError_t api_end(cudaError_t error) {
    struct cpu_device *device = cpu_device_in_use();
    const bool is_whole = leave(device);
    if (error != cudaSuccess && error != cudaErrorNotReady && device) {
        const struct cpu_observer *observer = device->options.observer;
        device->last_error = error;
        if (is_whole && observer && observer->failed && device_lasting_error(device) == 0)
            observer->failed(error, device->api->caller);
    }
    pthread_mutex_unlock(mutex_of());
    return error;
}

int cpu_runtime_try_close(void) {
    pthread_once(&api_once, make_mutex);
    return pthread_mutex_trylock(&api_mutex) == 0;
}

/* ---- the program's queries ---- */

static cudaError_t last_error(int clear) {
    const struct cpu_device *device = cpu_is_lane() ? NULL : cpu_device_in_use();
    const int error = cpu_runtime_error(clear);
    if (error && device && device->options.observer && device->options.observer->looked)
        device->options.observer->looked();
    return (cudaError_t)error;
}

cudaError_t cudaGetLastError(void) {
    return last_error(1);
}

cudaError_t cudaPeekAtLastError(void) {
    return last_error(0);
}

static const struct {
    int number;
    const char *name, *string;
} errors[] = {
#define ERROR_ROW(name, number, string) {number, #name, string},
    SHFLVIZ_ERRORS(ERROR_ROW)
#undef ERROR_ROW
};

const char *cudaGetErrorName(cudaError_t error) {
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].number == (int)error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].number == (int)error)
            return errors[i].string;
    return "unrecognized error code";
}

const char *cpu_runtime_error_name(int error) {
    return cudaGetErrorName((cudaError_t)error);
}

const char *cpu_runtime_error_string(int error) {
    return cudaGetErrorString((cudaError_t)error);
}
