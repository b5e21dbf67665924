/*
 * The order between threads: each has a list of what it knows about the others, through barriers,
 * fences and atomic flags. Threads that know the same share a list, which is the usual case and
 * keeps large blocks cheap.
 */
#include "base/memory.h"
#include "cudacpu/observe/memory_state.h"

#include <stdlib.h>
#include <string.h>

static uint32_t tick(void) {
    if (check.now < UINT32_MAX - 1)
        return check.now++;
    check.on = false; /* enough for four billion barriers */
    check.head->left_out = 1;
    return check.now;
}

/* ---- what lanes know ---- */

enum { DEVICE, BLOCK }; /* the scope of a release, an acquire or a fence */

static void forget(struct past **pasts, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        past_drop(pasts[i]);
        pasts[i] = NULL;
    }
}

/* The five lists of a block. */
static struct past **list_of(const struct block_clock *clock, unsigned which) {
    struct past **const lists[] = {clock->acquired, clock->released[DEVICE], clock->released[BLOCK],
                                   clock->heard[DEVICE], clock->heard[BLOCK]};
    return lists[which];
}
enum { LISTS = 5 };

/* Afterwards each of the threads (those with a bit, if there are bits) knows everything that any of
 * them did; their relaxed reads are acquired. */
static void share(const struct block_clock *clock, unsigned first, unsigned count,
                  const uint32_t *lanes) {
    for (unsigned which = 0; which < LISTS - 2; which++) {
        struct past **const list = list_of(clock, which) + first, *all = NULL;
        for (unsigned i = 0; i < count; i++) {
            if (lanes && !(*lanes >> i & 1))
                continue;
            past_add(&all, list[i]);
            for (unsigned scope = DEVICE; which == 0 && scope <= BLOCK; scope++) {
                past_add(&all, clock->heard[scope][first + i]);
                past_drop(clock->heard[scope][first + i]);
                clock->heard[scope][first + i] = NULL;
            }
        }
        for (unsigned i = 0; all && i < count; i++)
            if (!lanes || *lanes >> i & 1) {
                past_drop(list[i]);
                list[i] = past_keep(all);
            }
        past_drop(all);
    }
}

/* ---- blocks ---- */

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

static void locations_forget(struct locations *locations) {
    for (size_t i = 0; locations->count && i < locations->capacity; i++)
        past_drop(locations->slot[i].past);
    if (locations->count)
        memset(locations->slot, 0, locations->capacity * sizeof *locations->slot);
    locations->count = 0;
}

static void blocks_drop(bool keeps_last) {
    while (check.blocks && (check.blocks->next || !keeps_last)) {
        struct block_clock *gone = check.blocks;
        check.blocks = gone->next;
        free(gone->known);
        for (unsigned which = 0; which < LISTS; which++) {
            forget(list_of(gone, which), CPU_BLOCK_THREADS);
            free(list_of(gone, which));
        }
        free(gone);
    }
}

void clock_forget(void) {
    blocks_drop(false);
    for (unsigned scope = DEVICE; scope <= BLOCK; scope++) {
        locations_forget(&check.locations[scope]);
        free(check.locations[scope].slot);
    }
}

void clock_launch(void) {
    settle_pending();
    names_kernel_launched();
    check.launch = check.kernel = tick();
    locations_forget(&check.locations[DEVICE]);
    locations_forget(&check.locations[BLOCK]);
    blocks_drop(true); /* one is kept for the next block */
    if (check.blocks)
        check.blocks->block = UINT32_MAX;
}

