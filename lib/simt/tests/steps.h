/*
 * steps.h - kernels in C for tests: a device whose recording is read back step by step.
 */
#ifndef SHFLVIZ_TEST_STEPS_H
#define SHFLVIZ_TEST_STEPS_H

#include "memory_sink.h"
#include "simt/device_state.h"
#include "test_device.h"
#include "trace/record.h"

#include <string.h>

#define FULL     0xffffffffu
#define HERE(pc) ((const void *)(uintptr_t)(pc))
#define STEPS    1200
#define SITE(at)                                                                                   \
    { .file = "steps.c", .function = "kernel", .text = "call", .line = at }

static struct memory_sink sink;
static struct cpu_device *device;

static inline void begin(unsigned value_bytes, size_t room, const struct shflviz_filter *filter) {
    memory_sink_init(&sink, value_bytes, room);
    struct cpu_options options = {.sink = &sink.sink, .settings.poison = 0xbad};
    if (filter)
        options.settings.watch = *filter;
    device = cpu_device_create(&options);
    cpu_device_use(device);
}
static inline void end(void) {
    cpu_device_use(NULL);
    cpu_device_destroy(device);
    memory_sink_release(&sink);
}
static inline int run(void (*kernel)(void *context), void *context, struct dim3 grid,
                      struct dim3 block) {
    return cpu_runtime_launch("kernel", kernel, context, grid, block, NULL, 0);
}
static inline unsigned thread(void) {
    return cpu_now.lane->thread;
}
static const struct dim3 one __attribute__((unused)) = {1, 1, 1};

#endif
