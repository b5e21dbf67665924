/*
 * launch.c - kernels by their address: launches, attributes, occupancy.
 */
#include "cudacpu/runtime/api.h"

#include "base/memory.h"
#include "cudacpu/module.h"
#include "simt/block_workers.h"

#include <stdlib.h>
#include <string.h>

/* The device's properties (driver_attributes.h) as constants. */
#define ATTRIBUTE_VALUE(name, number, what) name##_value = what,
enum { SHFLVIZ_ATTRIBUTES(ATTRIBUTE_VALUE) };
#undef ATTRIBUTE_VALUE
#define VALUE(name) cudaDevAttr##name##_value

/* A kernel is assumed to need these, since registers are not counted here. */
#define REGISTERS 32

/* ---- known kernels ---- */

static struct api_function *find_function(struct cpu_api *api, const void *address) {
    for (size_t i = 0; i < api->function_count; i++)
        if (api->functions[i].address == address)
            return &api->functions[i];
    return NULL;
}

struct api_function *api_function_of(struct cpu_device *device, const void *address) {
    struct cpu_api *api = device->api;
    struct api_function *found = find_function(api, address);
    if (found)
        return found;
    api->functions = memory_room(api->functions, api->function_count, &api->function_capacity,
                                 sizeof api->functions[0]);
    found = &api->functions[api->function_count++];
    *found = (struct api_function){.address = address,
                                   .dynamic_shared = VALUE(MaxSharedMemoryPerBlock),
                                   .carveout = cudaSharedmemCarveoutDefault};
    const struct cudacpu_kernel *kernel = cudacpu_kernel_of(address);
    if (kernel) {
        found->type = kernel->type;
        found->name = memory_string(kernel->name);
        found->most_threads = (unsigned)kernel->most_threads;
        found->relies = (unsigned)kernel->relies;
        found->if_same = kernel->if_same;
    }
    return found;
}

void api_functions_release(struct cpu_api *api) {
    for (size_t i = 0; i < api->function_count; i++)
        free(api->functions[i].name);
    free(api->functions);
    api->functions = NULL;
    api->function_count = api->function_capacity = 0;
}

const void *cpu_kernel_register(const void *address, const struct cpu_kernel_type *type,
                                const char *name) {
    cudaError_t error;
    struct cpu_device *device = address ? api_begin(&error, NULL) : NULL;
    if (device) {
        struct api_function *function = api_function_of(device, address);
        function->type = type;
        if (!function->name && name)
            function->name = memory_string(name);
        api_end(cudaSuccess);
    }
    return address;
}

void cpu_kernel_rename(const void *address, const char *name) {
    cudaError_t error;
    struct cpu_device *device = api_begin(&error, NULL);
    if (!device)
        return;
    struct api_function *function = api_function_of(device, address);
    if (!function->name || strcmp(function->name, name) != 0) {
        free(function->name);
        function->name = memory_string(name);
    }
    api_end(cudaSuccess);
}

/* ---- launching ---- */

struct bound_call {
    const struct cpu_kernel_type *type;
    const void *function;
    void **arguments;
};

static void call_bound(void *context) {
    const struct bound_call *bound = context;
    bound->type->call(bound->function, bound->arguments);
}

static size_t blocks_at_once(unsigned threads, size_t shared);

/* The blocks that the device holds at once. */
static uint64_t blocks_held(const struct cpu_launch *launch) {
    const unsigned threads = launch->block.x * launch->block.y * launch->block.z;
    return threads && threads <= CPU_BLOCK_THREADS
               ? (uint64_t)VALUE(MultiProcessorCount) * blocks_at_once(threads, launch->shared)
               : 0;
}

/* The dynamic shared memory that the kernel has opted in for; if a launch does not name its
 * kernel, the most that any kernel has. */
static size_t opted_in_bytes(const struct cpu_api *api, const void *address) {
    int most = VALUE(MaxSharedMemoryPerBlock);
    for (size_t i = 0; i < api->function_count; i++)
        if ((!address || api->functions[i].address == address) &&
            api->functions[i].dynamic_shared > most)
            most = api->functions[i].dynamic_shared;
    return (size_t)most;
}

/* Refuses what CUDA refuses for reasons other than the shape: Programming Guide, "Shared Memory" of
 * compute capability 8.0, and "Grid Synchronization". */
