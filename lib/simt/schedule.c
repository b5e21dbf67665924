/*
 * schedule.c - which lane runs next.
 *
 * A lane runs until it waits, yields or ends. Then the schedule chooses: in lane order (seed 0) the
 * lowest ready lane of the warp, else a random one. A warp in which no lane can run completes its
 * operations (rendezvous.c); if it has none to complete, the next warp runs; then the barrier
 * opens; then lanes that no mask names are released. If none of that helps, the lanes wait for each
 * other forever and the run ends.
 *
 * All of this runs on the stack of the lane that stops. The program's own stack waits in
 * schedule_run_block(). A lane that ends leaves its stack to one that begins (hand_over_stack()):
 * lanes that never wait are plain calls, one after the other.
 */
#include "simt/device_state.h"

#include "simt/block_workers.h"

#include <string.h>

struct cpu_device *cpu_used_device;
__thread struct cpu_now cpu_now;
__thread struct uint3 cpu_block_index;
__thread struct dim3 cpu_block_dim, cpu_grid_dim;

/* In lane order, one atomic operation in this many lets another lane run, so that a lock held by
 * another lane is eventually released. */
#define YIELD_PERIOD 64
/* After this many atomic operations in a row that changed nothing, a block counts as spinning. */
#define SPIN_LIMIT (UINT64_C(1) << 24)

/* xorshift64*, by S. Vigna. */
uint64_t schedule_random(struct cpu_device *device) {
    uint64_t x = device->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    device->random = x;
    return x * UINT64_C(2685821657736338717);
}

bool schedule_chance(struct cpu_device *device, unsigned of) {
    return device->options.settings.schedule != 0 && (schedule_random(device) >> 33) % of == 0;
}

/* ---- sweeps ---- */

/*
 * In lane order, the ready lanes that follow the lowest one without a gap make a sweep. Each hands
 * over to its neighbour directly, without the schedule and without a change of `ready`
 * (cpu_operation_wait()). Whatever else stops a lane ends the sweep first.
 */

/* Begins a sweep with the lowest ready lane. `ready` stays as it is until the sweep ends. */
static struct cpu_lane *sweep_begin(struct cpu_warp *warp) {
    unsigned first = (unsigned)__builtin_ctz(warp->ready);
    uint64_t run = warp->ready >> first;
    warp->sweep_last = warp->lanes + first + (unsigned)__builtin_ctzll(~run) - 1;
    warp->sweep_last->is_last = 1;
    warp->sweep_id = warp->open.id;
    const uint32_t lanes = 2 * warp->sweep_last->bit - warp->lanes[first].bit;
    warp->row_last = warp->prepared && !(lanes & ~warp->fresh) ? warp->sweep_last : NULL;
    return &warp->lanes[first];
}

/* The lanes that are ready while `me` runs. */
static uint32_t other_ready(const struct cpu_warp *warp, const struct cpu_lane *me) {
    return warp->sweep_last ? warp->ready & ~(me->bit | (me->bit - 1)) : warp->ready;
}

/* Ends the sweep, if there is one, so that `ready` holds exactly the ready lanes. */
static void sweep_end(struct cpu_warp *warp, const struct cpu_lane *me) {
    warp->ready = other_ready(warp, me);
    if (warp->sweep_last)
        warp->sweep_last->is_last = 0;
    warp->sweep_last = warp->row_last = NULL;
    warp->sweep_id = 0;
}

/* Called when a lane that has not ended stops: its context is in use. */
static void keep_contexts(struct cpu_warp *warp) {
    warp->prepared = 0;
    warp->row_last = NULL;
}

/* ---- choosing ---- */

static unsigned nth_lane(uint32_t lanes, unsigned n) {
    while (n--)
        lanes &= lanes - 1;
    return (unsigned)__builtin_ctz(lanes);
}

static struct cpu_lane *take_lane(struct cpu_device *device, struct cpu_warp *warp) {
    device->current_warp = warp->index;
    if (device->options.settings.schedule == 0)
        return sweep_begin(warp);
    unsigned lane = nth_lane(warp->ready, (unsigned)((schedule_random(device) >> 33) %
                                                     (unsigned)__builtin_popcount(warp->ready)));
    warp->ready &= ~(UINT32_C(1) << lane);
    return &warp->lanes[lane];
}

