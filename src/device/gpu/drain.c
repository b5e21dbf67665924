#include "device/gpu/drain.h"

#include <string.h>

/* Many small chunks go round more often and serve more stripes, few large ones are copied faster.
 */
#define CHUNKS_WANTED_LOG2 8
#define CHUNKS_LEAST_LOG2  4
#define CHUNK_LEAST_LOG2   6 /* if that leaves CHUNKS_LEAST */
#define CHUNK_MOST_LOG2    15

static uint32_t log2_floor(uint64_t n) {
    uint32_t log2 = 0;
    while (n >>= 1)
        log2++;
    return log2;
}

static uint32_t least_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

struct ring_shape ring_shape(uint64_t budget, unsigned value_bytes) {
    const uint64_t record = SHFLVIZ_RECORD_SIZE(value_bytes);
    uint64_t places = budget / record;
    if (places < 1u << CHUNKS_LEAST_LOG2)
        places = 1u << CHUNKS_LEAST_LOG2;
    uint32_t all = log2_floor(places);
    uint32_t chunk = all > CHUNKS_WANTED_LOG2 ? all - CHUNKS_WANTED_LOG2 : 0;
    uint32_t least = least_of(CHUNK_LEAST_LOG2, all - CHUNKS_LEAST_LOG2);
    chunk = least_of(chunk > least ? chunk : least, CHUNK_MOST_LOG2);
    uint32_t chunks = least_of(all - chunk, log2_floor(SHFLVIZ_RING_CHUNKS_MAX));
    return (struct ring_shape){.chunks_log2 = chunks,
                               .chunk_log2 = chunk,
                               .chunk_bytes = (size_t)(record << chunk),
                               .bytes = (size_t)(record << (chunk + chunks))};
}

/* A launch of fewer blocks has one stripe: it is small, and all of its early records are kept if it
 * dies. */
#define STRIPE_BLOCKS_LOG2 4
/* Enough that a copy of one leaves room to write in the others. */
#define STRIPE_CHUNKS_LOG2 2

uint32_t ring_stripes_log2(const struct shflviz_ring *ring, uint64_t blocks) {
    uint32_t log2 =
        least_of(log2_floor(blocks >> STRIPE_BLOCKS_LOG2), log2_floor(SHFLVIZ_RING_STRIPES_MAX));
    uint32_t most =
        ring->chunks_log2 > STRIPE_CHUNKS_LOG2 ? ring->chunks_log2 - STRIPE_CHUNKS_LOG2 : 0;
    return ring->limit == UINT64_MAX ? least_of(log2, most) : 0; /* one counter keeps a limit */
}

