#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_exhausted(void) {
    fputs("shflviz: no memory left\n", stderr);
    abort();
}

static void *memory_check(void *block, size_t size) {
    if (block || size == 0)
        return block;
    fprintf(stderr, "shflviz: no memory left for %zu bytes\n", size);
    abort();
}

static size_t memory_product(size_t count, size_t size) {
    size_t product;
    if (__builtin_mul_overflow(count, size, &product))
        memory_check(NULL, SIZE_MAX);
    return product;
}

void *memory_alloc(size_t size) {
    return memory_check(malloc(size), size);
}

void *memory_zeroed(size_t count, size_t size) {
    return memory_check(calloc(count, size), memory_product(count, size));
}

void *memory_grow(void *block, size_t count, size_t size) {
    size_t bytes = memory_product(count, size);
    return memory_check(realloc(block, bytes ? bytes : 1), bytes ? bytes : 1);
}

char *memory_string(const char *string) {
    return memory_check(strdup(string), strlen(string) + 1);
}
