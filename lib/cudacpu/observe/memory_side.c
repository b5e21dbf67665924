/*
 * memory_side.c - accesses to the other side's memory: a kernel's to the host's and to other
 * lanes' stacks, the host's to the device's.
 */
#include "cudacpu/observe/memory_state.h"

#include "cudacpu/runtime/api.h"

#include <string.h>
#ifdef __ELF__
#include <link.h>
#endif

#define POINTER_LEAST 65536

extern char __executable_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

/* True for the program's constants and variables, which either side may use. */
static bool is_of_program(uintptr_t address) {
    return !__executable_start || !_end ||
           (address >= (uintptr_t)__executable_start && address < (uintptr_t)_end);
}

#ifdef __ELF__
/* The program's own thread-local variables, which include the CPU warp's: blockIdx and its like. */
struct locals {
    uintptr_t start, end;
};

static int find_locals(struct dl_phdr_info *info, size_t size, void *context) {
    struct locals *locals = context;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
            locals->start = (uintptr_t)info->dlpi_tls_data;
            locals->end = locals->start + info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the first is the program */
}

bool memory_is_thread_local(uintptr_t address) {
    static __thread struct locals locals;
    if (!locals.end)
        dl_iterate_phdr(find_locals, &locals);
    return address >= locals.start && address < locals.end;
}
#else
bool memory_is_thread_local(uintptr_t address) {
    return address - (uintptr_t)&cpu_now < sizeof cpu_now;
}
#endif

void memory_side_hosts(const struct access *access) {
    struct access_entry found = finding_of(ACCESS_WRONG_SPACE, access);
    found.memory = ACCESS_HOSTS;
    add_finding(&found);
}

void memory_side_lane(const struct access *access) {
    struct access_entry found = finding_of(ACCESS_WRONG_SPACE, access);
    const uintptr_t host = access->address ^ CPU_HOST_POINTER_BIT;
    if (fiber_holds_any(cpu_device_in_use()->pool, (const void *)access->address))
        found.memory = ACCESS_LOCAL;
    else if (memory_can_be_read(access->address))
        found.memory = is_of_program(access->address) ? ACCESS_MEMORIES : ACCESS_HOSTS;
    else if (host > POINTER_LEAST && memory_can_be_read(host))
        found.memory = ACCESS_HOSTS; /* the kernel ends at this access */
    else {
        found.rule = ACCESS_OUT_OF_BOUNDS;
        found.memory = ACCESS_NOWHERE;
    }
    if (found.memory != ACCESS_MEMORIES)
        add_finding(&found);
}

void memory_check_host(const void *address, size_t size, unsigned kind, const void *pc) {
    struct cpu_device *device = cpu_device_in_use();
    if (!check.on || !api_is_device_only(device, address))
        return;
    const uint64_t first = device->options.sink ? device->options.sink->first_sequence : 0;
    const struct access_entry found = {.rule = ACCESS_WRONG_SPACE,
                                       .memory = ACCESS_DEVICES,
                                       .me = {.pc = site_offset(site_number(pc)), .kind = kind},
                                       .step = device->sequence - first,
                                       .launch = device->launch,
                                       .bytes = (uint32_t)size};
    add_finding(&found);
    api_memory_allow(device);
}
