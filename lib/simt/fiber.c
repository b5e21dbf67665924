/*
 * Stacks are mapped once and reused, because mapping them costs more than a small kernel. Where the
 * assembly of simt/switch.h cannot be used, ucontext or threads replace it.
 */
#include "simt/fiber.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if !CPU_SWITCH_ASM
#include <ucontext.h>
#endif
#if CPU_SWITCH_SANITIZED
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if CPU_SWITCH_THREADS
#include <sanitizer/tsan_interface.h>
#define UNSEEN __attribute__((no_sanitize("thread")))
#else
#define UNSEEN
#endif

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* A GPU's thread has up to 512 KiB of local memory (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"), and the host's frames come on top; instrumented code
 * takes several times as much, but usually touches only small arrays. */
#define STACK_SIZE ((size_t)640 * 1024)

/* Larger pools are not kept, because every mapping counts against the process's limit. */
#define FIBERS_KEPT 1024

/* Stacks that all began at the same offset in a page would share a few cache sets, and 32 lanes
 * that run in turn would evict each other. */
#define STACK_COLOUR(number) ((size_t)(number)*320 % 8192)

struct fiber {
    char *stack; /* STACK_SIZE bytes that can be used, above a guard page */
#if !CPU_SWITCH_ASM
    ucontext_t context;
#endif
#if CPU_SWITCH_SANITIZED
    void *fake_stack;
#endif
#if CPU_SWITCH_THREADS
    void *thread;    /* ThreadSanitizer's fiber; NULL until made */
    unsigned starts; /* since that was made */
#endif
};

struct fiber_region {
    struct fiber_region *next;
    char *base;
    size_t size;
};

struct fiber_pool {
    unsigned count;
    struct fiber *fibers;
    struct fiber_region *regions;
    struct fiber host;
    size_t page;
#if CPU_SWITCH_SANITIZED
    const void *host_bottom;
    size_t host_size;
    struct fiber *left; /* the fiber that the last switch left */
#endif
};

struct fiber_pool *fiber_pool_create(void) {
    struct fiber_pool *pool = memory_zeroed(1, sizeof *pool);
    pool->page = (size_t)sysconf(_SC_PAGESIZE);
    return pool;
}

void fiber_pool_destroy(struct fiber_pool *pool) {
    if (!pool)
        return;
    while (pool->regions) {
        struct fiber_region *region = pool->regions;
        pool->regions = region->next;
#if CPU_SWITCH_SANITIZED
        /* Whatever is mapped here next would inherit the red zones of frames that never
         * returned. */
        __asan_unpoison_memory_region(region->base, region->size);
#endif
        munmap(region->base, region->size);
        free(region);
    }
#if CPU_SWITCH_THREADS
    for (unsigned i = 0; i < pool->count; i++)
        if (pool->fibers[i].thread)
            __tsan_destroy_fiber(pool->fibers[i].thread);
#endif
    free(pool->fibers);
    free(pool);
}

int fiber_pool_recycle(struct fiber_pool *pool) {
#if CPU_SWITCH_SANITIZED
    for (struct fiber_region *region = pool->regions; region; region = region->next)
        __asan_unpoison_memory_region(region->base, region->size);
#endif
    return pool->count <= FIBERS_KEPT;
}

int fiber_pool_reserve(struct fiber_pool *pool, unsigned count, int guarded) {
    if (count <= pool->count)
        return 0;
    unsigned more = count - pool->count;
    size_t stride = STACK_SIZE + pool->page;
    char *base = mmap(NULL, stride * more, guarded ? PROT_NONE : PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return errno;
    for (unsigned i = 0; guarded && i < more; i++)
        if (mprotect(base + stride * i + pool->page, STACK_SIZE, PROT_READ | PROT_WRITE) != 0) {
            int failure = errno;
            munmap(base, stride * more);
            return failure;
        }

    struct fiber_region *region = memory_zeroed(1, sizeof *region);
    *region = (struct fiber_region){pool->regions, base, stride * more};
    pool->regions = region;
    pool->fibers = memory_grow(pool->fibers, count, sizeof *pool->fibers);
    for (unsigned i = 0; i < more; i++) {
        struct fiber *fiber = &pool->fibers[pool->count + i];
        *fiber = (struct fiber){.stack = base + stride * i + pool->page};
    }
    pool->count = count;
    return 0;
}

int fiber_holds(const struct fiber_pool *pool, unsigned number, const void *address) {
    return (uintptr_t)address - (uintptr_t)pool->fibers[number].stack < STACK_SIZE;
}

int fiber_holds_any(const struct fiber_pool *pool, const void *address) {
    for (const struct fiber_region *region = pool->regions; region; region = region->next) {
        const size_t offset = (uintptr_t)address - (uintptr_t)region->base;
        if (offset < region->size)
            return offset % (STACK_SIZE + pool->page) >= pool->page;
    }
    return 0;
}

int fiber_overran(const struct fiber_pool *pool, unsigned number, const void *address) {
    const uintptr_t guard = (uintptr_t)pool->fibers[number].stack - pool->page;
    return (uintptr_t)address - guard < pool->page;
}

#if CPU_SWITCH_ASM
static void fiber_prepare(struct fiber_pool *pool, unsigned number, struct cpu_context *context,
                          fiber_entry *entry) {
    char *top = pool->fibers[number].stack + STACK_SIZE - STACK_COLOUR(number);
    top -= (uintptr_t)top % 16;
#ifdef __x86_64__
    /* A function begins 8 bytes off alignment, because its return address (here there is none) has
     * just been pushed. */
    top -= 8;
    *(void **)top = NULL;
#endif
    context->stack_pointer = top;
    context->frame_pointer = NULL;
    context->resume = (void *)(uintptr_t)entry;
}

/* Not inlined, so that the switch has only one return address. */
static __attribute__((noinline)) UNSEEN void
switch_context(struct fiber_pool *pool, unsigned from_number, struct cpu_context *from,
               unsigned to_number, struct cpu_context *to) {
    (void)pool, (void)from_number, (void)to_number;
    CPU_SWITCH(from, to);
}
#else
static void fiber_prepare(struct fiber_pool *pool, unsigned number, struct cpu_context *context,
                          fiber_entry *entry) {
    struct fiber *fiber = &pool->fibers[number];
    (void)context;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = STACK_SIZE - STACK_COLOUR(number) / 16 * 16;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, (void (*)(void))entry, 0);
}

