/*
 * heap.c - memory that a kernel asks for by malloc() and new: the C library's, as the host's is.
 * The linker gives these the calls of a program of somebody's own (--wrap). That it has happened is
 * kept, since such memory cannot be told from the host's afterwards, and an observer is told.
 */
#include "simt/device_state.h"

#include <stdlib.h>

/* The linker makes the calls: nobody declares these functions. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

bool cpu_has_device_heap;

static void *made(void *memory, size_t size) {
    if (!cpu_is_lane())
        return memory;
    __atomic_store_n(&cpu_has_device_heap, true, __ATOMIC_RELAXED);
    if (cpu_device_in_use()->options.observer && memory)
        cpu_device_in_use()->options.observer->made(memory, size);
    return memory;
}

void *__real_malloc(size_t size);
void *__real__Znwm(size_t size); /* operator new, operator new[], also of a given alignment */
void *__real__Znam(size_t size);
void *__real__ZnwmSt11align_val_t(size_t size, size_t alignment);
void *__real__ZnamSt11align_val_t(size_t size, size_t alignment);

void *__wrap_malloc(size_t size) {
    return made(__real_malloc(size), size);
}
void *__wrap__Znwm(size_t size) {
    return made(__real__Znwm(size), size);
}
void *__wrap__Znam(size_t size) {
    return made(__real__Znam(size), size);
}
void *__wrap__ZnwmSt11align_val_t(size_t size, size_t alignment) {
    return made(__real__ZnwmSt11align_val_t(size, alignment), size);
}
void *__wrap__ZnamSt11align_val_t(size_t size, size_t alignment) {
    return made(__real__ZnamSt11align_val_t(size, alignment), size);
}
