/*
 * test_guard.c - memory that only one side may access (api.h): the device's is closed while the
 * host's code runs, and a kernel finds none of the host's.
 */
#include "cudacpu/runtime/api.h"
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static int begin_guarded(void **state) {
    const struct cpu_options options = {.settings.zero_memory = true, .guards_memory = true};
    *state = cpu_device_create(&options);
    cpu_device_use(*state);
    return 0;
}
#define GUARDED_TEST(name) cmocka_unit_test_setup_teardown(name, begin_guarded, api_end_test)

/* True if the system lets a byte be read. */
static bool is_open(const void *address) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const bool read = write(ends[1], address, 1) == 1;
    assert_true(read || errno == EFAULT);
    close(ends[0]);
    close(ends[1]);
    return read;
}

/* ---- a kernel that gets a pointer and keeps its view of it ---- */

static const void *handed;
static bool was_open, was_alone;

static void keep(const void *function, void **arguments) {
    (void)function;
    handed = *(const void *const *)arguments[0];
    was_open = is_open(handed);
    was_alone = api_is_device_only(cpu_device_in_use(), handed);
    assert_ptr_equal(cpu_kernel_pointer(&errno), &errno); /* a lane's own pointers stay unchanged */
}
static const size_t keep_sizes[] = {sizeof(void *)};
static const bool keep_points[] = {true}, keep_numbers[] = {false};
static const struct cpu_pointed keep_pointed[] = {{-1, 0, 0, NULL}};
static const struct cpu_kernel_type keep_type = {keep, 1, keep_sizes, keep_points, keep_pointed};
static const struct cpu_kernel_type number_type = {keep, 1, keep_sizes, keep_numbers, keep_pointed};
static const char keep_address[2];

static void launch(const void *pointer, int which) {
    void *arguments[] = {&pointer};
    const struct dim3 one = {1, 1, 1};
    DONE(cudaLaunchKernel(keep_address + which, one, one, arguments, 0, NULL));
}

static void test_closing(void **state) {
    char *device, *second, *both, *pinned, byte = 5, back = 0;
    DONE(cudaMalloc((void **)&device, 100));
    assert_false(is_open(device));
    DONE(cudaMallocManaged((void **)&both, 100, cudaMemAttachGlobal));
    DONE(cudaMallocHost((void **)&pinned, 100));
    assert_true(is_open(both) && is_open(pinned));
    assert_true(api_is_device_only(*state, device));
    assert_true(api_is_device_only(*state, device + 99));
    assert_false(api_is_device_only(*state, both));
    assert_false(api_is_device_only(*state, pinned));
    assert_false(api_is_device_only(*state, &byte));
    assert_false(api_is_device_only(NULL, device));
    DONE(cudaMemcpy(device, &byte, 1, cudaMemcpyHostToDevice));
    assert_false(is_open(device));
    DONE(cudaMemcpy(&back, device, 1, cudaMemcpyDeviceToHost));
    assert_int_equal(back, 5);
    DONE(cudaMemset(device, 6, 1));
    assert_false(is_open(device));
    DONE(cudaMalloc((void **)&second, 100)); /* in the same region */
    assert_false(is_open(second));
    DONE(cudaFree(second));
    DONE(cudaMalloc((void **)&second, 100)); /* it is cleared and closed again */
    assert_false(is_open(second));
    assert_true(api_is_device_only(*state, second));
    cpu_kernel_register(keep_address, &keep_type, "keep");
    launch(device, 0);
    assert_ptr_equal(handed, device);
    assert_true(was_open);
    assert_false(was_alone);
    assert_false(is_open(device));
    assert_true(api_is_device_only(*state, device));
    api_memory_allow(*state); /* the host has been notified; it is closed the next time */
    assert_true(is_open(device));
    DONE(cudaMemset(device, 6, 1));
    assert_false(is_open(device));
    cpu_memory_is_for_host(); /* from here on the host has access to everything */
    assert_true(is_open(device));
    assert_false(api_is_device_only(*state, device));
    DONE(cudaMemset(device, 6, 1));
    assert_true(is_open(device));
    assert_ptr_equal(cpu_kernel_pointer(&byte), &byte);
}

/* Nothing is closed before something is allocated, or without a device. */
static void test_never_closed(void **state) {
    api_memory_open(*state);
    api_memory_close(*state);
    assert_false(api_is_device_only(*state, state));
    assert_ptr_not_equal(cpu_kernel_pointer(state), state);
    cpu_device_use(NULL);
    cpu_memory_is_for_host();
    assert_ptr_equal(cpu_kernel_pointer(state), state);
    cpu_device_use(*state);
    assert_ptr_not_equal(cpu_kernel_pointer(state), state);
}

/* The system needs time to close each page, so closing stops after 8 GiB in all. */
static void test_closing_stops(void **state) {
    char *device;
    (void)state;
    DONE(cudaMalloc((void **)&device, 64 * MIB)); /* each closing covers 64 MiB */
    for (int i = 0; i < 128; i++) {
        assert_false(is_open(device));
        DONE(cudaMemset(device, 1, 1));
    }
    assert_false(is_open(device));
    DONE(cudaMemset(device, 1, 1));
    assert_true(is_open(device));
    assert_true(api_is_device_only(*state, device)); /* it still belongs only to the device */
}

/* Instead of a pointer to the host's memory, a kernel gets an address without memory. */
static void test_pointers(void **state) {
    static char variable;
    char *device, *both, *pinned, *own = malloc(300), on_stack;
    const void *const last = (const void *)(uintptr_t)65535;
    const void *const number = (const void *)(uintptr_t)65536;
    (void)state;
    DONE(cudaMalloc((void **)&device, 100));
    DONE(cudaMallocManaged((void **)&both, 100, cudaMemAttachGlobal));
    DONE(cudaMallocHost((void **)&pinned, 100));
    DONE(cudaHostRegister(own + 100, 100, 0));
    const struct {
        const void *pointer;
        bool moves;
    } cases[] = {
        {device, false},      {device + 100, false}, {device + 5000, false}, {both, false},
        {both + 5000, false}, {pinned + 99, false},  {&variable, false},     {"a text", false},
        {NULL, false},        {last, false},         {number, true},         {&on_stack, true},
        {own, true},          {own + 99, true},      {own + 100, false},     {own + 199, false},
        {own + 200, false},   {own + 201, true},
    };
    cpu_kernel_register(keep_address, &keep_type, "keep");
    cpu_kernel_register(keep_address + 1, &number_type, "number");
    for (int i = 0; i < COUNT(cases); i++) {
        const uintptr_t at = (uintptr_t)cases[i].pointer;
        const void *seen = cpu_kernel_pointer(cases[i].pointer);
        if ((uintptr_t)seen != (cases[i].moves ? at ^ CPU_HOST_POINTER_BIT : at))
            fail_msg("case %d: %p", i, seen);
        launch(cases[i].pointer, 0);
        assert_ptr_equal(handed, seen);
        assert_false(cases[i].moves && was_open);
        launch(cases[i].pointer, 1); /* a number as wide as a pointer stays unchanged */
        assert_int_equal((uintptr_t)handed, at);
    }
    DONE(cudaHostUnregister(own + 100));
    free(own);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GUARDED_TEST(test_closing),
        GUARDED_TEST(test_never_closed),
        GUARDED_TEST(test_closing_stops),
        GUARDED_TEST(test_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