static UNSEEN void switch_context(struct fiber_pool *pool, unsigned from_number,
                                  struct cpu_context *from, unsigned to_number,
                                  struct cpu_context *to) {
    (void)from, (void)to;
    struct fiber *left = from_number == FIBER_HOST ? &pool->host : &pool->fibers[from_number];
    struct fiber *entered = to_number == FIBER_HOST ? &pool->host : &pool->fibers[to_number];
    swapcontext(&left->context, &entered->context);
}
#endif

#if CPU_SWITCH_THREADS
/* ThreadSanitizer keeps a list of the calls of each fiber, with room for some ten thousand. Calls
 * that a lane abandons stay on it. */
#define STARTS_MOST 4096

static void thread_start(struct fiber *fiber) {
    if (fiber->thread && ++fiber->starts == STARTS_MOST) {
        __tsan_destroy_fiber(fiber->thread);
        fiber->thread = NULL;
    }
    if (!fiber->thread) {
        fiber->thread = __tsan_create_fiber(0);
        fiber->starts = 0;
    }
}

static UNSEEN void thread_switch(struct fiber_pool *pool, unsigned from, unsigned to) {
    if (from == FIBER_HOST)
        pool->host.thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to == FIBER_HOST ? pool->host.thread : pool->fibers[to].thread, 0);
}
#elif !CPU_SWITCH_SANITIZED
static void thread_switch(struct fiber_pool *pool, unsigned from, unsigned to) {
    (void)pool, (void)from, (void)to;
}
#endif

void fiber_start(struct fiber_pool *pool, unsigned number, struct cpu_lane *lane,
                 fiber_entry *entry) {
#if CPU_SWITCH_SANITIZED
    struct fiber *fiber = &pool->fibers[number];
    __asan_unpoison_memory_region(fiber->stack, STACK_SIZE);
    fiber->fake_stack = NULL;
#endif
#if CPU_SWITCH_THREADS
    thread_start(&pool->fibers[number]);
#endif
    fiber_prepare(pool, number, &lane->context, entry);
}

#if CPU_SWITCH_SANITIZED
static struct fiber *fiber_of(struct fiber_pool *pool, unsigned number) {
    return number == FIBER_HOST ? &pool->host : &pool->fibers[number];
}

/* Tells AddressSanitizer on which stack the program now runs, and learns where the host's is. */
static void switch_finished(struct fiber_pool *pool, void *fake_stack) {
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
    if (pool->left == &pool->host) {
        pool->host_bottom = bottom;
        pool->host_size = size;
    }
}

void fiber_switch(struct fiber_pool *pool, unsigned from_number, struct cpu_context *from,
                  unsigned to_number, struct cpu_context *to, int from_ends) {
    struct fiber *left = fiber_of(pool, from_number);
    struct fiber *entered = fiber_of(pool, to_number);
    pool->left = left;
    bool to_host = to_number == FIBER_HOST;
    __sanitizer_start_switch_fiber(from_ends ? NULL : &left->fake_stack,
                                   to_host ? pool->host_bottom : entered->stack,
                                   to_host ? pool->host_size : STACK_SIZE);
    switch_context(pool, from_number, from, to_number, to);
    switch_finished(pool, left->fake_stack);
}

void fiber_entered(struct fiber_pool *pool) {
    switch_finished(pool, NULL);
}
#else
UNSEEN void fiber_switch(struct fiber_pool *pool, unsigned from_number, struct cpu_context *from,
                         unsigned to_number, struct cpu_context *to, int from_ends) {
    (void)from_ends;
    thread_switch(pool, from_number, to_number);
    switch_context(pool, from_number, from, to_number, to);
}

void fiber_entered(struct fiber_pool *pool) {
    (void)pool;
}
#endif