/* A warp with a ready lane, beginning with the current one; NULL if there is none. */
static struct cpu_warp *find_warp(struct cpu_device *device) {
    unsigned first = device->current_warp;
    if (cpu_now.in_step && !device->options.observer && device->warps[first].yielding &&
        !device->warps[first].ready)
        first++; /* the warps of the block take turns after each access */
    if (schedule_chance(device, 8))
        first = (unsigned)(schedule_random(device) >> 33) % device->warp_count;
    for (unsigned i = 0; i < device->warp_count; i++) {
        struct cpu_warp *warp = &device->warps[(first + i) % device->warp_count];
        if (warp->ready || (warp->yielding && lockstep_release(device, warp, false)) ||
            rendezvous_complete(device, warp))
            return warp;
    }
    return NULL;
}

/* Called when all lanes only read variables, again and again: continues those of the next warp. */
static struct cpu_warp *find_spinning(struct cpu_device *device) {
    for (unsigned i = 1; i <= device->warp_count; i++) {
        struct cpu_warp *warp = &device->warps[(device->current_warp + i) % device->warp_count];
        if (warp->yielding && lockstep_release(device, warp, true))
            return warp;
    }
    return NULL;
}

/* Opens __syncthreads if every remaining thread has reached it. */
static bool open_barrier(struct cpu_device *device) {
    int threads = 0, sum = 0;
    for (unsigned w = 0; w < device->warp_count; w++) {
        struct cpu_warp *warp = &device->warps[w];
        if (warp_alive(warp) != warp->at_barrier || warp->at_named)
            return false;
        threads += __builtin_popcount(warp->at_barrier);
        sum += (int)warp->barrier_sum;
    }
    if (!threads)
        return false;
    if (device->options.observer)
        device->options.observer->barrier();
    if (device->shared_steps)
        shared_flush(device);
    for (unsigned w = 0; w < device->warp_count; w++) {
        device->warps[w].ready |= device->warps[w].at_barrier;
        device->warps[w].at_barrier = device->warps[w].barrier_sum = 0;
    }
    device->barriers++;
    device->barrier_threads = threads;
    device->barrier_result = sum;
    device->current_warp = 0;
    return true;
}

static bool release_outsiders(struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++)
        if (rendezvous_release_outsiders(device, &device->warps[w]))
            return true;
    return false;
}

static bool block_has_ended(const struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++)
        if (warp_alive(&device->warps[w]))
            return false;
    return true;
}

/* ---- waiting for other blocks ---- */

static void enter_lane(struct cpu_lane *lane) {
    cpu_now.lane = lane;
    cpu_now.warp = lane ? lane->warp : NULL;
}

/* True if some lane spins at a volatile variable. */
static bool block_yields(const struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++)
        if (device->warps[w].yielding)
            return true;
    return false;
}

/* Parks the block, on the stack of the running lane, until its next turn. */
static void park_block(struct cpu_device *device, bool at_grid) {
    struct cpu_lane *me = cpu_now.lane;
    if (device->shared_steps)
        shared_flush(device);
    device->parked = me;
    device->parked_at_grid = at_grid;
    enter_lane(NULL);
    keep_contexts(me->warp);
    fiber_switch(device->pool, me->fiber, &me->context, FIBER_HOST, &device->host, 0);
    enter_lane(me);
}

/* True if, since the block last continued, its lanes have read memory often and changed nothing. */
static bool block_spins(const struct cpu_device *device) {
    const uint64_t since = device->unchanged < device->resumed ? 0 : device->resumed;
    uint64_t lanes = 1;
    if (device->unchanged - since < YIELD_PERIOD || !blocks_can_wait(device))
        return false;
    for (unsigned w = 0; w < device->warp_count; w++)
        lanes += (unsigned)__builtin_popcount(device->warps[w].ready | device->warps[w].yielding);
    return device->unchanged - since > YIELD_PERIOD * lanes;
}

