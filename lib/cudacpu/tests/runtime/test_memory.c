/*
 * test_memory.c - memory that a program requests: "CUDA Runtime API", "Memory Management",
 * "Unified Addressing" and "Stream Ordered Memory Allocator" define the results and the refusals.
 */
#include "cudacpu/runtime/api.h"
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <string.h>

enum { OK = cudaSuccess, BAD = cudaErrorInvalidValue, FULL = cudaErrorMemoryAllocation };
#define NO_STREAM ((cudaStream_t)(uintptr_t)0x1230)
#define ALL       (UINT64_C(16) << 30) /* the device's memory */

static int type_of(const void *pointer) {
    struct cudaPointerAttributes told;
    DONE(cudaPointerGetAttributes(&told, pointer));
    return told.type;
}

static size_t available(void) {
    size_t left, all;
    DONE(cudaMemGetInfo(&left, &all));
    assert_true(all == ALL);
    return left;
}

/* All bytes are `value`. */
static bool is_filled(const void *memory, size_t size, int value) {
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

static void test_sizes(void **state) {
    void *a, *b = state;
    const size_t before = available();
    DONE(cudaMalloc(&b, 0));
    assert_null(b);
    GIVES(BAD, cudaMalloc(NULL, 8));
    GIVES(FULL, cudaMalloc(&a, ALL + 1));
    GIVES(FULL, cudaMalloc(&a, before + 1));
    GIVES(FULL, cudaMallocManaged(&a, ALL + 1, cudaMemAttachGlobal));
    GIVES(FULL, cudaMallocHost(&a, SIZE_MAX));
    GIVES(BAD, cudaMemGetInfo(NULL, &(size_t){0}));
    GIVES(BAD, cudaMemGetInfo(&(size_t){0}, NULL));
    DONE(cudaMalloc(&a, 1000));
    assert_int_equal(before - available(), 1000);
    DONE(cudaMallocManaged(&b, 500, cudaMemAttachHost));
    assert_int_equal(before - available(), 1500);
    GIVES(FULL, cudaMalloc(&(void *){NULL}, before - 1499));
    GIVES(FULL, cudaMallocManaged(&(void *){NULL}, before - 1499, cudaMemAttachGlobal));
    DONE(cudaFree(a));
    assert_int_equal(before - available(), 500);
    DONE(cudaMallocHost(&a, 1000)); /* not device memory */
    assert_int_equal(before - available(), 500);
    DONE(cudaFree(b));
    DONE(cudaFreeHost(a));
    assert_true(available() == before);
}

static void test_freeing(void **state) {
    char *device, *managed, *pinned;
    (void)state;
    DONE(cudaMalloc((void **)&device, 100));
    DONE(cudaMallocManaged((void **)&managed, 100, cudaMemAttachGlobal));
    DONE(cudaHostAlloc((void **)&pinned, 100, 0));
    DONE(cudaFree(NULL));
    DONE(cudaFreeHost(NULL));
    GIVES(BAD, cudaFree(device + 1));
    GIVES(BAD, cudaFree(device - 1));
    GIVES(BAD, cudaFree(pinned));
    GIVES(BAD, cudaFreeHost(device));
    GIVES(BAD, cudaFreeHost(managed));
    DONE(cudaFree(device));
    GIVES(BAD, cudaFree(device));
    DONE(cudaFree(managed));
    DONE(cudaFreeHost(pinned));
    GIVES(BAD, cudaFreeHost(pinned));
}

/* More than the table initially holds, freed in another order. */
static void test_many(void **state) {
    enum { MANY = 150 };
    char *memory[MANY];
    (void)state;
    for (int i = 0; i < MANY; i++)
        DONE(cudaMalloc((void **)&memory[i], 100 + (size_t)i));
    for (int step = 0; step < MANY; step++) {
        const int gone = step * 77 % MANY;
        DONE(cudaFree(memory[gone]));
        memory[gone] = NULL;
        for (int i = 0; i < MANY && step % 10 == 0; i++)
            if (memory[i]) {
                assert_int_equal(type_of(memory[i]), cudaMemoryTypeDevice);
                assert_int_equal(type_of(memory[i] + 99 + i), cudaMemoryTypeDevice);
                assert_int_equal(type_of(memory[i] + 100 + i), cudaMemoryTypeUnregistered);
            }
    }
}

/* Fresh memory is 0 if the device is set up so, even if it was used before; else it is garbage,
 * except for pinned memory. */
static void test_fresh(void **state) {
    static const size_t sizes[] = {1, 511, 4096, 1 << 20, (3 << 20) + 5000, (1 << 20) - 1};
    void *first, *memory;
    for (int i = 0; i < COUNT(sizes); i++) {
        DONE(cudaMalloc(&first, 512)); /* so that the next one begins within a page */
        for (int round = 0; round < 2; round++) {
            DONE(cudaMalloc(&memory, sizes[i]));
            assert_true(is_filled(memory, sizes[i], 0));
            memset(memory, 7, sizes[i]);
            DONE(cudaFree(memory));
        }
    }
    cpu_device_use(NULL);
    cpu_device_destroy(*state);
    const struct cpu_options options = {.settings.zero_memory = false};
    *state = cpu_device_create(&options);
    cpu_device_use(*state);
    for (int i = 0; i < COUNT(sizes); i++)
        for (int round = 0; round < 2; round++) {
            DONE(cudaMalloc(&memory, sizes[i]));
            assert_true(is_filled(memory, sizes[i], CPU_GARBAGE_BYTE));
            memset(memory, 7, sizes[i]);
            DONE(cudaFree(memory));
            DONE(cudaMallocManaged(&memory, sizes[i], cudaMemAttachGlobal));
            assert_true(is_filled(memory, sizes[i], CPU_GARBAGE_BYTE));
            DONE(cudaFree(memory));
            DONE(cudaMallocHost(&memory, sizes[i]));
            assert_true(is_filled(memory, sizes[i], 0));
            memset(memory, 7, sizes[i]);
            DONE(cudaFreeHost(memory));
        }
}

static void test_flags(void **state) {
    void *memory;
    unsigned told;
    (void)state;
    for (unsigned flags = 0; flags < 6; flags++)
        GIVES(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ? OK : BAD,
              cudaMallocManaged(&memory, 8, flags));
    GIVES(BAD, cudaMallocManaged(&memory, 0, cudaMemAttachGlobal));
    for (unsigned flags = 0; flags < 10; flags++) {
        GIVES(flags < 8 ? OK : BAD, cudaHostAlloc(&memory, 8, flags));
        if (flags < 8) {
            DONE(cudaHostGetFlags(&told, memory));
            assert_int_equal(told, flags | cudaHostAllocMapped);
        }
    }
    DONE(cudaMallocHost(&memory, 8));
    DONE(cudaHostGetFlags(&told, memory));
    assert_int_equal(told, cudaHostAllocMapped);
    GIVES(BAD, cudaHostGetFlags(NULL, memory));
    GIVES(BAD, cudaHostGetFlags(&told, NULL));
    GIVES(BAD, cudaHostGetFlags(&told, &told));
    DONE(cudaMalloc(&memory, 8));
    GIVES(BAD, cudaHostGetFlags(&told, memory));
    DONE(cudaMallocManaged(&memory, 8, cudaMemAttachGlobal));
    GIVES(BAD, cudaHostGetFlags(&told, memory));
}

/* Registers 100 of the program's own 300 bytes, from byte 100 on. */
static void test_registered(void **state) {
    char own[300], *at = own + 100;
    void *pointer, *device;
    (void)state;
    GIVES(BAD, cudaHostRegister(NULL, 100, 0));
    GIVES(BAD, cudaHostRegister(at, 0, 0));
    GIVES(BAD, cudaHostRegister(at, 100, 16));
    DONE(cudaHostRegister(at, 100, 15));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(at, 1, 0));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(at + 99, 100, 0));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own, 101, 0));
    DONE(cudaHostRegister(own, 100, 0)); /* the bytes on either side */
    DONE(cudaHostRegister(at + 100, 100, 0));
    assert_int_equal(type_of(at + 99), cudaMemoryTypeHost);
    DONE(cudaHostGetDevicePointer(&pointer, at + 5, 0));
    assert_ptr_equal(pointer, at + 5);
    GIVES(BAD, cudaHostGetDevicePointer(&pointer, at, 1));
    GIVES(BAD, cudaHostGetDevicePointer(NULL, at, 0));
    GIVES(BAD, cudaHostGetDevicePointer(&pointer, NULL, 0));
    GIVES(BAD, cudaHostGetDevicePointer(&pointer, &pointer, 0));
    DONE(cudaMalloc(&device, 8));
    GIVES(BAD, cudaHostGetDevicePointer(&pointer, device, 0));
    GIVES(BAD, cudaFree(at));
    GIVES(BAD, cudaFreeHost(at));
    GIVES(BAD, cudaHostUnregister(NULL));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(at + 1));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(&device));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(device));
    DONE(cudaHostUnregister(at));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(at));
    assert_int_equal(type_of(at), cudaMemoryTypeUnregistered);
    assert_int_equal(type_of(own + 99), cudaMemoryTypeHost);
}

