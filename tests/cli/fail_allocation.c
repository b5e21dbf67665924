/*
 * Preloaded: the allocation with the number SHFLVIZ_TEST_FAIL, counted from 1, fails.
 *
 * Counts only while main() runs. Libraries allocate before and after that, and CUDA's runtime, if
 * linked in, does not survive a failure then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *program, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
start_function __libc_start_main;

static unsigned long left;
static main_function *program_main;

static int counted_main(int argc, char **argv, char **environment) {
    const char *number = getenv("SHFLVIZ_TEST_FAIL");
    left = number ? strtoul(number, NULL, 10) : 0;
    unsetenv("SHFLVIZ_TEST_FAIL"); /* child programs, such as a compiler, are not tested */
    unsetenv("LD_PRELOAD");
    int status = program_main(argc, argv, environment);
    left = 0;
    return status;
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = program;
    return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ncurses uses some of its own memory without checking for NULL (tparm): a crash there is not a
 * defect of this program. */
static int is_of_ncurses(const void *caller) {
    Dl_info where;
    return dladdr(caller, &where) && where.dli_fname &&
           (strstr(where.dli_fname, "ncurses") || strstr(where.dli_fname, "libtinfo"));
}

static int fails(const void *caller) {
    if (left == 0 || --left > 0 || is_of_ncurses(caller))
        return 0;
    errno = ENOMEM;
    return 1;
}

/* Defined here, because malloc() would otherwise see the C library as the caller. */
char *strdup(const char *string) {
    const size_t size = strlen(string) + 1;
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}
void *malloc(size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}