/* True once lanes have read so often in a row without a change that none can be expected. */
static bool spins_forever(struct cpu_device *device) {
    const uint64_t limit =
        SPIN_LIMIT + (uint64_t)device->waiting_count * 2 * YIELD_PERIOD * device->thread_count;
    if (device->unchanged ==
        SPIN_LIMIT / 2) /* a count passes this mark only after it has begun again at 0 */
        device->spun = 0;
    if (device->unchanged <= limit)
        return false;
    if (!device->worker || block_worker_spins(device))
        return true;
    device->unchanged = limit - SPIN_LIMIT / 8; /* other workers may still change it */
    return false;
}

void cpu_grid_barrier(const struct shflviz_site *site) {
    struct cpu_device *device = cpu_now.device;
    device->grid_site = site;
    cpu_block_barrier(site, 0);
    if (device->grid_barriers == device->barriers)
        return; /* one lane has continued for all */
    device->grid_barriers = device->barriers;
    if (device->blocks_all > 1)
        park_block(device, true);
    else if (device->options.observer)
        device->options.observer->grid_barrier();
}

/* The lane that runs next, no longer ready; NULL when the block has ended or cannot continue. */
static struct cpu_lane *next_lane(struct cpu_device *device) {
    for (;;) {
        struct cpu_warp *warp = find_warp(device);
        if (warp)
            return take_lane(device, warp);
        if (block_has_ended(device))
            return NULL;
        if (cpu_now.lane && blocks_can_wait(device) && block_yields(device))
            park_block(device, false);
        warp = find_spinning(device);
        if (warp)
            return take_lane(device, warp);
        if (!open_barrier(device) && !release_outsiders(device)) {
            deadlock_report(device);
            return NULL;
        }
    }
}

/* ---- switching ---- */

static void run_lane(struct cpu_device *device, struct cpu_lane *from, struct cpu_lane *to,
                     bool from_ends) {
    struct cpu_context ended;
    struct cpu_context *kept = !from ? &device->host : from_ends ? &ended : &from->context;
    if (from && !from_ends)
        keep_contexts(from->warp);
    enter_lane(to);
    fiber_switch(device->pool, from ? from->fiber : FIBER_HOST, kept, to ? to->fiber : FIBER_HOST,
                 to ? &to->context : &device->host, from_ends);
    enter_lane(from); /* it runs again; in a sweep, its neighbour has not set this */
}

/* Stops the running lane, whose call has been noted. Returns when it runs again. */
static void stop_lane(struct cpu_device *device, struct cpu_lane *me) {
    struct cpu_lane *next = next_lane(device);
    if (next == me)
        return;
    run_lane(device, me, next, next == NULL);
}

/* Switches from the running lane to `next` (NULL if there is none), or leaves the switch to the
 * caller, which inlines it. Returns the lane to switch to, or, where lanes do not switch inline,
 * the lane itself when it runs again. */
static struct cpu_lane *hand_over(struct cpu_device *device, struct cpu_lane *me,
                                  struct cpu_lane *next) {
    if (!next)
        run_lane(device, me, NULL, true);
#if CPU_SWITCH_INLINE
    cpu_now.warp = next->warp;
    return next;
#else
    if (next != me)
        run_lane(device, me, next, false);
    return me;
#endif
}

static void note_call(struct cpu_warp *warp, struct cpu_lane *me, const struct cpu_call *call) {
    uint64_t key = cpu_call_key(call->members, call->width);
    if (warp->open.id == call->id && warp->open_key == key)
        return;
    uint32_t waiting =
        warp_alive(warp) & ~(other_ready(warp, me) | warp->at_barrier | warp->yielding | me->bit);
    if (waiting & ~warp->elsewhere) {
        warp->calls[me->index] = *call;
        warp->elsewhere |= me->bit;
    } else {
        warp->open = *call;
        warp->open_key = key;
        warp->open_is_plain = rendezvous_is_plain(call);
        if (warp->sweep_last)
            warp->sweep_id = call->id;
    }
}

/* The lane reaches an operation; returns what cpu_operation_arrive() returns. */
static __attribute__((noinline)) struct cpu_lane *arrive(struct cpu_device *device,
                                                         struct cpu_warp *warp, struct cpu_lane *me,
                                                         const struct cpu_call *call) {
    keep_contexts(warp);
    if (device->options.settings.schedule != 0) {
        warp->calls[me->index] = *call;
        warp->elsewhere |= me->bit;
        if (schedule_chance(device, 2))
            rendezvous_complete_early(device, warp, me->index);
        return hand_over(device, me, next_lane(device));
    }
    note_call(warp, me, call);
    if (warp->sweep_last && me != warp->sweep_last)
        return hand_over(device, me, me + 1);
    sweep_end(warp, me);
    return hand_over(device, me, next_lane(device));
}

