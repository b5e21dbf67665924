/*
 * Four bytes share a cell with the last write, the last atomic operation and two unordered reads.
 * An access is compared with those and then stored among them, so its cost does not depend on the
 * number of earlier accesses.
 */
#include "cudacpu/observe/memory_check.h"

#include "base/memory.h"
#include "base/search.h"
#include "cudacpu/lane_watcher.h"
#include "cudacpu/observe/memory_state.h"
#include "cudacpu/runtime/api.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Shadow memory is limited to this, or to half of what the process may map: later allocations are
 * checked for their bounds only, so that a program within its limit is not refused memory. */
#define SHADOW_MOST (UINT64_C(4) << 30)

extern char __executable_start[] __attribute__((weak));
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));
extern char *const cpu_shared_sections[][2] __attribute__((weak));

bool memory_check_is_on;

/* ---- memory that is watched ---- */

/* The lock of the list of allocations. Lanes read the list without it, because both they and a
 * writer hold the device; host threads that write to memory do not. */
static pthread_mutex_t regions_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool has_regions; /* memmove() on the list is intercepted, too (access.c) */

static void lock_regions(void) {
    pthread_mutex_lock(&regions_lock);
    has_regions = true;
}

static void unlock_regions(void) {
    has_regions = false;
    pthread_mutex_unlock(&regions_lock);
}

/* No allocation has ever been outside these bounds, which are read without the lock. */
static uintptr_t lowest = UINTPTR_MAX, highest;

static uint64_t shadow_limit(void) {
    struct rlimit limit;
    const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return is_limited && limit.rlim_cur / 2 < SHADOW_MOST ? limit.rlim_cur / 2 : SHADOW_MOST;
}

