/*
 * deadlock.c - records the end of a block that does not finish: the calls that never ended,
 * whatever the filter, and a note about what the steps do not show. explain/findings/failure.h
 * turns the recording into words.
 */
#include "simt/device_state.h"

#include "base/text.h"
#include "shflviz/site.h"
#include "simt/block_workers.h"

#include <inttypes.h>

static uint32_t lanes_at_barrier(const struct cpu_warp *warp, uint32_t left,
                                 const struct shflviz_site *site) {
    uint32_t lanes = 0;
    for (; left; left &= left - 1)
        if (warp->barrier_site[__builtin_ctz(left)] == site)
            lanes |= left & -left;
    return lanes;
}

void note_failure(const struct cpu_sink *sink, enum trace_failure failure) {
    if (sink && sink->note)
        sink->note(sink->context, TRACE_NOTE_FAILURE_KIND, trace_failure_name(failure));
}

static void note_lanes(struct text *note, const char *what, unsigned warp, uint32_t lanes) {
    if (lanes)
        text_append_format(note, "%s %u 0x%08" PRIx32 "\n", what, warp, lanes);
}

#define PLACES_NAMED 16 /* locations of spinning lanes; another process looks up each */

/* "running 1 0x000000ff FILE:LINE", a line for each source location where lanes of the warp
 * spin. */
static void note_running(struct text *note, const struct cpu_device *device, unsigned w,
                         unsigned *named) {
    const struct cpu_warp *warp = &device->warps[w];
    const struct cpu_reads *reads =
        device->reads ? device->reads + (size_t)w * CPU_WARP_LANES : NULL;
    for (uint32_t left = warp->ready | warp->yielding; left;) {
        const void *pc = reads ? reads[__builtin_ctz(left)].pc : NULL;
        char place[300] = "";
        uint32_t lanes = 0;
        for (uint32_t other = left; other; other &= other - 1)
            if (!reads || reads[__builtin_ctz(other)].pc == pc)
                lanes |= other & -other;
        left &= ~lanes;
        if (pc && device->options.place && (*named)++ < PLACES_NAMED)
            device->options.place(pc, place, sizeof place);
        text_append_format(note, "running %u 0x%08" PRIx32 "%s%s\n", w, lanes, *place ? " " : "",
                           place);
    }
}

static void note_barriers(struct text *note, const struct cpu_warp *warp, unsigned w) {
    for (uint32_t left = warp->at_barrier & ~warp->at_named; left;) {
        const struct shflviz_site *site = warp->barrier_site[__builtin_ctz(left)];
        const uint32_t lanes = lanes_at_barrier(warp, left, site);
        left &= ~lanes;
        text_append_format(note, "barrier %u 0x%08" PRIx32 " %s:%u %s\n", w, lanes, site->file,
                           site->line, site->text);
    }
}

static void note_named_barrier(struct text *note, const struct cpu_device *device,
                               const struct cpu_warp *warp, unsigned w) {
    for (uint32_t left = warp->at_named; left;) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        const struct shflviz_site *site = warp->barrier_site[first];
        uint32_t lanes = lanes_at_barrier(warp, left, site);
        for (uint32_t other = lanes; other; other &= other - 1)
            if (warp->named[__builtin_ctz(other)] != warp->named[first])
                lanes &= ~(other & -other);
        left &= ~lanes;
        const struct cpu_named_barrier *barrier =
            &device->warps[0].named_barriers[warp->named[first]];
        text_append_format(note, "named %u 0x%08" PRIx32 " %u %u %u %s:%u %s\n", w, lanes,
                           warp->named[first], barrier->arrived, barrier->count, site->file,
                           site->line, site->text);
    }
}

