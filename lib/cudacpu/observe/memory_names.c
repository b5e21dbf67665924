/*
 * memory_names.c - names the target of an access: a variable, or the argument through which it was
 * passed to the kernel.
 */
#include "cudacpu/module.h"
#include "cudacpu/observe/memory_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASSED_MOST 64 /* pointers of one launch */

static struct {
    struct {
        uintptr_t pointer;
        uint32_t argument, element;
        const char *members; /* NULL, or of the structure it points to */
        bool of_host;        /* a global variable of the host's */
    } one[PASSED_MOST];
    size_t count, of_host;
    bool is_launched; /* the next pointer belongs to the next kernel */
} passed;

void names_kernel_launched(void) {
    passed.is_launched = true;
}

/* Every variable of the device that the host can name is in the table of its module. */
static bool is_of_host(const void *pointer) {
    const uintptr_t address = (uintptr_t)pointer;
    return address >= check.image.start && address < check.image.end &&
           !cudacpu_variable_at(pointer) && !cudacpu_is_managed(pointer);
}

bool is_passed_host_address(uintptr_t address) {
    for (size_t i = 0; passed.of_host && i < passed.count; i++)
        if (passed.one[i].of_host && passed.one[i].pointer == address)
            return true;
    return false;
}

void memory_check_passed(const void *pointer, size_t argument, struct cpu_pointed to) {
    if (passed.is_launched)
        passed.count = passed.of_host = 0;
    passed.is_launched = false;
    if (passed.count == PASSED_MOST)
        return;
    passed.one[passed.count].pointer = (uintptr_t)pointer;
    passed.one[passed.count].argument = (uint32_t)argument + 1;
    passed.one[passed.count].of_host = is_of_host(pointer);
    passed.of_host += passed.one[passed.count].of_host;
    passed.one[passed.count].members = to.members;
    passed.one[passed.count++].element = to.bytes;
}

void names_kernel_ended(void) {
    for (size_t i = 0; passed.is_launched && i < passed.count; i++) {
        const struct region *region = allocation_of(passed.one[i].pointer);
        if (region)
            coverage_check(region, passed.one[i].pointer, passed.one[i].element);
    }
}

/* The numbers of the member at `text`, ".partial 0 4 32"; puts ".partial[3]" for the byte at
 * `offset` of the structure. False if the byte is not in it. */
static bool take_member(struct access_object *object, const char *text, uint64_t offset) {
    uint64_t extent[ACCESS_EXTENTS], count = 1;
    const size_t name = strcspn(text, " ");
    char *at;
    const uint64_t begin = strtoull(text + name, &at, 10), element = strtoull(at, &at, 10);
    size_t extents = 0;
    for (; *at == ' ' && extents < ACCESS_EXTENTS; extents++)
        count *= extent[extents] = strtoull(at, &at, 10);
    if (offset < begin || element == 0 || offset - begin >= count * element)
        return false;
    uint64_t index = (offset - begin) / element;
    size_t length =
        (size_t)snprintf(object->member, sizeof object->member, "%.*s", (int)name, text);
    for (size_t i = 0; i < extents && length < sizeof object->member; i++) {
        count /= extent[i];
        length += (size_t)snprintf(object->member + length, sizeof object->member - length,
                                   "[%" PRIu64 "]", index / count);
        index %= count;
    }
    object->rest = (offset - begin) % element;
    return true;
}

/* ";.partial 0 4 32;.count 128 4" */
static void take_members(struct access_object *object, const char *members) {
    for (const char *member = strchr(members, ';'); member; member = strchr(member + 1, ';'))
        if (take_member(object, member + 1, object->offset % object->element))
            return;
}

/* Names it after the last argument that points at or before the address, in the same allocation. */
static bool name_argument(struct access_object *object, uintptr_t address,
                          const struct region *region) {
    const char *members = NULL;
    uintptr_t nearest = 0;
    for (size_t i = 0; i < passed.count; i++) {
        const uintptr_t pointer = passed.one[i].pointer;
        if (pointer > address || pointer < region->start || pointer >= region->end ||
            pointer <= nearest)
            continue;
        nearest = pointer;
        object->argument = passed.one[i].argument;
        object->element = passed.one[i].element;
        object->offset = address - pointer;
        object->extent[0] =
            region->end - pointer == object->element; /* for a single one, no index is shown */
        members = passed.one[i].members;
    }
    if (members && object->element)
        take_members(object, members);
    return nearest != 0;
}

/* "4 32 33", or "136 8;.partial 0 4 32;.count 128 4" (cudacpu/module.h) */
static void take_shape(struct access_object *object, const char *shape) {
    char *at;
    object->element = (uint32_t)strtoul(shape, &at, 10);
    if (object->element)
        take_members(object, shape);
    for (size_t i = 0; i < ACCESS_EXTENTS && *at == ' '; i++) {
        const unsigned long extent = strtoul(at, &at, 10);
        object->extent[i] = extent ? (uint32_t)extent : UINT32_MAX; /* extern: without a size */
    }
}

void name_object(struct access_object *object, uintptr_t address, const struct region *region) {
    const void *const at = (const void *)address;
    const bool is_global = region->memory == ACCESS_GLOBAL || region->memory == ACCESS_FREED;
    if (is_global && name_argument(object, address, region))
        return;
    const struct cudacpu_variable *variable = is_global ? cudacpu_variable_at(at) : NULL;
    const struct cudacpu_shared *shared = is_global ? NULL : cudacpu_shared_at(at);
    if (!variable && !shared)
        return;
    const char *const name = variable ? variable->name : shared->name;
    const uintptr_t start = variable       ? (uintptr_t)variable->address
                            : shared->size ? (uintptr_t)shared->address
                                           : check.dynamic.start;
    strncpy(object->name, name, sizeof object->name - 1);
    object->offset = address - start;
    take_shape(object, variable ? variable->shape : shared->shape);
}
