/*
 * gpu_absent.c - the GPU of a shflviz that was built without a CUDA Toolkit.
 */
#include "device/gpu/gpu.h"

#include "base/message.h"
#include "device/device_ops.h"

static bool gpu_available(struct error *err) {
    error_set(
        err, ERROR_MISSING,
        _("this shflviz was built without support for GPUs\n"
          "--device takes cpu, or auto, which is the CPU warp here\n"
          "try --device cpu: the same kernel, emulated; or install the CUDA Toolkit and build "
          "shflviz again"));
    return false;
}

static const char *gpu_name(void) {
    return "NVIDIA GPU";
}

static void gpu_details(char *text, size_t size) {
    if (size)
        text[0] = '\0';
}

const struct device_ops gpu_device_ops = {
    .available = gpu_available, .name = gpu_name, .details = gpu_details};

void gpu_worker_stop(struct gpu_worker *worker) {
    (void)worker; /* there is none */
}

int gpu_run_entry(const struct shflviz_program *entry, const struct program_parameters *parameters,
                  const struct device_options *options, struct trace_writer *writer,
                  uint64_t *output, struct error *err) {
    (void)entry, (void)parameters, (void)options, (void)writer, (void)output;
    gpu_available(err);
    return -1;
}