/* Notes what the steps do not show: see TRACE_NOTE_WAITING. */
static void note_waiting(const struct cpu_device *device, enum trace_failure failure) {
    const struct cpu_sink *sink = device->options.sink;
    struct text note = TEXT_INIT;
    unsigned named = 0;
    note_failure(sink, failure);
    text_append_format(&note, "block %u %u %u\n", cpu_block_index.x, cpu_block_index.y,
                       cpu_block_index.z);
    for (unsigned w = 0; w < device->warp_count; w++) {
        const struct cpu_warp *warp = &device->warps[w];
        note_running(&note, device, w, &named);
        note_lanes(&note, "missing", w, warp_alive(warp) & ~(warp->at_barrier & ~warp->at_named));
        note_barriers(&note, warp, w);
        note_named_barrier(&note, device, warp, w);
    }
    if (sink && sink->note)
        sink->note(sink->context, TRACE_NOTE_WAITING, note.data);
    text_release(&note);
}

/* Records the variables that lanes have shown, and where lanes wait. */
static void record_rest(struct cpu_device *device, enum trace_failure failure) {
    if (device->worker)
        block_worker_await_turn(device);
    for (unsigned w = 0; w < device->warp_count; w++) {
        watch_flush(device, &device->warps[w], WARP_FULL_MASK);
        device->unfiltered = true;
        rendezvous_record_waiting(device, &device->warps[w]);
        device->unfiltered = false;
        lines_end(device, &device->warps[w]);
    }
    note_waiting(device, failure);
}

void deadlock_report(struct cpu_device *device) {
    record_rest(device, TRACE_FAILURE_DEADLOCK);
    error_set(&device->error, ERROR_RUN,
              "the kernel does not finish: lanes of block (%u,%u,%u) wait for each other forever",
              cpu_block_index.x, cpu_block_index.y, cpu_block_index.z);
}

/* "block (1,0,0)", or the number of blocks that wait for each other. */
static void append_blocks(struct text *text, const struct cpu_device *device) {
    text_append_format(text, "block (%u,%u,%u)", cpu_block_index.x, cpu_block_index.y,
                       cpu_block_index.z);
    if (device->waiting)
        text_append_format(text, " and %u more, which wait for each other or for blocks that %s",
                           device->waiting_count,
                           device->blocks_begun < device->blocks_all
                               ? "have not begun: that many cannot run at the same time here"
                               : "do nothing for them");
}

void spin_report(struct cpu_device *device) {
    struct text blocks = TEXT_INIT;
    record_rest(device, TRACE_FAILURE_LIVELOCK);
    append_blocks(&blocks, device);
    error_set(&device->error, ERROR_RUN,
              "the kernel does not finish: lanes read memory millions of times in a row, by atomic "
              "operations or volatile reads, and it never changes: %s",
              blocks.data);
    text_release(&blocks);
}

void fault_report(struct cpu_device *device, const char *what, int lasting) {
    if (!device->worker || block_worker_await_turn(device) || !block_worker_is_cancelled(device)) {
        for (unsigned w = 0; w < device->warp_count; w++) {
            watch_flush(device, &device->warps[w], WARP_FULL_MASK);
            lines_end(device, &device->warps[w]);
        }
        note_failure(device->options.sink, TRACE_FAILURE_CRASH);
    }
    error_set(&device->error, ERROR_RUN, "%s", what);
    device->lasting = lasting;
}

static void note_grid(const struct cpu_device *device) {
    const struct cpu_sink *sink = device->options.sink;
    const struct shflviz_site *site = device->grid_site;
    struct text note = TEXT_INIT;
    if (!sink || !sink->note || !site)
        return;
    text_append_format(&note, "grid %s:%u %s\n", site->file, site->line, site->text);
    sink->note(sink->context, TRACE_NOTE_WAITING, note.data);
    text_release(&note);
}

void grid_report(struct cpu_device *device) {
    if (device->worker)
        block_worker_await_turn(device);
    note_failure(device->options.sink, TRACE_FAILURE_DEADLOCK);
    note_grid(device);
    error_set(&device->error, ERROR_RUN,
              "the kernel does not finish: %u of %llu blocks wait at grid.sync() for the others, "
              "which %s",
              device->waiting_count, (unsigned long long)device->blocks_all,
              device->blocks_begun < device->blocks_all ? "cannot run at the same time here"
                                                        : "have ended without reaching it");
}
