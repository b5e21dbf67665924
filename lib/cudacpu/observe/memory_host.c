/*
 * memory_host.c - calls of the host that fail, and memory that it allocates and never frees, or
 * that nobody uses.
 */
#include "cudacpu/observe/memory_state.h"
#include "cudacpu/runtime/api.h"

#define PAGE 4096

/* A finding about a call of the host. */
static struct access_entry finding_at(enum access_rule rule, uint16_t site) {
    const struct cpu_device *device = cpu_device_in_use();
    const uint64_t first = device->options.sink ? device->options.sink->first_sequence : 0;
    return (struct access_entry){.rule = rule,
                                 .me = {.pc = site_offset(site)},
                                 .step = device->sequence - first,
                                 .launch = device->launch};
}

/* True for errors about features that this device lacks and another may have. */
static bool is_of_this_device(int error) {
    switch ((cudaError_t)error) {
    case cudaErrorNotSupported:
    case cudaErrorUnsupportedLimit:
    case cudaErrorPeerAccessUnsupported:
        return true;
    default:
        return false;
    }
}

/* Set once memory is lost: cudaDeviceReset() frees all of it, and the destructors of its owners
 * then fail, which does no harm. */
static bool memory_lost;

void host_failed(int error, const void *pc) {
    if (!check.on || !pc || memory_lost || is_of_this_device(error))
        return;
    struct access_entry found = finding_at(ACCESS_FAILED, site_number(pc));
    found.offset = (uint64_t)error;
    found.is_refused = cpu_device_in_use()->refused_launch;
    cpu_device_in_use()->refused_launch = false;
    add_finding(&found);
}

void host_checked_errors(void) {
    for (uint32_t i = 0; check.on && i < check.head->count; i++)
        if (check.entries[i].rule == ACCESS_FAILED)
            check.entries[i].is_seen = 1;
}

/* True if all bytes that are examined are the same. Code that is not watched, such as a library's,
 * may have written them. */
static bool holds_one_value(const struct region *region) {
    const size_t size = region->end - region->start, part = size < PAGE ? size : PAGE;
    const char *start = (const char *)region->start;
    bool same = true;
    api_memory_open(cpu_device_in_use());
    for (size_t i = 0; i < part && same; i++)
        same = start[i] == *start && start[size - 1 - i] == *start;
    api_memory_close(cpu_device_in_use());
    return same;
}

/* Not every run asks for these findings, and each costs a search for its line. */
static bool is_wanted(void) {
    return cpu_device_in_use()->options.settings.leaks;
}

void host_freed(const struct region *region) {
    if (!check.on || !region->site || region->used || region->memory == ACCESS_FREED ||
        !is_wanted() || !holds_one_value(region))
        return;
    struct access_entry found = finding_at(ACCESS_UNUSED, region->site);
    found.extent = region->end - region->start;
    add_finding(&found);
}

void host_ending(void) {
    for (size_t i = 0; check.on && !api_free_failed && i < check.region_count; i++) {
        const struct region *region = &check.regions[i];
        memory_lost = memory_lost || region->memory != ACCESS_FREED;
        if (!region->site || region->memory == ACCESS_FREED || !is_wanted())
            continue;
        struct access_entry found = finding_at(ACCESS_LEFT, region->site);
        found.extent = region->end - region->start;
        add_finding(&found);
        host_freed(region);
    }
}