static cudaError_t check_launch(struct cpu_device *device, const struct cpu_launch *launch) {
    if (cpu_dynamic_shared_memory() &&
        launch->shared > opted_in_bytes(device->api, launch->function))
        return cudaErrorInvalidValue;
    if (launch->cooperative) {
        const uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
        const uint64_t held = blocks_held(launch);
        if (held && blocks > held)
            return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

/* memory_record.c's, which is linked if accesses may be recorded. */
extern void cpu_pointer_passed(const void *pointer, const char *kernel, size_t argument,
                               struct cpu_pointed to) __attribute__((weak));

/* The arguments as the kernel sees them: an array of pointers followed by the pointers among their
 * targets. To be freed. */
static void **device_arguments(const struct cpu_kernel_type *type, void *const *arguments) {
    void **seen = memory_zeroed(2 * type->count + 1, sizeof *seen);
    for (size_t i = 0; i < type->count; i++) {
        seen[i] = arguments[i];
        if (type->points[i]) {
            const void *pointer = cpu_kernel_pointer(*(void *const *)arguments[i]);
            seen[type->count + i] = (void *)(uintptr_t)pointer;
            seen[i] = &seen[type->count + i];
        }
    }
    return seen;
}

void cpu_runtime_passes(const void *pointer, const char *kernel, size_t argument,
                        struct cpu_pointed to) {
    if (cpu_pointer_passed)
        cpu_pointer_passed(pointer, kernel, argument, to);
}

static void report_pointers(const struct cpu_launch *launch, void *const *seen) {
    const struct cpu_kernel_type *type = launch->type;
    for (size_t i = 0; i < type->count; i++)
        if (type->points[i])
            cpu_runtime_passes(*(void *const *)seen[i], launch->name, i, type->pointed[i]);
}

/* More pointers than this are assumed to point into one array. */
#define POINTERS_MOST 64

/* True if two pointers among the kernel's arguments, or in objects passed to it, point into one
 * array. */
static bool has_aliases(const struct cpu_device *device, const struct cpu_kernel_type *type,
                        void *const *arguments) {
    const struct api_allocation *found[POINTERS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < type->count; i++)
        for (size_t at = 0; at + sizeof(void *) <= type->sizes[i]; at += sizeof(void *)) {
            const void *word;
            memcpy(&word, (const char *)arguments[i] + at, sizeof word);
            const struct api_allocation *into = word ? api_find(device, word) : NULL;
            for (size_t n = 0; n < count && into; n++)
                if (found[n] == into)
                    return true;
            if (into && count == POINTERS_MOST)
                return true;
            if (into)
                found[count++] = into;
        }
    return false;
}

/* Tells the device whether the kernel may rely on lanes in step (simt/in_step.c); returns its type
 * for calls. */
static const struct cpu_kernel_type *expect_steps(const struct cpu_launch *launch) {
    struct cpu_device *device = cpu_device_in_use();
    const struct api_function *function =
        launch->type && launch->function ? find_function(device->api, launch->function) : NULL;
    const bool is_same =
        function && function->if_same && has_aliases(device, launch->type, launch->arguments);
    in_step_expect(device, function ? function->relies | (unsigned)is_same << CPU_STEP_GLOBAL : 0);
    return is_same ? function->if_same : launch->type;
}

static cudaError_t launch_grid(const struct cpu_launch *launch) {
    struct bound_call bound = {expect_steps(launch), launch->function, NULL};
    if (launch->type) {
        bound.arguments = device_arguments(launch->type, launch->arguments);
        report_pointers(launch, bound.arguments);
    }
    cudacpu_managed_to_device();
    api_memory_open(cpu_device_in_use());
    cpu_device_in_use()->cooperative = launch->cooperative;
    cpu_device_in_use()->blocks_held = launch->cooperative ? 0 : blocks_held(launch);
    const int error = cpu_runtime_launch(launch->name, launch->type ? call_bound : launch->call,
                                         launch->type ? &bound : launch->context, launch->grid,
                                         launch->block, launch->shared_memory, launch->shared);
    api_memory_close(cpu_device_in_use());
    cudacpu_managed_to_host();
    free(bound.arguments);
    return (cudaError_t)error;
}

/* ---- launches by kernels ---- */

/* More than a GPU keeps room for by default (cudaLimitDevRuntimePendingLaunchCount). */
#define CHILDREN_MOST (1u << 20)

/* A kernel's launch waits until its grid has ended: CUDA only promises that it does not begin
 * before the launch and has ended when its parent ends (Programming Guide, "CUDA Dynamic
 * Parallelism"). All of them run one after the other, whatever their stream. */
static cudaError_t launch_child(struct cpu_api *api, const struct cpu_launch *launch) {
    if (!launch->use)
        return cudaErrorNotSupported;
    if (api->child_count == CHILDREN_MOST)
        return cudaErrorLaunchPendingCountExceeded;
    api->children =
        memory_room(api->children, api->child_count, &api->child_capacity, sizeof *api->children);
    api->children[api->child_count++] = *launch;
    launch->use(launch->context, 1);
    return cudaSuccess;
}

void api_children_release(struct cpu_api *api) {
    for (size_t i = 0; i < api->child_count; i++)
        api->children[i].use(api->children[i].context, -1);
    free(api->children);
    api->children = NULL;
    api->child_count = api->child_capacity = 0;
}

/* Kernels that are launched meanwhile run last. */
static cudaError_t run_children(struct cpu_api *api) {
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < api->child_count && error == cudaSuccess; i++) {
        const struct cpu_launch child = api->children[i];
        error = launch_grid(&child);
    }
    api_children_release(api);
    return error;
}

cudaError_t api_launch_now(struct cpu_device *device, const struct cpu_launch *launch) {
    cudaError_t error = launch_grid(launch);
    cudaError_t children = run_children(device->api);
    return error != cudaSuccess ? error : children;
}

int cpu_runtime_launch_kernel(const struct cpu_launch *launch) {
    /* Blocks launch kernels in block order, whichever worker runs them. The wait for the turn
     * precedes the lock, for which a worker with an earlier turn may be waiting. */
    if (cpu_is_lane() && cpu_now.device->worker)
        block_worker_await_turn(cpu_now.device);
    API_BEGIN;
    if (cpu_is_lane())
        return api_end(launch_child(device->api, launch));
    struct CUstream_st *stream;
    cudaError_t error = api_capture_stream(device, launch->stream, &stream);
    if (error == cudaSuccess)
        error = check_launch(device, launch);
    if (error != cudaSuccess || api_capture_kernel(stream, launch))
        return api_end(error);
    return api_end(api_launch_now(device, launch));
}

int cpu_runtime_in_kernel(void) {
    return cpu_is_lane();
}

int cpu_runtime_is_capturing(struct CUstream_st *handle) {
    cudaError_t error;
    struct cpu_device *device = api_begin(&error, NULL);
    if (!device)
        return 0;
    const struct CUstream_st *stream = api_stream(device, handle);
    int capturing = stream && stream->capture;
    api_end(cudaSuccess);
    return capturing;
}

_Thread_local const void *cpu_launch_place;

/* By address alone: C++ has already described the kernel's parameters (launch.h). */
API_PART cudaError_t launch_address(const void *address, struct cpu_launch *launch) {
    API_BEGIN;
    if (cpu_launch_place && device->api->depth == 1)
        device->api->caller = cpu_launch_place;
    cpu_launch_place = NULL;
    const struct api_function *function = address ? api_function_of(device, address) : NULL;
    if (!function || !function->type)
        return api_end(cudaErrorInvalidDeviceFunction);
    if (function->most_threads &&
        launch->block.x * launch->block.y * launch->block.z > function->most_threads)
        return api_end(cudaErrorInvalidValue); /* beyond __launch_bounds__ */
    launch->function = address;
    launch->type = function->type;
    launch->name = function->name ? function->name : "kernel";
    launch->shared_memory = cpu_dynamic_shared_memory();
    return api_end((cudaError_t)cpu_runtime_launch_kernel(launch));
}

cudaError_t cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block,
                             void **arguments, size_t shared, cudaStream_t stream) {
    struct cpu_launch launch = {
        .grid = grid, .block = block, .arguments = arguments, .shared = shared, .stream = stream};
    return launch_address(function, &launch);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, struct dim3 grid, struct dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream) {
    struct cpu_launch launch = {.grid = grid,
                                .block = block,
                                .arguments = arguments,
                                .shared = shared,
                                .stream = stream,
                                .cooperative = true};
    return launch_address(function, &launch);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments) {
    if (!config)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    struct cpu_launch launch = {.grid = config->gridDim,
                                .block = config->blockDim,
                                .arguments = arguments,
                                .shared = config->dynamicSmemBytes,
                                .stream = config->stream};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &config->attrs[i];
        if (attribute->id == cudaLaunchAttributeCooperative)
            launch.cooperative = attribute->val.cooperative != 0;
        if (attribute->id == cudaLaunchAttributeClusterDimension &&
            (attribute->val.clusterDim.x > 1 || attribute->val.clusterDim.y > 1 ||
             attribute->val.clusterDim.z > 1)) /* compute capability 9.0 has clusters */
            return (cudaError_t)cpu_runtime_set_error(cudaErrorNotSupported);
    }
    return launch_address(function, &launch);
}

