/*
 * memory_effect.c - finds out whether undefined values have affected global memory.
 *
 * After each launch in which a lane got such a value, all of global memory is added to a hash. The
 * program is run again with other values in their place (follow.c): if the hash is the same,
 * nothing depends on them.
 */
#include "cudacpu/observe/memory_state.h"

#include <string.h>

#define HASHED_MOST (UINT64_C(16) << 30) /* bytes hashed in all launches; takes some seconds */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, uintptr_t start, uintptr_t end) {
    uint64_t word;
    for (; start + sizeof word <= end; start += sizeof word) {
        memcpy(&word, (const void *)start, sizeof word);
        hash = mix(hash, word);
    }
    for (; start < end; start++)
        hash = mix(hash, *(const unsigned char *)start);
    return hash;
}

/* Only the executable's variables that lanes have written: the others may belong to the host. */
static uint64_t mix_variables(uint64_t hash) {
    const struct region *image = &check.image;
    const uintptr_t first = image->start / GRANULE;
    for (uintptr_t at = first; image->cells && at < image->end / GRANULE; at++)
        if (image->cells[at - first].write.time || image->cells[at - first].update.time)
            hash = mix_bytes(hash, at * GRANULE, (at + 1) * GRANULE);
    return hash;
}

void effect_kernel_ended(void) {
    bool *given = cpu_device_in_use()->options.undefined;
    if (!check.on || !given || !*given)
        return;
    *given = false;
    uint64_t hash = check.head->effect, size = check.image.end - check.image.start;
    for (size_t i = 0; i < check.region_count; i++)
        size += check.regions[i].end - check.regions[i].start;
    check.effect_bytes += size;
    if (check.effect_bytes > HASHED_MOST || (check.image.end && !check.image.cells)) {
        check.head->effect_unknown = 1;
        return;
    }
    for (size_t i = 0; i < check.region_count; i++)
        if (check.regions[i].memory == ACCESS_GLOBAL)
            hash = mix_bytes(hash, check.regions[i].start, check.regions[i].end);
    check.head->effect = mix_variables(hash);
}