/* True if the sweep's last lane, at the open call, is the last of all 32 to reach it. */
static bool is_last_of_all(const struct cpu_warp *warp, const struct cpu_lane *me) {
    uint32_t others = warp->ready & ~(me->bit | (me->bit - 1));
    return me == warp->sweep_last && warp->open_is_plain &&
           (others | warp->elsewhere | warp->at_barrier | warp->yielding | ~warp_alive(warp)) == 0;
}

struct cpu_lane *cpu_operation_arrive(uint64_t id, int op, int type, uint32_t members,
                                      int32_t width) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_warp *warp = cpu_now.warp;
    device->unchanged = 0;
    if (warp->sweep_id == id && warp->open_key == cpu_call_key(members, width) &&
        is_last_of_all(warp, me)) {
        /* The choice that next_lane() would make, without its tests. */
        rendezvous_complete_full(device, warp);
        return hand_over(device, me, sweep_begin(warp));
    }
    const struct cpu_call call = {.site = cpu_id_site(id),
                                  .id = id,
                                  .members = members,
                                  .width = width,
                                  .op = (uint8_t)op,
                                  .type = (uint8_t)type};
    return arrive(device, warp, me, &call);
}

struct cpu_lane *cpu_barrier_arrive(const struct shflviz_site *site, int value) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_warp *warp = cpu_now.warp;
    device->unchanged = 0;
    keep_contexts(warp);
    warp->barrier_sum += value != 0;
    warp->barrier_site[me->index] = site;
    warp->at_barrier |= me->bit;
    if (warp->sweep_last && me != warp->sweep_last)
        return hand_over(device, me, me + 1);
    sweep_end(warp, me);
    return hand_over(device, me, next_lane(device));
}

/* Releases all lanes at the barrier; the running lane's sweep has been ended. */
static void open_named_barrier(struct cpu_device *device, unsigned number) {
    if (device->shared_steps)
        shared_flush(device);
    for (unsigned w = 0; w < device->warp_count; w++) {
        struct cpu_warp *warp = &device->warps[w];
        for (uint32_t left = warp->at_named; left; left &= left - 1) {
            if (warp->named[__builtin_ctz(left)] != number)
                continue;
            const uint32_t bit = left & -left;
            warp->at_named &= ~bit;
            warp->at_barrier &= ~bit;
            warp->ready |= bit;
        }
    }
    device->warps[0].named_barriers[number].arrived = 0;
}

/* Each arriving lane counts as one. Barriers count whole warps, so lane 0 of a partial warp also
 * counts for the lanes that the warp lacks. */
static unsigned named_weight(const struct cpu_lane *me) {
    return me->index ? 1 : 1 + CPU_WARP_LANES - (unsigned)__builtin_popcount(me->warp->launched);
}

void cpu_barrier_arrive_named(const struct shflviz_site *site, unsigned number, unsigned count,
                              int waits) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_warp *warp = me->warp;
    number %= CPU_NAMED_BARRIERS;
    struct cpu_named_barrier *barrier = &device->warps[0].named_barriers[number];
    const struct cpu_observer *observer = device->options.observer;
    device->unchanged = 0;
    keep_contexts(warp);
    barrier->count = count;
    if (observer)
        observer->named(barrier, site, false);
    barrier->arrived += named_weight(me);
    sweep_end(warp, me);
    if (barrier->arrived >= count) {
        open_named_barrier(device, number);
    } else if (waits) {
        warp->barrier_site[me->index] = site;
        warp->named[me->index] = (uint8_t)number;
        warp->at_barrier |= me->bit;
        warp->at_named |= me->bit;
        stop_lane(device, me);
    }
    if (observer && waits)
        observer->named(barrier, site, true);
}

int cpu_block_barrier_result(void) {
    return cpu_now.device->barrier_result;
}

int cpu_block_barrier_threads(void) {
    return cpu_now.device->barrier_threads;
}