static void test_rows(void **state) {
    static const struct {
        size_t width, pitch;
    } cases[] = {{1, 512}, {511, 512}, {512, 512}, {513, 1024}, {1024, 1024}, {1025, 1536}};
    struct cudaPitchedPtr box;
    void *memory;
    size_t pitch;
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        DONE(cudaMallocPitch(&memory, &pitch, cases[i].width, 3));
        assert_int_equal(pitch, cases[i].pitch);
        assert_int_equal(type_of((char *)memory + 3 * pitch - 1), cudaMemoryTypeDevice);
        assert_int_equal(type_of((char *)memory + 3 * pitch), cudaMemoryTypeUnregistered);
        DONE(cudaMalloc3D(&box, (struct cudaExtent){cases[i].width, 3, 2}));
        assert_int_equal(box.pitch, cases[i].pitch);
        assert_true(box.xsize == cases[i].width && box.ysize == 3);
        assert_int_equal(type_of((char *)box.ptr + 6 * pitch - 1), cudaMemoryTypeDevice);
        assert_int_equal(type_of((char *)box.ptr + 6 * pitch), cudaMemoryTypeUnregistered);
        DONE(cudaFree(box.ptr));
        DONE(cudaFree(memory));
    }
    GIVES(BAD, cudaMallocPitch(NULL, &pitch, 1, 1));
    GIVES(BAD, cudaMallocPitch(&memory, NULL, 1, 1));
    GIVES(BAD, cudaMalloc3D(NULL, (struct cudaExtent){1, 1, 1}));
    GIVES(FULL, cudaMallocPitch(&memory, &pitch, 512, SIZE_MAX / 256));
    GIVES(FULL, cudaMalloc3D(&box, (struct cudaExtent){512, SIZE_MAX / 256, 1}));
    GIVES(FULL, cudaMalloc3D(&box, (struct cudaExtent){512, 1 << 20, SIZE_MAX >> 20}));
}

