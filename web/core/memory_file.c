/* A fixed table of files, and the few WASI calls that the core makes. */
#include "core/memory_file.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wasi/api.h>

/* ---- files ---- */

struct memory_file {
    unsigned char *bytes;
    size_t size, capacity, position;
    bool is_borrowed; /* the bytes belong to a named file */
};

struct named_file {
    struct named_file *next;
    char *name;
    unsigned char *bytes;
    size_t size;
};
static struct named_file *named;

/* Descriptors 0 to 2 are the standard streams; 3 is the folder in which names are looked up. */
#define FOLDER           3
#define FIRST_DESCRIPTOR 4
#define FILES_MOST       256
static struct memory_file *files[FILES_MOST];

static struct memory_file *file_of(int descriptor) {
    const int at = descriptor - FIRST_DESCRIPTOR;
    return at >= 0 && at < FILES_MOST ? files[at] : NULL;
}

/* The bytes between the old end and the new one are 0. False if there is no memory for them. */
static int set_size(struct memory_file *file, uint64_t size) {
    if (size > SIZE_MAX / 4)
        return 0;
    if (size > file->capacity) {
        size_t capacity = file->capacity ? file->capacity : 4096;
        while (capacity < size)
            capacity *= 2;
        unsigned char *bytes =
            file->is_borrowed ? NULL : realloc(file->bytes, capacity); /* read-only */
        if (!bytes)
            return 0;
        file->bytes = bytes;
        file->capacity = capacity;
    }
    if (size > file->size)
        memset(file->bytes + file->size, 0, (size_t)size - file->size);
    file->size = (size_t)size;
    return 1;
}

static void file_free(struct memory_file *file) {
    if (!file->is_borrowed)
        free(file->bytes);
    free(file);
}

/* Takes over the file and returns its descriptor; -1 with errno if no descriptor is left. */
static int give_descriptor(struct memory_file *file) {
    for (int at = 0; at < FILES_MOST; at++)
        if (!files[at]) {
            files[at] = file;
            return at + FIRST_DESCRIPTOR;
        }
    file_free(file);
    errno = EMFILE;
    return -1;
}

int memory_file(const void *bytes, size_t count) {
    struct memory_file *file = memory_zeroed(1, sizeof *file);
    if (!set_size(file, count)) {
        file_free(file);
        errno = ENOMEM;
        return -1;
    }
    if (count > 0)
        memcpy(file->bytes, bytes, count);
    return give_descriptor(file);
}

static struct named_file *find_named(const char *name, size_t length) {
    struct named_file *at = named;
    while (at && (strlen(at->name) != length || memcmp(at->name, name, length) != 0))
        at = at->next;
    return at;
}

void memory_file_named(const char *name, void *bytes, size_t count) {
    struct named_file *file = find_named(name, strlen(name));
    if (!file) {
        file = memory_zeroed(1, sizeof *file);
        *file = (struct named_file){named, memory_string(name), NULL, 0};
        named = file;
    }
    free(file->bytes);
    file->bytes = bytes;
    file->size = count;
}

const char *memory_file_find(const char *name, size_t *count) {
    const struct named_file *file = find_named(name, strlen(name));
    *count = file ? file->size : 0;
    return file ? (const char *)file->bytes : NULL;
}

FILE *tmpfile(void) {
    const int descriptor = memory_file(NULL, 0);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
}

int mkstemp(char *name) {
    (void)name;
    return memory_file(NULL, 0);
}

/* ---- maps ---- */

struct map {
    struct map *next;
    const struct memory_file *file; /* NULL: plain memory, or the file has been closed */
    size_t offset, bytes;
    unsigned char *data;
};
static struct map *maps;

/* The part of [offset, offset + count) of the file that the map has: its position in the map and
 * its length, 0 for none. */
static size_t common(const struct map *map, const struct memory_file *file, size_t offset,
                     size_t count, size_t *in_map, size_t *in_range) {
    const size_t from = map->offset > offset ? map->offset : offset;
    const size_t map_end = map->offset + map->bytes, end = offset + count;
    const size_t until = map_end < end ? map_end : end;
    if (map->file != file || from >= until)
        return 0;
    *in_map = from - map->offset;
    *in_range = from - offset;
    return until - from;
}

