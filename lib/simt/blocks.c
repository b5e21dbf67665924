/*
 * blocks.c - the blocks of a grid, one after another, or several under way.
 *
 * A block runs to its end before the next begins, unless it waits for another: all of its lanes
 * keep reading memory that does not change, or they have reached grid.sync(). Then it is parked,
 * with its lanes, stacks and shared memory, and others run: first one that has not begun, as on a
 * GPU with room for all, then those that were parked before, in turn.
 */
#include "simt/device_state.h"

#include "base/memory.h"
#include "simt/block_workers.h"

#include <stdlib.h>

/* Limits the number of threads under way at the same time, because their stacks take memory. */
#define THREADS_MOST 262144
/* The same for stacks with guard pages, of which the system allows only so many. */
#define THREADS_GUARDED 16384

static bool has_room(const struct cpu_device *device) {
    return (uint64_t)(device->waiting_count + 1) * device->thread_count <= THREADS_MOST;
}

static bool has_blocks(const struct cpu_device *device) {
    return device->worker ? block_worker_has_blocks(device)
                          : device->blocks_begun < device->blocks_all;
}

static bool can_begin(const struct cpu_device *device) {
    return has_blocks(device) && has_room(device);
}

/* Gets the number of the next block; false if there is none. */
static bool take(struct cpu_device *device, uint64_t *number) {
    if (device->worker)
        return block_worker_take(device, number);
    *number = device->blocks_begun;
    return device->blocks_begun++ < device->blocks_all;
}

bool blocks_can_wait(const struct cpu_device *device) {
    return device->waiting || can_begin(device);
}

/* ---- the storage of a block ---- */

static void room_take(struct cpu_device *device, struct cpu_block *block) {
    device->pool = block->pool;
    device->warps = block->warps;
    device->lanes = block->lanes;
    device->reads = block->reads;
    device->header_warp = NULL;
}

static void room_give(struct cpu_device *device, struct cpu_block *block) {
    block->pool = device->pool;
    block->warps = device->warps;
    block->lanes = device->lanes;
    block->reads = device->reads;
}

static void room_release(struct cpu_device *device, struct cpu_block *block) {
    fiber_pool_destroy(block->pool);
    for (unsigned w = 0; w < device->warp_count; w++) {
        free(block->warps[w].rounds);
        lines_release(&block->warps[w]);
    }
    free(block->warps);
    free(block->lanes);
    free(block->reads);
    free(block->shared);
    free(block);
}

/* Makes storage for another block while the one that ran is parked. Returns -1 if there is none. */
static int room_make(struct cpu_device *device) {
    struct cpu_block *spare = device->spare;
    if (!spare) {
        const uint64_t threads = (uint64_t)device->waiting_count * device->thread_count;
        spare = memory_zeroed(1, sizeof *spare);
        spare->pool = fiber_pool_create();
        block_room(device->thread_count, &spare->warps, &spare->lanes);
        if (fiber_pool_reserve(spare->pool, device->thread_count, threads < THREADS_GUARDED) != 0) {
            room_release(device, spare);
            return -1;
        }
    } else {
        device->spare = spare->next;
    }
    room_take(device, spare);
    schedule_number_threads(device);
    free(spare->shared);
    free(spare);
    return 0;
}

/* ---- parking ---- */

static void park(struct cpu_device *device) {
    struct cpu_block *block = memory_zeroed(1, sizeof *block);
    *block = (struct cpu_block){.number = device->block,
                                .index = cpu_block_index,
                                .current_warp = device->current_warp,
                                .barrier_result = device->barrier_result,
                                .barrier_threads = device->barrier_threads,
                                .barriers = device->barriers,
                                .grid_barriers = device->grid_barriers,
                                .lane = device->parked,
                                .at_grid = device->parked_at_grid,
                                .shared = memory_zeroed(1, shared_size(device) + 1)};
    room_give(device, block);
    shared_save(device, block->shared);
    device->warps = NULL;
    device->parked = NULL;
    device->interleaved = true;
    *device->waiting_end = block;
    device->waiting_end = &block->next;
    device->waiting_count++;
}

/* The first block that waits for something other than the grid; NULL if there is none. */
static struct cpu_block *take_parked(struct cpu_device *device) {
    for (struct cpu_block **at = &device->waiting; *at; at = &(*at)->next) {
        struct cpu_block *block = *at;
        if (block->at_grid)
            continue;
        *at = block->next;
        if (!*at)
            device->waiting_end = at;
        device->waiting_count--;
        return block;
    }
    return NULL;
}

static int resume(struct cpu_device *device, struct cpu_block *block) {
    struct cpu_lane *lane = block->lane;
    device->block = block->number;
    cpu_block_index = block->index;
    device->current_warp = block->current_warp;
    device->barrier_result = block->barrier_result;
    device->barrier_threads = block->barrier_threads;
    device->barriers = block->barriers;
    device->grid_barriers = block->grid_barriers;
    room_take(device, block);
    shared_restore(device, block->shared);
    free(block->shared);
    free(block);
    device->resumed = device->unchanged;
    return schedule_resume_block(device, lane);
}

