/*
 * access.c - the functions that gcc and clang call before memory accesses where a file is compiled
 * with -fsanitize=thread. Linked into a user program instead of libtsan, and only if the program
 * was compiled that way: then its accesses are checked, and lanes may yield at them.
 *
 * The names are those of compiler-rt's tsan_interface.h; the calls are those that compilers make.
 */
#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/memory_check.h"
#include "cudacpu/observe/memory_record.h"
#include "cudacpu/runtime/api.h"
#include "simt/device_state.h"

#include <stdint.h>
#include <string.h>

#define PC __builtin_return_address(0)

/* Only compilers and the linker create calls to these functions, so no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* watched.c looks this name up, weakly: if it is linked, accesses are seen. */
const struct cpu_observer *cpu_access_begin(const char *path) {
    return memory_check_begin(path);
}

/* watched.c also looks this one up, to have accesses recorded. */
void cpu_record_begin(const char *path, struct trace_writer *writer, unsigned which) {
    memory_record_begin(path, writer, which);
}

/* Called by varied.c in a child process, which shares the files that accesses are reported to. */
void cpu_access_end(void) {
    memory_check_end();
    memory_record_is_on = false;
}

static bool lies_in(const void *address, const void *start, size_t size) {
    return (uintptr_t)address - (uintptr_t)start < size;
}

/* Keeps step at an access, unless the address is the CPU warp's own. g++ puts a `__shared__`
 * variable of a template among the program's other thread-local variables, where the CPU warp has
 * some of its own. */
static void keep_step(const void *address, size_t size, bool writes, const void *pc) {
    if (cpu_is_shared(address)) {
        in_step_access(address, size, writes, true, pc);
    } else if (!memory_is_thread_local((uintptr_t)address)) {
        in_step_access(address, size, writes, false, pc);
    } else if (!lies_in(address, &cpu_now, sizeof cpu_now) &&
               !lies_in(address, &cpu_block_index, sizeof cpu_block_index) &&
               !lies_in(address, &cpu_block_dim, sizeof cpu_block_dim) &&
               !lies_in(address, &cpu_grid_dim, sizeof cpu_grid_dim)) {
        in_step_access(address, size, writes, true, pc);
    }
}

/* Called before an access, while something observes accesses. */
static void access_made(const void *address, size_t size, unsigned kind, const void *pc) {
    /* While accesses are recorded, lanes keep step at all of them. */
    if (cpu_now.in_step && !memory_record_is_on && !(kind & ACCESS_VOLATILE))
        keep_step(address, size, (kind & ACCESS_WRITES) != 0, pc);
    if (memory_record_is_on && cpu_is_lane())
        memory_record_access(address, size, kind, pc);
    if (memory_check_is_on)
        memory_check_access(address, size, kind, pc);
}

/* Before a volatile access, lets the other lanes of the warp reach theirs, which is the order on a
 * GPU. */
static void volatile_access(const void *address, size_t size, int kind, const void *pc) {
    if (cpu_is_lane())
        cpu_before_volatile(pc, address, size, (kind & ACCESS_WRITES) != 0);
    access_made(address, size, (unsigned)kind | ACCESS_VOLATILE, pc);
}

/* clang-format off */
#define VOLATILE_HOOK(NAME, SIZE, KIND)                                                            \
    void __tsan_##NAME(const void *address) { volatile_access(address, SIZE, KIND, PC); }
#define HOOK(NAME, SIZE, KIND)                                                                     \
    void __tsan_##NAME(const void *address) {                                                      \
        if (memory_check_is_on | memory_record_is_on | cpu_now.in_step)                            \
            access_made(address, SIZE, KIND, PC);                                                  \
    }
