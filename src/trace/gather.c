/* Records that are elsewhere, coded in blocks by several threads. */
#include "base/crew.h"
#include "base/memory.h"
#include "trace/blocks.h"
#include "trace/compact.h"
#include "trace/writer.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(TRACE_GATHER_STEPS == TRACE_FILE_BLOCK_STEPS, "a piece is a block");

#define PIECES 256 /* of a batch */
#define LOT    32  /* that are written at once, but for the last of a batch */

/* What a member codes with, at every step. What two members write is never in one line of a cache:
 * each would take it from the other. */
struct coder {
    struct text payload;
    unsigned char *room;              /* for the records, or NULL */
    struct trace_index_builder index; /* of the steps that this member coded */
    char apart[128];
};

struct gathering {
    struct trace_writer *writer;
    struct crew *crew;
    bool whole[PIECES];
    struct text blocks[PIECES]; /* of steps, on their way into the file */
    struct coder coders[CREW_MOST];
    /* The batch that is being coded. */
    const struct trace_gather *gather;
    size_t first; /* record */
    uint64_t step;
    uint64_t block;
    unsigned value_bytes;
    uint64_t whole_count; /* pieces that are coded */
    /* Whoever has coded a piece writes all that can be written next, unless another does. */
    bool coded[PIECES];
    bool writes; /* one does, and what follows is its own */
    uint64_t written;
    uint64_t lot; /* pieces that are worth a write */
    int failed;   /* to write: an errno value */
};

_Static_assert(CREW_MOST + 1 <= TRACE_INDEX_PARTS, "each member has a part, and the writer");

static struct gathering *gathering_new(struct trace_writer *writer) {
    struct gathering *gathering = memory_zeroed(1, sizeof(*gathering));
    gathering->writer = writer;
    gathering->crew = crew_new(writer->threads);
    for (int i = 0; i < CREW_MOST; i++) {
        trace_index_builder_init(&gathering->coders[i].index, writer->index.folder);
        text_init(&gathering->coders[i].payload);
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
        trace_index_builder_release(&gathering->coders[i].index);
        text_release(&gathering->coders[i].payload);
        free(gathering->coders[i].room);
    }
    for (int i = 0; i < PIECES; i++)
        text_release(&gathering->blocks[i]);
    free(gathering);
}

void trace_writer_use_threads(struct trace_writer *writer, unsigned threads) {
    writer->threads = threads;
}

static struct gathering *gathering_of(struct trace_writer *writer) {
    if (!writer->gathering)
        writer->gathering = gathering_new(writer);
    return writer->gathering;
}

struct crew *trace_writer_crew(struct trace_writer *writer) {
    return gathering_of(writer)->crew;
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

static void code_piece(struct gathering *gathering, uint64_t number, unsigned member) {
    const struct trace_gather *gather = gathering->gather;
    struct coder *coder = &gathering->coders[member];
    struct text *payload = &coder->payload, *block = &gathering->blocks[number];
    const size_t record_bytes = SHFLVIZ_RECORD_SIZE(gathering->value_bytes);
    if (!coder->room)
        coder->room = memory_zeroed(TRACE_FILE_BLOCK_STEPS, record_bytes);
    unsigned char *records = coder->room;
    struct trace_file_block head = {
        .kind = TRACE_FILE_STEPS,
        .encoding = TRACE_FILE_COMPACT,
        .number = gathering->block + number,
        .first = gathering->step + number * TRACE_FILE_BLOCK_STEPS,
        .count = TRACE_FILE_BLOCK_STEPS,
    };
    gather->fill(gather->context, records, first_of(gathering, number));
    list_steps(&coder->index, records, record_bytes, head.first);
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

static void sort_part(void *context, uint64_t number, unsigned member) {
    struct gathering *gathering = context;
    (void)member;
    trace_index_builder_sort(&gathering->coders[number].index);
}

/* If one member had to stop and sort while it codes, all others would wait for it at the end of the
 * batch, and soon for another: so all do it now. */
static void sort_in_time(struct gathering *gathering, uint64_t pieces) {
    const unsigned members = crew_members(gathering->crew);
    const uint64_t most = (2 * pieces / members + 1) * TRACE_FILE_BLOCK_STEPS;
    for (unsigned i = 0; i < members; i++)
        if (!trace_index_builder_takes(&gathering->coders[i].index, most)) {
            crew_run(gathering->crew, members, sort_part, gathering);
            return;
        }
}

/* How many pieces from the next on are coded. */
static uint64_t count_coded(const struct gathering *gathering) {
    uint64_t count = 0;
    while (gathering->written + count < gathering->whole_count &&
           __atomic_load_n(&gathering->coded[gathering->written + count], __ATOMIC_ACQUIRE))
        count++;
    return count;
}

/* A piece that is coded just before the one who writes is done stays for the next. */
static void write_coded(struct gathering *gathering) {
    if (__atomic_exchange_n(&gathering->writes, true, __ATOMIC_ACQUIRE))
        return;
    struct trace_writer *writer = gathering->writer;
    for (uint64_t count = 1; !gathering->failed && count > 0; gathering->written += count) {
        count = count_coded(gathering);
        if (count < gathering->lot)
            break;
        gathering->failed = writer_put_blocks(writer, &writer->steps,
                                              gathering->blocks + gathering->written, count);
    }
    __atomic_store_n(&gathering->writes, false, __ATOMIC_RELEASE);
}

static void code(void *context, uint64_t number, unsigned member) {
    struct gathering *gathering = context;
    code_piece(gathering, number, member);
    __atomic_store_n(&gathering->coded[number], true, __ATOMIC_RELEASE);
    write_coded(gathering);
}

/* ---- in one ---- */

unsigned gathering_parts(struct gathering *gathering, struct trace_index_builder *parts[]) {
    unsigned count = 1;
    for (unsigned i = 0; gathering && i < crew_members(gathering->crew); i++)
        parts[count++] = &gathering->coders[i].index;
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
    if (gathering->gather->whole)
        crew_run(gathering->crew, tried, look, gathering);
    const uint64_t whole = gathering->gather->whole ? count_whole(gathering, tried) : tried;
    memset(gathering->coded, 0, sizeof(gathering->coded));
    gathering->whole_count = whole;
    gathering->written = 0;
    gathering->lot = LOT;
    sort_in_time(gathering, whole);
    crew_run(gathering->crew, whole, code, gathering);
    gathering->lot = 1;
    write_coded(gathering);
    *more = whole == tried;
    if (gathering->failed) { /* these steps are in the index, and not in the file */
        writer->steps.blocks = blocks;
        writer->index.failed = true;
        writer_fail(writer, gathering->failed);
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
    gathering_of(writer)->gather = gather;
    writer->gathering->value_bytes = writer->value_bytes;
    for (bool more = true; more && done < pieces;) {
        writer->gathering->first = (size_t)done * TRACE_FILE_BLOCK_STEPS;
        done += gather_batch(writer, pieces - done, &more);
    }
    return (size_t)done * TRACE_FILE_BLOCK_STEPS;
}
