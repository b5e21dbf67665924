/*
 * in_step.c - lanes keep step at accesses to memory in kernels that rely on it silently, without
 * volatile and without a barrier. The launch says whether a kernel may be one
 * (cudacpu/instrument/lockstep/reliance.h finds them).
 *
 * Many of these kernels are correct because their indices never meet. So block 0 of a launch, and
 * blocks 1, 2, 4, 8 and so on, are examined while their lanes keep step: does a thread access what
 * another has written, or write what another has read, with no barrier of the block in between?
 * In global memory only threads of one warp count, with no operation of the warp in between. If one
 * does, the kernel's lanes keep step from then on in all blocks and in all of its launches.
 */
#include "simt/device_state.h"

#include "base/memory.h"
#include "simt/block_workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const memory_name[CPU_STEP_MEMORIES] = {"shared", "global"};

/* Bits of cpu_now.in_step, for each memory. */
#define KEEPS_STEP(memory) (1 << 2 * (memory))
#define LOOKED_AT(memory)  (2 << 2 * (memory))
#define EITHER(memory)     (3 << 2 * (memory))

/* Words are hashed by address into this many cells; shared memory has fewer. */
#define CELLS 65536

#define MANY UINT32_MAX /* more than one thread */

/* The threads that accessed a word since the block's last barrier, or the warp's last operation. */
struct cpu_step_cell {
    uintptr_t address;
    uint64_t epoch, meeting;
    uint32_t writer, reader; /* threads + 1; 0: none */
};

static bool is_known(const struct cpu_device *device, int memory) {
    for (size_t i = 0; i < device->step.count; i++)
        if (device->step.kernels[i].memory == memory &&
            strcmp(device->step.kernels[i].name, device->kernel) == 0)
            return true;
    return false;
}

void in_step_expect(struct cpu_device *device, unsigned memories) {
    device->step.expected = memories;
}

void in_step_launch(struct cpu_device *device) {
    for (int memory = 0; memory < CPU_STEP_MEMORIES; memory++) {
        device->step.is_named[memory] = device->step.expected >> memory & 1;
        device->step.is_known[memory] = device->step.is_named[memory] && is_known(device, memory);
        device->step.first_free[memory] = 0;
    }
}

bool in_step_is_open(const struct cpu_device *device) {
    for (int memory = 0; memory < CPU_STEP_MEMORIES; memory++)
        if (device->step.is_named[memory] && !device->step.is_known[memory])
            return true;
    return false;
}

void in_step_block(struct cpu_device *device) {
    const bool power = (device->block & (device->block - 1)) == 0;
    const struct cpu_device *all = device->worker ? block_worker_launcher(device) : device;
    cpu_now.in_step = 0;
    for (int memory = 0; memory < CPU_STEP_MEMORIES; memory++) {
        if (!device->step.is_named[memory])
            continue;
        device->step.epoch++;
        if (__atomic_load_n(&all->step.is_known[memory], __ATOMIC_RELAXED))
            cpu_now.in_step |= KEEPS_STEP(memory);
        else if (power && !device->waiting)
            cpu_now.in_step |= LOOKED_AT(memory);
        else if (!device->step.first_free[memory])
            device->step.first_free[memory] = device->block;
    }
}

void in_step_end(struct cpu_device *device) {
    cpu_now.in_step = 0;
    device->step.expected = 0;
    for (int memory = 0; memory < CPU_STEP_MEMORIES; memory++)
        device->step.is_named[memory] = false;
}

void in_step_release(struct cpu_device *device) {
    for (size_t i = 0; i < device->step.count; i++)
        free(device->step.kernels[i].name);
    free(device->step.kernels);
    free(device->step.cells);
}

/* Reports that lanes did not keep step in blocks that have already run. */
static void report(const struct cpu_device *device, int memory, const void *pc) {
    char place[300] = "";
    if (device->options.place)
        device->options.place(pc, place, sizeof place);
    fprintf(stderr,
            "shflviz: %s%s%s: in block %llu lanes hand values to each other through %s memory "
            "with no barrier in between; blocks from %llu on ran with their lanes out of step and "
            "may have results that differ from a GPU's: see `shflviz check`\n",
            device->kernel, *place ? ", " : "", place, (unsigned long long)device->block,
            memory_name[memory], (unsigned long long)device->step.first_free[memory]);
}

static void add_known(struct cpu_device *device, int memory) {
    device->step.kernels =
        memory_grow(device->step.kernels, device->step.count + 1, sizeof *device->step.kernels);
    device->step.kernels[device->step.count++] =
        (struct cpu_step_kernel){memory_string(device->kernel), memory};
    __atomic_store_n(&device->step.is_known[memory], true, __ATOMIC_RELAXED);
}

static void note_reliance(struct cpu_device *device, int memory, const void *pc) {
    struct cpu_device *all = device->worker ? block_worker_lock(device) : device;
    const bool is_new = !all->step.is_known[memory];
    if (is_new)
        add_known(all, memory);
    if (device->worker)
        block_worker_unlock(device);
    cpu_now.in_step = (cpu_now.in_step & ~EITHER(memory)) | KEEPS_STEP(memory);
    if (is_new && device->step.first_free[memory])
        report(device, memory, pc);
}

/* True if the kernel relies on lanes in step. */
static bool check_cell(struct cpu_device *device, uintptr_t word, bool writes, int memory) {
    if (!device->step.cells)
        device->step.cells = memory_zeroed(CELLS, sizeof *device->step.cells);
    struct cpu_step_cell *cell = &device->step.cells[(word ^ word / CELLS) % CELLS];
    const uint32_t me = cpu_now.lane->thread + 1;
    const uint64_t epoch = device->step.epoch << 32 | device->barriers;
    const uint64_t meeting = memory == CPU_STEP_SHARED
                                 ? 0
                                 : (uint64_t)cpu_now.warp->index << 32 | cpu_now.warp->meetings;
    if (cell->address != word || cell->epoch != epoch || cell->meeting != meeting)
        *cell = (struct cpu_step_cell){.address = word, .epoch = epoch, .meeting = meeting};
    if ((cell->writer && cell->writer != me && !writes) ||
        (writes && cell->reader && cell->reader != me))
        return true;
    if (writes)
        cell->writer = cell->writer && cell->writer != me ? MANY : me;
    else
        cell->reader = cell->reader && cell->reader != me ? MANY : me;
    return false;
}

void in_step_access(const void *address, size_t size, bool writes, bool is_shared, const void *pc) {
    struct cpu_device *device = cpu_now.device;
    const int memory = is_shared ? CPU_STEP_SHARED : CPU_STEP_GLOBAL;
    if (cpu_now.in_atomic || !(cpu_now.in_step & EITHER(memory)) ||
        (!is_shared && fiber_holds(device->pool, cpu_now.lane->fiber, address)))
        return;
    const uintptr_t first = (uintptr_t)address / 4, last = ((uintptr_t)address + size - 1) / 4;
    for (uintptr_t word = first; word <= last && cpu_now.in_step & LOOKED_AT(memory); word++)
        if (check_cell(device, word, writes, memory))
            note_reliance(device, memory, pc);
    schedule_keep_pace(pc);
}
