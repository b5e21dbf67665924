#include "interpreter/observed.h"

#include "base/memory.h"
#include "cudacpu/observe/access_file.h"
#include "interpreter/interpreter.h"
#include "simt/device_state.h"

#include <stdlib.h>

static struct {
    bool is_on;
    struct kernel_access *list;
    size_t count, capacity;
} accesses;

void kernel_accesses_begin(bool on) {
    free(accesses.list);
    accesses.list = NULL;
    accesses.count = accesses.capacity = 0;
    accesses.is_on = on;
}

const struct kernel_access *kernel_accesses(size_t *count) {
    *count = accesses.count;
    return accesses.list;
}

static enum warp_op op_of(const void *address, unsigned kind) {
    const bool shared = cpu_is_shared(address);
    if (cpu_now.in_atomic)
        return shared ? WARP_OP_SHARED_ATOMIC : WARP_OP_GLOBAL_ATOMIC;
    if (kind & ACCESS_WRITES)
        return shared ? WARP_OP_SHARED_WRITE : WARP_OP_GLOBAL_WRITE;
    return shared ? WARP_OP_SHARED_READ : WARP_OP_GLOBAL_READ;
}

void observed_access(const void *address, unsigned kind) {
    if (!accesses.is_on || (cpu_now.in_atomic && kind & ACCESS_WRITES)) /* counted as a read */
        return;
    accesses.list =
        memory_room(accesses.list, accesses.count, &accesses.capacity, sizeof *accesses.list);
    accesses.list[accesses.count++] = (struct kernel_access){.launch = cpu_now.device->launch,
                                                             .warp = cpu_now.warp->index,
                                                             .block = cpu_now.device->block,
                                                             .address = (uintptr_t)address,
                                                             .op = (uint8_t)op_of(address, kind)};
}
