/*
 * test_api_driver.c - the driver API: contexts, and virtual memory, whose addresses are never
 * looked at here but where they may be. "CUDA Driver API", "Context Management" and "Virtual Memory
 * Management", say what is refused.
 */
#include "api_device.h"

#include <cuda.h>
#include <string.h>

enum { OK = CUDA_SUCCESS, BAD = CUDA_ERROR_INVALID_VALUE };
#define GRAIN ((size_t)2 << 20)

static const CUmemAllocationProp pinned = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                           .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static CUcontext context;

static int begin(void **state) {
    api_begin_test(state);
    return cuInit(0) || cuCtxCreate(&context, NULL, 0, 0);
}
static int end(void **state) {
    cuCtxDestroy(context);
    return api_end_test(state);
}

/* ---- before and in a context ---- */

/* The first test of this program: nobody has called cuInit() or the runtime. */
static void test_begin(void **state) {
    CUdevice device;
    CUcontext made;
    CUdeviceptr pointer;
    size_t size;
    int count = 0;
    (void)state;
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&made));
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&pointer, 8));
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuMemRelease(1));
    GIVES(BAD, cuInit(1));
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
    GIVES(OK, cuInit(0));
    GIVES(OK, cuDeviceGetCount(&count));
    assert_int_equal(count, 1);
    GIVES(OK, cuCtxGetCurrent(&made));
    assert_null(made);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&pointer, 8));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemGetInfo(&size, &size));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(NULL));
    GIVES(CUDA_ERROR_INVALID_CONTEXT,
          cuMemCreate(&(CUmemGenericAllocationHandle){0}, GRAIN, &pinned, 0));
}

static void test_contexts(void **state) {
    enum { STACK = 64 };
    CUcontext one = NULL, two, got;
    unsigned value = 0;
    int device = 9;
    (void)state;
    GIVES(BAD, cuCtxCreate(NULL, NULL, 0, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&one, NULL, 0, 1));
    GIVES(BAD, cuCtxCreate(&one, NULL, CU_CTX_FLAGS_MASK + 1, 0));
    GIVES(OK, cuCtxCreate(&one, NULL, CU_CTX_SCHED_SPIN, 0));
    GIVES(OK, cuCtxCreate(&two, NULL, CU_CTX_SCHED_YIELD, 0));
    GIVES(OK, cuCtxGetCurrent(&got));
    assert_ptr_equal(got, two);
    GIVES(OK, cuCtxGetFlags(&value));
    assert_int_equal(value, CU_CTX_SCHED_YIELD);
    GIVES(BAD, cuCtxGetFlags(NULL));
    GIVES(OK, cuCtxPopCurrent(&got));
    assert_ptr_equal(got, two);
    GIVES(OK, cuCtxGetFlags(&value));
    assert_int_equal(value, CU_CTX_SCHED_SPIN);
    GIVES(OK, cuCtxPushCurrent(two));
    GIVES(OK, cuCtxSetCurrent(one)); /* in the place of the one on top */
    GIVES(OK, cuCtxPopCurrent(NULL));
    GIVES(OK, cuCtxGetCurrent(&got));
    assert_ptr_equal(got, one);
    GIVES(OK, cuCtxPopCurrent(&got));
    GIVES(OK, cuCtxGetCurrent(&got));
    assert_ptr_equal(got, context);
    GIVES(OK, cuCtxGetDevice(&device));
    assert_int_equal(device, 0);
    GIVES(BAD, cuCtxGetDevice(NULL));
    GIVES(BAD, cuCtxGetCurrent(NULL));
    GIVES(OK, cuCtxGetApiVersion(one, &value));
    assert_int_equal(value, CUDA_VERSION);
    GIVES(BAD, cuCtxGetApiVersion(one, NULL));
    GIVES(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(one, 0));
    GIVES(BAD, cuCtxEnablePeerAccess(one, 1));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(NULL, 0));
    GIVES(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(one));
    /* One that is destroyed is current no more. */
    GIVES(OK, cuCtxPushCurrent(two));
    GIVES(OK, cuCtxDestroy(two));
    GIVES(OK, cuCtxGetCurrent(&got));
    assert_ptr_equal(got, context);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(NULL));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(NULL));
    GIVES(OK, cuDevicePrimaryCtxRetain(&got, 0));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(got)); /* it is released */
    GIVES(OK, cuDevicePrimaryCtxRelease(0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRelease(1));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&got, 1));
    GIVES(BAD, cuDevicePrimaryCtxRetain(NULL, 0));
    for (int i = 1; i < STACK; i++) /* `context` is there */
        GIVES(OK, cuCtxPushCurrent(one));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuCtxPushCurrent(one));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuCtxCreate(&two, NULL, 0, 0));
    for (int i = 1; i < STACK; i++)
        GIVES(OK, cuCtxPopCurrent(NULL));
    GIVES(OK, cuCtxSetCurrent(NULL));
    GIVES(OK, cuCtxSetCurrent(context));
    GIVES(OK, cuCtxDestroy(one));
}