static void shadow_take(struct region *region) {
    size_t cells = (region->end - region->start) / GRANULE + 2;
    uint64_t bytes = (uint64_t)cells * sizeof *region->cells;
    region->cells = NULL;
    if (check.shadow + bytes <= shadow_limit()) {
        void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped != MAP_FAILED) {
            region->cells = mapped;
            region->mapped = bytes;
            check.shadow += bytes;
            if (region->memory == ACCESS_GLOBAL)
                read_only_take(region);
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
    read_only_drop(region);
}

static struct cell *cell_of(const struct region *region, uintptr_t address) {
    return &region->cells[address / GRANULE - region->start / GRANULE];
}

static bool lies_in(uintptr_t address, const void *start, size_t size) {
    return address - (uintptr_t)start < size;
}

/* The number of allocations that begin at or before the address. */
static size_t regions_up_to(uintptr_t address) {
    return search_address_up_to(check.regions, check.region_count, sizeof check.regions[0],
                                (const void *)address);
}

static void region_remove(size_t at) {
    shadow_drop(&check.regions[at]);
    check.region_count--;
    memmove(check.regions + at, check.regions + at + 1,
            (check.region_count - at) * sizeof check.regions[0]);
    check.last = SIZE_MAX;
}

static struct region *region_add(void *memory, size_t size, enum access_memory kind, bool written) {
    uintptr_t start = (uintptr_t)memory;
    size_t at = regions_up_to(start);
    if (start < lowest)
        __atomic_store_n(&lowest, start, __ATOMIC_RELAXED);
    if (start + size > highest)
        __atomic_store_n(&highest, start + size, __ATOMIC_RELAXED);
    /* Earlier allocations there have been freed. */
    while (at > 0 && check.regions[at - 1].end > start)
        region_remove(--at);
    while (at < check.region_count && check.regions[at].start < start + size)
        region_remove(at);
    check.regions = memory_room(check.regions, check.region_count, &check.region_capacity,
                                sizeof check.regions[0]);
    memmove(check.regions + at + 1, check.regions + at,
            (check.region_count - at) * sizeof check.regions[0]);
    check.region_count++;
    check.last = SIZE_MAX;
    check.regions[at] =
        (struct region){.start = start, .end = start + size, .memory = kind, .written = written};
    return &check.regions[at];
}

static void observe_allocated(void *memory, size_t size, bool written) {
    lock_regions();
    struct region *region = region_add(memory, size, ACCESS_GLOBAL, written);
    region->site = written || !api_caller() ? 0 : site_number(api_caller());
    shadow_take(region);
    unlock_regions();
}

/* Each thread may make such an allocation, so only their bounds are checked. */
static void observe_made(void *memory, size_t size) {
    lock_regions();
    region_add(memory, size, ACCESS_GLOBAL, false);
    unlock_regions();
}

/* Every lane that reaches the declaration reports it. */
static void observe_shared(void *memory, size_t size) {
    size_t at = regions_up_to((uintptr_t)memory);
    if (lies_in((uintptr_t)memory, (void *)check.statics.start,
                check.statics.end - check.statics.start) ||
        (at > 0 && check.regions[at - 1].start == (uintptr_t)memory &&
         check.regions[at - 1].memory == ACCESS_SHARED))
        return;
    lock_regions();
    shadow_take(region_add(memory, size, ACCESS_SHARED, false));
    unlock_regions();
}

static void observe_freed(void *memory) {
    size_t at = regions_up_to((uintptr_t)memory);
    if (at == 0 || check.regions[at - 1].start != (uintptr_t)memory)
        return;
    host_freed(&check.regions[at - 1]);
    parts_freed(&check.regions[at - 1]);
    lock_regions();
    shadow_drop(&check.regions[at - 1]);
    check.regions[at - 1].memory = ACCESS_FREED;
    unlock_regions();
}

static void observe_narrowed(const struct shflviz_site *site, int bytes, int is_float) {
    struct access_entry found = finding_here(ACCESS_NARROWED);
    settle_pending();
    found.bytes = (uint32_t)bytes;
    found.extent = (uint64_t)is_float;
    found.line = site->line;
    strncpy(found.file, site->file, sizeof found.file - 1);
    add_finding(&found);
}

static void mark_written(uintptr_t a, uintptr_t end) {
    size_t at = regions_up_to(a);
    struct region *region = at ? &check.regions[at - 1] : NULL;
    if (!region || a >= region->end)
        return;
    region->used = true;
    if (!region->cells || region->written)
        return;
    end = end < region->end ? end : region->end;
    if (a == region->start && end == region->end) {
        region->written = true;
        return;
    }
    for (; a < end; a++) {
        struct cell *cell = cell_of(region, a);
        cell->written = (cell->written | 1u << a % GRANULE) & BYTES;
    }
}

void memory_check_written(const void *address, size_t size) {
    const uintptr_t a = (uintptr_t)address;
    if (!check.on || has_regions || a < __atomic_load_n(&lowest, __ATOMIC_RELAXED) ||
        a >= __atomic_load_n(&highest, __ATOMIC_RELAXED))
        return;
    lock_regions();
    mark_written(a, a + size);
    unlock_regions();
}

/* ---- accesses ---- */

struct access_entry finding_of(enum access_rule rule, const struct access *access) {
    struct access_entry found = finding_here(rule);
    found.me.pc = site_offset(access->site);
    found.me.kind = access->kind;
    found.bytes = (uint32_t)access->size;
    if (access->region) {
        found.memory = access->region->memory;
        found.offset = access->address - access->region->start;
        found.extent = access->region->end - access->region->start;
        name_object(&found.object, access->address, access->region);
    }
    return found;
}

/* A guess that an atomic operation of another thread makes stale does no harm. */
static bool involves_guess(const struct access *access, const struct mark *other,
                           unsigned other_kind) {
    return (access->kind == ACCESS_READS && other_kind & ACCESS_ATOMIC && is_guess(access->site)) ||
           (other_kind == ACCESS_READS && access->kind & ACCESS_ATOMIC && is_guess(other->site));
}

static void race(const struct access *access, const struct mark *other, unsigned other_kind) {
    if (involves_guess(access, other, other_kind))
        return;
    bool shared = access->region->memory != ACCESS_GLOBAL;
    struct access_entry found =
        finding_of(shared ? ACCESS_SHARED_RACE : ACCESS_GLOBAL_RACE, access);
    found.other = (struct access_party){.pc = site_offset(other->site),
                                        .block = other->block,
                                        .thread = other->thread,
                                        .kind = other_kind};
    found.apart = found.me.block != other->block ? ACCESS_TWO_BLOCKS
                  : found.me.thread / CPU_WARP_LANES != other->thread / CPU_WARP_LANES
                      ? ACCESS_ONE_BLOCK
                      : ACCESS_ONE_WARP;
    if (other_kind == ACCESS_WRITES) {
        enum access_flaw flaw;
        found.flag_pc = site_offset(clock_flag(other, access->clock, &flaw));
        found.flaw = flaw;
    }
    /* Lanes that all write the same value do no harm, which can only be checked after the write. */
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
            cell->read[i].time && !is_ordered(&cell->read[i], access->clock, access->region)) {
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
            !is_ordered(before, access->clock, access->region))
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

static bool is_same(const struct mark *a, const struct mark *b) {
    return a->time == b->time && a->thread == b->thread && a->block == b->block;
}

/* True for an atomic operation of another block in the same launch whose scope does not include the
 * access, or the other way round. */
static bool is_out_of_scope(const struct cell *cell, const struct access *access) {
    return access->region->memory == ACCESS_GLOBAL && cell->update.block != access->clock->block &&
           cell->update.time > check.launch &&
           (cell->is_in_block || access->kind & ACCESS_IN_BLOCK);
}

/* A write of the cell that is not ordered before the access; NULL if there is none. */
static const struct mark *unordered_write(const struct cell *cell, const struct access *access,
                                          unsigned bytes, unsigned *kind) {
    *kind = ACCESS_WRITES;
    if (cell->write_mask & bytes && !is_ordered(&cell->write, access->clock, access->region))
        return &cell->write;
    *kind |= ACCESS_ATOMIC | (cell->is_in_block ? ACCESS_IN_BLOCK : 0u);
    if (access->kind & ACCESS_ATOMIC && cell->update_mask & bytes && is_out_of_scope(cell, access))
        return &cell->update;
    if (!(access->kind & ACCESS_ATOMIC) && cell->update_mask & bytes &&
        !is_ordered(&cell->update, access->clock, access->region))
        return &cell->update;
    return NULL;
}

/* A plain write is kept beside later atomic ones, even of the same thread: other accesses are
 * compared with both. */
static void note_write(struct cell *cell, const struct access *access, const struct mark *mark,
                       unsigned bytes) {
    cell->written = (cell->written | bytes) & BYTES;
    if (access->kind & ACCESS_ATOMIC) {
        const unsigned before = is_same(&cell->update, mark) ? cell->update_mask : 0u;
        cell->update_mask = (before | bytes) & BYTES;
        cell->update = *mark;
        cell->is_in_block = (access->kind & ACCESS_IN_BLOCK) != 0;
        return;
    }
    const unsigned before = is_same(&cell->write, mark) ? cell->write_mask : 0u;
    cell->write_mask = (before | bytes) & BYTES;
    cell->write = *mark;
    cell->update_mask &= ~bytes & BYTES;
}

/* One cell of an access; returns which of its bytes have been written. */
static unsigned access_cell(struct cell *cell, const struct access *access, unsigned bytes) {
    const struct mark mark = {.time = check.now,
                              .block = access->clock->block,
                              .thread = (uint16_t)cpu_now.lane->thread,
                              .site = access->site};
    const unsigned mask = bytes | (access->kind & ACCESS_ATOMIC ? ATOMIC : 0);
    const bool shared = access->region->memory != ACCESS_GLOBAL;
    if (shared && cell->write.time <= access->clock->begin &&
        cell->update.time <= access->clock->begin)
        cell->written = 0; /* written by an earlier block, or never */
    const unsigned written = cell->written & bytes;
    unsigned kind;
    const struct mark *other = unordered_write(cell, access, bytes, &kind);
    if (other)
        race(access, other, kind);
    else if (access->kind & ACCESS_WRITES)
        check_reads(cell, access, mask);
    if (access->kind & ACCESS_WRITES)
        note_write(cell, access, &mark, bytes);
    else if (!cpu_now.in_atomic || access->kind & ACCESS_LOADS) /* otherwise its write is noted */
        note_read(cell, access, &mark, mask);
    return written;
}

/* A number of up to four bytes is unset if any of its bytes is. Larger accesses may copy objects,
 * whose padding is never set. */
static bool is_unset(const struct access *access, unsigned missing) {
    return access->size <= GRANULE ? missing > 0 : missing == access->size;
}

static void access_region(const struct access *access) {
    const struct region *region = access->region;
    if (region->memory != ACCESS_GLOBAL && access->kind & ACCESS_WRITES)
        copies_overwritten(access);
    else if (region->memory != ACCESS_GLOBAL)
        copies_read(access);
    if (!region->cells)
        return;
    if (region->memory == ACCESS_GLOBAL)
        read_only_note(access);
    const uintptr_t end = access->address + access->size;
    unsigned missing = 0;
    for (uintptr_t at = access->address; at < end;) {
        uintptr_t next = (at / GRANULE + 1) * GRANULE;
        unsigned first = at % GRANULE, last = (unsigned)((next < end ? next : end) - at) + first;
        unsigned bytes = ((1u << last) - 1) & ~((1u << first) - 1);
        const unsigned written = access_cell(cell_of(region, at), access, bytes);
        missing += (unsigned)__builtin_popcount(bytes & ~written);
        at = next;
    }
    /* Blocks under way each have their own shared memory, but there is only one set of cells. */
    const bool known = region->memory == ACCESS_GLOBAL || !cpu_device_in_use()->interleaved;
    if (!region->written && known && !(access->kind & ACCESS_WRITES) && is_unset(access, missing)) {
        struct access_entry found = finding_of(ACCESS_UNINITIALIZED_READ, access);
        found.missing = missing;
        add_finding(&found);
    }
}

static void report_miss(struct access *access, const struct region *nearest) {
    access->region = nearest;
    struct access_entry found = finding_of(ACCESS_OUT_OF_BOUNDS, access);
    add_finding(&found);
}

bool memory_check_holds(const void *address, size_t size) {
    const uintptr_t at = (uintptr_t)address;
    const size_t until = regions_up_to(at);
    const struct region *region = until > 0 ? &check.regions[until - 1] : NULL;
    return region && region->memory != ACCESS_FREED && at + size >= at &&
           at + size <= region->end + CPU_OBSERVED_MARGIN;
}

#ifdef __wasi__ /* in a web page there is only the memory that was announced */
bool memory_can_be_read(uintptr_t address) {
    (void)address;
    return false;
}
#else
bool memory_can_be_read(uintptr_t address) {
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
#endif

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
        report_miss(access, &variable);
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
        report_miss(access, region);
        return;
    }
    access->region = region;
    if (!parts_refuse(access))
        access_region(access);
}

