/*
 * device_ops.h - the functions of a device, as device.c calls them. The functions mean what those
 * of device/device.h mean.
 */
#ifndef SHFLVIZ_DEVICE_DEVICE_OPS_H
#define SHFLVIZ_DEVICE_DEVICE_OPS_H

#include "device/device.h"

struct device_ops {
    bool (*available)(struct error *err);
    const char *(*name)(void);
    void (*details)(char *text, size_t size); /* "" if there is no more to say */
    /* Called only if the device is available. */
    int (*run)(const struct program *program, const struct program_parameters *parameters,
               const struct device_options *options, struct trace_writer *writer, uint64_t *output,
               struct error *err);
};

extern const struct device_ops cpu_device_ops, gpu_device_ops;

#endif
