/*
 * memory_guess.c - plain reads whose value atomicCAS() verifies. The programming guide's own way to
 * make an atomic operation begins with one: `old = *address; do { assumed = old; old =
 * atomicCAS(address, assumed, ...); } while (assumed != old);`. A stale value costs only one more
 * iteration, so such a read is not a race with the atomic operations of others.
 *
 * An instruction that reads a value which the same thread compares and exchanges next, or nearly
 * next, makes such reads.
 */
#include "cudacpu/observe/memory_state.h"

#define READS_KEPT 4 /* between the read and the exchange a thread may read its operand */

static struct {
    struct {
        uintptr_t address;
        uint32_t begin; /* of the block */
        uint16_t site;
    } last[CPU_BLOCK_THREADS][READS_KEPT];
    uint8_t next[CPU_BLOCK_THREADS];
    uint8_t is_guess[65536 / 8]; /* a bit for each instruction */
} guess;

bool is_guess(uint16_t site) {
    return guess.is_guess[site / 8] >> site % 8 & 1;
}

static void note_read(const struct access *access) {
    const uint32_t thread = cpu_now.lane->thread;
    const unsigned at = guess.next[thread]++ % READS_KEPT;
    guess.last[thread][at].address = access->address;
    guess.last[thread][at].begin = access->clock->begin;
    guess.last[thread][at].site = access->site;
}

static void note_compared(const struct access *access) {
    const uint32_t thread = cpu_now.lane->thread;
    for (unsigned at = 0; at < READS_KEPT; at++) {
        const uint16_t site = guess.last[thread][at].site;
        if (guess.last[thread][at].address != access->address ||
            guess.last[thread][at].begin != access->clock->begin || is_guess(site))
            continue;
        guess.is_guess[site / 8] |= (uint8_t)(1 << site % 8);
        forget_races_of(site);
    }
}

void guess_note(const struct access *access) {
    if (access->kind == ACCESS_READS)
        note_read(access);
    else if (cpu_now.in_atomic == 2)
        note_compared(access);
}
