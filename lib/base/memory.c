#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Global because memory runs out for the whole program at once, and the function that notices has
 * no context to look in. */
static void (*cleanup)(void);

void memory_set_cleanup(void (*give_back)(void)) {
    cleanup = give_back;
}

/* In English, since looking for a translation may need memory. It allocates nothing and runs no
 * atexit() functions, which might. */
__attribute__((noreturn)) static void end(const char *line) {
    if (cleanup)
        cleanup();
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written; /* if writing fails, the exit status still reports the error */
    _exit(MEMORY_STATUS);
}

void memory_exhausted(void) {
    end("shflviz: no memory left\n");
}

static void *memory_check(void *block, size_t size) {
    char line[256];
    if (block || size == 0)
        return block;
    snprintf(line, sizeof line, "shflviz: no memory left for %zu bytes\n", size);
    end(line);
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

void *memory_room(void *block, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return block;
    *room = count < 8 ? 16 : 2 * count;
    return memory_grow(block, *room, size);
}

char *memory_string(const char *string) {
    return memory_check(strdup(string), strlen(string) + 1);
}
