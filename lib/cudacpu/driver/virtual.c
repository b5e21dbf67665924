/*
 * virtual.c - the driver's virtual memory: addresses that are reserved, memory that is made
 * without an address, and what is mapped where. Memory is a file without a name, so that one can
 * be mapped at several addresses, and again at others.
 *
 * The rules are those of the CUDA Driver API, "Virtual Memory Management".
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "cudacpu/driver/driver.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

#define GRANULARITY ((size_t)2 << 20) /* as that of NVIDIA's GPUs */

/* Memory made by cuMemCreate(). Gone when it has neither a handle nor a mapping. */
struct backing {
    struct backing *next;
    size_t size;
    int file;
    unsigned handles, mappings;
    CUmemAllocationProp properties;
};
struct range {
    struct range *next;
    char *start;
    size_t size;
    struct backing *backing; /* of a mapping */
    CUmemAccess_flags access;
};

static struct backing *backings;
static struct range *reservations, *mappings;

/* ---- lists ---- */

static bool is_multiple(size_t value) {
    return value % GRANULARITY == 0;
}

static struct backing *backing_of(CUmemGenericAllocationHandle handle) {
    struct backing *at = backings;
    while (at && (at != (struct backing *)(uintptr_t)handle || !at->handles))
        at = at->next;
    return at;
}

static struct range **range_holding(struct range **list, const char *address) {
    while (*list && (address < (*list)->start || address >= (*list)->start + (*list)->size))
        list = &(*list)->next;
    return list;
}

static void range_add(struct range **list, struct range range) {
    struct range *made = memory_zeroed(1, sizeof *made);
    range.next = *list;
    *made = range;
    *list = made;
}

static void range_remove(struct range **at) {
    struct range *gone = *at;
    *at = gone->next;
    free(gone);
}

static bool has_mapping(const char *start, size_t size) {
    for (const struct range *at = mappings; at; at = at->next)
        if (at->start < start + size && start < at->start + at->size)
            return true;
    return false;
}

/* Whether mappings cover the range, beginning with one and ending with one. */
static bool is_whole(const char *start, size_t size) {
    const char *end = start + size;
    while (start < end) {
        const struct range *at = *range_holding(&mappings, start);
        if (!at || at->start != start)
            return false;
        start += at->size;
    }
    return size && start == end;
}

/* ---- memory without an address ---- */

static void backing_drop(struct backing *backing) {
    if (backing->handles || backing->mappings)
        return;
    struct backing **at = &backings;
    while (*at != backing)
        at = &(*at)->next;
    *at = backing->next;
    if (cpu_device_in_use() && cpu_device_in_use()->api)
        cpu_device_in_use()->api->used -= backing->size;
    close(backing->file);
    free(backing);
}

static int open_memory(size_t size) {
#ifdef __linux__
    int file = memfd_create("device memory", MFD_CLOEXEC);
#else
    FILE *unnamed = tmpfile();
    int file = unnamed ? dup(fileno(unnamed)) : -1;
    if (unnamed)
        fclose(unnamed);
#endif
    if (file >= 0 && ftruncate(file, (off_t)size) != 0) {
        close(file);
        return -1;
    }
    return file;
}

static bool fill_garbage(int file, size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return false;
    memset(memory, CPU_GARBAGE_BYTE, size);
    return munmap(memory, size) == 0;
}

