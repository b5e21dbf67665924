/*
 * memory_coverage.c - blocks that all read the same part of an array. A loop that strides by
 * the whole grid and begins at threadIdx.x alone, say, reads one part once in every block, and the
 * rest never.
 *
 * When a kernel has ended, the marks of the reads that raced with nothing are still in the cells.
 * An array passed to the kernel is reported if every element that was read was read by several
 * blocks, others were not read at all, and the blocks together would have read exactly all of it,
 * had each taken a part of its own (a table meant for all blocks is read as a whole). Blocks may
 * intend to read the head of a longer array, so the elements that were read must be in several
 * pieces, or the blocks must have combined their results by atomic operations.
 */
#include "cudacpu/observe/memory_state.h"

#define ELEMENTS_LEAST 32
#define ELEMENTS_MOST  (UINT64_C(16) << 20) /* examined, over all kernels */

enum readers { NOBODY, ONE_BLOCK, BLOCKS, A_WRITER };

static enum readers readers_of(const struct cell *cell) {
    const struct mark *const read = cell->read;
    const bool first = cell->read_mask[0] & BYTES && read[0].time > check.kernel;
    const bool second = cell->read_mask[1] & BYTES && read[1].time > check.kernel;
    if (cell->write.time > check.kernel || cell->update.time > check.kernel)
        return A_WRITER;
    if (first && second && read[0].block != read[1].block)
        return BLOCKS;
    return first || second ? ONE_BLOCK : NOBODY;
}

static const struct cell *cell_at(const struct region *region, uintptr_t address) {
    return &region->cells[address / GRANULE - region->start / GRANULE];
}

void coverage_check(const struct region *region, uintptr_t pointer, uint32_t element) {
    static uint64_t looked_at;
    const uint64_t blocks = cpu_device_in_use()->blocks_all;
    const uint64_t count = element ? (region->end - pointer) / element : 0;
    uint64_t read = 0, pieces = 0;
    enum readers before = NOBODY;
    if (!region->cells || element % GRANULE || pointer % GRANULE || blocks < 2 ||
        count < ELEMENTS_LEAST || readers_of(cell_at(region, pointer)) != BLOCKS ||
        looked_at + count > ELEMENTS_MOST)
        return;
    looked_at += count;
    for (uint64_t i = 0; i < count; i++) {
        const enum readers readers = readers_of(cell_at(region, pointer + i * element));
        if (readers == ONE_BLOCK || readers == A_WRITER)
            return;
        read += readers == BLOCKS;
        pieces += readers == BLOCKS && before != BLOCKS;
        before = readers;
    }
    if ((pieces == 1 && check.combining != check.kernel) || read < ELEMENTS_LEAST ||
        read * blocks < count || read * (blocks - 1) >= count)
        return;
    const struct mark *const mark = &cell_at(region, pointer)->read[0];
    const struct cpu_device *device = cpu_device_in_use();
    const uint64_t first = device->options.sink ? device->options.sink->first_sequence : 0;
    struct access_entry found = {
        .rule = ACCESS_SAME_ELEMENTS,
        .me = {.pc = site_offset(mark->site), .block = mark->block, .thread = mark->thread},
        .step = device->sequence - first,
        .launch = device->launch,
        .lanes = UINT32_C(1) << mark->thread % CPU_WARP_LANES,
        .offset = read,
        .extent = count};
    name_object(&found.object, pointer, region);
    add_finding(&found);
}
