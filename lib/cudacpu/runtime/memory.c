/* memory.c - memory that a program requests: on the device, on both sides, and pinned. */
#include "cudacpu/runtime/api.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGNMENT API_ARENA_ALIGNMENT
#define MAPPED                                                                                     \
    (1 << 20) /* memory of at least this size is mapped: zero, and not resident                    \
               * until used */
#define PAGE_BYTES 4096
/* Closing memory costs time for each page: after this many bytes it stays open. */
#define CLOSED_MOST (UINT64_C(8) << 30)
/* A smaller value is a number in a pointer, not an address. */
#define POINTER_LEAST 65536

extern char __executable_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

/* ---- the list of allocations ---- */

/* The number of allocations that begin at or before the address. */
static size_t allocations_up_to(const struct cpu_api *api, const char *address) {
    return search_address_up_to(api->allocations, api->allocation_count, sizeof api->allocations[0],
                                address);
}

struct api_allocation *api_find(const struct cpu_device *device, const void *address) {
    const struct cpu_api *api = device->api;
    size_t at = allocations_up_to(api, address);
    if (at == 0)
        return NULL;
    struct api_allocation *found = &api->allocations[at - 1];
    return (const char *)address < found->start + found->size ? found : NULL;
}

static void insert(struct cpu_api *api, const struct api_allocation *allocation) {
    size_t at = allocations_up_to(api, allocation->start);
    api->allocations = memory_room(api->allocations, api->allocation_count,
                                   &api->allocation_capacity, sizeof api->allocations[0]);
    memmove(api->allocations + at + 1, api->allocations + at,
            (api->allocation_count - at) * sizeof api->allocations[0]);
    api->allocations[at] = *allocation;
    api->allocation_count++;
}

static void release_block(struct cpu_api *api, const struct api_allocation *allocation) {
    if (allocation->memory == API_DEVICE)
        api_arena_free(&api->arena, allocation->block, allocation->mapped);
    else if (allocation->memory != API_REGISTERED)
        api_arena_free(&api->both, allocation->block, allocation->mapped);
}

static bool is_of_device(enum api_memory memory) {
    return memory == API_DEVICE || memory == API_MANAGED;
}

static void discard(struct cpu_device *device, struct api_allocation *allocation) {
    struct cpu_api *api = device->api;
    if (device->options.observer)
        device->options.observer->freed(allocation->start);
    if (is_of_device(allocation->memory))
        api->used -= allocation->size;
    if (allocation->in_pool)
        api->pool_used -= allocation->size;
    release_block(api, allocation);
    size_t at = (size_t)(allocation - api->allocations);
    api->allocation_count--;
    memmove(api->allocations + at, api->allocations + at + 1,
            (api->allocation_count - at) * sizeof api->allocations[0]);
}

void api_free_all(struct cpu_device *device) {
    while (device->api->allocation_count)
        discard(device, &device->api->allocations[device->api->allocation_count - 1]);
    api_arena_release(&device->api->arena);
    api_arena_release(&device->api->both);
}

/* ---- access by side ---- */

void api_memory_open(struct cpu_device *device) {
    if (!device->api)
        return;
    device->api->arena.is_hosts = false;
    device->api->arena.was_devices = true;
    api_arena_open(&device->api->arena);
}

void api_memory_close(struct cpu_device *device) {
    struct cpu_api *api = device->api;
    if (!api || !device->options.guards_memory)
        return;
    api->arena.is_hosts = true;
    if (api->arena.switched > CLOSED_MOST)
        return;
    api->arena.switched += api->used;
    api_arena_close(&api->arena);
}

bool api_is_device_only(const struct cpu_device *device, const void *address) {
    const struct cpu_api *api = device ? device->api : NULL;
    return api && api->arena.is_hosts && api_arena_holds(&api->arena, address);
}

void api_memory_allow(struct cpu_device *device) {
    api_arena_open(&device->api->arena);
}

void cpu_memory_is_for_host(void) {
    if (cpu_device_in_use()) {
        cpu_device_in_use()->options.guards_memory = false;
        api_memory_open(cpu_device_in_use());
    }
}

