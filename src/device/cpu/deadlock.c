/*
 * deadlock.c - words for a block whose lanes wait for each other for ever.
 */
#include "device/cpu/device_state.h"

#include "base/text.h"
#include "shflviz/site.h"

#include <inttypes.h>

/* Groups of lanes that are told one by one; the error's text has room for so many. */
#define GROUPS_TOLD 10

static const char advice[] =
    "every lane that a member mask names, and that has not left the kernel, must make that call, "
    "and every thread of the block must come to __syncthreads()\n"
    "try moving the call out of the branch, or passing the mask of just the lanes that get there";

static void append_lanes(struct text *text, uint32_t lanes) {
    char list[WARP_LANES_TEXT];
    warp_lanes_format(lanes, list);
    if (lanes == WARP_FULL_MASK)
        text_append(text, list);
    else
        text_append_format(text, "lane%s %s", lanes & (lanes - 1) ? "s" : "", list);
}

static void append_place(struct text *text, const struct shflviz_site *site) {
    text_append_format(text, "%s:%u %s", site->file, site->line, site->text);
}

static const char *verb(uint32_t lanes) {
    return lanes & (lanes - 1) ? "wait" : "waits";
}

/* Lanes at one call of a warp operation, and those of their mask that do not come to it; `joined`
 * are all that did, from whatever place. */
static void append_operation(struct text *text, const struct cpu_warp *warp, uint32_t lanes,
                             uint32_t joined, const struct cpu_call *call) {
    text_append_format(text, "\nwarp %u: ", warp->index);
    append_lanes(text, lanes);
    text_append_format(text, " %s at ", verb(lanes));
    append_place(text, call->site);
    text_append(text, " for ");
    append_lanes(text, call->members & warp_alive(warp) & ~joined);
}

/* Whom __syncthreads waits for, warp by warp. */
static void append_missing_threads(struct text *text, const struct cpu_device *device) {
    const char *separator = " for ";
    for (unsigned w = 0; w < device->warp_count; w++) {
        const struct cpu_warp *warp = &device->warps[w];
        uint32_t missing = warp_alive(warp) & ~warp->at_barrier;
        if (!missing)
            continue;
        text_append(text, separator);
        append_lanes(text, missing);
        text_append_format(text, " of warp %u", w);
        separator = ", ";
    }
}

static void append_barrier(struct text *text, const struct cpu_device *device,
                           const struct cpu_warp *warp, uint32_t lanes,
                           const struct shflviz_site *site) {
    text_append_format(text, "\nwarp %u: ", warp->index);
    append_lanes(text, lanes);
    text_append_format(text, " %s at ", verb(lanes));
    append_place(text, site);
    append_missing_threads(text, device);
}

/* The lanes of `waiting` that have come to the operation of `call`: from anywhere, or from there.
 */