/* The allocation that holds the address or ends shortly before it, or begins shortly after. */
static const struct region *find_allocation(uintptr_t address) {
    if (check.last < check.region_count) {
        const struct region *last = &check.regions[check.last];
        if (address >= last->start && address < last->end)
            return last;
    }
    size_t at = regions_up_to(address);
    if (at > 0 && address < check.regions[at - 1].end) {
        check.last = at - 1;
        check.regions[at - 1].used = true;
        return &check.regions[at - 1];
    }
    /* Within a neighbour's margin, a freed allocation only counts if no live one does. */
    const struct region *below = at > 0 ? &check.regions[at - 1] : NULL;
    if (below && address - below->end < CPU_OBSERVED_MARGIN)
        return below;
    const struct region *above = at < check.region_count ? &check.regions[at] : NULL;
    return above && above->start - address <= 16 ? above : NULL;
}

const struct region *allocation_of(uintptr_t address) {
    const size_t at = regions_up_to(address);
    const struct region *region = at > 0 ? &check.regions[at - 1] : NULL;
    return region && address < region->end && region->memory == ACCESS_GLOBAL ? region : NULL;
}

static bool is_shared(const struct region *region) {
    return region->memory == ACCESS_SHARED || region->memory == ACCESS_DYNAMIC_SHARED;
}

