#include "device/own/memory_check.h"

#include "base/memory.h"
#include "device/cpu/device_state.h"
#include "device/own/access_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Shadow memory beyond this is not taken: allocations made then are watched for their bounds only.
 */
#define SHADOW_MOST (UINT64_C(4) << 30)
#define GRANULE     4            /* bytes that share a cell */
#define LOCAL_REACH (128 * 1024) /* of a lane's stack above the frame that accesses it */
#define MARGIN      4096         /* around an allocation, where an access has missed it */

/* An access that has been made. */
struct mark {
    uint32_t time; /* 0: none */
    uint32_t block;
    uint16_t thread, place;
};

/* What is known of GRANULE bytes. Masks have a bit for each byte, and ATOMIC or VOLATILE. */
struct cell {
    struct mark write, read[2]; /* reads that nothing orders, of two lanes */
    uint8_t write_mask, read_mask[2], written;
};
enum { BYTES = 15, ATOMIC = 16 };

struct region {
    uintptr_t start, end;
    struct cell *cells; /* NULL: bounds alone are watched */
    size_t mapped;      /* bytes of cells */
    enum access_memory memory;
    bool written; /* all of it, from the beginning */
};

/* A block whose lanes run. */
struct block_clock {
    struct block_clock *next;
    uint32_t block;
    uint32_t barrier; /* accesses of the block until then are ordered before all that follow */
    uint32_t begin;
    uint32_t *known;    /* [warp][lane][other lane of the warp]: its accesses until then */
    uint32_t *acquired; /* [thread]: everybody's accesses until then */
    uint32_t *released; /* [thread]: the last fence that covers the thread */
};

static struct {
    bool on;
    uint32_t now, launch;
    struct region *regions; /* allocations, live and freed, by address */
    size_t region_count, region_capacity, last;
    struct region image, statics, dynamic;
    uint64_t shadow;
    struct block_clock *blocks; /* the one that runs first */
    struct access_head *head;
    struct access_entry *entries;
    uintptr_t base; /* of the executable */

    const void *places[65536]; /* by number; 0 is none */
    uint32_t place_count;
    uint16_t place_slots[131072]; /* numbers, by hash of the address */

    struct { /* locations by which lanes told each other: address, time of the fence */
        uintptr_t *address;
        uint32_t *time;
        size_t count, capacity;
    } sync;

    struct { /* a write over a write that nothing orders: none if the value is the same */
        bool is;
        struct access_entry entry;
        uintptr_t address;
        uint8_t old[16];
    } pending;
    uintptr_t page_known[1024]; /* pages that can be read */
} check;

extern char __executable_start[] __attribute__((weak));
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));
extern char *const cpu_shared_sections[][2] __attribute__((weak));

/* ---- places in the program ---- */

static uint16_t place_number(const void *pc) {
    size_t at = ((uintptr_t)pc * UINT64_C(0x9e3779b97f4a7c15)) >> 47;
    while (check.place_slots[at]) {
        if (check.places[check.place_slots[at]] == pc)
            return check.place_slots[at];
        at = (at + 1) % (sizeof check.place_slots / sizeof check.place_slots[0]);
    }
    if (check.place_count >= 65535)
        return 0;
    check.places[++check.place_count] = pc;
    check.place_slots[at] = (uint16_t)check.place_count;
    return (uint16_t)check.place_count;
}

static uint64_t place_offset(uint16_t place) {
    return place ? (uintptr_t)check.places[place] - check.base : 0;
}

/* ---- what is found ---- */

static bool same_finding(const struct access_entry *a, const struct access_entry *b) {
    return a->rule == b->rule && a->me.pc == b->me.pc && a->other.pc == b->other.pc &&
           a->line == b->line && a->other_line == b->other_line && a->memory == b->memory;
}

static void add_finding(const struct access_entry *found) {
    for (uint32_t i = 0; i < check.head->count; i++) {
        struct access_entry *entry = &check.entries[i];
        if (!same_finding(entry, found))
            continue;
        entry->count++;
        if (entry->launch == found->launch && entry->me.block == found->me.block &&
            entry->me.thread / CPU_WARP_LANES == found->me.thread / CPU_WARP_LANES)
            entry->lanes |= found->lanes;
        return;
    }
    if (check.head->count == ACCESS_ENTRIES) {
        check.head->more++;
        return;
    }
    check.entries[check.head->count] = *found;
    check.entries[check.head->count++].count = 1;
}

