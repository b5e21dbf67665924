/* Process exits that libgcov does not see, in a build that counts executed code
 * (SHFLVIZ_COVERAGE): _exit(), which ends the children of a GPU session and of `grade`, and a
 * signal that the process sends itself. A program that is killed at its time limit wrote its
 * counts earlier, when it reported the limit on standard error. Linked with --wrap
 * (cmake/ShflvizTargets.cmake, src/device/CMakeLists.txt). */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

void __gcov_dump(void);  /* of libgcov: adds the counts to the counts in the files, once */
void __gcov_reset(void); /* sets them to 0, after which they can be added again */
void __real__exit(int status);
void __wrap__exit(int status);
int __real_raise(int number);
int __wrap_raise(int number);
void __real_abort(void);
void __wrap_abort(void);
ssize_t __real_write(int descriptor, const void *bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t count);

/* From cudacpu/guest/heap.c: a kernel has requested memory. Writing counts in a lane
 * requests memory, too. */
extern bool cpu_has_device_heap __attribute__((weak));

static void write_counts(void) {
    const bool before = &cpu_has_device_heap && cpu_has_device_heap;
    __gcov_dump();
    __gcov_reset();
    if (&cpu_has_device_heap)
        cpu_has_device_heap = before;
}

void __wrap__exit(int status) {
    __gcov_dump();
    __real__exit(status);
}

int __wrap_raise(int number) {
    write_counts();
    return __real_raise(number);
}

void __wrap_abort(void) {
    write_counts();
    __real_abort();
}

ssize_t __wrap_write(int descriptor, const void *bytes, size_t count) {
    const ssize_t written = __real_write(descriptor, bytes, count);
    if (descriptor == STDERR_FILENO)
        write_counts();
    return written;
}
