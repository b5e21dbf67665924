/* Records that are elsewhere, coded in blocks by several threads. */
#include "base/crew.h"
#include "base/memory.h"
#include "trace/blocks.h"
#include "trace/compact.h"
#include "trace/writer.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(TRACE_GATHER_STEPS == TRACE_FILE_BLOCK_STEPS, "a piece is a block");

#define PIECES 256 /* that are coded before any is written */

struct gathering {
    struct crew *crew;
    bool whole[PIECES];
    struct text blocks[PIECES];                  /* of steps, on their way into the file */
    struct text payload[CREW_MOST];              /* that a member codes */
    unsigned char *room[CREW_MOST];              /* for the records that a member codes, or NULL */
    struct trace_index_builder index[CREW_MOST]; /* of the steps that each member coded */
    /* The batch that is being coded. */
    const struct trace_gather *gather;
    size_t first; /* record */
    uint64_t step;
    uint64_t block;
    unsigned value_bytes;
};

_Static_assert(CREW_MOST + 1 <= TRACE_INDEX_PARTS, "each member has a part, and the writer");

/* `folder`: for long indexes. */
static struct gathering *gathering_new(unsigned threads, const char *folder) {
    struct gathering *gathering = memory_zeroed(1, sizeof(*gathering));
    gathering->crew = crew_new(threads);
    for (int i = 0; i < CREW_MOST; i++) {
        trace_index_builder_init(&gathering->index[i], folder);
        text_init(&gathering->payload[i]);
    }
    for (int i = 0; i < PIECES; i++)
        text_init(&gathering->blocks[i]);
    return gathering;
}

void gathering_release(struct gathering *gathering) {
    if (!gathering)
        return;
    crew_release(gathering->crew);
    for (int i = 0; i < CREW_MOST; i++) {
        trace_index_builder_release(&gathering->index[i]);
        text_release(&gathering->payload[i]);
        free(gathering->room[i]);
    }
    for (int i = 0; i < PIECES; i++)
        text_release(&gathering->blocks[i]);
    free(gathering);
}

void trace_writer_use_threads(struct trace_writer *writer, unsigned threads) {
    writer->threads = threads;
}

/* ---- in several threads ---- */

/* The first record of a piece. */
static size_t first_of(const struct gathering *gathering, uint64_t piece) {
    return gathering->first + (size_t)piece * TRACE_FILE_BLOCK_STEPS;
}

static void look(void *context, uint64_t number, unsigned member) {
    struct gathering *gathering = context;
    const struct trace_gather *gather = gathering->gather;
    (void)member;
    gathering->whole[number] = gather->whole(gather->context, first_of(gathering, number));
}

/* Which warps the steps are of. */
static void list_steps(struct trace_index_builder *index, const unsigned char *records,
                       size_t record_bytes, uint64_t step) {
    for (uint32_t i = 0; i < TRACE_FILE_BLOCK_STEPS; i++, records += record_bytes) {
        const struct shflviz_record_header *head = (const void *)records;
        trace_index_builder_add(index, step + i, head->launch, head->block, head->warp);
    }
}

static void code(void *context, uint64_t number, unsigned member) {
    struct gathering *gathering = context;
    const struct trace_gather *gather = gathering->gather;
    struct text *payload = &gathering->payload[member], *block = &gathering->blocks[number];
    const size_t record_bytes = SHFLVIZ_RECORD_SIZE(gathering->value_bytes);
    if (!gathering->room[member])
        gathering->room[member] = memory_zeroed(TRACE_FILE_BLOCK_STEPS, record_bytes);
    unsigned char *records = gathering->room[member];
    struct trace_file_block head = {
        .kind = TRACE_FILE_STEPS,
        .encoding = TRACE_FILE_COMPACT,
        .number = gathering->block + number,
        .first = gathering->step + number * TRACE_FILE_BLOCK_STEPS,
        .count = TRACE_FILE_BLOCK_STEPS,
    };
    gather->fill(gather->context, records, first_of(gathering, number));
    list_steps(&gathering->index[member], records, record_bytes, head.first);
    text_clear(payload);
    text_clear(block);
    if (compact_encode_steps(payload, records, head.count, gathering->value_bytes) &&
        payload->length <= head.count * record_bytes) {
        blocks_compose(block, head, payload->data, payload->length);
        return;
    }
    for (uint32_t i = 0; i < head.count; i++) {
        const uint64_t sequence = head.first + i + 1;
        memcpy(records + i * record_bytes, &sequence, sizeof(sequence));
    }
    head.encoding = TRACE_FILE_RAW;
    blocks_compose(block, head, records, head.count * record_bytes);
}

/* ---- in one ---- */

unsigned gathering_parts(struct gathering *gathering, struct trace_index_builder *parts[]) {
    unsigned count = 1;
    for (unsigned i = 0; gathering && i < crew_members(gathering->crew); i++)
        parts[count++] = &gathering->index[i];
    return count;
}

/* Pieces that whole() lets through, from the first on. */
static uint64_t count_whole(const struct gathering *gathering, uint64_t pieces) {
    uint64_t count = 0;
    while (count < pieces && gathering->whole[count])
        count++;
    return count;
}

/* Takes as many of the pieces as are in one group; *more says whether others may follow. */
static uint64_t gather_batch(struct trace_writer *writer, uint64_t pieces, bool *more) {
    struct gathering *gathering = writer->gathering;
    const uint64_t blocks = writer->steps.blocks,
                   left = TRACE_FILE_GROUP - blocks % TRACE_FILE_GROUP;
    const uint64_t most = left < PIECES ? left : PIECES, tried = pieces < most ? pieces : most;
    gathering->step = writer->committed;
    gathering->block = blocks;
    crew_run(gathering->crew, tried, look, gathering);
    const uint64_t whole = count_whole(gathering, tried);
    crew_run(gathering->crew, whole, code, gathering);
    *more = whole == tried;
    int failed = writer_put_blocks(writer, &writer->steps, gathering->blocks, whole);
    if (failed) { /* these steps are in the index, and not in the file */
        writer->steps.blocks = blocks;
        writer->index.failed = true;
        writer_fail(writer, failed);
        *more = false;
        return 0;
    }
    writer->committed += whole * TRACE_FILE_BLOCK_STEPS;
    writer->window.first = writer->window.end = writer->committed;
    writer->header->last_group = writer->steps.last_group;
    return whole;
}

size_t trace_writer_gather(struct trace_writer *writer, const struct trace_gather *gather) {
    uint64_t pieces = gather->count / TRACE_FILE_BLOCK_STEPS, done = 0;
    writer_commit(writer);
    if (pieces == 0 || writer->committed % TRACE_FILE_BLOCK_STEPS != 0 ||
        writer->failure.kind != ERROR_NONE)
        return 0;
    const uint64_t room = writer->committed < writer->step_limit
                              ? (writer->step_limit - writer->committed) / TRACE_FILE_BLOCK_STEPS
                              : 0;
    pieces = pieces < room ? pieces : room;
    int failed = pieces ? writer_seal(writer) : 0;
    if (failed) {
        writer_fail(writer, failed);
        return 0;
    }
    if (!writer->gathering)
        writer->gathering = gathering_new(writer->threads, writer->index.folder);
    writer->gathering->gather = gather;
    writer->gathering->value_bytes = writer->value_bytes;
    for (bool more = true; more && done < pieces;) {
        writer->gathering->first = (size_t)done * TRACE_FILE_BLOCK_STEPS;
        done += gather_batch(writer, pieces - done, &more);
    }
    return (size_t)done * TRACE_FILE_BLOCK_STEPS;
}