/* True for variables of the program; the device's and the host's cannot be distinguished. */
static bool is_in_image(const void *address) {
    return !__executable_start || !_end ||
           ((const char *)address >= __executable_start && (const char *)address < _end);
}

const void *cpu_kernel_pointer(const void *pointer) {
    const struct cpu_device *device = cpu_device_in_use();
    const uintptr_t moved = (uintptr_t)pointer ^ CPU_HOST_POINTER_BIT;
    unsigned char in_core;
    if (!device || !device->options.guards_memory || cpu_is_lane() ||
        (uintptr_t)pointer < POINTER_LEAST || (&cpu_has_device_heap && cpu_has_device_heap))
        return pointer;
    if (device->api && (api_arena_holds(&device->api->arena, pointer) ||
                        api_arena_holds(&device->api->both, pointer) || api_find(device, pointer) ||
                        api_find(device, (const char *)pointer - 1)))
        return pointer;
    if (is_in_image(pointer))
        return pointer;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (mincore((void *)(moved / page * page), page, &in_core) == 0)
        return pointer; /* something has been stored there */
    return (const void *)moved;
}

/* ---- allocating and freeing ---- */

/* Fresh memory of the arena. */
static bool take(struct api_arena *arena, struct api_allocation *allocation, size_t margin,
                 int fill) {
    const bool was_closed = arena->is_closed, was_hosts = arena->is_hosts;
    bool is_used;
    allocation->mapped = (allocation->size + margin + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    allocation->start = allocation->block = api_arena_alloc(arena, allocation->mapped, &is_used);
    if (!allocation->start || (!is_used && !fill))
        return allocation->start != NULL;
    api_arena_open(arena);
    arena->is_hosts = false;
    char *from = allocation->start, *end = from + allocation->size;
#ifdef __linux__ /* whole pages need not be written: they are dropped, and read as 0 */
    char *page = from + (-(uintptr_t)from & (PAGE_BYTES - 1));
    if (!fill && end - from >= MAPPED &&
        madvise(page, (size_t)(end - page) & ~(size_t)(PAGE_BYTES - 1), MADV_DONTNEED) == 0) {
        memset(from, 0, (size_t)(page - from));
        from = end - ((uintptr_t)end & (PAGE_BYTES - 1));
    }
#endif
    memset(from, fill, (size_t)(end - from));
    if (was_closed)
        api_arena_close(arena);
    arena->is_hosts = was_hosts;
    return true;
}

/* Memory of both sides is also separate from the host's own: a kernel that writes a little beyond
 * its end, as in programs that round up to whole blocks, damages nothing of the host's. */
static bool take_block(struct cpu_api *api, struct api_allocation *allocation, size_t margin,
                       int fill) {
    return take(allocation->memory == API_DEVICE ? &api->arena : &api->both, allocation, margin,
                fill);
}

/* The device's memory, or the machine's if that is less: otherwise a larger allocation would
 * succeed, and the program would be killed when it writes to it. */
static uint64_t memory_bytes(void) {
    static uint64_t bytes;
    if (bytes == 0) {
        const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        FILE *file = fopen("/sys/fs/cgroup/memory.max", "r"); /* a container's limit */
        unsigned long long most = 0;
        bytes = API_MEMORY_BYTES;
        if (pages > 0 && page > 0 && (uint64_t)pages * (uint64_t)page < bytes)
            bytes = (uint64_t)pages * (uint64_t)page;
        if (file && fscanf(file, "%llu", &most) == 1 && most && most < bytes)
            bytes = most;
        if (file)
            fclose(file);
    }
    return bytes;
}

cudaError_t api_allocate(struct cpu_device *device, void **pointer, size_t size,
                         enum api_memory memory, unsigned flags) {
    struct cpu_api *api = device->api;
    struct api_allocation allocation = {.size = size, .memory = memory, .flags = flags};
    /* A watched kernel's write beyond the end must not hit anything else. */
    const size_t margin = device->options.observer ? CPU_OBSERVED_MARGIN : 0;
    const int fill =
        device->options.settings.zero_memory || memory == API_HOST ? 0 : CPU_GARBAGE_BYTE;
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (size == 0)
        return cudaSuccess;
    if (size > memory_bytes() || (is_of_device(memory) && api->used + size > memory_bytes()) ||
        !take_block(api, &allocation, margin, fill))
        return cudaErrorMemoryAllocation;
    if (is_of_device(memory))
        api->used += size;
    insert(api, &allocation);
    *pointer = allocation.start;
    if (device->options.observer)
        device->options.observer->allocated(allocation.start, size, memory != API_DEVICE);
    /* Most wrong accesses by the host happen before any kernel runs: it stores values directly. */
    if (memory == API_DEVICE && !api->arena.was_devices)
        api_memory_close(device);
    return cudaSuccess;
}

cudaError_t api_release(struct cpu_device *device, void *pointer, bool is_host) {
    if (!pointer)
        return cudaSuccess;
    struct api_allocation *allocation = api_find(device, pointer);
    if (!allocation || allocation->start != pointer || allocation->memory == API_REGISTERED ||
        is_host != (allocation->memory == API_HOST))
        return cudaErrorInvalidValue;
    discard(device, allocation);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t size) {
    API_BEGIN_UNSAFE;
    return api_end(api_allocate(device, pointer, size, API_DEVICE, 0));
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags) {
    API_BEGIN_UNSAFE;
    if (size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return api_end(cudaErrorInvalidValue);
    return api_end(api_allocate(device, pointer, size, API_MANAGED, flags));
}

cudaError_t cudaMallocHost(void **pointer, size_t size) {
    API_BEGIN_UNSAFE;
    return api_end(api_allocate(device, pointer, size, API_HOST, 0));
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags) {
    API_BEGIN_UNSAFE;
    if (flags &
        ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return api_end(cudaErrorInvalidValue);
    return api_end(api_allocate(device, pointer, size, API_HOST, flags));
}

/* Set if cudaFree() is called after a kernel has crashed, when memory cannot be freed. */
bool api_free_failed;

cudaError_t cudaFree(void *pointer) {
    const struct cpu_device *used = cpu_device_in_use();
    if (used && device_lasting_error(used) != 0)
        api_free_failed = true;
    API_BEGIN_UNSAFE;
    return api_end(api_release(device, pointer, false));
}

cudaError_t cudaFreeHost(void *pointer) {
    API_BEGIN_UNSAFE;
    return api_end(api_release(device, pointer, true));
}

/* ---- the program's own memory, pinned ---- */

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags) {
    API_BEGIN_UNSAFE;
    struct api_allocation allocation = {
        .start = pointer, .size = size, .memory = API_REGISTERED, .flags = flags};
    if (!pointer || !size || flags & ~15u)
        return api_end(cudaErrorInvalidValue);
    if (api_find(device, pointer) || api_find(device, (char *)pointer + size - 1))
        return api_end(cudaErrorHostMemoryAlreadyRegistered);
    insert(device->api, &allocation);
    if (device->options.observer)
        device->options.observer->allocated(pointer, size, true);
    return api_end(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *pointer) {
    API_BEGIN_UNSAFE;
    struct api_allocation *allocation = pointer ? api_find(device, pointer) : NULL;
    if (!pointer)
        return api_end(cudaErrorInvalidValue);
    if (!allocation || allocation->memory != API_REGISTERED || allocation->start != pointer)
        return api_end(cudaErrorHostMemoryNotRegistered);
    discard(device, allocation);
    return api_end(cudaSuccess);
}

/* The device sees host memory at the host's addresses. */
cudaError_t cudaHostGetDevicePointer(void **pointer, void *host, unsigned int flags) {
    API_BEGIN;
    const struct api_allocation *allocation = host ? api_find(device, host) : NULL;
    if (!pointer || flags || !allocation || allocation->memory == API_DEVICE)
        return api_end(cudaErrorInvalidValue);
    *pointer = host;
    return api_end(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
    API_BEGIN;
    const struct api_allocation *allocation = host ? api_find(device, host) : NULL;
    if (!flags || !allocation || is_of_device(allocation->memory))
        return api_end(cudaErrorInvalidValue);
    /* All pinned memory is mapped where addresses are unified. */
    *flags = allocation->flags | cudaHostAllocMapped;
    return api_end(cudaSuccess);
}

/* ---- rows ---- */

static size_t pitch_of(size_t width) {
    return (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    API_BEGIN_UNSAFE;
    size_t size;
    if (!pointer || !pitch)
        return api_end(cudaErrorInvalidValue);
    *pitch = pitch_of(width);
    if (__builtin_mul_overflow(*pitch, height, &size))
        return api_end(cudaErrorMemoryAllocation);
    return api_end(api_allocate(device, pointer, size, API_DEVICE, 0));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent) {
    API_BEGIN_UNSAFE;
    size_t size;
    if (!pointer)
        return api_end(cudaErrorInvalidValue);
    *pointer = (struct cudaPitchedPtr){
        .pitch = pitch_of(extent.width), .xsize = extent.width, .ysize = extent.height};
    if (__builtin_mul_overflow(pointer->pitch, extent.height, &size) ||
        __builtin_mul_overflow(size, extent.depth, &size))
        return api_end(cudaErrorMemoryAllocation);
    return api_end(api_allocate(device, &pointer->ptr, size, API_DEVICE, 0));
}

/* ---- queries ---- */

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    API_BEGIN;
    if (!available || !total)
        return api_end(cudaErrorInvalidValue);
    *available = memory_bytes() - device->api->used;
    *total = API_MEMORY_BYTES;
    return api_end(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
    API_BEGIN;
    static const enum cudaMemoryType types[] = {[API_DEVICE] = cudaMemoryTypeDevice,
                                                [API_MANAGED] = cudaMemoryTypeManaged,
                                                [API_HOST] = cudaMemoryTypeHost,
                                                [API_REGISTERED] = cudaMemoryTypeHost};
    if (!attributes)
        return api_end(cudaErrorInvalidValue);
    const struct api_allocation *allocation = pointer ? api_find(device, pointer) : NULL;
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered,
                                                 .device = cudaInvalidDeviceId};
    if (allocation) {
        attributes->type = types[allocation->memory];
        attributes->device = 0;
        attributes->devicePointer = (void *)(uintptr_t)pointer;
    }
    if (allocation ? allocation->memory != API_DEVICE : pointer != NULL)
        attributes->hostPointer = (void *)(uintptr_t)pointer;
    return api_end(cudaSuccess);
}

/* ---- hints ---- */

/* Memory does not move; calls that CUDA would refuse are refused. */
static cudaError_t check_managed(struct cpu_device *device, const void *pointer, size_t size,
                                 struct cudaMemLocation location) {
    const struct api_allocation *allocation = pointer ? api_find(device, pointer) : NULL;
    if (!allocation || allocation->memory != API_MANAGED || size == 0 ||
        (const char *)pointer + size > allocation->start + allocation->size)
        return cudaErrorInvalidValue;
    if (location.type == cudaMemLocationTypeDevice && location.id != 0)
        return cudaErrorInvalidDevice;
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
    API_BEGIN;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return api_end(cudaErrorInvalidValue);
    return api_end(check_managed(device, pointer, size, location));
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
    API_BEGIN;
    cudaError_t error = flags ? cudaErrorInvalidValue : api_capture_stream_wait(device, stream);
    return api_end(error != cudaSuccess ? error : check_managed(device, pointer, size, location));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length,
                                     unsigned int flags) {
    API_BEGIN;
    const struct api_allocation *allocation = api_find(device, pointer);
    (void)flags;
    if (!api_stream(device, stream))
        return api_end(cudaErrorInvalidResourceHandle);
    if (!allocation || allocation->memory != API_MANAGED || (length && length != allocation->size))
        return api_end(cudaErrorInvalidValue);
    return api_end(cudaSuccess);
}
