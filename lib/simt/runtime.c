/*
 * runtime.c - the device as an object, and the runtime functions below cuda_runtime.h.
 */
#include "simt/device_state.h"

#include "base/memory.h"
#include "trace/kernel_name.h"

#include <errno.h>
#if defined(__linux__)
#include <link.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_to_stdout(void *context, const char *text, size_t length) {
    (void)context;
    fwrite(text, 1, length, stdout);
}

/* An array of `count` with the alignment that its struct needs, zeroed. */
static void *aligned_zeroed(size_t alignment, size_t count, size_t size) {
    size_t bytes = (count * size + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, bytes);
    if (!block)
        return memory_zeroed(SIZE_MAX / 2, 2); /* out of memory: reports it and ends the program */
    return memset(block, 0, bytes);
}

void block_room(unsigned threads, struct cpu_warp **warps, struct cpu_lane **lanes) {
    const unsigned count = (threads + CPU_WARP_LANES - 1) / CPU_WARP_LANES;
    *warps = aligned_zeroed(64, count, sizeof **warps);
    *lanes = aligned_zeroed(64, (size_t)count * CPU_WARP_LANES, sizeof **lanes);
    for (unsigned t = 0; t < count * CPU_WARP_LANES; t++) {
        struct cpu_lane *lane = &(*lanes)[t];
        lane->warp = &(*warps)[t / CPU_WARP_LANES];
        lane->index = t % CPU_WARP_LANES;
        lane->bit = UINT32_C(1) << lane->index;
        lane->thread = t;
    }
    for (unsigned w = 0; w < count; w++) {
        (*warps)[w].lanes = *lanes + (size_t)w * CPU_WARP_LANES;
        (*warps)[w].index = w;
    }
}

