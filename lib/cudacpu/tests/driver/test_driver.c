/*
 * test_driver.c - the driver API: contexts, the device, plain memory. "CUDA Driver API",
 * "Context Management" and "Memory Management", define the refusals.
 */
#include "test_device.h"

#include <cuda.h>
#include <string.h>

enum { OK = CUDA_SUCCESS, BAD = CUDA_ERROR_INVALID_VALUE };

static CUcontext context;

static int begin(void **state) {
    api_begin_test(state);
    return cuInit(0) || cuCtxCreate(&context, NULL, 0, 0);
}
static int end(void **state) {
    cuCtxDestroy(context);
    return api_end_test(state);
}

/* ---- without and within a context ---- */

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
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuModuleUnload(NULL));
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
}

static void test_contexts(void **state) {
    enum { STACK = 64 };
    CUcontext one = NULL, two, got;
    int device = 9;
    (void)state;
    GIVES(BAD, cuCtxCreate(NULL, NULL, 0, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&one, NULL, 0, 1));
    GIVES(BAD, cuCtxCreate(&one, NULL, CU_CTX_FLAGS_MASK + 1, 0));
    GIVES(OK, cuCtxCreate(&one, NULL, CU_CTX_SCHED_SPIN, 0));
    GIVES(OK, cuCtxCreate(&two, NULL, CU_CTX_SCHED_YIELD, 0));
    GIVES(OK, cuCtxGetCurrent(&got));
    assert_ptr_equal(got, two);
    GIVES(OK, cuCtxPopCurrent(&got));
    assert_ptr_equal(got, two);
    GIVES(OK, cuCtxPushCurrent(two));
    GIVES(OK, cuCtxSetCurrent(one)); /* replaces the context on top */
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
    /* A destroyed context is no longer current. */
    GIVES(OK, cuCtxPushCurrent(two));
    GIVES(OK, cuCtxDestroy(two));
    GIVES(OK, cuCtxGetCurrent(&got));
    assert_ptr_equal(got, context);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(NULL));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(NULL));
    GIVES(OK, cuDevicePrimaryCtxRetain(&got, 0));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(got)); /* it must be released instead */
    GIVES(OK, cuDevicePrimaryCtxRelease(0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRelease(1));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&got, 1));
    GIVES(BAD, cuDevicePrimaryCtxRetain(NULL, 0));
    for (int i = 1; i < STACK; i++) /* `context` still exists */
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
    GIVES(OK, cuDeviceGetName(name, 4, 0)); /* as much as fits */
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
    GIVES(OK, cuDeviceGetAttribute(&value, (CUdevice_attribute)102, 0)); /* virtual memory */
    assert_int_equal(value, 0);
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
    CUdeviceptr memory;
    uint8_t host[16], back[16] = {0};
    (void)state;
    GIVES(BAD, cuMemAlloc(&memory, 0));
    GIVES(BAD, cuMemAlloc(NULL, 8));
    GIVES(OK, cuMemAlloc(&memory, 16));
    memset(host, 1, sizeof host);
    GIVES(OK, cuMemcpyHtoD(memory, host, 16));
    GIVES(OK, cuMemsetD8(memory, 7, 2));
    GIVES(OK, cuMemsetD16(memory + 2, 0x1234, 2));
    GIVES(OK, cuMemsetD32(memory + 8, 0x55667788, 1));
    GIVES(OK, cuMemcpyDtoH(back, memory, 16));
    static const uint8_t wanted[] = {7,    7,    0x34, 0x12, 0x34, 0x12, 1, 1,
                                     0x88, 0x77, 0x66, 0x55, 1,    1,    1, 1};
    assert_memory_equal(back, wanted, 16);
    GIVES(BAD, cuMemsetD16(memory + 1, 0, 1)); /* not a multiple of its size */
    GIVES(BAD, cuMemsetD32(memory + 2, 0, 1));
    GIVES(BAD, cuMemsetD32(memory, 0, 5));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async(memory, 0, 1, (CUstream)(uintptr_t)0x1230));
    GIVES(OK, cuMemcpyDtoD(memory + 12, memory, 4));
    GIVES(OK, cuMemcpyDtoH(back, memory + 12, 4));
    assert_memory_equal(back, wanted, 4);
    GIVES(OK, cuMemFree(memory));
    GIVES(BAD, cuMemFree(memory));
}

#define DRIVER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_begin),
        DRIVER_TEST(test_contexts),
        DRIVER_TEST(test_device),
        DRIVER_TEST(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