static CUresult check_properties(const CUmemAllocationProp *properties) {
    if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE && properties->location.id != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (properties->location.type == CU_MEM_LOCATION_TYPE_INVALID)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE) {
        library_absent("cuMemCreate", "memory shared with other processes");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

static cudaError_t make_backing(struct backing *made, const CUmemAllocationProp *properties) {
    API_BEGIN;
    if (!api_has_room(device, made->size))
        return api_end(cudaErrorMemoryAllocation);
    made->file = open_memory(made->size);
    if (made->file < 0)
        return api_end(cudaErrorMemoryAllocation);
    if (!device->options.zero_memory && !fill_garbage(made->file, made->size)) {
        close(made->file);
        return api_end(cudaErrorMemoryAllocation);
    }
    device->api->used += made->size;
    made->properties = *properties;
    made->properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
    made->handles = 1;
    return api_end(cudaSuccess);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *properties, unsigned long long flags) {
    NEED_CONTEXT();
    if (!handle || !size || !is_multiple(size) || flags)
        return CUDA_ERROR_INVALID_VALUE;
    struct backing made = {.next = backings, .size = size};
    CUresult result = check_properties(properties);
    if (result == CUDA_SUCCESS)
        result = AS_RUNTIME(make_backing(&made, properties));
    if (result != CUDA_SUCCESS)
        return result;
    backings = memory_zeroed(1, sizeof *backings);
    *backings = made;
    *handle = (CUmemGenericAllocationHandle)(uintptr_t)backings;
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    NEED_DRIVER();
    struct backing *backing = backing_of(handle);
    if (!backing)
        return CUDA_ERROR_INVALID_VALUE;
    backing->handles--;
    backing_drop(backing);
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
    NEED_DRIVER();
    const struct range *mapping = *range_holding(&mappings, address);
    if (!handle || !mapping)
        return CUDA_ERROR_INVALID_VALUE;
    mapping->backing->handles++;
    *handle = (CUmemGenericAllocationHandle)(uintptr_t)mapping->backing;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option) {
    NEED_DRIVER();
    if (!granularity || (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = check_properties(properties);
    if (result == CUDA_SUCCESS)
        *granularity = GRANULARITY;
    return result;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle) {
    NEED_DRIVER();
    const struct backing *backing = backing_of(handle);
    if (!properties || !backing)
        return CUDA_ERROR_INVALID_VALUE;
    *properties = backing->properties;
    return CUDA_SUCCESS;
}

/* ---- addresses ---- */

/* Addresses where there is nothing: at `wanted` if those are free, else anywhere. */
static char *reserve(char *wanted, size_t size, size_t alignment) {
    const size_t bytes = size + alignment;
    char *got = mmap(wanted, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        return NULL;
    char *start = got + (-(uintptr_t)got & (alignment - 1));
    if (start > got)
        munmap(got, (size_t)(start - got));
    munmap(start + size, (size_t)(got + bytes - start) - size);
    return start;
}

CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t size, size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags) {
    NEED_CONTEXT();
    if (!pointer || !size || !is_multiple(size) || flags || alignment & (alignment - 1))
        return CUDA_ERROR_INVALID_VALUE;
    char *start =
        reserve(driver_address(wanted), size, alignment < GRANULARITY ? GRANULARITY : alignment);
    if (!start)
        return CUDA_ERROR_OUT_OF_MEMORY;
    range_add(&reservations, (struct range){.start = start, .size = size});
    *pointer = (CUdeviceptr)(uintptr_t)start;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) {
    NEED_DRIVER();
    struct range **at = range_holding(&reservations, driver_address(pointer));
    if (!*at || (*at)->start != driver_address(pointer) || (*at)->size != size ||
        has_mapping((*at)->start, size))
        return CUDA_ERROR_INVALID_VALUE;
    munmap((*at)->start, size);
    range_remove(at);
    return CUDA_SUCCESS;
}

/* ---- mappings ---- */

/* Makes known what kernels and copies find at the addresses. */
static cudaError_t tell_mapped(char *start, size_t size, bool is_mapped) {
    API_BEGIN;
    if (is_mapped)
        api_virtual_add(device, start, size);
    else
        api_virtual_remove(device, start, size);
    return api_end(cudaSuccess);
}

CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
    NEED_CONTEXT();
    char *start = driver_address(pointer);
    struct backing *backing = backing_of(handle);
    const struct range *in = *range_holding(&reservations, start);
    if (!backing || !in || !size || !is_multiple(size) || size > backing->size || offset || flags ||
        !is_multiple((size_t)(start - in->start)) ||
        size > (size_t)(in->start + in->size - start) || has_mapping(start, size))
        return CUDA_ERROR_INVALID_VALUE;
    if (mmap(start, size, PROT_NONE, MAP_SHARED | MAP_FIXED, backing->file, 0) == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    backing->mappings++;
    range_add(&mappings, (struct range){.start = start, .size = size, .backing = backing});
    return CUDA_SUCCESS;
}

static void unmap(struct range **at) {
    struct range *mapping = *at;
    if (mapping->access != CU_MEM_ACCESS_FLAGS_PROT_NONE)
        (void)AS_RUNTIME(tell_mapped(mapping->start, mapping->size, false));
    (void)mmap(mapping->start, mapping->size, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    mapping->backing->mappings--;
    backing_drop(mapping->backing);
    range_remove(at);
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) {
    NEED_CONTEXT();
    char *start = driver_address(pointer);
    if (!is_whole(start, size))
        return CUDA_ERROR_INVALID_VALUE;
    for (char *end = start + size; start < end;) {
        struct range **at = range_holding(&mappings, start);
        start += (*at)->size;
        unmap(at);
    }
    return CUDA_SUCCESS;
}

static CUresult set_access(struct range *mapping, CUmemAccess_flags access) {
    const int protection = access == CU_MEM_ACCESS_FLAGS_PROT_NONE   ? PROT_NONE
                           : access == CU_MEM_ACCESS_FLAGS_PROT_READ ? PROT_READ
                                                                     : PROT_READ | PROT_WRITE;
    if (mprotect(mapping->start, mapping->size, protection) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    const bool was_mapped = mapping->access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    const bool is_mapped = access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    mapping->access = access;
    return was_mapped == is_mapped
               ? CUDA_SUCCESS
               : AS_RUNTIME(tell_mapped(mapping->start, mapping->size, is_mapped));
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc *descriptions,
                        size_t count) {
    NEED_CONTEXT();
    if (!descriptions || !count || !is_whole(driver_address(pointer), size))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        const CUmemAccessDesc *one = &descriptions[i];
        if (one->location.type == CU_MEM_LOCATION_TYPE_DEVICE && one->location.id != 0)
            return CUDA_ERROR_INVALID_DEVICE;
        if (one->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
            one->flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
            one->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
        CUresult result = CUDA_SUCCESS;
        char *start = driver_address(pointer), *end = start + size;
        for (; start < end && result == CUDA_SUCCESS;) {
            struct range *mapping = *range_holding(&mappings, start);
            start += mapping->size;
            result = set_access(mapping, one->flags);
        }
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr pointer) {
    NEED_CONTEXT();
    const struct range *mapping = *range_holding(&mappings, driver_address(pointer));
    if (!flags || !location || !mapping)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = mapping->access;
    return CUDA_SUCCESS;
}