/* In lane order: the next ready lane after `me`, in this warp or the next ones, so that every lane
 * gets its turn while others spin. */
static struct cpu_lane *next_in_turn(struct cpu_device *device, struct cpu_lane *me) {
    struct cpu_warp *warp = me->warp;
    uint32_t after = warp->ready & ~(me->bit | (me->bit - 1));
    for (unsigned i = 1; !after && i <= device->warp_count; i++) {
        warp = &device->warps[(me->warp->index + i) % device->warp_count];
        if (!warp->ready)
            rendezvous_complete(device, warp);
        after = warp->ready;
    }
    unsigned lane = (unsigned)__builtin_ctz(after);
    warp->ready &= ~(UINT32_C(1) << lane);
    device->current_warp = warp->index;
    return &warp->lanes[lane];
}

/* Lanes spin, and any other lane that can continue may be the one they wait for. */
static void release_all(struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++) {
        struct cpu_warp *warp = &device->warps[w];
        rendezvous_complete(device, warp);
        if (warp->yielding && !lockstep_release(device, warp, false))
            lockstep_release(device, warp, true);
    }
}

_Noreturn void schedule_abandon(struct cpu_device *device) {
    run_lane(device, cpu_now.lane, NULL, true);
    __builtin_unreachable();
}

void cpu_yield(int changed) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    if (!cpu_is_lane())
        return;
    device->unchanged = changed ? 0 : device->unchanged + 1;
    device->changes += changed != 0;
    if (device->unchanged > SPIN_LIMIT / 2) /* other lanes may wait for it */
        lockstep_note(device, me, __builtin_return_address(0));
    if (spins_forever(device)) {
        sweep_end(me->warp, me);
        me->warp->ready |= me->bit;
        spin_report(device);
        schedule_abandon(device);
    }
    bool in_order = device->options.settings.schedule == 0;
    if (in_order ? ++device->yields % YIELD_PERIOD != 0 : !schedule_chance(device, 2))
        return;
    sweep_end(me->warp, me);
    me->warp->ready |= me->bit;
    if (device->unchanged >= YIELD_PERIOD)
        release_all(device);
    if (block_spins(device))
        park_block(device, false);
    if (!in_order) {
        stop_lane(device, me);
        return;
    }
    struct cpu_lane *next = next_in_turn(device, me);
    if (next != me)
        run_lane(device, me, next, false);
}

void cpu_before_volatile(const void *pc, const void *address, size_t size, int writes) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    if (!cpu_is_lane() || fiber_holds(device->pool, me->fiber, address))
        return;
    lockstep_enter(device, me, pc, address, size, writes != 0);
    if (me->warp->sweep_last && me != me->warp->sweep_last && !spins_forever(device)) {
        run_lane(device, me, me + 1, false);
        return;
    }
    sweep_end(me->warp, me);
    if (spins_forever(device)) {
        spin_report(device);
        schedule_abandon(device);
    }
    stop_lane(device, me);
}

void schedule_keep_step(const void *pc) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    sweep_end(me->warp, me);
    lockstep_enter(device, me, pc, NULL, 0, true);
    stop_lane(device, me);
}

void schedule_keep_pace(const void *pc) {
    struct cpu_device *device = cpu_now.device;
    struct cpu_lane *me = cpu_now.lane;
    lockstep_wait(device, me, pc);
    if (me->warp->sweep_last && me != me->warp->sweep_last) {
        run_lane(device, me, me + 1, false);
        return;
    }
    sweep_end(me->warp, me);
    stop_lane(device, me);
}

/* ---- a block ---- */

/* The running lane has ended; returns the next, NULL if there is none. */
static struct cpu_lane *finish_lane(struct cpu_device *device, struct cpu_lane *me) {
    struct cpu_warp *warp = me->warp;
    sweep_end(warp, me);
    warp->exited |= me->bit;
    device->unchanged = 0;
    if (!warp_alive(warp)) {
        watch_flush(device, warp, WARP_FULL_MASK);
        if (warp->lines)
            lines_end(device, warp);
    }
    return next_lane(device);
}

_Noreturn void schedule_end_lane(struct cpu_device *device) {
    struct cpu_lane *me = cpu_now.lane;
    run_lane(device, me, finish_lane(device, me), true);
    __builtin_unreachable();
}

