/*
 * device_ops.h - the interface of a device for device.c: the options of a run, and its functions,
 * which correspond to those of device/device.h.
 */
#ifndef SHFLVIZ_DEVICE_DEVICE_OPS_H
#define SHFLVIZ_DEVICE_DEVICE_OPS_H

#include "base/error.h"
#include "shflviz/program.h"
#include "shflviz/run_settings.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DEVICE_AUTO leaves the choice to device_choose(). */
enum device_kind { DEVICE_AUTO, DEVICE_CPU, DEVICE_GPU };

/* State that makes the next run faster: stacks of the CPU warp's lanes, a process that holds
 * the GPU. All zero means empty; device_cache_release() frees it. */
struct fiber_pool;
struct gpu_worker;
struct device_cache {
    struct fiber_pool *stacks;
    struct gpu_worker *worker;
};

struct device_options {
    enum device_kind kind;
    struct run_settings settings; /* gpu_memory 0: DEVICE_MEMORY_DEFAULT */
    struct device_cache *kept;    /* NULL if nothing is kept */
};

#define DEVICE_MEMORY_DEFAULT (UINT64_C(64) << 20)
#define DEVICE_MEMORY_LEAST   (UINT64_C(1) << 20)

struct device_ops {
    bool (*available)(struct error *err);
    const char *(*name)(void);
    void (*details)(char *text, size_t size); /* "" if there are none */
    /* Called only if the device is available. */
    int (*run)(const struct program *program, const struct program_parameters *parameters,
               const struct device_options *options, struct trace_writer *writer, uint64_t *output,
               struct error *err);
};

extern const struct device_ops cpu_device_ops, gpu_device_ops;

#endif