/* The kind of memory, and its address for each side. */
static void test_attributes(void **state) {
    struct cudaPointerAttributes told;
    char own[8], *memory[5] = {NULL};
    (void)state;
    DONE(cudaMalloc((void **)&memory[0], 8));
    DONE(cudaMallocManaged((void **)&memory[1], 8, cudaMemAttachGlobal));
    DONE(cudaMallocHost((void **)&memory[2], 8));
    memory[3] = own;
    static const int types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost,
                                cudaMemoryTypeUnregistered, cudaMemoryTypeUnregistered};
    for (int i = 0; i < 5; i++) {
        char *at = memory[i] ? memory[i] + 7 : NULL;
        DONE(cudaPointerGetAttributes(&told, at));
        assert_int_equal(told.type, types[i]);
        assert_int_equal(told.device, i < 3 ? 0 : cudaInvalidDeviceId);
        assert_ptr_equal(told.devicePointer, i < 3 ? at : NULL);
        assert_ptr_equal(told.hostPointer, i == 0 ? NULL : at);
    }
    GIVES(BAD, cudaPointerGetAttributes(NULL, own));
}

static void test_hints(void **state) {
    const struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    const struct cudaMemLocation other = {cudaMemLocationTypeDevice, 1};
    const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    char *memory, *device;
    (void)state;
    DONE(cudaMallocManaged((void **)&memory, 100, cudaMemAttachGlobal));
    DONE(cudaMalloc((void **)&device, 100));
    for (int advice = 0; advice < 8; advice++)
        GIVES(advice >= 1 && advice <= 6 ? OK : BAD,
              cudaMemAdvise(memory, 100, (enum cudaMemoryAdvise)advice, here));
    const struct {
        const void *at;
        size_t size;
        struct cudaMemLocation where;
        int wanted;
    } cases[] = {
        {memory, 100, here, OK},    {memory, 101, here, BAD},
        {memory + 1, 99, here, OK}, {memory + 1, 100, here, BAD},
        {memory, 0, here, BAD},     {device, 100, here, BAD},
        {NULL, 1, here, BAD},       {memory, 1, host, OK},
        {&memory, 1, here, BAD},    {memory, 1, other, cudaErrorInvalidDevice},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        if ((int)cudaMemAdvise(cases[i].at, cases[i].size, cudaMemAdviseSetReadMostly,
                               cases[i].where) != cases[i].wanted)
            fail_msg("case %d", i);
        GIVES(cases[i].wanted,
              cudaMemPrefetchAsync(cases[i].at, cases[i].size, cases[i].where, 0, NULL));
    }
    GIVES(BAD, cudaMemPrefetchAsync(memory, 1, here, 1, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemPrefetchAsync(memory, 1, here, 0, NO_STREAM));
    DONE(cudaStreamAttachMemAsync(NULL, memory, 0, 1));
    DONE(cudaStreamAttachMemAsync(NULL, memory, 100, 1));
    GIVES(BAD, cudaStreamAttachMemAsync(NULL, memory, 99, 1));
    GIVES(BAD, cudaStreamAttachMemAsync(NULL, device, 100, 1));
    GIVES(BAD, cudaStreamAttachMemAsync(NULL, &memory, 0, 1));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamAttachMemAsync(NO_STREAM, memory, 0, 1));
}