/* The object at the address, or narrowly missed by it; NULL if nothing there is watched. */
static const struct region *region_of(uintptr_t address) {
    if (address >= check.statics.start && address < check.statics.end)
        return &check.statics;
    if (lies_in(address, (void *)check.dynamic.start, CPU_SHARED_BYTES))
        return &check.dynamic;
    const struct region *region = find_allocation(address);
    /* A template's shared variable is among those of the program. */
    bool within = region && address >= region->start && address < region->end;
    if (!within && address >= check.image.start && address < check.image.end)
        return &check.image;
    return region;
}

/* True for memory in which lanes pass values to warp operations, by code that is inlined at the
 * call; its atomic operations belong to barriers (include/cudacpu/ptx/warp.h), and order what a
 * barrier orders. */
static bool is_of_device(uintptr_t address) {
    const struct cpu_device *device = cpu_device_in_use();
    if (cpu_now.in_atomic)
        return false;
    return lies_in(address, device->warps, CPU_BLOCK_WARPS * sizeof *device->warps) ||
           lies_in(address, device->lanes, CPU_BLOCK_THREADS * sizeof *device->lanes);
}

/* Order and scope of an atomic operation of the running lane, which is a read followed by a
 * write. */
static unsigned order_of(unsigned kind) {
    if (!cpu_now.in_atomic)
        return 0;
    const bool is_told = check.told_lane && check.told_lane == cpu_now.lane;
    if (is_told && kind & ACCESS_WRITES)
        check.told_lane = NULL;
    return ACCESS_ATOMIC | (is_told ? check.told : 0u);
}

/* True for the write of an atomic load, which writes what it has read. */
static bool is_load_write(unsigned kind) {
    return kind & ACCESS_WRITES && kind & ACCESS_LOADS;
}