static void read_at(const struct memory_file *file, size_t offset, unsigned char *to,
                    size_t count) {
    size_t in_map, in_range, length;
    memcpy(to, file->bytes + offset, count);
    for (const struct map *map = maps; map; map = map->next)
        if ((length = common(map, file, offset, count, &in_map, &in_range)) > 0)
            memcpy(to + in_range, map->data + in_map, length);
}

static int write_at(struct memory_file *file, uint64_t offset, const void *from, size_t count) {
    size_t in_map, in_range, length;
    if (offset > SIZE_MAX / 4 || (offset + count > file->size && !set_size(file, offset + count)))
        return 0;
    memcpy(file->bytes + offset, from, count);
    for (struct map *map = maps; map; map = map->next)
        if ((length = common(map, file, (size_t)offset, count, &in_map, &in_range)) > 0)
            memcpy(map->data + in_map, (const unsigned char *)from + in_range, length);
    return 1;
}

/* Maps without a file are plain memory, and not listed. Pages of 64 kB are WebAssembly's own. */
void *mmap(void *wanted, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
    const struct memory_file *file = flags & MAP_ANONYMOUS ? NULL : file_of(descriptor);
    (void)wanted;
    if (!(flags & MAP_ANONYMOUS) && (!file || offset < 0 || (uint64_t)offset > file->size)) {
        errno = file ? EINVAL : EBADF;
        return MAP_FAILED;
    }
    unsigned char *data = aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095);
    if (!data) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    const size_t there = !file                                 ? 0
                         : file->size - (size_t)offset < bytes ? file->size - (size_t)offset
                                                               : bytes;
    if (there > 0)
        read_at(file, (size_t)offset, data, there);
    memset(data + there, 0, bytes - there);
    if (file && flags & MAP_SHARED && protection & PROT_WRITE) {
        struct map *map = memory_zeroed(1, sizeof *map);
        *map = (struct map){maps, file, (size_t)offset, there, data};
        maps = map;
    }
    return data;
}

int munmap(void *at, size_t bytes) {
    (void)bytes;
    for (struct map **link = &maps; *link; link = &(*link)->next) {
        struct map *map = *link;
        if (map->data != at)
            continue;
        *link = map->next;
        if (map->file && map->offset + map->bytes <= map->file->size)
            memcpy(map->file->bytes + map->offset, map->data, map->bytes);
        free(map);
        break;
    }
    free(at);
    return 0;
}

/* ---- what the C library calls ---- */

#define WASI(name) __imported_wasi_snapshot_preview1_##name

int32_t WASI(fd_write)(int32_t fd, int32_t pieces, int32_t count, int32_t result);
int32_t WASI(fd_pwrite)(int32_t fd, int32_t pieces, int32_t count, int64_t at, int32_t result);
int32_t WASI(fd_read)(int32_t fd, int32_t pieces, int32_t count, int32_t result);
int32_t WASI(fd_pread)(int32_t fd, int32_t pieces, int32_t count, int64_t at, int32_t result);
int32_t WASI(fd_seek)(int32_t fd, int64_t by, int32_t from, int32_t result);
int32_t WASI(fd_close)(int32_t fd);
int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t result);
int32_t WASI(fd_fdstat_set_flags)(int32_t fd, int32_t flags);
int32_t WASI(fd_filestat_get)(int32_t fd, int32_t result);
int32_t WASI(fd_filestat_set_size)(int32_t fd, int64_t size);

/* Writes standard output and error to the browser's console. */
__attribute__((import_module("page"), import_name("print"))) void page_print(const char *text,
                                                                             size_t length);

