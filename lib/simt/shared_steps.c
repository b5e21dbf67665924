/*
 * shared_steps.c - records accesses to shared and global memory as steps.
 *
 * While they are recorded, the lanes of a warp keep step at them as they do at volatile ones
 * (lockstep.c): a lane stops before each until no lane of its warp can continue by itself; then
 * those at the lowest address of the program continue. The lanes that are released together make
 * one access together, which is one step, as it is one instruction of a GPU's warp. It is recorded
 * as soon as all of them have made it, so the recording has the accesses of all warps in the order
 * in which they happened.
 */
#include "simt/device_state.h"

#include <string.h>

/* ---- values ---- */

static uint64_t bytes_at(const void *address, unsigned from, unsigned count) {
    uint64_t value = 0;
    memcpy(&value, (const char *)address + from, count < sizeof value ? count : sizeof value);
    return value;
}

/* The value, extended as its type requires: a signed char of -1 is -1. */
static uint64_t value_at(const void *address, unsigned bytes, enum warp_type type) {
    const struct warp_type_info *info = warp_type_info(type);
    uint64_t value = bytes_at(address, 0, bytes);
    if (bytes < 4 && info->is_signed && value >> (8 * bytes - 1))
        value = (value | ~UINT64_C(0) << (8 * bytes)) & UINT32_MAX;
    return value;
}

/* ---- steps ---- */

/* The round that contains the lane's last access. */
static struct cpu_watch_round *last_round(const struct cpu_warp *warp, unsigned lane) {
    for (size_t i = warp->round_count; i-- > 0;)
        if (warp->rounds[i].op != WARP_OP_WATCH && lanes_hold(warp->rounds[i].present, lane))
            return &warp->rounds[i];
    return NULL;
}

static void read_after(struct cpu_watch_round *round, unsigned lane, const void *address,
                       unsigned bytes) {
    round->value[lane] = value_at(address, bytes, (enum warp_type)round->type);
    if (bytes > 8)
        round->before[lane] = bytes_at(address, 8, bytes - 8);
    else if (warp_op_is_read((enum warp_op)round->op))
        round->before[lane] = round->value[lane];
}

void shared_settle(struct cpu_device *device) {
    const struct cpu_touch touched = device->touched;
    device->touched.warp = NULL;
    struct cpu_watch_round *round = touched.warp ? last_round(touched.warp, touched.lane) : NULL;
    if (round)
        read_after(round, touched.lane, touched.address, touched.bytes);
}

void shared_flush(struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++)
        if (device->warps[w].round_count)
            watch_record_first(device, &device->warps[w], device->warps[w].round_count);
}

/* The lanes that were released together have all made their access: their step is complete. */
static void record_whole(struct cpu_device *device, struct cpu_warp *warp) {
    const size_t count = warp ? warp->round_count : 0;
    if (count && warp->rounds[count - 1].op != WARP_OP_WATCH &&
        warp->rounds[count - 1].present == warp->released)
        watch_record_first(device, warp, count);
}

/* Steps of an earlier release are complete, too, because the released lanes are elsewhere. */
static void record_earlier(struct cpu_device *device, struct cpu_warp *warp) {
    size_t count = warp->round_count;
    while (count && (warp->rounds[count - 1].op == WARP_OP_WATCH ||
                     warp->rounds[count - 1].release == warp->release))
        count--;
    if (count)
        watch_record_first(device, warp, count);
}

static struct cpu_watch_round *round_of(struct cpu_device *device, const struct cpu_lane *me,
                                        const struct cpu_access *access) {
    struct cpu_warp *warp = me->warp;
    record_earlier(device, warp);
    for (size_t i = warp->round_count; i-- > 0;) {
        struct cpu_watch_round *round = &warp->rounds[i];
        if (round->release == warp->release && round->site == access->site &&
            round->op == access->op && !(round->present & me->bit))
            return round;
    }
    struct cpu_watch_round *round = watch_begin(device, warp);
    *round = (struct cpu_watch_round){
        .site = access->site, .op = access->op, .type = access->type, .release = warp->release};
    return round;
}

bool cpu_shared_extends(const struct cpu_access *access) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_touch *touched = &device->touched;
    const struct cpu_lane *me = cpu_now.lane;
    const uintptr_t at = (uintptr_t)access->address;
    const unsigned bytes = touched->bytes + access->bytes;
    if (touched->warp != me->warp || touched->lane != me->index || touched->kind != access->op ||
        touched->site->line != access->site->line || bytes > access->vector ||
        at != (uintptr_t)touched->address + touched->bytes || at % access->vector == 0)
        return false;
    struct cpu_watch_round *round = last_round(me->warp, me->index);
    if (!round)
        return false;
    if (bytes <= 8)
        round->before[me->index] |= bytes_at(access->address, 0, access->bytes)
                                    << 8 * touched->bytes;
    touched->bytes = bytes;
    round->bytes = (uint8_t)(bytes > round->bytes ? bytes : round->bytes);
    return true;
}

void cpu_shared_access(const struct cpu_access *access, const void *pc) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_warp *before = device->touched.warp;
    device->shared_steps = true;
    shared_settle(device);
    record_whole(device, before);
    const int in_atomic = cpu_now.in_atomic;
    cpu_now.in_atomic = 0; /* it is about this lane, not those that run meanwhile */
    if (access->op == WARP_OP_SHARED_ATOMIC || access->op == WARP_OP_GLOBAL_ATOMIC)
        cpu_before_volatile(pc, access->address, access->bytes, 0);
    else if (!access->has_given_way)
        schedule_keep_pace(pc);
    cpu_now.in_atomic = in_atomic;
    before = device->touched.warp; /* the access of a lane that has run since */
    shared_settle(device);
    record_whole(device, before);
    struct cpu_watch_round *round = round_of(device, me, access);
    round->present |= me->bit;
    round->offset[me->index] = access->offset;
    round->before[me->index] =
        value_at(access->address, access->bytes, (enum warp_type)round->type);
    round->bytes = (uint8_t)(access->bytes > round->bytes ? access->bytes : round->bytes);
    device->touched = (struct cpu_touch){.warp = me->warp,
                                         .lane = me->index,
                                         .kind = access->op,
                                         .bytes = access->bytes,
                                         .address = access->address,
                                         .site = access->site};
}
