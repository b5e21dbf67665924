/*
 * heap.c - memory that a kernel requests with malloc() and new, which comes from the C library, as
 * the host's does. The linker redirects the calls of a user program here (--wrap). The device notes
 * that a kernel has done so, because such memory cannot be distinguished from the host's
 * afterwards, and notifies an observer.
 */
#include "simt/device_state.h"

#include <stdlib.h>

/* Only the linker's --wrap creates calls to these functions, so no header declares them. */
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
void *__real__Znwm(size_t size); /* operator new, operator new[], also with a given alignment */
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