static int32_t write_pieces(int32_t fd, int32_t pieces, int32_t count, int64_t at, int moves,
                            int32_t result) {
    const __wasi_ciovec_t *piece = (const __wasi_ciovec_t *)(intptr_t)pieces;
    struct memory_file *file = file_of(fd);
    size_t written = 0;
    if (!file && fd != 1 && fd != 2)
        return __WASI_ERRNO_BADF;
    for (int32_t i = 0; i < count; i++) {
        if (!file)
            page_print((const char *)piece[i].buf, piece[i].buf_len);
        else if (!write_at(file, moves ? file->position : (uint64_t)at + written, piece[i].buf,
                           piece[i].buf_len))
            return __WASI_ERRNO_NOSPC;
        else if (moves)
            file->position += piece[i].buf_len;
        written += piece[i].buf_len;
    }
    *(__wasi_size_t *)(intptr_t)result = written;
    return 0;
}

int32_t WASI(fd_write)(int32_t fd, int32_t pieces, int32_t count, int32_t result) {
    return write_pieces(fd, pieces, count, 0, 1, result);
}

int32_t WASI(fd_pwrite)(int32_t fd, int32_t pieces, int32_t count, int64_t at, int32_t result) {
    return at < 0 ? __WASI_ERRNO_INVAL : write_pieces(fd, pieces, count, at, 0, result);
}

static int32_t read_pieces(int32_t fd, int32_t pieces, int32_t count, uint64_t at, int moves,
                           int32_t result) {
    const __wasi_iovec_t *piece = (const __wasi_iovec_t *)(intptr_t)pieces;
    struct memory_file *file = file_of(fd);
    size_t done = 0;
    for (int32_t i = 0; file && i < count; i++) {
        const uint64_t from = moves ? file->position : at + done;
        const size_t left = from < file->size ? file->size - (size_t)from : 0;
        const size_t length = piece[i].buf_len < left ? piece[i].buf_len : left;
        if (length > 0)
            read_at(file, (size_t)from, piece[i].buf, length);
        if (moves)
            file->position += length;
        done += length;
    }
    *(__wasi_size_t *)(intptr_t)result = done; /* standard input is at its end */
    return file || fd == 0 ? 0 : __WASI_ERRNO_BADF;
}

int32_t WASI(fd_read)(int32_t fd, int32_t pieces, int32_t count, int32_t result) {
    return read_pieces(fd, pieces, count, 0, 1, result);
}

int32_t WASI(fd_pread)(int32_t fd, int32_t pieces, int32_t count, int64_t at, int32_t result) {
    return at < 0 ? __WASI_ERRNO_INVAL : read_pieces(fd, pieces, count, (uint64_t)at, 0, result);
}

int32_t WASI(fd_seek)(int32_t fd, int64_t by, int32_t from, int32_t result) {
    struct memory_file *file = file_of(fd);
    if (!file)
        return fd >= 0 && fd <= 2 ? __WASI_ERRNO_SPIPE : __WASI_ERRNO_BADF;
    const int64_t base = from == __WASI_WHENCE_SET   ? 0
                         : from == __WASI_WHENCE_CUR ? (int64_t)file->position
                                                     : (int64_t)file->size;
    if (base + by < 0 || base + by > INT32_MAX)
        return __WASI_ERRNO_INVAL;
    file->position = (size_t)(base + by);
    *(uint64_t *)(intptr_t)result = file->position;
    return 0;
}

int32_t WASI(fd_close)(int32_t fd) {
    struct memory_file *file = file_of(fd);
    if (!file)
        return fd >= 0 && fd <= 2 ? 0 : __WASI_ERRNO_BADF;
    for (struct map *map = maps; map; map = map->next)
        if (map->file == file)
            map->file = NULL; /* it stays as memory until it is unmapped */
    file_free(file);
    files[fd - FIRST_DESCRIPTOR] = NULL;
    return 0;
}