struct cpu_device *cpu_device_create(const struct cpu_options *options) {
    struct cpu_device *device = memory_zeroed(1, sizeof *device);
    device->options = *options;
    if (!device->options.print)
        device->options.print = print_to_stdout;
    /* Mixed, so that the orders for seeds 1, 2, 3 have nothing in common; never 0. */
    device->random = (options->settings.schedule + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    if (options->stacks && *options->stacks) {
        device->pool = *options->stacks;
        *options->stacks = NULL;
    } else {
        device->pool = fiber_pool_create();
    }
    block_room(CPU_BLOCK_THREADS, &device->warps, &device->lanes);
    device->plans = memory_zeroed(WARP_OP_XOR + 1, sizeof *device->plans);
    for (unsigned type = 0; type < WARP_TYPE_COUNT; type++)
        if (warp_type_info((enum warp_type)type)->bits == 64)
            device->wide_types |= UINT32_C(1) << type;
    text_init(&device->printed);
    if (options->sink) {
        device->record_size = SHFLVIZ_RECORD_SIZE(options->sink->value_bytes);
        device->sequence = options->sink->first_sequence;
    }
    return device;
}

void cpu_device_destroy(struct cpu_device *device) {
    if (!device)
        return;
    if (cpu_used_device == device)
        cpu_used_device = NULL;
    if (device->api_end)
        device->api_end(device);
    in_step_release(device);
    if (device->options.stacks && !*device->options.stacks && fiber_pool_recycle(device->pool))
        *device->options.stacks = device->pool;
    else
        fiber_pool_destroy(device->pool);
    for (unsigned w = 0; w < CPU_BLOCK_WARPS; w++) {
        free(device->warps[w].rounds);
        lines_release(&device->warps[w]);
    }
    free(device->warps);
    free(device->lanes);
    free(device->reads);
    free(device->plans);
    free(device->sites);
    sites_release(device);
    text_release(&device->printed);
    free(device);
}

struct cpu_device *cpu_device_use(struct cpu_device *device) {
    struct cpu_device *before = cpu_used_device;
    cpu_used_device = device;
    return before;
}

const struct error *cpu_device_error(const struct cpu_device *device) {
    return &device->error;
}

uint64_t cpu_device_dropped(const struct cpu_device *device) {
    return device->dropped;
}

/* ---- errors ---- */

/* A kernel that did not finish leaves the device in an error until it is reset. */
int device_lasting_error(const struct cpu_device *device) {
    if (device->lasting != CPU_SUCCESS)
        return device->lasting;
    return device->error.kind == ERROR_RUN ? CPU_ERROR_LAUNCH_TIMEOUT : CPU_SUCCESS;
}

int cpu_runtime_set_error(int error) {
    if (error != CPU_SUCCESS && cpu_device_in_use())
        cpu_device_in_use()->last_error = error;
    return error;
}

int cpu_runtime_error(int clear) {
    struct cpu_device *device = cpu_device_in_use();
    if (!device)
        return CPU_ERROR_NO_DEVICE;
    int error = device->last_error;
    if (clear)
        device->last_error = CPU_SUCCESS;
    return error;
}

/* ---- memory ---- */

/* The contents of memory that was never written. */
static int garbage_byte(const struct cpu_device *device) {
    return device->options.settings.zero_memory ? 0 : CPU_GARBAGE_BYTE;
}

void cpu_shared_variable(void *variable, size_t size) {
    if (cpu_is_lane() && cpu_device_in_use()->options.observer)
        cpu_device_in_use()->options.observer->shared(variable, size);
}

void cpu_fence(void) {
#ifndef __SANITIZE_THREAD__ /* it has no fences */
    if (cpu_now.on_worker)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    if (cpu_is_lane() && cpu_now.device->options.observer)
        cpu_now.device->options.observer->fence();
}

void cpu_value_narrowed(const struct shflviz_site *site, int bytes, int is_float) {
    if (cpu_is_lane() && cpu_now.device->options.observer)
        cpu_now.device->options.observer->narrowed(site, bytes, is_float);
}

/* ---- time and text ---- */

/* Text from kernels is written when the host waits for them, but not much later than it was
 * printed: a kernel that never ends should not hide it. */
#define PRINTED_MOST        65536
#define PRINTED_NANOSECONDS 500000000LL

static void flush_printed(struct cpu_device *device) {
    if (device->worker)
        return;
    if (device->printed.length)
        device->options.print(device->options.print_context, device->printed.data,
                              device->printed.length);
    text_clear(&device->printed);
}

void cpu_runtime_flush(void) {
    flush_printed(cpu_device_in_use());
}

void cpu_runtime_flush_some(struct cpu_device *device) {
    if (device->printed.length > PRINTED_MOST ||
        cpu_runtime_clock() - device->launched > PRINTED_NANOSECONDS)
        flush_printed(device);
}

int cpu_runtime_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written;
    if (cpu_is_lane()) {
        struct text *printed = &cpu_device_in_use()->printed;
        schedule_keep_step(__builtin_return_address(0));
        size_t before = printed->length;
        text_append_vformat(printed, format, arguments);
        written = (int)(printed->length - before);
        if (!cpu_now.device->worker) /* workers print in order (block_workers.h) */
            cpu_runtime_flush_some(cpu_now.device);
    } else {
        written = vprintf(format, arguments);
    }
    va_end(arguments);
    return written;
}

int cpu_runtime_synchronize(void) {
    struct cpu_device *device = cpu_device_in_use();
    if (!device)
        return CPU_ERROR_NO_DEVICE;
    flush_printed(device);
    return cpu_runtime_set_error(device_lasting_error(device));
}

int cpu_runtime_reset(void) {
    struct cpu_device *device = cpu_device_in_use();
    if (!device)
        return CPU_ERROR_NO_DEVICE;
    flush_printed(device);
    if (device->api_end)
        device->api_end(device);
    device->lasting = CPU_SUCCESS;
    device->error = (struct error)ERROR_INIT;
    device->last_error = CPU_SUCCESS;
    return CPU_SUCCESS;
}

long long cpu_runtime_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* A lane that reads the clock again in the same place, having done next to nothing, waits for time
 * to pass: each time, the clock skips twice as many nanoseconds. */
