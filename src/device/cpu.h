/*
 * cpu.h - runs a program of kernels/ on the CPU warp.
 */
#ifndef SHFLVIZ_CPU_RUN_H
#define SHFLVIZ_CPU_RUN_H

#include "device/device_ops.h"
#include "shflviz/program.h"
#include "simt/simt.h"

/*
 * Runs the program on its own CPU warp. `output`, if not NULL, gets the kernel's results: one
 * for each thread, as bits of its type. Returns 0, or -1 with err set, like device_run().
 */
int cpu_run_program(const struct program *program, const struct program_parameters *parameters,
                    const struct cpu_options *options, uint64_t *output, struct error *err);

/* The same for a program that is not in the table, such as a test's; `entry` runs it. */
int cpu_run_entry(const struct program *program, const struct shflviz_program *entry,
                  const struct program_parameters *parameters, const struct cpu_options *options,
                  uint64_t *output, struct error *err);

/* The same, recorded into `writer` with its notes, like device_run(). */
int cpu_run_recorded(const struct program *program, const struct shflviz_program *entry,
                     const struct program_parameters *parameters,
                     const struct device_options *options, struct trace_writer *writer,
                     uint64_t *output, struct error *err);

#endif
