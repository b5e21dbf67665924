/* Preloaded: the allocation with the number SHFLVIZ_TEST_FAIL, counted from 1, fails. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static unsigned long left;

__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("SHFLVIZ_TEST_FAIL");
    left = number ? strtoul(number, NULL, 10) : 0;
}

static int fails(void) {
    if (left == 0 || --left > 0)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
    return fails() ? NULL : __libc_realloc(block, size);
}