#define NEXT_TO_NOTHING 300
#define SKIPPED_FIRST   512
#define SKIPPED_MOST    (1 << 20)

long long cpu_kernel_clock(void) {
    static __thread struct {
        const void *place;
        const struct cpu_lane *lane;
        long long now, more;
    } last;
    static long long skipped; /* atomic for all threads */
    const void *const place = __builtin_return_address(0);
    const long long now = cpu_runtime_clock();
    if (place == last.place && cpu_now.lane == last.lane && now - last.now < NEXT_TO_NOTHING) {
        __atomic_fetch_add(&skipped, last.more, __ATOMIC_RELAXED);
        last.more = last.more < SKIPPED_MOST ? 2 * last.more : SKIPPED_MOST;
    } else {
        last.more = SKIPPED_FIRST;
    }
    last.place = place;
    last.lane = cpu_now.lane;
    last.now = now;
    const long long told = now + __atomic_load_n(&skipped, __ATOMIC_RELAXED);
    cpu_yield(1);
    return told;
}

double cpu_runtime_milliseconds(void) {
    return (double)cpu_runtime_clock() / 1e6;
}

/* ---- shared memory ---- */

/*
 * Static `__shared__` variables are in sections shflviz_shared_0, _1 and so on, numbered in each
 * source file (cudacpu/include/cuda_runtime.h); the linker defines their ends. Sections beyond the
 * last one here keep the previous block's contents; a user program has a list of all its sections.
 */
extern char *const cpu_shared_sections[][2] __attribute__((weak));
/* True if they are thread-local: then the linker's symbols name their initial values, whose layout
 * is that of a thread's variables. */
extern const int cpu_shared_by_thread __attribute__((weak));

#if defined(__linux__)
static int find_distance(struct dl_phdr_info *program, size_t size, void *distance) {
    (void)size;
    for (unsigned i = 0; i < program->dlpi_phnum; i++)
        if (program->dlpi_phdr[i].p_type == PT_TLS)
            *(ptrdiff_t *)distance =
                (ptrdiff_t)((uintptr_t)program->dlpi_tls_data - program->dlpi_addr -
                            program->dlpi_phdr[i].p_vaddr);
    return 1; /* the first is the program itself */
}
/* The distance from the initial values to this thread's variables. */
static ptrdiff_t shared_distance(void) {
    static __thread ptrdiff_t distance;
    if (!distance && &cpu_shared_by_thread && cpu_shared_by_thread)
        dl_iterate_phdr(find_distance, &distance);
    return distance;
}
#else
static ptrdiff_t shared_distance(void) {
    return 0;
}
#endif

bool shared_is_per_thread(void) {
#if defined(__linux__)
    return &cpu_shared_by_thread && cpu_shared_by_thread;
#else
    return false;
#endif
}

#if defined(__ELF__)
#define SHARED_SECTIONS_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define SHARED_SECTIONS(X)                                                                         \
    SHARED_SECTIONS_8(X, )                                                                         \
    X(8)                                                                                           \
    X(9)                                                                                           \
    SHARED_SECTIONS_8(X, 1)                                                                        \
    X(18) X(19) SHARED_SECTIONS_8(X, 2) X(28) X(29) SHARED_SECTIONS_8(X, 3) X(38) X(39)

#define SHARED_SECTION_DECLARE(n)                                                                  \
    extern char __start_shflviz_shared_##n[] __attribute__((weak));                                \
    extern char __stop_shflviz_shared_##n[] __attribute__((weak));
SHARED_SECTIONS(SHARED_SECTION_DECLARE)

static char *const named_sections[][2] = {
#define SHARED_SECTION_ENDS(n) {__start_shflviz_shared_##n, __stop_shflviz_shared_##n},
    SHARED_SECTIONS(SHARED_SECTION_ENDS){NULL, NULL}};
#else
static char *const named_sections[][2] = {{NULL, NULL}};
#endif