int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t result) {
    __wasi_fdstat_t *status = (__wasi_fdstat_t *)(intptr_t)result;
    if (!file_of(fd) && (fd < 0 || fd > FOLDER))
        return __WASI_ERRNO_BADF;
    /* There is no terminal, and everything is allowed. */
    *status = (__wasi_fdstat_t){.fs_filetype = fd == FOLDER  ? __WASI_FILETYPE_DIRECTORY
                                               : file_of(fd) ? __WASI_FILETYPE_REGULAR_FILE
                                                             : __WASI_FILETYPE_UNKNOWN,
                                .fs_rights_base = ~(uint64_t)0,
                                .fs_rights_inheriting = ~(uint64_t)0};
    return 0;
}

int32_t WASI(fd_fdstat_set_flags)(int32_t fd, int32_t flags) {
    (void)fd, (void)flags;
    return 0;
}

int32_t WASI(fd_filestat_get)(int32_t fd, int32_t result) {
    const struct memory_file *file = file_of(fd);
    if (!file)
        return __WASI_ERRNO_BADF;
    *(__wasi_filestat_t *)(intptr_t)result =
        (__wasi_filestat_t){.filetype = __WASI_FILETYPE_REGULAR_FILE, .size = file->size};
    return 0;
}

int32_t WASI(fd_filestat_set_size)(int32_t fd, int64_t size) {
    struct memory_file *file = file_of(fd);
    if (!file)
        return __WASI_ERRNO_BADF;
    return size >= 0 && set_size(file, (uint64_t)size) ? 0 : __WASI_ERRNO_NOSPC;
}

/* ---- names ---- */

int32_t WASI(fd_prestat_get)(int32_t fd, int32_t result);
int32_t WASI(fd_prestat_dir_name)(int32_t fd, int32_t name, int32_t length);
int32_t WASI(path_open)(int32_t fd, int32_t flags, int32_t name, int32_t length, int32_t how,
                        int64_t rights, int64_t inherited, int32_t file_flags, int32_t result);
int32_t WASI(path_filestat_get)(int32_t fd, int32_t flags, int32_t name, int32_t length,
                                int32_t result);

int32_t WASI(fd_prestat_get)(int32_t fd, int32_t result) {
    if (fd != FOLDER)
        return __WASI_ERRNO_BADF;
    *(__wasi_prestat_t *)(intptr_t)result =
        (__wasi_prestat_t){.tag = __WASI_PREOPENTYPE_DIR, .u.dir.pr_name_len = 1};
    return 0;
}

int32_t WASI(fd_prestat_dir_name)(int32_t fd, int32_t name, int32_t length) {
    if (fd != FOLDER || length < 1)
        return __WASI_ERRNO_BADF;
    *(char *)(intptr_t)name = '/';
    return 0;
}

int32_t WASI(path_open)(int32_t fd, int32_t flags, int32_t name, int32_t length, int32_t how,
                        int64_t rights, int64_t inherited, int32_t file_flags, int32_t result) {
    const struct named_file *found = find_named((const char *)(intptr_t)name, (size_t)length);
    (void)fd, (void)flags, (void)rights, (void)inherited, (void)file_flags;
    if (how & (__WASI_OFLAGS_CREAT | __WASI_OFLAGS_TRUNC))
        return __WASI_ERRNO_ROFS;
    if (!found)
        return __WASI_ERRNO_NOENT;
    if (how & __WASI_OFLAGS_DIRECTORY)
        return __WASI_ERRNO_NOTDIR;
    struct memory_file *file = memory_zeroed(1, sizeof *file);
    *file = (struct memory_file){found->bytes, found->size, found->size, 0, true};
    const int descriptor = give_descriptor(file);
    *(__wasi_fd_t *)(intptr_t)result = descriptor;
    return descriptor < 0 ? __WASI_ERRNO_MFILE : 0;
}

int32_t WASI(path_filestat_get)(int32_t fd, int32_t flags, int32_t name, int32_t length,
                                int32_t result) {
    const struct named_file *found = find_named((const char *)(intptr_t)name, (size_t)length);
    (void)fd, (void)flags;
    if (!found)
        return __WASI_ERRNO_NOENT;
    *(__wasi_filestat_t *)(intptr_t)result =
        (__wasi_filestat_t){.filetype = __WASI_FILETYPE_REGULAR_FILE, .size = found->size};
    return 0;
}
