#include "cudacpu/observe/memory_state.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_check check;

/* ---- locations in the program ---- */

/* Lanes and host threads may add locations and findings at the same time. */
static pthread_mutex_t found_lock = PTHREAD_MUTEX_INITIALIZER;

/* The slot that has the location, or the free one where it goes. */
static size_t slot_of(const void *pc) {
    size_t at = ((uintptr_t)pc * UINT64_C(0x9e3779b97f4a7c15)) >> 47;
    for (uint16_t number;
         (number = __atomic_load_n(&check.site_slots[at], __ATOMIC_ACQUIRE)) != 0 &&
         check.sites[number] != pc;)
        at = (at + 1) % (sizeof check.site_slots / sizeof check.site_slots[0]);
    return at;
}

static uint16_t site_add(const void *pc) {
    pthread_mutex_lock(&found_lock);
    const size_t at = slot_of(pc);
    uint16_t number = check.site_slots[at];
    if (!number && check.site_count < 65535) {
        number = (uint16_t)++check.site_count;
        check.sites[number] = pc;
        __atomic_store_n(&check.site_slots[at], number, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&found_lock);
    return number;
}

uint16_t site_number(const void *pc) {
    const uint16_t number = __atomic_load_n(&check.site_slots[slot_of(pc)], __ATOMIC_RELAXED);
    return number ? number : site_add(pc);
}

uint64_t site_offset(uint16_t site) {
    return site ? (uintptr_t)check.sites[site] - check.base : 0;
}

/* ---- findings ---- */

static bool same_finding(const struct access_entry *a, const struct access_entry *b) {
    return a->rule == b->rule && a->me.pc == b->me.pc && a->other.pc == b->other.pc &&
           a->line == b->line && a->other_line == b->other_line && a->memory == b->memory;
}

static void finding_put(const struct access_entry *found) {
    for (uint32_t i = 0; i < check.head->count; i++) {
        struct access_entry *entry = &check.entries[i];
        if (!same_finding(entry, found))
            continue;
        entry->count++;
        entry->is_seen = found->is_seen;
        if (entry->rule == ACCESS_SHIFT && entry->offset != found->offset)
            entry->missing = 1;
        if (found->apart > entry->apart)
            entry->apart = found->apart;
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

void add_finding(const struct access_entry *found) {
    pthread_mutex_lock(&found_lock);
    finding_put(found);
    pthread_mutex_unlock(&found_lock);
}

struct access_entry finding_here(enum access_rule rule) {
    const struct cpu_device *device = cpu_device_in_use();
    uint64_t first = device->options.sink ? device->options.sink->first_sequence : 0;
    return (struct access_entry){.rule = rule,
                                 .me = {.block = device->block, .thread = cpu_now.lane->thread},
                                 .step = device->sequence - first,
                                 .launch = device->launch,
                                 .lanes = cpu_now.lane->bit};
}

/* True if one party reads there and the other is atomic. */
static bool is_race_of(const struct access_entry *entry, uint64_t pc) {
    const struct access_party *me = &entry->me, *other = &entry->other;
    return (entry->rule == ACCESS_SHARED_RACE || entry->rule == ACCESS_GLOBAL_RACE) &&
           ((me->pc == pc && me->kind == ACCESS_READS && other->kind & ACCESS_ATOMIC) ||
            (other->pc == pc && other->kind == ACCESS_READS && me->kind & ACCESS_ATOMIC));
}

void forget_races_of(uint16_t site) {
    const uint64_t pc = site_offset(site);
    pthread_mutex_lock(&found_lock);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < check.head->count; i++)
        if (!is_race_of(&check.entries[i], pc))
            check.entries[kept++] = check.entries[i];
    check.head->count = kept;
    pthread_mutex_unlock(&found_lock);
}

void settle_pending(void) {
    if (!check.pending.is)
        return;
    check.pending.is = false;
    if (memcmp((const void *)check.pending.address, check.pending.old, check.pending.entry.bytes) !=
        0)
        add_finding(&check.pending.entry);
}

bool found_open(const char *path) {
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
