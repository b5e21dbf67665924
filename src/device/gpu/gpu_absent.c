/*
 * gpu_absent.c - the GPU of a shflviz that was built without a CUDA Toolkit.
 */
#include "device/gpu/gpu.h"

#include "base/message.h"

bool gpu_available(struct error *err) {
    error_set(
        err, ERROR_MISSING,
        _("this shflviz was built without support for GPUs\n"
          "--device takes cpu, or auto, which is the CPU warp here\n"
          "try --device cpu: the same kernel, emulated; or install the CUDA Toolkit and build "
          "shflviz again"));
    return false;
}

bool gpu_driver_is_there(void) {
    return false;
}

const char *gpu_name(void) {
    return "NVIDIA GPU";
}

void gpu_details(char *text, size_t size) {
    if (size)
        text[0] = '\0';
}

int gpu_run_program(const struct program *program, const struct program_parameters *parameters,
                    const struct device_options *options, struct trace_writer *writer,
                    uint64_t *output, struct error *err) {
    (void)program, (void)parameters, (void)options, (void)writer, (void)output;
    gpu_available(err);
    return -1;
}

int gpu_run_entry(const struct shflviz_program *entry, const struct program_parameters *parameters,
                  const struct device_options *options, struct trace_writer *writer,
                  uint64_t *output, struct error *err) {
    (void)entry, (void)parameters, (void)options, (void)writer, (void)output;
    gpu_available(err);
    return -1;
}