static size_t record_bytes(const struct drain *drain) {
    return SHFLVIZ_RECORD_SIZE(drain->ring.value_bytes);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint32_t stripes(const struct drain *drain) {
    return 1u << drain->ring.stripes_log2;
}

int drain_begin(struct drain *drain, uint64_t blocks) {
    struct shflviz_ring *ring = &drain->ring;
    static const struct shflviz_ring_state empty;
    ring->stripes_log2 = ring_stripes_log2(ring, blocks);
    ring_prepare(ring);
    memset(drain->handed_on, 0, sizeof drain->handed_on);
    if (drain->host) {
        memset(drain->host->ready, 0, sizeof drain->host->ready);
        memset(drain->host->freed, 0, sizeof drain->host->freed);
    }
    return drain->does.write(drain->does.context, ring->state, &empty,
                             offsetof(struct shflviz_ring_state, sites));
}

/* ---- the early records ---- */

static bool early_is_whole(const struct drain *drain, uint64_t number) {
    uint64_t place = drain->ring.early_before + number;
    const unsigned char *record = drain->early + place * record_bytes(drain);
    return ring_load((const uint64_t *)(const void *)record) == place + 1;
}

/* Hands on those of stripe 0 up to `end`. */
static int drain_early(struct drain *drain, uint64_t end) {
    uint64_t *from = &drain->handed_on[0];
    size_t count = (size_t)(end - *from);
    int failed =
        count ? drain->does.early(drain->does.context, drain->ring.early_before + *from, count) : 0;
    drain->delivered += count;
    *from = end;
    return failed;
}

/* Those that are whole, up to the first that is not. */
static int drain_whole_early(struct drain *drain) {
    uint64_t end = drain->handed_on[0];
    while (end < drain->ring.early_records && early_is_whole(drain, end))
        end++;
    return drain_early(drain, end);
}

/* ---- chunks ---- */

static uint64_t chunk_of(const struct drain *drain, uint32_t stripe, uint64_t number) {
    return (number - ring_early(&drain->ring, stripe)) >> drain->ring.chunk_log2;
}

static uint64_t chunk_end(const struct drain *drain, uint32_t stripe, uint64_t chunk) {
    return ring_early(&drain->ring, stripe) + ((chunk + 1) << drain->ring.chunk_log2);
}

/* Hands on the records of a stripe up to `end`; they lie in one chunk. */
static int drain_part(struct drain *drain, uint32_t stripe, uint64_t end) {
    const struct shflviz_ring *ring = &drain->ring;
    uint64_t *from = &drain->handed_on[stripe];
    uint64_t number = *from - ring_early(ring, stripe);
    uint32_t places_log2 = ring->chunks_log2 - ring->stripes_log2 + ring->chunk_log2;
    uint64_t place =
        ((uint64_t)stripe << places_log2) + (number & ((UINT64_C(1) << places_log2) - 1));
    size_t count = (size_t)(end - *from);
    void *room = drain->does.room(drain->does.context);
    if (!room)
        return -1;
    int failed =
        drain->does.read(drain->does.context, room, ring->records + place * record_bytes(drain),
                         count * record_bytes(drain));
    if (!failed)
        failed = drain->does.deliver(drain->does.context, room, ring->base + *from, count);
    if (failed)
        return failed;
    uint64_t chunk = chunk_of(drain, stripe, *from);
    *from = end;
    drain->delivered += count;
    if (end == chunk_end(drain, stripe, chunk) && drain->host)
        ring_store(&drain->host->freed[stripe], chunk + 1);
    return 0;
}

static int drain_ready_chunk(struct drain *drain, uint32_t stripe) {
    uint64_t chunk = chunk_of(drain, stripe, drain->handed_on[stripe]);
    uint32_t index = ring_chunk_index(&drain->ring, stripe, chunk);
    if (ring_load(&drain->host->ready[index]) != chunk + 1)
        return 0;
    return drain_part(drain, stripe, chunk_end(drain, stripe, chunk));
}

int drain_ready(struct drain *drain, uint64_t *count) {
    uint64_t before = drain->delivered;
    int failed = 0;
    if (!drain->host)
        return 0;
    if (drain->handed_on[0] < drain->ring.early_records)
        failed = drain_whole_early(drain);
    for (uint32_t stripe = 0; !failed && stripe < stripes(drain); stripe++)
        if (drain->handed_on[stripe] >= ring_early(&drain->ring, stripe))
            failed = drain_ready_chunk(drain, stripe);
    if (count)
        *count += drain->delivered - before;
    return failed;
}

/* Hands on everything of a stripe up to `end`, whole or not. */
static int drain_up_to(struct drain *drain, uint32_t stripe, uint64_t end) {
    const uint64_t *from = &drain->handed_on[stripe];
    uint64_t early_end = least(end, ring_early(&drain->ring, stripe));
    int failed = *from < early_end ? drain_early(drain, early_end) : 0;
    while (!failed && *from < end)
        failed = drain_part(drain, stripe,
                            least(end, chunk_end(drain, stripe, chunk_of(drain, stripe, *from))));
    return failed;
}

/* The first number of a stripe that could not be served: without waiting, what was free at the
 * launch ends. */
static uint64_t room_end(const struct drain *drain, uint32_t stripe) {
    const struct shflviz_ring *ring = &drain->ring;
    uint64_t end = ring->limit;
    if (!ring->waits)
        end = least(end,
                    ring_early(ring, stripe) + ((uint64_t)ring_chunks(ring) << ring->chunk_log2));
    return end;
}

static int read_counts(const struct drain *drain,
                       struct shflviz_ring_stripe counts[SHFLVIZ_RING_STRIPES_MAX],
                       uint64_t *unfit) {
    const struct shflviz_ring_state *state = drain->ring.state;
    int failed = drain->does.read(drain->does.context, counts, state->stripe,
                                  stripes(drain) * sizeof *counts);
    if (!failed)
        failed = drain->does.read(drain->does.context, unfit, &state->unfit, sizeof *unfit);
    return failed;
}

int drain_finish(struct drain *drain) {
    struct shflviz_ring_stripe counts[SHFLVIZ_RING_STRIPES_MAX];
    uint64_t unfit, most = 0, early = 0;
    int failed = read_counts(drain, counts, &unfit);
    const bool closed = drain->host && ring_load(&drain->host->closed);
    for (uint32_t stripe = 0; !failed && stripe < stripes(drain); stripe++) {
        const uint64_t next = counts[stripe].next;
        uint64_t end = least(next, room_end(drain, stripe));
        if (closed)
            end = drain->handed_on[stripe]; /* nobody takes the others */
        if (end > drain->handed_on[stripe])
            failed = drain_up_to(drain, stripe, end);
        drain->dropped += next - end;
        most = next > most ? next : most;
        if (stripe == 0)
            early = least(next, drain->ring.early_records);
    }
    if (failed)
        return failed;
    drain->dropped += unfit;
    drain->ring.base += most;
    drain->ring.early_before += early;
    drain->ring.early_records -= early;
    drain->ring.early += early * record_bytes(drain);
    if (drain->ring.limit != UINT64_MAX)
        drain->ring.limit -= least(drain->ring.limit, counts[0].next);
    return 0;
}

int drain_salvage(struct drain *drain) {
    struct shflviz_ring_stripe counts[SHFLVIZ_RING_STRIPES_MAX];
    const struct shflviz_ring *ring = &drain->ring;
    uint64_t unfit, count = 1;
    int failed = 0;
    /* Whole chunks first: that makes room for waiting warps. Not for ever: the kernel may go on
     * recording. */
    for (uint32_t round = 0; !failed && count && round < ring_chunks(ring); round++) {
        count = 0;
        failed = drain_ready(drain, &count);
    }
    if (!failed)
        failed = read_counts(drain, counts, &unfit);
    if (failed)
        return failed;
    drain->dropped += unfit;
    for (uint32_t stripe = 0; !failed && stripe < stripes(drain); stripe++) {
        const uint64_t next = counts[stripe].next, early = ring_early(ring, stripe);
        uint64_t from = drain->handed_on[stripe];
        uint64_t chunk = from >= early ? chunk_of(drain, stripe, from) : 0;
        uint64_t window = early + ((chunk + ring_chunks(ring)) << ring->chunk_log2);
        uint64_t end = least(least(next, room_end(drain, stripe)), window);
        drain->dropped += next - end;
        if (end > from)
            failed = drain_up_to(drain, stripe, end);
    }
    return failed;
}
