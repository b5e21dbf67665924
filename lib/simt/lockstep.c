/*
 * lockstep.c - lanes of a warp keep step at volatile accesses and at printf().
 *
 * Programs from before __syncwarp() rely on the lanes of a warp to make each access together
 * ("unroll the last warp" of a sum in shared memory). No rule guarantees that, but a GPU does it.
 * So a lane stops before each volatile access until no lane of its warp can continue by itself;
 * then those at the lowest address of the program continue, which keeps lanes in a loop together
 * while those after it wait.
 *
 * printf() is treated the same way: the lanes that call it together print one after the other, and
 * only then continue with the next statement, as on a GPU.
 *
 * A lane that finds the same value as before, at the same address, spins: it waits for another
 * lane. It continues only when no other lane can, so that the lane it waits for gets to run.
 */
#include "simt/device_state.h"

#include "base/memory.h"

#include <string.h>

/* Repeated reads before a lane counts as spinning. */
#define SPINS 8

static uint64_t value_at(const void *address, size_t size) {
    uint64_t value = 0;
    memcpy(&value, address, size < sizeof value ? size : sizeof value);
    return value;
}

/* True if the lane found the same value there a moment ago; if not, the value is remembered. */
static bool has_read(struct cpu_reads *reads, const void *pc, const void *address, uint64_t value) {
    for (unsigned i = 0; i < CPU_LAST_READS && i < reads->next; i++)
        if (reads->last[i].pc == pc && reads->last[i].address == address) {
            if (reads->last[i].value == value)
                return true;
            reads->last[i].value = value;
            return false;
        }
    unsigned at = reads->next++ % CPU_LAST_READS;
    reads->last[at].pc = pc;
    reads->last[at].address = address;
    reads->last[at].value = value;
    return false;
}

void lockstep_note(struct cpu_device *device, const struct cpu_lane *me, const void *pc) {
    if (!device->reads)
        device->reads = memory_zeroed(CPU_BLOCK_THREADS, sizeof *device->reads);
    device->reads[me->thread].pc = pc;
}

void lockstep_enter(struct cpu_device *device, struct cpu_lane *me, const void *pc,
                    const void *address, size_t size, bool writes) {
    lockstep_note(device, me, pc);
    struct cpu_reads *reads = &device->reads[me->thread];
    me->warp->yielding |= me->bit;
    if (!writes && has_read(reads, pc, address, value_at(address, size))) {
        reads->repeated++;
        device->unchanged += reads->repeated > SPINS;
        return;
    }
    reads->repeated = 0;
    device->unchanged = 0;
    device->changes += writes;
    if (writes)
        reads->next = 0; /* earlier reads no longer count */
}

void lockstep_wait(struct cpu_device *device, struct cpu_lane *me, const void *pc) {
    if (!device->reads)
        device->reads = memory_zeroed(CPU_BLOCK_THREADS, sizeof *device->reads);
    device->reads[me->thread].pc = pc;
    me->warp->yielding |= me->bit;
}

bool lockstep_release(struct cpu_device *device, struct cpu_warp *warp, bool spinning) {
    const struct cpu_reads *reads = device->reads + (size_t)warp->index * CPU_WARP_LANES;
    uintptr_t lowest = UINTPTR_MAX;
    uint32_t group = 0;
    if (spinning)
        group = warp->yielding;
    for (uint32_t left = spinning ? 0 : warp->yielding; left; left &= left - 1) {
        const struct cpu_reads *lane = &reads[__builtin_ctz(left)];
        if (lane->repeated > SPINS || (uintptr_t)lane->pc > lowest)
            continue;
        group = (uintptr_t)lane->pc < lowest ? left & -left : group | (left & -left);
        lowest = (uintptr_t)lane->pc;
    }
    warp->yielding &= ~group;
    warp->ready |= group;
    warp->released = group;
    warp->release++;
    return group != 0;
}
