/*
 * memory_read_only.c - reads through the read-only cache: __ldg(), ld.global.nc. Memory that they
 * read must not be written while the kernel runs, in whatever order and with whatever barriers,
 * because that cache sees no writes.
 *
 * An allocation that is read in this way has a bit for each byte, valid for the latest kernel that
 * did so.
 */
#include "cudacpu/observe/memory_state.h"

#include "base/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

struct read_only {
    uint32_t kernel;
    size_t size;
    uint8_t *bytes;
    struct mark last; /* the latest such read */
};

static struct {
    const struct cpu_lane *lane; /* its next read of this memory uses that cache */
    uintptr_t address;
    size_t size;
} told;

void read_only_next(const void *address, size_t size) {
    told.lane = check.on && cpu_is_lane() ? cpu_now.lane : NULL;
    told.address = (uintptr_t)address;
    told.size = size;
}

void read_only_take(struct region *region) {
    region->read_only = memory_zeroed(1, sizeof *region->read_only);
}

void read_only_drop(struct region *region) {
    if (region->read_only && region->read_only->bytes)
        munmap(region->read_only->bytes, region->read_only->size);
    free(region->read_only);
    region->read_only = NULL;
}

/* The bytes of the region, for this kernel; NULL if there is no room for them. */
static struct read_only *bytes_of(const struct region *region) {
    struct read_only *only = region->read_only;
    if (only->kernel == check.kernel)
        return only->bytes ? only : NULL;
    if (only->bytes)
        munmap(only->bytes, only->size);
    only->size = (region->end - region->start) / 8 + 1;
    only->bytes = mmap(NULL, only->size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (only->bytes == MAP_FAILED)
        only->bytes = NULL;
    only->kernel = check.kernel;
    return only->bytes ? only : NULL;
}

static void report_write(const struct access *access, const struct mark *other, unsigned kind) {
    struct access_entry entry = finding_of(ACCESS_READ_ONLY, access);
    entry.other = (struct access_party){.pc = site_offset(other->site),
                                        .block = other->block,
                                        .thread = other->thread,
                                        .kind = kind};
    add_finding(&entry);
}

static const struct mark *written_in_kernel(const struct access *access) {
    for (uintptr_t at = access->address; at < access->address + access->size; at++) {
        const struct cell *cell =
            &access->region->cells[at / GRANULE - access->region->start / GRANULE];
        const unsigned bit = 1u << at % GRANULE;
        if (cell->write_mask & bit && cell->write.time > check.kernel)
            return &cell->write;
        if (cell->update_mask & bit && cell->update.time > check.kernel)
            return &cell->update;
    }
    return NULL;
}

static void note_read(const struct access *access) {
    struct read_only *only = bytes_of(access->region);
    const struct mark *written = written_in_kernel(access);
    if (written)
        report_write(access, written, ACCESS_WRITES);
    if (!only)
        return;
    for (uintptr_t at = access->address - access->region->start, i = 0; i < access->size; i++)
        only->bytes[(at + i) / 8] |= (uint8_t)(1 << (at + i) % 8);
    only->last = (struct mark){.time = check.now,
                               .block = access->clock->block,
                               .thread = (uint16_t)cpu_now.lane->thread,
                               .site = access->site};
}

static void note_write(const struct access *access) {
    const struct read_only *only = access->region->read_only;
    if (only->kernel != check.kernel || !only->bytes)
        return;
    for (uintptr_t at = access->address - access->region->start, i = 0; i < access->size; i++)
        if (only->bytes[(at + i) / 8] >> (at + i) % 8 & 1) {
            report_write(access, &only->last, ACCESS_READS);
            return;
        }
}

void read_only_note(const struct access *access) {
    const bool is_told = told.lane && told.lane == cpu_now.lane && access->kind == ACCESS_READS &&
                         access->address - told.address < told.size;
    if (is_told)
        note_read(access);
    else if (access->kind & ACCESS_WRITES)
        note_write(access);
}
