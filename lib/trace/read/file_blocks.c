#include "trace/read/file_blocks.h"

#include "base/memory.h"
#include "trace/crc32c.h"
#include "trace/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool blocks_peek(const struct blocks_file *file, uint64_t offset, struct blocks_found *found) {
    struct trace_file_block *head = &found->head;
    if (offset < TRACE_FILE_HEADER_BYTES || offset % TRACE_FILE_ALIGN != 0 ||
        offset > file->bytes || file->bytes - offset < sizeof(*head))
        return false;
    memcpy(head, file->data + offset, sizeof(*head));
    found->payload = file->data + offset + sizeof(*head);
    found->end = offset + sizeof(*head) + trace_file_align(head->bytes);
    return head->mark == TRACE_FILE_BLOCK_MARK && found->end <= file->bytes;
}

#define ASKED_FIRST 4096 /* bytes of a block: most are no longer */

/* Announces that the block will be read, or only its beginning while its length is not known. */
static void prefetch(const struct blocks_file *file, uint64_t offset, uint64_t bytes) {
    if (offset < file->bytes)
        file_map_prefetch(file->data + offset,
                          (size_t)(file->bytes - offset < bytes ? file->bytes - offset : bytes));
}

bool blocks_read(const struct blocks_file *file, uint64_t offset, unsigned kind, uint64_t number,
                 struct blocks_found *found) {
    prefetch(file, offset, ASKED_FIRST);
    if (!blocks_peek(file, offset, found) || found->head.kind != kind ||
        found->head.number != number)
        return false;
    if (found->end - offset > ASKED_FIRST)
        prefetch(file, offset, found->end - offset);
    uint32_t check = crc32c(0, &found->head, offsetof(struct trace_file_block, check));
    check = crc32c(check, found->payload, (size_t)trace_file_align(found->head.bytes));
    return check == found->head.check;
}

void blocks_init(struct blocks *blocks, const struct blocks_file *file, unsigned kind,
                 const unsigned char *groups, uint64_t group_count) {
    *blocks = (struct blocks){.file = *file, .kind = kind, .group_count = group_count};
    blocks->groups = memory_zeroed((size_t)group_count + 1, sizeof(blocks->groups[0]));
    blocks->sound = memory_zeroed((size_t)group_count + 1, 1);
    if (groups)
        memcpy(blocks->groups, groups, (size_t)group_count * sizeof(blocks->groups[0]));
}

void blocks_release(struct blocks *blocks) {
    free(blocks->groups);
    free(blocks->sound);
    free(blocks->rest);
    *blocks = (struct blocks){0};
}

bool blocks_find(const struct blocks *blocks, uint64_t number, struct blocks_found *found) {
    uint64_t group = number / TRACE_FILE_GROUP, place = number % TRACE_FILE_GROUP, offset;
    if (group >= blocks->group_count) {
        place = number - blocks->group_count * TRACE_FILE_GROUP;
        return place < blocks->rest_count &&
               blocks_read(&blocks->file, blocks->rest[place], blocks->kind, number, found);
    }
    const unsigned kind = TRACE_FILE_GROUP_OF + blocks->kind;
    /* Several threads may find this out at the same time (share.h). */
    bool sound = __atomic_load_n(&blocks->sound[group], __ATOMIC_RELAXED)
                     ? blocks_peek(&blocks->file, blocks->groups[group], found)
                     : blocks_read(&blocks->file, blocks->groups[group], kind, group, found);
    __atomic_store_n(&blocks->sound[group], sound, __ATOMIC_RELAXED);
    if (!sound || place * sizeof(offset) + sizeof(offset) > found->head.bytes)
        return false;
    memcpy(&offset, found->payload + place * sizeof(offset), sizeof(offset));
    return blocks_read(&blocks->file, offset, blocks->kind, number, found);
}

bool blocks_compose(struct text *to, struct trace_file_block head, const void *payload,
                    size_t bytes) {
    static const char zeros[TRACE_FILE_ALIGN];
    const size_t begin = to->length;
    if (bytes > UINT32_MAX - TRACE_FILE_ALIGN)
        return false;
    head.mark = TRACE_FILE_BLOCK_MARK;
    head.bytes = (uint32_t)bytes;
    text_append_bytes(to, &head, sizeof(head));
    text_append_bytes(to, payload, bytes);
    text_append_bytes(to, zeros, (size_t)trace_file_align(bytes) - bytes);
    head.check = crc32c(0, &head, offsetof(struct trace_file_block, check));
    head.check =
        crc32c(head.check, to->data + begin + sizeof(head), to->length - begin - sizeof(head));
    memcpy(to->data + begin, &head, sizeof(head));
    return true;
}

int blocks_put(int descriptor, uint64_t *end, struct trace_file_block head, const void *payload,
               size_t bytes, struct text *scratch, uint64_t *offset) {
    text_clear(scratch);
    if (!blocks_compose(scratch, head, payload, bytes))
        return EFBIG;
    int failed = file_write(descriptor, *end, scratch->data, scratch->length);
    if (failed)
        return failed;
    *offset = *end;
    *end += scratch->length;
    return 0;
}
