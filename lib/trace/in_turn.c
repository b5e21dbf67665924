#include "trace/in_turn.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Has cache lines of its own, counting the adjacent one that a processor fetches too, so that no
 * two workers write to the same line and take it from each other. */
struct own_block {
    struct text text;
    char apart[128];
};

struct own_blocks {
    struct own_block **blocks;
    size_t count, used;
    char apart[128];
};

struct in_turn {
    struct trace_writer *writer;
    struct own_blocks *workers;
    unsigned worker_count;
    struct listing *listing;
    uint64_t count, lot;
    const struct text **coded; /* by number; NULL if not there yet */
    size_t room;
    char apart[128];
    bool writes; /* a worker is writing; only it uses the rest */
    uint64_t written;
    int failed; /* the first errno value of a write */
};

struct in_turn *in_turn_new(struct trace_writer *writer, unsigned workers) {
    struct in_turn *turn = memory_zeroed(1, sizeof(*turn));
    turn->writer = writer;
    turn->worker_count = workers;
    turn->workers = memory_zeroed(workers, sizeof(turn->workers[0]));
    return turn;
}

void in_turn_release(struct in_turn *turn) {
    if (!turn)
        return;
    for (unsigned i = 0; i < turn->worker_count; i++) {
        struct own_blocks *own = &turn->workers[i];
        for (size_t block = 0; block < own->count; block++) {
            text_release(&own->blocks[block]->text);
            free(own->blocks[block]);
        }
        free(own->blocks);
    }
    free(turn->workers);
    free(turn->coded);
    free(turn);
}

void in_turn_begin(struct in_turn *turn, struct listing *listing, uint64_t count, uint64_t lot) {
    if (count > turn->room) {
        turn->coded = memory_grow(turn->coded, (size_t)count, sizeof(turn->coded[0]));
        turn->room = (size_t)count;
    }
    if (count > 0)
        memset(turn->coded, 0, (size_t)count * sizeof(turn->coded[0]));
    for (unsigned i = 0; i < turn->worker_count; i++)
        turn->workers[i].used = 0;
    turn->listing = listing;
    turn->count = count;
    turn->lot = lot;
    turn->written = 0;
    turn->failed = 0;
}

struct text *in_turn_buffer(struct in_turn *turn, unsigned worker) {
    struct own_blocks *own = &turn->workers[worker];
    if (own->used == own->count) {
        own->blocks = memory_grow(own->blocks, own->count + 1, sizeof(own->blocks[0]));
        own->blocks[own->count] = memory_zeroed(1, sizeof(struct own_block));
        text_init(&own->blocks[own->count++]->text);
    }
    struct text *text = &own->blocks[own->used++]->text;
    text_clear(text);
    return text;
}

/* The number of blocks that can be written, from the next on. */
static uint64_t count_coded(const struct in_turn *turn) {
    uint64_t count = 0;
    while (turn->written + count < turn->count &&
           __atomic_load_n(&turn->coded[turn->written + count], __ATOMIC_ACQUIRE))
        count++;
    return count;
}

static void write_batches(struct in_turn *turn, uint64_t lot) {
    for (uint64_t count; !turn->failed && (count = count_coded(turn)) >= lot;
         turn->written += count)
        turn->failed =
            writer_put_blocks(turn->writer, turn->listing, turn->coded + turn->written, count);
}

void in_turn_put(struct in_turn *turn, uint64_t number, const struct text *block) {
    __atomic_store_n(&turn->coded[number], block, __ATOMIC_RELEASE);
    /* A block that arrives while the writer finishes waits for the next block, or for the end. */
    if (__atomic_load_n(&turn->writes, __ATOMIC_RELAXED) ||
        __atomic_exchange_n(&turn->writes, true, __ATOMIC_ACQUIRE))
        return;
    write_batches(turn, turn->lot);
    __atomic_store_n(&turn->writes, false, __ATOMIC_RELEASE);
}

int in_turn_end(struct in_turn *turn) {
    write_batches(turn, 1);
    return turn->failed;
}
