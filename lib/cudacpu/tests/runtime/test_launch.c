/*
 * test_launch.c - kernels by their address, from C: launches and refusals, attributes, occupancy
 * (by the CUDA C++ Programming Guide's table for compute capability 8.0), and kernels that launch
 * kernels.
 */
#include "cudacpu/runtime/api.h"
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <string.h>

enum { OK = cudaSuccess, BAD = cudaErrorInvalidValue };
#define NO_STREAM   ((cudaStream_t)(uintptr_t)0x1230)
#define SHARED      49152 /* of a block, unless more is requested */
#define SHARED_MOST 166912

/* ---- a kernel: it adds `step` to *sum, in every thread ---- */

static void add_call(const void *function, void **arguments) {
    int *const *sum = arguments[1];
    (void)function;
    **sum += *(const int *)arguments[0];
}
static const size_t add_sizes[] = {sizeof(int), sizeof(int *)};
static const bool add_points[] = {false, true};
static const struct cpu_pointed add_pointed[] = {{-1, 0, 0, NULL}, {-1, 0, 0, NULL}};
static const struct cpu_kernel_type add_type = {add_call, 2, add_sizes, add_points, add_pointed};
static const char add_address[40]; /* addresses of kernels: any address will do */

static void nothing(void *context) {
    (void)context;
}

static void test_launches(void **state) {
    static const struct {
        struct dim3 grid, block;
        int wanted;
    } cases[] = {
        {{1, 1, 1}, {1, 1, 1}, OK},
        {{3, 2, 2}, {4, 2, 3}, OK},
        {{0, 1, 1}, {1, 1, 1}, BAD},
        {{1, 0, 1}, {1, 1, 1}, BAD},
        {{1, 1, 0}, {1, 1, 1}, BAD},
        {{1, 1, 1}, {0, 1, 1}, BAD},
        {{1, 1, 1}, {1, 0, 1}, BAD},
        {{1, 1, 1}, {1, 1, 0}, BAD},
        {{1, 1, 1}, {1024, 1, 1}, OK},
        {{1, 1, 1}, {1025, 1, 1}, BAD},
        {{1, 1, 1}, {1, 1024, 1}, OK},
        {{1, 1, 1}, {1, 1025, 1}, BAD},
        {{1, 1, 1}, {1, 1, 64}, OK},
        {{1, 1, 1}, {1, 1, 65}, BAD},
        {{1, 1, 1}, {16, 16, 4}, OK},
        {{1, 1, 1}, {33, 32, 1}, BAD},
        {{1, 65536, 1}, {1, 1, 1}, BAD},
        {{1, 1, 65536}, {1, 1, 1}, BAD},
        {{2147483648u, 1, 1}, {1, 1, 1}, BAD},
        {{1, 1, 1}, {65536, 65536, 1}, BAD},
    };
    (void)state;
    cpu_kernel_register(add_address, &add_type, "add");
    for (int i = 0; i < COUNT(cases); i++) {
        int total = 0, *sum = &total, step = 3;
        void *arguments[] = {&step, &sum};
        const struct dim3 g = cases[i].grid, b = cases[i].block;
        if ((int)cudaLaunchKernel(add_address, g, b, arguments, 0, NULL) != cases[i].wanted)
            fail_msg("case %d", i);
        const unsigned threads = g.x * g.y * g.z * b.x * b.y * b.z;
        assert_int_equal(total, cases[i].wanted == OK ? 3 * threads : 0);
    }
    int total = 0, *sum = &total, step = 1;
    void *arguments[] = {&step, &sum};
    const struct dim3 one = {1, 1, 1};
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(add_address + 1, one, one, arguments, 0, NULL));
    GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(NULL, one, one, arguments, 0, NULL));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaLaunchKernel(add_address, one, one, arguments, 0, NO_STREAM));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaLaunchCooperativeKernel(add_address, one, one, arguments, 0, NO_STREAM));
    assert_int_equal(total, 0);
}

/* ---- dynamic shared memory ---- */

static unsigned char area[SHARED_MOST + 1];

void *cpu_thread_dynamic_shared(void) {
    return area;
}

static size_t shared_bytes;
static int fresh, wrong;