/* The running lane has ended. True if its neighbour in the sweep has not begun; it is now the
 * running lane. */
static bool start_neighbour(void) {
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_warp *warp = cpu_now.warp;
    if (!warp->sweep_last || me == warp->sweep_last || !(warp->fresh & me->bit << 1))
        return false;
    warp->exited |= me->bit;
    warp->fresh &= ~(me->bit << 1);
    me[1].fiber = me->fiber;
    cpu_now.lane = me + 1;
    return true;
}

/* The running lane has ended and left nothing on its stack: a lane that begins now takes over the
 * stack. In a kernel that never waits, all lanes do so, without a switch. */
static void hand_over_stack(struct cpu_device *device) {
    if (start_neighbour()) {
        device->unchanged = 0;
        return;
    }
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_lane *next = finish_lane(device, me);
    if (!next || !(next->warp->fresh & next->bit))
        run_lane(device, me, next, true);
    next->warp->fresh &= ~next->bit;
    next->fiber = me->fiber;
    enter_lane(next);
}

static _Noreturn void lane_main(struct cpu_context *context) {
#if CPU_SWITCH_INLINE
    cpu_now.lane = (struct cpu_lane *)context; /* its first member */
#else
    (void)context;
#endif
    struct cpu_device *device = cpu_now.device;
    fiber_entered(device->pool);
    cpu_now.lane->fiber = cpu_now.lane->thread;
    cpu_now.lane->warp->fresh &= ~cpu_now.lane->bit;
    for (;;) {
        device->call(device->call_context);
        hand_over_stack(device);
    }
}

static uint32_t first_lanes(unsigned count) {
    return count >= CPU_WARP_LANES ? WARP_FULL_MASK : (UINT32_C(1) << count) - 1;
}

/* Prepares the lanes whose context was used since they last began. */
static void prepare_lanes(struct cpu_device *device, struct cpu_warp *warp) {
    if (!CPU_SWITCH_INLINE)
        warp->prepared = 0; /* fiber_start() also resets the stack, or the fiber's own context */
    for (uint32_t left = warp->launched & ~warp->prepared; left; left &= left - 1) {
        struct cpu_lane *lane = &warp->lanes[__builtin_ctz(left)];
        lane->fiber = lane->thread;
        fiber_start(device->pool, lane->fiber, lane, lane_main);
    }
    warp->prepared |= warp->launched;
}

static void begin_block(struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++) {
        struct cpu_warp *warp = &device->warps[w];
        warp->launched = first_lanes(device->thread_count - w * CPU_WARP_LANES);
        warp->ready = warp->fresh = warp->launched;
        warp->exited = warp->elsewhere = warp->at_barrier = warp->yielding = 0;
        warp->barrier_sum = warp->stuck = warp->at_named = 0;
        warp->round_count = 0;
        if (warp->sweep_last)
            warp->sweep_last->is_last = 0;
        warp->sweep_last = warp->row_last = NULL;
        warp->sweep_id = 0;
        warp->open.id = 0; /* the first lane at an operation goes through arrive() */
        prepare_lanes(device, warp);
    }
    memset(device->warps[0].named_barriers, 0, sizeof device->warps[0].named_barriers);
    memset(device->warps[0].tile_barriers, 0, sizeof device->warps[0].tile_barriers);
    device->current_warp = 0;
    device->unchanged = device->resumed = 0;
    device->header_warp = NULL;
    lines_begin_block(device);
}

void schedule_number_threads(struct cpu_device *device) {
    struct uint3 index = {0, 0, 0};
    for (unsigned t = 0; t < device->thread_count; t++) {
        device->lanes[t].thread_index = index;
        if (++index.x == cpu_block_dim.x) {
            index.x = 0;
            if (++index.y == cpu_block_dim.y) {
                index.y = 0;
                index.z++;
            }
        }
    }
}

int schedule_run_block(struct cpu_device *device) {
    begin_block(device);
    struct cpu_lane *first = next_lane(device);
    return schedule_resume_block(device, first);
}

int schedule_resume_block(struct cpu_device *device, struct cpu_lane *lane) {
    run_lane(device, NULL, lane, false);
    return device->error.kind == ERROR_NONE ? 0 : -1;
}
