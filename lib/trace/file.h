/*
 * file.h - reserves room in files before it is used.
 *
 * A store into a mapped file whose disk is full is not an error but a signal (SIGBUS), so space is
 * allocated before it is mapped, always through this file. Functions return 0 or an errno value.
 */
#ifndef SHFLVIZ_TRACE_FILE_H
#define SHFLVIZ_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/*
 * Makes sure that [offset, offset + bytes) can be stored to: allocates the blocks and makes the
 * file longer if need be; what was there stays. Where the system cannot allocate ahead, zeros are
 * written after the end. ENOSPC, EDQUOT, EFBIG (also for a limit set with ulimit -f, which would
 * otherwise be a signal), EIO, ...
 */
int file_allocate(int descriptor, uint64_t offset, uint64_t bytes);

/*
 * Like file_allocate() for the end of a file that is to be mapped and filled throughout; existing
 * content becomes zeros. Pages that were written are mapped in larger pieces than pages faulted in
 * one by one by stores: filling them is some five times faster.
 */
int file_extend(int descriptor, uint64_t offset, uint64_t bytes);

/* Writes everything or fails. Like file_allocate(), it checks the limit before the system does. */
int file_write(int descriptor, uint64_t offset, const void *bytes, size_t count);

/* The same for pieces that follow each other in the file; changes them. */
int file_write_pieces(int descriptor, uint64_t offset, struct iovec pieces[], size_t count);

/* A descriptor of a file without a name, which disappears when closed, or -1 with errno. It is in
 * memory where the system supports that, and in the folder for temporary files otherwise. */
int file_in_memory(void);
/* The same on a disk: in `folder`, or in the folder for temporary files if NULL. */
int file_on_disk(const char *folder);

/* A part of a file in memory. Offsets need no alignment. */
struct file_map {
    void *base; /* of the pages; NULL if nothing is mapped */
    size_t base_bytes;
    unsigned char *data; /* the byte at the requested offset */
};
#define FILE_MAP_INIT                                                                              \
    { NULL, 0, NULL }

enum file_map_mode { FILE_MAP_READ, FILE_MAP_WRITE };
int file_map(struct file_map *map, int descriptor, uint64_t offset, uint64_t bytes,
             enum file_map_mode mode);
void file_unmap(struct file_map *map); /* an empty map is fine */

/* How the mapped pages will be read; wrong advice only costs time. */
enum file_map_advice {
    FILE_MAP_RANDOM,     /* at random: no read-ahead */
    FILE_MAP_SEQUENTIAL, /* from the beginning to the end */
    FILE_MAP_FORGET,     /* not soon: the pages may be dropped from this process's memory */
};
void file_map_advise(const struct file_map *map, enum file_map_advice advice);
/* Announces the bytes of a map that are read next: pages that are not in memory are fetched all at
 * once, not one by one as they are touched. */
void file_map_prefetch(const unsigned char *bytes, size_t count);

#endif