static void look(void *context) {
    (void)context;
    for (size_t i = 0; i < shared_bytes; i++)
        wrong += area[i] != fresh;
    wrong += area[shared_bytes] != 77;
    for (size_t i = 0; i < shared_bytes; i++)
        area[i] = 55;
    wrong += !cpu_is_shared(area) || !cpu_is_shared(area + SHARED_MOST - 1);
    wrong += cpu_is_shared(area + SHARED_MOST) || cpu_is_shared(&fresh);
}

/* A kernel has 48 KiB of it, or more if requested. Each block finds it in its initial state. */
static void test_shared(void **state) {
    static const size_t sizes[] = {0, 1, 1000, SHARED};
    const struct dim3 one = {1, 1, 1};
    int total = 0, *sum = &total, step = 1;
    void *arguments[] = {&step, &sum};
    struct cpu_launch unknown = {
        .name = "look", .call = look, .grid = {2, 1, 1}, .block = {1, 1, 1}, .shared_memory = area};
    for (int round = 0; round < 2; round++) { /* with memory that is 0, then with garbage */
        fresh = round ? CPU_GARBAGE_BYTE : 0;
        wrong = 0;
        for (int i = 0; i < COUNT(sizes); i++) {
            unknown.shared = shared_bytes = sizes[i];
            memset(area, 77, sizeof area);
            DONE(cpu_runtime_launch_kernel(&unknown));
            assert_int_equal(wrong, 0);
        }
        if (!round) {
            cpu_device_use(NULL);
            cpu_device_destroy(*state);
            const struct cpu_options options = {.settings.zero_memory = false};
            *state = cpu_device_create(&options);
            cpu_device_use(*state);
        }
    }
    unknown.call = nothing;
    unknown.shared = SHARED + 1;
    GIVES(BAD, cpu_runtime_launch_kernel(&unknown));
    for (int i = 0; i < 3; i++) {
        cpu_kernel_register(add_address + i, &add_type, "add");
        DONE(cudaLaunchKernel(add_address + i, one, one, arguments, SHARED, NULL));
        GIVES(BAD, cudaLaunchKernel(add_address + i, one, one, arguments, SHARED + 1, NULL));
    }
    for (int i = 0; i < 3; i += 2) /* it matters which kernel requested it */
        DONE(cudaFuncSetAttribute(add_address + i, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  60000 + i));
    DONE(cudaLaunchKernel(add_address, one, one, arguments, 60000, NULL));
    GIVES(BAD, cudaLaunchKernel(add_address, one, one, arguments, 60001, NULL));
    GIVES(BAD, cudaLaunchKernel(add_address + 1, one, one, arguments, SHARED + 1, NULL));
    DONE(cudaLaunchKernel(add_address + 2, one, one, arguments, 60002, NULL));
    GIVES(BAD, cudaLaunchKernel(add_address + 2, one, one, arguments, 60003, NULL));
    unknown.shared = 60002; /* an unknown kernel has the largest limit of any kernel */
    DONE(cpu_runtime_launch_kernel(&unknown));
    unknown.shared = 60003;
    GIVES(BAD, cpu_runtime_launch_kernel(&unknown));
    DONE(cudaFuncSetAttribute(add_address + 1, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              SHARED_MOST));
    DONE(cudaLaunchKernel(add_address + 1, one, one, arguments, SHARED_MOST, NULL));
    GIVES(BAD, cudaLaunchKernel(add_address + 1, one, one, arguments, SHARED_MOST + 1, NULL));
    assert_int_equal(total, 6);
}

/* Blocks that synchronize must all be resident at once. Each of 16 processors holds 2 blocks of
 * 1024 threads, 3 blocks of 672 threads, or 32 blocks of 32 threads. */