/* Called when all blocks have reached grid.sync() and may continue. */
static bool open_grid(struct cpu_device *device) {
    if (device->waiting_count < device->blocks_all)
        return false;
    for (struct cpu_block *block = device->waiting; block; block = block->next)
        block->at_grid = false;
    device->unchanged = 0;
    if (device->options.observer)
        device->options.observer->grid_barrier();
    return true;
}

/* Called when the block that ran has ended: its storage can be reused. */
static void set_aside(struct cpu_device *device) {
    struct cpu_block *room = memory_zeroed(1, sizeof *room);
    room_give(device, room);
    room->next = device->spare;
    device->spare = room;
    device->warps = NULL; /* the next block has its own */
}

/* Frees all storage except the device's first, which is used again. */
static void release_blocks(struct cpu_device *device, const struct cpu_block *first) {
    if (device->warps && device->warps != first->warps)
        set_aside(device);
    for (struct cpu_block **list = &device->waiting;; list = &device->spare) {
        while (*list) {
            struct cpu_block *block = *list;
            *list = block->next;
            if (block->warps == first->warps) {
                room_take(device, block);
                free(block->shared);
                free(block);
            } else {
                room_release(device, block);
            }
        }
        if (list == &device->spare)
            break;
    }
    device->waiting_count = 0;
}

/* ---- a grid ---- */

static int begin(struct cpu_device *device, struct dim3 grid, uint64_t number) {
    device->block = number;
    cpu_block_index =
        (struct uint3){(unsigned)(number % grid.x), (unsigned)(number / grid.x % grid.y),
                       (unsigned)(number / grid.x / grid.y)};
    device->barriers = device->grid_barriers = 0;
    in_step_block(device);
    shared_begin(device);
    if (device->options.observer)
        device->options.observer->block();
    return schedule_run_block(device);
}

/* While accesses are observed, blocks begin as on a GPU of limited size: another begins
 * only once all waiting ones have been resumed in vain. (On such a GPU it would never begin.) */
static bool is_full(struct cpu_device *device, bool ended) {
    const struct cpu_observer *observer = device->options.observer;
    if (!observer || !observer->crowded || !device->blocks_held || !has_blocks(device))
        return false;
    const bool is_in_vain = !ended && device->changes == device->changes_before;
    device->resumed_in_vain = is_in_vain ? device->resumed_in_vain + 1 : 0;
    device->changes_before = device->changes;
    if (device->waiting_count < device->blocks_held)
        return false;
    if (device->resumed_in_vain <= device->waiting_count)
        return true;
    observer->crowded(device->blocks_held);
    device->blocks_held = 0;
    return false;
}

/* Continues the next waiting block after one has been parked or, with `ended`, has ended. */
static int resume_next(struct cpu_device *device, struct dim3 grid, bool ended) {
    if (ended)
        set_aside(device);
    for (;;) {
        const bool resumes = is_full(device, ended) || ended || !can_begin(device);
        struct cpu_block *block = resumes ? take_parked(device) : NULL;
        if (block)
            return resume(device, block);
        uint64_t number;
        if (can_begin(device) && room_make(device) == 0) {
            if (take(device, &number))
                return begin(device, grid, number);
            set_aside(device); /* other workers were faster */
        }
        block = take_parked(device);
        if (block)
            return resume(device, block);
        if (!open_grid(device)) {
            grid_report(device);
            return -1;
        }
        ended = true; /* the first to arrive is the first to continue */
    }
}

int blocks_run(struct cpu_device *device, struct dim3 grid) {
    device->blocks_all = (uint64_t)grid.x * grid.y * grid.z;
    device->blocks_begun = 0;
    device->waiting_end = &device->waiting;
    device->interleaved = false;
    device->parked = NULL;
    return blocks_run_piecewise(device, grid);
}

int blocks_run_piecewise(struct cpu_device *device, struct dim3 grid) {
    struct cpu_block first;
    uint64_t number;
    int status = 0;
    room_give(device, &first);
    while (status == 0 && device->lasting == CPU_SUCCESS) { /* a trap ends the grid */
        const bool ended = device->parked == NULL;
        if (!ended)
            park(device);
        if (device->waiting) {
            status = resume_next(device, grid, ended);
            continue;
        }
        if (device->worker)
            block_worker_idle(device);
        else if (device->blocks_begun && block_workers_pay_off(device)) {
            status = block_workers_run(device, grid);
            break;
        }
        if (!take(device, &number))
            break;
        status = begin(device, grid, number);
    }
    release_blocks(device, &first);
    return status;
}
