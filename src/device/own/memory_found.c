#include "device/own/memory_state.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_check check;

/* ---- places in the program ---- */

uint16_t place_number(const void *pc) {
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

uint64_t place_offset(uint16_t place) {
    return place ? (uintptr_t)check.places[place] - check.base : 0;
}

/* ---- what is found ---- */

static bool same_finding(const struct access_entry *a, const struct access_entry *b) {
    return a->rule == b->rule && a->me.pc == b->me.pc && a->other.pc == b->other.pc &&
           a->line == b->line && a->other_line == b->other_line && a->memory == b->memory;
}

void add_finding(const struct access_entry *found) {
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

struct access_entry finding_here(enum access_rule rule) {
    const struct cpu_device *device = cpu_device_in_use();
    uint64_t first = device->options.sink ? device->options.sink->first_sequence : 0;
    return (struct access_entry){.rule = rule,
                                 .me = {.block = device->block, .thread = cpu_now.lane->thread},
                                 .step = device->sequence - first,
                                 .launch = device->launch,
                                 .lanes = cpu_now.lane->bit};
}

void settle(void) {
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