/* ---- observers ---- */

static struct {
    const void *memory;
    size_t size;
    bool written;
    int allocations, ends;
} seen;

static void note_allocated(void *memory, size_t size, bool written) {
    seen.memory = memory, seen.size = size, seen.written = written;
    seen.allocations++;
}
static void note_freed(void *memory) {
    assert_ptr_equal(memory, seen.memory);
    seen.ends++;
}

static void test_observed(void **state) {
    const struct cpu_observer observer = {.allocated = note_allocated, .freed = note_freed};
    const struct cpu_options options = {.observer = &observer};
    char own[8], *memory, *next;
    cpu_device_use(NULL);
    cpu_device_destroy(*state);
    *state = cpu_device_create(&options);
    cpu_device_use(*state);
    memset(&seen, 0, sizeof seen);
    DONE(cudaMalloc((void **)&memory, 8));
    assert_true(seen.memory == memory && seen.size == 8 && !seen.written);
    DONE(cudaMalloc((void **)&next, 8));
    assert_true(next - memory >= 8 + CPU_OBSERVED_MARGIN); /* there is space after it */
    DONE(cudaFree(next));
    DONE(cudaMallocManaged((void **)&next, 9, cudaMemAttachGlobal));
    assert_true(seen.memory == next && seen.size == 9 && seen.written);
    DONE(cudaFree(next));
    DONE(cudaMallocHost((void **)&next, 10));
    assert_true(seen.memory == next && seen.size == 10 && seen.written);
    DONE(cudaFreeHost(next));
    DONE(cudaHostRegister(own, 8, 0));
    assert_true(seen.memory == own && seen.size == 8 && seen.written);
    DONE(cudaHostUnregister(own));
    assert_int_equal(seen.allocations, 5);
    assert_int_equal(seen.ends, 4);
    seen.memory = memory;
    DONE(cudaFree(memory));
}

/* ---- pools ---- */

static uint64_t number_of(cudaMemPool_t pool, int attribute) {
    uint64_t value = 12345;
    DONE(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attribute, &value));
    return value;
}