/* Calls `part` with each piece of shared memory: the sections and the dynamic part. */
static void shared_parts(const struct cpu_device *device,
                         void (*part)(void *context, void *memory, size_t size), void *context) {
    char *const(*ends)[2] = cpu_shared_sections;
    const ptrdiff_t distance = shared_distance();
    size_t count = sizeof named_sections / sizeof named_sections[0];
    if (ends)
        for (count = 0; ends[count][1];)
            count++;
    else
        ends = named_sections;
    for (size_t i = 0; i < count; i++)
        if (ends[i][0])
            part(context, ends[i][0] + distance, (size_t)(ends[i][1] - ends[i][0]));
    if (device->shared && device->shared_bytes)
        part(context, device->shared, device->shared_bytes);
}

static void part_size(void *context, void *memory, size_t size) {
    (void)memory;
    *(size_t *)context += size;
}
size_t shared_size(const struct cpu_device *device) {
    size_t size = 0;
    shared_parts(device, part_size, &size);
    return size;
}

static void part_save(void *context, void *memory, size_t size) {
    uint8_t **to = context;
    memcpy(*to, memory, size);
    *to += size;
}
void shared_save(const struct cpu_device *device, uint8_t *buffer) {
    shared_parts(device, part_save, &buffer);
}

static void part_restore(void *context, void *memory, size_t size) {
    const uint8_t **from = context;
    memcpy(memory, *from, size);
    *from += size;
}
static void part_forget(void *context, void *memory, size_t size) {
    ((const struct cpu_origins *)context)->forget(memory, size);
}
static void part_fresh(void *context, void *memory, size_t size) {
    ((const struct cpu_origins *)context)->fresh(memory, size);
}
void shared_restore(const struct cpu_device *device, const uint8_t *buffer) {
    shared_parts(device, part_restore, &buffer);
    if (device->options.origins)
        shared_parts(device, part_forget, (void *)(uintptr_t)device->options.origins);
}

static void part_begin(void *context, void *memory, size_t size) {
    memset(memory, garbage_byte(context), size);
}
void shared_begin(struct cpu_device *device) {
    shared_parts(device, part_begin, device);
    if (device->options.origins)
        shared_parts(device, part_fresh, (void *)(uintptr_t)device->options.origins);
}

int cpu_is_shared(const void *address) {
    const struct cpu_device *device = cpu_device_in_use();
    const char *at = address;
    const ptrdiff_t distance = shared_distance();
    if (device && device->shared && (const uint8_t *)at >= device->shared &&
        (const uint8_t *)at < device->shared + CPU_SHARED_BYTES)
        return 1;
    for (size_t i = 0; cpu_shared_sections && cpu_shared_sections[i][1]; i++)
        if (at >= cpu_shared_sections[i][0] + distance && at < cpu_shared_sections[i][1] + distance)
            return 1;
    return 0;
}

void *cpu_thread_dynamic_shared(void) __attribute__((weak));

void *cpu_dynamic_shared_memory(void) {
    return cpu_thread_dynamic_shared ? cpu_thread_dynamic_shared() : NULL;
}

/* ---- launching ---- */

static int refuse_launch(struct cpu_device *device, const char *what, unsigned long long given,
                         const char *allowed) {
    error_set(&device->error, ERROR_USAGE, "a kernel launch with %s %llu is refused:\n%s", what,
              given, allowed);
    note_failure(device->options.sink, TRACE_FAILURE_LAUNCH);
    device->refused_launch = true;
    return cpu_runtime_set_error(CPU_ERROR_INVALID_VALUE); /* as in CUDA 13; before that, 9 */
}

/* Refuses the launches that a GPU would refuse: CUDA C++ Programming Guide, "Technical
 * Specifications". */