/* ---- attributes ---- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *address) {
    API_BEGIN;
    if (!attributes || !address)
        return api_end(attributes ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    const struct api_function *function = api_function_of(device, address);
    *attributes = (struct cudaFuncAttributes){.maxThreadsPerBlock = VALUE(MaxThreadsPerBlock),
                                              .numRegs = REGISTERS,
                                              .ptxVersion = 80,
                                              .binaryVersion = 80,
                                              .maxDynamicSharedSizeBytes = function->dynamic_shared,
                                              .preferredShmemCarveout = function->carveout};
    return api_end(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *address, enum cudaFuncAttribute attribute, int value) {
    API_BEGIN;
    if (!address)
        return api_end(cudaErrorInvalidDeviceFunction);
    struct api_function *function = api_function_of(device, address);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || value > VALUE(MaxSharedMemoryPerBlockOptin))
            return api_end(cudaErrorInvalidValue);
        function->dynamic_shared = value;
        return api_end(cudaSuccess);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return api_end(cudaErrorInvalidValue);
        function->carveout = value;
        return api_end(cudaSuccess);
    default:
        return api_end(cudaErrorInvalidValue);
    }
}

cudaError_t cudaFuncSetCacheConfig(const void *address, enum cudaFuncCache config) {
    API_BEGIN;
    if (!address)
        return api_end(cudaErrorInvalidDeviceFunction);
    return api_end((unsigned)config > cudaFuncCachePreferEqual ? cudaErrorInvalidValue
                                                               : cudaSuccess);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *address, enum cudaSharedMemConfig config) {
    API_BEGIN;
    if (!address)
        return api_end(cudaErrorInvalidDeviceFunction);
    return api_end((unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                     : cudaSuccess);
}

cudaError_t cudaFuncGetName(const char **name, const void *address) {
    API_BEGIN;
    const struct api_function *function = address ? api_function_of(device, address) : NULL;
    if (!name || !function || !function->name)
        return api_end(name ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *name = function->name;
    return api_end(cudaSuccess);
}

/* ---- occupancy ---- */

