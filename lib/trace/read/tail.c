/*
 * Copies only what is complete, each block once, so that a look at a growing recording costs no
 * more than its new part.
 */
#include "trace/read/tail.h"

#include "base/memory.h"
#include "base/text.h"
#include "trace/crc32c.h"
#include "trace/file.h"
#include "trace/read/file_blocks.h"
#include "trace/read/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trace_tail {
    int from, copy; /* descriptors; copy is -1 if there is no room for one */
    uint64_t most;
    uint64_t end;                       /* end of the final blocks, in both files */
    uint64_t last_group, last_metadata; /* offset of the last of each kind; 0 if there is none */
    struct text block;                  /* a block that is being copied */
    /* The state at the last look. */
    uint64_t seen_end, seen_steps, seen_entries;
};

struct trace_tail *trace_tail_begin(int from, uint64_t most) {
    struct trace_tail *tail = memory_zeroed(1, sizeof *tail);
    tail->from = from;
    tail->copy = file_in_memory();
    tail->most = most;
    tail->end = TRACE_FILE_HEADER_BYTES;
    text_init(&tail->block);
    return tail;
}

void trace_tail_end(struct trace_tail *tail) {
    if (!tail)
        return;
    if (tail->copy >= 0)
        close(tail->copy);
    text_release(&tail->block);
    free(tail);
}

/* False if the file does not have that many bytes there. */
static bool read_bytes(int from, uint64_t offset, void *to, size_t count) {
    char *at = to;
    while (count > 0) {
        const ssize_t got = pread(from, at, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return true;
}

/* Appends bytes of the file to the block. */
static bool take_bytes(struct trace_tail *tail, uint64_t offset, size_t count) {
    const size_t before = tail->block.length;
    char *room = memory_alloc(count ? count : 1);
    const bool read = read_bytes(tail->from, offset, room, count);
    if (read)
        text_append_bytes(&tail->block, room, count);
    free(room);
    return read && tail->block.length == before + count;
}

/* No block of a recording is larger, whatever its head claims. */
#define BLOCK_MOST (TRACE_FILE_METADATA_MAX + TRACE_FILE_ALIGN)

static bool read_head(const struct trace_tail *tail, struct trace_file_block *head) {
    return read_bytes(tail->from, tail->end, head, sizeof *head) &&
           head->mark == TRACE_FILE_BLOCK_MARK && head->bytes <= BLOCK_MOST;
}

static bool is_whole(const struct text *block) {
    struct trace_file_block head;
    memcpy(&head, block->data, sizeof head);
    uint32_t check = crc32c(0, &head, offsetof(struct trace_file_block, check));
    check = crc32c(check, block->data + sizeof head, block->length - sizeof head);
    return check == head.check;
}

/* Copies the next block if it is final and complete: one that is being written now is left for
 * the next look. */
static bool copy_block(struct trace_tail *tail) {
    struct trace_file_block head;
    if (tail->end >= tail->most || !read_head(tail, &head) ||
        (head.kind != TRACE_FILE_STEPS && head.kind != TRACE_FILE_METADATA &&
         head.kind != TRACE_FILE_GROUP_OF + TRACE_FILE_STEPS))
        return false;
    text_clear(&tail->block);
    if (!take_bytes(tail, tail->end, sizeof head + (size_t)trace_file_align(head.bytes)) ||
        !is_whole(&tail->block) ||
        file_write(tail->copy, tail->end, tail->block.data, tail->block.length) != 0)
        return false;
    if (head.kind == TRACE_FILE_METADATA)
        tail->last_metadata = tail->end;
    else if (head.kind != TRACE_FILE_STEPS)
        tail->last_group = tail->end;
    tail->end += tail->block.length;
    return true;
}

/*
 * Takes the records that are being filled, and the metadata after them. A record's number is
 * written last and read first, as is the size of the metadata, so anything that looks complete is
 * complete. When all records are filled, the run writes the next block over them, head first; a
 * changed head afterwards reveals that. False if there are none, or they could not be read.
 */
static bool take_open(struct trace_tail *tail, size_t record_bytes, uint64_t *steps,
                      uint64_t *entries) {
    struct trace_file_block head, after;
    const size_t records = TRACE_FILE_BLOCK_STEPS * record_bytes;
    if (!read_head(tail, &head) || head.kind != TRACE_FILE_OPEN || head.bytes != records)
        return false;
    text_clear(&tail->block);
    text_append_bytes(&tail->block, &head, sizeof head);
    if (!take_bytes(tail, tail->end + sizeof head, records + head.entries) ||
        !read_head(tail, &after) || after.kind != head.kind || after.number != head.number)
        return false;
    *steps = reader_count_whole((const unsigned char *)tail->block.data + sizeof head, record_bytes,
                                head.first, TRACE_FILE_BLOCK_STEPS);
    *entries = head.entries;
    return true;
}

/* Writes the header of a recording that was not closed. */
static bool write_header(const struct trace_tail *tail, struct trace_file_header header) {
    header.last_group = tail->last_group;
    header.last_metadata = tail->last_metadata;
    return file_write(tail->copy, 0, &header, sizeof header) == 0;
}

struct trace *trace_tail_look(struct trace_tail *tail) {
    struct trace_file_header header;
    uint64_t steps = 0, entries = 0, end;
    struct trace *trace = NULL;
    if (tail->copy < 0 || !read_bytes(tail->from, 0, &header, sizeof header) ||
        header.flags & TRACE_FILE_CLOSED || header.record_bytes > SHFLVIZ_RECORD_SIZE(8))
        return NULL;
    while (copy_block(tail))
        ;
    const bool is_open =
        tail->end < tail->most && take_open(tail, header.record_bytes, &steps, &entries);
    if (tail->end == tail->seen_end &&
        (!is_open || (steps <= tail->seen_steps && entries <= tail->seen_entries)))
        return NULL;
    end = tail->end + (is_open ? tail->block.length : 0);
    if ((is_open && file_write(tail->copy, tail->end, tail->block.data, tail->block.length) != 0) ||
        ftruncate(tail->copy, (off_t)end) != 0 || !write_header(tail, header) ||
        trace_open_descriptor(&trace, tail->copy, "", NULL) != 0)
        return NULL;
    tail->seen_end = tail->end;
    tail->seen_steps = steps;
    tail->seen_entries = entries;
    return trace;
}
