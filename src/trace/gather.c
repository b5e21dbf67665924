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

/* A block of steps on its way into the file. */
struct piece {
    bool whole;
    struct text payload, block;
};

struct gathering {
    struct crew *crew;
    struct piece *pieces;
    struct text batch;                           /* blocks that are written together */
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
    gathering->pieces = memory_zeroed(PIECES, sizeof(gathering->pieces[0]));
    text_init(&gathering->batch);
    for (int i = 0; i < CREW_MOST; i++)
        trace_index_builder_init(&gathering->index[i], folder);
    for (int i = 0; i < PIECES; i++) {
        text_init(&gathering->pieces[i].payload);
        text_init(&gathering->pieces[i].block);
    }
    return gathering;
}

void gathering_release(struct gathering *gathering) {
    if (!gathering)
        return;
    crew_release(gathering->crew);
    for (int i = 0; i < CREW_MOST; i++) {
        trace_index_builder_release(&gathering->index[i]);
        free(gathering->room[i]);
    }
    for (int i = 0; i < PIECES; i++) {
        text_release(&gathering->pieces[i].payload);
        text_release(&gathering->pieces[i].block);
    }
    free(gathering->pieces);
    text_release(&gathering->batch);
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
    gathering->pieces[number].whole = gather->whole(gather->context, first_of(gathering, number));
}

/* Which warps the steps are of. */
static void list_runs(struct trace_index_builder *index, const unsigned char *records,
                      size_t record_bytes, uint64_t step) {
    struct trace_file_run run = {0};
    for (uint32_t i = 0; i < TRACE_FILE_BLOCK_STEPS; i++, records += record_bytes) {
        const struct shflviz_record_header *head = (const void *)records;
        if (run.count > 0 && run.launch == head->launch && run.block == head->block &&
            run.warp == head->warp) {
            run.count++;
            continue;
        }
        if (run.count > 0)
            trace_index_builder_add_run(index, &run);
        run = (struct trace_file_run){.first = step + i,
                                      .block = head->block,
                                      .launch = head->launch,
                                      .warp = head->warp,
                                      .count = 1};
    }
    trace_index_builder_add_run(index, &run);
}

static void code(void *context, uint64_t number, unsigned member) {
    struct gathering *gathering = context;
    const struct trace_gather *gather = gathering->gather;
    struct piece *piece = &gathering->pieces[number];
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
    list_runs(&gathering->index[member], records, record_bytes, head.first);
    text_clear(&piece->payload);
    text_clear(&piece->block);
    if (compact_encode_steps(&piece->payload, records, head.count, gathering->value_bytes) &&
        piece->payload.length <= head.count * record_bytes) {
        blocks_compose(&piece->block, head, piece->payload.data, piece->payload.length);
        return;
    }
    for (uint32_t i = 0; i < head.count; i++) {
        const uint64_t sequence = head.first + i + 1;
        memcpy(records + i * record_bytes, &sequence, sizeof(sequence));
    }
    head.encoding = TRACE_FILE_RAW;
    blocks_compose(&piece->block, head, records, head.count * record_bytes);
}

static void sort_part(void *context, uint64_t number, unsigned member) {
    struct trace_index_builder *const *parts = context;
    (void)member;
    trace_index_builder_sort(parts[number]);
}

/* ---- in one ---- */

unsigned gathering_sort(struct gathering *gathering, struct trace_index_builder *parts[]) {
    unsigned count = 1;
    if (!gathering) {
        trace_index_builder_sort(parts[0]);
        return count;
    }
    for (unsigned i = 0; i < crew_members(gathering->crew); i++)
        parts[count++] = &gathering->index[i];
    crew_run(gathering->crew, count, sort_part, parts);
    return count;
}

/* Writes the first `count` pieces, which are coded and of one group, at once. What is in the
 * listing and in the index is in the file, or the writer has failed. */
static int put_pieces(struct trace_writer *writer, uint64_t count) {
    struct gathering *gathering = writer->gathering;
    uint64_t offset = writer->end;
    text_clear(&gathering->batch);
    for (uint64_t i = 0; i < count; i++) {
        const struct text *block = &gathering->pieces[i].block;
        text_append_bytes(&gathering->batch, block->data, block->length);
    }
    int failed =
        file_write(writer->descriptor, offset, gathering->batch.data, gathering->batch.length);
    writer->end += failed ? 0 : gathering->batch.length;
    for (uint64_t i = 0; !failed && i < count; i++) {
        failed = writer_list(writer, &writer->steps, offset);
        offset += gathering->pieces[i].block.length;
    }
    return failed;
}

/* Pieces that whole() lets through, from the first on. */
static uint64_t count_whole(const struct gathering *gathering, uint64_t pieces) {
    uint64_t count = 0;
    while (count < pieces && gathering->pieces[count].whole)
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
    int failed = whole ? put_pieces(writer, whole) : 0;
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
