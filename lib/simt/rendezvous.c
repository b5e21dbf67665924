/*
 * rendezvous.c - brings together the lanes of a warp that have reached the same operation, and
 * gives each its result.
 *
 * Lanes belong to one operation if they reached the same intrinsic, for values of one size, with
 * the same member mask. It does not matter where they call from: "shfl.sync will cause executing
 * thread to wait until all non-exited threads corresponding to membermask have executed shfl.sync
 * with the same qualifiers and same membermask value" (PTX ISA), and according to the guide the
 * same shuffle in both branches of an if is valid from compute capability 7.0 on ("Independent
 * Thread Scheduling"). Only __activemask() returns the lanes that are at this very call. An
 * operation is complete when every lane that the mask names is there, except those that do not
 * exist or have left the kernel.
 * Completion waits until no lane of the warp can run, so that lanes that make the same call but
 * are not in the mask are seen taking part; with a schedule other than lane order an operation may
 * also be completed immediately.
 *
 * warp_outcome() says what each lane gets, for every operation. The common case, all 32
 * lanes at a shuffle with a full mask, reads the same answer from a table (struct cpu_plan).
 */
#include "simt/device_state.h"

#include <string.h>

const struct cpu_call *rendezvous_call(const struct cpu_warp *warp, unsigned lane) {
    return lanes_hold(warp->elsewhere, lane) ? &warp->calls[lane] : &warp->open;
}

bool rendezvous_same(const struct cpu_call *a, const struct cpu_call *b) {
    if (a->members != b->members || a->op != b->op)
        return false;
    if (a->op == WARP_OP_ACTIVEMASK) /* lanes at another call are in another branch */
        return a->site == b->site;
    return a->site == b->site || warp_type_info((enum warp_type)a->type)->bits ==
                                     warp_type_info((enum warp_type)b->type)->bits;
}

static bool type_is_wide(const struct cpu_device *device, unsigned type) {
    return device->wide_types >> type & 1;
}

/* ---- all 32 lanes at one shuffle ---- */

static const uint8_t *plan_sources(struct cpu_device *device, unsigned op, int32_t width,
                                   int32_t arg) {
    struct cpu_plan *plan =
        &device->plans[op][__builtin_ctz((unsigned)width)][(uint32_t)arg % CPU_WARP_LANES];
    if (!plan->known) {
        for (int lane = 0; lane < CPU_WARP_LANES; lane++)
            plan->source[lane] =
                (uint8_t)shuffle_address((enum warp_op)op, lane, arg, width).source;
        plan->known = true;
    }
    return plan->source;
}

static bool args_are_equal(const int32_t arg[CPU_WARP_LANES]) {
    uint32_t differ = 0;
    for (int lane = 1; lane < CPU_WARP_LANES; lane++)
        differ |= (uint32_t)(arg[lane] ^ arg[0]);
    return differ == 0;
}

/* The source of each lane, in `buffer` or in a table. */
static const uint8_t *shuffle_sources(struct cpu_device *device, const struct cpu_warp *warp,
                                      uint8_t buffer[CPU_WARP_LANES]) {
    const struct cpu_call *call = &warp->open;
    if (cpu_id_arg(call->id) >= 0)
        return plan_sources(device, call->op, call->width, cpu_id_arg(call->id));
    if (args_are_equal(warp->arg))
        return plan_sources(device, call->op, call->width, warp->arg[0]);
    for (int lane = 0; lane < CPU_WARP_LANES; lane++)
        buffer[lane] = plan_sources(device, call->op, call->width, warp->arg[lane])[lane];
    return buffer;
}

/* Gives each lane its source's value, eight at a time, which compilers unroll: otherwise the loop
 * itself would be as much work as its body. */
static void gather_32(uint32_t out[restrict CPU_WARP_LANES], const uint32_t in[CPU_WARP_LANES],
                      const uint8_t source[CPU_WARP_LANES]) {
    for (int first = 0; first < CPU_WARP_LANES; first += 8)
        for (int lane = first; lane < first + 8; lane++)
            out[lane] = in[source[lane]];
}