void memory_check_access(const void *address, size_t size, unsigned kind, const void *pc) {
    const uintptr_t a = (uintptr_t)address;
    if (!check.on)
        return;
    if (!cpu_is_lane()) {
        memory_check_host(address, size, kind, pc);
        if (kind & ACCESS_WRITES)
            memory_check_written(address, size);
        return;
    }
    kind |= order_of(kind);
    if (is_load_write(kind))
        return;
    /* Dynamic shared memory is among the thread's variables, too. */
    if (!lies_in(a, (void *)check.dynamic.start, CPU_SHARED_BYTES) &&
        (fiber_holds(cpu_device_in_use()->pool, cpu_now.lane->fiber, address) ||
         memory_is_thread_local(a) || is_of_device(a)))
        return;
    settle_pending();
    const struct cpu_device *device = cpu_device_in_use();
    struct access access = {.address = a, .size = size, .kind = kind, .site = site_number(pc)};
    access.clock = check.blocks->block == (uint32_t)device->block
                       ? check.blocks
                       : clock_of((uint32_t)device->block);
    const struct region *region = region_of(a);
    if (!cpu_device_in_use()->interleaved)
        skipped_access(access.site);
    /* Old programs signal through volatile variables in global memory; in shared memory such
     * variables replace barriers. */
    if (kind & ACCESS_VOLATILE && !(region && is_shared(region)))
        access.kind |= ACCESS_ATOMIC;
    access.region = region;
    if (access.kind & ACCESS_ATOMIC)
        synchronise(access.clock, &access);
    guess_note(&access);
    if (region == &check.image && is_passed_host_address(a))
        memory_side_hosts(&access);
    if (region == &check.statics)
        access_shared(&access);
    else if (region)
        access_allocation(&access, region);
    else
        memory_side_lane(&access);
}

/* ---- beginning ---- */

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

static void kernel_ended(void) {
    effect_kernel_ended();
    if (check.on)
        names_kernel_ended();
}

void memory_check_end(void) {
    check.on = memory_check_is_on = false;
}

/* Checks an interpreter's kernels in this process, where the only memory is the memory that the
 * interpreter announces. */
static const struct cpu_observer *begin_in_process(const struct cpu_observer *observer,
                                                   const struct cpu_lane_watcher *watcher) {
    static struct access_head head;
    static struct access_entry entries[ACCESS_ENTRIES];
    for (size_t i = 0; i < check.region_count; i++)
        shadow_drop(&check.regions[i]);
    struct region *const regions = check.regions;
    const size_t capacity = check.region_capacity;
    clock_forget();
    memset(&check, 0, sizeof check);
    check.regions = regions;
    check.region_capacity = capacity;
    head = (struct access_head){.count = 0};
    check.head = &head;
    check.entries = entries;
    check.now = 1;
    check.dynamic.start = check.dynamic.end = UINTPTR_MAX - CPU_SHARED_BYTES;
    check.on = memory_check_is_on = true;
    cpu_watch_lanes(watcher);
    return observer;
}

const struct access_head *memory_check_found(const struct access_entry **entries) {
    settle_pending();
    *entries = check.entries;
    return check.head;
}

const struct cpu_observer *memory_check_begin(const char *path) {
    static const struct cpu_observer observer = {.allocated = observe_allocated,
                                                 .made = observe_made,
                                                 .shared = observe_shared,
                                                 .freed = observe_freed,
                                                 .launch = clock_launch,
                                                 .ended = kernel_ended,
                                                 .block = clock_block,
                                                 .barrier = clock_barrier,
                                                 .grid_barrier = clock_grid_barrier,
                                                 .crowded = clock_crowded,
                                                 .joined = clock_joined,
                                                 .fence = clock_fence,
                                                 .named = clock_named_barrier,
                                                 .narrowed = observe_narrowed,
                                                 .operation = skipped_operation,
                                                 .failed = host_failed,
                                                 .looked = host_checked_errors,
                                                 .ending = host_ending};
    static const struct cpu_lane_watcher watcher = {
        copies_begun,         copies_committed, copies_waited,  copies_bound,
        copies_phases_waited, clock_next,       read_only_next, parts_announced};
    if (!path)
        return begin_in_process(&observer, &watcher);
    if (!found_open(path))
        return NULL;
    uint16_t type = 0; /* ET_DYN is 3: addresses in the file begin at 0; else they are as here */
    if (__executable_start)
        memcpy(&type, __executable_start + 16, sizeof type);
    check.base = type == 3 ? (uintptr_t)__executable_start : 0;
    check.now = 1;
    find_statics();
    check.on = memory_check_is_on = true;
    cpu_watch_lanes(&watcher);
    return &observer;
}
