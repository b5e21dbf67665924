#include "measure/run.h"

#include "base/message.h"
#include "base/unused.h"
#include "cudacpu/cudacpu.h"
#include "device/gpu/gpu.h"
#include "measure/measure.h"
#include "simt/simt.h"

#include <stdio.h>
#include <string.h>

#define REPEATS_GPU 20
#define REPEATS_CPU 5

/* ---- which device ---- */

static const char *gpu_error_text(int status UNUSED) {
#ifdef SHFLVIZ_MEASURE_CUDA
    return shflviz_gpu_error_text(status);
#else
    return "";
#endif
}

static int describe_gpu(struct bench_device *device UNUSED, struct error *err) {
#ifdef SHFLVIZ_MEASURE_CUDA
    int status = shflviz_gpu_describe(device);
    if (status == 0)
        return 0;
    return error_set(err, ERROR_MISSING,
                     _("no usable GPU: %s\na GPU needs its driver; shflviz doctor shows what this "
                       "machine has\ntry --device cpu: the same kernels, emulated, with less work"),
                     shflviz_gpu_error_text(status));
#else
    return error_set(
        err, ERROR_MISSING,
        _("this shflviz was built without GPU kernels\ncmake --preset cuda builds them, with a "
          "CUDA Toolkit\ntry --device cpu: the same kernels, emulated, with less work"));
#endif
}

int bench_device_choose(const struct bench_options *options, struct bench_device *device,
                        unsigned *repeats, struct error *err) {
    struct error absent = ERROR_INIT;
    const bool wanted = options->device == DEVICE_GPU;
    *repeats = options->repeats ? options->repeats : REPEATS_GPU;
    *device = (struct bench_device){.kind = DEVICE_GPU};
    if (wanted || (options->device == DEVICE_AUTO && gpu_driver_exists())) {
        int status = describe_gpu(device, wanted ? err : &absent);
        if (status == 0 || wanted)
            return status;
    }
    *repeats = options->repeats ? options->repeats : REPEATS_CPU;
    *device = (struct bench_device){.kind = DEVICE_CPU};
    snprintf(device->name, sizeof device->name, "%s", device_name(DEVICE_CPU));
    return 0;
}

/* ---- running on it ---- */

static int run_failed(const struct bench_device *device, int status, const char *words,
                      struct error *err) {
    if (status == CPU_ERROR_MEMORY_ALLOCATION)
        return error_set(err, ERROR_MISSING,
                         _("%s has too little memory for the values: %s\n"
                           "try a smaller --n"),
                         device->name, words);
    return error_set(err, ERROR_RUN, _("a kernel did not run on %s: %s"), device->name, words);
}

static int run_cpu(const struct bench_device *device, int (*measure)(void *context), void *context,
                   struct error *err) {
    const struct cpu_options options = {.settings = RUN_SETTINGS_INIT};
    struct cpu_device *cpu = cpu_device_create(&options);
    struct cpu_device *before = cpu_device_use(cpu);
    int status = measure(context);
    if (status != CPU_SUCCESS)
        status = run_failed(device, status, cpu_runtime_error_string(status), err);
    cpu_device_use(before);
    cpu_device_destroy(cpu);
    return status;
}

int bench_device_run(const struct bench_device *device, int (*measure_cpu)(void *report),
                     int (*measure_gpu)(void *report), void *report, struct error *err) {
    if (device->kind == DEVICE_CPU)
        return run_cpu(device, measure_cpu, report, err);
    if (!measure_gpu)
        return error_set(err, ERROR_MISSING, _("%s cannot be measured"), device->name);
    int status = measure_gpu(report);
    return status == CPU_SUCCESS ? 0 : run_failed(device, status, gpu_error_text(status), err);
}

void bench_device_text(const struct bench_device *device, struct text *text) {
    if (device->kind == DEVICE_GPU)
        text_append_format(text, _("measured on %s, %s\n"), device->name, device->versions);
    else
        text_append(
            text,
            _("emulated on the CPU warp: the speed of this machine's emulation, not of a GPU\n"));
}

void bench_headings(struct text *text, const char *const *headings, const int *columns,
                    unsigned count) {
    text_append_char(text, '\n');
    for (unsigned i = 0; i < count; i++) {
        text_append(text, i == 0 ? "" : columns[i] == 0 ? "  " : " ");
        text_append_column(text, headings[i], columns[i]);
    }
    text_append_char(text, '\n');
}