static void gather_64(uint64_t out[restrict CPU_WARP_LANES], const uint64_t in[CPU_WARP_LANES],
                      const uint8_t source[CPU_WARP_LANES]) {
    for (int first = 0; first < CPU_WARP_LANES; first += 8)
        for (int lane = first; lane < first + 8; lane++)
            out[lane] = in[source[lane]];
}

bool rendezvous_is_plain(const struct cpu_call *call) {
    return call->members == WARP_FULL_MASK && call->op <= WARP_OP_XOR &&
           warp_width_is_defined(call->width);
}

static void complete(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes,
                     const struct cpu_call *call);

/* True if the argument is cut: like the instruction, the CPU warp uses only five bits of a delta or
 * a laneMask. When a program is run again to see what depends on undefined values, the result of
 * such a call varies, too. */
static bool is_argument_cut(unsigned op, int32_t arg) {
    return op >= WARP_OP_UP && op <= WARP_OP_XOR && (uint32_t)arg >= CPU_WARP_LANES;
}

static bool any_argument_is_cut(const struct cpu_warp *warp) {
    uint32_t all = 0;
    if (cpu_id_arg(warp->open.id) >= 0)
        return false;
    for (int lane = 0; lane < CPU_WARP_LANES; lane++)
        all |= (uint32_t)warp->arg[lane];
    return is_argument_cut(warp->open.op, (int32_t)all);
}

void rendezvous_complete_full(struct cpu_device *device, struct cpu_warp *warp) {
    uint8_t buffer[CPU_WARP_LANES];
    if (device->options.origins || (device->options.observer && any_argument_is_cut(warp))) {
        complete(device, warp, WARP_FULL_MASK, &warp->open);
        return;
    }
    const uint8_t *source = shuffle_sources(device, warp, buffer);
    if (warp->round_count || warp->lines)
        watch_flush(device, warp, WARP_FULL_MASK);
    if (device->options.observer)
        device->options.observer->operation(warp, WARP_FULL_MASK, WARP_FULL_MASK, warp->open.site);
    if (type_is_wide(device, warp->open.type)) {
        gather_64(warp->out64, warp->in64, source);
        record_full(device, warp, warp->in64, warp->out64, 8);
    } else {
        gather_32(warp->out32, warp->in32, source);
        record_full(device, warp, warp->in32, warp->out32, 4);
    }
    warp->ready = WARP_FULL_MASK;
    warp->meetings++;
}

/* ---- any lanes at any operation ---- */

static void describe(const struct cpu_device *device, const struct cpu_warp *warp, uint32_t lanes,
                     const struct cpu_call *call, struct warp_operation *operation) {
    bool wide = type_is_wide(device, call->type);
    const bool no_mask = call->op == WARP_OP_ACTIVEMASK || call->op & CPU_CALL_NO_MASK;
    *operation = (struct warp_operation){
        .op = (enum warp_op)(call->op & ~(CPU_CALL_NO_MASK | CPU_CALL_NO_ORDER)),
        .type = (enum warp_type)call->type,
        .members = no_mask ? lanes : call->members,
        .present = lanes,
        .launched = warp->launched,
        .exited = warp->exited,
    };
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        const struct cpu_call *own = rendezvous_call(warp, (unsigned)lane);
        operation->width[lane] = own->width;
        operation->arg[lane] = cpu_id_arg(own->id) >= 0 ? cpu_id_arg(own->id) : warp->arg[lane];
        operation->in[lane] = wide ? warp->in64[lane] : warp->in32[lane];
    }
}

/* Bits that are finite and large in every type, and always different: two equal ones might cancel
 * out. */
static uint64_t varied_poison(struct cpu_device *device) {
    uint64_t bits = ++device->poisons * UINT64_C(0x9e3779b97f4a7c15);
    bits ^= bits >> 29;
    bits = (bits * UINT64_C(0xbf58476d1ce4e5b9) & UINT64_C(0x2fff2fff2fff2fff)) |
           UINT64_C(0x4000400040004000);
    return device->options.settings.variant == 1 ? bits : bits | UINT64_C(0x8000800080008000);
}

/* The value that a lane gets if no rule defines one: the poison, cut to the size of the result.
 * With a width that the guide leaves undefined, it is the value of the lane that the instruction's
 * arithmetic reads, if that lane is there. */
