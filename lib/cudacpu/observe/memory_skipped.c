/*
 * memory_skipped.c - finds lanes that skipped a call whose member mask names them.
 *
 * A lane that has left the kernel may be in the mask of a call: it returned before. One that
 * skipped the call in another branch may not be, even if it has left by the time the others reach
 * the call, so that none waits. The two cases differ afterwards: the last access of a lane that
 * skipped the call is one that a calling lane makes only after the call, and it is on a later line
 * (accesses.c checks that).
 */
#include "cudacpu/observe/memory_state.h"

#include <string.h>

#define SITES 8 /* the most warps of a block that are examined */
#define BITS  256

static struct {
    struct {
        const struct shflviz_site *site;
        uint32_t called; /* lanes */
    } site[CPU_BLOCK_WARPS][SITES];
    struct {
        const struct shflviz_site *site;
        uint32_t absent, present; /* lanes; 0 if none is absent */
    } pending[CPU_BLOCK_WARPS];
    uint16_t last[CPU_BLOCK_THREADS];              /* index of a location; 0 if there is none */
    uint64_t before[CPU_BLOCK_THREADS][BITS / 64]; /* locations, by a hash */
} skipped;

void skipped_begin(unsigned threads) {
    const unsigned warps = (threads + CPU_WARP_LANES - 1) / CPU_WARP_LANES;
    memset(skipped.site, 0, warps * sizeof skipped.site[0]);
    memset(skipped.pending, 0, warps * sizeof skipped.pending[0]);
    memset(skipped.last, 0, threads * sizeof skipped.last[0]);
    memset(skipped.before, 0, threads * sizeof skipped.before[0]);
}

void skipped_operation(const struct cpu_warp *warp, uint32_t lanes, uint32_t members,
                       const struct shflviz_site *site) {
    for (unsigned i = 0; i < SITES; i++) {
        if (skipped.site[warp->index][i].site && skipped.site[warp->index][i].site != site)
            continue;
        skipped.site[warp->index][i].site = site;
        skipped.site[warp->index][i].called |= lanes;
        const uint32_t absent = members & warp->exited & ~skipped.site[warp->index][i].called;
        if (absent) {
            skipped.pending[warp->index].site = site;
            skipped.pending[warp->index].absent = absent;
            skipped.pending[warp->index].present = lanes;
        }
        return;
    }
}

void skipped_access(uint16_t site) {
    const struct cpu_lane *me = cpu_now.lane;
    const unsigned w = me->warp->index, bit = site * 40503u >> 8 & (BITS - 1);
    uint64_t *before = &skipped.before[me->thread][bit / 64];
    const bool is_first = !(*before >> bit % 64 & 1);
    skipped.last[me->thread] = site;
    *before |= UINT64_C(1) << bit % 64;
    if (!skipped.pending[w].absent || !is_first || !(skipped.pending[w].present & me->bit))
        return;
    uint32_t gone = 0;
    for (uint32_t left = skipped.pending[w].absent; left; left &= left - 1)
        if (skipped.last[w * CPU_WARP_LANES + (unsigned)__builtin_ctz(left)] == site)
            gone |= left & -left;
    if (!gone)
        return;
    const struct shflviz_site *missed = skipped.pending[w].site;
    struct access_entry found = finding_here(ACCESS_SKIPPED);
    found.me.thread = w * CPU_WARP_LANES + (unsigned)__builtin_ctz(gone);
    found.lanes = gone;
    found.line = missed->line;
    strncpy(found.file, missed->file, sizeof found.file - 1);
    found.other = (struct access_party){
        .block = found.me.block, .thread = me->thread, .pc = site_offset(site)};
    add_finding(&found);
    skipped.pending[w].absent = 0;
}