static void test_pools(void **state) {
    const struct cudaMemPoolProps right = {.allocType = cudaMemAllocationTypePinned,
                                           .location = {cudaMemLocationTypeDevice, 0}};
    struct cudaMemPoolProps odd = right;
    cudaMemPool_t usual, own, other, got;
    void *a, *b;
    (void)state;
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&usual, 1));
    GIVES(BAD, cudaDeviceGetDefaultMemPool(NULL, 0));
    DONE(cudaDeviceGetDefaultMemPool(&usual, 0));
    DONE(cudaDeviceGetMemPool(&got, 0));
    assert_ptr_equal(got, usual);
    GIVES(BAD, cudaMemPoolCreate(NULL, &right));
    GIVES(BAD, cudaMemPoolCreate(&own, NULL));
    odd.allocType = cudaMemAllocationTypeInvalid;
    GIVES(BAD, cudaMemPoolCreate(&own, &odd));
    odd = right, odd.location.id = 1;
    GIVES(BAD, cudaMemPoolCreate(&own, &odd));
    odd = right, odd.location.type = cudaMemLocationTypeHost;
    GIVES(BAD, cudaMemPoolCreate(&own, &odd));
    DONE(cudaMemPoolCreate(&own, &right));
    DONE(cudaMemPoolCreate(&other, &right));
    DONE(cudaDeviceSetMemPool(0, own));
    GIVES(BAD, cudaDeviceSetMemPool(1, own));
    GIVES(BAD, cudaDeviceSetMemPool(0, (cudaMemPool_t)(uintptr_t)0x100));
    DONE(cudaDeviceGetMemPool(&got, 0));
    assert_ptr_equal(got, own);
    DONE(cudaDeviceGetDefaultMemPool(&got, 0));
    assert_ptr_equal(got, usual);
    /* Each pool has its own attributes; the memory in use is counted for all users together. */
    for (int i = cudaMemPoolReuseFollowEventDependencies;
         i <= cudaMemPoolReuseAllowInternalDependencies; i++) {
        int value = 7;
        DONE(cudaMemPoolGetAttribute(own, (enum cudaMemPoolAttr)i, &value));
        assert_int_equal(value, 1);
        DONE(cudaMemPoolSetAttribute(own, (enum cudaMemPoolAttr)i, &(int){0}));
        for (int k = cudaMemPoolReuseFollowEventDependencies;
             k <= cudaMemPoolReuseAllowInternalDependencies; k++) {
            DONE(cudaMemPoolGetAttribute(own, (enum cudaMemPoolAttr)k, &value));
            assert_int_equal(value, k > i);
            DONE(cudaMemPoolGetAttribute(other, (enum cudaMemPoolAttr)k, &value));
            assert_int_equal(value, 1);
        }
    }
    assert_int_equal(number_of(own, cudaMemPoolAttrReleaseThreshold), 0);
    DONE(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &(uint64_t){99}));
    assert_int_equal(number_of(own, cudaMemPoolAttrReleaseThreshold), 99);
    assert_int_equal(number_of(other, cudaMemPoolAttrReleaseThreshold), 0);
    DONE(cudaMallocAsync(&a, 100, NULL));
    DONE(cudaMallocFromPoolAsync(&b, 50, other, NULL));
    DONE(cudaFreeAsync(b, NULL));
    assert_int_equal(number_of(usual, cudaMemPoolAttrUsedMemCurrent), 100);
    assert_int_equal(number_of(usual, cudaMemPoolAttrReservedMemCurrent), 100);
    assert_int_equal(number_of(usual, cudaMemPoolAttrUsedMemHigh), 150);
    assert_int_equal(number_of(usual, cudaMemPoolAttrReservedMemHigh), 150);
    GIVES(BAD, cudaMemPoolSetAttribute(usual, cudaMemPoolAttrUsedMemHigh, &(uint64_t){1}));
    GIVES(BAD, cudaMemPoolSetAttribute(usual, cudaMemPoolAttrReservedMemHigh, &(uint64_t){1}));
    GIVES(BAD, cudaMemPoolSetAttribute(usual, cudaMemPoolAttrUsedMemCurrent, &(uint64_t){0}));
    DONE(cudaMemPoolSetAttribute(usual, cudaMemPoolAttrReservedMemHigh, &(uint64_t){0}));
    DONE(cudaMemPoolSetAttribute(usual, cudaMemPoolAttrUsedMemHigh, &(uint64_t){0}));
    assert_int_equal(number_of(usual, cudaMemPoolAttrUsedMemHigh), 100);
    DONE(cudaMalloc(&b, 70)); /* not from a pool */
    assert_int_equal(number_of(usual, cudaMemPoolAttrUsedMemCurrent), 100);
    DONE(cudaFree(a));
    assert_int_equal(number_of(usual, cudaMemPoolAttrUsedMemCurrent), 0);
    GIVES(BAD, cudaMemPoolGetAttribute(usual, cudaMemPoolAttrUsedMemHigh, NULL));
    GIVES(BAD, cudaMemPoolSetAttribute(usual, cudaMemPoolAttrUsedMemHigh, NULL));
    DONE(cudaMemPoolTrimTo(own, 0));
    /* The default pool cannot be destroyed; if the pool in use is destroyed, the device uses the
     * default one again. */
    GIVES(BAD, cudaMemPoolDestroy(usual));
    DONE(cudaMemPoolDestroy(own));
    GIVES(BAD, cudaMemPoolDestroy(own));
    DONE(cudaDeviceGetMemPool(&got, 0));
    assert_ptr_equal(got, usual);
    DONE(cudaDeviceSetMemPool(0, usual));
    DONE(cudaMemPoolDestroy(other));
    DONE(cudaDeviceGetMemPool(&got, 0));
    assert_ptr_equal(got, usual);
    GIVES(BAD, cudaMemPoolTrimTo(own, 0));
    GIVES(BAD, cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &a));
    GIVES(BAD, cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &(uint64_t){0}));
    GIVES(BAD, cudaMallocFromPoolAsync(&a, 8, own, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaMallocAsync(&a, 8, NO_STREAM));
    GIVES(cudaErrorInvalidResourceHandle, cudaFreeAsync(b, NO_STREAM));
    DONE(cudaFreeAsync(NULL, NULL));
    DONE(cudaFreeAsync(b, NULL));
}

