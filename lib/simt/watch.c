/*
 * watch.c - gathers the variables that a kernel asks to show, from lanes that pass at different
 * times.
 *
 * Lanes do not wait for each other at a watch. Those that pass the same watch are gathered into one
 * step, a round, until one of them takes part in an operation, which must come later in the
 * recording, or the warp ends. A lane that passes again begins the next round.
 */
#include "simt/device_state.h"

#include "base/memory.h"

#include <string.h>

/* Open rounds of one warp; a lane that runs far ahead of the others has its oldest recorded. */
#define WATCH_ROUNDS_MAX 1024

static void record_round(struct cpu_device *device, struct cpu_warp *warp,
                         const struct cpu_watch_round *round) {
    const bool watched = round->op == WARP_OP_WATCH;
    struct warp_operation operation = {
        .op = (enum warp_op)round->op,
        .type = (enum warp_type)round->type,
        .members = round->present,
        .present = round->present,
        .launched = warp->launched,
        .exited = warp->exited,
    };
    for (uint32_t left = round->present; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        operation.out[lane] = round->value[lane];
        operation.in[lane] = watched ? round->value[lane] : round->before[lane];
        operation.arg[lane] = watched ? 0 : round->offset[lane];
        operation.width[lane] = watched ? 0 : round->bytes;
    }
    record_operation(device, warp, round->site, &operation, false);
}

void watch_record_first(struct cpu_device *device, struct cpu_warp *warp, size_t count) {
    if (device->shared_steps)
        shared_settle(device);
    for (size_t i = 0; i < count; i++)
        record_round(device, warp, &warp->rounds[i]);
    warp->round_count -= count;
    memmove(warp->rounds, warp->rounds + count, warp->round_count * sizeof *warp->rounds);
}

void watch_flush(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes) {
    if (warp->lines)
        lines_flush(device, warp, lanes);
    size_t count = warp->round_count;
    while (count && !(warp->rounds[count - 1].present & lanes))
        count--;
    if (count)
        watch_record_first(device, warp, count);
}

/* The round to which the lane's value belongs: the first one of this watch after the last one that
 * contains the lane. NULL if a new one has to be begun. */
static struct cpu_watch_round *find_round(struct cpu_warp *warp, uint32_t bit,
                                          const struct shflviz_site *site) {
    size_t after = warp->round_count;
    while (after && !(warp->rounds[after - 1].present & bit))
        after--;
    for (size_t i = after; i < warp->round_count; i++)
        if (warp->rounds[i].site == site)
            return &warp->rounds[i];
    return NULL;
}

struct cpu_watch_round *watch_begin(struct cpu_device *device, struct cpu_warp *warp) {
    if (warp->round_count == WATCH_ROUNDS_MAX)
        watch_record_first(device, warp, 1);
    if (warp->round_count == warp->round_capacity) {
        warp->round_capacity = warp->round_capacity ? 2 * warp->round_capacity : 8;
        warp->rounds = memory_grow(warp->rounds, warp->round_capacity, sizeof *warp->rounds);
    }
    return &warp->rounds[warp->round_count++];
}

void cpu_watch(const struct shflviz_site *site, int type, uint64_t bits) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_watch_round *round = find_round(me->warp, me->bit, site);
    if (!round) {
        round = watch_begin(device, me->warp);
        *round = (struct cpu_watch_round){.site = site, .op = WARP_OP_WATCH, .type = (uint8_t)type};
    }
    round->present |= me->bit;
    round->value[me->index] = bits;
}
