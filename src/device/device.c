#include "device/device.h"

#include "device/device_ops.h"
#include "device/gpu/gpu.h"
#include "simt/simt.h"

static const struct device_ops *ops_of(enum device_kind kind) {
    return kind == DEVICE_GPU ? &gpu_device_ops : &cpu_device_ops;
}

bool device_available(enum device_kind kind, struct error *err) {
    return ops_of(kind)->available(err);
}

enum device_kind device_choose(void) {
    struct error err = ERROR_INIT;
    return gpu_driver_exists() && device_available(DEVICE_GPU, &err) ? DEVICE_GPU : DEVICE_CPU;
}

const char *device_name(enum device_kind kind) {
    return ops_of(kind)->name();
}

void device_details(enum device_kind kind, char *text, size_t size) {
    ops_of(kind)->details(text, size);
}

int device_run(const struct program *program, const struct program_parameters *parameters,
               const struct device_options *options, struct trace_writer *writer, uint64_t *output,
               struct error *err) {
    struct error failure = ERROR_INIT;
    const struct device_ops *ops = ops_of(options->kind);
    if (!ops->available(err))
        return -1;
    if (ops->run(program, parameters, options, writer, output, &failure) == 0)
        return 0;
    trace_writer_note(writer, TRACE_NOTE_FAILURE, failure.text);
    return error_set(err, failure.kind, "%s", failure.text);
}

void device_cache_release(struct device_cache *kept) {
    fiber_pool_destroy(kept->stacks);
    gpu_worker_stop(kept->worker);
    *kept = (struct device_cache){NULL, NULL};
}
