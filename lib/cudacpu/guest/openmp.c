/*
 * openmp.c - lets a program with OpenMP start in the sandbox. clang's OpenMP library notes in
 * shared memory that the process has it, under a name that begins with REGISTERED (kmp_runtime.cpp,
 * __kmp_register_library_startup()), and ends the process if it cannot. The sandbox has no shared
 * memory, and only the process itself reads the note, so there the note is a file without a name in
 * the folder to which the program may write. The linker adds this file to such programs only.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REGISTERED "/__KMP_REGISTERED_LIB_"

int shm_open(const char *name, int flags, mode_t mode) {
    char path[512];
    const char *temporary = getenv("TMPDIR");
    if (snprintf(path, sizeof path, "/dev/shm/%s", name + (*name == '/')) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode);
    if (descriptor >= 0 || errno != EACCES || !temporary ||
        strncmp(name, REGISTERED, strlen(REGISTERED)) != 0 ||
        snprintf(path, sizeof path, "%s/openmp-XXXXXX", temporary) >= (int)sizeof path)
        return descriptor;
    const int file = mkstemp(path);
    if (file >= 0)
        unlink(path);
    return file;
}
