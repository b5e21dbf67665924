/*
 * sys/mman.h - mapped memory and files in memory, implemented by core/memory_file.c.
 */
#ifndef SHFLVIZ_WEB_SYS_MMAN_H
#define SHFLVIZ_WEB_SYS_MMAN_H

#include <stddef.h>
#include <sys/types.h>

enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_FIXED = 16, MAP_ANONYMOUS = 32, MAP_NORESERVE = 64 };
enum { MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_DONTNEED, MADV_HUGEPAGE, MADV_WILLNEED };
#define MAP_FAILED ((void *)-1)

#ifdef __cplusplus
extern "C" {
#endif

/* A map of a file is a copy of the file; a shared and writable map is written back when it is
 * unmapped, and until then all other reads of the file see the map's content. */
void *mmap(void *wanted, size_t bytes, int protection, int flags, int descriptor, off_t offset);
int munmap(void *at, size_t bytes);

/* WebAssembly's memory cannot be guarded. */
static inline int mprotect(void *at, size_t bytes, int protection) {
    (void)at, (void)bytes, (void)protection;
    return 0;
}
/* Does nothing: memory that must become zero has to be cleared explicitly. */
static inline int madvise(void *at, size_t bytes, int advice) {
    (void)at, (void)bytes, (void)advice;
    return -1;
}

static inline int mincore(void *at, size_t bytes, unsigned char *pages) {
    (void)at, (void)bytes, (void)pages;
    return -1;
}

#ifdef __cplusplus
}
#endif

#endif
