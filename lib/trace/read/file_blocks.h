/* file_blocks.h - the blocks of an open file: found by number, and used only if their check is
 * correct.
 */
#ifndef SHFLVIZ_TRACE_FILE_BLOCKS_H
#define SHFLVIZ_TRACE_FILE_BLOCKS_H

#include "base/text.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapped file. */
struct blocks_file {
    const unsigned char *data;
    uint64_t bytes;
};

/* A copy of a block's head, because the file may change meanwhile, and the address of its
 * payload. */
struct blocks_found {
    struct trace_file_block head;
    const unsigned char *payload;
    uint64_t end; /* offset of the byte after the block */
};

/* The block at an offset; false if there cannot be one. Reads only its head. */
bool blocks_peek(const struct blocks_file *file, uint64_t offset, struct blocks_found *found);

/* The same, but also requires this kind, this number, and a correct check. */
bool blocks_read(const struct blocks_file *file, uint64_t offset, unsigned kind, uint64_t number,
                 struct blocks_found *found);

/* Appends a whole block; `head` does not yet have mark, bytes and check. False if the payload is
 * too large. */
bool blocks_compose(struct text *to, struct trace_file_block head, const void *payload,
                    size_t bytes);

/* Writes a block at *end, which advances by its size, and sets *offset to its position. `head` as
 * above; `scratch` is for reuse. Returns 0 or an errno value. */
int blocks_put(int descriptor, uint64_t *end, struct trace_file_block head, const void *payload,
               size_t bytes, struct text *scratch, uint64_t *offset);

/* All blocks of one kind. */
struct blocks {
    struct blocks_file file;
    unsigned kind;
    uint64_t count;   /* of blocks */
    uint64_t *groups; /* offset of each group */
    uint64_t group_count;
    unsigned char *sound; /* for each group: its check was correct */
    uint64_t *rest;       /* offsets of the blocks after the last group */
    uint64_t rest_count;
};

/* Copies the groups' offsets; the rest is empty. */
void blocks_init(struct blocks *blocks, const struct blocks_file *file, unsigned kind,
                 const unsigned char *groups, uint64_t group_count);
void blocks_release(struct blocks *blocks);

/* Block `number`, less than blocks->count, with `count` elements; false if it, or the group that
 * leads to it, is damaged. */
bool blocks_find(const struct blocks *blocks, uint64_t number, struct blocks_found *found);

#endif
