#include "base/memory.h"
#include "cudacpu/observe/memory_state.h"

#include <stdlib.h>
#include <string.h>

static uint32_t tick(void) {
    if (check.now < UINT32_MAX - 1)
        return check.now++;
    check.on = false; /* enough for four thousand million barriers */
    check.head->left_out = 1;
    return check.now;
}

struct block_clock *clock_of(uint32_t block) {
    struct block_clock **at = &check.blocks;
    while (*at && (*at)->block != block)
        at = &(*at)->next;
    struct block_clock *found = *at;
    if (found && at != &check.blocks) {
        *at = found->next;
        found->next = check.blocks;
        check.blocks = found;
    }
    return found;
}

void clock_launch(void) {
    settle();
    names_launched();
    check.launch = tick();
    while (check.blocks && check.blocks->next) { /* one is kept for the next block */
        struct block_clock *gone = check.blocks;
        check.blocks = gone->next;
        free(gone->known);
        free(gone->acquired);
        free(gone->released);
        free(gone);
    }
    if (check.blocks)
        check.blocks->block = UINT32_MAX;
}

void clock_block(void) {
    const struct cpu_device *device = cpu_device_in_use();
    settle();
    skipped_begin(device->thread_count);
    struct block_clock *clock = clock_of((uint32_t)device->block);
    if (!clock && !device->waiting) /* the last block's is free */
        clock = check.blocks;
    if (!clock) {
        clock = memory_zeroed(1, sizeof *clock);
        clock->known = memory_zeroed((size_t)CPU_BLOCK_THREADS * CPU_WARP_LANES, sizeof(uint32_t));
        clock->acquired = memory_zeroed(CPU_BLOCK_THREADS, sizeof(uint32_t));
        clock->released = memory_zeroed(CPU_BLOCK_THREADS, sizeof(uint32_t));
        clock->next = check.blocks;
        check.blocks = clock;
    }
    clock->block = (uint32_t)device->block;
    clock->begin = clock->barrier = tick(); /* `known` of an earlier block is older than that */
    memset(clock->acquired, 0, device->thread_count * sizeof(uint32_t));
    memset(clock->released, 0, device->thread_count * sizeof(uint32_t));
    check.dynamic.end = check.dynamic.start + device->shared_bytes;
}

static uint32_t most_of(const uint32_t *values, unsigned count) {
    uint32_t most = 0;
    for (unsigned i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

static void set_all(uint32_t *values, unsigned count, uint32_t value) {
    for (unsigned i = 0; i < count; i++)
        values[i] = value;
}

/* The barrier's threads came from different source locations, or some have left the kernel. */
static void barrier_divergence(void) {
    const struct cpu_device *device = cpu_device_in_use();
    const struct shflviz_site *first = NULL, *other = NULL;
    uint32_t exited = 0, lanes = 0, first_thread = 0, other_thread = 0;
    for (unsigned w = 0; w < device->warp_count; w++) {
        const struct cpu_warp *warp = &device->warps[w];
        exited += (uint32_t)__builtin_popcount(warp->exited);
        for (uint32_t left = warp->at_barrier; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            const struct shflviz_site *site = warp->barrier_site[lane];
            if (!first) {
                first = site;
                first_thread = w * CPU_WARP_LANES + lane;
            }
            if (w == first_thread / CPU_WARP_LANES && site == first)
                lanes |= UINT32_C(1) << lane;
            if (!other && site != first &&
                (site->line != first->line || strcmp(site->file, first->file) != 0)) {
                other = site;
                other_thread = w * CPU_WARP_LANES + lane;
            }
        }
    }
    if (!first || (!other && !exited))
        return;
    struct access_entry found = finding_here(ACCESS_BARRIER_DIVERGENCE);
    found.me.thread = first_thread;
    found.lanes = lanes;
    found.exited = exited;
    found.line = first->line;
    strncpy(found.file, first->file, sizeof found.file - 1);
    if (other) {
        found.other = (struct access_party){.block = found.me.block, .thread = other_thread};
        found.other_line = other->line;
        strncpy(found.other_file, other->file, sizeof found.other_file - 1);
    }
    add_finding(&found);
}

void clock_barrier(void) {
    const struct cpu_device *device = cpu_device_in_use();
    struct block_clock *clock = clock_of((uint32_t)device->block);
    settle();
    if (cpu_is_lane())
        barrier_divergence();
    clock->barrier = tick();
    set_all(clock->acquired, device->thread_count, most_of(clock->acquired, device->thread_count));
    set_all(clock->released, device->thread_count, most_of(clock->released, device->thread_count));
}

void clock_grid_barrier(void) {
    settle();
    check.launch = tick();
}

void clock_joined(const struct cpu_warp *warp, uint32_t lanes) {
    struct block_clock *clock = clock_of((uint32_t)cpu_device_in_use()->block);
    const size_t first = (size_t)warp->index * CPU_WARP_LANES;
    uint32_t(*known)[CPU_WARP_LANES] = (uint32_t(*)[CPU_WARP_LANES])clock->known + first;
    uint32_t most[CPU_WARP_LANES] = {0}, acquired = 0, released = 0;
    settle();
    const uint32_t time = tick();
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned other = 0; other < CPU_WARP_LANES; other++)
            most[other] = known[lane][other] > most[other] ? known[lane][other] : most[other];
        most[lane] = time;
        acquired =
            clock->acquired[first + lane] > acquired ? clock->acquired[first + lane] : acquired;
        released =
            clock->released[first + lane] > released ? clock->released[first + lane] : released;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned other = 0; other < CPU_WARP_LANES; other++)
            known[lane][other] = most[other];
        for (uint32_t met = lanes; met; met &= met - 1)
            known[lane][__builtin_ctz(met)] = time;
        clock->acquired[first + lane] = acquired;
        clock->released[first + lane] = released;
    }
}

