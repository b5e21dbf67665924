/*
 * programs.h - the programs of kernels/ with the function that runs each, for the devices.
 */
#ifndef SHFLVIZ_DEVICE_PROGRAMS_H
#define SHFLVIZ_DEVICE_PROGRAMS_H

#include "shflviz/program.h"

/* The entry of a program of device_programs(). */
const struct shflviz_program *program_entry(const struct program *program);

/* The name of that program in its source, "reduce_xor_sum" in SHFLVIZ_PROGRAM(reduce_xor_sum). */
const char *program_identifier(const struct program *program);

#endif