static uint32_t lanes_at_operation(const struct cpu_warp *warp, uint32_t waiting,
                                   const struct cpu_call *call, bool from_there) {
    uint32_t lanes = 0;
    for (uint32_t left = waiting; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const struct cpu_call *other = rendezvous_call(warp, lane);
        if (rendezvous_same(other, call) && (!from_there || other->site == call->site))
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

static uint32_t lanes_at_barrier(const struct cpu_warp *warp, uint32_t left,
                                 const struct shflviz_site *site) {
    uint32_t lanes = 0;
    for (; left; left &= left - 1)
        if (warp->barrier_site[__builtin_ctz(left)] == site)
            lanes |= left & -left;
    return lanes;
}

/* Appends a line per group of waiting lanes. Returns how many groups there are. */
static int append_warp(struct text *text, const struct cpu_device *device,
                       const struct cpu_warp *warp, int groups) {
    const uint32_t waiting = warp_waiting(warp, 0);
    for (uint32_t left = waiting; left; groups++) {
        const struct cpu_call *call = rendezvous_call(warp, (unsigned)__builtin_ctz(left));
        uint32_t lanes = lanes_at_operation(warp, left, call, true);
        left &= ~lanes;
        if (groups < GROUPS_TOLD)
            append_operation(text, warp, lanes, lanes_at_operation(warp, waiting, call, false),
                             call);
    }
    for (uint32_t left = warp->at_barrier; left; groups++) {
        const struct shflviz_site *site = warp->barrier_site[__builtin_ctz(left)];
        uint32_t lanes = lanes_at_barrier(warp, left, site);
        left &= ~lanes;
        if (groups < GROUPS_TOLD)
            append_barrier(text, device, warp, lanes, site);
    }
    return groups;
}

/* What lanes have shown, and where they stand. */
static void record_rest(struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++) {
        watch_flush(device, &device->warps[w], WARP_FULL_MASK);
        rendezvous_record_waiting(device, &device->warps[w]);
    }
}

void note_failure(const struct cpu_sink *sink, enum trace_failure failure) {
    if (sink && sink->note)
        sink->note(sink->context, TRACE_NOTE_FAILURE_KIND, trace_failure_name(failure));
}

static void note_lanes(struct text *note, const char *what, unsigned warp, uint32_t lanes) {
    if (lanes)
        text_append_format(note, "%s %u 0x%08" PRIx32 "\n", what, warp, lanes);
}

/* What the steps do not show: see TRACE_NOTE_WAITING. */
static void note_waiting(const struct cpu_device *device, enum trace_failure failure) {
    const struct cpu_sink *sink = device->options.sink;
    struct text note = TEXT_INIT;
    note_failure(sink, failure);
    text_append_format(&note, "block %u %u %u\n", cpu_now.block_index.x, cpu_now.block_index.y,
                       cpu_now.block_index.z);
    for (unsigned w = 0; w < device->warp_count; w++) {
        const struct cpu_warp *warp = &device->warps[w];
        note_lanes(&note, "running", w, warp->ready);
        note_lanes(&note, "missing", w, warp_alive(warp) & ~warp->at_barrier);
        for (uint32_t left = warp->at_barrier; left;) {
            const struct shflviz_site *site = warp->barrier_site[__builtin_ctz(left)];
            uint32_t lanes = lanes_at_barrier(warp, left, site);
            left &= ~lanes;
            text_append_format(&note, "barrier %u 0x%08" PRIx32 " %s:%u %s\n", w, lanes, site->file,
                               site->line, site->text);
        }
    }
    if (sink && sink->note)
        sink->note(sink->context, TRACE_NOTE_WAITING, note.data);
    text_release(&note);
}

void deadlock_report(struct cpu_device *device) {
    struct text text = TEXT_INIT;
    int groups = 0;
    record_rest(device);
    note_waiting(device, TRACE_FAILURE_DEADLOCK);
    for (unsigned w = 0; w < device->warp_count; w++)
        groups = append_warp(&text, device, &device->warps[w], groups);
    if (groups > GROUPS_TOLD)
        text_append_format(&text, "\nand %d more groups of lanes", groups - GROUPS_TOLD);
    error_set(&device->error, ERROR_RUN,
              "the kernel does not finish: lanes of block (%u,%u,%u) wait for each other for "
              "ever%s\n%s",
              cpu_now.block_index.x, cpu_now.block_index.y, cpu_now.block_index.z, text.data,
              advice);
    text_release(&text);
}

void spin_report(struct cpu_device *device) {
    struct text text = TEXT_INIT;
    int groups = 0;
    record_rest(device);
    note_waiting(device, TRACE_FAILURE_LIVELOCK);
    for (unsigned w = 0; w < device->warp_count; w++) {
        const struct cpu_warp *warp = &device->warps[w];
        if (warp->ready && groups++ < GROUPS_TOLD) {
            text_append_format(&text, "\nwarp %u: ", w);
            append_lanes(&text, warp->ready);
            text_append(&text, " still run");
        }
        groups = append_warp(&text, device, warp, groups);
    }
    error_set(&device->error, ERROR_RUN,
              "the kernel does not finish: block (%u,%u,%u) made millions of atomic operations in "
              "a row that changed nothing%s\n"
              "a lock must be given back by a lane that does not wait for the ones that spin\n"
              "try to let one lane of a warp take the lock, or another order: --schedule SEED",
              cpu_now.block_index.x, cpu_now.block_index.y, cpu_now.block_index.z, text.data);
    text_release(&text);
}