static void test_device(void **state) {
    char name[64] = "";
    const char *text = NULL;
    size_t bytes = 0;
    CUuuid uuid;
    CUdevice device = 9;
    int value = 9, minor = 9;
    (void)state;
    GIVES(OK, cuDeviceGet(&device, 0));
    assert_int_equal(device, 0);
    GIVES(BAD, cuDeviceGet(NULL, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
    GIVES(OK, cuDeviceGetName(name, sizeof name, 0));
    assert_string_equal(name, "CPU warp of shflviz");
    GIVES(OK, cuDeviceGetName(name, 4, 0)); /* as much as there is room for */
    assert_string_equal(name, "CPU");
    GIVES(BAD, cuDeviceGetName(name, 0, 0));
    GIVES(BAD, cuDeviceGetName(NULL, 4, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetName(name, 4, 1));
    GIVES(OK, cuDeviceGetUuid(&uuid, 0));
    assert_memory_equal(uuid.bytes, "shflviz-cpu-warp", 16);
    GIVES(BAD, cuDeviceGetUuid(NULL, 0));
    GIVES(OK, cuDeviceTotalMem(&bytes, 0));
    assert_true(bytes == (size_t)16 << 30);
    GIVES(BAD, cuDeviceTotalMem(NULL, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem(&bytes, 1));
    GIVES(OK, cuDeviceComputeCapability(&value, &minor, 0));
    assert_true(value == 8 && minor == 0);
    GIVES(BAD, cuDeviceComputeCapability(NULL, &minor, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceComputeCapability(&value, &minor, 1));
    GIVES(OK, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    assert_int_equal(value, 32);
    GIVES(OK,
          cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    assert_int_equal(value, 1);
    GIVES(BAD, cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE,
          cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1));
    GIVES(OK, cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
    assert_string_equal(text, "CUDA_ERROR_INVALID_VALUE");
    GIVES(OK, cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    assert_string_equal(text, "invalid argument");
    GIVES(BAD, cuGetErrorName((CUresult)12345, &text));
    assert_null(text);
    GIVES(BAD, cuGetErrorString((CUresult)12345, &text));
    GIVES(BAD, cuGetErrorName(CUDA_SUCCESS, NULL));
    GIVES(BAD, cuGetErrorString(CUDA_SUCCESS, NULL));
}

/* ---- memory ---- */

static void test_memory(void **state) {
    CUdeviceptr memory, base = 0;
    uint8_t host[16], back[16] = {0};
    size_t size = 0, pitch = 0;
    (void)state;
    GIVES(BAD, cuMemAlloc(&memory, 0));
    GIVES(BAD, cuMemAlloc(NULL, 8));
    GIVES(OK, cuMemAlloc(&memory, 16));
    GIVES(OK, cuMemGetAddressRange(&base, &size, memory + 15));
    assert_true(base == memory && size == 16);
    GIVES(OK, cuMemGetAddressRange(NULL, NULL, memory));
    GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, memory + 16));
    memset(host, 1, sizeof host);
    GIVES(OK, cuMemcpyHtoD(memory, host, 16));
    GIVES(OK, cuMemsetD8(memory, 7, 2));
    GIVES(OK, cuMemsetD16(memory + 2, 0x1234, 2));
    GIVES(OK, cuMemsetD32(memory + 8, 0x55667788, 1));
    GIVES(OK, cuMemcpyDtoH(back, memory, 16));
    static const uint8_t wanted[] = {7,    7,    0x34, 0x12, 0x34, 0x12, 1, 1,
                                     0x88, 0x77, 0x66, 0x55, 1,    1,    1, 1};
    assert_memory_equal(back, wanted, 16);
    GIVES(BAD, cuMemsetD16(memory + 1, 0, 1)); /* at no multiple of its size */
    GIVES(BAD, cuMemsetD32(memory + 2, 0, 1));
    GIVES(BAD, cuMemsetD32(memory, 0, 5));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async(memory, 0, 1, (CUstream)(uintptr_t)0x1230));
    GIVES(OK, cuMemcpyDtoD(memory + 12, memory, 4));
    GIVES(OK, cuMemcpyDtoH(back, memory + 12, 4));
    assert_memory_equal(back, wanted, 4);
    GIVES(BAD, cuMemAllocPitch(&memory, &pitch, 0, 2, 4));
    GIVES(BAD, cuMemAllocPitch(&memory, &pitch, 100, 0, 4));
    GIVES(OK, cuMemAllocPitch(&base, &pitch, 100, 2, 4));
    assert_int_equal(pitch, 512);
    GIVES(OK, cuMemFree(base));
    GIVES(BAD, cuMemFree(base));
    GIVES(OK, cuMemFree(memory));
}

static CUmemGenericAllocationHandle make(size_t size) {
    CUmemGenericAllocationHandle handle = 0;
    GIVES(OK, cuMemCreate(&handle, size, &pinned, 0));
    return handle;
}
static CUdeviceptr reserve(size_t size, size_t alignment) {
    CUdeviceptr address = 0;
    GIVES(OK, cuMemAddressReserve(&address, size, alignment, 0, 0));
    assert_int_equal(address % (alignment > GRAIN ? alignment : GRAIN), 0);
    return address;
}
static size_t available(void) {
    size_t left, all;
    GIVES(OK, cuMemGetInfo(&left, &all));
    return left;
}

/* Memory without an address. */
static void test_created(void **state) {
    CUmemGenericAllocationHandle handle, same;
    CUmemAllocationProp told, odd;
    size_t grain = 0;
    (void)state;
    const size_t before = available();
    for (int option = 0; option < 3; option++)
        GIVES(option < 2 ? OK : BAD,
              cuMemGetAllocationGranularity(&grain, &pinned,
                                            (CUmemAllocationGranularity_flags)option));
    assert_int_equal(grain, GRAIN);
    GIVES(BAD, cuMemGetAllocationGranularity(NULL, &pinned, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    static const size_t sizes[] = {0, 1, GRAIN - 1, GRAIN + 1, GRAIN + GRAIN / 2};
    for (int i = 0; i < COUNT(sizes); i++)
        GIVES(BAD, cuMemCreate(&handle, sizes[i], &pinned, 0));
    GIVES(BAD, cuMemCreate(NULL, GRAIN, &pinned, 0));
    GIVES(BAD, cuMemCreate(&handle, GRAIN, NULL, 0));
    GIVES(BAD, cuMemCreate(&handle, GRAIN, &pinned, 1));
    odd = pinned, odd.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    GIVES(BAD, cuMemCreate(&handle, GRAIN, &odd, 0));
    odd = pinned, odd.location.id = 1;
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&handle, GRAIN, &odd, 0));
    odd = pinned, odd.location.type = CU_MEM_LOCATION_TYPE_INVALID;
    GIVES(BAD, cuMemCreate(&handle, GRAIN, &odd, 0));
    odd = pinned, odd.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, GRAIN, &odd, 0));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, (size_t)1 << 40, &pinned, 0));
    assert_true(available() == before);
    handle = make(3 * GRAIN);
    assert_int_equal(before - available(), 3 * GRAIN);
    GIVES(OK, cuMemGetAllocationPropertiesFromHandle(&told, handle));
    assert_int_equal(told.type, CU_MEM_ALLOCATION_TYPE_PINNED);
    assert_int_equal(told.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
    GIVES(BAD, cuMemGetAllocationPropertiesFromHandle(NULL, handle));
    GIVES(BAD, cuMemGetAllocationPropertiesFromHandle(&told, handle + 1));
    /* It is there as long as it has a handle or a mapping. */
    const CUdeviceptr at = reserve(3 * GRAIN, 0);
    GIVES(OK, cuMemMap(at, 3 * GRAIN, 0, handle, 0));
    GIVES(OK, cuMemRetainAllocationHandle(&same, (void *)(uintptr_t)(at + GRAIN)));
    assert_true(same == handle);
    GIVES(OK, cuMemRelease(handle));
    GIVES(OK, cuMemRelease(handle));
    GIVES(BAD, cuMemRelease(handle));
    assert_int_equal(before - available(), 3 * GRAIN);
    GIVES(OK, cuMemUnmap(at, 3 * GRAIN));
    assert_true(available() == before);
    GIVES(BAD, cuMemRetainAllocationHandle(&same, (void *)(uintptr_t)at));
    GIVES(OK, cuMemAddressFree(at, 3 * GRAIN));
}

static void test_addresses(void **state) {
    CUdeviceptr at;
    (void)state;
    static const struct {
        size_t size, alignment;
        int wanted;
    } cases[] = {{0, 0, BAD},
                 {GRAIN, 3, BAD},
                 {GRAIN + 1, 0, BAD},
                 {GRAIN, 0, OK},
                 {GRAIN, 1, OK},
                 {GRAIN, GRAIN, OK},
                 {GRAIN, 8 * GRAIN, OK},
                 {5 * GRAIN, 4 * GRAIN, OK},
                 {GRAIN / 2, 0, BAD},
                 {GRAIN, 3 * GRAIN, BAD}};
    for (int i = 0; i < COUNT(cases); i++) {
        GIVES(cases[i].wanted, cuMemAddressReserve(&at, cases[i].size, cases[i].alignment, 0, 0));
        if (cases[i].wanted != OK)
            continue;
        assert_int_equal(at % (cases[i].alignment > GRAIN ? cases[i].alignment : GRAIN), 0);
        GIVES(BAD, cuMemAddressFree(at, cases[i].size + GRAIN));
        GIVES(BAD, cuMemAddressFree(at + GRAIN, cases[i].size));
        if (cases[i].size > GRAIN)
            GIVES(BAD, cuMemAddressFree(at, cases[i].size - GRAIN));
        GIVES(OK, cuMemAddressFree(at, cases[i].size));
        GIVES(BAD, cuMemAddressFree(at, cases[i].size));
    }
    GIVES(BAD, cuMemAddressReserve(NULL, GRAIN, 0, 0, 0));
    GIVES(BAD, cuMemAddressReserve(&at, GRAIN, 0, 0, 1));
}

/* Four pieces of addresses, memory of one and of two of them. */
static void test_mapped(void **state) {
    const CUmemAccessDesc all = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                 CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccessDesc odd = all;
    const CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    unsigned long long flags = 9;
    int seen = 0, value = 5;
    (void)state;
    const CUdeviceptr at = reserve(4 * GRAIN, 0);
    const CUmemGenericAllocationHandle small = make(GRAIN), large = make(2 * GRAIN);
    const struct {
        size_t first, size, offset;
        CUmemGenericAllocationHandle handle;
        unsigned long long flags;
        int wanted;
    } cases[] = {
        {0, 2 * GRAIN, 0, small, 0, BAD}, /* more than there is */
        {0, 0, 0, small, 0, BAD},
        {0, GRAIN / 2, 0, small, 0, BAD},
        {0, GRAIN, GRAIN, large, 0, BAD},
        {0, GRAIN, 0, small, 1, BAD},
        {0, GRAIN, 0, 0, 0, BAD},
        {GRAIN / 2, GRAIN, 0, small, 0, BAD},
        {4 * GRAIN, GRAIN, 0, small, 0, BAD}, /* addresses of somebody else */
        {3 * GRAIN, 2 * GRAIN, 0, large, 0, BAD},
        {3 * GRAIN, GRAIN, 0, large, 0, OK}, /* a part of it */
        {2 * GRAIN, 2 * GRAIN, 0, large, 0, BAD},
        {3 * GRAIN, GRAIN, 0, small, 0, BAD},
        {GRAIN, 2 * GRAIN, 0, large, 0, OK},
        {0, 2 * GRAIN, 0, large, 0, BAD},
        {0, GRAIN, 0, small, 0, OK},
    };
    for (int i = 0; i < COUNT(cases); i++)
        if ((int)cuMemMap(at + cases[i].first, cases[i].size, cases[i].offset, cases[i].handle,
                          cases[i].flags) != cases[i].wanted)
            fail_msg("case %d", i);
    /* Now: small, large, large, the first part of large. */
    GIVES(BAD, cuMemAddressFree(at, 4 * GRAIN));
    GIVES(OK, cuMemGetAccess(&flags, &here, at));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    GIVES(BAD, cuMemsetD8(at, 1, 4));
    GIVES(BAD, cuMemSetAccess(at, GRAIN, NULL, 1));
    GIVES(BAD, cuMemSetAccess(at, GRAIN, &all, 0));
    GIVES(BAD, cuMemSetAccess(at, 0, &all, 1));
    GIVES(BAD, cuMemSetAccess(at, 2 * GRAIN, &all, 1)); /* a part of a mapping */
    GIVES(BAD, cuMemSetAccess(at + 2 * GRAIN, GRAIN, &all, 1));
    odd.location.id = 1;
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemSetAccess(at, GRAIN, &odd, 1));
    odd = all, odd.flags = (CUmemAccess_flags)2;
    GIVES(BAD, cuMemSetAccess(at, GRAIN, &odd, 1));
    GIVES(OK, cuMemSetAccess(at, 4 * GRAIN, &all, 1));
    for (size_t i = 0; i < 4; i++) {
        GIVES(OK, cuMemGetAccess(&flags, &here, at + i * GRAIN + GRAIN - 1));
        assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    }
    GIVES(BAD, cuMemGetAccess(&flags, &here, at + 4 * GRAIN));
    GIVES(BAD, cuMemGetAccess(NULL, &here, at));
    GIVES(BAD, cuMemGetAccess(&flags, NULL, at));
    GIVES(OK, cuMemsetD8(at, 1, 4 * GRAIN)); /* one allocation */
    GIVES(BAD, cuMemsetD8(at, 1, 4 * GRAIN + 1));
    GIVES(OK, cuMemcpyHtoD(at + GRAIN + 8, &value, sizeof value));
    GIVES(OK, cuMemcpyDtoH(&seen, at + 3 * GRAIN + 8, sizeof seen)); /* the same memory */
    assert_int_equal(seen, 5);
    GIVES(OK, cuMemcpyDtoH(&seen, at + 8, sizeof seen));
    assert_int_equal(seen, 0x01010101);
    odd = all, odd.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    GIVES(OK, cuMemSetAccess(at + GRAIN, 2 * GRAIN, &odd, 1));
    GIVES(BAD, cuMemsetD8(at + GRAIN, 1, 1));
    GIVES(OK, cuMemsetD8(at, 1, GRAIN));
    GIVES(BAD, cuMemsetD8(at, 1, GRAIN + 1));
    GIVES(OK, cuMemsetD8(at + 3 * GRAIN, 1, GRAIN));
    GIVES(BAD, cuMemUnmap(at, 2 * GRAIN));
    GIVES(BAD, cuMemUnmap(at + 2 * GRAIN, GRAIN));
    GIVES(BAD, cuMemUnmap(at, 0));
    GIVES(OK, cuMemUnmap(at + GRAIN, 2 * GRAIN));
    GIVES(BAD, cuMemUnmap(at, 4 * GRAIN)); /* with a hole */
    GIVES(OK, cuMemUnmap(at, GRAIN));
    GIVES(OK, cuMemUnmap(at + 3 * GRAIN, GRAIN));
    GIVES(BAD, cuMemsetD8(at, 1, 1));
    GIVES(OK, cuMemRelease(small));
    GIVES(OK, cuMemRelease(large));
    GIVES(OK, cuMemAddressFree(at, 4 * GRAIN));
}

#define DRIVER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_begin),     DRIVER_TEST(test_contexts), DRIVER_TEST(test_device),
        DRIVER_TEST(test_memory), DRIVER_TEST(test_created),  DRIVER_TEST(test_addresses),
        DRIVER_TEST(test_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