static void test_cooperative(void **state) {
    static const struct {
        struct dim3 grid;
        unsigned threads;
        int wanted;
    } cases[] = {
        {{32, 1, 1}, 1024, OK},
        {{33, 1, 1}, 1024, cudaErrorCooperativeLaunchTooLarge},
        {{2, 4, 4}, 1024, OK},
        {{3, 11, 1}, 1024, cudaErrorCooperativeLaunchTooLarge},
        {{1, 3, 11}, 1024, cudaErrorCooperativeLaunchTooLarge},
        {{48, 1, 1}, 672, OK},
        {{49, 1, 1}, 672, cudaErrorCooperativeLaunchTooLarge},
        {{512, 1, 1}, 32, OK},
        {{513, 1, 1}, 1, cudaErrorCooperativeLaunchTooLarge},
        {{48, 1, 1}, 673, cudaErrorCooperativeLaunchTooLarge},
        {{1, 1, 1}, 1025, BAD},
        {{1, 1, 1}, 0, BAD},
    };
    (void)state;
    cpu_kernel_register(add_address, &add_type, "add");
    for (int i = 0; i < COUNT(cases); i++)
        for (int how = 0; how < 3; how++) {
            int total = 0, *sum = &total, step = 1;
            void *arguments[] = {&step, &sum};
            const struct dim3 grid = cases[i].grid, block = {cases[i].threads, 1, 1};
            cudaLaunchAttribute attributes[2] = {{.id = cudaLaunchAttributePriority},
                                                 {.id = cudaLaunchAttributeCooperative}};
            attributes[1].val.cooperative = how == 1;
            const cudaLaunchConfig_t config = {
                .gridDim = grid, .blockDim = block, .attrs = attributes, .numAttrs = 2};
            const int got =
                how == 0 ? cudaLaunchCooperativeKernel(add_address, grid, block, arguments, 0, NULL)
                         : cudaLaunchKernelExC(&config, add_address, arguments);
            /* Other launches may have more blocks than can be resident. */
            const int wanted = how == 2 && cases[i].wanted == cudaErrorCooperativeLaunchTooLarge
                                   ? OK
                                   : cases[i].wanted;
            if (got != wanted)
                fail_msg("case %d, %d: %d", i, how, got);
            assert_int_equal(total, wanted == OK ? grid.x * grid.y * grid.z * block.x : 0);
        }
    GIVES(BAD, cudaLaunchKernelExC(NULL, add_address, NULL));
    for (int axis = 0; axis < 4; axis++) { /* a cluster of one block does not count */
        int total = 0, *sum = &total, step = 1;
        void *arguments[] = {&step, &sum};
        cudaLaunchAttribute cluster = {.id = cudaLaunchAttributeClusterDimension};
        cluster.val.clusterDim.x = axis == 0 ? 2 : 1;
        cluster.val.clusterDim.y = axis == 1 ? 2 : 1;
        cluster.val.clusterDim.z = axis == 2 ? 2 : 1;
        const cudaLaunchConfig_t config = {
            .gridDim = {2, 1, 1}, .blockDim = {2, 1, 1}, .attrs = &cluster, .numAttrs = 1};
        GIVES(axis < 3 ? cudaErrorNotSupported : OK,
              cudaLaunchKernelExC(&config, add_address, arguments));
        assert_int_equal(total, axis < 3 ? 0 : 4);
    }
}

