/* Records from elsewhere, coded in blocks by several threads. */
#include "base/memory.h"
#include "base/thread_pool.h"
#include "trace/compact/compact.h"
#include "trace/in_turn.h"
#include "trace/read/file_blocks.h"
#include "trace/writer.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(TRACE_GATHER_STEPS == TRACE_FILE_BLOCK_STEPS, "a piece is a block");

#define PIECES 256 /* of a batch */
#define LOT    32  /* blocks written together, except the last of a batch */

/* A worker's state for coding, used at every step. It has cache lines of its own, because two
 * workers that write to the same line would keep taking it from each other. */
struct coder {
    struct text payload;
    unsigned char *room; /* for the records; may be NULL */
    bool brief[TRACE_FILE_BLOCK_STEPS];
    struct trace_index_builder index; /* of the steps that this worker coded */
    uint64_t sorted;                  /* the batch before which it was last sorted */
    struct compact_encoder encoder;
    char apart[128];
};

struct gathering {
    struct trace_writer *writer;
    struct thread_pool *pool;
    struct in_turn *turn;
    bool whole[PIECES];
    struct coder coders[TRACE_THREADS_MOST];
    /* The batch that is being coded. */
    uint64_t batch; /* its number, from 1 on */
    bool sorts;
    struct trace_gather *gather;
    size_t first; /* record */
    uint64_t step;
    uint64_t block;
    unsigned value_bytes;
    uint64_t pieces; /* an upper bound until the records have been examined */
    uint64_t looks, looked;
    bool settled;
};

static struct gathering *gathering_new(struct trace_writer *writer) {
    struct gathering *gathering = memory_zeroed(1, sizeof(*gathering));
    gathering->writer = writer;
    gathering->pool = thread_pool_new(writer->threads, TRACE_THREADS_MOST);
    gathering->turn = in_turn_new(writer, thread_pool_workers(gathering->pool));
    for (int i = 0; i < TRACE_THREADS_MOST; i++) {
        trace_index_builder_init(&gathering->coders[i].index, writer->index.folder);
        text_init(&gathering->coders[i].payload);
    }
    return gathering;
}

