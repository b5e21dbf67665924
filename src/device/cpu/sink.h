/*
 * sink.h - a recording (trace/trace.h) as the place where the CPU warp's steps go.
 */
#ifndef SHFLVIZ_CPU_SINK_H
#define SHFLVIZ_CPU_SINK_H

#include "device/cpu/cpu_device.h"

/* The writer must outlive the sink. `filter` says what is recorded at all. */
struct cpu_sink cpu_sink_writer(struct trace_writer *writer, const struct shflviz_filter *filter);

#endif