/*
 * The number of blocks that a multiprocessor holds: the minimum over its slots for blocks, its
 * warps, its registers and its shared memory. Registers are allocated to warps, 256 at a time;
 * shared memory to blocks, 128 bytes at a time, with 1 KiB for the system: CUDA C++ Programming
 * Guide, "Occupancy Calculator", and the table of compute capability 8.0.
 */
static size_t blocks_at_once(unsigned threads, size_t shared) {
    size_t warps = (threads + CPU_WARP_LANES - 1) / CPU_WARP_LANES;
    size_t most = VALUE(MaxBlocksPerMultiprocessor);
    size_t by_warps = VALUE(MaxThreadsPerMultiProcessor) / CPU_WARP_LANES / warps;
    size_t registers = (size_t)REGISTERS * CPU_WARP_LANES; /* of a warp: a multiple of 256 */
    size_t by_registers = (size_t)VALUE(MaxRegistersPerMultiprocessor) / (registers * warps);
    size_t bytes = (shared + VALUE(ReservedSharedMemoryPerBlock) + 127) / 128 * 128;
    size_t by_shared = (size_t)VALUE(MaxSharedMemoryPerMultiprocessor) / bytes;
    most = by_warps < most ? by_warps : most;
    most = by_registers < most ? by_registers : most;
    return by_shared < most ? by_shared : most;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *address,
                                                                   int blockSize,
                                                                   size_t dynamicShared,
                                                                   unsigned int flags) {
    API_BEGIN;
    if (!blocks || blockSize <= 0 || flags > cudaOccupancyDisableCachingOverride)
        return api_end(cudaErrorInvalidValue);
    if (!address)
        return api_end(cudaErrorInvalidDeviceFunction);
    *blocks = 0;
    if (blockSize <= VALUE(MaxThreadsPerBlock) &&
        dynamicShared <= (size_t)api_function_of(device, address)->dynamic_shared)
        *blocks = (int)blocks_at_once((unsigned)blockSize, dynamicShared);
    return api_end(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *address,
                                                          int blockSize, size_t dynamicShared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, address, blockSize,
                                                                  dynamicShared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *address, int blocks,
                                                      int blockSize) {
    API_BEGIN;
    if (!size || !address || blocks <= 0 || blockSize <= 0)
        return api_end(cudaErrorInvalidValue);
    size_t each = (size_t)VALUE(MaxSharedMemoryPerMultiprocessor) / (size_t)blocks / 128 * 128;
    size_t reserved = VALUE(ReservedSharedMemoryPerBlock);
    *size = each > reserved ? each - reserved : 0;
    if (*size > (size_t)VALUE(MaxSharedMemoryPerBlockOptin))
        *size = VALUE(MaxSharedMemoryPerBlockOptin);
    return api_end(cudaSuccess);
}
