/*
 * module.c - connects the host side of a CUDA file with its device side: kernels by the addresses
 * of their stubs, variables by those of their shadows.
 */
#include "cudacpu/module.h"
#include "base/memory.h"

#include <string.h>

/* An object that the host knows by an address. */
struct shadow {
    const void *address;
    const char *module, *symbol;
    unsigned char *before; /* for a managed variable, its content at the last launch; or NULL */
};
struct shadows {
    struct shadow *all;
    size_t count, capacity;
};
static struct shadows functions, variables;
static struct cudacpu_module *modules;
static bool has_managed;

/* memory_record.c's, which is linked if accesses may be recorded. */
extern int cpu_shared_reported(const char *name, const void *address, size_t size, int type,
                               int vector) __attribute__((weak));

void cudacpu_module_add(struct cudacpu_module *module) {
    for (size_t i = 0; cpu_shared_reported && i < module->shared_count; i++) {
        const struct cudacpu_shared *shared = &module->shared[i];
        cpu_shared_reported(shared->name,
                            shared->size ? shared->address : cpu_dynamic_shared_memory(),
                            shared->size, shared->type, shared->vector);
    }
    module->next = modules;
    modules = module;
}

static const struct shadow *shadow_of(const struct shadows *shadows, const void *address) {
    for (size_t i = 0; i < shadows->count; i++)
        if (shadows->all[i].address == address)
            return &shadows->all[i];
    return NULL;
}

const struct cudacpu_kernel *cudacpu_kernel_of(const void *address) {
    const struct shadow *shadow = shadow_of(&functions, address);
    for (const struct cudacpu_module *m = modules; m && shadow; m = m->next)
        for (size_t i = 0; i < m->kernel_count; i++)
            if (strcmp(m->kernels[i].symbol, shadow->symbol) == 0 &&
                strcmp(m->kernels[i].module, shadow->module) == 0)
                return &m->kernels[i];
    return NULL;
}

const struct cudacpu_variable *cudacpu_variable_of(const void *address) {
    const struct shadow *shadow = shadow_of(&variables, address);
    for (const struct cudacpu_module *m = modules; m && shadow; m = m->next)
        for (size_t i = 0; i < m->variable_count; i++)
            if (strcmp(m->variables[i].symbol, shadow->symbol) == 0 &&
                strcmp(m->variables[i].module, shadow->module) == 0)
                return &m->variables[i];
    return NULL;
}

const struct cudacpu_variable *cudacpu_variable_at(const void *address) {
    for (const struct cudacpu_module *m = modules; m; m = m->next)
        for (size_t i = 0; i < m->variable_count; i++) {
            const struct cudacpu_variable *variable = &m->variables[i];
            const char *begin = variable->address;
            if ((const char *)address >= begin && (const char *)address < begin + variable->size)
                return variable;
        }
    return NULL;
}

const struct cudacpu_shared *cudacpu_shared_at(const void *address) {
    const char *area = cpu_dynamic_shared_memory();
    const bool is_dynamic = area && (uintptr_t)address - (uintptr_t)area < CPU_SHARED_BYTES;
    const struct cudacpu_shared *found = NULL;
    for (const struct cudacpu_module *m = modules; m; m = m->next)
        for (size_t i = 0; i < m->shared_count; i++) {
            const struct cudacpu_shared *shared = &m->shared[i];
            if (shared->size && (uintptr_t)address - (uintptr_t)shared->address < shared->size)
                return shared;
            if (shared->size || !is_dynamic)
                continue;
            if (found && (strcmp(found->name, shared->name) != 0 ||
                          strcmp(found->shape, shared->shape) != 0))
                return NULL;
            found = shared;
        }
    return found;
}

static void add_shadow(struct shadows *shadows, const struct shadow *shadow) {
    if (shadows->count == shadows->capacity) {
        shadows->capacity = shadows->capacity ? 2 * shadows->capacity : 16;
        shadows->all = memory_grow(shadows->all, shadows->capacity, sizeof *shadows->all);
    }
    shadows->all[shadows->count++] = *shadow;
}

void cudacpu_kernel_add(const void *stub, const char *module, const char *symbol) {
    add_shadow(&functions, &(struct shadow){.address = stub, .module = module, .symbol = symbol});
}

void cudacpu_variable_add(const void *shadow, const char *module, const char *symbol) {
    add_shadow(&variables, &(struct shadow){.address = shadow, .module = module, .symbol = symbol});
    const struct cudacpu_variable *variable = cudacpu_variable_of(shadow);
    if (variable && variable->is_managed) { /* copies the initial value */
        memcpy((void *)(uintptr_t)shadow, variable->address, variable->size);
        has_managed = true;
    }
}

/* ---- managed variables: the host has its shadow, the device the variable ---- */

bool cudacpu_is_managed(const void *address) {
    for (size_t i = 0; has_managed && i < variables.count; i++) {
        const char *shadow = variables.all[i].address;
        const struct cudacpu_variable *variable = cudacpu_variable_of(shadow);
        if (variable && variable->is_managed &&
            (uintptr_t)address - (uintptr_t)shadow < variable->size)
            return true;
    }
    return false;
}

void cudacpu_managed_to_device(void) {
    for (size_t i = 0; has_managed && i < variables.count; i++) {
        const struct cudacpu_variable *variable = cudacpu_variable_of(variables.all[i].address);
        if (!variable || !variable->is_managed)
            continue;
        memcpy(variable->address, variables.all[i].address, variable->size);
        if (!variables.all[i].before)
            variables.all[i].before = memory_zeroed(variable->size, 1);
        memcpy(variables.all[i].before, variable->address, variable->size);
    }
}

void cudacpu_managed_to_host(void) {
    for (size_t i = 0; has_managed && i < variables.count; i++) {
        const struct cudacpu_variable *variable = cudacpu_variable_of(variables.all[i].address);
        const unsigned char *now = variable ? variable->address : NULL;
        unsigned char *shadow = (unsigned char *)(uintptr_t)variables.all[i].address;
        for (size_t at = 0; variables.all[i].before && at < variable->size; at++)
            if (now[at] != variables.all[i].before[at])
                shadow[at] = now[at];
    }
}