static void test_functions(void **state) {
    enum { MANY = 40 }; /* more than the table begins with */
    struct cudaFuncAttributes told;
    const char *name = NULL;
    char names[MANY][8];
    (void)state;
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        assert_ptr_equal(cpu_kernel_register(add_address + i, &add_type, names[i]),
                         add_address + i);
        DONE(cudaFuncSetAttribute(add_address + i, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  1000 + i));
    }
    assert_null(cpu_kernel_register(NULL, &add_type, "none"));
    cpu_kernel_register(add_address, &add_type, "again"); /* the first name stays */
    for (int i = 0; i < MANY; i++) {
        DONE(cudaFuncGetName(&name, add_address + i));
        assert_string_equal(name, names[i]);
        DONE(cudaFuncGetAttributes(&told, add_address + i));
        assert_int_equal(told.maxDynamicSharedSizeBytes, 1000 + i);
        assert_int_equal(told.maxThreadsPerBlock, 1024);
        assert_int_equal(told.preferredShmemCarveout, -1);
        assert_int_equal(told.ptxVersion, 80);
        assert_int_equal(told.binaryVersion, 80);
        assert_int_equal(told.numRegs, 32);
    }
    GIVES(BAD, cudaFuncGetName(NULL, add_address));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, NULL));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, &name));
    DONE(cudaFuncGetAttributes(&told, &name)); /* for a kernel that is not yet known */
    assert_int_equal(told.maxDynamicSharedSizeBytes, SHARED);
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, &name));
    GIVES(BAD, cudaFuncGetAttributes(NULL, add_address));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&told, NULL));
    static const struct {
        int attribute, value, wanted;
    } cases[] = {
        {cudaFuncAttributeMaxDynamicSharedMemorySize, -1, BAD},
        {cudaFuncAttributeMaxDynamicSharedMemorySize, 0, OK},
        {cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_MOST, OK},
        {cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_MOST + 1, BAD},
        {cudaFuncAttributePreferredSharedMemoryCarveout, -2, BAD},
        {cudaFuncAttributePreferredSharedMemoryCarveout, -1, OK},
        {cudaFuncAttributePreferredSharedMemoryCarveout, 100, OK},
        {cudaFuncAttributePreferredSharedMemoryCarveout, 101, BAD},
        {cudaFuncAttributePreferredSharedMemoryCarveout + 1, 0, BAD},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const enum cudaFuncAttribute which = (enum cudaFuncAttribute)cases[i].attribute;
        GIVES(cases[i].wanted, cudaFuncSetAttribute(add_address, which, cases[i].value));
        GIVES(cudaErrorInvalidDeviceFunction, cudaFuncSetAttribute(NULL, which, cases[i].value));
        DONE(cudaFuncGetAttributes(&told, add_address));
        if (cases[i].wanted == OK)
            assert_int_equal(which == cudaFuncAttributeMaxDynamicSharedMemorySize
                                 ? told.maxDynamicSharedSizeBytes
                                 : told.preferredShmemCarveout,
                             cases[i].value);
    }
    for (int config = 0; config < 6; config++) {
        GIVES(config <= cudaFuncCachePreferEqual ? OK : BAD,
              cudaFuncSetCacheConfig(add_address, (enum cudaFuncCache)config));
        GIVES(config <= cudaSharedMemBankSizeEightByte ? OK : BAD,
              cudaFuncSetSharedMemConfig(add_address, (enum cudaSharedMemConfig)config));
    }
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig(NULL, cudaFuncCachePreferNone));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaFuncSetSharedMemConfig(NULL, cudaSharedMemBankSizeDefault));
}

/*
 * A multiprocessor has room for 32 blocks, 64 warps and 65,536 registers, of which each thread is
 * assumed to need 32, and 167,936 bytes of shared memory, allocated 128 at a time, with 1,024 more
 * for each block.
 */
static void test_occupancy(void **state) {
    static const struct {
        int threads, shared, blocks;
    } cases[] = {
        {1, 0, 32},       {32, 0, 32},    {64, 0, 32},     {65, 0, 21},     {96, 0, 21},
        {97, 0, 16},      {128, 0, 16},   {129, 0, 12},    {512, 0, 4},     {513, 0, 3},
        {1024, 0, 2},     {1025, 0, 0},   {128, 49152, 3}, {128, 49153, 0}, {32, 4224, 32},
        {32, 4225, 31},   {32, 4352, 31}, {32, 15744, 10}, {32, 15745, 9},  {128, 15744, 10},
        {1024, 49152, 2},
    };
    static const struct {
        int blocks, bytes;
    } rooms[] = {{1, SHARED_MOST}, {2, 82944}, {3, 54912}, {32, 4224}, {145, 128},
                 {146, 0},         {163, 0},   {164, 0},   {1000, 0}};
    size_t room = 0;
    int blocks = -1;
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        blocks = -1;
        DONE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_address, cases[i].threads,
                                                           (size_t)cases[i].shared));
        if (blocks != cases[i].blocks)
            fail_msg("case %d: %d blocks", i, blocks);
    }
    DONE(cudaFuncSetAttribute(add_address, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              SHARED_MOST));
    DONE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_address, 32, SHARED_MOST));
    assert_int_equal(blocks, 1);
    DONE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_address, 32, 82944));
    assert_int_equal(blocks, 2);
    DONE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_address, 32, 82945));
    assert_int_equal(blocks, 1);
    GIVES(BAD, cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, add_address, 32, 0));
    GIVES(BAD, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_address, 0, 0));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 32, 0));
    for (unsigned flags = 0; flags < 3; flags++)
        GIVES(flags < 2 ? OK : BAD, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                                        &blocks, add_address, 32, 0, flags));
    for (int i = 0; i < COUNT(rooms); i++) {
        DONE(cudaOccupancyAvailableDynamicSMemPerBlock(&room, add_address, rooms[i].blocks, 1));
        assert_int_equal(room, rooms[i].bytes);
    }
    GIVES(BAD, cudaOccupancyAvailableDynamicSMemPerBlock(NULL, add_address, 1, 1));
    GIVES(BAD, cudaOccupancyAvailableDynamicSMemPerBlock(&room, NULL, 1, 1));
    GIVES(BAD, cudaOccupancyAvailableDynamicSMemPerBlock(&room, add_address, 0, 1));
    GIVES(BAD, cudaOccupancyAvailableDynamicSMemPerBlock(&room, add_address, 1, 0));
}