static int check_launch(struct cpu_device *device, struct dim3 grid, struct dim3 block,
                        size_t shared) {
    unsigned long long threads = (unsigned long long)block.x * block.y * block.z;
    static const char block_rule[] = "a block has 1 to 1024 threads, at most 64 in z";
    static const char grid_rule[] =
        "a grid has 1 to 2147483647 blocks in x and 1 to 65535 in y and z";
    if (threads == 0 || threads > CPU_BLOCK_THREADS || block.x > CPU_BLOCK_THREADS ||
        block.y > CPU_BLOCK_THREADS)
        return refuse_launch(device, "a block size of", threads, block_rule);
    if (block.z > 64)
        return refuse_launch(device, "a block z of", block.z, block_rule);
    if (grid.x == 0 || grid.x > 2147483647u)
        return refuse_launch(device, "a grid x of", grid.x, grid_rule);
    if (grid.y == 0 || grid.y > 65535)
        return refuse_launch(device, "a grid y of", grid.y, grid_rule);
    if (grid.z == 0 || grid.z > 65535)
        return refuse_launch(device, "a grid z of", grid.z, grid_rule);
    if (shared > CPU_SHARED_BYTES)
        return refuse_launch(device, "a dynamic shared memory size of", shared,
                             "a block has at most 166912 bytes of it");
    return CPU_SUCCESS;
}

extern const unsigned cpu_dynamic_shared_bytes __attribute__((weak));

static bool has_dynamic_shared(void) {
    return !&cpu_dynamic_shared_bytes || cpu_dynamic_shared_bytes == CPU_SHARED_BYTES;
}

static void begin_launch(struct cpu_device *device, const char *text, struct dim3 grid,
                         struct dim3 block, size_t shared) {
    char *name = launch_kernel_name(text);
    record_begin_launch(device, &(struct trace_launch){.kernel = name,
                                                       .grid = {grid.x, grid.y, grid.z},
                                                       .block = {block.x, block.y, block.z},
                                                       .shared = shared});
    snprintf(device->kernel, sizeof device->kernel, "%s", name);
    free(name);
    device->thread_count = block.x * block.y * block.z;
    device->warp_count = (device->thread_count + CPU_WARP_LANES - 1) / CPU_WARP_LANES;
    device->block_dim = cpu_block_dim = block;
    cpu_grid_dim = grid;
    schedule_number_threads(device);
    device->launched = cpu_runtime_clock();
    device->recorded_before = device->sequence;
}

int cpu_runtime_launch(const char *name, void (*call)(void *context), void *context,
                       struct dim3 grid, struct dim3 block, void *shared_memory, size_t shared) {
    struct cpu_device *device = cpu_device_in_use();
    if (!device)
        return CPU_ERROR_NO_DEVICE;
    if (device_lasting_error(device) != CPU_SUCCESS)
        return cpu_runtime_set_error(device_lasting_error(device));
    if (cpu_is_lane())
        return cpu_runtime_set_error(CPU_ERROR_NOT_SUPPORTED);
    device->error = (struct error)ERROR_INIT;
    int refused = check_launch(device, grid, block, shared);
    if (refused != CPU_SUCCESS)
        return refused;
    int failure = fiber_pool_reserve(device->pool, block.x * block.y * block.z, 1);
    if (failure) {
        error_set_errno(&device->error, ERROR_RUN, failure, "no stacks for %u threads",
                        block.x * block.y * block.z);
        note_failure(device->options.sink, TRACE_FAILURE_MEMORY);
        return cpu_runtime_set_error(CPU_ERROR_MEMORY_ALLOCATION);
    }
    cpu_now.device = device;
    device->call = call;
    device->call_context = context;
    device->shared = has_dynamic_shared() ? shared_memory : NULL;
    device->shared_bytes = shared;
    begin_launch(device, name, grid, block, shared);
    in_step_launch(device);
    if (device->options.observer)
        device->options.observer->launch();
    if (device->options.origins)
        device->options.origins->launch();
    const int ended = blocks_run(device, grid);
    if (device->options.origins)
        device->options.origins->ended();
    if (device->options.observer && device->options.observer->ended)
        device->options.observer->ended();
    cpu_now.device = NULL;
    in_step_end(device);
    if (ended != 0 &&
        device->lasting == CPU_SUCCESS) /* else the host gets the error when it waits */
        return cpu_runtime_set_error(CPU_ERROR_LAUNCH_TIMEOUT);
    return CPU_SUCCESS;
}