void clock_fence(void) {
    struct block_clock *clock = clock_of((uint32_t)cpu_device_in_use()->block);
    settle();
    clock->released[cpu_now.lane->thread] = tick();
}

/* The slot of the location's time; NULL if there is none and none is to be made. */
static uint32_t *sync_time(uintptr_t address, bool make) {
    if (check.sync.capacity == 0 && !make)
        return NULL;
    if (2 * check.sync.count >= check.sync.capacity && make) {
        size_t before = check.sync.capacity;
        uintptr_t *addresses = check.sync.address;
        uint32_t *times = check.sync.time;
        check.sync.capacity = before ? 2 * before : 64;
        check.sync.address = memory_zeroed(check.sync.capacity, sizeof *addresses);
        check.sync.time = memory_zeroed(check.sync.capacity, sizeof *times);
        check.sync.count = 0;
        for (size_t i = 0; i < before; i++)
            if (addresses[i])
                *sync_time(addresses[i], true) = times[i];
        free(addresses);
        free(times);
    }
    size_t at = address * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (check.sync.capacity - 1);
    while (check.sync.address[at] && check.sync.address[at] != address)
        at = (at + 1) & (check.sync.capacity - 1);
    if (!check.sync.address[at]) {
        if (!make)
            return NULL;
        check.sync.address[at] = address;
        check.sync.count++;
    }
    return &check.sync.time[at];
}

static void hear(const struct block_clock *clock, uintptr_t address) {
    const uint32_t thread = cpu_now.lane->thread;
    const uint32_t *heard = sync_time(address, false);
    if (heard && *heard > clock->acquired[thread])
        clock->acquired[thread] = *heard;
}

static void tell(const struct block_clock *clock, uintptr_t address) {
    const uint32_t thread = cpu_now.lane->thread;
    uint32_t told = clock->released[thread];
    if (clock->acquired[thread] > told && told) /* it passes on what it has learned */
        told = clock->acquired[thread];
    if (told) {
        uint32_t *time = sync_time(address, true);
        *time = told > *time ? told : *time;
    }
}

static struct flag *flag_at(uintptr_t address) {
    return &check.flags[address * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static uint64_t bit_of(uint32_t block) {
    return UINT64_C(1) << block % 64;
}

/* An access that publishes, or learns, what was before a fence. */
void synchronise(struct block_clock *clock, const struct access *access) {
    const uintptr_t address = access->address;
    struct flag *flag = flag_at(address);
    hear(clock, address);
    if (flag->address == address && flag->blocks & ~bit_of(clock->block))
        clock->heard = *flag;
    if (!(access->kind & ACCESS_WRITES))
        return;
    tell(clock, address);
    if (flag->address != address || flag->time <= check.launch)
        *flag = (struct flag){.address = address};
    flag->blocks |= bit_of(clock->block);
    flag->time = check.now;
    flag->place = access->place;
}

uint16_t clock_flag(const struct mark *mark, const struct block_clock *clock) {
    const struct flag *heard = &clock->heard;
    const bool is_told = mark->block != clock->block && heard->time > check.launch &&
                         heard->time >= mark->time && heard->blocks & bit_of(mark->block);
    return is_told ? heard->place : 0;
}

/* As if it were a flag that every arriving thread sets after a fence, and every leaving one has
 * read. */
void clock_named(const struct cpu_named_barrier *barrier, bool goes_on) {
    const struct block_clock *clock = clock_of((uint32_t)cpu_device_in_use()->block);
    if (goes_on) {
        hear(clock, (uintptr_t)barrier);
        return;
    }
    clock_fence();
    tell(clock, (uintptr_t)barrier);
}

bool is_ordered(const struct mark *mark, const struct block_clock *clock,
                const struct region *region) {
    const struct cpu_lane *lane = cpu_now.lane;
    if (mark->block != clock->block && region->memory != ACCESS_GLOBAL)
        return true; /* another block has different shared memory */
    if (mark->time <= check.launch || mark->time <= clock->acquired[lane->thread])
        return true;
    if (mark->block != clock->block)
        return false;
    if (mark->thread == lane->thread || mark->time <= clock->barrier)
        return true;
    return mark->thread / CPU_WARP_LANES == lane->thread / CPU_WARP_LANES &&
           mark->time <=
               clock->known[(size_t)lane->thread * CPU_WARP_LANES + mark->thread % CPU_WARP_LANES];
}