static void test_pool_access(void **state) {
    const struct cudaMemAccessDesc all[] = {
        {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite},
        {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite},
        {{cudaMemLocationTypeHost, 0}, cudaMemAccessFlagsProtReadWrite}};
    static const int given[] = {cudaMemAccessFlagsProtReadWrite, cudaMemAccessFlagsProtNone,
                                cudaMemAccessFlagsProtNone};
    const cudaMemPool_t none = (cudaMemPool_t)(uintptr_t)0x100;
    enum cudaMemAccessFlags flags;
    cudaMemPool_t pool;
    (void)state;
    DONE(cudaDeviceGetDefaultMemPool(&pool, 0));
    DONE(cudaMemPoolSetAccess(pool, NULL, 0));
    GIVES(BAD, cudaMemPoolSetAccess(pool, NULL, 1));
    GIVES(BAD, cudaMemPoolSetAccess(none, all, 1));
    DONE(cudaMemPoolSetAccess(pool, all, 1));
    GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, all, 2));
    GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, all + 2, 1));
    for (int i = 0; i < 3; i++) {
        struct cudaMemLocation where = all[i].location;
        DONE(cudaMemPoolGetAccess(&flags, pool, &where));
        assert_int_equal(flags, given[i]);
        GIVES(BAD, cudaMemPoolGetAccess(NULL, pool, &where));
        GIVES(BAD, cudaMemPoolGetAccess(&flags, none, &where));
    }
    GIVES(BAD, cudaMemPoolGetAccess(&flags, pool, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_sizes),    API_TEST(test_freeing),    API_TEST(test_many),
        API_TEST(test_fresh),    API_TEST(test_flags),      API_TEST(test_registered),
        API_TEST(test_rows),     API_TEST(test_attributes), API_TEST(test_hints),
        API_TEST(test_observed), API_TEST(test_pools),      API_TEST(test_pool_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
