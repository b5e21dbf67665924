/*
 * Each function works around what a file system lacks, and reports a full disk as an error
 * immediately, because later it would arrive as a signal.
 */
#include "trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* EFBIG if a file that ends at `end` exceeds this process's limit. */
static int file_check_end(uint64_t offset, uint64_t bytes) {
    struct rlimit limit;
    uint64_t end;
    if (__builtin_add_overflow(offset, bytes, &end) || end > INT64_MAX)
        return EFBIG;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        end > (uint64_t)limit.rlim_cur)
        return EFBIG;
    return 0;
}

static int file_write_unchecked(int descriptor, uint64_t offset, const void *bytes, size_t count) {
    const char *from = bytes;
    while (count > 0) {
        ssize_t written = pwrite(descriptor, from, count, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        from += written;
        offset += (uint64_t)written;
        count -= (size_t)written;
    }
    return 0;
}

int file_write(int descriptor, uint64_t offset, const void *bytes, size_t count) {
    int failed = file_check_end(offset, count);
    return failed ? failed : file_write_unchecked(descriptor, offset, bytes, count);
}

#define PIECES_AT_ONCE 512 /* no more than any system's IOV_MAX */

int file_write_pieces(int descriptor, uint64_t offset, struct iovec pieces[], size_t count) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += pieces[i].iov_len;
    const int failed = file_check_end(offset, bytes);
    if (failed)
        return failed;
    while (count > 0) {
        const size_t now = count < PIECES_AT_ONCE ? count : PIECES_AT_ONCE;
        ssize_t written = pwritev(descriptor, pieces, (int)now, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        offset += (uint64_t)written;
        for (; count > 0 && (size_t)written >= pieces->iov_len; pieces++, count--)
            written -= (ssize_t)pieces->iov_len;
        if (written > 0) {
            pieces->iov_base = (char *)pieces->iov_base + written;
            pieces->iov_len -= (size_t)written;
        }
    }
    return 0;
}

/* Writes zeros, in pieces large enough that the system caches them in large pages too. */
static int file_write_zeros(int descriptor, uint64_t offset, uint64_t bytes) {
    static const char zeros[65536];
    enum { PIECES = 16 };
    while (bytes > 0) {
        struct iovec pieces[PIECES];
        int count = 0;
        for (uint64_t left = bytes; left > 0 && count < PIECES; count++) {
            size_t length = left < sizeof(zeros) ? (size_t)left : sizeof(zeros);
            pieces[count] = (struct iovec){(void *)zeros, length};
            left -= length;
        }
        ssize_t written = pwritev(descriptor, pieces, count, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        offset += (uint64_t)written;
        bytes -= (uint64_t)written;
    }
    return 0;
}

/* For file systems that cannot preallocate: writing allocates. */
static int file_allocate_by_writing(int descriptor, uint64_t end) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return errno;
    uint64_t size = (uint64_t)status.st_size;
    return size < end ? file_write_zeros(descriptor, size, end - size) : 0;
}

int file_allocate(int descriptor, uint64_t offset, uint64_t bytes) {
    int failed = file_check_end(offset, bytes);
    if (failed || bytes == 0)
        return failed;
#ifdef __linux__
    /* Not posix_fallocate(): on file systems without support, the C library's substitute writes to
     * every block. */
    while (fallocate(descriptor, 0, (off_t)offset, (off_t)bytes) != 0) {
        if (errno == EOPNOTSUPP || errno == ENOSYS)
            return file_allocate_by_writing(descriptor, offset + bytes);
        if (errno != EINTR)
            return errno;
    }
    return 0;
#else
    return file_allocate_by_writing(descriptor, offset + bytes);
#endif
}

int file_extend(int descriptor, uint64_t offset, uint64_t bytes) {
    int failed = file_allocate(descriptor, offset, bytes);
    return failed ? failed : file_write_zeros(descriptor, offset, bytes);
}

int file_on_disk(const char *folder) {
    char path[PATH_MAX];
    if (!folder)
        folder = getenv("TMPDIR");
    if (!folder || !folder[0])
        folder = "/tmp";
    int length = snprintf(path, sizeof(path), "%s/.shflviz-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = mkstemp(path);
    if (descriptor < 0)
        return -1;
    unlink(path);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

int file_in_memory(void) {
#ifdef __linux__
    int descriptor = memfd_create("shflviz", MFD_CLOEXEC);
    if (descriptor >= 0)
        return descriptor;
#endif
    return file_on_disk(NULL);
}

int file_map(struct file_map *map, int descriptor, uint64_t offset, uint64_t bytes,
             enum file_map_mode mode) {
    uint64_t before = offset % (uint64_t)sysconf(_SC_PAGESIZE);
    int protection = mode == FILE_MAP_READ ? PROT_READ : PROT_READ | PROT_WRITE;
    if (bytes > SIZE_MAX - before)
        return EFBIG;
    size_t length = (size_t)(before + bytes);
    void *base = mmap(NULL, length, protection, MAP_SHARED, descriptor, (off_t)(offset - before));
    if (base == MAP_FAILED)
        return errno;
    map->base = base;
    map->base_bytes = length;
    map->data = (unsigned char *)base + before;
    return 0;
}

void file_unmap(struct file_map *map) {
    if (map->base)
        munmap(map->base, map->base_bytes);
    *map = (struct file_map)FILE_MAP_INIT;
}

void file_map_advise(const struct file_map *map, enum file_map_advice advice) {
    static const int advices[] = {
        [FILE_MAP_RANDOM] = MADV_RANDOM,
        [FILE_MAP_SEQUENTIAL] = MADV_SEQUENTIAL,
        [FILE_MAP_FORGET] = MADV_DONTNEED, /* shared pages: what was stored stays in the file */
    };
    if (map->base)
        madvise(map->base, map->base_bytes, advices[advice]);
}

void file_map_prefetch(const unsigned char *bytes, size_t count) {
    const size_t before = (uintptr_t)bytes % (size_t)sysconf(_SC_PAGESIZE);
    madvise((void *)(bytes - before), before + count, MADV_WILLNEED);
}
