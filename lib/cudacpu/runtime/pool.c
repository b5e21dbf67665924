/* pool.c - memory allocated in stream order. All is done immediately, so a pool only counts. */
#include "cudacpu/runtime/api.h"

#include "base/memory.h"

#include <stdlib.h>

struct CUmemPoolHandle_st {
    struct CUmemPoolHandle_st *next;
    uint64_t release_threshold;
    int reuse[3];
};

/* The device's default pool is the last one in the list. */
static struct CUmemPoolHandle_st *make_pool(struct cpu_api *api) {
    struct CUmemPoolHandle_st *pool = memory_zeroed(1, sizeof *pool);
    for (int i = 0; i < 3; i++)
        pool->reuse[i] = 1;
    pool->next = api->pools;
    api->pools = pool;
    return pool;
}

static struct CUmemPoolHandle_st *default_pool(struct cpu_api *api) {
    struct CUmemPoolHandle_st *pool = api->pools ? api->pools : make_pool(api);
    while (pool->next)
        pool = pool->next;
    return pool;
}

static bool is_pool(struct cpu_api *api, cudaMemPool_t pool) {
    default_pool(api);
    for (const struct CUmemPoolHandle_st *at = api->pools; at; at = at->next)
        if (at == pool)
            return true;
    return false;
}

void api_pools_release(struct cpu_api *api) {
    while (api->pools) {
        struct CUmemPoolHandle_st *pool = api->pools;
        api->pools = pool->next;
        free(pool);
    }
}

static cudaError_t allocate(struct cpu_device *device, void **pointer, size_t size,
                            cudaStream_t handle) {
    cudaError_t error = api_capture_stream_wait(device, handle);
    if (error == cudaSuccess)
        error = api_capture_unsafe(device);
    if (error != cudaSuccess)
        return error;
    error = api_allocate(device, pointer, size, API_DEVICE, 0);
    struct api_allocation *made =
        error == cudaSuccess && *pointer ? api_find(device, *pointer) : NULL;
    if (made) {
        struct cpu_api *api = device->api;
        made->in_pool = true;
        api->pool_used += size;
        api->pool_high = api->pool_used > api->pool_high ? api->pool_used : api->pool_high;
    }
    return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
    API_BEGIN;
    return api_end(allocate(device, pointer, size, stream));
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    API_BEGIN;
    if (!is_pool(device->api, pool))
        return api_end(cudaErrorInvalidValue);
    return api_end(allocate(device, pointer, size, stream));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
    API_BEGIN;
    const cudaError_t error = api_capture_stream_wait(device, handle);
    return api_end(error != cudaSuccess ? error : api_release(device, pointer, false));
}

/* ---- pools ---- */

static cudaError_t get_pool(cudaMemPool_t *pool, int number, bool current) {
    API_BEGIN;
    if (!pool || number != 0)
        return api_end(pool && !current ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = current && device->api->pool ? device->api->pool : default_pool(device->api);
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int number) {
    return get_pool(pool, number, false);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int number) {
    return get_pool(pool, number, true);
}

cudaError_t cudaDeviceSetMemPool(int number, cudaMemPool_t pool) {
    API_BEGIN;
    if (number != 0 || !is_pool(device->api, pool))
        return api_end(cudaErrorInvalidValue);
    device->api->pool = pool;
    return api_end(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
    API_BEGIN;
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0)
        return api_end(cudaErrorInvalidValue);
    default_pool(device->api);
    *pool = make_pool(device->api);
    return api_end(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    API_BEGIN;
    struct cpu_api *api = device->api;
    if (!is_pool(api, pool) || pool == default_pool(api))
        return api_end(cudaErrorInvalidValue);
    struct CUmemPoolHandle_st **at = &api->pools;
    while (*at != pool)
        at = &(*at)->next;
    *at = pool->next;
    if (api->pool == pool)
        api->pool = NULL;
    free(pool);
    return api_end(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
    API_BEGIN_UNSAFE;
    (void)keep;
    return api_end(is_pool(device->api, pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
    API_BEGIN;
    struct cpu_api *api = device->api;
    if (!value || !is_pool(api, pool))
        return api_end(cudaErrorInvalidValue);
    if (attribute <= cudaMemPoolReuseAllowInternalDependencies)
        pool->reuse[attribute - 1] = *(int *)value;
    else if (attribute == cudaMemPoolAttrReleaseThreshold)
        pool->release_threshold = *(uint64_t *)value;
    else if (attribute == cudaMemPoolAttrUsedMemHigh && *(uint64_t *)value == 0)
        api->pool_high = api->pool_used;
    else if (attribute != cudaMemPoolAttrReservedMemHigh || *(uint64_t *)value != 0)
        return api_end(cudaErrorInvalidValue);
    return api_end(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
    API_BEGIN;
    const struct cpu_api *api = device->api;
    if (!value || !is_pool(device->api, pool))
        return api_end(cudaErrorInvalidValue);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = pool->reuse[attribute - 1];
        break;
    case cudaMemPoolAttrReleaseThreshold:
        *(uint64_t *)value = pool->release_threshold;
        break;
    case cudaMemPoolAttrReservedMemCurrent: /* freed memory is returned immediately */
    case cudaMemPoolAttrUsedMemCurrent:
        *(uint64_t *)value = api->pool_used;
        break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        *(uint64_t *)value = api->pool_high;
        break;
    default:
        return api_end(cudaErrorInvalidValue);
    }
    return api_end(cudaSuccess);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access,
                                 size_t count) {
    API_BEGIN;
    if (!is_pool(device->api, pool) || (count && !access))
        return api_end(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id != 0)
            return api_end(cudaErrorInvalidDevice);
    return api_end(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
    API_BEGIN;
    if (!flags || !location || !is_pool(device->api, pool))
        return api_end(cudaErrorInvalidValue);
    *flags = location->type == cudaMemLocationTypeDevice && location->id == 0
                 ? cudaMemAccessFlagsProtReadWrite
                 : cudaMemAccessFlagsProtNone;
    return api_end(cudaSuccess);
}