void gathering_release(struct gathering *gathering) {
    if (!gathering)
        return;
    thread_pool_release(gathering->pool);
    for (int i = 0; i < TRACE_THREADS_MOST; i++) {
        trace_index_builder_release(&gathering->coders[i].index);
        text_release(&gathering->coders[i].payload);
        free(gathering->coders[i].room);
    }
    in_turn_release(gathering->turn);
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

/* ---- in several threads ---- */

/* The first record of a piece. */
static size_t first_of(const struct gathering *gathering, uint64_t piece) {
    return gathering->first + (size_t)piece * TRACE_FILE_BLOCK_STEPS;
}

static void check_whole(void *context, uint64_t number, unsigned worker) {
    struct gathering *gathering = context;
    const struct trace_gather *gather = gathering->gather;
    (void)worker;
    gathering->whole[number] = gather->whole(gather->context, first_of(gathering, number));
}

/* Fills and codes the records of a piece one by one: then each is still in the processor's cache,
 * and so is the record from which a later one of the same warp is coded. False if the compact
 * encoding cannot represent some of them; all of them are filled in any case. */
static bool code_steps(struct gathering *gathering, struct coder *coder, uint64_t number,
                       uint64_t step) {
    const struct trace_gather *gather = gathering->gather;
    const size_t first = first_of(gathering, number),
                 bytes = SHFLVIZ_RECORD_SIZE(gathering->value_bytes);
    unsigned char *record = coder->room;
    bool compact = true;
    text_clear(&coder->payload);
    compact_encoder_begin(&coder->encoder, &coder->payload, gathering->value_bytes);
    for (uint32_t i = 0; i < TRACE_FILE_BLOCK_STEPS; i++, record += bytes) {
        const struct shflviz_record_header *head = (const void *)record;
        coder->brief[i] = gather->fill(gather->context, record, first + i);
        trace_index_builder_add(&coder->index, step + i, head->launch, head->block, head->warp);
        compact = compact && compact_encoder_add(&coder->encoder, record, coder->brief[i]);
    }
    return compact && coder->payload.length <= TRACE_FILE_BLOCK_STEPS * bytes;
}

/* Converts the records to the layout of record.h, and numbers them. */
static void end_records(struct gathering *gathering, struct coder *coder, uint64_t step) {
    unsigned char *record = coder->room;
    for (uint32_t i = 0; i < TRACE_FILE_BLOCK_STEPS; i++) {
        const uint64_t sequence = step + i + 1;
        struct prediction_step whole;
        if (coder->brief[i]) {
            prediction_load_brief(&whole, record);
            prediction_store(&whole, record, gathering->value_bytes);
        }
        memcpy(record, &sequence, sizeof(sequence));
        record += SHFLVIZ_RECORD_SIZE(gathering->value_bytes);
    }
}

static void code(struct gathering *gathering, uint64_t number, unsigned worker) {
    struct coder *coder = &gathering->coders[worker];
    struct text *block = in_turn_buffer(gathering->turn, worker);
    const size_t record_bytes = SHFLVIZ_RECORD_SIZE(gathering->value_bytes);
    struct trace_file_block head = {
        .kind = TRACE_FILE_STEPS,
        .encoding = TRACE_FILE_COMPACT,
        .number = gathering->block + number,
        .first = gathering->step + number * TRACE_FILE_BLOCK_STEPS,
        .count = TRACE_FILE_BLOCK_STEPS,
    };
    if (!coder->room)
        coder->room = memory_zeroed(TRACE_FILE_BLOCK_STEPS, record_bytes);
    if (code_steps(gathering, coder, number, head.first)) {
        blocks_compose(block, head, coder->payload.data, coder->payload.length);
    } else {
        end_records(gathering, coder, head.first);
        head.encoding = TRACE_FILE_RAW;
        blocks_compose(block, head, coder->room, head.count * record_bytes);
    }
    in_turn_put(gathering->turn, number, block);
}

/* If one worker stopped to sort while it codes, all others would wait for it at the end of the
 * batch, and soon for another one; so all sort at the same time. */
static bool must_sort(const struct gathering *gathering) {
    const unsigned workers = thread_pool_workers(gathering->pool);
    const uint64_t most = (2 * gathering->pieces / workers + 1) * TRACE_FILE_BLOCK_STEPS;
    for (unsigned i = 0; i < workers; i++)
        if (!trace_index_builder_has_room(&gathering->coders[i].index, most))
            return true;
    return false;
}

static void sort_first(struct gathering *gathering, struct coder *coder) {
    if (!gathering->sorts || coder->sorted == gathering->batch)
        return;
    coder->sorted = gathering->batch;
    trace_index_builder_sort(&coder->index);
}

/* The thread that finishes last determines how many pieces there are. */
static void look(struct gathering *gathering, uint64_t number) {
    struct trace_gather *gather = gathering->gather;
    gather->look(gather->context, (size_t)number);
    if (__atomic_add_fetch(&gathering->looked, 1, __ATOMIC_ACQ_REL) < gathering->looks)
        return;
    gather->settle(gather->context, gather);
    const uint64_t pieces = gather->whole ? 0 : gather->count / TRACE_FILE_BLOCK_STEPS;
    if (gathering->pieces > pieces)
        gathering->pieces = pieces;
    __atomic_store_n(&gathering->settled, true, __ATOMIC_RELEASE);
}

/* Every look has begun by now, and none takes long. */
static void await_looks(const struct gathering *gathering) {
    while (!__atomic_load_n(&gathering->settled, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void look_or_code(void *context, uint64_t number, unsigned worker) {
    struct gathering *gathering = context;
    if (number < gathering->looks) {
        look(gathering, number);
        return;
    }
    sort_first(gathering, &gathering->coders[worker]);
    await_looks(gathering);
    if (number - gathering->looks < gathering->pieces)
        code(gathering, number - gathering->looks, worker);
}

/* ---- in one ---- */

unsigned gathering_parts(struct gathering *gathering, struct trace_index_builder *parts[]) {
    unsigned count = 1;
    for (unsigned i = 0; gathering && i < thread_pool_workers(gathering->pool); i++)
        parts[count++] = &gathering->coders[i].index;
    return count;
}

/* The number of leading pieces that whole() accepts. */
static uint64_t count_whole(const struct gathering *gathering, uint64_t pieces) {
    uint64_t count = 0;
    while (count < pieces && gathering->whole[count])
        count++;
    return count;
}

/* Takes the pieces that fit in one group, at most `most`; *more is set if others may follow. */
static uint64_t gather_batch(struct trace_writer *writer, uint64_t most, bool *more) {
    struct gathering *gathering = writer->gathering;
    const uint64_t blocks = writer->steps.blocks,
                   left = TRACE_FILE_GROUP - blocks % TRACE_FILE_GROUP,
                   room = left < PIECES ? left : PIECES, tried = most < room ? most : room;
    const bool looks = gathering->looks > 0;
    gathering->step = writer->committed;
    gathering->block = blocks;
    gathering->pieces = tried;
    gathering->settled = !looks;
    gathering->looked = 0;
    if (!looks && gathering->gather->whole) {
        thread_pool_run(gathering->pool, tried, check_whole, gathering);
        gathering->pieces = count_whole(gathering, tried);
    }
    gathering->batch++;
    gathering->sorts = must_sort(gathering);
    in_turn_begin(gathering->turn, &writer->steps, gathering->pieces, LOT);
    thread_pool_run(gathering->pool, gathering->looks + gathering->pieces, look_or_code, gathering);
    const int failed = in_turn_end(gathering->turn);
    const uint64_t taken = gathering->pieces;
    gathering->looks = 0;
    *more = looks || taken == tried;
    if (failed) { /* these steps are in the index but not in the file */
        writer->steps.blocks = blocks;
        writer->index.failed = true;
        writer_fail(writer, failed);
        *more = false;
        return 0;
    }
    if (taken == 0) /* the open block may not be sealed */
        return 0;
    writer->committed += taken * TRACE_FILE_BLOCK_STEPS;
    writer->window.first = writer->window.end = writer->committed;
    writer->header->last_group = writer->steps.last_group;
    return taken;
}

/* The largest possible number of pieces. */
static uint64_t max_pieces(const struct trace_writer *writer, const struct trace_gather *gather) {
    if (writer->committed % TRACE_FILE_BLOCK_STEPS != 0 || writer->failure.kind != ERROR_NONE ||
        writer->committed >= writer->step_limit)
        return 0;
    const uint64_t pieces = gather->count / TRACE_FILE_BLOCK_STEPS,
                   room = (writer->step_limit - writer->committed) / TRACE_FILE_BLOCK_STEPS;
    return pieces < room ? pieces : room;
}

size_t trace_writer_gather(struct trace_writer *writer, struct trace_gather *gather) {
    struct gathering *gathering = gathering_of(writer);
    uint64_t done = 0;
    writer_commit(writer);
    const int failed = max_pieces(writer, gather) > 0 ? writer_seal(writer) : 0;
    if (failed)
        writer_fail(writer, failed);
    gathering->gather = gather;
    gathering->value_bytes = writer->value_bytes;
    gathering->looks = gather->looks;
    for (bool more = true; more;) {
        const uint64_t most = gather->count / TRACE_FILE_BLOCK_STEPS - done,
                       room = max_pieces(writer, gather), tried = most < room ? most : room;
        if (tried == 0 && gathering->looks == 0)
            break;
        gathering->first = (size_t)done * TRACE_FILE_BLOCK_STEPS;
        done += gather_batch(writer, tried, &more);
    }
    return (size_t)done * TRACE_FILE_BLOCK_STEPS;
}