/* A finding about the running lane, to be completed. */
static struct access_entry finding_here(enum access_rule rule) {
    const struct cpu_device *device = cpu_now.device;
    uint64_t first = device->options.sink ? device->options.sink->first_sequence : 0;
    return (struct access_entry){.rule = rule,
                                 .me = {.block = device->block, .thread = cpu_now.lane->thread},
                                 .step = device->sequence - first,
                                 .launch = device->launch,
                                 .lanes = cpu_now.lane->bit};
}

static void settle(void) {
    if (!check.pending.is)
        return;
    check.pending.is = false;
    if (memcmp((const void *)check.pending.address, check.pending.old, check.pending.entry.bytes) !=
        0)
        add_finding(&check.pending.entry);
}

/* ---- memory that is watched ---- */

static void shadow_take(struct region *region) {
    size_t cells = (region->end - region->start) / GRANULE + 2;
    uint64_t bytes = (uint64_t)cells * sizeof *region->cells;
    region->cells = NULL;
    if (check.shadow + bytes <= SHADOW_MOST) {
        void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped != MAP_FAILED) {
            region->cells = mapped;
            region->mapped = bytes;
            check.shadow += bytes;
            return;
        }
    }
    check.head->left_out = 1;
}

static void shadow_drop(struct region *region) {
    if (region->cells) {
        munmap(region->cells, region->mapped);
        check.shadow -= region->mapped;
    }
    region->cells = NULL;
}

static struct cell *cell_of(const struct region *region, uintptr_t address) {
    return &region->cells[address / GRANULE - region->start / GRANULE];
}