void clock_block(void) {
    const struct cpu_device *device = cpu_device_in_use();
    settle_pending();
    skipped_begin(device->thread_count);
    struct block_clock *clock = clock_of((uint32_t)device->block);
    if (!clock && !device->waiting) /* the previous block's can be reused */
        clock = check.blocks;
    if (!clock) {
        clock = memory_zeroed(1, sizeof *clock);
        clock->known = memory_zeroed((size_t)CPU_BLOCK_THREADS * CPU_WARP_LANES, sizeof(uint32_t));
        clock->acquired = memory_zeroed(CPU_BLOCK_THREADS, sizeof *clock->acquired);
        for (unsigned scope = DEVICE; scope <= BLOCK; scope++) {
            clock->released[scope] = memory_zeroed(CPU_BLOCK_THREADS, sizeof *clock->acquired);
            clock->heard[scope] = memory_zeroed(CPU_BLOCK_THREADS, sizeof *clock->acquired);
        }
        clock->next = check.blocks;
        check.blocks = clock;
    }
    clock->block = (uint32_t)device->block;
    clock->begin = clock->barrier = tick(); /* `known` of an earlier block is older than that */
    for (unsigned which = 0; clock->has_pasts && which < LISTS; which++)
        forget(list_of(clock, which), CPU_BLOCK_THREADS);
    clock->has_pasts = false;
    if (!device->waiting)
        locations_forget(&check.locations[BLOCK]);
    check.dynamic.end = check.dynamic.start + device->shared_bytes;
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
    settle_pending();
    if (cpu_is_lane())
        barrier_divergence();
    clock->barrier = tick();
    if (clock->has_pasts)
        share(clock, 0, device->thread_count, NULL);
}

void clock_grid_barrier(void) {
    settle_pending();
    check.launch = tick();
}

void clock_crowded(uint64_t held) {
    const struct cpu_device *device = cpu_device_in_use();
    const struct block_clock *clock = clock_of((uint32_t)device->block);
    const uint64_t first = device->options.sink ? device->options.sink->first_sequence : 0;
    const struct access_entry found = {.rule = ACCESS_CROWDED,
                                       .me = {.pc = site_offset(clock->atomic_site),
                                              .block = device->block,
                                              .thread = clock->atomic_thread},
                                       .step = device->sequence - first,
                                       .launch = device->launch,
                                       .lanes = UINT32_C(1)
                                                << clock->atomic_thread % CPU_WARP_LANES,
                                       .offset = held,
                                       .extent = device->blocks_all};
    settle_pending();
    add_finding(&found);
}

void clock_joined(const struct cpu_warp *warp, uint32_t lanes) {
    struct block_clock *clock = clock_of((uint32_t)cpu_device_in_use()->block);
    const size_t first = (size_t)warp->index * CPU_WARP_LANES;
    uint32_t(*known)[CPU_WARP_LANES] = (uint32_t(*)[CPU_WARP_LANES])clock->known + first;
    uint32_t most[CPU_WARP_LANES] = {0};
    settle_pending();
    const uint32_t time = tick();
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned other = 0; other < CPU_WARP_LANES; other++)
            most[other] = known[lane][other] > most[other] ? known[lane][other] : most[other];
        most[lane] = time;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned other = 0; other < CPU_WARP_LANES; other++)
            known[lane][other] = most[other];
        for (uint32_t met = lanes; met; met &= met - 1)
            known[lane][__builtin_ctz(met)] = time;
    }
    if (clock->has_pasts)
        share(clock, (unsigned)first, CPU_WARP_LANES, &lanes);
}

/* ---- fences, releases, acquires ---- */

void clock_next(unsigned kind) {
    check.told_lane = cpu_now.lane;
    check.told = kind;
}

/* Everything that the running lane knows, including its own accesses. The caller gets a
 * reference. */
static struct past *own_past(struct block_clock *clock) {
    const uint32_t thread = cpu_now.lane->thread, warp = thread / CPU_WARP_LANES;
    const uint32_t *const known = clock->known + (size_t)thread * CPU_WARP_LANES;
    struct past_part part[CPU_WARP_LANES + 2];
    uint32_t count = 0;
    part[count++] = (struct past_part){clock->block, PAST_ALL_WARPS, ~0u, clock->barrier};
    for (uint32_t left = ~0u; left;) {
        const uint32_t time = known[__builtin_ctz(left)];
        uint32_t same = 0;
        for (uint32_t lane = 0; lane < CPU_WARP_LANES; lane++)
            same |= (uint32_t)(left >> lane & 1 && known[lane] == time) << lane;
        left &= ~same;
        if (time > clock->barrier)
            part[count++] = (struct past_part){clock->block, warp, same, time};
    }
    part[count++] = (struct past_part){clock->block, warp, cpu_now.lane->bit, tick()};
    struct past *past = past_keep(clock->acquired[thread]);
    past_add_parts(&past, part, count);
    clock->has_pasts = true;
    return past;
}

static void acquire_heard(struct block_clock *clock, unsigned scope) {
    const uint32_t thread = cpu_now.lane->thread;
    for (; scope <= BLOCK; scope++) {
        past_add(&clock->acquired[thread], clock->heard[scope][thread]);
        past_drop(clock->heard[scope][thread]);
        clock->heard[scope][thread] = NULL;
    }
}

