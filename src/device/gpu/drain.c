/*
 * Works through the ring chunk by chunk. A chunk is first copied and then checked in the copy,
 * because each read of the device's memory is expensive.
 */
#include "device/gpu/drain.h"

#include "base/thread_pool.h"
#include "device/gpu/cells.h"

#include <stdlib.h>
#include <string.h>

/* Many small chunks are reused more often and serve more stripes; a few large ones are copied
 * faster. */
#define CHUNKS_WANTED_LOG2 8
#define CHUNKS_LEAST_LOG2  4
#define CHUNK_LEAST_LOG2   6 /* if that leaves CHUNKS_LEAST */
#define CHUNK_MOST_LOG2    15
#define RECORD_LOG2        3 /* a chunk has room for any record */
_Static_assert(SHFLVIZ_CELLS_MOST <= 1 << RECORD_LOG2, "any record fits a chunk");

static uint32_t log2_floor(uint64_t n) {
    uint32_t log2 = 0;
    while (n >>= 1)
        log2++;
    return log2;
}

static uint32_t min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

struct ring_shape ring_shape(uint64_t budget) {
    uint64_t places = budget / SHFLVIZ_CELL_BYTES;
    if (places < 1u << (CHUNKS_LEAST_LOG2 + RECORD_LOG2))
        places = 1u << (CHUNKS_LEAST_LOG2 + RECORD_LOG2);
    uint32_t all = log2_floor(places);
    uint32_t chunk = all > CHUNKS_WANTED_LOG2 ? all - CHUNKS_WANTED_LOG2 : 0;
    uint32_t least = min_u32(CHUNK_LEAST_LOG2, all - CHUNKS_LEAST_LOG2);
    chunk = min_u32(chunk > least ? chunk : least, CHUNK_MOST_LOG2);
    uint32_t chunks = min_u32(all - chunk, log2_floor(SHFLVIZ_RING_CHUNKS_MAX));
    return (struct ring_shape){.chunks_log2 = chunks,
                               .chunk_log2 = chunk,
                               .chunk_bytes = (size_t)SHFLVIZ_CELL_BYTES << chunk,
                               .bytes = (size_t)SHFLVIZ_CELL_BYTES << (chunk + chunks)};
}

uint64_t ring_limit(uint64_t steps) {
    const uint64_t most =
        2 * SHFLVIZ_CELLS_MOST; /* including skipped cells at the ends of chunks */
    return steps && steps < UINT64_MAX / most ? steps * most : UINT64_MAX;
}

/* A launch with fewer blocks has one stripe: it is small, and all of its early records are kept if
 * it dies. */
#define STRIPE_BLOCKS_LOG2 4
/* Enough that while one is copied, there is room to write in the others. */
#define STRIPE_CHUNKS_LOG2 2