static uint64_t undefined_value(struct cpu_device *device, const struct warp_operation *operation,
                                const struct lane_outcome *outcome) {
    const uint32_t callers = operation->present & operation->members;
    const bool is_vote_or_match =
        operation->op >= WARP_OP_BALLOT && operation->op <= WARP_OP_MATCH_ALL;
    const enum warp_type type = is_vote_or_match ? WARP_TYPE_UNSIGNED : operation->type;
    device->gave_undefined = true;
    if (device->options.undefined)
        *device->options.undefined = true;
    if (device->options.settings.variant)
        return warp_value_mask(type, varied_poison(device));
    if (outcome->reason == LANE_REASON_WIDTH &&
        lanes_hold(callers, (unsigned)outcome->address.source))
        return operation->in[outcome->address.source];
    return warp_value_mask(type, device->options.settings.poison);
}

static void work_out(struct cpu_device *device, struct warp_operation *operation) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    for (uint32_t left = operation->present; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint64_t value = 0;
        if (operation->op == WARP_OP_ACTIVEMASK)
            value = operation->members;
        else if (outcome[lane].has_value)
            value = outcome[lane].value;
        else if (outcome[lane].status == LANE_UNDEFINED && operation->op != WARP_OP_SYNC)
            value = undefined_value(device, operation, &outcome[lane]);
        if (device->options.observer && is_argument_cut(operation->op, operation->arg[lane])) {
            const uint64_t varied = undefined_value(device, operation, &outcome[lane]);
            value = device->options.settings.variant ? varied : value;
        }
        operation->out[lane] = value;
        if (operation->op == WARP_OP_MATCH_ALL)
            operation->arg[lane] = value != 0;
    }
}

static void complete(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes,
                     const struct cpu_call *call) {
    const struct shflviz_site *site = rendezvous_call(warp, (unsigned)__builtin_ctz(lanes))->site;
    const bool is_sync = (call->op & ~CPU_CALL_NO_ORDER) == WARP_OP_SYNC;
    if (call->op == WARP_OP_SYNC && device->options.observer)
        device->options.observer->joined(warp, lanes);
    if (device->options.observer)
        device->options.observer->operation(
            warp, lanes, call->op & CPU_CALL_NO_MASK ? lanes : call->members, site);
    watch_flush(device, warp, lanes);
    warp->last_step = 0;
    /* __syncwarp has no result, so there is nothing to do unless it is recorded. */
    if (!is_sync || record_has_room(device, warp, site)) {
        struct warp_operation operation;
        describe(device, warp, lanes, call, &operation);
        work_out(device, &operation);
        for (uint32_t left = lanes; left; left &= left - 1) {
            int lane = __builtin_ctz(left);
            warp->out64[lane] = operation.out[lane];
            warp->out32[lane] = (uint32_t)operation.out[lane];
        }
        const uint64_t step = device->sequence - 1;
        record_operation(device, warp, site, &operation, call->mask_diverges);
        if (device->sequence - 1 > step)
            warp->last_step = step + 1;
        if (device->options.origins)
            device->options.origins->operation(warp, site, &operation,
                                               warp->last_step ? step : UINT64_MAX);
    }
    warp->ready |= lanes;
    warp->elsewhere &= ~lanes;
    warp->meetings++;
}

/* Returns the lanes of `waiting` that are at the same operation as `call`. */
static uint32_t group_of(const struct cpu_warp *warp, uint32_t waiting,
                         const struct cpu_call *call) {
    uint32_t group = 0;
    for (uint32_t left = waiting; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        if (rendezvous_same(&warp->calls[lane], call))
            group |= UINT32_C(1) << lane;
    }
    return group;
}

/* Notes for each lane whether others made its call with a different mask that overlaps its own. */
static void note_divergence(struct cpu_warp *warp, uint32_t waiting) {
    for (uint32_t a = waiting; a; a &= a - 1)
        for (uint32_t b = a & (a - 1); b; b &= b - 1) {
            struct cpu_call *one = &warp->calls[__builtin_ctz(a)];
            struct cpu_call *other = &warp->calls[__builtin_ctz(b)];
            if (one->site == other->site && one->members != other->members &&
                (one->members & other->members))
                one->mask_diverges = other->mask_diverges = 1;
        }
}

