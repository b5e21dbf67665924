#include "device/gpu/drain.h"

/* Many small chunks go round more often, few large ones are copied faster. */
#define CHUNKS_WANTED_LOG2 4
#define CHUNK_MOST_LOG2    15

static uint32_t log2_floor(uint64_t n) {
    uint32_t log2 = 0;
    while (n >>= 1)
        log2++;
    return log2;
}

struct ring_shape ring_shape(uint64_t budget, unsigned value_bytes) {
    const uint64_t record = SHFLVIZ_RECORD_SIZE(value_bytes);
    uint64_t places = budget / record;
    if (places < 1u << CHUNKS_WANTED_LOG2)
        places = 1u << CHUNKS_WANTED_LOG2;
    uint32_t all = log2_floor(places), chunk = all - CHUNKS_WANTED_LOG2;
    if (chunk > CHUNK_MOST_LOG2)
        chunk = CHUNK_MOST_LOG2;
    uint32_t chunks = all - chunk, most = log2_floor(SHFLVIZ_RING_CHUNKS_MAX);
    if (chunks > most)
        chunks = most;
    return (struct ring_shape){.chunks_log2 = chunks,
                               .chunk_log2 = chunk,
                               .chunk_bytes = (size_t)(record << chunk),
                               .bytes = (size_t)(record << (chunk + chunks))};
}

static size_t record_bytes(const struct drain *drain) {
    return SHFLVIZ_RECORD_SIZE(drain->ring.value_bytes);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* ---- the early records --------------------------------------------------------------------------
 */

static bool early_is_whole(const struct drain *drain, uint64_t ticket) {
    const unsigned char *record = drain->early + ticket * record_bytes(drain);
    return ring_load((const uint64_t *)(const void *)record) == ticket + 1;
}

/* Hands on those that are whole, up to the first that is not. */
static int drain_early(struct drain *drain) {
    uint64_t end = drain->delivered;
    while (end < drain->ring.early_records && early_is_whole(drain, end))
        end++;
    size_t count = (size_t)(end - drain->delivered);
    int failed = count ? drain->does.early(drain->does.context, drain->delivered, count) : 0;
    drain->delivered = end;
    return failed;
}

/* ---- chunks ------------------------------------------------------------------------------------
 */

static uint64_t chunk_of(const struct drain *drain, uint64_t ticket) {
    return (ticket - drain->ring.early_records) >> drain->ring.chunk_log2;
}

static uint64_t chunk_end(const struct drain *drain, uint64_t chunk) {
    return drain->ring.early_records + ((chunk + 1) << drain->ring.chunk_log2);
}

/* Hands on the records from drain->delivered to `end`, which lie in one chunk. */
static int drain_part(struct drain *drain, uint64_t end) {
    const struct shflviz_ring *ring = &drain->ring;
    uint64_t number = drain->delivered - ring->early_records;
    uint64_t place = number & ((UINT64_C(1) << (ring->chunks_log2 + ring->chunk_log2)) - 1);
    size_t count = (size_t)(end - drain->delivered);
    void *room = drain->does.room(drain->does.context);
    if (!room)
        return -1;
    int failed =
        drain->does.read(drain->does.context, room, ring->records + place * record_bytes(drain),
                         count * record_bytes(drain));
    if (!failed)
        failed = drain->does.deliver(drain->does.context, room, drain->delivered, count);
    if (failed)
        return failed;
    uint64_t chunk = chunk_of(drain, drain->delivered);
    drain->delivered = end;
    if (end == chunk_end(drain, chunk) && drain->host)
        ring_store(&drain->host->freed, chunk + 1);
    return 0;
}

int drain_ready(struct drain *drain, uint64_t *count) {
    uint64_t before = drain->delivered;
    int failed = 0;
    if (!drain->host)
        return 0;
    if (drain->delivered < drain->ring.early_records)
        failed = drain_early(drain);
    while (!failed && drain->delivered >= drain->ring.early_records) {
        uint64_t chunk = chunk_of(drain, drain->delivered);
        uint64_t index = chunk & (ring_chunks(&drain->ring) - 1);
        if (ring_load(&drain->host->ready[index]) != chunk + 1)
            break;
        failed = drain_part(drain, chunk_end(drain, chunk));
    }
    if (count)
        *count += drain->delivered - before;
    return failed;
}

/* Hands on everything up to `end`, whole or not. */
static int drain_up_to(struct drain *drain, uint64_t end) {
    int failed = 0;
    uint64_t early_end = least(end, drain->ring.early_records);
    if (drain->delivered < early_end) {
        failed = drain->does.early(drain->does.context, drain->delivered,
                                   (size_t)(early_end - drain->delivered));
        drain->delivered = early_end;
    }
    while (!failed && drain->delivered < end)
        failed = drain_part(drain, least(end, chunk_end(drain, chunk_of(drain, drain->delivered))));
    return failed;
}

/* The first ticket that could not be served: without waiting, what was free at the launch ends. */
static uint64_t room_end(const struct drain *drain) {
    const struct shflviz_ring *ring = &drain->ring;
    uint64_t end = ring->limit;
    if (!ring->waits)
        end = least(end, ring->early_records + (ring->room << ring->chunk_log2));
    return end;
}

static int read_state(const struct drain *drain, uint64_t *next, uint64_t *unfit) {
    uint64_t counts[2];
    int failed =
        drain->does.read(drain->does.context, counts, &drain->ring.state->next, sizeof(counts));
    *next = counts[0];
    *unfit = counts[1];
    return failed;
}

int drain_finish(struct drain *drain) {
    uint64_t next, unfit;
    int failed = read_state(drain, &next, &unfit);
    if (failed)
        return failed;
    uint64_t end = least(next, room_end(drain));
    if (drain->host && ring_load(&drain->host->closed))
        end = drain->delivered; /* nobody takes the others */
    if (end > drain->delivered)
        failed = drain_up_to(drain, end);
    if (failed)
        return failed;
    /* The tickets that were dropped are counted here and given out anew; so are the others. */
    const uint64_t counts[2] = {end, 0};
    drain->dropped += next - end + unfit;
    if (next != end || unfit)
        failed = drain->does.write(drain->does.context, &drain->ring.state->next, counts,
                                   sizeof(counts));
    if (end >= drain->ring.early_records)
        drain->ring.room = chunk_of(drain, end) + ring_chunks(&drain->ring);
    return failed;
}

int drain_salvage(struct drain *drain) {
    uint64_t next, unfit;
    int failed = drain_ready(drain, NULL);
    if (!failed)
        failed = read_state(drain, &next, &unfit);
    if (failed)
        return failed;
    uint64_t end = least(next, room_end(drain));
    uint64_t window = drain->delivered;
    if (window >= drain->ring.early_records)
        window = chunk_end(drain, chunk_of(drain, window)) +
                 ((ring_chunks(&drain->ring) - 1) << drain->ring.chunk_log2);
    else
        window = drain->ring.early_records + (ring_chunks(&drain->ring) << drain->ring.chunk_log2);
    end = least(end, window);
    drain->dropped += next - end + unfit;
    return end > drain->delivered ? drain_up_to(drain, end) : 0;
}