void clock_fence(void) {
    struct block_clock *clock = clock_of((uint32_t)cpu_device_in_use()->block);
    const uint32_t thread = cpu_now.lane->thread;
    const bool is_of_block = check.told_lane == cpu_now.lane && check.told & ACCESS_IN_BLOCK;
    check.told_lane = NULL;
    settle_pending();
    acquire_heard(clock, is_of_block ? BLOCK : DEVICE);
    struct past *const past = own_past(clock);
    for (unsigned scope = is_of_block ? BLOCK : DEVICE; scope <= BLOCK; scope++) {
        past_drop(clock->released[scope][thread]);
        clock->released[scope][thread] = past_keep(past);
    }
    past_drop(past);
}

/* The slot of the location; NULL if there is none and none should be made. */
static struct location *location_of(struct locations *locations, uintptr_t address, uint32_t block,
                                    bool make) {
    if (locations->capacity == 0 && !make)
        return NULL;
    if (2 * locations->count >= locations->capacity && make) {
        const struct locations before = *locations;
        locations->capacity = before.capacity ? 2 * before.capacity : 64;
        locations->slot = memory_zeroed(locations->capacity, sizeof *locations->slot);
        locations->count = 0;
        for (size_t i = 0; i < before.capacity; i++)
            if (before.slot[i].address)
                *location_of(locations, before.slot[i].address, before.slot[i].block, true) =
                    before.slot[i];
        free(before.slot);
    }
    const size_t most = locations->capacity - 1;
    size_t at = (address ^ (uint64_t)block << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & most;
    while (locations->slot[at].address &&
           !(locations->slot[at].address == address && locations->slot[at].block == block))
        at = (at + 1) & most;
    if (!locations->slot[at].address) {
        if (!make)
            return NULL;
        locations->slot[at].address = address;
        locations->slot[at].block = block;
        locations->count++;
    }
    return &locations->slot[at];
}

/* A location in shared memory carries signals within its own block only. */
static struct location *location(uintptr_t address, unsigned scope, bool is_of_block, bool make) {
    const uint32_t block = (uint32_t)cpu_device_in_use()->block;
    return location_of(&check.locations[is_of_block], address,
                       scope == BLOCK || is_of_block ? block : UINT32_MAX, make);
}

static bool is_block_memory(const struct access *access) {
    return !access->region || access->region->memory == ACCESS_SHARED ||
           access->region->memory == ACCESS_DYNAMIC_SHARED;
}

/* The access has read what others published there. If its scope is the block, it learns nothing
 * from other blocks. */
static void hear(struct block_clock *clock, const struct access *access) {
    const uint32_t thread = cpu_now.lane->thread;
    const bool is_relaxed = access->kind & ACCESS_RELAXED,
               is_narrow = access->kind & ACCESS_IN_BLOCK;
    for (unsigned scope = DEVICE; scope <= BLOCK; scope++) {
        const struct location *told =
            location(access->address, scope, is_block_memory(access), false);
        if (!told || (is_narrow && told->teller != clock->block && told->teller != UINT32_MAX))
            continue;
        past_add(is_relaxed ? &clock->heard[scope][thread] : &clock->acquired[thread], told->past);
        clock->has_pasts = true;
        if (is_relaxed)
            clock->heard_site = access->site;
    }
}

static void publish_past(const struct block_clock *clock, struct location *to, struct past *past) {
    to->teller = !to->past || to->teller == clock->block ? clock->block : UINT32_MAX;
    past_add(&to->past, past);
    past_shorten(to->past);
}

/* The access publishes what precedes it, or precedes the lane's last fence. False if other blocks
 * learn nothing from it. */
static bool publish(struct block_clock *clock, const struct access *access) {
    const uint32_t thread = cpu_now.lane->thread;
    struct past *now = access->kind & ACCESS_RELEASE ? own_past(clock) : NULL;
    struct past *const of_device = now ? now : clock->released[DEVICE][thread];
    struct past *const of_block = now ? now : clock->released[BLOCK][thread];
    const bool is_narrow = access->kind & ACCESS_IN_BLOCK;
    if (of_device && !is_narrow)
        publish_past(clock, location(access->address, DEVICE, is_block_memory(access), true),
                     of_device);
    if (of_block && (is_narrow || of_block != of_device))
        publish_past(clock, location(access->address, BLOCK, is_block_memory(access), true),
                     of_block);
    past_drop(now);
    return of_device && !is_narrow;
}

static struct flag *flag_at(uintptr_t address) {
    return &check.flags[address * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static uint64_t bit_of(uint32_t block) {
    return UINT64_C(1) << block % 64;
}

/* Handles an access that publishes, or learns, what was before a fence. */
void synchronise(struct block_clock *clock, const struct access *access) {
    const uintptr_t address = access->address;
    struct flag *flag = flag_at(address);
    clock->atomic_site = access->site;
    clock->atomic_thread = (uint16_t)cpu_now.lane->thread;
    if (!(access->kind & ACCESS_STORES)) {
        hear(clock, access);
        if (flag->address == address && flag->blocks & ~bit_of(clock->block))
            clock->flag = *flag;
    }
    if (!(access->kind & ACCESS_WRITES) || access->kind & ACCESS_LOADS)
        return;
    const bool is_fenced_in_block = clock->released[BLOCK][cpu_now.lane->thread] != NULL;
    const bool has_told = publish(clock, access);
    if (flag->address != address || flag->time <= check.launch)
        *flag = (struct flag){.address = address};
    flag->blocks |= bit_of(clock->block);
    if (flag->blocks != bit_of(clock->block))
        check.combining = check.kernel;
    flag->time = check.now;
    flag->site = access->site;
    flag->flaw = !has_told && (is_fenced_in_block || access->kind & ACCESS_RELEASE)
                     ? ACCESS_FLAW_SCOPE
                     : ACCESS_FLAW_NO_FENCE;
}

uint16_t clock_flag(const struct mark *mark, const struct block_clock *clock,
                    enum access_flaw *flaw) {
    const struct flag *heard = &clock->flag;
    for (unsigned scope = DEVICE; scope <= BLOCK; scope++)
        if (past_has(clock->heard[scope][cpu_now.lane->thread], mark->block, mark->thread,
                     mark->time)) {
            *flaw = ACCESS_FLAW_NO_ACQUIRE;
            return clock->heard_site;
        }
    const bool is_told = mark->block != clock->block && heard->time > check.launch &&
                         heard->time >= mark->time && heard->blocks & bit_of(mark->block);
    *flaw = heard->flaw;
    return is_told ? heard->site : 0;
}

/* Reports a count that is not a multiple of 32: the hardware counts warps. */
static void check_count(const struct cpu_named_barrier *barrier, const struct shflviz_site *site) {
    struct access_entry found = finding_here(ACCESS_COUNT);
    if (barrier->count % CPU_WARP_LANES == 0 || !site)
        return;
    found.extent = barrier->count;
    found.line = site->line;
    strncpy(found.file, site->file, sizeof found.file - 1);
    add_finding(&found);
}

/* Treats the barrier as a flag that each arriving warp releases and each leaving warp acquires. */
void clock_named_barrier(const struct cpu_named_barrier *barrier, const struct shflviz_site *site,
                         bool goes_on) {
    struct block_clock *clock = clock_of((uint32_t)cpu_device_in_use()->block);
    const struct access access = {.address = (uintptr_t)barrier,
                                  .kind = goes_on ? 0 : ACCESS_RELEASE};
    settle_pending();
    if (!goes_on)
        check_count(barrier, site);
    if (goes_on)
        hear(clock, &access);
    else
        publish(clock, &access);
}

bool is_ordered(const struct mark *mark, const struct block_clock *clock,
                const struct region *region) {
    const struct cpu_lane *lane = cpu_now.lane;
    if (mark->block != clock->block && region->memory != ACCESS_GLOBAL)
        return true; /* another block has different shared memory */
    if (mark->time <= check.launch)
        return true;
    if (mark->block == clock->block &&
        (mark->thread == lane->thread || mark->time <= clock->barrier ||
         (mark->thread / CPU_WARP_LANES == lane->thread / CPU_WARP_LANES &&
          mark->time <=
              clock->known[(size_t)lane->thread * CPU_WARP_LANES + mark->thread % CPU_WARP_LANES])))
        return true;
    return past_has(clock->acquired[lane->thread], mark->block, mark->thread, mark->time);
}
