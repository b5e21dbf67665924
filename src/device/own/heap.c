/*
 * heap.c - memory that a kernel asks for by malloc() and new: the C library's, as the host's is.
 * The linker gives these the calls of a program of somebody's own (--wrap). Only that it has
 * happened is kept: such memory cannot be told from the host's afterwards.
 */
#include "device/cpu/device_state.h"

#include <stdlib.h>

bool cpu_has_device_heap;

void *__real_malloc(size_t size);
void *__real__Znwm(size_t size); /* operator new, operator new[] */
void *__real__Znam(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap__Znwm(size_t size);
void *__wrap__Znam(size_t size);

void *__wrap_malloc(size_t size) {
    cpu_has_device_heap |= cpu_is_lane();
    return __real_malloc(size);
}
void *__wrap__Znwm(size_t size) {
    cpu_has_device_heap |= cpu_is_lane();
    return __real__Znwm(size);
}
void *__wrap__Znam(size_t size) {
    cpu_has_device_heap |= cpu_is_lane();
    return __real__Znam(size);
}