/* Puts the call of every waiting lane into calls[], so that all are handled alike. */
static void spread_open_call(struct cpu_warp *warp, uint32_t waiting) {
    for (uint32_t left = waiting & ~warp->elsewhere; left; left &= left - 1)
        warp->calls[__builtin_ctz(left)] = warp->open;
    warp->elsewhere = waiting;
}

static bool is_complete(const struct cpu_warp *warp, uint32_t group, const struct cpu_call *call) {
    return (call->members & warp_alive(warp) & ~group) == 0;
}

bool rendezvous_complete(struct cpu_device *device, struct cpu_warp *warp) {
    uint32_t waiting = warp_waiting(warp, 0);
    if (waiting == WARP_FULL_MASK && warp->elsewhere == 0 && warp->open_is_plain) {
        rendezvous_complete_full(device, warp);
        return true;
    }
    if (!waiting)
        return false;
    if (waiting == warp->stuck && warp_alive(warp) == warp->stuck_alive &&
        warp->meetings == warp->stuck_meetings)
        return warp->ready != 0; /* reached again and again while other lanes spin */
    if (warp->elsewhere == 0 && is_complete(warp, waiting, &warp->open)) {
        complete(device, warp, waiting, &warp->open); /* the same call by all: nothing to sort */
        return true;
    }
    spread_open_call(warp, waiting);
    note_divergence(warp, waiting);
    warp->stuck = waiting;
    warp->stuck_alive = warp_alive(warp);
    warp->stuck_meetings = warp->meetings; /* differs once one of these lanes continues */
    for (uint32_t left = waiting; left;) {
        struct cpu_call call = warp->calls[__builtin_ctz(left)];
        uint32_t group = group_of(warp, left, &call);
        left &= ~group;
        if (is_complete(warp, group, &call))
            complete(device, warp, group, &call);
    }
    return warp->ready != 0;
}

void rendezvous_complete_early(struct cpu_device *device, struct cpu_warp *warp, unsigned lane) {
    uint32_t waiting = warp_waiting(warp, 0);
    struct cpu_call call = warp->calls[lane];
    if (call.op & CPU_CALL_NO_MASK) /* GPUs that have these forms run lanes in step */
        return;
    note_divergence(warp, waiting);
    call.mask_diverges = warp->calls[lane].mask_diverges;
    uint32_t group = group_of(warp, waiting, &call);
    if (is_complete(warp, group, &call))
        complete(device, warp, group, &call);
}

bool rendezvous_release_outsiders(struct cpu_device *device, struct cpu_warp *warp) {
    uint32_t waiting = warp_waiting(warp, 0);
    for (uint32_t left = waiting; left;) {
        struct cpu_call call = *rendezvous_call(warp, (unsigned)__builtin_ctz(left));
        uint32_t group = group_of(warp, left, &call);
        left &= ~group;
        if (group & ~call.members) {
            complete(device, warp, group & ~call.members, &call);
            return true;
        }
    }
    return false;
}

/* Those of `lanes` that call from this source location. */
static uint32_t at_site(const struct cpu_warp *warp, uint32_t lanes,
                        const struct shflviz_site *site) {
    for (uint32_t left = lanes; left; left &= left - 1)
        if (warp->calls[__builtin_ctz(left)].site != site)
            lanes &= ~(left & -left);
    return lanes;
}

void rendezvous_record_waiting(struct cpu_device *device, struct cpu_warp *warp) {
    uint32_t waiting = warp_waiting(warp, 0);
    spread_open_call(warp, waiting);
    for (uint32_t left = waiting; left;) {
        const struct cpu_call call = warp->calls[__builtin_ctz(left)];
        uint32_t group = at_site(warp, group_of(warp, left, &call), call.site);
        struct warp_operation operation;
        left &= ~group;
        describe(device, warp, group, &call, &operation);
        operation.unfinished = true;
        record_operation(device, warp, call.site, &operation, call.mask_diverges);
    }
}