uint32_t ring_stripes_log2(const struct shflviz_ring *ring, uint64_t blocks) {
    uint32_t log2 =
        min_u32(log2_floor(blocks >> STRIPE_BLOCKS_LOG2), log2_floor(SHFLVIZ_RING_STRIPES_MAX));
    uint32_t most =
        ring->chunks_log2 > STRIPE_CHUNKS_LOG2 ? ring->chunks_log2 - STRIPE_CHUNKS_LOG2 : 0;
    return ring->limit == UINT64_MAX ? min_u32(log2, most) : 0; /* a limit needs one counter */
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint32_t stripes(const struct drain *drain) {
    return 1u << drain->ring.stripes_log2;
}

static int clear_ring(const struct drain *drain) {
    enum { PIECE = 1 << 20 };
    const uint64_t bytes = (uint64_t)SHFLVIZ_CELL_BYTES
                           << (drain->ring.chunks_log2 + drain->ring.chunk_log2);
    void *zeros = calloc(1, PIECE);
    int failed = zeros ? 0 : -1;
    for (uint64_t at = 0; !failed && at < bytes; at += PIECE)
        failed = drain->does.write(drain->does.context, drain->ring.records + at, zeros,
                                   (size_t)least(PIECE, bytes - at));
    free(zeros);
    return failed;
}

int drain_begin(struct drain *drain, uint64_t blocks) {
    struct shflviz_ring *ring = &drain->ring;
    static const struct shflviz_ring_state empty;
    int failed = drain->worn ? clear_ring(drain) : 0;
    if (failed)
        return failed;
    if (drain->worn || ring->tag == 0)
        ring->tag = 1; /* cleared memory has 0 */
    drain->worn = false;
    ring->stripes_log2 = ring_stripes_log2(ring, blocks);
    ring_prepare(ring, blocks);
    memset(drain->handed_on, 0, sizeof drain->handed_on);
    if (drain->host)
        memset(drain->host->freed, 0, sizeof drain->host->freed);
    return drain->does.write(drain->does.context, ring->state, &empty,
                             offsetof(struct shflviz_ring_state, sites));
}

/* ---- the early records ---- */

static uint64_t *early_cell(const struct drain *drain, uint64_t number) {
    return (uint64_t *)(void *)drain->early +
           (drain->ring.early_before + number) * SHFLVIZ_CELL_WORDS;
}

/* Delivers the early cells of stripe 0 up to `end`, which are complete unless the launch has
 * ended. */
static int drain_early(struct drain *drain, uint64_t end) {
    const uint64_t from = drain->handed_on[0];
    uint64_t *cells = early_cell(drain, from);
    const size_t count = (size_t)(end - from);
    if (count == 0)
        return 0;
    drain->lost += cells_settle(cells, count, SHFLVIZ_CELL_TAG_EARLY);
    drain->delivered += cells_index(cells, 0, count, NULL);
    drain->handed_on[0] = end;
    return drain->does.early(drain->does.context, drain->ring.early_before + from, count);
}

/* Delivers the early cells up to the first that is incomplete. */
static int drain_whole_early(struct drain *drain) {
    const uint64_t from = drain->handed_on[0];
    const size_t whole =
        cells_whole(early_cell(drain, from), (size_t)(drain->ring.early_records - from),
                    SHFLVIZ_CELL_TAG_EARLY);
    return drain_early(drain, from + whole);
}

/* ---- chunks ---- */

static uint64_t chunk_end(const struct drain *drain, uint32_t stripe, uint64_t chunk) {
    return ring_early(&drain->ring, stripe) + ((chunk + 1) << drain->ring.chunk_log2);
}

#define LOOK_CELLS 1024 /* cells that a worker examines */

struct cell_check {
    const uint64_t *cells;
    size_t count;
    uint32_t tag;
    size_t records;
    bool differs;
};

static void check_cells(void *context, uint64_t piece, unsigned worker) {
    struct cell_check *cell_check = context;
    const size_t begin = (size_t)piece * LOOK_CELLS, left = cell_check->count - begin;
    size_t records;
    (void)worker;
    if (cells_are_complete(cell_check->cells + begin * SHFLVIZ_CELL_WORDS,
                           left < LOOK_CELLS ? left : LOOK_CELLS, cell_check->tag, &records))
        __atomic_fetch_add(&cell_check->records, records, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&cell_check->differs, true, __ATOMIC_RELAXED);
}

/* True if all cells are complete; *records then gets the number of records in them. */
static bool are_whole(const struct drain *drain, const uint64_t *cells, size_t count, uint32_t tag,
                      size_t *records) {
    struct cell_check cell_check = {.cells = cells, .count = count, .tag = tag};
    if (!drain->pool || count <= LOOK_CELLS)
        return cells_are_complete(cells, count, tag, records);
    thread_pool_run(drain->pool, (count + LOOK_CELLS - 1) / LOOK_CELLS, check_cells, &cell_check);
    *records = cell_check.records;
    return !cell_check.differs;
}

/* Copies cells of a chunk and waits a little for those being written. *whole gets true if
 * all are complete, and *records then the number of records in them. */
static int copy_whole(const struct drain *drain, uint64_t *to, const unsigned char *from,
                      size_t count, uint32_t tag, bool *whole, size_t *records) {
    size_t first = 0, end = count;
    int failed = drain->does.read(drain->does.context, to, from, count * SHFLVIZ_CELL_BYTES);
    *whole = !failed && are_whole(drain, to, count, tag, records);
    if (failed || *whole)
        return failed;
    cells_all_whole(to, tag, &first, &end);
    for (unsigned tries = 1; !failed && !*whole && tries < 20; tries++) {
        failed =
            drain->does.read(drain->does.context, to + first * SHFLVIZ_CELL_WORDS,
                             from + first * SHFLVIZ_CELL_BYTES, (end - first) * SHFLVIZ_CELL_BYTES);
        *whole = !failed && cells_all_whole(to, tag, &first, &end);
    }
    if (*whole)
        *records = cells_index(to, 0, count, NULL);
    return failed;
}

/* Delivers the cells of a stripe up to `end`; they are in one chunk. While the kernel runs,
 * `ended` is not set, and no part of an incomplete chunk is delivered. */
static int drain_part(struct drain *drain, uint32_t stripe, uint64_t end, bool ended) {
    const struct shflviz_ring *ring = &drain->ring;
    uint64_t *from = &drain->handed_on[stripe];
    const uint64_t number = *from - ring_early(ring, stripe);
    const uint64_t chunk = ring_chunk(ring, stripe, *from);
    const uint32_t places_log2 = ring->chunks_log2 - ring->stripes_log2 + ring->chunk_log2;
    const uint64_t place =
        ((uint64_t)stripe << places_log2) + (number & ((UINT64_C(1) << places_log2) - 1));
    const uint32_t tag = ring_chunk_tag(ring, chunk);
    const size_t count = (size_t)(end - *from);
    size_t records = 0;
    bool whole;
    if (!drain->room)
        drain->room = drain->does.room(drain->does.context);
    if (!drain->room)
        return -1;
    int failed = copy_whole(drain, drain->room, ring->records + place * SHFLVIZ_CELL_BYTES, count,
                            tag, &whole, &records);
    if (failed || (!whole && !ended))
        return failed;
    if (!whole) {
        drain->lost += cells_settle(drain->room, count, tag);
        records = cells_index(drain->room, 0, count, NULL);
    }
    drain->delivered += records;
    failed = drain->does.deliver(drain->does.context, drain->room, count);
    drain->room = NULL;
    *from = end;
    if (end == chunk_end(drain, stripe, chunk) && drain->host && !ring_load(&drain->host->closed))
        ring_store(&drain->host->freed[stripe], chunk + 1);
    return failed;
}

static int read_counts(struct drain *drain) {
    return drain->does.read(drain->does.context, drain->counts, drain->ring.state->stripe,
                            stripes(drain) * sizeof drain->counts[0]);
}

/* The first number of a stripe that could not be served yet: the end of its free chunks. */
static uint64_t room_end(const struct drain *drain, uint32_t stripe) {
    const struct shflviz_ring *ring = &drain->ring;
    const uint64_t freed = drain->host && ring->waits ? ring_load(&drain->host->freed[stripe]) : 0;
    return least(ring->limit,
                 ring_early(ring, stripe) + ((freed + ring_chunks(ring)) << ring->chunk_log2));
}

static int drain_ready_chunk(struct drain *drain, uint32_t stripe) {
    const uint64_t from = drain->handed_on[stripe], early = ring_early(&drain->ring, stripe);
    if (from < early)
        return 0;
    const uint64_t end = chunk_end(drain, stripe, ring_chunk(&drain->ring, stripe, from));
    if (end > drain->counts[stripe].next || end > room_end(drain, stripe))
        return 0;
    return drain_part(drain, stripe, end, false);
}

static uint64_t handed_on(const struct drain *drain) {
    uint64_t sum = 0;
    for (uint32_t stripe = 0; stripe < stripes(drain); stripe++)
        sum += drain->handed_on[stripe];
    return sum;
}

int drain_ready(struct drain *drain, uint64_t *count) {
    const uint64_t before = handed_on(drain);
    int failed = 0;
    if (!drain->host)
        return 0;
    if (drain->handed_on[0] < drain->ring.early_records)
        failed = drain_whole_early(drain);
    if (!failed)
        failed = read_counts(drain);
    /* Some numbers of a closed ring were not served: it is drained at the end. */
    const bool closed = ring_load(&drain->host->closed);
    for (uint32_t stripe = 0; !failed && !closed && stripe < stripes(drain); stripe++)
        failed = drain_ready_chunk(drain, stripe);
    if (count)
        *count += handed_on(drain) - before;
    return failed;
}

/* Delivers everything that is complete in a stripe, up to `end`. */
static int drain_up_to(struct drain *drain, uint32_t stripe, uint64_t end) {
    const uint64_t *from = &drain->handed_on[stripe];
    uint64_t early_end = least(end, ring_early(&drain->ring, stripe));
    int failed = *from < early_end ? drain_early(drain, early_end) : 0;
    while (!failed && *from < end)
        failed = drain_part(
            drain, stripe,
            least(end, chunk_end(drain, stripe, ring_chunk(&drain->ring, stripe, *from))), true);
    return failed;
}

static int read_unfit(const struct drain *drain, uint64_t *unfit) {
    return drain->does.read(drain->does.context, unfit, &drain->ring.state->unfit, sizeof *unfit);
}

/* Marks the tags of a launch as used; none of its stripes took more than `most` numbers. */
static void use_tags(struct drain *drain, uint64_t most) {
    struct shflviz_ring *ring = &drain->ring;
    const uint32_t places_log2 = ring->chunks_log2 - ring->stripes_log2 + ring->chunk_log2;
    const uint64_t rounds = (most >> places_log2) + 1;
    drain->worn = ring->tag + rounds > SHFLVIZ_CELL_TAG;
    ring->tag += drain->worn ? 0 : (uint32_t)rounds;
}

int drain_finish(struct drain *drain) {
    uint64_t unfit = 0, most = 0, early = 0;
    int failed = read_counts(drain);
    if (!failed)
        failed = read_unfit(drain, &unfit);
    for (uint32_t stripe = 0; !failed && stripe < stripes(drain); stripe++) {
        const uint64_t next = drain->counts[stripe].next;
        /* Read first: delivering a chunk frees another, in which no number was served. */
        const uint64_t end = least(next, room_end(drain, stripe));
        if (end > drain->handed_on[stripe])
            failed = drain_up_to(drain, stripe, end);
        drain->dropped += drain->counts[stripe].dropped;
        most = next > most ? next : most;
        if (stripe == 0)
            early = least(next, drain->ring.early_records);
    }
    if (failed)
        return failed;
    drain->dropped += unfit;
    use_tags(drain, most);
    drain->ring.early_before += early;
    drain->ring.early_records -= early;
    drain->ring.early += early * SHFLVIZ_CELL_BYTES;
    if (drain->ring.limit != UINT64_MAX)
        drain->ring.limit -= least(drain->ring.limit, drain->counts[0].next);
    return 0;
}

int drain_salvage(struct drain *drain) {
    const struct shflviz_ring *ring = &drain->ring;
    uint64_t unfit = 0, count = 1;
    int failed = 0;
    /* Delivers complete chunks first, which makes room for waiting warps. Stops after a while,
     * because the kernel may keep recording. */
    for (uint32_t round = 0; !failed && count && round < ring_chunks(ring); round++) {
        count = 0;
        failed = drain_ready(drain, &count);
    }
    if (!failed)
        failed = read_counts(drain);
    if (!failed)
        failed = read_unfit(drain, &unfit);
    if (failed)
        return failed;
    drain->dropped += unfit;
    drain->lost = 0;
    for (uint32_t stripe = 0; !failed && stripe < stripes(drain); stripe++) {
        const uint64_t end = least(drain->counts[stripe].next, room_end(drain, stripe));
        if (end > drain->handed_on[stripe])
            failed = drain_up_to(drain, stripe, end);
        drain->dropped += drain->counts[stripe].dropped;
    }
    drain->dropped += drain->lost;
    return failed;
}
