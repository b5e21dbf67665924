#include "cudacpu/lane_watcher.h"
#include "cudacpu/memory_parts.h"
#include "cudacpu/runtime/api.h"

static const struct cpu_lane_watcher *watching;

void cpu_watch_lanes(const struct cpu_lane_watcher *watcher) {
    watching = watcher;
}

void cpu_copy_begun(const void *to, size_t size) {
    if (watching)
        watching->copy_begun(to, size, __builtin_return_address(0));
}

void cpu_copies_committed(void) {
    if (watching)
        watching->copies_committed();
}

void cpu_copies_waited(size_t left) {
    if (watching)
        watching->copies_waited(left);
}

void cpu_copy_bound(const void *to, size_t size, const void *barrier, unsigned phase) {
    if (watching)
        watching->copy_bound(to, size, barrier, phase, __builtin_return_address(0));
}

void cpu_phases_waited(const void *barrier, unsigned phases) {
    if (watching)
        watching->phases_waited(barrier, phases);
}

void cpu_read_only(const void *address, size_t size) {
    if (watching)
        watching->read_only(address, size);
}

void cpu_access_next(unsigned kind) {
    if (watching)
        watching->access_next(kind);
}

/* Another host thread may be running a kernel, whose lanes look the parts up. */
void cpu_memory_part(enum cpu_part part, const void *start, size_t value) {
    cudaError_t error;
    if (!watching || !api_begin(&error, __builtin_return_address(0)))
        return;
    watching->part((int)part, start, value);
    api_end(cudaSuccess);
}