/* ---- kernels that launch kernels ---- */

#define CHILDREN 20 /* more than the table begins with */

static struct {
    char order[4 * CHILDREN];
    size_t length;
    int used, uses; /* in use by waiting launches; how often one began to wait */
    int error;      /* the error that the kernel was passed */
    unsigned threads;
} family;

static void use(void *context, int change) {
    (void)context;
    family.used += change;
    family.uses += change > 0;
}
static void grandchild(void *context) {
    (void)context;
    family.order[family.length++] = 'g';
}
static void child(void *context) {
    struct cpu_launch next = {.name = "grandchild",
                              .call = grandchild,
                              .use = use,
                              .grid = {1, 1, 1},
                              .block = {1, 1, 1}};
    family.order[family.length++] = 'c';
    if (context)
        family.error = cpu_runtime_launch_kernel(&next);
}
static void parent(void *context) {
    struct cpu_launch next = {.name = "child",
                              .call = child,
                              .context = context,
                              .use = use,
                              .grid = {1, 1, 1},
                              .block = {family.threads, 1, 1}};
    assert_int_equal(cpu_runtime_in_kernel(), 1);
    for (int i = 0; i < CHILDREN; i++)
        family.error = cpu_runtime_launch_kernel(&next);
    family.order[family.length++] = 'p';
}
static void forgetful(void *context) {
    const struct cpu_launch next = {
        .name = "child", .call = child, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    (void)context;
    family.error = cpu_runtime_launch_kernel(&next);
}

static void test_children(void **state) {
    struct cpu_launch first = {
        .name = "parent", .call = parent, .grid = {2, 1, 1}, .block = {1, 1, 1}};
    (void)state;
    memset(&family, 0, sizeof family);
    family.threads = 1;
    assert_int_equal(cpu_runtime_in_kernel(), 0);
    DONE(cpu_runtime_launch_kernel(&first)); /* both blocks, then their children */
    assert_int_equal(family.length, 2 + 2 * CHILDREN);
    assert_memory_equal(family.order, "ppcccc", 6);
    assert_int_equal(family.uses, 2 * CHILDREN);
    assert_int_equal(family.used, 0);
    DONE(family.error);
    family.length = 0;
    first.grid.x = 1, first.context = &family;
    DONE(cpu_runtime_launch_kernel(&first)); /* grandchildren come after all children */
    assert_int_equal(family.length, 1 + 2 * CHILDREN);
    for (size_t i = 0; i < family.length; i++)
        assert_int_equal(family.order[i], i == 0 ? 'p' : i <= CHILDREN ? 'c' : 'g');
    assert_int_equal(family.used, 0);
    /* A refused launch ends the sequence, and no launch is left waiting. */
    family.length = 0, family.threads = 1025;
    GIVES(BAD, cpu_runtime_launch_kernel(&first));
    assert_int_equal(family.length, 1);
    assert_int_equal(family.used, 0);
    /* Without an owner of the arguments, no launch can wait. */
    first.call = forgetful;
    family.length = 0;
    DONE(cpu_runtime_launch_kernel(&first));
    assert_int_equal(family.error, cudaErrorNotSupported);
    assert_int_equal(family.length, 0);
    first.call = nothing, first.stream = NO_STREAM;
    GIVES(cudaErrorInvalidResourceHandle, cpu_runtime_launch_kernel(&first));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_launches),  API_TEST(test_shared),    API_TEST(test_cooperative),
        API_TEST(test_functions), API_TEST(test_occupancy), API_TEST(test_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
