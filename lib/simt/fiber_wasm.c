/*
 * fiber_wasm.c - lanes in WebAssembly, which has no stack that could be switched.
 *
 * Binaryen's Asyncify (wasm-opt --asyncify) gives functions that may wait a second way through
 * their code: unwinding, they write their locals to a buffer and return; rewinding, they read them
 * and call down to where they were. A lane that waits is unwound down to run_fibers(), which
 * rewinds or begins the next. The host's own frames stay where they are: run_fibers() is called by
 * them and returns to them when a lane switches to the host.
 *
 * Asyncify does not know about the stack in memory that holds C's local arrays: each fiber has its
 * own, and the pointer to it changes with the fiber.
 */
#include "base/memory.h"
#include "simt/fiber.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define STACK_SIZE  ((size_t)32 * 1024) /* local arrays */
#define UNWIND_SIZE ((size_t)4 * 1024)  /* locals of a lane's functions while it waits */

#define ASYNCIFY(name) __attribute__((import_module("asyncify"), import_name(#name)))
ASYNCIFY(start_unwind) void asyncify_start_unwind(void *buffer);
ASYNCIFY(stop_unwind) void asyncify_stop_unwind(void);
ASYNCIFY(start_rewind) void asyncify_start_rewind(void *buffer);
ASYNCIFY(stop_rewind) void asyncify_stop_rewind(void);

__asm__(".globaltype __stack_pointer, i32\n");

static inline void *stack_pointer(void) {
    void *value;
    __asm__ volatile("global.get __stack_pointer\n\tlocal.set %0" : "=r"(value));
    return value;
}
static inline void set_stack_pointer(void *value) {
    __asm__ volatile("local.get %0\n\tglobal.set __stack_pointer" : : "r"(value));
}

struct fiber {
    /* Asyncify's header: where it may write next, and the end of that area. */
    unsigned char *unwound, *unwound_end;
    char *stack;
    void *stack_pointer;
    fiber_entry *entry;
    struct cpu_context *context;
    int has_begun, rewinds;
};

struct fiber_pool {
    unsigned count;
    struct fiber **fibers;
    unsigned next; /* to run, after the fiber that unwinds */
};

struct fiber_pool *fiber_pool_create(void) {
    return memory_zeroed(1, sizeof(struct fiber_pool));
}

void fiber_pool_destroy(struct fiber_pool *pool) {
    if (!pool)
        return;
    for (unsigned i = 0; i < pool->count; i++) {
        free(pool->fibers[i]->stack);
        free(pool->fibers[i]);
    }
    free(pool->fibers);
    free(pool);
}

int fiber_pool_recycle(struct fiber_pool *pool) {
    return pool->count <= 256;
}

int fiber_pool_reserve(struct fiber_pool *pool, unsigned count, int guarded) {
    (void)guarded; /* memory cannot be unmapped */
    if (count > pool->count)
        pool->fibers = memory_grow(pool->fibers, count, sizeof(struct fiber *));
    for (; pool->count < count; pool->count++) {
        struct fiber *fiber = memory_zeroed(1, sizeof *fiber);
        fiber->stack = aligned_alloc(16, STACK_SIZE + UNWIND_SIZE);
        if (!fiber->stack) {
            free(fiber);
            return ENOMEM;
        }
        pool->fibers[pool->count] = fiber;
    }
    return 0;
}

int fiber_holds(const struct fiber_pool *pool, unsigned number, const void *address) {
    return (uintptr_t)address - (uintptr_t)pool->fibers[number]->stack < STACK_SIZE;
}

int fiber_holds_any(const struct fiber_pool *pool, const void *address) {
    for (unsigned i = 0; i < pool->count; i++)
        if (fiber_holds(pool, i, address))
            return 1;
    return 0;
}

int fiber_overran(const struct fiber_pool *pool, unsigned number, const void *address) {
    (void)pool, (void)number, (void)address;
    return 0;
}

static void reset_fiber(struct fiber *fiber) {
    fiber->unwound = (unsigned char *)fiber->stack + STACK_SIZE;
    fiber->unwound_end = fiber->unwound + UNWIND_SIZE;
    fiber->stack_pointer = fiber->stack + STACK_SIZE;
    fiber->has_begun = fiber->rewinds = 0;
}

void fiber_start(struct fiber_pool *pool, unsigned number, struct cpu_lane *lane,
                 fiber_entry *entry) {
    struct fiber *fiber = pool->fibers[number];
    reset_fiber(fiber);
    fiber->entry = entry;
    fiber->context = &lane->context;
}

/* Called once to unwind, and once more at the end of rewinding, when it returns as if nothing had
 * happened. Asyncify does not transform functions that call its own. */
static __attribute__((noinline)) void leave(struct fiber *fiber) {
    if (fiber->rewinds) {
        fiber->rewinds = 0;
        asyncify_stop_rewind();
    } else {
        fiber->stack_pointer = stack_pointer();
        asyncify_start_unwind(fiber);
    }
}

/* Not inlined, so that it runs while the fiber's stack is in use. */
static __attribute__((noinline)) void fiber_continue(struct fiber *fiber) {
    fiber->entry(fiber->context);
}

/* Runs fibers, from `number` on, until one switches to the host. */
static __attribute__((noinline)) void run_fibers(struct fiber_pool *pool, unsigned number) {
    void *const own = stack_pointer();
    for (pool->next = number; pool->next != FIBER_HOST;) {
        struct fiber *fiber = pool->fibers[pool->next];
        set_stack_pointer(fiber->stack_pointer);
        if (fiber->has_begun) {
            fiber->rewinds = 1;
            asyncify_start_rewind(fiber);
        }
        fiber->has_begun = 1;
        fiber_continue(fiber);
        asyncify_stop_unwind();
        set_stack_pointer(own);
    }
}

void fiber_switch(struct fiber_pool *pool, unsigned from_number, struct cpu_context *from,
                  unsigned to_number, struct cpu_context *to, int from_ends) {
    (void)from, (void)to, (void)from_ends;
    if (from_number == FIBER_HOST) {
        run_fibers(pool, to_number);
        return;
    }
    pool->next = to_number;
    leave(pool->fibers[from_number]);
}

void fiber_entered(struct fiber_pool *pool) {
    (void)pool;
}