#define HOOKS(SIZE)                                                                                \
    HOOK(read##SIZE, SIZE, ACCESS_READS)                                                           \
    HOOK(write##SIZE, SIZE, ACCESS_WRITES)                                                         \
    HOOK(read_write##SIZE, SIZE, ACCESS_WRITES)                                                    \
    VOLATILE_HOOK(volatile_read##SIZE, SIZE, ACCESS_READS)                                \
    VOLATILE_HOOK(volatile_write##SIZE, SIZE, ACCESS_WRITES)
#define UNALIGNED(SIZE)                                                                            \
    HOOK(unaligned_read##SIZE, SIZE, ACCESS_READS)                                                 \
    HOOK(unaligned_write##SIZE, SIZE, ACCESS_WRITES)                                               \
    HOOK(unaligned_read_write##SIZE, SIZE, ACCESS_WRITES)                                          \
    VOLATILE_HOOK(unaligned_volatile_read##SIZE, SIZE, ACCESS_READS)                      \
    VOLATILE_HOOK(unaligned_volatile_write##SIZE, SIZE, ACCESS_WRITES)
/* clang-format on */

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

/* Functions that all compilers call but that have nothing to do here. */
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {
    (void)caller;
}
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_vptr_read(void **pointer) {
    (void)pointer;
}
void __tsan_vptr_update(void **pointer, void *value) { /* before an object's table is set */
    (void)value;
    memory_check_access(pointer, sizeof *pointer, ACCESS_WRITES, PC);
}

void __tsan_read_range(const void *address, size_t size) {
    access_made(address, size, ACCESS_READS, PC);
}
void __tsan_write_range(const void *address, size_t size) {
    access_made(address, size, ACCESS_WRITES, PC);
}

/* ---- memory moved by functions of the C library ---- */

/* The end of all functions of the program's own files (compile/link.c). */
extern void cpu_text_end(void) __attribute__((weak));

static void copied(void *to, const void *from, size_t size, const void *pc) {
    if (size && from)
        access_made(from, size, ACCESS_READS, pc);
    if (size)
        access_made(to, size, ACCESS_WRITES, pc);
}

/* The linker redirects calls here (--wrap), whether the program makes them or the CPU warp does,
 * for cudaMemcpy() and for its own data while a lane runs. */
static void wrapped(void *to, const void *from, size_t size, const void *pc) {
    if (!cpu_is_lane()) {
        if (from)
            memory_check_host(from, size, ACCESS_READS, pc);
        memory_check_host(to, size, ACCESS_WRITES, pc);
        memory_check_written(to, size);
    } else if (cpu_text_end && (uintptr_t)pc < (uintptr_t)cpu_text_end) {
        copied(to, from, size, pc);
    }
}

void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);
#pragma weak __real_memcpy
#pragma weak __real_memmove
#pragma weak __real_memset

void *__wrap_memcpy(void *to, const void *from, size_t size) {
    if (memory_check_is_on | memory_record_is_on)
        wrapped(to, from, size, PC);
    return __real_memcpy(to, from, size);
}
void *__wrap_memmove(void *to, const void *from, size_t size) {
    if (memory_check_is_on | memory_record_is_on)
        wrapped(to, from, size, PC);
    return __real_memmove(to, from, size);
}
void *__wrap_memset(void *to, int value, size_t size) {
    if (memory_check_is_on | memory_record_is_on)
        wrapped(to, NULL, size, PC);
    return __real_memset(to, value, size);
}

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    copied(to, from, size, PC);
    return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    copied(to, from, size, PC);
    return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
    access_made(to, size, ACCESS_WRITES, PC);
    return memset(to, value, size);
}

/* ---- atomic operations of C++ ---- */

/* An operation with that memory order. */
static void atomic_made(const volatile void *address, size_t size, unsigned kind, int order,
                        const void *pc) {
    if (order == __ATOMIC_RELAXED || order == __ATOMIC_RELEASE)
        kind |= ACCESS_RELAXED;
    if (order >= __ATOMIC_RELEASE)
        kind |= ACCESS_RELEASE;
    access_made((const void *)address, size, kind | ACCESS_ATOMIC, pc);
}

/* One host thread runs all lanes, but the host's threads call these, too. */
#define ATOMIC_FETCH(T, BITS, NAME, BUILTIN)                                                       \
    T __tsan_atomic##BITS##_##NAME(volatile T *address, T value, int order) {                      \
        atomic_made(address, sizeof(T), ACCESS_WRITES, order, PC);                                 \
        return BUILTIN(address, value, __ATOMIC_SEQ_CST);                                          \
    }
#define ATOMIC_EXCHANGE(T, BITS, NAME)                                                             \
    int __tsan_atomic##BITS##_##NAME(volatile T *address, T *expected, T value, int order,         \
                                     int failure) {                                                \
        (void)failure;                                                                             \
        atomic_made(address, sizeof(T), ACCESS_WRITES, order, PC);                                 \
        return __atomic_compare_exchange_n(address, expected, value, 0, __ATOMIC_SEQ_CST,          \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define ATOMICS(T, BITS)                                                                           \
    T __tsan_atomic##BITS##_load(const volatile T *address, int order) {                           \
        atomic_made(address, sizeof(T), ACCESS_READS, order, PC);                                  \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    void __tsan_atomic##BITS##_store(volatile T *address, T value, int order) {                    \
        atomic_made(address, sizeof(T), ACCESS_WRITES | ACCESS_STORES, order, PC);                 \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    ATOMIC_FETCH(T, BITS, exchange, __atomic_exchange_n)                                           \
    ATOMIC_FETCH(T, BITS, fetch_add, __atomic_fetch_add)                                           \
    ATOMIC_FETCH(T, BITS, fetch_sub, __atomic_fetch_sub)                                           \
    ATOMIC_FETCH(T, BITS, fetch_and, __atomic_fetch_and)                                           \
    ATOMIC_FETCH(T, BITS, fetch_or, __atomic_fetch_or)                                             \
    ATOMIC_FETCH(T, BITS, fetch_xor, __atomic_fetch_xor)                                           \
    ATOMIC_FETCH(T, BITS, fetch_nand, __atomic_fetch_nand)                                         \
    ATOMIC_EXCHANGE(T, BITS, compare_exchange_strong)                                              \
    ATOMIC_EXCHANGE(T, BITS, compare_exchange_weak)                                                \
    T __tsan_atomic##BITS##_compare_exchange_val(volatile T *address, T expected, T value,         \
                                                 int order, int failure) {                         \
        (void)failure;                                                                             \
        atomic_made(address, sizeof(T), ACCESS_WRITES, order, PC);                                 \
        __atomic_compare_exchange_n(address, &expected, value, 0, __ATOMIC_SEQ_CST,                \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

void __tsan_atomic_thread_fence(int order) {
    if (order != __ATOMIC_RELAXED)
        cpu_fence();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) {
    (void)order;
}
