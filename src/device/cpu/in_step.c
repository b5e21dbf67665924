/*
 * in_step.c - lanes keep step at accesses to shared memory in kernels that lean on that without a
 * word: without volatile, without a barrier (own/in_step.h names them, by their text).
 *
 * Many kernels that are named are right: their indices never meet. So the first block of a launch
 * is looked at while its lanes keep step, and blocks 1, 2, 4, 8 and so on: does a thread access
 * what another has written, or write what another has read, with no barrier of the block between?
 * Only from then on do the kernel's lanes keep step in all blocks, and in all of its launches.
 */
#include "device/cpu/device_state.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FREE = 0, KEEPS_STEP = 1, LOOKED_AT = 2 }; /* of cpu_now.in_step */

/* Shared memory is less than so many words, and so lies in cells of its own. */
#define CELLS 65536

#define MANY UINT32_MAX /* more than one thread */

/* Who has accessed a word since the block's last barrier. */
struct cpu_step_cell {
    uintptr_t address;
    uint64_t epoch;
    uint32_t writer, reader; /* threads + 1; 0: none */
};

/* Of a program of somebody's own that has such kernels: the names of those that are none. */
extern const char *const cpu_free_kernels[] __attribute__((weak));

static bool is_named(const char *kernel) {
    const char *name = kernel;
    for (const char *at = kernel; at < kernel + strcspn(kernel, "<"); at++)
        name = *at == ':' ? at + 1 : name;
    const size_t length = strcspn(name, "<");
    for (const char *const *of = cpu_free_kernels; of && *of; of++)
        if (strlen(*of) == length && strncmp(*of, name, length) == 0)
            return false;
    return cpu_free_kernels != NULL;
}

static bool is_known(const struct cpu_device *device) {
    for (size_t i = 0; i < device->step.count; i++)
        if (strcmp(device->step.kernels[i], device->kernel) == 0)
            return true;
    return false;
}

void in_step_launch(struct cpu_device *device) {
    device->step.is_named = is_named(device->kernel);
    device->step.is_known = device->step.is_named && is_known(device);
    device->step.first_free = 0;
}

void in_step_block(struct cpu_device *device) {
    if (!device->step.is_named)
        return;
    device->step.epoch++;
    const bool power = (device->block & (device->block - 1)) == 0;
    if (device->step.is_known)
        cpu_now.in_step = KEEPS_STEP;
    else
        cpu_now.in_step = power && !device->waiting ? LOOKED_AT : FREE;
    if (cpu_now.in_step == FREE && !device->step.first_free)
        device->step.first_free = device->block;
}

void in_step_end(struct cpu_device *device) {
    cpu_now.in_step = FREE;
    device->step.is_named = false;
}

void in_step_release(struct cpu_device *device) {
    for (size_t i = 0; i < device->step.count; i++)
        free(device->step.kernels[i]);
    free(device->step.kernels);
    free(device->step.cells);
}

/* Blocks have run whose lanes did not keep step. */
static void tell(const struct cpu_device *device) {
    fprintf(stderr,
            "shflviz: %s: in block %llu lanes hand values to each other through shared memory "
            "with no barrier between; blocks %llu to %llu ran with their lanes out of step, and "
            "may have other results than on a GPU: see `shflviz check`\n",
            device->kernel, (unsigned long long)device->block,
            (unsigned long long)device->step.first_free, (unsigned long long)device->block - 1);
}

static void leans(struct cpu_device *device) {
    device->step.kernels =
        memory_grow(device->step.kernels, device->step.count + 1, sizeof *device->step.kernels);
    device->step.kernels[device->step.count++] = memory_string(device->kernel);
    device->step.is_known = true;
    cpu_now.in_step = KEEPS_STEP;
    if (device->step.first_free)
        tell(device);
}

static void look(struct cpu_device *device, uintptr_t word, bool writes) {
    if (!device->step.cells)
        device->step.cells = memory_zeroed(CELLS, sizeof *device->step.cells);
    struct cpu_step_cell *cell = &device->step.cells[word % CELLS];
    const uint32_t me = cpu_now.lane->thread + 1;
    const uint64_t epoch = device->step.epoch << 32 | device->barriers;
    if (cell->address != word || cell->epoch != epoch)
        *cell = (struct cpu_step_cell){.address = word, .epoch = epoch};
    if ((cell->writer && cell->writer != me && !writes) ||
        (writes && cell->reader && cell->reader != me))
        leans(device);
    if (writes)
        cell->writer = cell->writer && cell->writer != me ? MANY : me;
    else
        cell->reader = cell->reader && cell->reader != me ? MANY : me;
}

void in_step_access(const void *address, size_t size, bool writes, const void *pc) {
    struct cpu_device *device = cpu_now.device;
    if (cpu_now.in_atomic)
        return;
    const uintptr_t first = (uintptr_t)address / 4, last = ((uintptr_t)address + size - 1) / 4;
    for (uintptr_t word = first; word <= last && cpu_now.in_step == LOOKED_AT; word++)
        look(device, word, writes);
    schedule_keep_pace(pc);
}