/* How many allocations begin at or before the address. */
static size_t regions_until(uintptr_t address) {
    size_t low = 0, high = check.region_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (check.regions[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void region_remove(size_t at) {
    shadow_drop(&check.regions[at]);
    check.region_count--;
    memmove(check.regions + at, check.regions + at + 1,
            (check.region_count - at) * sizeof check.regions[0]);
    check.last = 0;
}

static void observe_allocated(void *memory, size_t size, bool written) {
    uintptr_t start = (uintptr_t)memory;
    size_t at = regions_until(start);
    /* What lay there has been freed. */
    while (at > 0 && check.regions[at - 1].end > start)
        region_remove(--at);
    while (at < check.region_count && check.regions[at].start < start + size)
        region_remove(at);
    if (check.region_count == check.region_capacity) {
        check.region_capacity = check.region_capacity ? 2 * check.region_capacity : 64;
        check.regions = memory_grow(check.regions, check.region_capacity, sizeof check.regions[0]);
    }
    memmove(check.regions + at + 1, check.regions + at,
            (check.region_count - at) * sizeof check.regions[0]);
    check.region_count++;
    check.last = 0;
    check.regions[at] = (struct region){
        .start = start, .end = start + size, .memory = ACCESS_GLOBAL, .written = written};
    shadow_take(&check.regions[at]);
}

static void observe_freed(void *memory) {
    size_t at = regions_until((uintptr_t)memory);
    if (at == 0 || check.regions[at - 1].start != (uintptr_t)memory)
        return;
    shadow_drop(&check.regions[at - 1]);
    check.regions[at - 1].memory = ACCESS_FREED;
}

void memory_check_written(const void *address, size_t size) {
    uintptr_t a = (uintptr_t)address;
    if (!check.on || check.region_count == 0 || a < check.regions[0].start)
        return;
    size_t at = regions_until(a);
    struct region *region = &check.regions[at - 1];
    if (a >= region->end || !region->cells || region->written)
        return;
    uintptr_t end = a + size < region->end ? a + size : region->end;
    if (a == region->start && end == region->end) {
        region->written = true;
        return;
    }
    for (; a < end; a++)
        cell_of(region, a)->written |= (uint8_t)(1 << a % GRANULE);
}

/* ---- order ---- */

static uint32_t tick(void) {
    if (check.now < UINT32_MAX - 1)
        return check.now++;
    check.on = false; /* four thousand million barriers */
    check.head->left_out = 1;
    return check.now;
}

static struct block_clock *clock_of(uint32_t block) {
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

static void observe_launch(void) {
    settle();
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

static void observe_block(void) {
    const struct cpu_device *device = cpu_now.device;
    settle();
    struct block_clock *clock = clock_of((uint32_t)device->block);
    if (!clock) /* blocks run one after another: the last one's is free */
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
    clock->begin = clock->barrier = tick(); /* `known` of the block before is older than that */
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

/* The barrier's threads came from other places, or some have left the kernel. */
static void barrier_divergence(void) {
    const struct cpu_device *device = cpu_now.device;
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

static void observe_barrier(void) {
    const struct cpu_device *device = cpu_now.device;
    struct block_clock *clock = clock_of((uint32_t)device->block);
    settle();
    if (cpu_now.lane)
        barrier_divergence();
    clock->barrier = tick();
    set_all(clock->acquired, device->thread_count, most_of(clock->acquired, device->thread_count));
    set_all(clock->released, device->thread_count, most_of(clock->released, device->thread_count));
}

static void observe_grid_barrier(void) {
    settle();
    check.launch = tick();
}

static void observe_joined(const struct cpu_warp *warp, uint32_t lanes) {
    struct block_clock *clock = clock_of((uint32_t)cpu_now.device->block);
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

static void observe_fence(void) {
    struct block_clock *clock = clock_of((uint32_t)cpu_now.device->block);
    settle();
    clock->released[cpu_now.lane->thread] = tick();
}

/* Where the location's time is kept; NULL if it is not, and shall not be. */
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

/* An access that tells, or hears, what was before a fence. */
static void synchronise(const struct block_clock *clock, uintptr_t address, bool writes) {
    const uint32_t thread = cpu_now.lane->thread;
    const uint32_t *heard = sync_time(address, false);
    if (heard && *heard > clock->acquired[thread])
        clock->acquired[thread] = *heard;
    uint32_t told = clock->released[thread];
    if (clock->acquired[thread] > told && told) /* what it heard it passes on */
        told = clock->acquired[thread];
    if (writes && told) {
        uint32_t *time = sync_time(address, true);
        *time = told > *time ? told : *time;
    }
}

static bool is_ordered(const struct mark *mark, const struct block_clock *clock) {
    const struct cpu_lane *lane = cpu_now.lane;
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

/* ---- accesses ---- */

struct access {
    uintptr_t address;
    size_t size;
    unsigned kind;
    uint16_t place;
    const struct region *region;
    const struct block_clock *clock;
};

static struct access_entry finding_of(enum access_rule rule, const struct access *access) {
    struct access_entry found = finding_here(rule);
    found.me.pc = place_offset(access->place);
    found.me.kind = access->kind;
    found.bytes = (uint32_t)access->size;
    if (access->region) {
        found.memory = access->region->memory;
        found.offset = access->address - access->region->start;
        found.extent = access->region->end - access->region->start;
    }
    return found;
}

static void race(const struct access *access, const struct mark *other, unsigned other_kind) {
    bool shared = access->region->memory != ACCESS_GLOBAL;
    struct access_entry found =
        finding_of(shared ? ACCESS_SHARED_RACE : ACCESS_GLOBAL_RACE, access);
    found.other = (struct access_party){.pc = place_offset(other->place),
                                        .block = other->block,
                                        .thread = other->thread,
                                        .kind = other_kind};
    /* Lanes that all write one value do no harm: whether it is the same is known after the write.
     */
    if ((access->kind & other_kind & ACCESS_WRITES) &&
        !((access->kind | other_kind) & ACCESS_ATOMIC) &&
        access->size <= sizeof check.pending.old) {
        check.pending.is = true;
        check.pending.entry = found;
        check.pending.address = access->address;
        memcpy(check.pending.old, (const void *)access->address, access->size);
        return;
    }
    add_finding(&found);
}

static void check_reads(struct cell *cell, const struct access *access, unsigned mask) {
    for (int i = 0; i < 2; i++)
        if (cell->read_mask[i] & mask & BYTES && !(cell->read_mask[i] & mask & ATOMIC) &&
            cell->read[i].time && !is_ordered(&cell->read[i], access->clock)) {
            race(access, &cell->read[i],
                 cell->read_mask[i] & ATOMIC ? ACCESS_ATOMIC : ACCESS_READS);
            return;
        }
}

static void note_read(struct cell *cell, const struct access *access, const struct mark *mark,
                      unsigned mask) {
    for (int i = 0; i < 2; i++) {
        struct mark *before = &cell->read[i];
        if (before->time && !(before->block == mark->block && before->thread == mark->thread) &&
            !is_ordered(before, access->clock))
            continue;
        bool same = before->time == mark->time && before->thread == mark->thread &&
                    before->block == mark->block;
        cell->read_mask[i] = (uint8_t)(same ? cell->read_mask[i] | mask : mask);
        *before = *mark;
        return;
    }
    cell->read[1] = *mark;
    cell->read_mask[1] = (uint8_t)mask;
}

/* One cell of an access; whether any of its bytes has been written. */
static bool access_cell(struct cell *cell, const struct access *access, unsigned bytes) {
    const struct mark mark = {.time = check.now,
                              .block = access->clock->block,
                              .thread = (uint16_t)cpu_now.lane->thread,
                              .place = access->place};
    const unsigned mask = bytes | (access->kind & ACCESS_ATOMIC ? ATOMIC : 0);
    const bool shared = access->region->memory != ACCESS_GLOBAL;
    if (shared && cell->write.time <= access->clock->begin)
        cell->written = 0; /* by a block before, or never */
    const bool written = (cell->written & bytes) != 0;
    if (cell->write_mask & bytes && cell->write.time && !(cell->write_mask & mask & ATOMIC) &&
        !is_ordered(&cell->write, access->clock))
        race(access, &cell->write, ACCESS_WRITES | (cell->write_mask & ATOMIC ? ACCESS_ATOMIC : 0));
    else if (access->kind & ACCESS_WRITES)
        check_reads(cell, access, mask);
    if (access->kind & ACCESS_WRITES) {
        bool same = cell->write.time == mark.time && cell->write.thread == mark.thread &&
                    cell->write.block == mark.block;
        cell->write_mask = (uint8_t)(same ? (cell->write_mask & BYTES) | mask : mask);
        cell->write = mark;
        cell->written |= (uint8_t)bytes;
    } else {
        note_read(cell, access, &mark, mask);
    }
    return written;
}

static void access_region(const struct access *access) {
    const struct region *region = access->region;
    if (!region->cells)
        return;
    const uintptr_t end = access->address + access->size;
    bool written = region->written;
    for (uintptr_t at = access->address; at < end;) {
        uintptr_t next = (at / GRANULE + 1) * GRANULE;
        unsigned first = at % GRANULE, last = (unsigned)((next < end ? next : end) - at) + first;
        unsigned bytes = ((1u << last) - 1) & ~((1u << first) - 1);
        written |= access_cell(cell_of(region, at), access, bytes);
        at = next;
    }
    if (!written && !(access->kind & ACCESS_WRITES)) {
        struct access_entry found = finding_of(ACCESS_UNINITIALIZED_READ, access);
        add_finding(&found);
    }
}

static void missed(struct access *access, const struct region *nearest) {
    access->region = nearest;
    struct access_entry found = finding_of(ACCESS_OUT_OF_BOUNDS, access);
    if (!nearest)
        found.memory = ACCESS_NOWHERE;
    add_finding(&found);
}

/* Whether there is memory at all; what there is no more is asked again. */
static bool can_be_read(uintptr_t address) {
    uintptr_t page = address / 4096;
    uintptr_t *known = &check.page_known[page % 1024];
    if (*known == page && page)
        return true;
    unsigned char in_core;
    if (page == 0 || mincore((void *)(page * 4096), 4096, &in_core) != 0)
        return false;
    *known = page;
    return true;
}

/* The variable of a section that holds the address, in `variable`. */
static bool find_shared(uintptr_t address, size_t size, struct region *variable) {
    *variable = check.statics;
    variable->memory = ACCESS_SHARED;
    for (size_t i = 0; cpu_shared_sections && cpu_shared_sections[i][1]; i++) {
        uintptr_t start = (uintptr_t)cpu_shared_sections[i][0];
        uintptr_t end = (uintptr_t)cpu_shared_sections[i][1];
        if (address >= start && address < end + ACCESS_SHARED_GAP) {
            /* cells are numbered from the first section's start */
            variable->start = start;
            variable->end = end;
            if (address + size <= end)
                return true;
        }
    }
    return false;
}

static void access_shared(struct access *access) {
    struct region variable;
    if (!find_shared(access->address, access->size, &variable)) {
        missed(access, &variable);
        return;
    }
    variable.cells =
        check.statics.cells + (variable.start / GRANULE - check.statics.start / GRANULE);
    access->region = &variable;
    access_region(access);
}

static void access_allocation(struct access *access, const struct region *region) {
    if (region->memory == ACCESS_FREED || access->address < region->start ||
        access->address + access->size > region->end) {
        missed(access, region);
        return;
    }
    access->region = region;
    access_region(access);
}

/* The allocation that holds the address or ends shortly before it, or begins shortly after. */
static const struct region *find_allocation(uintptr_t address) {
    if (check.last < check.region_count) {
        const struct region *last = &check.regions[check.last];
        if (address >= last->start && address < last->end)
            return last;
    }
    size_t at = regions_until(address);
    if (at > 0 && address < check.regions[at - 1].end) {
        check.last = at - 1;
        return &check.regions[at - 1];
    }
    /* A neighbour's margin: what is freed is farther away than what lives. */
    const struct region *below = at > 0 ? &check.regions[at - 1] : NULL;
    if (below && address - below->end < MARGIN)
        return below;
    const struct region *above = at < check.region_count ? &check.regions[at] : NULL;
    return above && above->start - address <= 16 ? above : NULL;
}

static bool lies_in(uintptr_t address, const void *start, size_t size) {
    return address - (uintptr_t)start < size;
}

void memory_check_access(const void *address, size_t size, unsigned kind, const void *pc) {
    const uintptr_t a = (uintptr_t)address;
    if (!check.on)
        return;
    if (!cpu_now.lane) {
        if (kind & ACCESS_WRITES)
            memory_check_written(address, size);
        return;
    }
    if (lies_in(a, __builtin_frame_address(0), LOCAL_REACH) || lies_in(a, &cpu_now, sizeof cpu_now))
        return;
    settle();
    if (cpu_now.in_atomic)
        kind |= ACCESS_ATOMIC;
    const struct cpu_device *device = cpu_now.device;
    struct access access = {.address = a, .size = size, .kind = kind, .place = place_number(pc)};
    access.clock = check.blocks->block == (uint32_t)device->block
                       ? check.blocks
                       : clock_of((uint32_t)device->block);
    const bool is_static = a >= check.statics.start && a < check.statics.end;
    const bool is_dynamic = lies_in(a, (void *)check.dynamic.start, CPU_SHARED_BYTES);
    /* A volatile variable of global memory is how old programs tell each other something; one of
     * shared memory is how they left barriers out. */
    if (kind & ACCESS_VOLATILE && !is_static && !is_dynamic)
        access.kind |= ACCESS_ATOMIC;
    if (access.kind & ACCESS_ATOMIC)
        synchronise(access.clock, a, kind & ACCESS_WRITES);
    if (is_static) {
        access_shared(&access);
    } else if (is_dynamic) {
        access_allocation(&access, &check.dynamic);
    } else {
        const struct region *region = find_allocation(a);
        if (region)
            access_allocation(&access, region);
        else if (a >= check.image.start && a < check.image.end)
            access_allocation(&access, &check.image);
        else if (!can_be_read(a))
            missed(&access, NULL);
    }
}

/* ---- beginning ---- */

static bool open_file(const char *path) {
    const size_t size = sizeof *check.head + ACCESS_ENTRIES * sizeof *check.entries;
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return false;
    void *mapped = MAP_FAILED;
    if (ftruncate(descriptor, (off_t)size) == 0)
        mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (mapped == MAP_FAILED)
        return false;
    check.head = mapped;
    check.entries = (struct access_entry *)(check.head + 1);
    memcpy(check.head->magic, ACCESS_FILE_MAGIC, sizeof check.head->magic);
    return true;
}

static void find_statics(void) {
    for (size_t i = 0; cpu_shared_sections && cpu_shared_sections[i][1]; i++) {
        uintptr_t start = (uintptr_t)cpu_shared_sections[i][0];
        uintptr_t end = (uintptr_t)cpu_shared_sections[i][1] + ACCESS_SHARED_GAP;
        if (!check.statics.start || start < check.statics.start)
            check.statics.start = start;
        check.statics.end = end > check.statics.end ? end : check.statics.end;
    }
    check.statics.memory = ACCESS_SHARED;
    if (check.statics.end)
        shadow_take(&check.statics);
    check.dynamic = (struct region){.start = (uintptr_t)cpu_dynamic_shared,
                                    .end = (uintptr_t)cpu_dynamic_shared + CPU_SHARED_BYTES,
                                    .memory = ACCESS_DYNAMIC_SHARED};
    shadow_take(&check.dynamic);
    if (__data_start && _end) {
        check.image = (struct region){.start = (uintptr_t)__data_start,
                                      .end = (uintptr_t)_end,
                                      .memory = ACCESS_GLOBAL,
                                      .written = true};
        shadow_take(&check.image);
    }
}

const struct cpu_observer *memory_check_begin(const char *path) {
    static const struct cpu_observer observer = {.allocated = observe_allocated,
                                                 .freed = observe_freed,
                                                 .launch = observe_launch,
                                                 .block = observe_block,
                                                 .barrier = observe_barrier,
                                                 .grid_barrier = observe_grid_barrier,
                                                 .joined = observe_joined,
                                                 .fence = observe_fence};
    if (!open_file(path))
        return NULL;
    uint16_t type = 0; /* ET_DYN is 3: addresses in the file begin at 0; else they are as here */
    if (__executable_start)
        memcpy(&type, __executable_start + 16, sizeof type);
    check.base = type == 3 ? (uintptr_t)__executable_start : 0;
    check.now = 1;
    find_statics();
    check.on = true;
    return &observer;
}
